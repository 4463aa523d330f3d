/* ptx_op_matrix.c - mma and wmma.mma: products of matrices that a warp holds (PTX ISA, "Warp
 * Level Matrix Multiply-Accumulate Instructions").
 *
 * A wmma.mma issues one operation for each part of D of 16 x 8 elements (8 x 16 where it has 8 rows),
 * as machines do.  All 32 lanes take part; fewer are a fault.
 */
#include <string.h>

#include "ptx/ptx_op_matrix.h"

enum { ALL_LANES = 7 }; /* the source with the member mask */

bool ptx_whole_warp(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    if (mask == UINT32_MAX) {
        return true;
    }
    ptx_fault(x, ~mask, "%.40s needs all 32 lanes, not 0x%08x", ptx_inst_of_op(x, op)->text, mask);
    return false;
}

void ptx_bind_whole_warp(struct ptx_lower *lw, struct ptx_op *op)
{
    op->src[ALL_LANES] = ptx_pool(lw, UINT32_MAX, 4, NULL);
    op->members_src = ALL_LANES + 1;
}

static void read_registers(const struct ptx_exec *x, const struct ptx_ref *refs, uint32_t n,
                           uint64_t (*to)[ISA_LANES])
{
    for (uint32_t r = 0; r < n; r++) {
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            to[r][lane] = refs[r].bytes == 8 ? ((const lane_u64 *)ptx_lanes(x, refs[r]))[lane]
                                             : ((const lane_u32 *)ptx_lanes(x, refs[r]))[lane];
        }
    }
}

static uint32_t registers_of(const struct ptx_matrix *m, enum ptx_tile_part part)
{
    uint8_t element = part == PTX_TILE_A ? m->a : part == PTX_TILE_B ? m->b : m->c;
    if (m->quads) {
        return (part == PTX_TILE_C ? 8 : 4) / ptx_element_count(element);
    }
    return ptx_matrix_registers(element, part == PTX_TILE_B ? m->k : m->m,
                                part == PTX_TILE_A ? m->k : m->n);
}

static void exec_multiply(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_tile *tile = op->tile;
    const struct ptx_matrix *m = &tile->matrix;
    uint32_t n_a = registers_of(m, PTX_TILE_A), n_b = registers_of(m, PTX_TILE_B);
    uint64_t in[ISA_MAX_SRC][ISA_LANES], out[ISA_MAX_DST][ISA_LANES];
    if (!ptx_whole_warp(x, op, mask)) {
        return;
    }
    read_registers(x, tile->src, n_a + n_b + registers_of(m, PTX_TILE_C), in);
    ptx_matrix_multiply(m, (const uint64_t(*)[ISA_LANES])in, (const uint64_t(*)[ISA_LANES])in + n_a,
                        (const uint64_t(*)[ISA_LANES])in + n_a + n_b, out);
    for (uint32_t r = 0; r < ISA_MAX_DST && tile->dst[r].used; r++) {
        uint32_t narrow[ISA_LANES];
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            narrow[lane] = (uint32_t)out[r][lane];
        }
        if (tile->dst[r].bytes == 8) {
            ptx_put64(x, tile->dst[r], out[r], mask);
        } else {
            ptx_put32(x, tile->dst[r], narrow, mask);
        }
    }
}

/* ---- shapes ---- */

static const struct shape {
    const char *name;
    uint16_t m, n, k;
} shapes[] = {{".m16n16k16", 16, 16, 16}, {".m32n8k16", 32, 8, 16},   {".m8n32k16", 8, 32, 16},
              {".m16n16k8", 16, 16, 8},   {".m8n8k4", 8, 8, 4},       {".m16n8k4", 16, 8, 4},
              {".m16n8k8", 16, 8, 8},     {".m16n8k16", 16, 8, 16},   {".m8n8k16", 8, 8, 16},
              {".m16n8k32", 16, 8, 32},   {".m8n8k32", 8, 8, 32},     {".m16n8k64", 16, 8, 64},
              {".m8n8k128", 8, 8, 128},   {".m16n8k128", 16, 8, 128}, {".m16n8k256", 16, 8, 256}};

/* K of the shapes that mma and wmma have for elements of so many bits; of mma with 8 and 16 rows. */
static bool has_shape(const struct ptx_matrix *m, bool wmma)
{
    uint32_t bits = ptx_element_bits((enum ptx_element)m->a), deep = 4 * ptx_element_count(m->a);
    if (wmma) {
        bool whole = m->m * m->n == 256;
        return bits == 16 || bits == 8    ? whole && m->k == 16
               : m->a == PTX_ELEMENT_TF32 ? whole && m->m == 16 && m->k == 8
                                          : m->m == 8 && m->n == 8 && m->k == deep;
    }
    if (m->n != 8 || m->m > 16) {
        return false;
    }
    if (m->m == 8) {
        return m->a == PTX_ELEMENT_F16                  ? m->k == 4
               : bits == 16 || m->a == PTX_ELEMENT_TF32 ? false
                                                        : m->k == deep;
    }
    return m->k == deep || m->k == 2 * deep || (m->a == PTX_ELEMENT_F64 && m->k == 4 * deep);
}

bool ptx_take_matrix_shape(struct ptx_lower *lw, struct ptx_matrix *m)
{
    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        if (ptx_take(lw, shapes[s].name)) {
            m->m = shapes[s].m;
            m->n = shapes[s].n;
            m->k = shapes[s].k;
            return true;
        }
    }
    return false;
}

enum ptx_element ptx_take_element(struct ptx_lower *lw)
{
    for (uint32_t i = 0; i < lw->statement->n_modifiers; i++) {
        enum ptx_element e = ptx_element_named(lw->statement->modifiers[i]);
        if ((lw->taken_modifiers >> i & 1) == 0 && e != PTX_ELEMENT_NONE) {
            lw->taken_modifiers |= 1u << i;
            return e;
        }
    }
    return PTX_ELEMENT_NONE;
}

static bool is_integer(uint8_t element)
{
    return element >= PTX_ELEMENT_S8 && element <= PTX_ELEMENT_B1;
}

/* Does the manual have a product of these four types? */
static bool types_fit(const struct ptx_matrix *m)
{
    bool signs = m->a != m->b && is_integer(m->a) && is_integer(m->b) &&
                 ptx_element_bits((enum ptx_element)m->a) ==
                     ptx_element_bits((enum ptx_element)m->b);
    if (is_integer(m->a)) {
        return (m->a == m->b || signs) && m->c == PTX_ELEMENT_S32 && m->d == PTX_ELEMENT_S32;
    }
    if (m->a != m->b || m->a == PTX_ELEMENT_NONE || m->a == PTX_ELEMENT_S32) {
        return false;
    }
    if (m->a == PTX_ELEMENT_F16) {
        return (m->c == PTX_ELEMENT_F16 || m->c == PTX_ELEMENT_F32) &&
               (m->d == PTX_ELEMENT_F16 || m->d == PTX_ELEMENT_F32);
    }
    uint8_t sum = m->a == PTX_ELEMENT_F64 ? PTX_ELEMENT_F64 : PTX_ELEMENT_F32;
    return m->a != PTX_ELEMENT_F32 && m->c == sum && m->d == sum;
}

static void take_types(struct ptx_lower *lw, struct ptx_matrix *m)
{
    enum ptx_element e[4];
    uint32_t n = 0;
    while (n < 4 && (e[n] = ptx_take_element(lw)) != PTX_ELEMENT_NONE) {
        n++;
    }
    if (n == 2) { /* wmma of .f16: D and C */
        m->d = (uint8_t)e[0];
        m->a = m->b = PTX_ELEMENT_F16;
        m->c = (uint8_t)e[1];
    } else if (n == 4) {
        m->d = (uint8_t)e[0];
        m->a = (uint8_t)e[1];
        m->b = (uint8_t)e[2];
        m->c = (uint8_t)e[3];
    }
}

static void take_matrix(struct ptx_lower *lw, struct ptx_matrix *m, bool wmma)
{
    bool sync = ptx_take(lw, ".sync");
    ptx_take(lw, ".aligned");
    bool shape = ptx_take_matrix_shape(lw, m);
    if (!sync || !shape) {
        PTX_LOWER_FAIL(lw, "%s lacks .sync or a shape such as .m16n8k16", lw->statement->text);
    }
    take_types(lw, m);
    bool pops = ptx_take(lw, ".popc");
    m->ands = ptx_take(lw, ".and");
    bool excludes = ptx_take(lw, ".xor");
    m->saturates = ptx_take(lw, ".satfinite");
    ptx_take(lw, ".rn");
    if (!types_fit(m) || !has_shape(m, wmma) || pops != (m->a == PTX_ELEMENT_B1) ||
        (m->ands || excludes) != pops || (m->saturates && m->c != PTX_ELEMENT_S32)) {
        PTX_LOWER_FAIL(lw,
                       "%s is no product of matrices that sm_80 has; use a shape and types of it",
                       lw->statement->text);
    }
    m->quads = !wmma && m->a == PTX_ELEMENT_F16 && m->m == 8;
}

/* ---- lowering ---- */

const struct ptx_operand *ptx_vector_registers(struct ptx_lower *lw, uint32_t index, uint32_t n)
{
    const struct ptx_operand *o = ptx_operand_at(lw, index);
    bool vector = o->kind == PTX_OPERAND_VECTOR;
    if ((vector ? o->n_elements : 1) != n) {
        PTX_LOWER_FAIL(lw, "operand %u of %s needs %u registers", index + 1, lw->statement->text,
                       n);
    }
    return vector ? o->elements : o;
}

static enum ptx_type register_type(uint8_t element)
{
    return element == PTX_ELEMENT_F64 ? PTX_B64 : PTX_B32;
}

/* `o` as source `k` or destination `k` of the tile: through the operation's first one. */
static void bind_tile(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                      const struct ptx_operand *o, uint8_t element, bool is_dst)
{
    if (is_dst) {
        ptx_bind_dst(lw, op, 0, o, register_type(element));
        op->tile->dst[k] = op->dst[0];
        op->dst[0] = (struct ptx_ref){0};
    } else {
        ptx_bind_src(lw, op, 0, o, register_type(element));
        op->tile->src[k] = op->src[0];
        op->src[0] = (struct ptx_ref){0};
    }
}

/* The four parts of a statement, and the registers of each that one operation takes. */
struct parts {
    const struct ptx_operand *a, *b, *c, *d;
};

struct choice {
    uint32_t first, n, step_at,
        step; /* r-th of n: first + r, and `step` more from each step_at on */
};

static const struct ptx_operand *chosen(const struct ptx_operand *o, const struct choice *c,
                                        uint32_t r)
{
    return &o[c->first + r % c->step_at + r / c->step_at * c->step];
}

static void emit_part(struct ptx_lower *lw, const struct ptx_matrix *m, const struct parts *p,
                      const struct choice choice[4])
{
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_TENSOR, exec_multiply);
    uint32_t at = 0;
    op->tile = ptx_alloc(lw->diag, 1, sizeof(*op->tile));
    op->tile->matrix = *m;
    for (uint32_t r = 0; r < choice[3].n; r++) {
        bind_tile(lw, op, r, chosen(p->d, &choice[3], r), m->d, true);
    }
    for (uint32_t r = 0; r < choice[0].n; r++) {
        bind_tile(lw, op, at++, chosen(p->a, &choice[0], r), m->a, false);
    }
    for (uint32_t r = 0; r < choice[1].n; r++) {
        bind_tile(lw, op, at++, chosen(p->b, &choice[1], r), m->b, false);
    }
    for (uint32_t r = 0; r < choice[2].n; r++) {
        bind_tile(lw, op, at++, chosen(p->c, &choice[2], r), m->c, false);
    }
    ptx_bind_whole_warp(lw, op);
}

static struct choice all_of(uint32_t first, uint32_t n)
{
    return (struct choice){first, n, n, n};
}

static uint32_t registers_of_d(const struct ptx_matrix *m)
{
    struct ptx_matrix as_c = *m;
    as_c.c = m->d;
    return registers_of(&as_c, PTX_TILE_C);
}

static void emit_whole(struct ptx_lower *lw, const struct ptx_matrix *m)
{
    uint32_t n_d = registers_of_d(m), n_c = registers_of(m, PTX_TILE_C);
    uint32_t n_a = registers_of(m, PTX_TILE_A), n_b = registers_of(m, PTX_TILE_B);
    struct parts p = {.d = ptx_vector_registers(lw, 0, n_d),
                      .a = ptx_vector_registers(lw, 1, n_a),
                      .b = ptx_vector_registers(lw, 2, n_b),
                      .c = ptx_vector_registers(lw, 3, n_c)};
    struct choice choice[] = {all_of(0, n_a), all_of(0, n_b), all_of(0, n_c), all_of(0, n_d)};
    emit_part(lw, m, &p, choice);
}

static bool take_layouts(struct ptx_lower *lw, struct ptx_matrix *m)
{
    const struct ptx_statement *st = lw->statement;
    uint32_t n = 0;
    for (uint32_t i = 0; i < st->n_modifiers; i++) {
        bool col = strcmp(st->modifiers[i], ".col") == 0;
        if (col || strcmp(st->modifiers[i], ".row") == 0) {
            lw->taken_modifiers |= 1u << i;
            *(n == 0 ? &m->a_col : &m->b_col) = col;
            n++;
        }
    }
    return n == 2;
}

static void lower_mma(struct ptx_lower *lw)
{
    struct ptx_matrix m = {0};
    ptx_operand_count(lw, 4, 4);
    take_matrix(lw, &m, false);
    if (!take_layouts(lw, &m) || (!m.quads && (m.a_col || !m.b_col))) {
        PTX_LOWER_FAIL(lw, "%s lacks the layouts of A and B; write .row.col", lw->statement->text);
    }
    emit_whole(lw, &m);
}

/* D in parts of 16 x 8, or of 8 x 16 where it has 8 rows. */
static void lower_wmma_mma(struct ptx_lower *lw)
{
    struct ptx_matrix m = {0}, part;
    ptx_operand_count(lw, 4, 4);
    take_matrix(lw, &m, true);
    if (!take_layouts(lw, &m)) {
        PTX_LOWER_FAIL(lw, "%s lacks the layouts of A and B; write .row.col", lw->statement->text);
    }
    m.a_col = m.b_col = false; /* fragments lie the same way, however they were loaded */
    if (m.m * m.n == 64) {
        emit_whole(lw, &m);
        return;
    }
    part = m;
    part.m = m.m == 8 ? 8 : 16;
    part.n = m.m == 8 ? 16 : 8;
    bool half = m.a == PTX_ELEMENT_F16;
    uint32_t n_a = registers_of(&part, PTX_TILE_A), n_b = registers_of(&part, PTX_TILE_B);
    uint32_t n_c = registers_of(&part, PTX_TILE_C), n_d = registers_of_d(&part);
    struct parts p = {.d = ptx_vector_registers(lw, 0, registers_of_d(&m)),
                      .a = ptx_vector_registers(lw, 1, half ? 8 : registers_of(&m, PTX_TILE_A)),
                      .b = ptx_vector_registers(lw, 2, half ? 8 : registers_of(&m, PTX_TILE_B)),
                      .c = ptx_vector_registers(lw, 3, registers_of(&m, PTX_TILE_C))};
    uint32_t down = part.m / 8;
    for (uint32_t i = 0; i < (uint32_t)m.m / part.m; i++) {
        for (uint32_t j = 0; j < (uint32_t)m.n / part.n; j++) {
            uint32_t at = i + j; /* one of the two is 0 */
            struct choice choice[] = {{i * down, n_a, down, m.m / 8u},
                                      all_of(j * n_b, n_b),
                                      all_of(at * n_c, n_c),
                                      all_of(at * n_d, n_d)};
            emit_part(lw, &part, &p, choice);
        }
    }
}

static void lower_wmma(struct ptx_lower *lw)
{
    if (ptx_take(lw, ".mma")) {
        lower_wmma_mma(lw);
    } else {
        ptx_lower_fragment(lw);
    }
}

const struct ptx_opcode ptx_opcodes_matrix[] = {{"mma", lower_mma},
                                                {"wmma", lower_wmma},
                                                {"movmatrix", ptx_lower_movmatrix},
                                                {"ldmatrix", ptx_lower_ldmatrix},
                                                {"stmatrix", ptx_lower_stmatrix},
                                                {NULL, NULL}};
