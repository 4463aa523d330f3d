/* iacm_core_ctrl - the phases of IACM on an SM (aci 3.11, 3.14).  Knows of the engine, the search and
 * the idle phase only what they tell it. */
#define UNIT_TABLE "units/iacm/iacm_core_ctrl/iacm_core_ctrl.ports.h"
#include "units/iacm/periods.h"
#include "units/model.h"

/* What runs. */
struct running {
    bool adi, awl;
};

static const struct running first = {FIRST_ADI, FIRST_AWL};

static bool timed_out(const struct state *s, const struct in *in)
{
#if UNIT_SET_ADI_VIC_TIMEOUT > 0
    return s->adi && in->adi_sub_phase == adi_sub_phase_VIC && s->vic == ADI_VIC_TIMEOUT - 1;
#else
    (void)s, (void)in;
    return false;
#endif
}

static bool has_settled(const struct state *s, const struct in *in)
{
    const uint64_t now = count_on(s->ipc, in->insn_inc, IPC_W);
    return timed_out(s, in) || (s->adi && in->adi_idle_done && is_near(now, s->ipc_prev, EPS_8THS));
}

static bool moved_far(const struct state *s, const struct in *in)
{
    return s->awl && in->awl_done ? !in->awl_goto_idle : s->far;
}

/* One of the two has ended, or nothing has. */
static struct running after(const struct state *s, const struct in *in)
{
    const struct running left = {s->adi && !has_settled(s, in), s->awl && !in->awl_done};
    const bool adi_ended = s->adi && !left.adi, awl_ended = s->awl && !left.awl;
    if (ORDER == 0 && adi_ended && AWL_ON) {
        return (struct running){left.adi, true};
    }
    if (ORDER == 1 && awl_ended && ADI_ON) {
        return (struct running){true, left.awl};
    }
    return !left.adi && !left.awl && moved_far(s, in) ? first : left;
}

static struct running next(const struct state *s, const struct in *in)
{
    const struct running now = {s->adi, s->awl};
    if (in->kernel_start) {
        return IACM_LAUNCH_PHASE ? now : first;
    }
    if (!s->adi && !s->awl) {
        return in->retrigger ? first : now;
    }
    return after(s, in);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct running to = next(s, in);
    out->adi_enable = s->adi;
    out->phase_awl = s->awl;
    out->phase_idle = !s->adi && !s->awl;
    out->phase = s->adi ? phase_ADI : s->awl ? phase_AWL : phase_IDLE;
    out->settled = has_settled(s, in) && !in->kernel_start;
    out->adi_stay = out->settled;
    out->adi_restart = to.adi && (!s->adi || (ORDER == 2 && out->settled));
    out->adapts = out->phase_idle && (to.adi || to.awl);
}

static void count(struct state *s, const struct in *in, bool settled)
{
    const uint64_t now = count_on(s->ipc, in->insn_inc, IPC_W);
    const bool round = s->adi && in->adi_idle_done;
    if (!s->adi || settled || in->kernel_start) {
        s->ipc_prev = 0;
    } else if (round) {
        s->ipc_prev = (__typeof__(s->ipc_prev))now;
    }
    const bool counts = s->adi && in->adi_sub_phase == adi_sub_phase_IDLE && !round &&
                        !in->kernel_start;
    s->ipc = (__typeof__(s->ipc))(counts ? now : 0);
#if UNIT_SET_ADI_VIC_TIMEOUT > 0
    const bool in_vic = s->adi && in->adi_sub_phase == adi_sub_phase_VIC;
    s->vic = (__typeof__(s->vic))(in_vic && !timed_out(s, in) && !in->kernel_start ? s->vic + 1
                                                                                   : 0);
#endif
}

static void seq(struct state *s, const struct in *in)
{
    const struct running to = next(s, in);
    const bool rests = !s->adi && !s->awl;
    const bool far = moved_far(s, in) && !rests && !in->kernel_start;
    count(s, in, has_settled(s, in));
    s->adi = to.adi;
    s->awl = to.awl;
    s->far = far;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    s->adi = first.adi;
    s->awl = first.awl;
}

MODEL_SEQUENTIAL
