/* ptx_op_move.c - mov, selp, slct, cvta, isspacep, and packing of vectors (PTX ISA, "Data Movement
 * and Conversion Instructions", "Comparison and Selection Instructions").
 */
#include <string.h>

#include "ptx/ptx_lower.h"

PTX_UNARY(mov_32, ptx_put32, uint32_t, lane_u32, a)
PTX_UNARY(mov_64, ptx_put64, uint64_t, lane_u64, a)

static void mov_pred(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    ptx_put_mask(x, op->dst[0], ptx_mask_of(x, op->src[0]), mask);
}

/* Clocks tick with the machine: the value is taken when the move executes.  Globaltimer counts
 * cycles as well, there is no wall clock. */
static void mov_clock(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint64_t r64[ISA_LANES];
    uint32_t r32[ISA_LANES];
    bool high = op->mode == PTX_CLOCK_HI || op->mode == PTX_GLOBALTIMER_HI;
    x->step->changed = true;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r64[lane] = x->cycle;
        r32[lane] = (uint32_t)(high ? x->cycle >> 32 : x->cycle);
    }
    if (op->dst[0].bytes == 8) {
        ptx_put64(x, op->dst[0], r64, mask);
    } else {
        ptx_put32(x, op->dst[0], r32, mask);
    }
}

static bool is_clock(enum ptx_special s)
{
    return s == PTX_CLOCK || s == PTX_CLOCK_HI || s == PTX_CLOCK64 || s == PTX_GLOBALTIMER ||
           s == PTX_GLOBALTIMER_LO || s == PTX_GLOBALTIMER_HI;
}

/* mov %rd, local_variable: its address in the thread's local space. */
PTX_UNARY(mov_local, ptx_put64, uint64_t, lane_u64, a + (uint64_t)op->immediate)
PTX_UNARY(mov_local_32, ptx_put32, uint32_t, lane_u64, a + (uint64_t)op->immediate)

/* Elements of op->element_bytes each to one value, lowest first. */
static void exec_pack(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint64_t r[ISA_LANES] = {0};
    uint32_t r32[ISA_LANES];
    for (uint32_t e = 0; e < op->n_elements; e++) {
        const lane_u32 *from = ptx_lanes(x, op->src[e]);
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            r[lane] |= (uint64_t)from[lane] << (8 * op->element_bytes * e);
        }
    }
    if (op->dst[0].bytes == 8) {
        ptx_put64(x, op->dst[0], r, mask);
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r32[lane] = (uint32_t)r[lane];
    }
    ptx_put32(x, op->dst[0], r32, mask);
}

static void exec_unpack(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint64_t whole[ISA_LANES];
    uint32_t r[ISA_LANES];
    uint64_t element = (UINT64_C(1) << (8 * op->element_bytes)) - 1;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        whole[lane] = op->src[0].bytes == 8 ? ((const lane_u64 *)ptx_lanes(x, op->src[0]))[lane]
                                            : ((const lane_u32 *)ptx_lanes(x, op->src[0]))[lane];
    }
    for (uint32_t e = 0; e < op->n_elements; e++) {
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            r[lane] = (uint32_t)(whole[lane] >> (8 * op->element_bytes * e) & element);
        }
        ptx_put32(x, op->dst[e], r, mask);
    }
}

static void lower_unpack(struct ptx_lower *lw, enum ptx_type type, const struct ptx_operand *vector,
                         bool pack)
{
    uint32_t n = vector->n_elements, bytes = ptx_type_bytes(type) / n;
    enum ptx_type element = bytes == 4   ? PTX_B32
                            : bytes == 2 ? PTX_B16
                            : bytes == 1 ? PTX_B8
                                         : PTX_NONE;
    if (n < 2 || n > 4 || element == PTX_NONE || bytes * n != ptx_type_bytes(type)) {
        PTX_LOWER_FAIL(lw, "%s cannot be made of %u elements", ptx_type_name(type), n);
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, pack ? exec_pack : exec_unpack);
    op->n_elements = (uint8_t)n;
    op->element_bytes = (uint8_t)bytes;
    for (uint32_t i = 0; i < n; i++) {
        if (pack) {
            ptx_bind_src(lw, op, i, &vector->elements[i], element);
        } else {
            ptx_bind_dst(lw, op, i, &vector->elements[i], element);
        }
    }
    if (pack) {
        ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    } else {
        ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    }
}

static void lower_mov_local(struct ptx_lower *lw, const struct ptx_operand *o, enum ptx_type type)
{
    bool wide = ptx_type_bytes(type) == 8;
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, wide ? mov_local : mov_local_32);
    op->src[0] = (struct ptx_ref){
        .offset = lw->image->functions[lw->function_index].local_base_slot,
        .base = PTX_BASE_FRAME,
        .bytes = 8,
        .used = true};
    op->immediate = (int64_t)(o->variable->offset + (uint64_t)o->value);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
}

static void lower_mov_vector(struct ptx_lower *lw, enum ptx_type type)
{
    const struct ptx_operand *d = ptx_operand_at(lw, 0), *s = ptx_operand_at(lw, 1);
    if (d->kind == PTX_OPERAND_VECTOR && s->kind == PTX_OPERAND_VECTOR) {
        PTX_LOWER_FAIL(lw, "mov between two vectors is not supported; move the elements");
    }
    lower_unpack(lw, type, d->kind == PTX_OPERAND_VECTOR ? d : s, s->kind == PTX_OPERAND_VECTOR);
}

static void lower_mov(struct ptx_lower *lw)
{
    enum ptx_type type = ptx_take_type(lw);
    ptx_operand_count(lw, 2, 2);
    const struct ptx_operand *d = ptx_operand_at(lw, 0), *s = ptx_operand_at(lw, 1);
    if (type == PTX_B128) {
        PTX_LOWER_FAIL(lw, "128-bit registers are not supported; use two of 64 bits");
    }
    if (d->kind == PTX_OPERAND_VECTOR || s->kind == PTX_OPERAND_VECTOR) {
        lower_mov_vector(lw, type);
        return;
    }
    if (s->kind == PTX_OPERAND_ADDRESS && s->variable->space == ISA_SPACE_LOCAL) {
        lower_mov_local(lw, s, type);
        return;
    }
    bool clock = s->kind == PTX_OPERAND_SPECIAL && is_clock(s->special);
    ptx_exec_fn *exec = clock                       ? mov_clock
                        : type == PTX_PRED          ? mov_pred
                        : ptx_type_bytes(type) == 8 ? mov_64
                                                    : mov_32;
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec);
    op->mode = clock ? s->special : 0;
    op->moves = exec == mov_32 || exec == mov_64;
    if (s->kind == PTX_OPERAND_SPECIAL && ptx_type_bytes(type) == 8 &&
        ptx_type_bytes(ptx_special_info(s->special)->type) == 4) {
        PTX_LOWER_FAIL(lw, "%s is 32 bits wide; use mov.u32", ptx_special_info(s->special)->name);
    }
    ptx_bind_plain(lw, op, type);
}

/* selp: the predicate picks a or b. */
static void selp_32(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    uint32_t p = ptx_mask_of(x, op->src[2]), r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint32_t yes = a[lane], no = b[lane];
        r[lane] = (p & ptx_lane_bit[lane]) != 0 ? yes : no;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static void selp_64(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    uint32_t p = ptx_mask_of(x, op->src[2]);
    uint64_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        uint64_t yes = a[lane], no = b[lane];
        r[lane] = (p >> lane & 1) != 0 ? yes : no;
    }
    ptx_put64(x, op->dst[0], r, mask);
}

static void lower_selp(struct ptx_lower *lw)
{
    enum ptx_type type = ptx_take_type(lw);
    ptx_operand_count(lw, 4, 4);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, ptx_type_bytes(type) == 8 ? selp_64 : selp_32);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
    ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), PTX_PRED);
}

/* slct: a when c >= 0 (.f32: -0 counts as >= 0, NaN does not), else b.  mode: 0 .s32, 1 .f32, 2
 * .f32 with denormals flushed to zero. */
static bool selects_first(uint32_t bits, unsigned mode)
{
    if (mode == 0) {
        return (int32_t)bits >= 0;
    }
    float f;
    memcpy(&f, &bits, sizeof(f));
    bool denormal = (bits & 0x7f800000) == 0;
    return f >= 0.0f || (mode == 2 && denormal);
}

PTX_TERNARY(slct_32, ptx_put32, uint32_t, lane_u32, lane_u32, lane_u32,
            selects_first(c, op->mode) ? a : b)
PTX_TERNARY(slct_64, ptx_put64, uint64_t, lane_u64, lane_u64, lane_u32,
            selects_first(c, op->mode) ? a : b)

static void lower_slct(struct ptx_lower *lw)
{
    bool flushes = ptx_take(lw, ".ftz");
    enum ptx_type type = ptx_take_type(lw), chooser = ptx_take_type(lw);
    ptx_operand_count(lw, 4, 4);
    if (chooser != PTX_S32 && chooser != PTX_F32) {
        PTX_LOWER_FAIL(lw, "slct chooses by .s32 or .f32");
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, ptx_type_bytes(type) == 8 ? slct_64 : slct_32);
    op->mode = chooser == PTX_S32 ? 0 : flushes ? 2 : 1;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
    ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), chooser);
}

/* Generic addresses */

static const char *const space_words[] = {".global", ".const", ".shared",       ".shared::cta",
                                          ".local",  ".param", ".param::entry", NULL};
static const enum isa_space spaces[] = {ISA_SPACE_GLOBAL, ISA_SPACE_CONST, ISA_SPACE_SHARED,
                                        ISA_SPACE_SHARED, ISA_SPACE_LOCAL, ISA_SPACE_PARAM,
                                        ISA_SPACE_PARAM};

static enum isa_space take_space(struct ptx_lower *lw)
{
    int word = ptx_take_word(lw, space_words);
    if (word < 0 || spaces[word] == ISA_SPACE_PARAM) {
        PTX_LOWER_FAIL(lw, "%s needs .global, .const, .shared or .local", lw->statement->text);
    }
    return spaces[word];
}

static uint64_t window_of(enum isa_space space)
{
    return space == ISA_SPACE_SHARED  ? PTX_SHARED_WINDOW
           : space == ISA_SPACE_LOCAL ? PTX_LOCAL_WINDOW
                                      : 0;
}

static void lower_cvta(struct ptx_lower *lw)
{
    bool to = ptx_take(lw, ".to");
    enum isa_space space = take_space(lw);
    enum ptx_type type = ptx_take_type(lw);
    ptx_operand_count(lw, 2, 2);
    const struct ptx_operand *s = ptx_operand_at(lw, 1);
    if (type != PTX_U64) {
        PTX_LOWER_FAIL(lw, "cvta works on 64-bit addresses; use .u64");
    }
    uint64_t window = window_of(space);
    if (s->kind == PTX_OPERAND_ADDRESS && s->variable->space == ISA_SPACE_LOCAL) {
        lower_mov_local(lw, s, type);
        lw->image->ops[lw->image->n_ops - 1].immediate += (int64_t)window;
        return;
    }
    /* Adding the window is all that a conversion does. */
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, mov_local);
    op->immediate = (int64_t)(to ? 0 - window : window);
    op->moves = true;
    ptx_bind_plain(lw, op, type);
}

static void exec_isspacep(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *a = ptx_lanes(x, op->src[0]);
    uint64_t base = window_of((enum isa_space)op->mode);
    uint64_t bytes = base == 0 ? PTX_GLOBAL_BYTES : PTX_WINDOW_BYTES;
    uint32_t r = 0;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        bool inside = a[lane] - base < bytes;
        if (op->mode == ISA_SPACE_CONST) {
            inside = ptx_const_at(x->launch, a[lane], 1) != NULL;
        }
        r |= inside ? ptx_lane_bit[lane] : 0;
    }
    ptx_put_mask(x, op->dst[0], r, mask);
}

static void lower_isspacep(struct ptx_lower *lw)
{
    enum isa_space space = take_space(lw);
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_isspacep);
    op->mode = (uint8_t)space;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_PRED);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), PTX_U64);
}

const struct ptx_opcode ptx_opcodes_move[] = {{"mov", lower_mov},           {"selp", lower_selp},
                                              {"slct", lower_slct},         {"cvta", lower_cvta},
                                              {"isspacep", lower_isspacep}, {NULL, NULL}};
