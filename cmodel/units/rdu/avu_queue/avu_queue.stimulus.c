/* Stimulus of avu_queue.  Blocks, warps and ids come from small pools, so that answers,
 * fills, stores and signatures meet entries.  Signatures hold blocks of the pool, or
 * arbitrary bits.  Pushes are frequent, with few answers to come, so that the queue fills in
 * one half of the stretches, and takes and redos are frequent in the other, so that it
 * drains.  An operation is held until it is done, as a signature may take many steps. */
#define UNIT_TABLE "units/rdu/avu_queue/avu_queue.ports.h"
#include "tb/stimulus.h"
#include "units/rdu/bloom.h"

enum { POOL = 6 };

/* Another pool every 8192 steps. */
static uint32_t block(uint64_t i, uint64_t step)
{
    return (uint32_t)((i + 1 + step / 8192 * POOL) * 0x2F0B4C47u) << 7;
}

/* Signature number `number`, and of it what the unit asked for in the step before. */
static void draw_signature(uint64_t number, uint64_t step, uint64_t sig_at, struct in *in)
{
    struct tb_random random;
    uint64_t sig[M / 64] = {0};
    tb_random_seed(&random, number);
    if (tb_random_below(&random, 6) == 0) {
        for (unsigned i = 0; i < M / 64; i++) {
            sig[i] = tb_random_next(&random);
        }
    }
    for (uint64_t n = tb_random_below(&random, 4); n > 0; n--) {
        const uint32_t addr = block(tb_random_below(&random, POOL), step);
        bloom_insert(sig, bloom_key(addr, (unsigned)tb_random_below(&random, GRANULES), SHIFT), M);
    }
    for (unsigned i = 0; i < SIG_W / 64; i++) {
        in->sig[i] = sig[sig_at * (SIG_W / 64) + i];
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct in *last = (const struct in *)last_in;
    const struct out *out = (const struct out *)last_out;
    if (last->op != op_NONE && !out->ready && !last->kernel_start) {
        if (last->op == op_PUSH) {
            in->op = tb_random_below(random, 2) ? op_TAKE : op_REDONE;
        } else if (last->op == op_SIGNATURE) {
            draw_signature(in->pc, step, out->sig_at, in);
        }
        return;
    }
    static const uint8_t filling[] = {op_PUSH,      op_PUSH, op_PUSH,  op_ANSWER,
                                      op_SIGNATURE, op_FILL, op_STORE, op_TAKE};
    static const uint8_t draining[] = {op_PUSH, op_ANSWER, op_SIGNATURE, op_FILL,
                                       op_TAKE, op_TAKE,   op_REDONE,    op_REDONE};
    const uint64_t i = tb_random_below(random, 8);
    if (tb_random_below(random, 8)) {
        in->op = step / 256 % 2 ? draining[i] : filling[i];
    }
    if (step / 256 % 4 == 0) {
        in->kernel_start = 0;
    }
    in->addr = block(tb_random_below(random, POOL), step) + tb_random_below(random, 128);
    in->mask[0] &= in->mask[1];
    const uint64_t kind = tb_random_below(random, 8);
    if (kind < 2) { /* no byte, or those of one word: of the fewest granules */
        const uint64_t at = 4 * tb_random_below(random, 32);
        in->mask[0] = in->mask[1] = 0;
        in->mask[at / 64] = kind == 0 ? 0 : UINT64_C(0xF) << at % 64;
    }
    if (in->op == op_SIGNATURE) {
        draw_signature(in->pc, step, out->sig_at, in);
    }
    if (out->head_valid && tb_random_below(random, 2)) {
        in->id = out->head_id;
    }
    if (tb_random_below(random, 512) == 0) {
        in->outstanding = tb_random_below(random, UINT64_C(1) << OUT_W);
    }
}

enum bin {
    COMMIT,
    REDO,
    COMMIT_PAST_OTHER_WARP,
    HELD_BY_OLDER,
    FAIL,
    FAIL_UNFILLED,
    FORCED_SIGNATURE,
    STORE_MEETS,
    PUSH_AT_FULL,
    PENDING,
    PASS_OF_MANY,
    REDONE
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    bool meets = false, older = false, unfilled = false;
    for (unsigned i = 0; i < s->count; i++) {
        meets |= i > 0 && s->block[i] == in->addr >> 7;
        unfilled |= s->bound[i] && !s->value[i] && !s->failed[i];
        for (unsigned j = 0; j < i; j++) {
            older |= s->value[i] && s->left[i] == 0 && s->entry_warp[i] == s->entry_warp[j];
        }
    }
    const bool taken = in->op == op_TAKE && out->head_valid && !in->kernel_start;
    hits[COMMIT] += taken && !out->head_fail;
    hits[REDO] += taken && out->head_fail;
    hits[COMMIT_PAST_OTHER_WARP] += out->entry_committed && s->entry_warp[0] != out->head_warp;
    hits[HELD_BY_OLDER] += older;
    hits[FAIL] += out->entry_failed;
    hits[FAIL_UNFILLED] += in->op == op_SIGNATURE && unfilled;
    hits[FORCED_SIGNATURE] += in->op == op_SIGNATURE && in->forced && s->count > 1;
    hits[STORE_MEETS] += in->op == op_STORE && meets;
    hits[PUSH_AT_FULL] += in->op == op_PUSH && out->full;
    hits[PENDING] += out->pending;
    hits[PASS_OF_MANY] += in->op == op_SIGNATURE && !out->ready && !in->kernel_start;
    hits[REDONE] += in->op == op_REDONE && s->count > 0 && s->redo[0] && s->entry_id[0] == in->id;
}

STIMULUS(20000, drive, observe, BIN("commit"), BIN("re-execution"),
         BIN("commit past an older entry of another warp"), BIN("entry held back by its warp"),
         BIN("signature fails an entry"), BIN("signature tests a miss that has no value yet"),
         BIN("forced signature"), BIN("own store meets an entry"), BIN("push into a full queue"),
         BIN("entry of the warp waits"), BIN("signature takes several steps"), BIN("load redone"))
