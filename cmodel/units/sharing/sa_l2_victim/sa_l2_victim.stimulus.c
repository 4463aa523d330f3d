/* Stimulus of sa_l2_victim.  Orders and line states are sampled (set_lines.stimulus.h); a quarter
 * of the sets is all shared, so that shared lines go as often as others. */
#define UNIT_TABLE "units/sharing/sa_l2_victim/sa_l2_victim.ports.h"
#include "tb/stimulus.h"

#include "units/sharing/set_lines.stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    drive_set_lines(random, in);
    if (tb_random_below(random, 4) == 0) {
        in->cls |= in->valid;
    }
}

enum bin { INVALID_FIRST, OLDEST_GOES, PAST_SHARED, ALL_SHARED, NO_VICTIM, PAST_HELD };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    uint64_t all = (1u << WAYS) - 1, empty = ~in->valid & ~in->reserved & all;
    bool chosen = !empty && out->victim_ok;
    hits[INVALID_FIRST] += empty != 0;
    hits[OLDEST_GOES] += chosen && in->lru_rank[out->victim] == 0;
    hits[PAST_SHARED] += chosen && in->lru_rank[out->victim] != 0 && !in->reserved && !in->held;
    hits[ALL_SHARED] += out->takes_shared;
    hits[NO_VICTIM] += !out->victim_ok;
    hits[PAST_HELD] += chosen && in->held && in->cls == 0;
}

STIMULUS(0, drive, observe, BIN("an invalid way"), BIN("the LRU way goes"),
         BIN("shared lines are passed over"), BIN("only shared lines may go"), BIN("no victim"),
         BIN("held lines are passed over"))
