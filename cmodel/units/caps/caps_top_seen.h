/* caps_top_seen.h - what caps_top knows of the load at hand, in either form (caps-prefetch 3.2.3).
 *
 * Included after units/caps/lru_rank.h and units/model.h by caps_top_once.h and caps_top_steps.h, which
 * say when a load is taken and fill it in.  It changes nothing. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_TOP_SEEN_H
#define WARPLOCK_UNITS_CAPS_CAPS_TOP_SEEN_H

#include "units/caps/caps_bases.h"
#include "units/caps/caps_walk.h"

/* What the tables say of the load at hand. */
struct seen {
    struct bases_answer base; /* of PerCTA */
    bool known;               /* DIST has a stride for it ... */
    unsigned way;             /* ... here; without one, this entry would give way */
    bool near, uniform;       /* its warp may teach; as if it did: its requests agree ... */
    uint32_t stride;          /* ... on this */
    bool right;               /* as if it was verified */
    uint32_t addr[LANES];
};

static uint64_t tag_of(const struct in *in)
{
    return in->ld_pc / PC_ALIGN;
}

static bool flushing(const struct in *in)
{
    return in->kernel_start || in->cta_flush_valid;
}

static struct bases bases_of(const struct state *s)
{
    return (struct bases){
        s->percta_valid, s->percta_age,
        s->percta_lead,  s->percta_last,
        s->percta_pc,    {s->percta_base0, s->percta_base1, s->percta_base2, s->percta_base3}};
}

/* Requests that both warps have; at least one. */
static unsigned common_requests(const struct in *in, const struct bases_answer *base)
{
    return (unsigned)(in->ld_n < base->last + 1 ? in->ld_n : base->last + 1);
}

/* The entry of DIST that holds the PC, and true; else the one that would give way. */
static bool dist_lookup(const struct state *s, uint64_t tag, unsigned *way)
{
    for (*way = 0; *way < DIST_ENTRIES; ++*way) {
        if (s->dist_valid[*way] && s->dist_pc[*way] == tag) {
            return true;
        }
    }
    *way = lru_rank_victim(s->dist_age, s->dist_valid, DIST_ENTRIES);
    return false;
}

static void addresses(const struct in *in, uint32_t *addr)
{
    for (unsigned i = 0; i < LANES; i++) {
        addr[i] = (uint32_t)in->ld_addr[i] & (ADDR_LINE ? ~UINT32_C(127) : UINT32_MAX);
    }
}

#endif
