/* Stimulus of gtsc_l2.  What an operation does depends on one line, mem_ts, the epoch and
 * where the stamps stand between 1 and overflow.  Runs of operations stay on two lines;
 * requests are made from stamps of the last answers (a wts just given, a timestamp at, just
 * before or just beyond an rts) or from both ends of the range; time jumps to its end now
 * and then, so that overflows come at any width, and they are followed by flash at once or
 * late.  A line just used is evicted at times, and a fill follows, so that mem_ts follows
 * the latest stamps.  Epochs are mostly the bank's.  Small TS_BITS overflow all the time,
 * TS_BITS 16 by jumps; LINES beside powers of two checks line numbers beyond the last. */
#define UNIT_TABLE "units/gtsc/gtsc_l2/gtsc_l2.ports.h"
#include "tb/stimulus.h"

static const uint64_t TS_MAX = (UINT64_C(1) << TS_BITS) - 1;

/* A timestamp near one of the last answer, or near either end. */
static uint64_t nearby(struct tb_random *random, const struct out *out)
{
    const uint64_t points[] = {out->resp_rts, out->resp_wts, out->mem_ts, TS_MAX, 2};
    const uint64_t point = points[tb_random_below(random, sizeof points / sizeof *points)];
    return (point + tb_random_below(random, 4) - 2) & TS_MAX;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *before = (const struct in *)last_in;
    const struct out *out = (const struct out *)last_out;
    const uint64_t draw = tb_random_below(random, 16);
    if (draw < 12) { /* else anywhere */
        in->line = (step / 64 + tb_random_below(random, 2)) % LINES;
    }
    in->req_epoch = draw ? out->epoch : in->req_epoch;
    in->lease = tb_random_below(random, 3) ? before->lease : in->lease;
    in->req_ts = draw % 4 ? 1 + draw % 3 : nearby(random, out);
    if (draw % 2) {
        in->req_wts = out->resp_wts;
    }
    if (out->overflow && tb_random_below(random, 2)) {
        in->flash = tb_random_below(random, 2);
        in->op = before->op;
        in->line = before->line;
        in->req_ts = before->req_ts;
    }
    if (out->resp && tb_random_below(random, 16) == 0) {
        in->op = op_EVICT;
        in->line = before->line;
    } else if (before->op == op_EVICT && tb_random_below(random, 2)) {
        in->op = op_FILL;
    }
    in->ext_mem_ts = tb_random_below(random, 32) ? 0 : nearby(random, out);
}

enum bin {
    READ_OVERFLOW,
    READ_AT_END,
    WRITE_OVERFLOW,
    FILL_OVERFLOW,
    RENEW_SAME,
    FILL_OTHER,
    OTHER_EPOCH,
    MERGE,
    MERGE_LOST,
    WRITE_AFTER_LEASE,
    WRITE_AFTER_WARP,
    EVICT_MOVES,
    EVICT_KEEPS,
    UNSTAMPED,
    FLASH_AND_OP
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    const unsigned line = in->line < LINES ? (unsigned)in->line : 0;
    const uint64_t rts = s->stamped[line] ? s->rts[line] : in->lease;
    const bool happens = in->op_valid && !in->flash && !in->kernel_start;
    const bool write = happens && in->op == op_WRITE, read = happens && in->op == op_READ;
    hits[READ_OVERFLOW] += read && out->overflow;
    hits[READ_AT_END] += read && out->resp && out->resp_rts == TS_MAX;
    hits[WRITE_OVERFLOW] += write && out->overflow;
    hits[FILL_OVERFLOW] += happens && in->op == op_FILL && out->overflow;
    hits[RENEW_SAME] += out->renewed && out->lease_extended;
    hits[FILL_OTHER] += read && out->resp == resp_FILL && in->req_wts;
    hits[OTHER_EPOCH] += read && out->resp && out->resp_reset && in->req_wts == out->resp_wts;
    hits[MERGE] += write && out->merge_ok;
    hits[MERGE_LOST] += out->merge_lost;
    hits[WRITE_AFTER_LEASE] += write && out->resp && out->resp_wts == rts + 1 && in->req_ts < rts;
    hits[WRITE_AFTER_WARP] += write && out->resp && !out->resp_reset && out->resp_wts > rts + 1;
    hits[EVICT_MOVES] += happens && in->op == op_EVICT && rts > out->mem_ts;
    hits[EVICT_KEEPS] += happens && in->op == op_EVICT && rts <= out->mem_ts;
    hits[UNSTAMPED] += read && !s->stamped[line];
    hits[FLASH_AND_OP] += in->op_valid && in->flash && out->resp;
}

STIMULUS(20000, drive, observe, BIN("lease extension overflows"),
         BIN("lease ends at the last timestamp"), BIN("store overflows"),
         BIN("fill at mem_ts overflows"), BIN("renewal extends"), BIN("fill instead of renewal"),
         BIN("request of another epoch with the version's wts"), BIN("merge"), BIN("merge lost"),
         BIN("store after the lease"), BIN("store at the warp's time"),
         BIN("eviction moves mem_ts"), BIN("eviction below mem_ts"), BIN("line as of the reset"),
         BIN("reset with an operation"))
