/* Stimulus of warp_limit.  The ranks are a permutation, shuffled anew in every step; slots are mostly in
 * use, and few or half of the warps wait.  Sampled: permutations are too many; each pair of ranks at each
 * pair of slots comes up hundreds of times. */
#define UNIT_TABLE "units/iacm/warp_limit/warp_limit.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const uint64_t all = ~UINT64_C(0) >> (64 - WARPS);
    (void)last_in, (void)last_out;
    for (unsigned warp = 0; warp < WARPS; warp++) {
        const unsigned other = (unsigned)tb_random_below(random, warp + 1);
        in->age_rank[warp] = in->age_rank[other];
        in->age_rank[other] = warp;
    }
    in->resident |= step % 4 < 3 ? tb_random_next(random) & all : 0;
    in->resident |= step % 4 < 2 ? tb_random_next(random) & all : 0;
    in->waiting &= step % 8 < 6 ? tb_random_next(random) & all : all;
}

enum bin { LIMITED, NOT_LIMITED, ROOM_BY_WAITING, OLDEST_WAITS, ALL_WAIT };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const uint64_t able = in->resident & ~in->waiting, held = in->resident & in->waiting;
    bool oldest_waits = false, behind = false;
    (void)state;
    for (unsigned warp = 0; warp < WARPS; warp++) {
        oldest_waits |= (held >> warp & 1) && in->age_rank[warp] == 0;
        behind |= (out->eligible >> warp & 1) && in->age_rank[warp] >= in->limit;
    }
    hits[LIMITED] += out->eligible != able && in->limit > 0;
    hits[NOT_LIMITED] += out->eligible == able && able != 0;
    hits[ROOM_BY_WAITING] += behind && held != 0;
    hits[OLDEST_WAITS] += oldest_waits && out->eligible != 0;
    hits[ALL_WAIT] += able == 0;
}

STIMULUS(0, drive, observe, BIN("some warps are left out"), BIN("none is"),
         BIN("a warp that waits makes room"), BIN("the oldest warp waits"), BIN("all wait"))
