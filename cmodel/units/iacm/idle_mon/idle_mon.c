/* idle_mon - the idle phase of IACM (aci 3.12, algorithm 5). */
#define UNIT_TABLE "units/iacm/idle_mon/idle_mon.ports.h"
#include "units/iacm/periods.h"
#include "units/model.h"
#include "units/promises.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const uint64_t now = count_on(s->ipc, in->insn_inc, IPC_W);
    out->sampled = in->phase_idle && !in->kernel_start && s->sub == CP - 1;
    out->retrigger = out->sampled && !s->init && !is_near(now, s->ipc_prev, EPS_8THS);
}

static void seq(struct state *s, const struct in *in)
{
    struct out did;
    comb(s, in, &did);
    const uint64_t now = count_on(s->ipc, in->insn_inc, IPC_W);
    if (in->kernel_start || !in->phase_idle) {
        s->ipc = 0;
        s->sub = 0;
        s->init = 1;
    } else if (did.sampled) {
        s->ipc_prev = (__typeof__(s->ipc_prev))now;
        s->ipc = 0;
        s->sub = 0;
        s->init = did.retrigger & 1;
    } else {
        s->ipc = (__typeof__(s->ipc))now;
        s->sub = (__typeof__(s->sub))(s->sub + 1);
    }
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    s->init = 1;
}

static bool within_period(const struct state *s)
{
    return s->sub < CP;
}
MODEL_INVARIANT(within_period)

MODEL_SEQUENTIAL
