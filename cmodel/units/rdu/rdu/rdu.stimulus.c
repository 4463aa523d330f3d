/* Stimulus of rdu.  Blocks come from a pool of eight, so that checks meet what others
 * stored; every fourth stretch takes them from 2^20 blocks, so that signatures fill up
 * with distinct elements and false positives occur.  In one stretch of four a single SM
 * writes and nobody else acts, so that the signatures of all others become full at once
 * and are forced one after the other; in another one answers are seldom taken, so that
 * the queue fills, and in the fourth messages of one byte are far apart, so that one comes as
 * another is answered.  Masks are one access of a warp (a run of bytes) or arbitrary.  At byte
 * and word granularity one message takes up to 128 steps, so that signatures fill within
 * a few stores; which granules a message holds matters only through the walk over them. */
#define UNIT_TABLE "units/rdu/rdu/rdu.ports.h"
#include "tb/stimulus.h"

/* Steps of a stretch: longer where it takes many to fill a signature. */
#define STRETCH (4096 * (1 + N * WORDS / 1024))

/* A new message, unless the last one waits to be taken. */
static void draw_mask(struct tb_random *random, struct in *in)
{
    const unsigned first = (unsigned)tb_random_below(random, 32) * 4;
    const unsigned bytes = 4u << tb_random_below(random, 3);
    switch (tb_random_below(random, 8)) {
    case 0: in->in_mask[0] = in->in_mask[1] = UINT64_MAX; break;
    case 1: break;
    case 2: in->in_mask[0] = in->in_mask[1] = 0; break;
    default:
        in->in_mask[0] = in->in_mask[1] = 0;
        for (unsigned byte = first; byte < first + bytes && byte < 128; byte++) {
            in->in_mask[byte / 64] |= UINT64_C(1) << byte % 64;
        }
        break;
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *last = (const struct in *)last_in;
    const bool held = last->in_valid && !((const struct out *)last_out)->in_ready;
    const uint64_t stretch = step / STRETCH % 4;
    if (stretch == 1) {
        in->kernel_start = 0;
    }
    if (stretch == 2) {
        in->in_valid |= tb_random_below(random, 2);
        in->out_ready = tb_random_below(random, 4) == 0;
    }
    if (held) {
        return;
    }
    draw_mask(random, in);
    in->in_sm %= SMS;
    if (stretch == 3) {
        in->in_valid = tb_random_below(random, ONE_CYCLE ? 8 : 16 + 2 * WORDS) == 0;
        in->in_mask[0] = UINT64_C(1) << tb_random_below(random, 64);
        in->in_mask[1] = 0;
    }
    if (stretch == 1) {
        in->in_sm = step / (4 * STRETCH) % SMS;
        in->in_type = tb_random_below(random, 16) ? in_type_WR : in_type_ATOMIC;
    }
    if (stretch & 1) {
        in->in_addr = tb_random_below(random, 1 << 20) << 7;
    }
}

enum bin {
    RACE,
    NO_RACE,
    RACE_AT_LIMIT,
    STORE_SYNC,
    ATOMIC_RACE,
    FORCED,
    FORCED_SECOND,
    FORCED_WAITS,
    QUEUE_FULL,
    ANSWER_HELD,
    NO_GRANULES,
    CLEAR_IN_WORK,
    TAKEN_AND_ANSWERED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    const bool answered = out->ack_valid && in->out_ready &&
                          (!out->ack_has_sig || out->sig_at == WORDS - 1);
    unsigned full = 0;
    for (unsigned sm = 0; sm < SMS; sm++) {
        full += s->ucnt[sm] >= N;
    }
    hits[RACE] += answered && out->ack_race && s->q_type[0] == in_type_RCHK_MISS;
    hits[NO_RACE] += answered && !out->ack_race && s->q_type[0] == in_type_RCHK_MISS;
    hits[RACE_AT_LIMIT] += answered && out->ack_race && s->q_type[0] == in_type_RCHK_HIT;
    hits[STORE_SYNC] += out->store_sync && s->ucnt[s->q_sm[0]] > 0;
    hits[ATOMIC_RACE] += answered && out->ack_race && s->q_type[0] == in_type_ATOMIC;
    hits[FORCED] += out->forced_sync;
    hits[FORCED_SECOND] += out->forced_sync && full >= 2;
    hits[FORCED_WAITS] += out->fsync_valid && !in->out_ready;
    hits[QUEUE_FULL] += in->in_valid && !out->in_ready;
    hits[ANSWER_HELD] += out->ack_valid && !in->out_ready;
    hits[NO_GRANULES] += answered && !s->started;
    hits[CLEAR_IN_WORK] += in->kernel_start && s->count > 0;
    hits[TAKEN_AND_ANSWERED] += answered && in->in_valid && out->in_ready && s->count == 1;
}

STIMULUS(60000, drive, observe, BIN("race of a miss"), BIN("miss without race"),
         BIN("race at the hit limit"), BIN("store that had unseen updates"),
         BIN("atomic that races"), BIN("forced point"), BIN("forced point of the first of several"),
         BIN("forced point waits"), BIN("queue is full"), BIN("answer waits"),
         BIN("message without granules"), BIN("kernel_start while messages wait"),
         BIN("answer and arrival with one message"))
