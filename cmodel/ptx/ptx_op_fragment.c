/* ptx_op_fragment.c - wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix: matrices between memory and
 * the registers of a warp (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
 *
 * wmma.load and wmma.store issue one access for each register, two registers at once where they lie
 * side by side, and one for each element where those of a register lie apart.
 */
#include <string.h>

#include "ptx/ptx_op_matrix.h"

enum { ROW_BYTES = 16, MATRIX_ROWS = 8, OLD_SRC = 6 };

/* ---- wmma.load, wmma.store ---- */

static void exec_fragment(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_fragment *f = op->fragment;
    const lane_u32 *stride = ptx_lanes(x, op->src[PTX_STRIDE_SRC]);
    uint32_t bits = ptx_element_bits((enum ptx_element)f->element);
    if (x->w->pending == 0 && !ptx_whole_warp(x, op, mask)) {
        return;
    }
    ptx_lane_addresses(x, op, x->memop->addr);
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        struct ptx_element_place p = ptx_matrix_place((enum ptx_tile_part)f->part,
                                                      (enum ptx_element)f->element, f->rows,
                                                      f->cols, f->reg, lane, f->e);
        uint64_t by = f->by_columns ? p.col : p.row, rest = f->by_columns ? p.row : p.col;
        uint64_t packed = f->by_columns ? f->rows : f->cols;
        uint64_t at = by * (f->has_stride ? stride[lane] : packed) + rest;
        x->memop->addr[lane] += at * bits / 8;
        x->memop->addr[lane] &= op->src[0].bytes == 8 ? UINT64_MAX : UINT32_MAX;
    }
    ptx_access_at(x, op, mask);
}

static void exec_repeat(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    ptx_put32(x, op->dst[0], ptx_lanes(x, op->src[0]), mask);
}

struct fragment_access {
    struct ptx_fragment fragment;
    enum isa_space space;
    bool load;
    const struct ptx_operand *registers, *address, *stride;
    uint32_t n;        /* registers */
    uint32_t together; /* registers that one access moves */
    uint32_t pieces;   /* accesses for one register */
};

static void bind_data(struct ptx_lower *lw, struct ptx_op *op, const struct fragment_access *a,
                      uint32_t reg, enum ptx_type type)
{
    for (uint32_t i = 0; i < a->together; i++) {
        if (a->load) {
            ptx_bind_dst(lw, op, i, &a->registers[reg + i], type);
        } else {
            ptx_bind_src(lw, op, i + 1, &a->registers[reg + i], type);
        }
    }
    if (a->load && op->piece != 0) { /* what is there stays, but for the piece */
        ptx_bind_src(lw, op, OLD_SRC, &a->registers[reg], type);
        op->mode = PTX_LOAD_PIECE;
    }
}

static void emit_access(struct ptx_lower *lw, const struct fragment_access *a, uint32_t reg,
                        uint32_t piece)
{
    struct ptx_op *op = ptx_emit(lw, ptx_pipe_of(a->space), exec_fragment);
    struct ptx_fragment *f = ptx_alloc(lw->diag, 1, sizeof(*f));
    struct isa_inst *inst = ptx_inst_of(lw, op);
    enum ptx_type type = a->fragment.element == PTX_ELEMENT_F64 ? PTX_B64 : PTX_B32;
    *f = a->fragment;
    f->reg = (uint8_t)reg;
    f->e = (uint8_t)piece;
    op->fragment = f;
    op->n_elements = (uint8_t)a->together;
    op->element_bytes = (uint8_t)(ptx_type_bytes(type) / a->pieces);
    op->piece = (uint8_t)(piece * op->element_bytes);
    inst->access = a->load ? ISA_ACCESS_LOAD : ISA_ACCESS_STORE;
    inst->space = (uint8_t)a->space;
    inst->bytes = (uint8_t)(op->element_bytes * op->n_elements);
    ptx_bind_address(lw, op, 0, a->address, a->space);
    bind_data(lw, op, a, reg, type);
    if (a->stride != NULL) {
        ptx_bind_src(lw, op, PTX_STRIDE_SRC, a->stride, PTX_U32);
    }
    if (a->stride == NULL) {
        op->src[PTX_STRIDE_SRC] = ptx_pool(lw, 0, 4, NULL);
    }
    ptx_bind_whole_warp(lw, op);
}

static void emit_repeat(struct ptx_lower *lw, const struct fragment_access *a, uint32_t reg,
                        uint32_t from)
{
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_repeat);
    ptx_bind_dst(lw, op, 0, &a->registers[reg], PTX_B32);
    ptx_bind_src(lw, op, 0, &a->registers[from], PTX_B32);
}

/* How many rows and columns the part has, and whether its registers' elements lie side by side. */
static void lay_out(struct fragment_access *a, const struct ptx_matrix *m)
{
    struct ptx_fragment *f = &a->fragment;
    enum ptx_element element = (enum ptx_element)f->element;
    uint32_t count = ptx_element_count(element);
    bool along_row = f->part != PTX_TILE_B;
    f->rows = f->part == PTX_TILE_B ? m->k : m->m;
    f->cols = f->part == PTX_TILE_A ? m->k : m->n;
    a->n = ptx_matrix_registers(element, f->rows, f->cols);
    a->pieces = along_row == f->by_columns ? count : 1;
    a->together = f->part == PTX_TILE_C && !f->by_columns && count == 1 ? 2 : 1;
}

/* Does wmma have the part with this shape and type? */
static bool is_part(const struct ptx_matrix *m, const struct ptx_fragment *f)
{
    bool sum = f->element == PTX_ELEMENT_F32 || f->element == PTX_ELEMENT_S32 ||
               f->element == PTX_ELEMENT_F16 || f->element == PTX_ELEMENT_F64;
    bool small = m->m == 8 && m->n == 8, big = m->m * m->n == 256 && (m->k == 16 || m->k == 8);
    uint32_t bits = ptx_element_bits((enum ptx_element)f->element);
    if (f->element == PTX_ELEMENT_NONE || !(small || big)) {
        return false;
    }
    if (f->part == PTX_TILE_C) {
        bool f64 = f->element == PTX_ELEMENT_F64;
        return sum && (big ? !f64 : f64 ? m->k == 4 : f->element == PTX_ELEMENT_S32);
    }
    bool plain = f->part == PTX_TILE_A ? !f->by_columns : f->by_columns;
    return bits == 16 || bits == 8          ? big && m->k == 16
           : f->element == PTX_ELEMENT_TF32 ? big && m->k == 8
           : f->element == PTX_ELEMENT_F64  ? small && m->k == 4
           : bits < 8                       ? small && plain && m->k == 128 / bits
                                            : false;
}

static struct fragment_access take_fragment(struct ptx_lower *lw)
{
    static const char *const parts[] = {".a", ".b", ".c", ".d", NULL};
    static const char *const layouts[] = {".row", ".col", NULL};
    struct fragment_access a = {.load = ptx_take(lw, ".load")};
    struct ptx_matrix m = {0};
    bool store = ptx_take(lw, ".store");
    int part = ptx_take_word(lw, parts);
    bool sync = ptx_take(lw, ".sync") && ptx_take(lw, ".aligned");
    int layout = ptx_take_word(lw, layouts);
    bool shape = ptx_take_matrix_shape(lw, &m);
    a.space = ptx_take_space(lw);
    a.fragment.element = (uint8_t)ptx_take_element(lw);
    a.fragment.part = (uint8_t)(part == 3 ? PTX_TILE_C : part);
    a.fragment.by_columns = layout == 1;
    bool named = store ? part == 3 : part >= 0 && part < 3;
    bool space = a.space == ISA_SPACE_GLOBAL || a.space == ISA_SPACE_SHARED ||
                 a.space == ISA_SPACE_GENERIC;
    if (a.load == store || !named || !sync || layout < 0 || !shape || !space ||
        !is_part(&m, &a.fragment)) {
        PTX_LOWER_FAIL(lw,
                       "%s is no part of a matrix that wmma has on sm_80; use a shape and type "
                       "of it",
                       lw->statement->text);
    }
    lay_out(&a, &m);
    return a;
}

void ptx_lower_fragment(struct ptx_lower *lw)
{
    struct fragment_access a = take_fragment(lw);
    ptx_operand_count(lw, 2, 3);
    bool repeats = a.fragment.part != PTX_TILE_C && a.fragment.element == PTX_ELEMENT_F16;
    uint32_t written = repeats ? 8 : a.n;
    a.registers = ptx_vector_registers(lw, a.load ? 0 : 1, written);
    a.address = ptx_operand_at(lw, a.load ? 1 : 0);
    a.stride = lw->statement->n_operands == 3 ? ptx_operand_at(lw, 2) : NULL;
    a.fragment.has_stride = a.stride != NULL;
    for (uint32_t piece = 0; piece < a.pieces; piece++) {
        for (uint32_t reg = 0; reg < a.n; reg += a.together) {
            emit_access(lw, &a, reg, piece);
        }
    }
    for (uint32_t reg = a.n; reg < written; reg++) {
        emit_repeat(lw, &a, reg, reg % a.n);
    }
}

/* ---- ldmatrix, stmatrix ---- */

/* The rows' places in shared memory, one of a lane each; false after a fault. */
static bool find_rows(struct ptx_exec *x, const struct ptx_op *op, uint8_t **row)
{
    struct isa_memop *memop = x->memop;
    const struct isa_inst *inst = ptx_inst_of_op(x, op);
    uint32_t rows = op->n_elements * MATRIX_ROWS;
    ptx_lane_addresses(x, op, memop->addr);
    for (uint32_t lane = 0; inst->space == ISA_SPACE_GENERIC && lane < rows; lane++) {
        memop->addr[lane] -= PTX_SHARED_WINDOW;
    }
    uint32_t mask = rows == ISA_LANES ? UINT32_MAX : (1u << rows) - 1;
    mask = ptx_check_lanes(x, mask, memop->addr, ROW_BYTES, x->w->place.shared_bytes,
                           ISA_SPACE_SHARED);
    if (mask == 0) {
        return false;
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        bool on = (mask & ptx_lane_bit[lane]) != 0;
        row[lane] = on ? x->w->place.shared + memop->addr[lane] : NULL;
    }
    memop->inst = inst;
    memop->space = ISA_SPACE_SHARED;
    memop->mask = mask;
    x->step->kind = ISA_STEP_SHARED;
    return true;
}

/* Element `half` of a lane's two of one matrix: its row, and the byte in it; exchanged by .trans. */
static void element_of(const struct ptx_op *op, uint32_t lane, uint32_t half, uint32_t *row,
                       uint32_t *byte)
{
    uint32_t along = lane % 4 * 2 + half, across = lane / 4;
    *row = op->mode != 0 ? along : across;
    *byte = 2 * (op->mode != 0 ? across : along);
}

static void exec_ldmatrix(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint8_t *rows[ISA_LANES];
    if (!ptx_whole_warp(x, op, mask) || !find_rows(x, op, rows)) {
        return;
    }
    for (uint32_t e = 0; e < op->n_elements; e++) {
        uint32_t r[ISA_LANES] = {0};
        for (uint32_t i = 0; i < 2 * ISA_LANES; i++) {
            uint32_t row, byte;
            element_of(op, i / 2, i % 2, &row, &byte);
            const uint8_t *from = rows[e * MATRIX_ROWS + row];
            r[i / 2] |= from == NULL ? 0 : (uint32_t)ptx_read_bytes(from + byte, 2) << i % 2 * 16;
        }
        ptx_put32(x, op->dst[e], r, mask);
    }
}

static void exec_stmatrix(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint8_t *rows[ISA_LANES];
    if (!ptx_whole_warp(x, op, mask) || !find_rows(x, op, rows)) {
        return;
    }
    for (uint32_t i = 0; i < 2 * ISA_LANES * op->n_elements; i++) {
        uint32_t e = i / 2 / ISA_LANES, lane = i / 2 % ISA_LANES, row, byte;
        const lane_u32 *from = ptx_lanes(x, op->src[1 + e]);
        uint16_t value = (uint16_t)(from[lane] >> i % 2 * 16);
        element_of(op, lane, i % 2, &row, &byte);
        uint8_t *to = rows[e * MATRIX_ROWS + row];
        if (to != NULL) {
            x->step->changed |= x->step->notice && memcmp(to + byte, &value, 2) != 0;
            memcpy(to + byte, &value, 2);
        }
    }
    for (uint32_t lane = 0; lane < ISA_LANES && x->step->checked; lane++) {
        if (rows[lane] != NULL) {
            memcpy(x->memop->data[lane], rows[lane], ROW_BYTES);
        }
    }
}

static void lower_rows(struct ptx_lower *lw, bool load)
{
    static const char *const counts[] = {".x1", ".x2", ".x4", NULL};
    bool sync = ptx_take(lw, ".sync") && ptx_take(lw, ".aligned");
    bool shape = ptx_take(lw, ".m8n8");
    int count = ptx_take_word(lw, counts);
    bool trans = ptx_take(lw, ".trans");
    enum isa_space space = ptx_take_space(lw);
    if (!sync || !shape || count < 0 || ptx_take_optional_type(lw) != PTX_B16 ||
        (space != ISA_SPACE_SHARED && space != ISA_SPACE_GENERIC)) {
        PTX_LOWER_FAIL(lw,
                       "%s is not supported; use %s.sync.aligned.m8n8.x1, .x2 or .x4 with "
                       ".shared.b16",
                       lw->statement->text, lw->statement->opcode);
    }
    ptx_operand_count(lw, 2, 2);
    uint32_t n = 1u << count;
    const struct ptx_operand *registers = ptx_vector_registers(lw, load ? 0 : 1, n);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_SHARED, load ? exec_ldmatrix : exec_stmatrix);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    op->mode = trans;
    op->n_elements = (uint8_t)n;
    inst->access = load ? ISA_ACCESS_LOAD : ISA_ACCESS_STORE;
    inst->space = (uint8_t)space;
    inst->bytes = ROW_BYTES;
    ptx_bind_address(lw, op, 0, ptx_operand_at(lw, load ? 1 : 0), space);
    for (uint32_t e = 0; e < n; e++) {
        if (load) {
            ptx_bind_dst(lw, op, e, &registers[e], PTX_B32);
        } else {
            ptx_bind_src(lw, op, 1 + e, &registers[e], PTX_B32);
        }
    }
    ptx_bind_whole_warp(lw, op);
}

void ptx_lower_ldmatrix(struct ptx_lower *lw)
{
    lower_rows(lw, true);
}

void ptx_lower_stmatrix(struct ptx_lower *lw)
{
    lower_rows(lw, false);
}

/* movmatrix: 8 x 8 elements of 16 bits, turned round. */
static void exec_movmatrix(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]);
    uint32_t r[ISA_LANES];
    if (!ptx_whole_warp(x, op, mask)) {
        return;
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        uint32_t col = lane / 4, row = lane % 4 * 2, shift = col % 2 * 16;
        uint32_t low = a[row * 4 + col / 2] >> shift & 0xffff;
        uint32_t high = a[(row + 1) * 4 + col / 2] >> shift & 0xffff;
        r[lane] = low | high << 16;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

void ptx_lower_movmatrix(struct ptx_lower *lw)
{
    bool sync = ptx_take(lw, ".sync") && ptx_take(lw, ".aligned");
    bool shape = ptx_take(lw, ".m8n8") && ptx_take(lw, ".trans");
    if (!sync || !shape || ptx_take_type(lw) != PTX_B16) {
        PTX_LOWER_FAIL(lw, "movmatrix is movmatrix.sync.aligned.m8n8.trans.b16");
    }
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_TENSOR, exec_movmatrix);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_B32);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), PTX_B32);
    ptx_bind_whole_warp(lw, op);
}
