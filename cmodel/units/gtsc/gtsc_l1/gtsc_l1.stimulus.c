/* Stimulus of gtsc_l1.  An operation concerns one line, one warp and the epoch, so operations
 * stay on two lines for a while; stamps of messages lie around the timestamp of the warp of
 * the step before, so that leases cover it, end at it or begin after it.  Acks mostly carry
 * stamps where some are owed; epochs are mostly the SM's, sometimes the next, seldom any.
 * Now and then a stretch of hits by one warp, for SELF_INC, which the lines' turns move
 * past, and stamps at the end of the range.  What happens is independent of the width of a timestamp but for its ends, and of
 * the number of lines and warps; small ones are checked deeply, the full size beside. */
#define UNIT_TABLE "units/gtsc/gtsc_l1/gtsc_l1.ports.h"
#include "tb/stimulus.h"

static const uint64_t TS_MAX = (UINT64_C(1) << TS_BITS) - 1;

static uint64_t draw_op(struct tb_random *random)
{
    static const uint8_t usual[] = {op_LOAD,  op_LOAD,   op_LOAD,     op_LOAD, op_STORE,
                                    op_STORE, op_ATOMIC, op_VOLATILE, op_FILL, op_FILL,
                                    op_FILL,  op_RENEW,  op_ACK,      op_ACK,  op_ACK,
                                    op_SERVE, op_SERVE,  op_SERVE,    op_ASK,  op_DIRECT};
    const uint64_t draw = tb_random_below(random, 400);
    return draw < 392   ? usual[draw % sizeof usual]
           : draw < 396 ? op_DROP
           : draw < 398 ? op_PROBE
           : draw < 399 ? op_KERNEL_START
                        : 13 + tb_random_below(random, 3);
}

static uint64_t draw_epoch(struct tb_random *random, uint64_t own)
{
    const uint64_t draw = tb_random_below(random, 128);
    const uint64_t off = draw < 110   ? 0
                         : draw < 113 ? 1
                                      : tb_random_below(random, 1u << EPOCH_BITS);
    return (own + off) & ((1u << EPOCH_BITS) - 1);
}

/* One warp hits one line, again and again, for as long as SELF_INC may ask.  `newer`: it
 * gets a version of the last timestamp. */
static void drive_hits(bool fill, bool newer, const struct out *out, struct in *in)
{
    in->op_valid = 1;
    in->op = fill ? op_FILL : op_LOAD;
    in->line = in->warp = 0;
    in->present = 1;
    in->own_pending = 0;
    in->msg_epoch = out->epoch;
    in->msg_wts = newer ? TS_MAX : 1;
    in->msg_rts = TS_MAX;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)last_in;
    struct in *in = (struct in *)in_slots;
    const struct out *out = (const struct out *)last_out;
    if (step / 1024 % 8 == 5) {
        drive_hits(step % 1024 < 2, false, out, in);
        return;
    }
    if (SELF_INC > 0 && step < SELF_INC + 3) { /* a version arrives before the last of the hits */
        drive_hits(step < 2 || step == SELF_INC + 1, step > 1, out, in);
        return;
    }
    in->op = draw_op(random);
    if (tb_random_below(random, 8)) {
        in->line = (step / 128 + step / 8192 * 5 + tb_random_below(random, 2)) % LINES;
    }
    const uint64_t at = tb_random_below(random, 64) ? out->ts : TS_MAX;
    in->msg_wts = (at + tb_random_below(random, 6) - 4) & TS_MAX;
    const uint64_t end = in->msg_wts + tb_random_below(random, 8);
    in->msg_rts = end > TS_MAX ? TS_MAX : end;
    in->msg_epoch = draw_epoch(random, out->epoch);
    in->outstanding &= in->op != op_ASK || tb_random_below(random, 4) == 0;
}

enum bin {
    HIT_AT_END,
    HIT_MOVES,
    EXPIRED_BY_ONE,
    LOAD_OF_LOCKED,
    OLD_BYTES,
    OWN_PENDING,
    STORE_LOCKS,
    STORE_PAST_ORPHAN,
    SECOND_STORE,
    STORE_WAITS,
    ATOMIC_WAITS,
    ATOMIC_DROPS,
    FILL_OF_LOCKED,
    RENEW_OF_LOCKED,
    FILL_ADOPTS,
    ACK_ADOPTS,
    ACK_OLD,
    ACK_STAMPS,
    ACK_DROPS,
    ACK_OF_ORPHAN,
    ACK_NOT_LAST,
    SERVE_MSG,
    SERVE_LINE,
    KEPT_BY_LOCK,
    KEPT_BY_LEASE,
    ASK_FOR_KEPT,
    ASK_OF_LOCKED,
    DIRECT_OLD,
    SELF_MOVES,
    MOVES_TO_MAX,
    AT_MAX,
    ADOPT_OVER_LOCK,
    PINNED_ANSWERED,
    PINNED_STORED,
    PINNED_FLUSHED
};

/* Would the next hit of the warp move its timestamp by itself? */
static bool last_hit(const struct state *s, uint64_t warp)
{
#if UNIT_SET_SELF_INC > 1
    return s->hits[warp < WARPS ? warp : 0] == SELF_INC - 1;
#else
    (void)s, (void)warp;
    return SELF_INC == 1;
#endif
}

static void observe_accesses(const struct in *in, const struct out *out, const struct state *s,
                             unsigned line, uint64_t *hits)
{
    const bool copy = in->present && s->live[line], locked = copy && s->locked[line];
    const bool hit = in->op == op_LOAD && out->answer == answer_HIT;
    const bool store = in->op == op_STORE;
    hits[HIT_AT_END] += hit && out->ts == s->rts[line];
    hits[HIT_MOVES] += hit && out->load_ts > out->ts;
    hits[EXPIRED_BY_ONE] += out->lease_expired && out->ts == s->rts[line] + UINT64_C(1);
    hits[LOAD_OF_LOCKED] += in->op == op_LOAD && locked && out->answer == answer_WAIT;
    hits[OLD_BYTES] += hit && locked;
    hits[OWN_PENDING] += in->op == op_LOAD && copy && in->own_pending && out->ts <= s->rts[line];
    hits[STORE_LOCKS] += store && out->answer == answer_HIT && !locked;
    hits[STORE_PAST_ORPHAN] += store && copy && out->drop && out->owes;
    hits[SECOND_STORE] += store && out->answer == answer_HIT && locked;
    hits[STORE_WAITS] += store && locked && out->lock_wait;
    hits[ATOMIC_WAITS] += in->op == op_ATOMIC && out->lock_wait;
    hits[ATOMIC_DROPS] += in->op == op_ATOMIC && out->drop;
    hits[SELF_MOVES] += out->self_incremented;
    hits[MOVES_TO_MAX] += hit && out->ts < TS_MAX && out->load_ts == TS_MAX &&
                          !out->self_incremented && last_hit(s, in->warp);
    hits[AT_MAX] += copy && in->op == op_LOAD && out->ts == TS_MAX && s->rts[line] == TS_MAX;
}

static void observe_messages(const struct in *in, const struct out *out, const struct state *s,
                             unsigned line, uint64_t *hits)
{
    const bool copy = in->present && s->live[line], locked = s->locked[line];
    const bool ack = in->op == op_ACK, stamps = ack && in->msg_stamps, serve = in->op == op_SERVE;
    const bool never_locked = WR_POLICY == 2;
    hits[FILL_OF_LOCKED] += in->op == op_FILL && out->lock_retry;
    hits[RENEW_OF_LOCKED] += in->op == op_RENEW && out->lock_retry;
    hits[FILL_ADOPTS] += in->op == op_FILL && out->adopted && out->install;
    hits[ACK_ADOPTS] += stamps && out->adopted && (never_locked || out->owes);
    hits[ACK_OLD] += ack && out->old_message && in->msg_wts > out->ts;
    hits[ACK_STAMPS] += stamps && locked && !out->old_message && !out->merge_failed;
    hits[ACK_DROPS] += out->merge_failed && !out->old_message;
    hits[ACK_OF_ORPHAN] += stamps && !locked && out->owes && !out->drop;
    hits[ACK_NOT_LAST] += stamps && locked && s->owed[line] > 1 && !out->drop;
    hits[SERVE_MSG] += serve && in->from_msg && out->serve && in->msg_rts == out->ts;
    hits[SERVE_LINE] += serve && !in->from_msg && out->serve;
    hits[KEPT_BY_LOCK] += serve && copy && locked && !out->serve;
    hits[KEPT_BY_LEASE] += serve && !in->from_msg && copy && !locked && !out->serve &&
                           !in->own_pending;
    hits[ASK_FOR_KEPT] += in->op == op_ASK && out->send && s->kept && out->req_ts > out->ts;
    hits[ASK_OF_LOCKED] += in->op == op_ASK && copy && locked;
    hits[PINNED_ANSWERED] += out->pin && in->op == op_RENEW && in->present;
    hits[PINNED_STORED] += out->pin && out->stamps;
    hits[PINNED_FLUSHED] += out->pin && out->adopted;
    hits[DIRECT_OLD] += in->op == op_DIRECT && out->old_message;
    hits[ADOPT_OVER_LOCK] += out->adopted && locked;
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    if (in->op_valid) {
        const unsigned line = in->line < LINES ? (unsigned)in->line : 0;
        observe_accesses(in, (const struct out *)out_slots, state, line, hits);
        observe_messages(in, (const struct out *)out_slots, state, line, hits);
    }
}

STIMULUS(20000, drive, observe, BIN("hit at the end of the lease"), BIN("hit moves the warp"),
         BIN("lease over by one"), BIN_IF(WR_POLICY != 2, "load of a locked line"),
         BIN_IF(UPDATE_VISIBILITY != 1, "old bytes under the lock"), BIN("own access pending"),
         BIN_IF(WR_POLICY != 2, "store locks"),
         BIN_IF(WR_POLICY != 2, "store past a dropped line's store"),
         BIN_IF(ST_UNDER_LOCK &&WR_POLICY != 2, "store under the lock"),
         BIN_IF(!ST_UNDER_LOCK && WR_POLICY != 2, "store waits"),
         BIN_IF(WR_POLICY != 2, "atomic waits"), BIN("atomic drops the copy"),
         BIN_IF(WR_POLICY != 2, "fill of a locked line"),
         BIN_IF(WR_POLICY != 2, "renewal of a locked line"), BIN("fill of the next epoch"),
         BIN("ack of the next epoch"), BIN("ack of an old epoch"),
         BIN_IF(WR_POLICY != 2, "ack stamps"), BIN_IF(WR_POLICY == 1, "ack drops"),
         BIN_IF(WR_POLICY != 2, "ack for a dropped line"),
         BIN_IF(ST_UNDER_LOCK &&WR_POLICY != 2, "ack, not the last"),
         BIN("served at the end of the message's lease"), BIN("served from the line"),
         BIN_IF(WR_POLICY != 2, "kept by a lock"), BIN("kept by the lease"),
         BIN("request for kept waiters"), BIN_IF(WR_POLICY != 2, "no request under the lock"),
         BIN("old answer to a volatile load"), BIN_IF(SELF_INC != 0, "hits move the warp"),
         BIN_IF(SELF_INC != 0, "a version moves it to the last timestamp"),
         BIN("warp at the last timestamp"), BIN_IF(WR_POLICY != 2, "next epoch over a locked line"),
         BIN_IF(PIN, "answer to a pinned line"),
         BIN_IF(PIN &&WR_POLICY != 2, "store to a pinned line"),
         BIN_IF(PIN, "next epoch over a pinned line"))
