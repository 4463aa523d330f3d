/* Stimulus of dac_region.  Six input bits: exhaustive within a few hundred steps. */
#define UNIT_TABLE "units/dacache/dac_region/dac_region.ports.h"
#include "tb/stimulus.h"

enum bin { NONE, INSIDE, CLAMPED };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    (void)state;
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const uint64_t most = WAYS - 1 - KEEP_VICTIM;
    hits[NONE] += in->fcw == 0;
    hits[INSIDE] += in->fcw != 0 && out->p_eff < most;
    hits[CLAMPED] += out->p_eff == most && in->fcw == (1 << FCW_W) - 1;
}

STIMULUS(0, NULL, observe, BIN("no region"), BIN("region inside the stack"), BIN("region clamped"))
