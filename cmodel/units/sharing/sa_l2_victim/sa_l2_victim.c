/* sa_l2_victim - the way of an L2 set that a missing block takes under sharing-aware replacement
 * (tabbakh2018 3.2.3, 3.2.4).  Knows one set: line states, SF and LRU ranks. */
#define UNIT_TABLE "units/sharing/sa_l2_victim/sa_l2_victim.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/sharing/lru_among.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    uint64_t empty = unit_bits(~in->valid & ~in->reserved, WAYS);
    uint64_t replaceable = in->valid & ~in->reserved & ~in->held;
    uint64_t unshared = replaceable & ~in->cls;
    unsigned oldest = lru_among(in->lru_rank, unshared ? unshared : replaceable, WAYS);
    out->victim_ok = empty || replaceable;
    out->victim = empty ? (unsigned)__builtin_ctzll(empty) : oldest == WAYS ? 0 : oldest;
    out->takes_shared = !empty && replaceable && !unshared;
}

static bool ranks_are_an_order(const struct state *s, const struct in *in)
{
    (void)s;
    return lru_is_order(in->lru_rank, WAYS);
}
MODEL_ACCEPTS(ranks_are_an_order)

MODEL_COMBINATIONAL
