/* ptx_shape.c - what an instruction does to registers (isa/shape.h), read off its statement.
 *
 * Whatever is not known to be one of the kinds is UNKNOWN or, an arithmetic operation on registers of a
 * lane's own, OTHER.  It must not know what the shapes are good for. */
#include <string.h>

#include "ptx/ptx_lower.h"

static bool has_modifier(const struct ptx_statement *st, const char *word)
{
    for (uint32_t i = 0; i < st->n_modifiers; i++) {
        if (strcmp(st->modifiers[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* The n-th type among the modifiers, or PTX_NONE. */
static enum ptx_type type_at(const struct ptx_statement *st, uint32_t n)
{
    for (uint32_t i = 0; i < st->n_modifiers; i++) {
        enum ptx_type type = ptx_type_named(st->modifiers[i]);
        if (type != PTX_NONE && n-- == 0) {
            return type;
        }
    }
    return PTX_NONE;
}

static bool is_word(enum ptx_type type)
{
    uint32_t bytes = ptx_type_bytes(type);
    return (bytes == 4 || bytes == 8) && !ptx_type_is_float(type) && type != PTX_F16X2 &&
           type != PTX_BF16X2;
}

static uint16_t dense(const struct ptx_lower *lw, uint32_t reg)
{
    return reg < lw->source->n_registers && lw->slot_of[reg].used ? lw->dense_of[reg]
                                                                  : ISA_NO_REGISTER;
}

/* Special registers that stay as they are while a thread runs. */
static bool is_steady(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_SPECIAL && o->special <= PTX_CTAID_Z;
}

/* Source `k` from operand `n`; false when it is neither a register nor a constant. */
static bool source(const struct ptx_lower *lw, struct isa_shape *shape, uint32_t k, uint32_t n)
{
    const struct ptx_operand *o = &lw->statement->operands[n];
    shape->at[k] = (uint8_t)(n - 1);
    if (o->kind == PTX_OPERAND_REGISTER) {
        shape->src[k] = dense(lw, o->reg);
        return shape->src[k] != ISA_NO_REGISTER && !o->negated;
    }
    if (o->kind == PTX_OPERAND_INTEGER && k == 1) {
        shape->constant = true;
        shape->value = o->value;
    }
    return o->kind == PTX_OPERAND_INTEGER || o->kind == PTX_OPERAND_ADDRESS || is_steady(o);
}

static bool sources(const struct ptx_lower *lw, struct isa_shape *shape, uint32_t n)
{
    bool known = lw->statement->n_operands == n + 1 &&
                 lw->statement->operands[0].kind == PTX_OPERAND_REGISTER;
    for (uint32_t k = 0; k < n && known; k++) {
        known = source(lw, shape, k, k + 1);
    }
    return known;
}

/* A constant stands second where the order does not matter. */
static void exchange(struct isa_shape *shape, const struct ptx_statement *st)
{
    if (shape->src[0] != ISA_NO_REGISTER || shape->src[1] == ISA_NO_REGISTER) {
        return;
    }
    shape->src[0] = shape->src[1];
    shape->src[1] = ISA_NO_REGISTER;
    shape->at[0] = 1;
    shape->at[1] = 0;
    shape->constant = st->operands[1].kind == PTX_OPERAND_INTEGER;
    shape->value = st->operands[1].value;
}

static bool note_sum(const struct ptx_lower *lw, struct isa_shape *shape)
{
    const struct ptx_statement *st = lw->statement;
    enum ptx_type type = type_at(st, 0);
    bool add = strcmp(st->opcode, "add") == 0;
    if (!is_word(type) || has_modifier(st, ".sat") || has_modifier(st, ".cc") ||
        !sources(lw, shape, 2)) {
        return false;
    }
    shape->kind = add ? ISA_SHAPE_ADD : ISA_SHAPE_SUB;
    shape->bits = (uint8_t)(ptx_type_bytes(type) * 8);
    if (add) {
        exchange(shape, st);
    }
    return true;
}

static bool note_product(const struct ptx_lower *lw, struct isa_shape *shape)
{
    const struct ptx_statement *st = lw->statement;
    enum ptx_type type = type_at(st, 0);
    bool adds = strcmp(st->opcode, "mad") == 0, wide = has_modifier(st, ".wide");
    if (!is_word(type) || (wide && ptx_type_bytes(type) != 4) ||
        (!wide && !has_modifier(st, ".lo")) || !sources(lw, shape, adds ? 3 : 2)) {
        return false;
    }
    shape->kind = adds ? ISA_SHAPE_MAD : ISA_SHAPE_MUL;
    shape->from_bits = (uint8_t)(ptx_type_bytes(type) * 8);
    shape->bits = wide ? 64 : shape->from_bits;
    shape->sign = ptx_type_is_signed(type);
    exchange(shape, st);
    return true;
}

static bool note_shift(const struct ptx_lower *lw, struct isa_shape *shape)
{
    enum ptx_type type = type_at(lw->statement, 0);
    shape->kind = ISA_SHAPE_SHL;
    shape->bits = (uint8_t)(ptx_type_bytes(type) * 8);
    return is_word(type) && sources(lw, shape, 2);
}

/* mov, cvt between words, and addresses of the global space, which are generic ones, too. */
static bool note_move(const struct ptx_lower *lw, struct isa_shape *shape)
{
    const struct ptx_statement *st = lw->statement;
    bool converts = strcmp(st->opcode, "cvt") == 0;
    enum ptx_type to = type_at(st, 0), from = converts ? type_at(st, 1) : to;
    if (strcmp(st->opcode, "cvta") == 0 && !has_modifier(st, ".global")) {
        return false;
    }
    shape->kind = ISA_SHAPE_MOV;
    shape->bits = (uint8_t)(ptx_type_bytes(to) * 8);
    shape->from_bits = (uint8_t)(ptx_type_bytes(from) * 8);
    shape->sign = ptx_type_is_signed(from);
    return is_word(to) && is_word(from) && !has_modifier(st, ".sat") && sources(lw, shape, 1);
}

/* A scalar from global memory. */
static bool note_load(const struct ptx_lower *lw, struct isa_shape *shape,
                      const struct isa_inst *inst)
{
    const struct ptx_statement *st = lw->statement;
    const struct ptx_operand *o = &st->operands[1];
    enum ptx_type type = type_at(st, 0);
    if (inst->access != ISA_ACCESS_LOAD || inst->space != ISA_SPACE_GLOBAL || inst->n_dst != 1 ||
        st->n_operands != 2 || o->kind != PTX_OPERAND_MEMORY || o->reg == PTX_NO_INDEX ||
        ptx_type_is_float(type)) {
        return false;
    }
    shape->kind = ISA_SHAPE_LOAD;
    shape->src[0] = dense(lw, o->reg);
    shape->value = o->value;
    shape->bits = (uint8_t)(inst->bytes * 8);
    shape->sign = ptx_type_is_signed(type);
    shape->read_only = has_modifier(st, ".nc");
    return true;
}

static bool note_setp(const struct ptx_lower *lw, struct isa_shape *shape)
{
    static const char *const words[] = {".lt", ".le", ".gt", ".ge", ".ne", ".eq"};
    const struct ptx_statement *st = lw->statement;
    enum ptx_type type = type_at(st, 0);
    shape->kind = ISA_SHAPE_SETP;
    shape->compare = ISA_COMPARE_NONE;
    for (uint8_t w = 0; w < 6; w++) {
        if (has_modifier(st, words[w])) {
            shape->compare = w;
        }
    }
    if (!is_word(type) || ptx_type_bytes(type) != 4 || st->operands[0].pair != NULL ||
        !sources(lw, shape, 2)) {
        shape->compare = ISA_COMPARE_NONE;
    }
    return st->operands[0].kind == PTX_OPERAND_REGISTER;
}

static bool note_kind(const struct ptx_lower *lw, struct isa_shape *shape,
                      const struct isa_inst *inst)
{
    const char *opcode = lw->statement->opcode;
    if (strcmp(opcode, "add") == 0 || strcmp(opcode, "sub") == 0) {
        return note_sum(lw, shape);
    }
    if (strcmp(opcode, "mul") == 0 || strcmp(opcode, "mad") == 0) {
        return note_product(lw, shape);
    }
    if (strcmp(opcode, "shl") == 0) {
        return note_shift(lw, shape);
    }
    if (strcmp(opcode, "mov") == 0 || strcmp(opcode, "cvt") == 0 || strcmp(opcode, "cvta") == 0) {
        return note_move(lw, shape);
    }
    if (strcmp(opcode, "ld") == 0 || strcmp(opcode, "ldu") == 0) {
        return note_load(lw, shape, inst);
    }
    return strcmp(opcode, "setp") == 0 && note_setp(lw, shape);
}

/* An operation on registers of the lane alone: at most three, read as they are. */
static bool note_other(const struct ptx_lower *lw, struct isa_shape *shape,
                       const struct isa_inst *inst, const struct ptx_op *op)
{
    bool alone = inst->access == ISA_ACCESS_NONE && !op->crosses_lanes && !op->guarded &&
                 (inst->pipe == ISA_PIPE_INT || inst->pipe == ISA_PIPE_FP32) && inst->n_src <= 3;
    for (uint32_t k = 0; k < lw->statement->n_operands; k++) {
        const struct ptx_operand *o = &lw->statement->operands[k];
        alone = alone && (o->kind != PTX_OPERAND_SPECIAL || is_steady(o));
    }
    for (uint32_t k = 0; k < 3; k++) {
        shape->src[k] = k < inst->n_src ? inst->src[k] : ISA_NO_REGISTER;
    }
    shape->kind = ISA_SHAPE_OTHER;
    return alone;
}

static const struct isa_shape nothing = {.guard = ISA_NO_REGISTER,
                                         .dst = ISA_NO_REGISTER,
                                         .src = {ISA_NO_REGISTER, ISA_NO_REGISTER, ISA_NO_REGISTER},
                                         .target = UINT32_MAX};

void ptx_note_shapes(struct ptx_lower *lw, uint32_t first)
{
    struct ptx_image *image = lw->image;
    const struct ptx_statement *st = lw->statement;
    for (uint32_t pc = first; pc < image->n_ops; pc++) {
        const struct isa_inst *inst = &image->inst[pc];
        struct isa_shape shape = nothing;
        image->shapes = ptx_grow(lw->diag, image->shapes, pc, sizeof *image->shapes);
        if (image->n_ops != first + 1 || inst->n_dst > 1 || !note_kind(lw, &shape, inst)) {
            shape = nothing;
            if (!note_other(lw, &shape, inst, &image->ops[pc])) {
                shape = nothing;
                shape.kind = ISA_SHAPE_UNKNOWN;
            }
        }
        shape.kind = inst->n_dst == 0 ? ISA_SHAPE_NONE : shape.kind;
        shape.dst = inst->n_dst == 0 ? ISA_NO_REGISTER : inst->dst[0];
        shape.guarded = st->guard != PTX_NO_INDEX;
        shape.guard_not = st->guard_negated;
        shape.guard = shape.guarded ? dense(lw, st->guard) : ISA_NO_REGISTER;
        image->shapes[pc] = shape;
    }
}

void ptx_warp_operand(void *self, const struct isa_warp *warp, uint32_t pc, uint32_t k,
                      uint64_t value[ISA_LANES])
{
    const struct ptx_launch *launch = self;
    const struct ptx_warp *w = (const struct ptx_warp *)warp;
    const struct ptx_ref *ref = &launch->image->ops[pc].src[k];
    const uint8_t *lanes = w->base[ref->base] + ref->offset;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        value[lane] = ref->bytes == 8 ? ((const lane_u64 *)(const void *)lanes)[lane]
                                      : ((const lane_u32 *)(const void *)lanes)[lane];
    }
}
