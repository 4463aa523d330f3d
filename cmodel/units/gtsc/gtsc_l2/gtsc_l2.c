/* gtsc_l2 - timestamps of one L2 bank (tabbakh2018 3.6.5, 3.6.8).
 * Knows nothing of tags, bytes or queues. */
#define UNIT_TABLE "units/gtsc/gtsc_l2/gtsc_l2.ports.h"
#include "units/model.h"

static const uint64_t TS_MAX = (UINT64_C(1) << TS_BITS) - 1;

struct stamps {
    uint64_t wts, rts;
};

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static unsigned line_of(const struct in *in)
{
    return in->line < LINES ? (unsigned)in->line : 0;
}

static struct stamps stamps_of(const struct state *s, const struct in *in)
{
    unsigned line = line_of(in);
    return s->stamped[line] ? (struct stamps){s->wts[line], s->rts[line]}
                            : (struct stamps){1, in->lease};
}

static uint64_t mem_ts_of(const struct state *s, const struct in *in)
{
    return MEMTS_GLOBAL ? most(s->mem, in->ext_mem_ts) : s->mem;
}

/* The end of a lease that begins at `base`; may not fit a timestamp. */
static uint64_t lease_end(const struct in *in, uint64_t base)
{
    return base + in->lease - (LEASE_INCL && in->lease > 0);
}

/* The stamps that the operation gives the line; rts may not fit. */
static struct stamps stamped_by(const struct state *s, const struct in *in)
{
    struct stamps c = stamps_of(s, in);
    uint64_t ts = in->req_epoch == s->own_epoch ? in->req_ts : 1;
    switch (in->op) {
    case op_READ: c.rts = most(c.rts, lease_end(in, ts)); break;
    case op_WRITE:
    case op_ATOMIC:
        c.wts = most(c.rts + 1, ts);
        c.rts = lease_end(in, c.wts);
        break;
    case op_FILL:
        c.wts = mem_ts_of(s, in);
        c.rts = lease_end(in, c.wts);
        break;
    default: break;
    }
    return c;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct stamps c = stamps_of(s, in), next = stamped_by(s, in);
    const bool current = in->req_epoch == s->own_epoch;
    const uint64_t req_wts = current ? in->req_wts : 0;
    const bool write = in->op == op_WRITE || in->op == op_ATOMIC;

    *out = (struct out){.epoch = s->own_epoch, .mem_ts = s->mem};
    /* Of a write, wts as well as its lease must fit: wts is the smaller, or both overflow. */
    out->overflow = next.rts > TS_MAX || next.wts > TS_MAX;
    if ((in->op != op_READ && !write) || out->overflow) {
        return;
    }
    out->resp = write ? resp_ACK : req_wts == c.wts ? resp_RENEW : resp_FILL;
    out->resp_wts = next.wts;
    out->resp_rts = next.rts;
    out->resp_reset = !current;
    out->merge_ok = in->op == op_WRITE && req_wts == c.wts && req_wts != 0;

    const bool happens = in->op_valid && !in->flash && !in->kernel_start;
    out->renewed = happens && out->resp == resp_RENEW;
    out->lease_extended = happens && in->op == op_READ && next.rts != c.rts;
    out->merge_lost = happens && in->op == op_WRITE && req_wts != 0 && req_wts != c.wts;
}

static void restart(struct state *s)
{
    memset(s->stamped, 0, sizeof s->stamped);
    s->mem = 1;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->flash || in->kernel_start) {
        restart(s);
        s->own_epoch = (__typeof__(s->own_epoch))unit_bits(s->own_epoch + in->flash, EPOCH_BITS);
        return;
    }
    const struct stamps c = stamps_of(s, in), next = stamped_by(s, in);
    const unsigned line = line_of(in);
    s->mem = (__typeof__(s->mem))mem_ts_of(s, in);
    if (!in->op_valid || next.rts > TS_MAX || next.wts > TS_MAX) {
        return;
    }
    if (in->op == op_EVICT) {
        s->mem = (__typeof__(s->mem))most(s->mem, c.rts);
    } else if (in->op <= op_FILL) {
        s->stamped[line] = 1;
        s->wts[line] = (__typeof__(*s->wts))next.wts;
        s->rts[line] = (__typeof__(*s->rts))next.rts;
    }
}

static void reset(struct state *s)
{
    restart(s);
    s->own_epoch = 0;
}

MODEL_SEQUENTIAL
