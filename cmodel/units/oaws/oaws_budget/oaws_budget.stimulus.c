/* Stimulus of oaws_budget.  Issues outweigh retirements in one half of the steps and the
 * reverse in the other, so that the sum visits its maximum and 0 and everything between. */
#define UNIT_TABLE "units/oaws/oaws_budget/oaws_budget.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)last_in, (void)last_out;
    struct in *in = (struct in *)in_slots;
    bool filling = step / 64 % 2;
    in->issue_valid = tb_random_below(random, filling ? 2 : 6) == 0;
    in->retire_valid = tb_random_below(random, filling ? 6 : 2) == 0;
}

enum bin { BOTH, NEGATIVE, ALL_FREE, EXACT_FULL, EXACT_EMPTY };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    uint64_t added = in->issue_valid ? in->issue_pred : 0,
             taken = in->retire_valid ? in->retire_pred : 0;
    hits[BOTH] += in->issue_valid && in->retire_valid && added != taken;
    hits[NEGATIVE] += out->budget >> 7;
    hits[ALL_FREE] += in->free_cnt == MSHRS;
    hits[EXACT_FULL] += added != 0 && s->inflight + added == INFLIGHT_MAX + taken;
    hits[EXACT_EMPTY] += taken != 0 && s->inflight + added == taken;
}

STIMULUS(5000, drive, observe, BIN("issue and retirement in one cycle"), BIN("negative budget"),
         BIN("all entries free"), BIN("in flight reaches exactly its maximum"),
         BIN("in flight reaches exactly 0"))
