/* Stimulus of flex_sdm.  Misses are those of leaders, mostly: in stretches of 1024 steps they are of
 * one kind, of the other, or mixed, so that PSEL goes to either end, stays there and comes back. */
#define UNIT_TABLE "units/graph/flex_sdm/flex_sdm.ports.h"
#include "tb/stimulus.h"
#include "units/graph/flex_leader.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    const uint64_t gap = SETS / SDM_SETS, stretch = step / 1024 % 4;
    for (unsigned slice = 0; slice < SLICES; slice++) {
        const bool ex = stretch < 2 && tb_random_below(random, 16) ? stretch == 0
                                                                   : tb_random_below(random, 2);
        if (tb_random_below(random, 4)) {
            in->miss_set[slice] = tb_random_below(random, SDM_SETS) * gap + (ex ? gap / 2 : 0);
        }
    }
}

enum bin { STOPS_AT_0, STOPS_AT_MOST, BOTH_AT_ONCE, TO_EXCLUSIVE, TO_NON_INCLUSIVE };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    unsigned ups = 0, downs = 0;
    for (unsigned slice = 0; slice < SLICES; slice++) {
        const bool missed = in->miss_valid >> slice & 1;
        ups += missed && flex_leader(in->miss_set[slice], 0, LEADERS, SETS, SDM_SETS);
        downs += missed && flex_leader(in->miss_set[slice], 1, LEADERS, SETS, SDM_SETS);
    }
    hits[STOPS_AT_0] += FREEZE == 0 && s->psel + ups < downs;
    hits[STOPS_AT_MOST] += FREEZE == 0 && s->psel + ups > (1u << PSEL_W) - 1 + downs;
    hits[BOTH_AT_ONCE] += ups > 0 && downs > 0;
    hits[TO_EXCLUSIVE] += out->mode_changes && !out->mode_follow;
    hits[TO_NON_INCLUSIVE] += out->mode_changes && out->mode_follow;
}

STIMULUS(20000, drive, observe, BIN_IF(FREEZE == 0 && (LEADERS & 2), "PSEL stops at 0"),
         BIN_IF(FREEZE == 0 && (LEADERS & 1), "PSEL stops at its greatest"),
         BIN_IF(LEADERS == 3 && SLICES > 1, "leaders of both kinds miss in a cycle"),
         BIN_IF(FREEZE == 0 && (LEADERS & 1), "followers become exclusive"),
         BIN_IF(FREEZE == 0 && LEADERS == 3, "followers become non-inclusive"))
