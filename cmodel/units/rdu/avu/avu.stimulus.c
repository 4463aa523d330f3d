/* Stimulus of avu.  Blocks come from a pool of eight and signatures hold some of them, some
 * of their granules, or arbitrary bits, so that tests both find and miss.  Lines come from a
 * window of four that moves over the L1, each
 * time round with another kind of stretch, so that fills, checks and hits in a row meet on a
 * line; every fourth stretch uses all lines.  New epochs are frequent in one half of the
 * stretches, so that lines expire and epoch numbers come again, and rare in the other, so
 * that lines reach the hit limit. */
#define UNIT_TABLE "units/rdu/avu/avu.ports.h"
#include "tb/stimulus.h"
#include "units/rdu/bloom.h"

enum { POOL = 8 };

/* Another pool every 16384 steps. */
static uint32_t block(uint64_t i, uint64_t step)
{
    return (uint32_t)((i + 1 + step / 16384 * POOL) * 0x2F0B4C47u) << 7;
}

static void draw_signature(struct tb_random *random, uint64_t step, struct in *in)
{
    if (tb_random_below(random, 4) == 0) {
        return;
    }
    for (unsigned i = 0; i < M / 64; i++) {
        in->sig[i] = 0;
    }
    for (uint64_t n = tb_random_below(random, 6); n > 0; n--) {
        const uint32_t addr = block(tb_random_below(random, POOL), step);
        bloom_insert(in->sig, bloom_key(addr, (unsigned)tb_random_below(random, GRANULES), SHIFT),
                     M);
    }
}

/* All bytes, three words, one byte, none, or any. */
static void draw_mask(struct tb_random *random, struct in *in)
{
    const uint64_t kind = tb_random_below(random, 16), byte = tb_random_below(random, 128);
    const uint64_t words = UINT64_C(0xFFF) << byte / 4 % 16 * 4, one = UINT64_C(1) << byte % 64;
    if (kind < 4) {
        in->chk_mask[0] = in->chk_mask[1] = UINT64_MAX;
    } else if (kind < 13) {
        in->chk_mask[0] = in->chk_mask[1] = 0;
        in->chk_mask[byte / 64] = kind < 7 ? words : kind < 12 ? one : 0;
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *last = (const struct in *)last_in;
    const bool held = last->chk_valid && !((const struct out *)last_out)->chk_done;
    const uint64_t window = step / 1024 % 4 == 3 ? LINES : LINES < 4 ? LINES : 4;
    const uint64_t turn = LINES < 4 ? 1 : LINES / 4;
    const uint64_t first = (step / 1024 + step / 1024 / turn) * 4;
    if (step / 512 % 2) {
        in->sig_valid = tb_random_below(random, 40) == 0;
        in->fill_valid = tb_random_below(random, 20) == 0;
    }
    if (in->sig_valid) {
        draw_signature(random, step, in);
    }
    in->fill_line = (first + tb_random_below(random, window)) % LINES;
    if (tb_random_below(random, 4) == 0) {
        in->rsp_mshr = in->fill_mshr;
    }
    if (!held) {
        in->chk_line = (first + tb_random_below(random, window)) % LINES;
        in->chk_addr = block(tb_random_below(random, POOL), step) + tb_random_below(random, 128);
        draw_mask(random, in);
    }
}

enum bin {
    HIT_NEW,
    HIT_VALIDATED,
    AVU_MISS,
    EXPIRED,
    LIMIT,
    AGAIN_AT_LIMIT,
    RESTARTED,
    FILL_OF_CHECKED,
    FILL_AND_RESPONSE,
    FILL_AND_EPOCH,
    RACE_AND_FILL,
    LIMIT_OF_VALIDATED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    const unsigned now = s->epoch_now, tag = s->tag[in->chk_line];
    const bool new = TAGS == 0 ? tag == 0 : tag == now;
    const bool same = in->rsp_valid && in->fill_valid && in->rsp_mshr == in->fill_mshr;
    hits[HIT_NEW] += out->hit && new;
    hits[HIT_VALIDATED] += out->hit && !new;
    hits[AVU_MISS] += out->avu_miss;
    hits[EXPIRED] += out->expired;
    hits[LIMIT] += out->need_rchk;
    hits[AGAIN_AT_LIMIT] += out->hit && in->chk_again && s->hcnt[in->chk_line] == HITMAX;
    hits[RESTARTED] += in->chk_valid && in->sig_valid && !in->kernel_start;
    hits[FILL_OF_CHECKED] += out->hit && in->fill_valid && in->fill_line == in->chk_line;
    hits[FILL_AND_RESPONSE] += same && !in->sig_valid;
    hits[FILL_AND_EPOCH] += in->fill_valid && in->sig_valid && !in->rsp_valid;
    hits[RACE_AND_FILL] += same && in->sig_valid;
    hits[LIMIT_OF_VALIDATED] += out->need_rchk && !new;
}

STIMULUS(60000, drive, observe, BIN("hit in the current epoch"), BIN("validated hit"),
         BIN("AVU miss"), BIN("expired miss"), BIN("hit limit"), BIN("check repeated at the limit"),
         BIN("check while an epoch begins"), BIN("fill of the line that hits"),
         BIN("fill as its answer comes"), BIN("fill as an epoch begins"),
         BIN("fill as its race begins an epoch"), BIN("hit limit of a validated line"))
