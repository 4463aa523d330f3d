/* Stimulus of oaws_requal.  WARPS independent comparators with one budget: the budget is
 * drawn near some warp's prediction in half of the steps. */
#define UNIT_TABLE "units/oaws/oaws_requal/oaws_requal.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step, (void)last_in, (void)last_out;
    struct in *in = (struct in *)in_slots;
    if (tb_random_below(random, 2)) {
        uint64_t near = in->pred[tb_random_below(random, WARPS)];
        in->budget = (near + tb_random_below(random, 3) - 1) & 0xFF;
    }
}

enum bin { EQUAL, ONE_MORE, NEGATIVE, ZERO_HELD };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    (void)state, (void)out_slots;
    const struct in *in = (const struct in *)in_slots;
    bool divergent = in->is_div_load & 1, negative = in->budget >> 7;
    hits[EQUAL] += divergent && in->pred[0] == in->budget;
    hits[ONE_MORE] += divergent && in->pred[0] == in->budget + 1;
    hits[NEGATIVE] += divergent && negative && in->pred[0] != 0;
    hits[ZERO_HELD] += divergent && negative && in->pred[0] == 0;
}

STIMULUS(0, drive, observe, BIN("prediction equal to the budget"),
         BIN("prediction one above the budget"), BIN("negative budget"),
         BIN("prediction 0 and a negative budget"))
