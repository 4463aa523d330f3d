/* Stimulus of icm_monitor.  2^40 states: sampled.  Four regimes in turn, 512 steps each:
 * as drawn (short loads with gaps), back-to-back full loads that walk over the sets, full
 * loads in one set, and loads without end, which overrun and saturate.  The second
 * parameter set has more sets than lanes. */
#define UNIT_TABLE "units/index/icm_monitor/icm_monitor.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    const struct in *last = (const struct in *)(const void *)last_in;
    (void)random, (void)last_out;
    const unsigned regime = step / 512 % 4;
    if (regime == 1 || regime == 2) {
        in->acc_valid = 1;
        in->set_index = (last->set_index + (regime == 1)) % SETS;
        in->last = step % LANES == LANES - 1;
    } else if (regime == 3) {
        in->last = step % 512 == 511;
    }
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    (void)state;
    hits[0] += out->load_valid && out->nacc == 1;
    hits[1] += out->load_valid && out->nacc == LANES && out->nsets == 1;
    hits[2] += out->load_valid && out->nacc == LANES && out->nsets == LANES;
    hits[3] += out->load_valid && out->nsets == SETS;
    hits[4] += out->load_valid && out->nacc == NACC_MAX;
    hits[5] += out->load_valid && in->acc_valid && !in->last;
    hits[6] += out->load_valid && in->acc_valid && in->last;
    hits[7] += in->last && !in->acc_valid;
}

STIMULUS(20000, drive, observe, BIN("load of one access"), BIN("full load in one set"),
         BIN("full load over distinct sets"), BIN("every set touched"), BIN("count saturated"),
         BIN("next load opens with the result"), BIN("one-access load follows directly"),
         BIN("last without access"))
