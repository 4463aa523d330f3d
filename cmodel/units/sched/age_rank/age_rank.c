/* age_rank - age ranks of warp slots (wang2015 3.2, D-COM-1). */
#define UNIT_TABLE "units/sched/age_rank/age_rank.ports.h"
#include "units/model.h"
#include "units/sched/ranks.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    bool exits = in->exit_v && ranks_resident(s->resident, N, in->exit_id);
    bool free = !ranks_resident(s->resident, N, in->launch_id) ||
                (exits && in->exit_id == in->launch_id);
    bool launches = in->launch_v && in->launch_id < N && free;
    for (unsigned i = 0; i < N; i++) {
        out->gprio[i] = s->rank[i];
    }
    out->resident = s->resident;
    out->refused = (in->exit_v && !exits) || (in->launch_v && !launches);
}

static void seq(struct state *s, const struct in *in)
{
    uint64_t resident = s->resident;
    if (in->exit_v) {
        ranks_exit(&resident, s->rank, N, in->exit_id);
    }
    if (in->launch_v) {
        ranks_launch(&resident, s->rank, N, in->launch_id);
    }
    s->resident = (__typeof__(s->resident))resident;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

MODEL_SEQUENTIAL
