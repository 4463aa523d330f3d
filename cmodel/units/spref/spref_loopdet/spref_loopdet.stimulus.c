/* Stimulus of spref_loopdet.  PCs are eight neighbours, so that loops nest, share their first
 * instruction and come again; in two of three steps the decoded one is the first or the last of the
 * tracked loop, by one of three warps, so that passes begin and end.  Blocks of 256 steps have few
 * branches, many, or one loop's alone.  High PC bits are sampled: they move every 1024 steps. */
#define UNIT_TABLE "units/spref/spref_loopdet/spref_loopdet.ports.h"
#include "tb/stimulus.h"

static uint64_t near(struct tb_random *random, uint64_t step)
{
    return ((step >> 10) * 0x9E3779B1 + tb_random_below(random, 8)) & UINT32_MAX;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const struct out *last = (const struct out *)last_out;
    (void)last_in;
    in->br_pc = near(random, step);
    in->br_tgt = near(random, step);
    in->dec_pc = near(random, step);
    switch (tb_random_below(random, 3)) {
    case 0: in->dec_pc = last->loop_start; break;
    case 1: in->dec_pc = last->loop_end; break;
    default: break;
    }
    switch (step >> 8 & 3) {
    case 0: in->br_valid = tb_random_below(random, 8) == 0; break;
    case 1: in->br_pc = tb_random_below(random, 16) ? last->loop_end : in->br_pc; break;
    case 2: in->dec_valid = in->dec_valid && tb_random_below(random, 16) == 0; break;
    default: in->br_valid = tb_random_below(random, 32) == 0; break;
    }
}

enum bin {
    WHOLE_IN_ONE,
    READY_TWICE,
    KNOWN_AGAIN,
    INNER_REJECTED,
    TWO_REJECTED,
    ACTS_OVER_DECODE,
    EXIT_IN_PASS,
    BACK_TO_FIRST,
    TIRED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    bool back = in->br_valid && in->br_taken && in->br_tgt <= in->br_pc && !in->kernel_start;
    bool in_pass = s->fsm == fsm_PASS2 || s->fsm == fsm_PASS3;
    hits[WHOLE_IN_ONE] += out->pass_begin && out->pass_end;
    hits[READY_TWICE] += out->rejected && s->fsm == fsm_READY;
    hits[KNOWN_AGAIN] += back && s->fsm == fsm_IDLE && !out->detected;
    hits[INNER_REJECTED] += out->rejected && in_pass && in->br_tgt != s->start && back;
    hits[TWO_REJECTED] += out->rejected && s->rej_valid[1];
    hits[ACTS_OVER_DECODE] += out->inner && in->dec_valid && in->dec_wid == s->train;
    hits[EXIT_IN_PASS] += out->abandoned && in->exit_valid && in->exit_wid == s->train;
    hits[BACK_TO_FIRST] += out->abandoned && s->fsm == fsm_PASS3;
    hits[TIRED] += out->gave_up;
}

STIMULUS(4000, drive, observe, BIN("a loop of one instruction"),
         BIN("a second branch to a ready loop"), BIN("a rejected loop comes again"),
         BIN("the loop inside was rejected before"), BIN("a third loop is rejected"),
         BIN("a branch takes up a loop while its pass goes on"), BIN("the training warp exits"),
         BIN("the second pass is abandoned"), BIN("waiting ends"))
