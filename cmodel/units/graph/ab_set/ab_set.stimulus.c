/* Stimulus of ab_set.  Most of a stretch happens in one of four sets, another one each, so that episodes
 * begin and end there; an access is of the tag or the way that the set tracks, or differs in a bit.
 * Stretches favour one of the two, so that exponents reach both ends; tags are few. */
#define UNIT_TABLE "units/graph/ab_set/ab_set.ports.h"
#include "tb/stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *was = (const struct in *)last_in;
    const struct out *last = (const struct out *)last_out;
    const uint64_t stretch = step / 512;
    if (was->op_valid && !last->op_ready) {
        return; /* held */
    }
    if (tb_random_below(random, 32)) {
        in->set_index = (stretch * 3 + tb_random_below(random, 2)) % SETS;
    }
    if (was->op_valid && was->op == op_MISS && tb_random_below(random, 4)) { /* about its lines */
        in->set_index = was->set_index;
        in->op = tb_random_below(random, 8) ? op_ACCESS : in->op;
        in->way = was->way;
        in->tag = tb_random_below(random, 2) ? was->tag : was->vict_tag;
        in->hit = stretch / 4 % 3 == 0 ? 1 : stretch / 4 % 3 == 1 ? 0 : in->hit;
    } else if (tb_random_below(random, 2)) {
        in->op = op_MISS;
    }
    in->op %= 3;
    in->set_index %= SETS;
    in->way %= WAYS;
    if (tb_random_below(random, 24) == 0) {
        in->tag = was->tag ^ UINT64_C(1) << tb_random_below(random, TAG_W);
    }
}

enum bin {
    REAL,
    VIRTUAL_,
    REAL_EFFECTIVE,
    REAL_INEFFECTIVE,
    VIRTUAL_EFFECTIVE,
    VIRTUAL_INEFFECTIVE,
    LEAST,
    MOST,
    REPLACED,
    DROPPED,
    FLUSHED,
    BYPASS_IN_EPISODE
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const bool own_way = s->busy && s->its_track && s->new_way == s->its_way;
    hits[REAL] += out->tracks && out->byp;
    hits[VIRTUAL_] += out->tracks && !out->byp;
    hits[REAL_EFFECTIVE] += out->effective && !s->its_virt;
    hits[REAL_INEFFECTIVE] += out->ineffective && !s->its_virt;
    hits[VIRTUAL_EFFECTIVE] += out->effective && s->its_virt;
    hits[VIRTUAL_INEFFECTIVE] += out->ineffective && s->its_virt;
    hits[LEAST] += out->effective && s->its_exp == E_MIN;
    hits[MOST] += out->ineffective && s->its_exp == E_MAX;
    hits[REPLACED] += own_way && s->its_op == op_MISS && !out->byp;
    hits[DROPPED] += own_way && s->its_op == op_DROP;
    hits[FLUSHED] += in->flush && out->tracks;
    hits[BYPASS_IN_EPISODE] += out->byp && s->its_track;
}

STIMULUS(30000, drive, observe, BIN_IF(BYPASS, "a bypassed line is tracked"),
         BIN_IF(VIRTUAL, "an inserted line is tracked"),
         BIN_IF(BYPASS, "the victim of a bypassed line is hit"),
         BIN_IF(BYPASS, "a bypassed line is wanted"),
         BIN_IF(VIRTUAL, "the victim of an inserted line is wanted"),
         BIN_IF(VIRTUAL, "an inserted line is hit"),
         BIN_IF(BYPASS || VIRTUAL, "the greatest probability is right"),
         BIN_IF(BYPASS || VIRTUAL, "the least probability is wrong"),
         BIN_IF(BYPASS || VIRTUAL, "a tracked line is replaced"),
         BIN_IF(BYPASS || VIRTUAL, "a tracked line is dropped"),
         BIN_IF(BYPASS || VIRTUAL, "the cache is emptied as an episode begins"),
         BIN_IF(BYPASS, "a bypass in an episode"))
