/* Stimulus of dac_part.  Counter and partition move slowly, so each run between resets
 * has a mood for some hundred steps: mostly fully cached loads (the partition reaches
 * its maximum and the counter its ceiling), mostly misses of old warps (down to the
 * minimum and 0), or mixed. */
#define UNIT_TABLE "units/dacache/dac_part/dac_part.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)last_in;
    struct in *in = (struct in *)in_slots;
    const struct out *last = (const struct out *)last_out;
    uint64_t mood = step / 8192 % 4;
    if (mood < 3) {
        in->retire_valid = 1;
        in->nreq = COH_MAX + tb_random_below(random, 8);
    }
    if (mood == 0) {
        in->miss_seen = tb_random_below(random, 200) == 0;
        in->kernel_start = 0;
    } else if (mood == 1) {
        in->miss_seen = tb_random_below(random, 20) != 0;
        in->gprio = tb_random_below(random, 4) ? in->gprio : last->fcw;
    } else if (mood == 2) {
        in->miss_seen = tb_random_below(random, 3) == 0;
        in->gprio = W_MAX;
    }
}

enum bin {
    AT_CEILING,
    AT_FLOOR,
    VOTE_OVER_COUNT,
    VOTE_EQUALS_COUNT,
    RANK_AT_PARTITION,
    COHERENT,
    KSTART_AND_RETIRE
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    bool trains = in->retire_valid && in->nreq > COH_MAX;
    uint64_t vote = in->gprio < s->fcw ? s->fcw - in->gprio : 1;
    hits[AT_CEILING] += trains && !in->miss_seen && s->fcw == W_MAX && !out->grow &&
                        s->cnt + 1u >= 1u << CNT_W;
    hits[AT_FLOOR] += trains && in->miss_seen && s->fcw == W_MIN && s->cnt == 0;
    hits[VOTE_OVER_COUNT] += trains && in->miss_seen && vote > s->cnt && s->cnt > 0;
    hits[VOTE_EQUALS_COUNT] += trains && in->miss_seen && vote == s->cnt;
    hits[RANK_AT_PARTITION] += trains && in->miss_seen && in->gprio == s->fcw;
    hits[COHERENT] += in->retire_valid && !trains;
    hits[KSTART_AND_RETIRE] += in->kernel_start && trains;
}

STIMULUS(65536, drive, observe, BIN("counter at its ceiling"),
         BIN("counter and partition at their floor"), BIN("vote beyond the count"),
         BIN("vote equal to the count"), BIN("rank equal to the partition"), BIN("coherent load"),
         BIN("kernel start with a retirement"))
