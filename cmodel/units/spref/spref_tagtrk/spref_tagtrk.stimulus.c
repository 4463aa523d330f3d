/* Stimulus of spref_tagtrk.  Loops of 6 to 21 instructions over nine registers are drawn by their
 * number, so that both passes see the same ones: seven of eight instructions are those of loops over
 * arrays, sums and shifts of an index, loads at strided addresses, addresses computed from what they
 * give; the others, and one of 64 in a pass, are anything.  Every pass is begun and ended; between them steps belong to none.
 * Registers, immediates and step values are sampled; each loop has nine of the registers. */
#define UNIT_TABLE "units/spref/spref_tagtrk/spref_tagtrk.ports.h"
#include "tb/stimulus.h"

enum { IMM = NO_REG, LOOP_STEPS = 64 };

static uint64_t mixed(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 32;
}

/* One of nine registers of this stretch; 63 now and then. */
static uint64_t reg(uint64_t step, uint64_t draw)
{
    return draw % 16 == 15 ? IMM : (step / LOOP_STEPS * 9 + draw % 9) % 63;
}

static void draw_loop(struct in *in, uint64_t step, uint64_t h)
{
    static const uint32_t amounts[] = {1, 2, 4, 8, 0, 3, 128, 0x80000000};
    in->op = h % 16 < 10 ? h % 16 : (h >> 4) % 3 == 0 ? op_ADD : (h >> 4) % 3 == 1 ? op_LD : op_MUL;
    in->dst = reg(step, h >> 8);
    in->src0 = h >> 16 & 3 ? reg(step, h >> 18) : in->dst;
    in->imm_valid = h >> 24 & 1;
    in->src1 = in->imm_valid ? IMM : reg(step, h >> 25);
    in->src2 = in->op == op_MAD || h >> 30 & 1 ? reg(step, h >> 31) : IMM;
    in->imm = h >> 40 & 7 ? amounts[h >> 43 & 7] : in->imm;
    in->pred = (h >> 50 & 15) == 0;
}

/* An instruction of a loop over an array: register 0 the index, 1 to 7 what is computed, 8 constant. */
static void draw_usual(struct in *in, uint64_t step, uint64_t place, uint64_t h)
{
    static const uint8_t ops[8][4] = {
        {op_ADD, op_ADD, op_SUB, op_ADD}, {op_SHL, op_MUL, op_MAD, op_MOV},
        {op_ADD, op_SUB, op_ADD, op_ADD}, {op_LD, op_LD, op_LD, op_LD},
        {op_SHL, op_MUL, op_MAD, op_MOV}, {op_ADD, op_ADD, op_MOV, op_ADD},
        {op_LD, op_LD, op_ADD, op_OTHER}, {op_ADD, op_ADD, op_MAD, op_ADD}};
    static const uint8_t from[8] = {0, 0, 1, 2, 3, 4, 5, 7};
    uint64_t at = place % 8, pick = h & 3;
    bool advance = at == 0 || at == 7;
    in->op = ops[at][pick];
    in->dst = reg(step, advance ? from[at] : at);
    in->src0 = reg(step, from[at]);
    in->src1 = reg(step, at == 6 ? 3 : 8);
    in->src2 = in->op == op_MAD ? reg(step, 8) : IMM;
    in->imm_valid = in->op == op_SHL || in->op == op_MUL || in->op == op_MAD || (h >> 2 & 3) == 0;
    in->imm = in->op == op_SHL ? h >> 4 & 3
                               : (advance ? 0 - (h >> 7 & 1) : 0) ^ UINT64_C(1) << (h >> 4 & 7);
    in->imm = h >> 8 & 15 ? in->imm & UINT32_MAX : UINT64_C(1) << (h >> 12 & 31);
    in->src1 = in->imm_valid || in->op == op_MOV || in->op == op_LD ? IMM : in->src1;
    if ((at == 2 || at == 5) && h >> 9 & 1 && in->op != op_LD &&
        !in->imm_valid) { /* the operands exchanged */
        uint64_t left = in->src0;
        in->src0 = in->src1;
        in->src1 = left;
    }
    in->pred = 0;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in, (void)last_out;
    uint64_t loop = step / LOOP_STEPS, length = 6 + mixed(loop) % 16;
    uint64_t at = step % LOOP_STEPS, tour = at / (length + 2), place = at % (length + 2);
    in->pass = place >= length || tour > 1 ? 0 : tour + 1;
    in->pass_begin = in->pass && place == 0;
    in->pass_end = in->pass && place == length - 1;
    in->tag_init = in->pass_begin && in->pass == pass_FIRST;
    draw_loop(in, step, mixed(loop * 64 + place + 7));
    if (mixed(loop * 64 + place) % 8) {
        draw_usual(in, step, place + (loop & 1), mixed(loop * 64 + place + 9));
    }
    if (tb_random_below(random, 64) == 0) {
        draw_loop(in, step, tb_random_next(random));
    }
    in->head_id = in->pass == pass_SECOND ? in->head_id % 3 : 0;
    in->step_val = tb_random_below(random, 8) ? 1 + (loop & 3) : in->step_val;
    in->raw_upd = in->src0 == in->dst && in->dst != IMM;
}

enum bin {
    INDEX_ADVANCES,
    SECOND_INDEX,
    POINTER_ADVANCES,
    DOWNWARDS,
    STEP_DIFFERS,
    SUBTRAHEND,
    SCALED,
    MULTIPLY_ADD,
    FRESH_TO_RANDOM,
    TWICE_WRITTEN,
    CARRIED,
    TAIL_FORM,
    SCALED_TAIL,
    REVERSED_TAIL,
    FORM_LOST,
    CLASH,
    LOST_FIRST
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    bool writes = in->pass && in->op < op_SETP && in->dst != IMM;
    bool adds = writes && (in->op == op_ADD || in->op == op_SUB);
    bool stride = writes && out->dst_tag_next == tag_STRIDE;
    bool own1 = in->src1 == in->dst;
    bool was = in->dst != IMM && s->tag[in->dst] == tag_STRIDE && !in->tag_init;
    bool random = writes && out->dst_tag_next == tag_RANDOM && !in->pred;
    hits[INDEX_ADVANCES] += stride && in->raw_upd && !in->imm_valid && adds;
    hits[SECOND_INDEX] += random && adds && in->raw_upd && !own1 && !in->imm_valid &&
                          s->index != IMM && s->index != in->dst && out->addr_tag == 0 &&
                          out->end_tag == 0 && in->pass == pass_FIRST;
    hits[POINTER_ADVANCES] += stride && in->raw_upd && in->imm_valid && in->pass == pass_SECOND;
    hits[DOWNWARDS] += stride && in->raw_upd && in->op == op_SUB;
    hits[STEP_DIFFERS] += random && adds && in->raw_upd && in->imm_valid && was &&
                          in->pass == pass_SECOND && !out->addr_done && out->addr_delta != in->imm;
    hits[SUBTRAHEND] += stride && in->op == op_SUB && !in->raw_upd && out->addr_tag != tag_STRIDE;
    hits[SCALED] += stride && (in->op == op_SHL || in->op == op_MUL);
    hits[MULTIPLY_ADD] += stride && in->op == op_MAD && out->addr_tag == tag_STRIDE;
    for (unsigned r = 0; r < REGS; r++) {
        hits[FRESH_TO_RANDOM] += in->pass_end && in->pass == pass_FIRST && !writes &&
                                 s->tag[r] == tag_FRESH;
    }
    hits[TWICE_WRITTEN] += random && in->raw_upd && adds && in->imm_valid && out->addr_done;
    hits[CARRIED] += writes && in->pass == pass_SECOND && in->op == op_LD &&
                     out->addr_tag == tag_STRIDE && !out->addr_done;
    bool form = writes && (out->dst_lid_next == 1 || out->dst_lid_next == 2) && in->op != op_LD;
    hits[TAIL_FORM] += form && in->op == op_ADD && out->addr_shift == 0;
    hits[SCALED_TAIL] += form && in->op == op_ADD && out->addr_shift != 0;
    hits[REVERSED_TAIL] += form && in->op == op_ADD && out->addr_lid == 0;
    hits[FORM_LOST] += writes && out->dst_lid_next == lid_NO_FORM && in->op == op_ADD &&
                       out->addr_base != IMM && out->addr_lid;
    hits[CLASH] += writes && out->addr_lid && out->dst_lid_next == 0 && !in->pred &&
                   in->op != op_LD;
    hits[LOST_FIRST] += in->tag_init && in->src0 != IMM && s->tag[in->src0];
}

STIMULUS(8000, drive, observe, BIN("a register advances by a register"), BIN("a second one would"),
         BIN("a pointer advances by an immediate in both passes"),
         BIN("a register advances downwards"), BIN("the second pass steps otherwise"),
         BIN("a constant less a stride"), BIN("a stride is scaled"),
         BIN("a stride is scaled and added to"), BIN("a constant was written in the first pass"),
         BIN("a register advances twice"), BIN("an address of the iteration before"),
         BIN("a base is added to a head"), BIN("a base is added to a scaled head"),
         BIN("a head is added to a base"), BIN("a second base is added"),
         BIN("values of two heads meet"), BIN("a first pass forgets a tag"))
