/* Stimulus of l2_policy.  All inputs but the set are few bits, drawn so that every combination comes
 * some thousand times; half of the sets are leaders, which chance alone would seldom draw. */
#define UNIT_TABLE "units/graph/l2_policy/l2_policy.ports.h"
#include "tb/stimulus.h"
#include "units/graph/flex_leader.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)step, (void)last_in, (void)last_out;
    if (tb_random_below(random, 2)) {
        const uint64_t gap = SETS / SDM_SETS;
        in->set_index = tb_random_below(random, SDM_SETS) * gap +
                        tb_random_below(random, 2) * gap / 2;
    }
}

enum bin {
    NI_LEADER,
    EX_LEADER,
    FOLLOWER,
    DIRTY_STAYS,
    CB_FINDS_LINE,
    CB_FINDS_FETCH,
    CB_OF_WRITTEN
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    (void)state;
    const bool ni = flex_leader(in->set_index, 0, LEADERS, SETS, SDM_SETS);
    const bool ex = flex_leader(in->set_index, 1, LEADERS, SETS, SDM_SETS);
    const bool read = !in->cb_hdr && in->req_type == req_type_READ;
    hits[NI_LEADER] += read && ni && in->mode_follow;
    hits[EX_LEADER] += read && ex && !in->mode_follow;
    hits[FOLLOWER] += read && !ni && !ex && in->mode_follow;
    hits[DIRTY_STAYS] += out->exclusive && in->hit && in->dirty;
    hits[CB_FINDS_LINE] += in->cb_hdr && in->hit;
    hits[CB_FINDS_FETCH] += in->cb_hdr && !in->hit && in->pending;
    hits[CB_OF_WRITTEN] += in->cb_hdr && !in->hit && !in->pending && in->written;
}

STIMULUS(0, drive, observe,
         BIN_IF(LEADERS & 1, "a non-inclusive leader while followers are exclusive"),
         BIN_IF(LEADERS & 2, "an exclusive leader while followers are not"),
         BIN("a follower is exclusive"), BIN_IF(POLICY != 0, "a dirty line is read and stays"),
         BIN("a copy-back finds its line"), BIN("a copy-back finds its fetch"),
         BIN("a copy-back of what was written"))
