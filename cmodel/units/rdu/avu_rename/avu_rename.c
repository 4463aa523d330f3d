/* avu_rename - which physical register holds the speculative result of which architectural
 * one (tabbakh2018 3.7.6, K17).  Register values are the SM's. */
#define UNIT_TABLE "units/rdu/avu_rename/avu_rename.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { NO_ENTRY = -1 };

static int entry_of(uint64_t warp, uint64_t areg)
{
    return warp < WARPS && areg < REGS ? (int)(warp * REGS + areg) : NO_ENTRY;
}

/* The entry of a register if it is renamed, else NO_ENTRY. */
static int renamed(const struct state *s, uint64_t warp, uint64_t areg)
{
    const int entry = entry_of(warp, areg);
    return entry != NO_ENTRY && s->valid[entry] ? entry : NO_ENTRY;
}

/* The lowest free physical register, or PHYS. */
static unsigned lowest_free(const struct state *s)
{
    for (unsigned word = 0; word < PHYS / FREE_W; word++) {
        if (s->free[word] != 0) {
            return word * FREE_W + (unsigned)__builtin_ctzll(s->free[word]);
        }
    }
    return PHYS;
}

static void set_free(struct state *s, unsigned phys, bool free)
{
    const uint64_t bit = UINT64_C(1) << phys % FREE_W;
    const uint64_t word = s->free[phys / FREE_W];
    s->free[phys / FREE_W] = (__typeof__(*s->free))(free ? word | bit : word & ~bit);
}

static bool walks(const struct in *in)
{
    return in->op == op_COMMIT || in->op == op_SQUASH;
}

/* The entry that leaves in this step, or NO_ENTRY; `more`: others of the warp are left. */
static int leaving(const struct state *s, const struct in *in, bool *more)
{
    int entry = NO_ENTRY;
    *more = false;
    if (in->op == op_RETIRE) {
        return renamed(s, in->warp, in->areg);
    }
    for (unsigned areg = REGS; areg-- > 0 && walks(in);) {
        const int found = renamed(s, in->warp, areg);
        if (found != NO_ENTRY) {
            *more = entry != NO_ENTRY;
            entry = found;
        }
    }
    return entry;
}

/* Where the result of a RENAME goes, or PHYS when it cannot. */
static unsigned destination(const struct state *s, const struct in *in)
{
    if (in->op != op_RENAME || entry_of(in->warp, in->areg) == NO_ENTRY) {
        return PHYS;
    }
    const int entry = renamed(s, in->warp, in->areg);
    return entry != NO_ENTRY ? s->phys[entry] : lowest_free(s);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, sizeof *out);
    const int looked_up = renamed(s, in->lk_warp, in->lk_reg);
    if (looked_up != NO_ENTRY) {
        out->lk_hit = 1;
        out->lk_phys = s->phys[looked_up];
        out->lk_temp = s->temporary[looked_up];
    }
    const unsigned phys = destination(s, in);
    const bool exists = entry_of(in->warp, in->areg) != NO_ENTRY;
    out->none_free = lowest_free(s) == PHYS;
    out->new_valid = phys < PHYS;
    out->new_phys = phys < PHYS ? phys : 0;
    out->stall = in->op == op_RENAME && exists && phys == PHYS;

    bool more;
    const int entry = leaving(s, in, &more);
    if (entry != NO_ENTRY) {
        out->move_valid = 1;
        out->move_reg = (unsigned)entry % REGS;
        out->move_phys = s->phys[entry];
        out->move_copy = in->op != op_SQUASH || s->temporary[entry];
    }
    out->ready = !more && !out->stall;
}

static void start(struct state *s, uint64_t used)
{
    memset(s->valid, 0, sizeof s->valid);
    for (unsigned phys = 0; phys < PHYS; phys++) {
        set_free(s, phys, phys >= used);
    }
}

static void rename_register(struct state *s, const struct in *in)
{
    const unsigned phys = destination(s, in);
    if (phys == PHYS) {
        return;
    }
    const int entry = entry_of(in->warp, in->areg);
    s->phys[entry] = (__typeof__(*s->phys))phys;
    s->valid[entry] = 1;
    s->temporary[entry] = (uint8_t)in->temp;
    set_free(s, phys, false);
}

static void reset(struct state *s)
{
    start(s, 0);
}

static void seq(struct state *s, const struct in *in)
{
    bool more;
    const int entry = leaving(s, in, &more);
    if (in->op == op_KERNEL_START) {
        start(s, in->used);
    } else if (in->op == op_RENAME) {
        rename_register(s, in);
    } else if (entry != NO_ENTRY) {
        s->valid[entry] = 0;
        set_free(s, s->phys[entry], true);
    }
}

static bool is_free(const struct state *s, unsigned phys)
{
    return s->free[phys / FREE_W] >> phys % FREE_W & 1;
}

/* A physical register is free or holds the result of one architectural register at most. */
static bool owners_differ(const struct state *s)
{
    bool differ = true, owned[1 << PHYS_W] = {false};
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (s->valid[i]) {
            differ &= !is_free(s, s->phys[i]) && !owned[s->phys[i]];
            owned[s->phys[i]] = true;
        }
    }
    return differ;
}
MODEL_INVARIANT(owners_differ)

MODEL_SEQUENTIAL
