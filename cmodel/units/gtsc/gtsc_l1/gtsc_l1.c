/* gtsc_l1 - leases, warp timestamps, locks and epoch of one SM (tabbakh2018 3.6.4, 3.6.8).
 *
 * An operation works on copies of the line and the warp's timestamp that it concerns
 * (struct step); comb gives its outputs, seq stores the copies.  Knows nothing of tags,
 * bytes or MSHRs. */
#define UNIT_TABLE "units/gtsc/gtsc_l1/gtsc_l1.ports.h"
#include "units/model.h"
#include "units/promises.h"

static const uint64_t TS_MAX = (UINT64_C(1) << TS_BITS) - 1;
enum { OWED_MAX = (1 << OWED_W) - 1, EPOCH_MASK = (1 << EPOCH_BITS) - 1 };

/* One operation: what it works on, as it leaves it. */
struct step {
    const struct in *in;
    struct out *out;
    unsigned line_at, warp;
    bool adopt, old; /* the message is of the next epoch; of another one */
    bool live, locked, pinned;
    uint64_t wts, rts, owed, writer;
    uint64_t ts, hits; /* of the warp */
    bool kept;
    uint64_t kept_ts;
};

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static bool is_message(uint64_t op)
{
    return (op >= op_FILL && op <= op_DIRECT) || op == op_PROBE;
}

static struct step begin(const struct state *s, const struct in *in, struct out *out)
{
    const unsigned line = in->line < LINES ? (unsigned)in->line : 0;
    const unsigned warp = in->warp < WARPS ? (unsigned)in->warp : 0;
    const uint64_t ahead = (in->msg_epoch - s->own_epoch) & EPOCH_MASK;
    const bool adopt = is_message(in->op) && ahead == 1;
    struct step x = {.in = in,
                     .out = out,
                     .line_at = line,
                     .warp = warp,
                     .adopt = adopt,
                     .old = !adopt && ahead != 0,
                     .live = s->live[line] && !adopt,
                     .locked = s->locked[line] && !adopt,
                     .wts = s->wts[line],
                     .rts = s->rts[line],
                     .owed = s->owed[line],
                     .ts = adopt ? 1 : s->warp_ts[warp],
                     .kept = s->kept && !adopt,
                     .kept_ts = s->kept_ts};
#if UNIT_SET_UPDATE_VISIBILITY == 2
    x.writer = s->writer[line];
#endif
#if UNIT_SET_PIN
    x.pinned = s->pinned[line] && !adopt;
#endif
#if UNIT_SET_SELF_INC > 1
    x.hits = adopt ? 0 : s->hits[warp];
#endif
    return x;
}

/* Does the cache hold a copy whose stamps count? */
static bool has_copy(const struct step *x)
{
    return x->in->present && x->live;
}

static void drop(struct step *x)
{
    x->out->drop = x->live;
    x->live = x->locked = x->pinned = false;
}

static void request(struct step *x, uint64_t wts, uint64_t ts)
{
    x->out->send = 1;
    x->out->req_wts = wts;
    x->out->req_ts = ts;
}

/* A BusRd; of a line that is here it is a renewal. */
static void request_read(struct step *x, uint64_t ts)
{
    request(x, has_copy(x) ? x->wts : 0, ts);
    x->pinned |= has_copy(x);
}

/* A load reads the version `wts`. */
static void perform_load(struct step *x, uint64_t wts)
{
    x->ts = most(x->ts, wts);
    x->out->loads = 1;
    x->out->load_ts = x->ts;
}

static void hit(struct step *x)
{
    x->out->answer = answer_HIT;
    perform_load(x, x->wts);
    if (SELF_INC == 0) {
        return;
    }
    x->hits++;
    if (x->hits == SELF_INC) { /* a warp at TS_MAX does not hit */
        x->hits = 0;
        x->out->self_incremented = x->ts != TS_MAX;
        x->ts += x->ts != TS_MAX;
    }
}

static void load(struct step *x)
{
    const bool covered = x->ts <= x->rts && !(SELF_INC > 0 && x->ts == TS_MAX);
    const bool old_bytes = UPDATE_VISIBILITY == 2 && x->writer != x->warp && covered;
    if (has_copy(x) && x->locked && !old_bytes) {
        x->out->answer = answer_WAIT;
        x->out->lock_wait = 1;
    } else if (has_copy(x) && covered) {
        hit(x);
    } else {
        x->out->answer = has_copy(x) ? answer_RENEW : answer_MISS;
        x->out->lease_expired = has_copy(x);
        if (FORWARD_ALL || !x->in->outstanding) {
            request_read(x, x->ts);
        }
    }
}

/* No copy is written: the store goes to the L2 alone. */
static void store_past(struct step *x)
{
    if (has_copy(x)) {
        drop(x);
    }
    x->out->answer = answer_MISS;
    request(x, 0, x->ts);
}

static void store(struct step *x)
{
    const bool orphans = !x->locked && x->owed > 0;
    if (!has_copy(x) || WR_POLICY == 2 || orphans) {
        store_past(x);
    } else if (x->locked && (!ST_UNDER_LOCK || x->owed == OWED_MAX)) {
        x->out->answer = answer_WAIT;
        x->out->lock_wait = 1;
    } else {
        x->out->answer = answer_HIT;
        x->out->stamps = 1;
        x->out->write_now = UPDATE_VISIBILITY == 1;
        request(x, WR_POLICY == 1 ? x->wts : 0, x->ts);
        x->locked = true;
        x->pinned = false; /* what the renewal extends is no more */
        x->owed++;
        x->writer = x->warp;
    }
}

static void atomic(struct step *x)
{
    if (has_copy(x) && x->locked) {
        x->out->answer = answer_WAIT;
        x->out->lock_wait = 1;
    } else {
        store_past(x);
    }
}

static void access(struct step *x)
{
    if (RC && x->in->own_pending) {
        x->out->answer = answer_WAIT;
        return;
    }
    switch (x->in->op) {
    case op_LOAD: load(x); break;
    case op_STORE: store(x); break;
    case op_ATOMIC: atomic(x); break;
    default: /* VOLATILE */
        x->out->answer = answer_MISS;
        request(x, 0, x->ts);
        break;
    }
}

static void fill(struct step *x)
{
    x->pinned &= !x->in->present;
    if (x->old || !x->in->present) {
        return;
    }
    if (x->locked) {
        x->out->lock_retry = 1;
        return;
    }
    x->out->install = 1;
    x->live = true;
    x->wts = x->in->msg_wts;
    x->rts = x->in->msg_rts;
}

static void renew(struct step *x)
{
    x->pinned &= !x->in->present;
    if (x->old || !has_copy(x)) {
        return;
    }
    if (x->locked) {
        x->out->lock_retry = 1;
    } else {
        x->rts = RENEW_MAX ? most(x->rts, x->in->msg_rts) : x->in->msg_rts;
    }
}

static void ack(struct step *x)
{
    const bool locked_it = x->in->msg_stamps && x->locked;
    const bool literal = STAMP_ANY && !x->in->msg_stamps && has_copy(x) && !x->locked && !x->old;
    const bool merges = !x->old && (x->in->msg_ok || WR_POLICY != 1);
    if (x->in->msg_stamps && x->owed > 0) {
        x->owed--;
    }
    if ((locked_it || literal) && merges) {
        x->wts = x->in->msg_wts;
        x->rts = x->in->msg_rts;
        x->locked = locked_it && x->owed > 0;
        x->out->write_late = locked_it && UPDATE_VISIBILITY == 2;
    } else if (locked_it || literal) {
        drop(x);
        x->out->merge_failed = 1;
    }
    if (!x->old) {
        x->ts = most(x->ts, x->in->msg_wts);
    }
}

static void keep(struct step *x)
{
    if (!x->kept) {
        x->kept_ts = x->ts;
    } else if (ASK_MAX) {
        x->kept_ts = most(x->kept_ts, x->ts);
    }
    x->kept = true;
}

static void serve(struct step *x)
{
    const struct in *in = x->in;
    const bool under_lock = has_copy(x) && x->locked;
    const bool source = in->from_msg ? in->msg_epoch == x->out->epoch : has_copy(x);
    const uint64_t rts = in->from_msg ? in->msg_rts : x->rts;
    const bool passes = RC && in->own_pending;
    if (source && !under_lock && !passes && x->ts <= rts) {
        x->out->serve = 1;
        perform_load(x, in->from_msg ? in->msg_wts : x->wts);
    } else {
        keep(x);
    }
}

static void ask(struct step *x)
{
    const bool waits = (has_copy(x) && x->locked) || x->in->outstanding;
    if (!waits) {
        request_read(x, x->kept ? x->kept_ts : x->ts);
    }
    x->kept = false; /* the next who are kept may be another block's */
}

static struct step perform(const struct state *s, const struct in *in, struct out *out)
{
    struct step x = begin(s, in, out);
    *out = (struct out){.epoch = s->own_epoch,
                        .ts = s->warp_ts[x.warp],
                        .lock = s->locked[x.line_at],
                        .owes = s->owed[x.line_at] != 0};
#if UNIT_SET_PIN
    out->pin = s->pinned[x.line_at];
#endif
    out->flush = x.adopt;
    if (in->op <= op_ATOMIC) {
        access(&x);
    } else if (in->op == op_FILL) {
        fill(&x);
    } else if (in->op == op_RENEW) {
        renew(&x);
    } else if (in->op == op_ACK) {
        ack(&x);
    } else if (in->op == op_DIRECT && !x.old) {
        out->serve = 1;
        perform_load(&x, in->msg_wts);
    } else if (in->op == op_SERVE) {
        serve(&x);
    } else if (in->op == op_ASK) {
        ask(&x);
    } else if (in->op == op_DROP) {
        drop(&x);
    }
    out->flush |= in->op == op_KERNEL_START;
    return x;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct step x = perform(s, in, out);
    const bool v = in->op_valid;
    out->old_message = v && is_message(in->op) && x.old;
    out->adopted = v && x.adopt;
    out->lease_expired &= v;
    out->lock_wait &= v;
    out->lock_retry &= v;
    out->merge_failed &= v;
    out->self_incremented &= v;
}

/* No lines, all timestamps 1. */
static void restart(struct state *s)
{
    memset(s->live, 0, sizeof s->live);
    memset(s->locked, 0, sizeof s->locked);
#if UNIT_SET_PIN
    memset(s->pinned, 0, sizeof s->pinned);
#endif
    for (unsigned w = 0; w < WARPS; w++) {
        s->warp_ts[w] = 1;
    }
#if UNIT_SET_SELF_INC > 1
    memset(s->hits, 0, sizeof s->hits);
#endif
    s->kept = 0;
}

static void seq(struct state *s, const struct in *in)
{
    if (!in->op_valid) {
        return;
    }
    struct out out;
    const struct step x = perform(s, in, &out);
    if (x.adopt || in->op == op_KERNEL_START) {
        restart(s);
    }
    if (in->op >= op_KERNEL_START) {
        return;
    }
    s->own_epoch = (__typeof__(s->own_epoch))((s->own_epoch + x.adopt) & EPOCH_MASK);
    s->wts[x.line_at] = (__typeof__(*s->wts))x.wts;
    s->rts[x.line_at] = (__typeof__(*s->rts))x.rts;
    s->live[x.line_at] = x.live;
    s->locked[x.line_at] = x.locked;
    s->owed[x.line_at] = (uint8_t)x.owed;
    s->warp_ts[x.warp] = (__typeof__(*s->warp_ts))x.ts;
#if UNIT_SET_PIN
    s->pinned[x.line_at] = x.pinned;
#endif
    s->kept = x.kept;
    s->kept_ts = (__typeof__(s->kept_ts))x.kept_ts;
#if UNIT_SET_UPDATE_VISIBILITY == 2
    s->writer[x.line_at] = (__typeof__(*s->writer))x.writer;
#endif
#if UNIT_SET_SELF_INC > 1
    s->hits[x.warp] = (__typeof__(*s->hits))x.hits;
#endif
}

static void reset(struct state *s)
{
    restart(s);
    memset(s->owed, 0, sizeof s->owed);
    s->kept_ts = 0;
    s->own_epoch = 0;
}

/* A lock is of a copy, and its ack is owed. */
static bool locks_are_owed(const struct state *s)
{
    bool owed = true;
    for (unsigned line = 0; line < LINES; line++) {
        owed &= !s->locked[line] || (s->live[line] && s->owed[line] != 0);
    }
    return owed;
}
MODEL_INVARIANT(locks_are_owed)

MODEL_SEQUENTIAL
