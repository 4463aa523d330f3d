/* Stimulus of spref_inject.  Warps go through loops as real ones do, in turn: the first instruction, the
 * target loads, the setp's sum, the branch; eight of them at a time, each at its own place, which is
 * a function of the step.  Loops have 1 to 20 iterations; counts fall from iteration to iteration.
 * One of 16 steps has anything instead, and one of 64 a block or a launch. */
#define UNIT_TABLE "units/spref/spref_inject/spref_inject.ports.h"
#include "tb/stimulus.h"

enum { PLACES = 8, TOGETHER = 8 };

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    uint64_t stretch = step / 4096;
    in->has = (stretch * 7 + 3) & 15;
    in->maxreg_s = 8 + stretch % 40;
    if (tb_random_below(random, 16) == 0) {
        return;
    }
    uint64_t warp = step % TOGETHER, turn = step / TOGETHER, place = turn % PLACES;
    uint64_t round = turn / PLACES, length = 1 + (warp * 5 + round / 24) % 20;
    uint64_t iteration = round % 24, left = iteration < length ? length - 1 - iteration : 0;
    in->dec_wid = in->br_wid = in->sum_wid = (warp + stretch * TOGETHER) % WARPS;
    in->block_wid = tb_random_below(random, 2) ? in->dec_wid : in->block_wid;
    in->dec_valid = place < 5 && iteration < length;
    in->dec_start = place == 0;
    in->is_head = place == 1 || place == 3;
    in->is_tail = place == 2 || place == 4;
    in->idx = place >= 3;
    in->sum_valid = place == 5;
    in->d = (warp + round / 24) & 3;
    in->br_valid = (place == 6 || (place == 5 && warp & 1)) && iteration < length;
    in->br_taken = left > 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t count = left + 1 > lane % 3 ? left + 1 - lane % 3 : 0;
        in->p[lane] = count > 15 ? 15 : count;
    }
}

enum bin {
    FIRST_MOVE,
    MOVE_WITHOUT_PREFETCH,
    PREFETCH_ALONE,
    HEAD_PREFETCH,
    TAIL_PREFETCH,
    SECOND_PAIR,
    PARTLY,
    DISTANCE_3,
    NO_DISTANCE,
    SUM_WITH_BRANCH,
    BLOCKED_IN_RUN,
    REENTERED,
    TO_CACHE,
    LOOP_GONE
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    uint64_t warp = in->dec_wid < WARPS ? in->dec_wid : 0;
    bool injects = out->out_valid[1], moves = out->pop_mov;
    hits[FIRST_MOVE] += moves && injects;
    hits[MOVE_WITHOUT_PREFETCH] += moves && !injects;
    hits[PREFETCH_ALONE] += injects && !moves;
    hits[HEAD_PREFETCH] += injects && out->out_addr_mode == out_addr_mode_STRIDE;
    hits[TAIL_PREFETCH] += injects && out->out_addr_mode == out_addr_mode_FORM;
    hits[SECOND_PAIR] += injects && out->list_sel >= 2 && out->nloads == (CACHE_ONLY ? 2 : 4);
    hits[PARTLY] += injects && out->out_mask[1] != in->dec_mask;
    hits[DISTANCE_3] += injects && out->out_dist == 3;
    hits[NO_DISTANCE] += out->blocked && in->br_valid && !in->block_valid;
    hits[SUM_WITH_BRANCH] += in->sum_valid && in->br_valid && in->br_wid == in->sum_wid &&
                             in->br_taken && s->st[in->br_wid % WARPS] == st_COUNT && in->d;
    hits[BLOCKED_IN_RUN] += out->blocked && in->block_valid && in->block_wid < WARPS &&
                            s->st[in->block_wid] == st_RUN;
    hits[REENTERED] += out->enters && s->st[warp] == st_RUN;
    hits[TO_CACHE] += out->out_op[1] == out_op_PREF;
    hits[LOOP_GONE] += in->clear && s->st[warp] == st_RUN;
}

STIMULUS(20000, drive, observe, BIN("a move, and the next prefetch behind it"), BIN("a move alone"),
         BIN("a prefetch alone"), BIN("a head is prefetched"), BIN("a tail is prefetched"),
         BIN("prefetches of a second pair"), BIN("some lanes have no such iteration"),
         BIN("three iterations ahead"), BIN("no distance: blocked"),
         BIN("the sum comes with the branch"), BIN("a running warp is blocked"),
         BIN("the loop is entered anew while running"),
         BIN_IF(CACHE_ONLY, "a prefetch to the cache alone"), BIN("the loop goes while warps run"))
