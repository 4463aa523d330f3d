/* Stimulus of bc_decide.  Ten bits, drawn uniformly: all 15 classes of Table 12 and all draws come. */
#define UNIT_TABLE "units/graph/bc_decide/bc_decide.ports.h"
#include "tb/stimulus.h"

enum bin { BOTH, L1_ALONE, L2_ALONE, COPY_BACK, CACHED, SAMPLED };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    hits[BOTH] += out->byp_l1 && out->byp_l2;
    hits[L1_ALONE] += out->byp_l1 && !out->byp_l2;
    hits[L2_ALONE] += !out->byp_l1 && out->byp_l2 && !out->cb;
    hits[COPY_BACK] += out->byp_l2 && out->cb;
    hits[CACHED] += in->l1_known && in->rg_known && !out->byp_l1 && !out->byp_l2;
    hits[SAMPLED] += out->sampled;
}

STIMULUS(0, NULL, observe, BIN_IF(LEVELS == 3, "both caches are bypassed"),
         BIN_IF(LEVELS & 1, "the L1 alone"), BIN_IF(LEVELS & 2, "the L2 alone"),
         BIN_IF(LEVELS & 2, "the L2, and the line is copied back"),
         BIN("all is known, and both caches take it"),
         BIN_IF(SAMPLE, "it would be bypassed, and is not"))
