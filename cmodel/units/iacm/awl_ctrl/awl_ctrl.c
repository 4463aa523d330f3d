/* awl_ctrl - the search for the warp count with the highest IPC (aci 3.10.4, the corrected
 * algorithms 1 to 4).  Knows nothing of schedulers or phases. */
#define UNIT_TABLE "units/iacm/awl_ctrl/awl_ctrl.ports.h"
#include "units/iacm/periods.h"
#include "units/model.h"
#include "units/promises.h"

enum { WARPS_MOST = (1 << WCW) - 1 };

/* What a step does to the search. */
struct search {
    unsigned nc, ns;
    bool linear, up, ends;
};

static bool is_step(const struct state *s, const struct in *in)
{
    return in->phase_awl && !in->kernel_start && s->sub == LAST; /* with init, sub is 0 */
}

static uint64_t instructions(const struct state *s, const struct in *in)
{
    return count_on(s->ipc, in->insn_inc, IPC_W);
}

/* One warp more, as far as there are any; or one fewer, of which there is one (in_order). */
static unsigned by_one(const struct state *s, bool up)
{
    return !up ? s->nc - 1u : s->nc < s->nt ? s->nc + 1u : s->nt;
}

static unsigned doubled(const struct state *s)
{
    return 2u * s->nc < s->nt ? 2u * s->nc : s->nt;
}

/* The count cannot go on in this direction. */
static bool at_end(const struct state *s)
{
    return s->up ? s->nc >= s->nt : s->nc == 1;
}

static void on_better(const struct state *s, struct search *next)
{
    if (s->linear) {
        next->ends = s->nc == s->ns / 2 || s->nc == 2u * s->ns || at_end(s);
        next->nc = next->ends ? s->nc : by_one(s, s->up);
        return;
    }
    next->ends = at_end(s) || (ENDS_AT_ONCE && (s->nc == 1 || s->nc >= s->nt));
    if (!next->ends) {
        next->nc = s->up ? doubled(s) : s->nc / 2u;
    }
}

static void on_worse(const struct state *s, struct search *next)
{
    const unsigned first_down = s->linear ? s->ns - 1u : s->ns / 2u;
    if (!s->up && s->nc == first_down) { /* C7, C8 */
        next->nc = s->ns;
        next->up = true;
    } else if (s->linear) {
        next->nc = by_one(s, !s->up);
        next->ends = true;
    } else {
        next->nc = s->up ? s->nc : doubled(s);
        next->ns = next->nc;
        next->up = false;
        next->linear = true;
    }
}

/* The search after the step of this cycle. */
static struct search step(const struct state *s, const struct in *in)
{
    struct search next = {s->nc, s->ns, s->linear, s->up, false};
    if (s->ipc_prev < instructions(s, in)) {
        on_better(s, &next);
    } else {
        on_worse(s, &next);
    }
    return next;
}

static bool is_close(unsigned nc, unsigned np)
{
    return EPS_WARPS ? distance(nc, np) <= EPS_WARPS : is_near(nc, np, EPS_8THS);
}

static bool begins(const struct state *s, const struct in *in)
{
    return in->phase_awl && !in->kernel_start && s->init;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const bool steps = is_step(s, in), alone = begins(s, in) && s->nt == 1;
    const struct search next = step(s, in);
    out->nc = s->nc;
    out->better = steps && s->ipc_prev < instructions(s, in);
    out->worse = steps && !out->better;
    out->done = alone || (steps && next.ends);
    out->goto_idle = out->done && is_close(alone ? s->nc : next.nc, s->np);
}

static void start(struct state *s, const struct in *in)
{
    s->init = 0;
    s->up = s->nc == 1;
    s->linear = 0;
    s->ns = s->nc;
    s->ipc_prev = 0;
    s->ipc = (__typeof__(s->ipc))in->insn_inc;
    s->sub = 1;
}

static void take(struct state *s, const struct in *in)
{
    const struct search next = step(s, in);
    const uint64_t now = instructions(s, in);
    s->ipc_prev = (__typeof__(s->ipc_prev))(s->ipc_prev < now ? now : 0);
    s->ipc = 0;
    s->sub = 0;
    s->nc = (uint8_t)next.nc;
    s->ns = (uint8_t)next.ns;
    s->linear = next.linear;
    s->up = next.up;
    if (next.ends) {
        s->np = s->nc;
        s->init = 1;
    }
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        s->nt = s->nc = s->np = (uint8_t)(in->nt > 0 ? in->nt : 1);
        s->sub = 0;
        s->init = 1;
    } else if (begins(s, in) && s->nt == 1) {
        s->np = s->nc;
    } else if (begins(s, in)) {
        start(s, in);
    } else if (is_step(s, in)) {
        take(s, in);
    } else if (in->phase_awl) {
        s->ipc = (__typeof__(s->ipc))instructions(s, in);
        s->sub = (__typeof__(s->sub))(s->sub + 1);
    }
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    s->nt = s->nc = s->np = s->ns = WARPS_MOST;
    s->init = 1;
}

static bool is_count(unsigned warps, const struct state *s)
{
    return warps >= 1 && warps <= s->nt;
}

/* Downwards the count is no more than where the search started, upwards no less; and to turn there must
 * have been a count below. */
static bool in_order(const struct state *s)
{
    if (s->up) {
        return s->nc >= s->ns && (!s->linear || s->ns > 1);
    }
    return s->nc <= s->ns;
}

static bool counts_in_range(const struct state *s)
{
    if (!is_count(s->nc, s) || !is_count(s->np, s) || s->sub > LAST) {
        return false;
    }
    return s->init ? s->sub == 0 : is_count(s->ns, s) && s->nt > 1 && in_order(s);
}
MODEL_INVARIANT(counts_in_range)

MODEL_SEQUENTIAL
