/* Stimulus of avu.  Blocks come from a pool of eight and signatures hold some of them, some
 * of their granules, or arbitrary bits, so that tests both find and miss.  Lines come from a
 * window of four that moves over the L1, each
 * time round with another kind of stretch, so that fills, checks and hits in a row meet on a
 * line; every fourth stretch uses all lines.  New epochs are frequent in one half of the
 * stretches, so that lines expire and epoch numbers come again, and rare in the other, so
 * that lines reach the hit limit. */
#define UNIT_TABLE "units/rdu/avu/avu.ports.h"
#include <string.h>

#include "tb/stimulus.h"
#include "units/rdu/bloom.h"

enum { POOL = 8 };

/* Another pool every 16384 steps. */
static uint32_t block(uint64_t i, uint64_t step)
{
    return (uint32_t)((i + 1 + step / 16384 * POOL) * 0x2F0B4C47u) << 7;
}

/* Of the signatures of some 64 steps, whose words come one at a time: blocks and granules are
 * those of the stretch, or the word is any. */
static void draw_word(struct tb_random *random, uint64_t step, struct in *in)
{
    uint64_t sig[M / 64] = {0};
    const uint64_t stretch = step / (16 * WORDS);
    if (tb_random_below(random, 4 * WORDS) == 0) {
        return;
    }
    for (uint64_t n = stretch % 6; n > 0; n--) {
        const uint64_t of = (stretch * 6 + n) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
        bloom_insert(sig, bloom_key(block(of % POOL, step), (unsigned)(of >> 8) % GRANULES, SHIFT),
                     M);
    }
    memcpy(in->sig, &sig[in->sig_at * (ROW / 64)], sizeof in->sig);
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
    if (WORDS > 1 && last->sig_valid && !last->kernel_start) {
        in->sig_at = (last->sig_at + 1) % WORDS;
    } else {
        in->sig_at = last->kernel_start ? 0 : last->sig_at;
    }
    if (WORDS > 1 && in->sig_at != 0) {
        in->sig_valid = tb_random_below(random, 4) != 0;
    }
    if (in->sig_valid) {
        draw_word(random, step, in);
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
    LIMIT_OF_VALIDATED,
    TEST_DROPPED
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
    const bool begins = in->sig_valid && in->sig_at == WORDS - 1;
    hits[FILL_AND_RESPONSE] += same && !begins;
    hits[FILL_AND_EPOCH] += in->fill_valid && begins && !in->rsp_valid;
    hits[RACE_AND_FILL] += same && begins;
#if !UNIT_SET_ONE_CYCLE
    hits[TEST_DROPPED] += s->walk_step != 0 && s->walk_kept && in->sig_valid;
#endif
    hits[LIMIT_OF_VALIDATED] += out->need_rchk && !new;
}

STIMULUS(20000, drive, observe, BIN("hit in the current epoch"), BIN("validated hit"),
         BIN("AVU miss"), BIN("expired miss"), BIN("hit limit"), BIN("check repeated at the limit"),
         BIN("check while an epoch begins"), BIN("fill of the line that hits"),
         BIN("fill as its answer comes"), BIN("fill as an epoch begins"),
         BIN("fill as its race begins an epoch"), BIN("hit limit of a validated line"),
         BIN_IF(!ONE_CYCLE, "test dropped by a signature"))
