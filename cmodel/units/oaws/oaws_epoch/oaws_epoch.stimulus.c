/* Stimulus of oaws_epoch.  One counter; runs between resets are longer than the period. */
#define UNIT_TABLE "units/oaws/oaws_epoch/oaws_epoch.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step, (void)last_in, (void)last_out;
    ((struct in *)in_slots)->enable = tb_random_below(random, 2 * EPOCH) != 0;
}

enum bin { DISABLED_AT_LAST };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct state *s = state_;
    (void)out_slots;
    hits[DISABLED_AT_LAST] += !((const struct in *)in_slots)->enable && s->count >= EPOCH / 2;
}

STIMULUS(8 * EPOCH, drive, observe, BIN("disabled late in a period"))
