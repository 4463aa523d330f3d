/* Stimulus of nap.  Misses and lines that leave are of few rows by stretches, so that their counters
 * wander over the threshold and stay at both ends: in a stretch lines are read wholly, only in their
 * first sector, or at random.  Every row is drawn, and every first sector. */
#define UNIT_TABLE "units/graph/nap/nap.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct out *last = (const struct out *)last_out;
    const uint64_t stretch = step / 128, kind = stretch % 5;
    (void)last_in;
    if (tb_random_below(random, 4)) { /* a row of the stretch */
        in->evict_idx = (stretch * 3 + tb_random_below(random, 2)) % ENTRIES;
        in->miss_pc = in->evict_idx << 2 | tb_random_below(random, 4);
    }
    if (last->done && tb_random_below(random, 2)) { /* the line of the last miss */
        in->evict_idx = last->idx;
        in->evict_f = last->f;
    }
    in->miss_need |= UINT64_C(1) << in->miss_f;
    in->evict_used |= (uint64_t)(tb_random_below(random, 8) != 0) << in->evict_f;
    if (tb_random_below(random, 8)) {
        in->evict_used = kind < 2 ? 15 : kind < 4 ? UINT64_C(1) << in->evict_f : in->evict_used;
    }
    if (stretch % 2) {
        in->miss_need = UINT64_C(1) << in->miss_f;
    }
}

enum bin {
    AT_GREATEST,
    AT_ZERO,
    OWN_EVICT,
    PREDICTED_ALL,
    PREDICTED_NONE,
    AT_THRESHOLD,
    UNREAD_FIRST
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const uint64_t row = s->row[in->evict_idx], greatest = (UINT64_C(1) << CTR_W) - 1;
    const unsigned next = in->evict_f == 3 ? 2 : 3; /* a neighbour inside the line */
    const uint64_t ctr = row >> next * CTR_W & greatest;
    const bool was_read = in->evict_used >> (in->evict_f == 3 ? 2 : in->evict_f + 1) & 1;
    const uint64_t idx = (in->miss_pc >> 2 ^ in->miss_pc >> (2 + IDX_W)) & (ENTRIES - 1);
    hits[AT_GREATEST] += in->evict_valid && was_read && ctr == greatest;
    hits[AT_ZERO] += in->evict_valid && !was_read && ctr == 0;
    hits[OWN_EVICT] += in->evict_valid && in->miss_valid && in->evict_idx == idx;
    hits[PREDICTED_ALL] += s->done && out->mask == 15 && s->need[0] == 1u << s->f[0];
    hits[PREDICTED_NONE] += s->done && out->mask == s->need[0] && s->need[0] != 15;
    hits[AT_THRESHOLD] += in->evict_valid && was_read && ctr == THRESHOLD;
    hits[UNREAD_FIRST] += in->evict_valid && !(in->evict_used >> in->evict_f & 1);
}

STIMULUS(20000, drive, observe, BIN("a counter is at its greatest"), BIN("a counter is at 0"),
         BIN("a miss of the row of its cycle's evict"),
         BIN_IF(THRESHOLD < (1 << CTR_W) - 1, "the whole line is predicted"),
         BIN("nothing is predicted"), BIN("a counter leaves the threshold"),
         BIN("the first sector itself was not read"))
