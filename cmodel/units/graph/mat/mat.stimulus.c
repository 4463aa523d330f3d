/* Stimulus of mat.  A few macroblocks, of three tags for each index, which seldom replace each other,
 * and others every 24 stretches; one is accessed in seven eighths of a stretch, another one each and as
 * often as the stretch says, so that counts differ and reach their greatest.  Queries compare the
 * favourites of the stretches before; in every fourth stretch they are most of what happens, and age
 * victims until counts meet.  One address in 64 has a bit flipped, and one is of any macroblock. */
#define UNIT_TABLE "units/graph/mat/mat.ports.h"
#include "tb/stimulus.h"

/* A byte of one of a few macroblocks. */
static uint64_t some(struct tb_random *random, uint64_t stretch)
{
    static const uint64_t tags[] = {0, 1, UINT64_MAX};
    const bool favourite = tb_random_below(random, 8) != 0,
               known = tb_random_below(random, 512) != 0;
    const uint64_t pick = favourite ? stretch : tb_random_below(random, 4);
    const uint64_t index = (pick % 4 * (ENTRIES / 4 + 1) + stretch / 24) % ENTRIES;
    const uint64_t name = tags[known ? stretch / 16 % 3 : tb_random_below(random, 3)] << IDX_W |
                          index;
    uint64_t addr = name << BLOCK_LOG2 | tb_random_below(random, UINT64_C(1) << BLOCK_LOG2);
    switch (tb_random_below(random, 64)) {
    case 0: addr ^= UINT64_C(1) << tb_random_below(random, ADDR_W); break;
    case 1: addr = tb_random_next(random); break;
    default: break;
    }
    return addr & (UINT64_MAX >> (64 - ADDR_W));
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const uint64_t stretch = step / 512 + 3;
    const struct in *was = (const struct in *)last_in;
    const struct out *last = (const struct out *)last_out;
    const bool queries = stretch % 4 == 3;
    if (!was->acc_valid || last->acc_ready) { /* else it is held */
        in->acc_addr = some(random, stretch);
        in->acc_valid = queries ? tb_random_below(random, 128) == 0
                                : tb_random_below(random, 8) < stretch * 5 % 9;
    }
    if (!was->q_valid || last->q_ready) {
        in->q_miss_addr = some(random, stretch - 1);
        in->q_vict_addr = some(random, stretch - 2);
        in->q_valid = tb_random_below(random, 24) < (queries ? 12 : 1);
    }
}

enum bin { BOTH, REPLACED, FULL, NEAR, EQUAL_COUNTS, OTHER_TAG, AGED_TO_0 };

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    hits[BOTH] += in->acc_valid && in->q_valid && out->acc_ready;
    hits[REPLACED] += out->replaced;
    hits[FULL] += s->phase == phase_COUNT && s->read_ctr == (1u << CTR_W) - 1 &&
                  s->read_tag == s->name >> IDX_W;
    hits[NEAR] += out->q_done && !out->byp && s->miss_prod / 100 < s->read_ctr && s->vict_prod > 0;
    hits[EQUAL_COUNTS] += out->q_done && s->miss_prod > 0 && s->miss_prod / 100 == s->read_ctr;
    hits[OTHER_TAG] += s->phase == phase_MATCH && s->read_ctr > 0 &&
                       s->read_tag != s->name >> IDX_W;
    hits[AGED_TO_0] += out->aged && s->read_ctr == 1;
}

STIMULUS(40000, drive, observe, BIN("an access and a query at once"),
         BIN("a macroblock takes another's entry"), BIN("a count at its greatest is counted"),
         BIN_IF(CTR_W >= 7 && F_PERCENT > 0, "fewer accesses than the victim, but not by enough"),
         BIN("as many accesses as the victim"), BIN("the victim's entry is another's"),
         BIN_IF(AGE &&F_PERCENT > 0, "a victim's last count goes"))
