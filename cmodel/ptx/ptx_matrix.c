/* ptx_matrix.c - see ptx_matrix.h. */
#include "ptx/ptx_matrix.h"

#include <math.h>
#include <string.h>

#include "ptx/ptx_half_math.h"

enum { LANES = 32, BLOCK = 8, MOST_ROWS = 16, MOST_COLS = 16, MOST_K = 256, QUADS = 4 };

static const struct element_row {
    const char *name;
    uint8_t bits;
} elements[PTX_ELEMENT_COUNT] = {
    [PTX_ELEMENT_NONE] = {"", 32},      [PTX_ELEMENT_F16] = {".f16", 16},
    [PTX_ELEMENT_BF16] = {".bf16", 16}, [PTX_ELEMENT_TF32] = {".tf32", 32},
    [PTX_ELEMENT_F32] = {".f32", 32},   [PTX_ELEMENT_F64] = {".f64", 64},
    [PTX_ELEMENT_S8] = {".s8", 8},      [PTX_ELEMENT_U8] = {".u8", 8},
    [PTX_ELEMENT_S4] = {".s4", 4},      [PTX_ELEMENT_U4] = {".u4", 4},
    [PTX_ELEMENT_B1] = {".b1", 1},      [PTX_ELEMENT_S32] = {".s32", 32},
};

enum ptx_element ptx_element_named(const char *name)
{
    for (int e = PTX_ELEMENT_NONE + 1; e < PTX_ELEMENT_COUNT; e++) {
        if (strcmp(name, elements[e].name) == 0) {
            return (enum ptx_element)e;
        }
    }
    return PTX_ELEMENT_NONE;
}

uint32_t ptx_element_bits(enum ptx_element element)
{
    return elements[element].bits;
}

uint32_t ptx_element_count(enum ptx_element element)
{
    return element == PTX_ELEMENT_F64 ? 1 : 32u / elements[element].bits;
}

uint32_t ptx_matrix_registers(enum ptx_element element, uint32_t rows, uint32_t cols)
{
    return rows * cols / LANES / ptx_element_count(element);
}

/* A block is 8 rows of A by the four registers' elements of four lanes, or that of B turned round;
 * of C it is 8 x 8.  Blocks follow each other down the rows first; lanes 4 g to 4 g + 3 have row g
 * of A and C, column g of B. */
struct ptx_element_place ptx_matrix_place(enum ptx_tile_part part, enum ptx_element element,
                                          uint32_t rows, uint32_t cols, uint32_t reg, uint32_t lane,
                                          uint32_t e)
{
    uint32_t n = ptx_element_count(element), group = lane / 4, in_group = lane % 4;
    if (part == PTX_TILE_C) {
        uint32_t at = reg * n + e, down = rows / BLOCK, block = at / 2;
        return (struct ptx_element_place){group + BLOCK * (block % down),
                                          BLOCK * (block / down) + 2 * in_group + at % 2};
    }
    uint32_t deep = 4 * n, along = in_group * n + e;
    if (part == PTX_TILE_A) {
        uint32_t down = rows / BLOCK, across = cols / deep, block = reg % (down * across);
        return (struct ptx_element_place){group + BLOCK * (block % down),
                                          along + deep * (block / down)};
    }
    uint32_t down = rows / deep, across = cols / BLOCK, block = reg % (down * across);
    return (struct ptx_element_place){along + deep * (block % down),
                                      group + BLOCK * (block / down)};
}

struct ptx_element_place ptx_quad_place(const struct ptx_matrix *m, enum ptx_tile_part part,
                                        enum ptx_element element, uint32_t reg, uint32_t lane,
                                        uint32_t e)
{
    uint32_t i = reg * ptx_element_count(element) + e, in_quad = lane % 4;
    uint32_t high = lane < 16 ? 0 : 4;
    if (part == PTX_TILE_A) {
        return m->a_col ? (struct ptx_element_place){i + high, in_quad}
                        : (struct ptx_element_place){in_quad + high, i};
    }
    if (part == PTX_TILE_B) {
        return m->b_col ? (struct ptx_element_place){i, in_quad + high}
                        : (struct ptx_element_place){in_quad, i + high};
    }
    if (element == PTX_ELEMENT_F16) {
        return (struct ptx_element_place){in_quad + high, i};
    }
    return (struct ptx_element_place){(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
}

/* ---- elements as numbers ---- */

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float float_of_f16(uint32_t bits)
{
    uint32_t sign = (bits & 0x8000) << 16, magnitude = (bits & 0x7fff) << 13;
    if (magnitude >= UINT32_C(0x7c00) << 13) { /* infinity, NaN */
        return float_of_bits(sign | 0x7f800000 | magnitude);
    }
    return float_of_bits(sign | magnitude) * 0x1p112f; /* exact; subnormals become normal */
}

static float float_of(enum ptx_element element, uint32_t bits)
{
    switch (element) {
    case PTX_ELEMENT_F16: return float_of_f16(bits);
    case PTX_ELEMENT_BF16: return float_of_bits(bits << 16);
    case PTX_ELEMENT_TF32: return float_of_bits(bits & ~UINT32_C(0x1fff));
    default: return float_of_bits(bits);
    }
}

static uint64_t bits_of_float(enum ptx_element element, float value)
{
    uint32_t bits;
    if (element == PTX_ELEMENT_F16) {
        return ptx_round_double(value, PTX_FORMAT_F16, 0);
    }
    memcpy(&bits, &value, sizeof(bits));
    return value != value ? PTX_NAN_F32 : bits;
}

static int32_t integer_of(enum ptx_element element, uint32_t bits)
{
    switch (element) {
    case PTX_ELEMENT_S8: return (int8_t)bits;
    case PTX_ELEMENT_S4: return (int32_t)(bits ^ 8) - 8;
    case PTX_ELEMENT_S32: return (int32_t)bits;
    default: return (int32_t)bits;
    }
}

/* ---- walking over a part ---- */

struct walk {
    const struct ptx_matrix *matrix;
    enum ptx_tile_part part;
    enum ptx_element element;
    uint32_t rows, cols, registers;
};

static struct walk walk_of(const struct ptx_matrix *m, enum ptx_tile_part part, uint8_t element)
{
    struct walk w = {.matrix = m, .part = part, .element = (enum ptx_element)element};
    w.rows = part == PTX_TILE_B ? m->k : m->m;
    w.cols = part == PTX_TILE_A ? m->k : m->n;
    w.registers = m->quads ? (part == PTX_TILE_C ? 8 : 4) / ptx_element_count(w.element)
                           : ptx_matrix_registers(w.element, w.rows, w.cols);
    return w;
}

/* The index of an element in its part, row by row; of quads, behind the parts before it. */
static uint32_t index_of(const struct walk *w, uint32_t reg, uint32_t lane, uint32_t e)
{
    if (w->matrix->quads) {
        struct ptx_element_place p = ptx_quad_place(w->matrix, w->part, w->element, reg, lane, e);
        return lane / 4 % QUADS * w->rows * w->cols + p.row * w->cols + p.col;
    }
    struct ptx_element_place p = ptx_matrix_place(w->part, w->element, w->rows, w->cols, reg, lane,
                                                  e);
    return p.row * w->cols + p.col;
}

static uint32_t element_bits(const struct walk *w, uint64_t value, uint32_t e)
{
    uint32_t bits = ptx_element_bits(w->element);
    return (uint32_t)(value >> (e * bits)) & (bits == 32 ? UINT32_MAX : (1u << bits) - 1);
}

static void read_floats(const struct walk *w, const uint64_t (*from)[LANES], float *to)
{
    uint32_t n = ptx_element_count(w->element);
    for (uint32_t i = 0; i < w->registers * LANES * n; i++) {
        uint32_t reg = i / LANES / n, lane = i / n % LANES, e = i % n;
        to[index_of(w, reg, lane, e)] = float_of(w->element, element_bits(w, from[reg][lane], e));
    }
}

static void read_integers(const struct walk *w, const uint64_t (*from)[LANES], int32_t *to)
{
    uint32_t n = ptx_element_count(w->element);
    for (uint32_t i = 0; i < w->registers * LANES * n; i++) {
        uint32_t reg = i / LANES / n, lane = i / n % LANES, e = i % n;
        to[index_of(w, reg, lane, e)] = integer_of(w->element, element_bits(w, from[reg][lane], e));
    }
}

static void read_doubles(const struct walk *w, const uint64_t (*from)[LANES], double *to)
{
    for (uint32_t reg = 0; reg < w->registers; reg++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            memcpy(&to[index_of(w, reg, lane, 0)], &from[reg][lane], sizeof(*to));
        }
    }
}

/* ---- products ---- */

/* Of .f16 a product is exact in .f32; the others may leave its range, where fmaf stays exact. */
static void add_products(const struct ptx_matrix *m, const float *a, const float *b, float *sum)
{
    bool exact = m->a == PTX_ELEMENT_F16;
    for (uint32_t row = 0; row < m->m; row++) {
        for (uint32_t k = 0; k < m->k; k++) {
            float left = a[row * m->k + k], *out = &sum[row * m->n];
            const float *right = &b[k * m->n];
            for (uint32_t col = 0; exact && col < m->n; col++) {
                float product = left * right[col];
                out[col] += product;
            }
            for (uint32_t col = 0; !exact && col < m->n; col++) {
                out[col] = fmaf(left, right[col], out[col]);
            }
        }
    }
}

static void multiply_floats(const struct ptx_matrix *m, const uint64_t (*a)[LANES],
                            const uint64_t (*b)[LANES], const uint64_t (*c)[LANES],
                            uint64_t (*d)[LANES])
{
    float left[MOST_ROWS * MOST_COLS] = {0}, right[MOST_ROWS * MOST_COLS] = {0};
    float sum[MOST_ROWS * MOST_COLS] = {0};
    struct walk wa = walk_of(m, PTX_TILE_A, m->a), wb = walk_of(m, PTX_TILE_B, m->b);
    struct walk wc = walk_of(m, PTX_TILE_C, m->c), wd = walk_of(m, PTX_TILE_C, m->d);
    read_floats(&wa, a, left);
    read_floats(&wb, b, right);
    read_floats(&wc, c, sum);
    for (uint32_t q = 0; q < (m->quads ? QUADS : 1u); q++) {
        add_products(m, left + q * m->m * m->k, right + q * m->k * m->n, sum + q * m->m * m->n);
    }
    uint32_t n = ptx_element_count(wd.element), bits = ptx_element_bits(wd.element);
    for (uint32_t reg = 0; reg < wd.registers; reg++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            d[reg][lane] = 0;
            for (uint32_t e = 0; e < n; e++) {
                d[reg][lane] |= bits_of_float(wd.element, sum[index_of(&wd, reg, lane, e)])
                                << (e * bits);
            }
        }
    }
}

static void multiply_doubles(const struct ptx_matrix *m, const uint64_t (*a)[LANES],
                             const uint64_t (*b)[LANES], const uint64_t (*c)[LANES],
                             uint64_t (*d)[LANES])
{
    double left[MOST_ROWS * MOST_COLS], right[MOST_ROWS * MOST_COLS], sum[MOST_ROWS * MOST_COLS];
    struct walk wa = walk_of(m, PTX_TILE_A, m->a), wb = walk_of(m, PTX_TILE_B, m->b);
    struct walk wc = walk_of(m, PTX_TILE_C, m->c);
    read_doubles(&wa, a, left);
    read_doubles(&wb, b, right);
    read_doubles(&wc, c, sum);
    for (uint32_t at = 0; at < (uint32_t)m->m * m->n; at++) {
        for (uint32_t k = 0; k < m->k; k++) {
            sum[at] = fma(left[at / m->n * m->k + k], right[k * m->n + at % m->n], sum[at]);
        }
    }
    for (uint32_t reg = 0; reg < wc.registers; reg++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            double value = sum[index_of(&wc, reg, lane, 0)];
            memcpy(&d[reg][lane], &value, sizeof(value));
            d[reg][lane] = value != value ? PTX_NAN_F64 : d[reg][lane];
        }
    }
}

static int32_t dot(const struct ptx_matrix *m, const int32_t *a, const int32_t *b, int32_t start)
{
    int64_t sum = start; /* at most 256 products of 16 bits: no overflow */
    for (uint32_t k = 0; k < m->k; k++) {
        int32_t left = a[k], right = b[k * m->n];
        sum += m->a != PTX_ELEMENT_B1 ? (int64_t)left * right
               : m->ands              ? left & right
                                      : left ^ right;
    }
    if (m->saturates) {
        return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
    }
    return (int32_t)(uint32_t)(uint64_t)sum;
}

static void multiply_integers(const struct ptx_matrix *m, const uint64_t (*a)[LANES],
                              const uint64_t (*b)[LANES], const uint64_t (*c)[LANES],
                              uint64_t (*d)[LANES])
{
    int32_t left[MOST_ROWS * MOST_K], right[MOST_K * MOST_COLS], sum[MOST_ROWS * MOST_COLS];
    struct walk wa = walk_of(m, PTX_TILE_A, m->a), wb = walk_of(m, PTX_TILE_B, m->b);
    struct walk wc = walk_of(m, PTX_TILE_C, m->c);
    read_integers(&wa, a, left);
    read_integers(&wb, b, right);
    read_integers(&wc, c, sum);
    for (uint32_t at = 0; at < (uint32_t)m->m * m->n; at++) {
        sum[at] = dot(m, &left[at / m->n * m->k], &right[at % m->n], sum[at]);
    }
    for (uint32_t reg = 0; reg < wc.registers; reg++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            d[reg][lane] = (uint32_t)sum[index_of(&wc, reg, lane, 0)];
        }
    }
}

void ptx_matrix_multiply(const struct ptx_matrix *m, const uint64_t (*a)[LANES],
                         const uint64_t (*b)[LANES], const uint64_t (*c)[LANES],
                         uint64_t (*d)[LANES])
{
    if (m->c == PTX_ELEMENT_S32) {
        multiply_integers(m, a, b, c, d);
    } else if (m->c == PTX_ELEMENT_F64) {
        multiply_doubles(m, a, b, c, d);
    } else {
        multiply_floats(m, a, b, c, d);
    }
}
