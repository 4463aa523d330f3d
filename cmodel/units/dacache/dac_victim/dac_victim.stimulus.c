/* Stimulus of dac_victim.  The space of permutations and line states is sampled: the
 * stack is a random permutation, and the line states are drawn so that sets without an
 * INVALID line, sets with RESERVED lines only near the LRU end, and sets without any
 * victim are as frequent as the rest. */
#define UNIT_TABLE "units/dacache/dac_victim/dac_victim.ports.h"
#include "tb/stimulus.h"

static void shuffle(struct tb_random *random, uint64_t *ways)
{
    for (unsigned i = 0; i < WAYS; i++) {
        unsigned j = (unsigned)tb_random_below(random, i + 1);
        ways[i] = ways[j];
        ways[j] = i;
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)step, (void)last_in, (void)last_out;
    struct in *in = (struct in *)in_slots;
    const uint64_t all = (1u << WAYS) - 1;
    shuffle(random, in->lru_stack);
    in->p_eff = (tb_random_below(random, WAYS + 1) - 1) & ((1u << (WAY_W + 1)) - 1);
    if (tb_random_below(random, 2)) {
        uint64_t held = tb_random_below(random, WAYS + 1);
        in->reserved = 0;
        for (uint64_t i = WAYS - held; i < WAYS; i++) {
            in->reserved |= UINT64_C(1) << in->lru_stack[i];
        }
    }
    if (tb_random_below(random, 2)) {
        in->valid = all;
    }
    in->valid &= ~in->reserved & all;
}

enum bin {
    INVALID,
    INVALID_IN_LOCALITY,
    LRU_LINE,
    PAST_RESERVED,
    NO_VICTIM,
    ALL_RESERVED,
    UNCON_IN_LOCALITY,
    NO_REGION
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    (void)state;
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const uint64_t all = (1u << WAYS) - 1;
    bool negative = in->p_eff >> WAY_W, empty = ((in->valid | in->reserved) & all) != all;
    bool in_locality = out->found && !negative && out->vpos <= in->p_eff;
    hits[INVALID] += empty;
    hits[INVALID_IN_LOCALITY] += empty && in_locality;
    hits[LRU_LINE] += !empty && out->found && out->vpos == WAYS - 1;
    hits[PAST_RESERVED] += !empty && out->found && out->vpos < WAYS - 1;
    hits[NO_VICTIM] += !out->found && in->reserved != all;
    hits[ALL_RESERVED] += in->reserved == all && in->uncon;
    hits[UNCON_IN_LOCALITY] += !empty && in->uncon && in_locality;
    hits[NO_REGION] += negative;
}

STIMULUS(0, drive, observe, BIN("set with an INVALID line"),
         BIN("INVALID line in the locality region"), BIN("victim at LRU"),
         BIN("victim past RESERVED lines"), BIN("no victim, lines replaceable elsewhere"),
         BIN("all lines RESERVED, unconstrained"),
         BIN("unconstrained victim in the locality region"), BIN("no locality region"))
