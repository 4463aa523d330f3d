/* gto_sched - greedy-then-oldest warp scheduler (wang2015 3.2).
 * Other mechanisms reach it only by mask_dis. */
#define UNIT_TABLE "units/sched/gto_sched/gto_sched.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/sched/ranks.h"

static uint64_t qualified(const struct state *s, const struct in *in)
{
    uint64_t held_back = in->mask_dis | (in->mem_block ? in->is_mem : 0);
    return s->resident & in->ready & ~held_back;
}

/* The warp to issue, or WARPS. */
static unsigned choose(const struct state *s, uint64_t warps)
{
    if (s->last_valid && (warps >> s->last_wid & 1)) {
        return s->last_wid;
    }
    return age_order_first(s->order, WARPS, warps);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    unsigned warp = choose(s, qualified(s, in));
    out->grant_valid = warp < WARPS;
    out->grant_wid = warp < WARPS ? warp : 0;
    out->greedy = out->grant_valid && s->last_valid && warp == s->last_wid;
    for (unsigned i = 0; i < WARPS; i++) {
        out->rank[i] = s->rank[i];
    }
}

static void seq(struct state *s, const struct in *in)
{
    unsigned warp = choose(s, qualified(s, in));
    if (warp < WARPS) {
        s->last_valid = 1;
        s->last_wid = (uint8_t)warp;
    } else if (!KEEP_LAST) {
        s->last_valid = 0;
    }
    if (in->warp_exit_valid) {
        s->last_valid = s->last_valid && in->warp_exit_wid != s->last_wid;
        ranks_exit(s, in->warp_exit_wid);
    }
    if (in->warp_launch_valid) {
        ranks_launch(s, in->warp_launch_wid);
    }
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static bool ages_are_ranks(const struct state *s)
{
    return ranks_in_order(s) && (!s->last_valid || ranks_resident(s, s->last_wid));
}
MODEL_INVARIANT(ages_are_ranks)

MODEL_SEQUENTIAL
