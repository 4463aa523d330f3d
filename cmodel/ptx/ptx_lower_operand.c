/* ptx_lower_operand.c - operands to slots: registers, constants, variables, addresses.
 *
 * Works after the PTX ISA, "Instruction Operands" (operand type checking: a
 * register is as wide as the instruction's type, wider only for ld, st, cvt).
 */
#include <string.h>

#include "ptx/ptx_lower.h"

enum { MAX_FRAME_BYTES = 1 << 24 };

static struct ptx_image_function *function_of(struct ptx_lower *lw)
{
    return &lw->image->functions[lw->function_index];
}

static uint32_t grow_frame(struct ptx_lower *lw, uint32_t bytes)
{
    struct ptx_image_function *f = function_of(lw);
    uint32_t at = f->frame_bytes;
    f->frame_bytes += bytes;
    if (f->frame_bytes > MAX_FRAME_BYTES) {
        PTX_LOWER_FAIL(lw, "function %s uses too many registers; split it", f->source->name);
    }
    return at;
}

struct ptx_ref ptx_frame_slot(struct ptx_lower *lw, uint32_t lane_bytes)
{
    struct ptx_ref ref = {.base = PTX_BASE_FRAME, .bytes = (uint8_t)lane_bytes, .used = true};
    if (lane_bytes != 0) {
        ref.offset = grow_frame(lw, lane_bytes * ISA_LANES);
        return ref;
    }
    if (lw->free_masks == 0) {
        lw->free_mask_offset = grow_frame(lw, PTX_SLOT32_BYTES);
        lw->free_masks = ISA_LANES;
    }
    lw->free_masks--;
    ref.offset = lw->free_mask_offset;
    lw->free_mask_offset += 4;
    return ref;
}

static uint16_t new_dense(struct ptx_lower *lw, uint32_t units)
{
    struct ptx_image *image = lw->image;
    if (image->isa.n_registers == UINT16_MAX) {
        PTX_LOWER_FAIL(lw, "kernel %s uses more than 65535 registers; split it", image->isa.name);
    }
    image->register_units = ptx_grow(lw->diag, image->register_units, image->isa.n_registers, 1);
    image->register_units[image->isa.n_registers] = (uint8_t)units;
    function_of(lw)->n_registers++;
    return (uint16_t)image->isa.n_registers++;
}

struct ptx_ref ptx_register_slot(struct ptx_lower *lw, uint32_t reg)
{
    struct ptx_ref *slot = &lw->slot_of[reg];
    if (!slot->used) {
        uint32_t lane_bytes = ptx_type_lane_bytes(lw->source->registers[reg].type);
        *slot = ptx_frame_slot(lw, lane_bytes);
        lw->dense_of[reg] = new_dense(lw, lane_bytes / 4);
    }
    return *slot;
}

void ptx_note_src(struct ptx_lower *lw, const struct ptx_op *op, uint16_t dense)
{
    struct isa_inst *inst = ptx_inst_of(lw, op);
    for (uint32_t i = 0; i < inst->n_src; i++) {
        if (inst->src[i] == dense) {
            return;
        }
    }
    if (inst->n_src == ISA_MAX_SRC) {
        PTX_LOWER_FAIL(lw, "%s reads more than %d registers; pass fewer", lw->statement->text,
                       ISA_MAX_SRC);
    }
    inst->src[inst->n_src++] = dense;
}

void ptx_note_dst(struct ptx_lower *lw, const struct ptx_op *op, uint16_t dense)
{
    struct isa_inst *inst = ptx_inst_of(lw, op);
    if (inst->n_dst == ISA_MAX_DST) {
        PTX_LOWER_FAIL(lw, "%s writes more than %d registers; split it", lw->statement->text,
                       ISA_MAX_DST);
    }
    inst->dst[inst->n_dst++] = dense;
}

void ptx_bind_carry(struct ptx_lower *lw, struct ptx_op *op, int dst_k, int src_k)
{
    uint32_t reg = lw->source->n_registers; /* one past the named ones */
    if (!lw->slot_of[reg].used) {
        lw->slot_of[reg] = ptx_frame_slot(lw, 0);
        lw->dense_of[reg] = new_dense(lw, 0);
    }
    if (dst_k >= 0) {
        op->dst[dst_k] = lw->slot_of[reg];
        ptx_note_dst(lw, op, lw->dense_of[reg]);
    }
    if (src_k >= 0) {
        op->src[src_k] = lw->slot_of[reg];
        ptx_note_src(lw, op, lw->dense_of[reg]);
    }
}

/* The number that stands for the address of `variable`. */
static struct ptx_ref variable_address(struct ptx_lower *lw, const struct ptx_operand *o,
                                       uint32_t lane_bytes)
{
    const struct ptx_variable *v = o->variable;
    uint64_t addend = (uint64_t)o->value;
    switch (v->space) {
    case ISA_SPACE_SHARED:
        return ptx_pool(lw, lw->image->shared_offset[v->index] + addend, lane_bytes, NULL);
    case ISA_SPACE_PARAM:
        if (v->of_entry || !lw->source->is_entry) {
            return ptx_pool(lw, v->offset + addend, lane_bytes, NULL);
        }
        PTX_LOWER_FAIL(lw,
                       "the address of call parameter \"%s\" cannot be taken in a kernel; copy "
                       "it to a .local variable",
                       v->name);
    case ISA_SPACE_GLOBAL:
    case ISA_SPACE_CONST:
        if (v->is_external) {
            PTX_LOWER_FAIL(lw,
                           "\"%s\" is declared .extern and not defined in this module; define "
                           "it here",
                           v->name);
        }
        if (lane_bytes != 8) {
            PTX_LOWER_FAIL(lw, "the address of \"%s\" needs a 64-bit register", v->name);
        }
        return ptx_pool(lw, addend, 8, v);
    default:
        PTX_LOWER_FAIL(lw, "the address of .local \"%s\" can be taken with mov or used in [ ] only",
                       v->name);
    }
}

static float f32_of_bits(int64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof(f));
    return f;
}

/* The bits of constant `o` in an operand of `type`. */
static uint64_t constant_bits(struct ptx_lower *lw, const struct ptx_operand *o, enum ptx_type type)
{
    bool is_f32 = o->kind == PTX_OPERAND_F32;
    uint64_t bits = (uint64_t)o->value;
    if (o->kind == PTX_OPERAND_INTEGER) {
        if (type == PTX_F32 || type == PTX_F64) {
            PTX_LOWER_FAIL(lw,
                           "a %s operand needs a float constant; write 0f... or a decimal point",
                           ptx_type_name(type));
        }
        uint32_t width = ptx_type_bytes(type) * 8;
        return type == PTX_PRED ? (bits != 0 ? UINT32_MAX : 0)
               : width < 64     ? bits & ((UINT64_C(1) << width) - 1)
                                : bits;
    }
    if (is_f32 && ptx_type_bytes(type) == 8) {
        double d = (double)f32_of_bits(o->value);
        memcpy(&bits, &d, sizeof(bits));
    } else if (!is_f32 && ptx_type_bytes(type) == 4) {
        double d;
        memcpy(&d, &bits, sizeof(d));
        float f = (float)d;
        uint32_t low;
        memcpy(&low, &f, sizeof(low));
        bits = low;
    } else if (ptx_type_bytes(type) < 4) {
        PTX_LOWER_FAIL(lw, "a float constant does not fit type %s", ptx_type_name(type));
    }
    return bits;
}

static bool width_fits(enum ptx_type have, enum ptx_type want, bool wide)
{
    if (have == PTX_PRED || want == PTX_PRED) {
        return have == want;
    }
    uint32_t h = ptx_type_bytes(have), w = ptx_type_bytes(want);
    return wide ? h >= w : h == w;
}

static struct ptx_ref register_ref(struct ptx_lower *lw, const struct ptx_operand *o,
                                   enum ptx_type type, bool wide)
{
    const struct ptx_register *reg = &lw->source->registers[o->reg];
    if (!width_fits(reg->type, type, wide)) {
        ptx_fail(lw->diag, o->line, o->column,
                 "register %s is %s where %s takes %s; convert it first", reg->name,
                 ptx_type_name(reg->type), lw->statement->text, ptx_type_name(type));
    }
    struct ptx_ref ref = ptx_register_slot(lw, o->reg);
    ref.negated = o->negated;
    if (o->negated && type != PTX_PRED) {
        ptx_fail(lw->diag, o->line, o->column, "'!' applies to predicates only");
    }
    return ref;
}

static void bind_dst(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                     const struct ptx_operand *o, enum ptx_type type, bool wide)
{
    if (o->kind == PTX_OPERAND_SINK) {
        op->dst[k] = ptx_frame_slot(lw, ptx_type_lane_bytes(type));
        return;
    }
    if (o->kind != PTX_OPERAND_REGISTER || o->negated) {
        ptx_fail(lw->diag, o->line, o->column, "the destination of %s must be a register",
                 lw->statement->text);
    }
    op->dst[k] = register_ref(lw, o, type, wide);
    ptx_note_dst(lw, op, lw->dense_of[o->reg]);
}

static void bind_src(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                     const struct ptx_operand *o, enum ptx_type type, bool wide)
{
    uint32_t lane_bytes = ptx_type_lane_bytes(type);
    switch (o->kind) {
    case PTX_OPERAND_REGISTER:
        op->src[k] = register_ref(lw, o, type, wide);
        ptx_note_src(lw, op, lw->dense_of[o->reg]);
        break;
    case PTX_OPERAND_INTEGER:
    case PTX_OPERAND_F32:
    case PTX_OPERAND_F64:
        op->src[k] = ptx_pool(lw, constant_bits(lw, o, type), lane_bytes, NULL);
        break;
    case PTX_OPERAND_ADDRESS:
        if (type == PTX_PRED || ptx_type_bytes(type) < 4) {
            ptx_fail(lw->diag, o->line, o->column, "an address does not fit type %s",
                     ptx_type_name(type));
        }
        op->src[k] = variable_address(lw, o, lane_bytes);
        break;
    case PTX_OPERAND_SPECIAL: {
        enum ptx_type have = ptx_special_info(o->special)->type;
        op->src[k] = ptx_special_slot(lw, o->special);
        if (!width_fits(have, type, false)) {
            ptx_fail(lw->diag, o->line, o->column, "%s is %s where %s takes %s",
                     ptx_special_info(o->special)->name, ptx_type_name(have), lw->statement->text,
                     ptx_type_name(type));
        }
        break;
    }
    default:
        ptx_fail(lw->diag, o->line, o->column, "%s does not take this kind of operand here",
                 lw->statement->text);
    }
}

void ptx_bind_dst(struct ptx_lower *lw, struct ptx_op *op, uint32_t k, const struct ptx_operand *o,
                  enum ptx_type type)
{
    bind_dst(lw, op, k, o, type, false);
}

void ptx_bind_src(struct ptx_lower *lw, struct ptx_op *op, uint32_t k, const struct ptx_operand *o,
                  enum ptx_type type)
{
    bind_src(lw, op, k, o, type, false);
}

void ptx_bind_dst_wide(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                       const struct ptx_operand *o, enum ptx_type type)
{
    bind_dst(lw, op, k, o, type, true);
}

void ptx_bind_src_wide(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                       const struct ptx_operand *o, enum ptx_type type)
{
    bind_src(lw, op, k, o, type, true);
}

void ptx_bind_plain(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type type)
{
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    for (uint32_t i = 1; i < lw->statement->n_operands; i++) {
        ptx_bind_src(lw, op, i - 1, ptx_operand_at(lw, i), type);
    }
}

/* [variable + offset]: the variable must live where the instruction looks. */
static void bind_variable(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                          const struct ptx_operand *o, enum isa_space space)
{
    const struct ptx_variable *v = o->variable;
    bool fits = v->space == space || (space == ISA_SPACE_GENERIC && (v->space == ISA_SPACE_GLOBAL ||
                                                                     v->space == ISA_SPACE_CONST));
    if (!fits) {
        ptx_fail(lw->diag, o->line, o->column,
                 "variable \"%s\" is not in the space that %s reads or "
                 "writes; name the right space",
                 v->name, lw->statement->text);
    }
    if (v->space == ISA_SPACE_LOCAL) { /* relative to where the frame's locals start */
        op->src[k] = (struct ptx_ref){.offset = function_of(lw)->local_base_slot,
                                      .base = PTX_BASE_FRAME,
                                      .bytes = 8,
                                      .used = true};
        op->immediate = (int64_t)(v->offset + (uint64_t)o->value);
    } else if (v->space == ISA_SPACE_PARAM) {
        op->src[k] = ptx_pool(lw, 0, 8, NULL);
        op->immediate = (int64_t)(v->offset + (uint64_t)o->value);
        op->entry_params = v->of_entry;
    } else {
        struct ptx_operand start = *o;
        start.value = 0;
        op->src[k] = variable_address(lw, &start, 8);
        op->immediate = o->value;
    }
}

void ptx_bind_address(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                      const struct ptx_operand *o, enum isa_space space)
{
    if (o->kind != PTX_OPERAND_MEMORY) {
        ptx_fail(lw->diag, o->line, o->column, "%s needs an address in [ ] here",
                 lw->statement->text);
    }
    if (o->pair != NULL) {
        ptx_fail(lw->diag, o->line, o->column, "%s takes one address in [ ], no coordinates",
                 lw->statement->text);
    }
    op->entry_params = lw->source->is_entry;
    if (o->variable != NULL) {
        bind_variable(lw, op, k, o, space);
        return;
    }
    op->immediate = o->value;
    if (o->reg == PTX_NO_INDEX) {
        op->src[k] = ptx_pool(lw, 0, 8, NULL);
        return;
    }
    enum ptx_type type = lw->source->registers[o->reg].type;
    bool narrow = ptx_type_bytes(type) == 4 && space != ISA_SPACE_GENERIC &&
                  space != ISA_SPACE_GLOBAL;
    struct ptx_operand base = *o;
    base.kind = PTX_OPERAND_REGISTER;
    ptx_bind_src(lw, op, k, &base, narrow ? PTX_U32 : PTX_U64);
}
