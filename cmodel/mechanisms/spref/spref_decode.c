/* spref_decode.c - instructions of a front end (isa/shape.h) as spref_top takes them: registers by
 * numbers of six bits, an operation of its few, operands as they stand (lakshminarayana2014-graph
 * 3.1.4, 3.1.12).  It must not know what becomes of them. */
#include <stdlib.h>
#include <string.h>

#include "mechanisms/spref/spref.h"

enum { OP_OTHER, OP_ADD, OP_SUB, OP_MUL, OP_SHL, OP_MOV, OP_MAD, OP_LD, OP_SETP, OP_NONE };

/* ---- numbers ---- */

static void give_number(struct spref *s, uint16_t reg, uint32_t *next)
{
    if (reg != ISA_NO_REGISTER && s->number[reg] == SPREF_NONE && *next < SPREF_NONE) {
        s->number[reg] = (uint8_t)(*next)++;
    }
}

/* Does the instruction add to its own register? */
static bool advances(const struct isa_shape *shape)
{
    return (shape->kind == ISA_SHAPE_ADD || shape->kind == ISA_SHAPE_SUB) &&
           shape->dst != ISA_NO_REGISTER && shape->src[0] == shape->dst;
}

/* Registers that loops name, in the order of the text; those beyond the 63rd stay unknown. */
int spref_number(struct spref *s)
{
    const struct isa_kernel *kernel = s->kernel;
    uint32_t next = 0;
    if (kernel->n_registers > s->n_numbers) {
        uint8_t *more = realloc(s->number, kernel->n_registers);
        if (more == NULL) {
            return -1;
        }
        s->number = more;
        s->n_numbers = kernel->n_registers;
    }
    memset(s->number, SPREF_NONE, s->n_numbers);
    s->advanced = 0;
    for (uint32_t pc = 0; pc < kernel->n_inst; pc++) {
        const struct isa_shape *shape = &kernel->shape[pc];
        if (kernel->inst[pc].loop_depth == 0) {
            continue;
        }
        give_number(s, shape->dst, &next);
        give_number(s, shape->guard, &next);
        for (uint32_t k = 0; k < 3; k++) {
            give_number(s, shape->src[k], &next);
        }
        if (advances(shape) && s->number[shape->dst] != SPREF_NONE) {
            s->advanced |= UINT64_C(1) << s->number[shape->dst];
        }
    }
    return 0;
}

static uint64_t number_of(const struct spref *s, uint16_t reg)
{
    return reg == ISA_NO_REGISTER ? SPREF_NONE : s->number[reg];
}

/* Is some register of the instruction beyond those that have numbers? */
static bool has_unknown(const struct spref *s, const struct isa_shape *shape)
{
    for (uint32_t k = 0; k < 3; k++) {
        if (shape->src[k] != ISA_NO_REGISTER && s->number[shape->src[k]] == SPREF_NONE) {
            return true;
        }
    }
    return false;
}

/* ---- one instruction ---- */

static uint64_t operation_of(const struct isa_shape *shape)
{
    static const uint8_t of[] = {
        [ISA_SHAPE_NONE] = OP_NONE, [ISA_SHAPE_UNKNOWN] = OP_LD, [ISA_SHAPE_OTHER] = OP_OTHER,
        [ISA_SHAPE_ADD] = OP_ADD,   [ISA_SHAPE_SUB] = OP_SUB,    [ISA_SHAPE_MUL] = OP_MUL,
        [ISA_SHAPE_SHL] = OP_SHL,   [ISA_SHAPE_MOV] = OP_MOV,    [ISA_SHAPE_MAD] = OP_MAD,
        [ISA_SHAPE_LOAD] = OP_LD,   [ISA_SHAPE_SETP] = OP_SETP};
    return of[shape->kind];
}

/* A target is a scalar of at most a register, whose own offset has 16 bits. */
static bool may_be_target(const struct isa_shape *shape)
{
    return shape->kind == ISA_SHAPE_LOAD && shape->read_only && shape->bits <= 32 &&
           shape->value >= INT16_MIN && shape->value <= INT16_MAX;
}

static bool is_advanced(const struct spref *s, uint16_t reg)
{
    return reg != ISA_NO_REGISTER && s->number[reg] != SPREF_NONE &&
           s->advanced >> s->number[reg] & 1;
}

/* A comparison whose index stands second, as compilers write for `ne` at least: the unit gets it the
 * other way round (D-SPREF-16). */
static bool is_mirrored(const struct spref *s, const struct isa_shape *shape)
{
    return shape->kind == ISA_SHAPE_SETP && is_advanced(s, shape->src[1]) &&
           !is_advanced(s, shape->src[0]);
}

static uint64_t comparison_of(const struct isa_shape *shape, bool mirrored)
{
    static const uint8_t mirror[] = {
        [ISA_COMPARE_LT] = ISA_COMPARE_GT, [ISA_COMPARE_LE] = ISA_COMPARE_GE,
        [ISA_COMPARE_GT] = ISA_COMPARE_LT, [ISA_COMPARE_GE] = ISA_COMPARE_LE,
        [ISA_COMPARE_NE] = ISA_COMPARE_NE, [ISA_COMPARE_EQ] = ISA_COMPARE_EQ};
    return mirrored && shape->compare <= ISA_COMPARE_EQ ? mirror[shape->compare] : shape->compare;
}

/* One value in all lanes of the mask? */
static void read_step(struct spref *s, uint32_t slot, uint32_t pc, uint32_t mask)
{
    uint64_t value[ISA_LANES], first = 0;
    bool one = mask != 0;
    core_operand(s->core, slot, pc, s->kernel->shape[pc].at[1], value);
    first = mask ? value[__builtin_ctz(mask)] : 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        one = one && value[__builtin_ctz(left)] == first;
    }
    *s->port.step_ok = one;
    *s->port.step_val = first & UINT32_MAX;
}

static void read_setp(struct spref *s, uint32_t slot, uint32_t pc, uint32_t mask)
{
    const struct isa_shape *shape = &s->kernel->shape[pc];
    const bool mirrored = is_mirrored(s, shape);
    uint64_t idx[ISA_LANES], last[ISA_LANES];
    core_operand(s->core, slot, pc, shape->at[mirrored ? 1 : 0], idx);
    core_operand(s->core, slot, pc, shape->at[mirrored ? 0 : 1], last);
    *s->port.exec_valid = 1;
    *s->port.exec_wid = slot;
    *s->port.exec_pc = pc;
    *s->port.exec_mask = mask;
    for (uint32_t lane = 0; lane < SPREF_LANES; lane++) {
        s->port.idx[lane] = idx[lane] & UINT32_MAX;
        s->port.last[lane] = last[lane] & UINT32_MAX;
    }
}

void spref_decode(struct spref *s, uint32_t slot, uint32_t pc)
{
    const struct isa_shape *shape = &s->kernel->shape[pc];
    const struct isa_inst *inst = &s->kernel->inst[pc];
    struct spref_ports *port = &s->port;
    const uint32_t mask = s->showing ? UINT32_MAX : core_warp(s->core, slot)->active;
    const bool unknown = has_unknown(s, shape), mirrored = is_mirrored(s, shape);
    *port->dec_valid = 1;
    *port->dec_wid = slot;
    *port->dec_pc = pc;
    *port->dec_mask = mask;
    *port->op = operation_of(shape);
    *port->dst = shape->kind == ISA_SHAPE_SETP ? SPREF_NONE : number_of(s, shape->dst);
    *port->src0 = number_of(s, shape->src[mirrored ? 1 : 0]);
    *port->src1 = number_of(s, shape->src[mirrored ? 0 : 1]);
    *port->src2 = number_of(s, shape->src[2]);
    *port->imm_valid = shape->constant;
    *port->imm = (uint64_t)shape->value & UINT32_MAX;
    *port->raw_upd = *port->src0 == *port->dst && *port->dst != SPREF_NONE;
    *port->pred = shape->guarded || unknown;
    *port->is_branch = inst->is_branch || inst->is_exit;
    *port->ro = may_be_target(shape) && !unknown;
    *port->offset = (uint64_t)shape->value & UINT16_MAX;
    *port->cmp = comparison_of(shape, mirrored);
    *port->pdst = shape->kind == ISA_SHAPE_SETP ? number_of(s, shape->dst) : SPREF_NONE;
    *port->psrc = inst->is_branch ? number_of(s, shape->guard) : SPREF_NONE;
    *port->psrc_not = shape->guard_not;
    *port->step_ok = *port->step_val = 0;
    if ((shape->kind == ISA_SHAPE_ADD || shape->kind == ISA_SHAPE_SUB) && *port->raw_upd &&
        !shape->constant && !s->showing) {
        read_step(s, slot, pc, mask);
    }
    *port->exec_valid = 0;
    if (shape->kind == ISA_SHAPE_SETP && s->loop_ready && pc == *port->setp_pc) {
        read_setp(s, slot, pc, mask);
    }
}

/* ---- from a head's value to its tail's address ---- */

static bool add_step(struct spref_chain *chain, const struct isa_shape *shape)
{
    if (chain->n == SPREF_MOST_STEPS) {
        return false;
    }
    const uint64_t factor = (uint64_t)shape->value;
    const bool multiplies = shape->kind == ISA_SHAPE_MUL || shape->kind == ISA_SHAPE_MAD;
    for (uint32_t at = chain->n++; at > 0; at--) {
        chain->step[at] = chain->step[at - 1];
    }
    chain->step[0].bits = shape->bits;
    chain->step[0].from_bits = shape->from_bits != 0 ? shape->from_bits : shape->bits;
    chain->step[0].sign = shape->sign && shape->from_bits != 0;
    chain->step[0].shift = (uint8_t)(shape->kind == ISA_SHAPE_SHL ? factor & 63
                                     : multiplies ? (unsigned)__builtin_ctzll(factor | 1ULL << 63)
                                                  : 0);
    return true;
}

/* Backwards through the straight line between the two. */
bool spref_chain(const struct spref *s, uint32_t head_pc, uint32_t pc, struct spref_chain *chain)
{
    const struct isa_shape *shapes = s->kernel->shape;
    uint16_t wanted = shapes[pc].src[0];
    const uint16_t value = shapes[head_pc].dst;
    *chain = (struct spref_chain){.tail_pc = pc,
                                  .head_pc = head_pc,
                                  .base_pc = UINT32_MAX,
                                  .head_bits = shapes[head_pc].bits,
                                  .head_sign = shapes[head_pc].sign};
    for (uint32_t at = pc; at-- > head_pc + 1 && wanted != value;) {
        const struct isa_shape *shape = &shapes[at];
        uint32_t k = 0;
        if (shape->dst != wanted) {
            continue;
        }
        if (shape->kind == ISA_SHAPE_ADD || shape->kind == ISA_SHAPE_MAD) {
            const bool second = shape->kind == ISA_SHAPE_ADD &&
                                s->number[shape->src[0]] == *s->port.out_base;
            k = second ? 1 : 0;
            chain->base_pc = at;
            chain->base_k = shape->kind == ISA_SHAPE_MAD ? shape->at[2] : shape->at[1 - k];
        }
        if (!add_step(chain, shape) || (chain->base_pc == at && shape->bits != 64)) {
            return false;
        }
        wanted = shape->src[k];
    }
    return wanted == value && chain->base_pc != UINT32_MAX;
}

static uint64_t extended(uint64_t value, uint32_t bits, bool sign)
{
    if (bits >= 64) {
        return value;
    }
    value &= (UINT64_C(1) << bits) - 1;
    return sign && value >> (bits - 1) ? value | ~((UINT64_C(1) << bits) - 1) : value;
}

/* Without the base, which is added to it modulo 2^64. */
uint64_t spref_chain_value(const struct spref_chain *chain, uint32_t loaded)
{
    uint64_t value = extended(loaded, chain->head_bits, chain->head_sign);
    for (uint32_t at = 0; at < chain->n; at++) {
        value = extended(value, chain->step[at].from_bits, chain->step[at].sign);
        value = extended(value << chain->step[at].shift, chain->step[at].bits, false);
    }
    return value;
}
