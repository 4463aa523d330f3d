/* Stimulus of sa_l1_victim.  Orders and line states are sampled (set_lines.stimulus.h); a quarter
 * of the sets is all private, so that second chances without a shared line come often. */
#define UNIT_TABLE "units/sharing/sa_l1_victim/sa_l1_victim.ports.h"
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

enum bin {
    INVALID_FIRST,
    SHARED_LRU,
    DEAD_LRU,
    SECOND_CHANCE,
    DEAD_AT_ONCE,
    SHARED_OVER_SHARED,
    SHARED_PASSES,
    SHARED_DECLARES,
    SHARED_OVER_DEAD,
    NO_VICTIM
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    uint64_t all = (1u << WAYS) - 1, empty = ~in->valid & ~in->reserved & all;
    bool chosen = !empty && out->victim_ok, whole = in->valid == all && !in->held;
    bool lru = chosen && whole && in->lru_rank[out->victim] == 0;
    bool is_private = in->cls >> out->victim & 1, declared = out->dbf_set != 0;
    hits[INVALID_FIRST] += empty != 0;
    hits[SHARED_LRU] += lru && !in->in_shared && !is_private;
    hits[DEAD_LRU] += lru && !in->in_shared && is_private && !declared;
    hits[SECOND_CHANCE] += declared && !is_private && !in->in_shared;
    hits[DEAD_AT_ONCE] += declared && is_private && !in->in_shared;
    hits[SHARED_OVER_SHARED] += chosen && in->in_shared && !lru;
    hits[SHARED_PASSES] += out->bypass && in->valid == all;
    hits[SHARED_DECLARES] += in->in_shared && declared;
    hits[SHARED_OVER_DEAD] += chosen && in->in_shared && is_private;
    hits[NO_VICTIM] += !out->victim_ok && !in->in_shared;
}

STIMULUS(0, drive, observe, BIN("an invalid way"), BIN("private over shared LRU"),
         BIN("the LRU line is dead"), BIN("a dead line gets one more chance"),
         BIN("declared dead and replaced, no line is shared"),
         BIN_IF(!SHARED_ALWAYS_BYPASS, "shared over shared, past the LRU line"),
         BIN("a shared block takes no way"),
         BIN_IF(DEAD_TO_SHARED && !SHARED_ALWAYS_BYPASS, "a shared block declares a line dead"),
         BIN_IF(DEAD_TO_SHARED && !SHARED_ALWAYS_BYPASS, "a shared block over a dead line"),
         BIN("no victim for a private block"))
