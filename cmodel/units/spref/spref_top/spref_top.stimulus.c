/* Stimulus of spref_top.  Up to four warps go through a loop over a pair of loads and a third one, an
 * instruction each in turn: which warp, which instruction and which iteration is a function of the step.
 * Loops change every 2048 steps (step by register or immediate, shifts, direction of the count, data
 * that are not read-only, a second index), trip counts with each of 24 rounds.  One of 64 steps is
 * anything, and an index steps astray in one of 64.  Kernels start between loops. */
#define UNIT_TABLE "units/spref/spref_top/spref_top.ports.h"
#include "tb/stimulus.h"

enum {
    TOGETHER = WARPS < 4 ? WARPS : 4,
    PLACES = 10,
    ROUNDS = 24,
    LOOP_STEPS = TOGETHER * PLACES * ROUNDS * 3
};
enum {
    EDGES = 10,
    VISITED,
    STEP,
    ADDR = 20,
    AT,
    HEAD,
    SCALED,
    FORM,
    TAIL,
    THIRD,
    INDEX,
    LAST,
    P = 1
};

static void instruction(struct in *in, uint64_t place, uint64_t loop)
{
    static const uint8_t ops[PLACES] = {op_SHL, op_ADD, op_LD,  op_SHL,  op_ADD,
                                        op_LD,  op_LD,  op_ADD, op_SETP, op_NONE};
    static const uint8_t dsts[PLACES] = {ADDR, AT, HEAD, SCALED, FORM, TAIL, THIRD, INDEX, 63, 63};
    static const uint8_t src0s[PLACES] = {INDEX, ADDR, AT,    HEAD,  SCALED,
                                          FORM,  AT,   INDEX, INDEX, 63};
    static const uint8_t src1s[PLACES] = {63, EDGES, 63, 63, VISITED, 63, 63, STEP, LAST, 63};
    bool by_imm = loop & 1;
    in->op = ops[place];
    in->dst = dsts[place];
    in->src0 = src0s[place];
    in->src1 = place == 7 && by_imm ? 63 : src1s[place];
    in->src2 = 63;
    in->imm_valid = place == 0 || place == 3 || (place == 7 && by_imm);
    in->imm = place == 0 ? 2 : place == 3 ? loop >> 1 & 3 : UINT64_C(1) << (loop >> 3 & 1);
    in->pred = 0;
    in->is_branch = place == 9;
    in->ro = place == 2 ? 1 : place == 5 ? loop % 5 != 0 : loop % 3 == 0;
    in->offset = place * 4;
    in->cmp = loop & 2 ? cmp_LE : cmp_LT;
    in->pdst = in->psrc = P;
    in->psrc_not = 0;
}

static void run_loop(struct tb_random *random, struct in *in, uint64_t step)
{
    uint64_t loop = step / LOOP_STEPS, at = step % LOOP_STEPS;
    uint64_t warp = at % TOGETHER, place = at / TOGETHER % PLACES, round = at / TOGETHER / PLACES;
    uint64_t invocation = round / ROUNDS, iteration = round % ROUNDS;
    uint64_t pc = (loop * 0x9E3779B1) & (UINT32_MAX >> 1), by = UINT64_C(1) << (loop >> 3 & 1);
    uint64_t mask = 0, more = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t trips = 1 + (lane % 4 * 3 + warp * 5 + invocation * 7 + loop) % 20;
        mask |= (uint64_t)(iteration < trips) << lane;
        more |= (uint64_t)(iteration + 1 < trips) << lane;
        in->idx[lane] = (iteration + 1) * by;
        in->last[lane] = trips * by - (loop & 2 ? 1 : 0);
    }
    in->dec_wid = in->exec_wid = in->br_wid = (warp + loop * TOGETHER) % WARPS;
    in->dec_valid = mask != 0;
    in->dec_pc = in->exec_pc = in->br_pc = pc + place;
    in->br_tgt = pc;
    in->dec_mask = in->exec_mask = mask;
    instruction(in, place, loop);
    in->step_val = tb_random_below(random, 64) ? by : in->step_val;
    in->step_ok = tb_random_below(random, 64) != 0;
    in->exec_valid = place == 8 && mask;
    in->br_valid = place == 9 && mask;
    in->br_taken = more != 0;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    bool begins = step % LOOP_STEPS == 0;
    in->kernel_start = begins || tb_random_below(random, 8192) == 0;
    in->kernel_room = (in->kernel_regs +
                       (tb_random_below(random, 4) ? 14 : tb_random_below(random, 8))) &
                      63;
    in->launch_valid = in->launch_valid && tb_random_below(random, 8) == 0;
    in->exit_valid = in->exit_valid && tb_random_below(random, 8) == 0;
    if (tb_random_below(random, 64)) {
        run_loop(random, in, step);
    }
    in->raw_upd = in->src0 == in->dst && in->dst != NO_REG;
    in->src1 = in->imm_valid ? NO_REG : in->src1;
}

enum bin {
    HEAD_INJECTED,
    TAIL_INJECTED,
    SECOND_HEAD,
    MOVED,
    FAR_AHEAD,
    STRAYS,
    NO_ROOM,
    REJECTED,
    GONE,
    PARTIAL,
    TO_CACHE
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    bool injects = out->out_valid[1];
    hits[HEAD_INJECTED] += injects && out->out_addr_mode == out_addr_mode_STRIDE;
    hits[TAIL_INJECTED] += injects && out->out_addr_mode == out_addr_mode_FORM;
    hits[SECOND_HEAD] += injects && s->head_valid[1] && in->dec_pc == s->head_pc[1];
    hits[MOVED] += out->out_op[0] == out_op_MOV;
    hits[FAR_AHEAD] += injects && out->out_ahead == 3 * (uint64_t)s->head_stride[0];
    hits[STRAYS] += out->blocked && in->op == op_ADD && in->dec_valid;
    hits[NO_ROOM] += out->clamped && out->distance == 0;
    hits[REJECTED] += out->rejected && out->pass;
    hits[GONE] += out->rejected && out->loop_valid;
    hits[PARTIAL] += injects && out->out_mask[1] != in->dec_mask;
    hits[TO_CACHE] += out->out_op[1] == out_op_PREF;
}

STIMULUS(20000, drive, observe, BIN("a head is prefetched"), BIN("a tail is prefetched"),
         BIN("a second head is prefetched"), BIN("a load becomes a move"),
         BIN_IF(!FIXED1, "three iterations ahead"), BIN("an index steps astray"),
         BIN("there is no register"), BIN("a loop is rejected"), BIN("a ready loop is rejected"),
         BIN("some lanes have no such iteration"),
         BIN_IF(CACHE_ONLY, "a prefetch to the cache alone"))
