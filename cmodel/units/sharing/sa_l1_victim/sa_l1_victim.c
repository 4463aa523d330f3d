/* sa_l1_victim - the way of an L1D set that a fill takes under sharing-aware management (tabbakh2018
 * 3.2.2 to 3.2.5).  Knows one set: line states, PF, DBF and LRU ranks. */
#define UNIT_TABLE "units/sharing/sa_l1_victim/sa_l1_victim.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/sharing/lru_among.h"

/* The way of a block in a set without an invalid one; *dead: the way declared dead. */
static unsigned full_victim(const struct in *in, uint64_t replaceable, uint64_t *dead)
{
    unsigned lru = lru_among(in->lru_rank, replaceable, WAYS);
    unsigned lru_shared = lru_among(in->lru_rank, replaceable & ~in->cls, WAYS);
    if (in->in_shared && (!DEAD_TO_SHARED || SHARED_ALWAYS_BYPASS)) {
        return lru_shared;
    }
    if (lru == WAYS || !(in->cls >> lru & 1) || (in->dbf >> lru & 1)) {
        return lru;
    }
    *dead = UINT64_C(1) << lru;
    return lru_shared < WAYS || in->in_shared ? lru_shared : lru;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    uint64_t empty = unit_bits(~in->valid & ~in->reserved, WAYS), dead = 0;
    uint64_t replaceable = in->valid & ~in->reserved & ~in->held;
    unsigned way = empty ? (unsigned)__builtin_ctzll(empty) : full_victim(in, replaceable, &dead);
    out->victim_ok = way < WAYS && !(in->in_shared && SHARED_ALWAYS_BYPASS);
    out->victim = way < WAYS ? way : 0;
    out->bypass = in->in_shared && !out->victim_ok;
    out->dbf_set = dead;
}

static bool ranks_are_an_order(const struct state *s, const struct in *in)
{
    (void)s;
    return lru_is_order(in->lru_rank, WAYS);
}
MODEL_ACCEPTS(ranks_are_an_order)

MODEL_COMBINATIONAL
