/* caps_prefetch_gen - turns walks into line prefetches (caps-prefetch 3.2.4): a FIFO of
 * jobs, one walker over CTA slots and their warps, and a request queue towards L1D.
 * Reads bases from PerCTA when it gets there; knows neither why a job was started nor
 * what L1D does with a request. */
#define UNIT_TABLE "units/caps/caps_prefetch_gen/caps_prefetch_gen.ports.h"
#include "units/model.h"

#if UNIT_SET_ONE_CYCLE
#include "units/caps/caps_walk_once.h"
#else
#include "units/caps/caps_walk_steps.h"
#endif

static struct walk_warps warps_of(const struct in *in)
{
    return (struct walk_warps){in->wpc, in->warp_alive, in->first_wid};
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, offsetof(struct out, unit_end));
    const bool emitting = s->phase == phase_EMIT && !in->kernel_start;
    const struct walk_warps warps = warps_of(in);
    out->read_valid = s->phase == phase_LOOKUP;
    out->read_cta = walk_reads(s);
    out->read_pc = s->pc;
    out->pf_valid = s->pf_pending[s->pf_head];
    out->pf_line = s->queue_line[s->pf_head];
    out->pf_wid = s->queue_wid[s->pf_head];
    out->rests = walk_rests(s);
    out->idle = walk_idle(s);
    out->job_drop = in->job_valid && !in->kernel_start && jobs_full(s);
    out->miss = out->read_valid && in->read_ready && !in->kernel_start && !in->read_hit;
    out->skip = emitting && passed_over(s, &warps);
    out->stall = emitting && !out->skip && queue_full(s);
    out->emit = emitting && !out->skip && !queue_full(s);
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
    struct walk_base base = {
        .ready = in->read_ready, .hit = in->read_hit, .lead = in->read_lead, .last = in->read_last};
    memcpy(base.base, in->read_base, sizeof base.base);
    const struct walk_job job = {in->job_valid,  in->job_filter, in->job_pc,
                                 in->job_stride, in->job_mask,   in->job_wic};
    walk_edge(s, &warps, &base, &job, in->pf_ready);
}

MODEL_SEQUENTIAL
