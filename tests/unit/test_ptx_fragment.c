/* test_ptx_fragment.c - wmma from memory to memory, ldmatrix, stmatrix, movmatrix: against products
 * and matrices in plain C.
 *
 * Where a lane has which element of a wmma fragment is the executor's own affair; ldmatrix and stmatrix are
 * as the PTX ISA says.
 */
#include "test_ptx_matrix.h"

/* ---- wmma ---- */

enum { A_AT = 0, B_AT = 16384, C_AT = 32768, D_AT = 65536, PAD = 16 };

struct shape {
    const char *name;
    uint32_t m, n, k;
};

/* Write or read element (row, col) of a matrix at `at`; `stride` elements from one row or column to the next. */
static void move_element(struct test_gpu *gpu, uint32_t at, const char *type, bool col_major,
                         uint32_t stride, uint32_t row, uint32_t col, uint64_t *bits, bool write)
{
    uint32_t width = type_bits(type);
    uint64_t index = col_major ? (uint64_t)col * stride + row : (uint64_t)row * stride + col;
    uint8_t *byte = gpu->memory + at + index * width / 8;
    if (width < 8) {
        uint32_t shift = (uint32_t)(index * width % 8), mask = (1u << width) - 1;
        *byte = write ? (uint8_t)((*byte & ~(mask << shift)) | *bits << shift) : *byte;
        *bits = write ? *bits : *byte >> shift & mask;
    } else if (write) {
        memcpy(byte, bits, width / 8);
    } else {
        *bits = 0;
        memcpy(bits, byte, width / 8);
    }
}

static void put_matrix(struct test_gpu *gpu, uint32_t at, const struct matrix *m, bool col_major,
                       uint32_t stride)
{
    for (uint32_t i = 0; i < m->rows * m->cols; i++) {
        uint64_t bits = m->bits[i];
        move_element(gpu, at, m->type, col_major, stride, i / m->cols, i % m->cols, &bits, true);
    }
}

static uint32_t vector(char *text, size_t n, char kind, uint32_t first, uint32_t count)
{
    uint32_t used = 0;
    for (uint32_t r = 0; r < count; r++) {
        used += (uint32_t)snprintf(text + used, n - used, "%s%%%c%u", r == 0 ? "{" : ",", kind,
                                   first + r);
    }
    return used + (uint32_t)snprintf(text + used, n - used, "}");
}

struct wmma {
    struct shape shape;
    const char *a, *b, *c, *d, *middle; /* the product's types, as written */
    int operation;
};

static uint32_t fragment_registers(const struct wmma *w, char part)
{
    const struct shape *s = &w->shape;
    const char *type = part == 'a' ? w->a : part == 'b' ? w->b : part == 'c' ? w->c : w->d;
    uint32_t n = part == 'a' ? s->m * s->k : part == 'b' ? s->k * s->n : s->m * s->n;
    return (part == 'a' || part == 'b') && is_type(type, "f16") ? 8 : n / 32 / in_register(type);
}

/* layouts: bit 0 A by columns, 1 B, 2 C and D. */
static void check_wmma(const struct wmma *w, uint32_t layouts, const char *space)
{
    static struct matrix a, b, c;
    const struct shape *s = &w->shape;
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    uint64_t state = 99 + layouts;
    bool a_col = layouts & 1, b_col = layouts >> 1 & 1, c_col = layouts >> 2 & 1;
    uint32_t pad = type_bits(w->a) < 8 ? 128 : PAD, lda = (a_col ? s->m : s->k) + pad;
    uint32_t ldb = (b_col ? s->k : s->n) + pad, ldc = (c_col ? s->m : s->n) + PAD;
    char kind = is_type(w->a, "f64") ? 'd' : 'r', text[4096], va[256], vb[256], vc[256], vd[256];
    fill_matrix(&a, w->a, s->m, s->k, 0, &state);
    fill_matrix(&b, w->b, s->k, s->n, 0, &state);
    fill_matrix(&c, w->c, s->m, s->n, 0, &state);
    put_matrix(gpu, A_AT, &a, a_col, lda);
    put_matrix(gpu, B_AT, &b, b_col, ldb);
    put_matrix(gpu, C_AT, &c, c_col, ldc);
    vector(va, sizeof(va), kind, 10, fragment_registers(w, 'a'));
    vector(vb, sizeof(vb), kind, 18, fragment_registers(w, 'b'));
    vector(vc, sizeof(vc), kind, 26, fragment_registers(w, 'c'));
    vector(vd, sizeof(vd), kind, kind == 'd' ? 30 : 40, fragment_registers(w, 'd'));
    snprintf(text, sizeof(text),
             "add.u64 %%d2, %%d0, %d;\nadd.u64 %%d3, %%d0, %d;\nadd.u64 %%d4, %%d0, %d;\n"
             "mov.u32 %%r1, %u;\n"
             "wmma.load.a.sync.aligned.%s.%s%s.%s %s, [%%d0], %%r1;\n"
             "wmma.load.b.sync.aligned.%s.%s%s.%s %s, [%%d2], %u;\n"
             "wmma.load.c.sync.aligned.%s.%s%s.%s %s, [%%d3], %u;\n"
             "wmma.mma%s.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n"
             "wmma.store.d.sync.aligned.%s.%s%s.%s [%%d4], %s, %u;\n",
             B_AT, C_AT, D_AT, lda, a_col ? "col" : "row", s->name, space, w->a, va,
             b_col ? "col" : "row", s->name, space, w->b, vb, ldb, c_col ? "col" : "row", s->name,
             space, w->c, vc, ldc,
             w->operation == 'x'   ? ".xor.popc"
             : w->operation == '&' ? ".and.popc"
                                   : "",
             a_col ? "col" : "row", b_col ? "col" : "row", s->name, w->middle, vd, va, vb, vc,
             c_col ? "col" : "row", s->name, space, w->d, vd, ldc);
    if (test_run_body(gpu, text, 32) != 0) {
        fail_msg("%s: %s", text, gpu->error);
    }
    for (uint32_t i = 0; i < s->m * s->n; i++) {
        uint64_t got = 0,
                 want = expected_at(&a, &b, &c, w->d, i / s->n, i % s->n, w->operation, false);
        move_element(gpu, D_AT, w->d, c_col, ldc, i / s->n, i % s->n, &got, false);
        if (got != want) {
            fail_msg("%s: element (%u, %u) is %llx, not %llx", text, i / s->n, i % s->n,
                     (unsigned long long)got, (unsigned long long)want);
        }
    }
    free(gpu);
}

#define WIDE(type, other, sum, middle) \
    {{"m16n16k16", 16, 16, 16}, type, other, sum, sum, middle, '*'}, \
        {{"m32n8k16", 32, 8, 16}, type, other, sum, sum, middle, '*'}, \
    { \
        {"m8n32k16", 8, 32, 16}, type, other, sum, sum, middle, '*' \
    }
static const struct wmma products[] = {
    WIDE("f16", "f16", "f32", "f32.f32"),
    WIDE("f16", "f16", "f16", "f16.f16"),
    WIDE("bf16", "bf16", "f32", "f32.bf16.bf16.f32"),
    WIDE("s8", "s8", "s32", "s32.s8.s8.s32"),
    WIDE("u8", "u8", "s32", "s32.u8.u8.s32"),
    {{"m16n16k16", 16, 16, 16}, "f16", "f16", "f16", "f32", "f32.f16", '*'},
    {{"m16n16k8", 16, 16, 8}, "tf32", "tf32", "f32", "f32", "f32.tf32.tf32.f32", '*'},
    {{"m8n8k4", 8, 8, 4}, "f64", "f64", "f64", "f64", "f64.f64.f64.f64", '*'},
    {{"m8n8k32", 8, 8, 32}, "s4", "s4", "s32", "s32", "s32.s4.s4.s32", '*'},
    {{"m8n8k32", 8, 8, 32}, "u4", "u4", "s32", "s32", "s32.u4.u4.s32", '*'},
    {{"m8n8k128", 8, 8, 128}, "b1", "b1", "s32", "s32", "s32.b1.b1.s32", 'x'},
    {{"m8n8k128", 8, 8, 128}, "b1", "b1", "s32", "s32", "s32.b1.b1.s32", '&'},
};

static void test_wmma(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof(products) / sizeof(products[0]); p++) {
        bool small = type_bits(products[p].a) < 8; /* A by rows, B by columns only */
        for (uint32_t layouts = 0; layouts < 8; layouts++) {
            if (!small || (layouts & 3) == 2) {
                check_wmma(&products[p], layouts, layouts % 2 == 0 ? ".global" : "");
            }
        }
    }
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

/* Element (row, col) of matrix `e` is e * 64 + row * 8 + col. */
static uint32_t element_value(uint32_t e, uint32_t row, uint32_t col)
{
    return e * 64 + row * 8 + col;
}

/* Rows are put into shared memory back to front; lane l names row l. */
#define FILL_ROWS \
    ".shared .align 16 .b8 rows[512];\n" \
    "xor.b32 %r1, %r0, 31;\nmov.u32 %r2, rows;\nmad.lo.u32 %r3, %r1, 16, %r2;\n" \
    "mul.lo.u32 %r4, %r0, 8;\nadd.u32 %r5, %r4, 1;\nshl.b32 %r5, %r5, 16;\nor.b32 %r4, %r4, %r5;\n" \
    "st.shared.u32 [%r3], %r4;\nadd.u32 %r4, %r4, 0x20002;\nst.shared.u32 [%r3+4], %r4;\n" \
    "add.u32 %r4, %r4, 0x20002;\nst.shared.u32 [%r3+8], %r4;\nadd.u32 %r4, %r4, 0x20002;\n" \
    "st.shared.u32 [%r3+12], %r4;\nbar.sync 0;\n"

static void test_ldmatrix(void **state)
{
    static const char *const vectors[] = {"{%r10}", "{%r10,%r11}", "{%r10,%r11,%r12,%r13}"};
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    for (uint32_t form = 0; form < 6; form++) {
        char body[2048];
        uint32_t n = 1u << form % 3;
        bool trans = form >= 3;
        snprintf(body, sizeof(body),
                 "%sldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 %s, [%%r3];\n"
                 "mul.wide.u32 %%d2, %%r0, 16;\nadd.u64 %%d2, %%d2, %%d0;\n"
                 "st.global.v4.u32 [%%d2], {%%r10,%%r11,%%r12,%%r13};\n",
                 FILL_ROWS, n, trans ? ".trans" : "", vectors[form % 3]);
        assert_int_equal(test_run_body(gpu, body, 32), 0);
        for (uint32_t lane = 0; lane < 32; lane++) {
            for (uint32_t e = 0; e < n; e++) {
                uint32_t row = lane / 4, col = lane % 4 * 2;
                uint32_t low = trans ? element_value(e, col, row) : element_value(e, row, col);
                uint32_t high = trans ? element_value(e, col + 1, row)
                                      : element_value(e, row, col + 1);
                assert_int_equal(test_word(gpu, lane * 4 + e), low | high << 16);
            }
        }
    }
    free(gpu);
}

/* What ldmatrix reads, stmatrix writes: lanes' registers hold the elements; rows are read back. */
static void test_stmatrix(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    for (uint32_t trans = 0; trans < 2; trans++) {
        char body[2048];
        snprintf(body, sizeof(body),
                 ".shared .align 16 .b8 rows[512];\nmov.u32 %%r2, rows;\n"
                 "mad.lo.u32 %%r3, %%r0, 16, %%r2;\n"
                 "shl.b32 %%r10, %%r0, 1;\nadd.u32 %%r11, %%r10, 1;\nshl.b32 %%r11, %%r11, 16;\n"
                 "or.b32 %%r10, %%r10, %%r11;\nadd.u32 %%r11, %%r10, 0x400040;\n"
                 "add.u32 %%r12, %%r11, 0x400040;\nadd.u32 %%r13, %%r12, 0x400040;\n"
                 "stmatrix.sync.aligned.m8n8.x4%s.shared.b16 [%%r3], {%%r10,%%r11,%%r12,%%r13};\n"
                 "bar.sync 0;\nld.shared.v4.u32 {%%r20,%%r21,%%r22,%%r23}, [%%r3];\n"
                 "mul.wide.u32 %%d2, %%r0, 16;\nadd.u64 %%d2, %%d2, %%d0;\n"
                 "st.global.v4.u32 [%%d2], {%%r20,%%r21,%%r22,%%r23};\n",
                 trans ? ".trans" : "");
        assert_int_equal(test_run_body(gpu, body, 32), 0);
        for (uint32_t i = 0; i < 4 * 64; i++) {
            uint32_t row = i / 8 % 8, col = i % 8;
            uint16_t got;
            memcpy(&got, gpu->memory + i * 2, 2);
            assert_int_equal(got, trans ? element_value(i / 64, col, row)
                                        : element_value(i / 64, row, col));
        }
    }
    free(gpu);
}

static void test_movmatrix(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    assert_int_equal(test_run_body(gpu,
                                   "shl.b32 %r10, %r0, 1;\nadd.u32 %r11, %r10, 1;\n"
                                   "shl.b32 %r11, %r11, 16;\nor.b32 %r10, %r10, %r11;\n"
                                   "movmatrix.sync.aligned.m8n8.trans.b16 %r12, %r10;\n"
                                   "st.global.u32 [%d1], %r12;\n",
                                   32),
                     0);
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t row = lane / 4, col = lane % 4 * 2;
        assert_int_equal(test_word(gpu, lane),
                         element_value(0, col, row) | element_value(0, col + 1, row) << 16);
    }
    free(gpu);
}

/* ---- what is wrong ---- */

static void test_refused(void **state)
{
    static const char *const lines[][2] = {
        {"mma.sync.aligned.m16n8k8.row.col.f32.s8.s8.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r3}, "
         "{%r1,%r2,%r3,%r4};",
         "no product of matrices"},
        {"mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r3}, {%r1};",
         "no product of matrices"},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r1}, {%r3}, "
         "{%r1,%r2,%r3,%r4};",
         "operand 2 of mma"},
        {"mma.sync.aligned.m16n8k8.col.col.f32.f16.f16.f32 {%r1,%r2,%r3,%r4}, {%r1,%r2}, {%r3}, "
         "{%r1,%r2,%r3,%r4};",
         ".row.col"},
        {"ldmatrix.sync.aligned.m8n16.x1.shared.b8 {%r1}, [%r2];",
         "use ldmatrix.sync.aligned.m8n8"},
        {"wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%d0];",
         "no part of a matrix"}};
    (void)state;
    for (size_t l = 0; l < sizeof(lines) / sizeof(lines[0]); l++) {
        char text[1024], error[512] = "";
        snprintf(text, sizeof(text),
                 TEST_HEADER
                 ".visible .entry k()\n{\n.reg .b32 %%r<9>;\n.reg .b64 %%d<2>;\n%s\n}\n",
                 lines[l][0]);
        struct ptx_module *module = ptx_module_parse("m.ptx", text, strlen(text), error,
                                                     sizeof(error));
        if (module != NULL || strncmp(error, "m.ptx:8:", 8) != 0 ||
            strstr(error, lines[l][1]) == NULL) {
            fail_msg("%s: %s", lines[l][0], error);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wmma),     cmocka_unit_test(test_ldmatrix),
        cmocka_unit_test(test_stmatrix), cmocka_unit_test(test_movmatrix),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
