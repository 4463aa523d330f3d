/* Stimulus of spref_itercnt.  Index and end of a lane lie a few steps apart in seven of eight lanes,
 * over zero and over the ends of the range, so that every count of 0 to 15 comes with every step and
 * both directions; in the others they are anything.  One of four warps' counts is read while it is
 * written.  Masks are any, of one lane, or none. */
#define UNIT_TABLE "units/spref/spref_itercnt/spref_itercnt.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct out *last = (const struct out *)last_out;
    (void)last_in, (void)step;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (tb_random_below(random, 8)) {
            uint64_t far = tb_random_below(random, 20) << in->step_log2;
            far += tb_random_below(random, 4) - 2;
            in->idx[lane] = tb_random_below(random, 2) ? in->idx[lane]
                                                       : tb_random_below(random, 40);
            in->last[lane] = (in->idx[lane] + (in->down ? 0 - far : far)) & UINT32_MAX;
        }
    }
    switch (tb_random_below(random, 8)) {
    case 0: in->mask = UINT64_C(1) << tb_random_below(random, 32); break;
    case 1: in->mask = 0; break;
    case 2: in->mask = UINT32_MAX; break;
    default: break;
    }
    if (tb_random_below(random, 4) == 0) {
        in->read_wid = last->sum_wid;
    }
}

enum bin {
    NO_LANE,
    ALL_MOST,
    READ_AS_WRITTEN,
    OVER_THE_END,
    LAST_ONE,
    ROUNDED,
    BACK_TO_BACK,
    NO_WARP
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    hits[NO_LANE] += out->sum_valid && out->n == 0;
    hits[ALL_MOST] += out->sum_valid && out->n > 0 && out->sum == out->n * 15;
    hits[READ_AS_WRITTEN] += out->sum_valid && in->read_wid == out->sum_wid;
    for (unsigned lane = 0; lane < LANES && in->setp_valid; lane++) {
        int64_t way = (int64_t)(int32_t)in->last[lane] - (int32_t)in->idx[lane];
        way = in->down ? -way : way;
        hits[OVER_THE_END] += way > INT32_MAX;
        hits[LAST_ONE] += way == 0 && in->plus_one;
        hits[ROUNDED] += way > 0 && way < 1 << in->step_log2;
    }
    hits[BACK_TO_BACK] += out->sum_valid && in->setp_valid && in->wid == s->stage_wid;
    hits[NO_WARP] += in->setp_valid && in->wid >= WARPS;
}

STIMULUS(8000, drive, observe, BIN("a setp of no lane"), BIN("all lanes at most"),
         BIN("counts are read as they are written"), BIN("a difference beyond 31 bits"),
         BIN("the end is the last iteration"), BIN("less than a step is left"),
         BIN("two setps of a warp in a row"), BIN_IF(WARPS < 64, "no such warp"))
