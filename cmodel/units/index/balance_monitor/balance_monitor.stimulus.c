/* Stimulus of balance_monitor.  Sampled; few sets, so that counters rise.  From step
 * 1024 after a reset on, a sweep accesses one set after the other until its counter is
 * full and once more, then clears with one access: every counter and both sums run
 * through their whole range.  In the other parameter sets full counters are common. */
#define UNIT_TABLE "units/index/balance_monitor/balance_monitor.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    const uint64_t from = 1024, sweep = (uint64_t)SETS << COUNT_W;
    struct in *in = (struct in *)(void *)in_slots;
    const struct in *last = (const struct in *)(const void *)last_in;
    const struct out *did = (const struct out *)(const void *)last_out;
    (void)random;
    if (step >= from && step <= from + sweep) {
        const bool end = step == from + sweep;
        in->clear = step == from || end;
        in->acc_valid = 1;
        in->set_index = end ? 0 : (step - from) >> COUNT_W;
        if (did->overflow && !end) { /* a full counter, and no access */
            in->acc_valid = 0;
            in->set_index = last->set_index;
        }
    }
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    hits[0] += in->acc_valid && !s->seen[in->set_index];
    hits[1] += in->clear && in->acc_valid && s->seen[in->set_index];
    hits[2] += in->clear && !in->acc_valid && out->total != 0;
    hits[3] += out->overflow != 0;
    hits[4] += in->clear && in->acc_valid && s->seen[in->set_index] &&
               s->count[in->set_index] == (UINT64_C(1) << COUNT_W) - 1;
    hits[5] += !in->acc_valid && s->seen[in->set_index] &&
               s->count[in->set_index] == (UINT64_C(1) << COUNT_W) - 1;
}

STIMULUS(400000, drive, observe, BIN("first access of a set"), BIN("access with clear"),
         BIN("clear alone"), BIN("full counter"), BIN("clear saves an access to a full counter"),
         BIN("full counter without access"))
