/* caps_prefetch_gen - turns walks into line prefetches (caps-prefetch 3.2.4): a FIFO of
 * jobs, one walker over CTA slots and their warps, and a request queue towards L1D.
 * Reads bases from PerCTA when it gets there; knows neither why a job was started nor
 * what L1D does with a request. */
#define UNIT_TABLE "units/caps/caps_prefetch_gen/caps_prefetch_gen.ports.h"
#include "units/model.h"

#include "units/caps/caps_walk.h"

static struct walk_warps warps_of(const struct in *in)
{
    return (struct walk_warps){in->wpc, in->warp_alive, in->first_wid};
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    const bool emitting = s->phase == phase_EMIT && !in->kernel_start;
    const struct walk_warps warps = warps_of(in);
    out->g_valid = s->phase == phase_LOOKUP;
    out->g_cta = next_slot(s);
    out->g_pc = s->pc;
    out->pf_valid = s->pf_pending[s->pf_head];
    out->pf_line = s->queue_line[s->pf_head];
    out->pf_wid = s->queue_wid[s->pf_head];
    out->idle = walk_idle(s);
    out->st_job_drop = in->job_valid && !in->kernel_start && jobs_full(s);
    out->st_miss = out->g_valid && !in->kernel_start && !in->g_hit;
    out->st_skip = emitting && passed_over(s, &warps);
    out->st_stall = emitting && !out->st_skip && queue_full(s);
    out->st_emit = emitting && !out->st_skip && !queue_full(s);
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        empty(s);
        return;
    }
    const struct walk_warps warps = warps_of(in);
    struct walk_base base = {.hit = in->g_hit, .lead = in->g_lead, .last = in->g_last};
    memcpy(base.base, in->g_base, sizeof base.base);
    const struct walk_job job = {in->job_valid,  in->job_filter, in->job_pc,
                                 in->job_stride, in->job_mask,   in->job_wic};
    walk_edge(s, &warps, &base, &job, in->pf_ready);
}

MODEL_SEQUENTIAL
