/* test_ptx_mma.c - mma against products in plain C, for every shape and type.
 *
 * The places of elements are those of the PTX ISA's sections "Matrix Fragments for mma...", in its
 * words: element i of a lane, groupID, threadID_in_group.
 */
#include "test_ptx_matrix.h"

/* ---- places, as the manual gives them ---- */

struct place {
    uint32_t row, col;
};

static struct place place_a(uint32_t m, const char *type, uint32_t lane, uint32_t i)
{
    uint32_t g = lane >> 2, t = lane % 4;
    if (m == 8) {
        return (struct place){g, t * in_register(type) + i};
    }
    switch (type_bits(type)) {
    case 16:
        return (struct place){i < 2 || (4 <= i && i < 6) ? g : g + 8,
                              t * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    case 8:
        return (struct place){i < 4 || (8 <= i && i < 12) ? g : g + 8,
                              t * 4 + (i & 3) + (i < 8 ? 0 : 16)};
    case 4:
        return (struct place){i < 8 || (16 <= i && i < 24) ? g : g + 8,
                              t * 8 + (i & 7) + (i < 16 ? 0 : 32)};
    case 1:
        return (struct place){i < 32 || (64 <= i && i < 96) ? g : g + 8,
                              t * 32 + (i & 31) + (i < 64 ? 0 : 128)};
    default: /* .tf32, .f64 */
        return (struct place){i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
    }
}

static struct place place_b(const char *type, uint32_t lane, uint32_t i)
{
    uint32_t g = lane >> 2, t = lane % 4;
    switch (type_bits(type)) {
    case 16: return (struct place){t * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
    case 8: return (struct place){t * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
    case 4: return (struct place){t * 8 + (i & 7) + (i < 8 ? 0 : 32), g};
    case 1: return (struct place){t * 32 + (i & 31) + (i < 32 ? 0 : 128), g};
    default: return (struct place){t + i * 4, g};
    }
}

static struct place place_c(uint32_t lane, uint32_t i)
{
    return (struct place){i < 2 ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 2 + (i & 1)};
}

/* m8n8k4 with .f16: the quad of a lane is lane / 4 % 4. */
static struct place place_quad(char part, const char *type, bool col, uint32_t lane, uint32_t i)
{
    uint32_t up = lane < 16 ? 0 : 4;
    if (part == 'a') {
        return col ? (struct place){i % 4 + up, lane % 4} : (struct place){lane % 4 + up, i};
    }
    if (part == 'b') {
        return col ? (struct place){i, lane % 4 + up} : (struct place){lane % 4, i + up};
    }
    if (is_type(type, "f16")) {
        return (struct place){lane % 4 + up, i};
    }
    return (struct place){(lane & 1) + (i & 2) + up, (i & 4) + (lane & 2) + (i & 1)};
}

/* ---- the kernel ---- */

enum { PART_BYTES = 16 * 32 * 8 };

struct product {
    const char *shape, *a, *b, *c, *d, *more; /* more: behind the types, or in front of them */
    uint32_t m, n, k;
    int operation;
    bool saturate;
};

static uint32_t append_vector(char *text, size_t n, char first, uint32_t from, uint32_t count)
{
    uint32_t used = (uint32_t)snprintf(text, n, "{");
    for (uint32_t r = 0; r < count; r++) {
        used += (uint32_t)snprintf(text + used, n - used, "%s%%%c%u", r == 0 ? "" : ",", first,
                                   from + r);
    }
    return used + (uint32_t)snprintf(text + used, n - used, "}");
}

/* Registers of each part from memory, the product, and back: part p at out + p * PART_BYTES, register
 * r of a lane at (r * 32 + lane) * 8. */
static void run_product(struct test_gpu *gpu, const char *opcode, char kind, const uint32_t n[4])
{
    char text[8192];
    uint32_t used = 0, reg = 2, first[4];
    const char *load = kind == 'd' ? "b64" : "b32";
    used += (uint32_t)snprintf(text, sizeof(text),
                               "mul.wide.u32 %%d2, %%r0, 8;\nadd.u64 %%d2, %%d2, %%d0;\n");
    reg = kind == 'd' ? 3 : 2;
    for (uint32_t p = 0; p < 4; p++) {
        first[p] = reg;
        reg += n[p];
        for (uint32_t r = 0; p < 3 && r < n[p]; r++) {
            used += (uint32_t)snprintf(text + used, sizeof(text) - used,
                                       "ld.global.%s %%%c%u, [%%d2+%u];\n", load, kind,
                                       first[p] + r, p * PART_BYTES + r * 256);
        }
    }
    used += (uint32_t)snprintf(text + used, sizeof(text) - used, "%s ", opcode);
    static const uint32_t order[] = {3, 0, 1, 2};
    for (uint32_t o = 0; o < 4; o++) {
        used += append_vector(text + used, sizeof(text) - used, kind, first[order[o]], n[order[o]]);
        used += (uint32_t)snprintf(text + used, sizeof(text) - used, o < 3 ? ", " : ";\n");
    }
    for (uint32_t r = 0; r < n[3]; r++) {
        used += (uint32_t)snprintf(text + used, sizeof(text) - used,
                                   "st.global.%s [%%d2+%u], %%%c%u;\n", load,
                                   3 * PART_BYTES + r * 256, kind, first[3] + r);
    }
    if (test_run_body(gpu, text, 32) != 0) {
        fail_msg("%s: %s", opcode, gpu->error);
    }
}

static void put_element(struct test_gpu *gpu, uint32_t part, const char *type, uint32_t lane,
                        uint32_t i, uint64_t bits)
{
    uint32_t n = in_register(type), reg = i / n;
    uint64_t word;
    uint8_t *at = gpu->memory + part * PART_BYTES + (reg * 32 + lane) * 8;
    memcpy(&word, at, 8);
    word |= bits << (i % n * type_bits(type));
    memcpy(at, &word, 8);
}

static uint64_t get_element(const struct test_gpu *gpu, const char *type, uint32_t lane, uint32_t i)
{
    uint32_t n = in_register(type), bits = type_bits(type);
    uint64_t word;
    memcpy(&word, gpu->memory + 3 * PART_BYTES + (i / n * 32 + lane) * 8, 8);
    return bits == 64 ? word : word >> (i % n * bits) & ((UINT64_C(1) << bits) - 1);
}

static void check_product(const struct product *p, uint32_t round)
{
    static struct matrix a, b, c;
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t state = 77 + round;
    char opcode[160];
    uint32_t n[4] = {p->m * p->k / 32 / in_register(p->a), p->k * p->n / 32 / in_register(p->b),
                     p->m * p->n / 32 / in_register(p->c), p->m * p->n / 32 / in_register(p->d)};
    fill_matrix(&a, p->a, p->m, p->k, round, &state);
    fill_matrix(&b, p->b, p->k, p->n, round, &state);
    fill_matrix(&c, p->c, p->m, p->n, round, &state);
    if (p->saturate) {
        c.bits[0] = INT32_MAX - 3;
        c.bits[1] = UINT32_C(0x80000003);
    }
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t i = 0; i < n[0] * in_register(p->a); i++) {
            struct place at = place_a(p->m, p->a, lane, i);
            put_element(gpu, 0, p->a, lane, i, a.bits[at.row * p->k + at.col]);
        }
        for (uint32_t i = 0; i < n[1] * in_register(p->b); i++) {
            struct place at = place_b(p->b, lane, i);
            put_element(gpu, 1, p->b, lane, i, b.bits[at.row * p->n + at.col]);
        }
        for (uint32_t i = 0; i < n[2] * in_register(p->c); i++) {
            struct place at = place_c(lane, i);
            put_element(gpu, 2, p->c, lane, i, c.bits[at.row * p->n + at.col]);
        }
    }
    snprintf(opcode, sizeof(opcode), "mma.sync.aligned.%s.row.col%s.%s.%s.%s.%s%s", p->shape,
             p->saturate ? ".satfinite" : "", p->d, p->a, p->b, p->c, p->more);
    run_product(gpu, opcode, is_type(p->a, "f64") ? 'd' : 'r', n);
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t i = 0; i < n[3] * in_register(p->d); i++) {
            struct place at = place_c(lane, i);
            uint64_t want = expected_at(&a, &b, &c, p->d, at.row, at.col, p->operation,
                                        p->saturate);
            if (get_element(gpu, p->d, lane, i) != want) {
                fail_msg("%s: lane %u element %u is %llx, not %llx", opcode, lane, i,
                         (unsigned long long)get_element(gpu, p->d, lane, i),
                         (unsigned long long)want);
            }
        }
    }
    free(gpu);
}

#define FLOATS(shape, m, k, a, c, d) \
    { \
        shape, a, a, c, d, "", m, 8, k, '*', false \
    }
#define INTEGERS(shape, m, k, a, b, saturate) \
    { \
        shape, a, b, "s32", "s32", "", m, 8, k, '*', saturate \
    }
static const struct product products[] = {
    FLOATS("m16n8k8", 16, 8, "f16", "f32", "f32"),
    FLOATS("m16n8k8", 16, 8, "f16", "f16", "f16"),
    FLOATS("m16n8k16", 16, 16, "f16", "f32", "f32"),
    FLOATS("m16n8k16", 16, 16, "f16", "f16", "f16"),
    FLOATS("m16n8k8", 16, 8, "bf16", "f32", "f32"),
    FLOATS("m16n8k16", 16, 16, "bf16", "f32", "f32"),
    FLOATS("m16n8k4", 16, 4, "tf32", "f32", "f32"),
    FLOATS("m16n8k8", 16, 8, "tf32", "f32", "f32"),
    FLOATS("m8n8k4", 8, 4, "f64", "f64", "f64"),
    FLOATS("m16n8k4", 16, 4, "f64", "f64", "f64"),
    FLOATS("m16n8k8", 16, 8, "f64", "f64", "f64"),
    FLOATS("m16n8k16", 16, 16, "f64", "f64", "f64"),
    INTEGERS("m8n8k16", 8, 16, "s8", "s8", false),
    INTEGERS("m16n8k16", 16, 16, "s8", "u8", true),
    INTEGERS("m16n8k32", 16, 32, "u8", "s8", false),
    INTEGERS("m16n8k32", 16, 32, "u8", "u8", true),
    INTEGERS("m8n8k32", 8, 32, "s4", "s4", false),
    INTEGERS("m16n8k32", 16, 32, "u4", "s4", true),
    INTEGERS("m16n8k64", 16, 64, "s4", "u4", false),
    {"m8n8k128", "b1", "b1", "s32", "s32", ".xor.popc", 8, 8, 128, 'x', false},
    {"m16n8k128", "b1", "b1", "s32", "s32", ".and.popc", 16, 8, 128, '&', false},
    {"m16n8k256", "b1", "b1", "s32", "s32", ".xor.popc", 16, 8, 256, 'x', false},
};

static void test_products(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof(products) / sizeof(products[0]); p++) {
        /* Sums in .f64 are fused: more than long double has, so exact numbers only. */
        for (uint32_t round = 0; round < (is_type(products[p].a, "f64") ? 1 : 3); round++) {
            check_product(&products[p], round);
        }
    }
}

/* Four products of m8n8k4 at once, each layout of A and B, each type of C and D. */
static void check_quads(bool a_col, bool b_col, const char *c_type, const char *d_type)
{
    static struct matrix a[4], b[4], c[4];
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t state = 5;
    char opcode[160];
    uint32_t n[4] = {2, 2, 8 / in_register(c_type), 8 / in_register(d_type)};
    for (uint32_t q = 0; q < 4; q++) {
        fill_matrix(&a[q], "f16", 8, 4, 1, &state);
        fill_matrix(&b[q], "f16", 4, 8, 1, &state);
        fill_matrix(&c[q], c_type, 8, 8, 1, &state);
    }
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t q = lane / 4 % 4;
        for (uint32_t i = 0; i < 8; i++) {
            struct place at = place_quad('c', c_type, false, lane, i);
            put_element(gpu, 2, c_type, lane, i, c[q].bits[at.row * 8 + at.col]);
            at = place_quad('a', "f16", a_col, lane, i % 4);
            if (i < 4) {
                put_element(gpu, 0, "f16", lane, i, a[q].bits[at.row * 4 + at.col]);
                at = place_quad('b', "f16", b_col, lane, i);
                put_element(gpu, 1, "f16", lane, i, b[q].bits[at.row * 8 + at.col]);
            }
        }
    }
    snprintf(opcode, sizeof(opcode), "mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s",
             a_col ? "col" : "row", b_col ? "col" : "row", d_type, c_type);
    run_product(gpu, opcode, 'r', n);
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t q = lane / 4 % 4;
        for (uint32_t i = 0; i < 8; i++) {
            struct place at = place_quad('c', d_type, false, lane, i);
            assert_int_equal(get_element(gpu, d_type, lane, i),
                             expected_at(&a[q], &b[q], &c[q], d_type, at.row, at.col, '*', false));
        }
    }
    free(gpu);
}

static void test_quads(void **state)
{
    (void)state;
    for (uint32_t layout = 0; layout < 4; layout++) {
        check_quads(layout & 1, layout >> 1, "f32", "f32");
        check_quads(layout & 1, layout >> 1, "f16", "f16");
    }
    check_quads(false, true, "f16", "f32");
}

/* NaN, infinities and subnormals: one product in element (0, 0), the others are 0. */
static void test_special_numbers(void **state)
{
    static const struct {
        const char *type;
        uint32_t a, b, c, d;
    } rows[] = {{"f16", 0x7c00, 0x0000, 0, 0x7fffffff}, /* infinity * 0 */
                {"f16", 0x7c00, 0xbc00, 0, 0xff800000}, /* infinity * -1 */
                {"f16", 0x0001, 0x0001, 0, 0x27800000}, /* 2^-48 */
                {"f16", 0x7e01, 0x3c00, 0, 0x7fffffff}, /* NaN */
                {"f16", 0x3c00, 0x3c00, 0xff800000, 0xff800000},
                {"bf16", 0x0080, 0x3f00, 0, 0x00400000}, /* half the least normal number */
                {"bf16", 0x7f7f, 0x7f7f, 0xff800000, 0xff800000},
                {"bf16", 0x7f7f, 0x4000, 0, 0x7f800000}}; /* too large */
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    static const uint32_t n[] = {2, 1, 4, 4};
    (void)state;
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        char opcode[96];
        memset(gpu->memory, 0, 4 * PART_BYTES);
        put_element(gpu, 0, rows[r].type, 0, 0, rows[r].a);
        put_element(gpu, 1, rows[r].type, 0, 0, rows[r].b);
        put_element(gpu, 2, "f32", 0, 0, rows[r].c);
        snprintf(opcode, sizeof(opcode), "mma.sync.aligned.m16n8k8.row.col.f32.%s.%s.f32",
                 rows[r].type, rows[r].type);
        run_product(gpu, opcode, 'r', n);
        assert_int_equal(get_element(gpu, "f32", 0, 0), rows[r].d);
    }
    free(gpu);
}

static void test_lanes_missing(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    assert_int_equal(test_run_body(gpu,
                                   "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r10,%r11}, "
                                   "{%r0}, {%r0}, {%r0,%r0};\n",
                                   24),
                     -1);
    assert_non_null(strstr(gpu->error, "needs all 32 lanes"));
    free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_quads),
        cmocka_unit_test(test_special_numbers),
        cmocka_unit_test(test_lanes_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
