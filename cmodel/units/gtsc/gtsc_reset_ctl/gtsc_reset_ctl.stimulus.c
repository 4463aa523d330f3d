/* Stimulus of gtsc_reset_ctl.  The state is small and every part of it is reached from random
 * inputs; overflow is held for some steps, as banks do until flash, banks drain one by one,
 * and the SMs adopt now all at once, now one by one, so that resets are held up. */
#define UNIT_TABLE "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
#include "tb/stimulus.h"

static uint64_t ones(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step;
    struct in *in = (struct in *)in_slots;
    const struct in *before = (const struct in *)last_in;
    const struct out *out = (const struct out *)last_out;
    if (before->overflow && !out->flash && tb_random_below(random, 16)) {
        in->overflow |= before->overflow;
    }
    in->drained |= tb_random_below(random, 4) ? before->drained : 0;
    if (tb_random_below(random, 6) == 0) {
        in->drained = ones(BANKS);
    }
    if (tb_random_below(random, 12) == 0) {
        in->adopted = ones(SMS);
    } else {
        in->adopted &= tb_random_below(random, 2) ? ones(SMS) : ~out->probe;
    }
}

enum bin { OVERFLOW_AT_ONCE, HELD_UP_BY_ONE, ADOPTED_WITH_FLASH, OVERFLOW_IN_DRAIN, WITHDRAWN };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    hits[OVERFLOW_AT_ONCE] += s->phase == phase_RUN && in->overflow && !out->held_up;
    hits[HELD_UP_BY_ONE] += out->held_up && (SMS == 1 || __builtin_popcountll(out->probe) == 1);
    hits[ADOPTED_WITH_FLASH] += out->flash && in->adopted;
    hits[OVERFLOW_IN_DRAIN] += s->phase == phase_DRAIN && in->overflow;
    hits[WITHDRAWN] += s->phase == phase_DRAIN && !in->overflow;
}

STIMULUS(20000, drive, observe, BIN("overflow answered at once"),
         BIN_IF(RESET_MODE != 1, "held up by one SM"), BIN("adoption in the flash cycle"),
         BIN("overflow while draining"), BIN("overflow gone while draining"))
