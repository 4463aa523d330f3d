/* age_rank - age ranks of warp slots (wang2015 3.2, D-COM-1). */
#define UNIT_TABLE "units/sched/age_rank/age_rank.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/sched/ranks.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    bool exits = in->warp_exit_valid && ranks_resident(s, in->warp_exit_wid);
    bool free = !ranks_resident(s, in->warp_launch_wid) ||
                (exits && in->warp_exit_wid == in->warp_launch_wid);
    bool launches = in->warp_launch_valid && in->warp_launch_wid < WARPS && free;
    for (unsigned i = 0; i < WARPS; i++) {
        out->gprio[i] = s->rank[i];
    }
    out->resident = s->resident;
    out->refused = (in->warp_exit_valid && !exits) || (in->warp_launch_valid && !launches);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->warp_exit_valid) {
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

MODEL_INVARIANT(ranks_in_order)

MODEL_SEQUENTIAL
