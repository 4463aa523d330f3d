/* test_ptx_memory.c - loads, stores, vectors, state spaces, generic addresses, atomics,
 * initialisers of module variables, and the faults of wrong addresses.
 */
#include "machine/l2/atomic.h"
#include "test_ptx.h"

static struct test_gpu *gpu;

static int setup(void **state)
{
    (void)state;
    gpu = calloc(1, sizeof(*gpu));
    return gpu == NULL;
}

static int teardown(void **state)
{
    (void)state;
    free(gpu);
    return 0;
}

static void run(const char *body, uint32_t threads)
{
    memset(gpu, 0, sizeof(*gpu));
    if (test_run_body(gpu, body, threads) != 0) {
        fail_msg("%s", gpu->error);
    }
}

static void widths_and_signs(void **state)
{
    (void)state;
    run("mul.wide.u32 %d2, %r0, 64;\nadd.u64 %d2, %d2, %d0;\nmul.lo.u32 %r1, %r0, 0x9e3779b9;\n"
        "st.global.u32 [%d2], %r1;\nld.global.s8 %r2, [%d2+1];\nld.global.u8 %r3, [%d2+1];\n"
        "ld.global.s16 %r4, [%d2+2];\nld.global.u16 %r5, [%d2+2];\nld.global.s8 %h1, [%d2+3];\n"
        "mov.b32 %r6, {%h1, %h1};\nld.global.s32 %d3, [%d2];\nld.global.u8 %h2, "
        "[%d2];\nst.global.u8 [%d2+12], %r1;\n"
        "st.global.u16 [%d2+14], %h2;\nst.global.v4.u32 [%d2+16], {%r2,%r3,%r4,%r5};\n"
        "st.global.v2.u64 [%d2+32], {%d3,%d2};\nst.global.u32 [%d2+48], %r6;\nret;",
        32);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t v = t * 0x9e3779b9u;
        int64_t wide;
        memcpy(&wide, gpu->memory + t * 64 + 32, 8);
        assert_int_equal(test_word(gpu, t * 16 + 3), (v & 0xff) | (v & 0xff) << 16);
        assert_int_equal(test_word(gpu, t * 16 + 4), (uint32_t)(int8_t)(v >> 8));
        assert_int_equal(test_word(gpu, t * 16 + 5), v >> 8 & 0xff);
        assert_int_equal(test_word(gpu, t * 16 + 6), (uint32_t)(int16_t)(v >> 16));
        assert_int_equal(test_word(gpu, t * 16 + 7), v >> 16);
        assert_true(wide == (int32_t)v);
        assert_int_equal(test_word(gpu, t * 16 + 12), (uint16_t)(int8_t)(v >> 24) * 0x10001u);
    }
}

/* Arrays in local memory, indexed at run time, through all three kinds of address; the same in
 * shared memory; and one load whose lanes point into three spaces. */
static void local_shared_and_generic(void **state)
{
    (void)state;
    run(".local .align 8 .b8 a[64];\n.shared .align 8 .b8 s[1024];\nmov.u64 %d2, "
        "a;\ncvta.local.u64 %d3, %d2;\n"
        "mov.u32 %r1, 0;\nFILL: mul.wide.u32 %d4, %r1, 8;\nadd.u64 %d5, %d3, %d4;\nmad.lo.u32 %r2, "
        "%r0, 100, %r1;\n"
        "cvt.u64.u32 %d6, %r2;\nst.u64 [%d5], %d6;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, "
        "8;\n@%p1 bra FILL;\n"
        "and.b32 %r3, %r0, 7;\nmul.wide.u32 %d4, %r3, 8;\nadd.u64 %d5, %d2, %d4;\nld.local.u64 "
        "%d7, [%d5];\n"
        "ld.local.u32 %r4, [a+24];\ncvt.u32.u64 %r9, %d7;\nadd.u32 %r9, %r9, %r4;\n"
        "ld.local.u32 %r4, [a+28];\nadd.u32 %r9, %r9, %r4;\n" /* the upper half: 0 */
        "mov.u64 %d8, s;\nmul.wide.u32 %d9, %r0, 4;\nadd.u64 %d8, %d8, %d9;\nst.shared.u32 [%d8], "
        "%r9;\n"
        "cvta.shared.u64 %d10, %d8;\ncvta.to.shared.u64 %d11, %d10;\nld.shared.u32 %r5, [%d11];\n"
        "rem.u32 %r6, %r0, 3;\nsetp.eq.u32 %p2, %r6, 1;\nsetp.eq.u32 %p3, %r6, 2;\nst.global.u32 "
        "[%d1+2048], %r0;\n"
        "add.u64 %d12, %d1, 2048;\n@%p2 mov.u64 %d12, %d10;\n@%p3 mov.u64 %d12, %d3;\nld.u32 %r7, "
        "[%d12];\n"
        "isspacep.shared %p4, %d12;\nisspacep.local %p5, %d12;\nisspacep.global %p6, "
        "%d12;\nselp.u32 %r8, 1, 0, %p4;\n"
        "@%p5 add.u32 %r8, %r8, 2;\n@%p6 add.u32 %r8, %r8, 4;\nadd.u32 %r10, %r7, 5;\nst.u32 "
        "[%d12], %r10;\nld.u32 %r11, [%d12];\n"
        "mul.wide.u32 %d13, %r0, 16;\nadd.u64 %d13, %d13, %d0;\nst.global.v4.u32 [%d13+8192], "
        "{%r5,%r7,%r8,%r11};\nret;",
        96);
    for (uint32_t t = 0; t < 96; t++) {
        uint32_t sum = (t * 100 + t % 8) + (t * 100 + 3), kind = t % 3;
        uint32_t generic = kind == 0 ? t : kind == 1 ? sum : t * 100;
        assert_int_equal(test_word(gpu, 2048 + t * 4), sum);
        assert_int_equal(test_word(gpu, 2048 + t * 4 + 1), generic);
        assert_int_equal(test_word(gpu, 2048 + t * 4 + 2), kind == 0 ? 4 : kind == 1 ? 1 : 2);
        assert_int_equal(test_word(gpu, 2048 + t * 4 + 3), generic + 5);
    }
}

static void dynamic_shared_memory(void **state)
{
    (void)state;
    static const char text[] = ".extern .shared .align 16 .b8 dyn[];\n.visible .entry k(.param "
                               ".u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n"
                               ".shared .align 4 .b8 fixed[20];\nld.param.u64 %d0, [out];\nmov.u32 "
                               "%r0, %tid.x;\nshl.b32 %r1, %r0, 2;\n"
                               "mov.u32 %r2, dyn;\nadd.u32 %r3, %r2, %r1;\nst.shared.u32 "
                               "[fixed+16], %r2;\nst.shared.u32 [%r3], %r0;\nbar.sync 0;\n"
                               "xor.b32 %r4, %r1, 252;\nadd.u32 %r4, %r4, %r2;\nld.shared.u32 %r5, "
                               "[%r4];\nmul.wide.u32 %d1, %r0, 4;\n"
                               "add.u64 %d1, %d1, %d0;\nst.global.u32 [%d1], %r5;\nret;\n}\n";
    uint64_t params[] = {TEST_BASE};
    struct ptx_module *module = test_parse(text);
    assert_int_equal(ptx_kernel(module, "k")->shared_bytes, 32); /* 20, then aligned to 16 */
    assert_int_equal(test_run_module(gpu, module, "k", (struct isa_dim3){1, 1, 1},
                                     (struct isa_dim3){64, 1, 1}, 256, params, 1),
                     0);
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(test_word(gpu, t), 63 - t);
    }
    /* Four bytes less, and the last thread is outside. */
    assert_int_equal(test_run_module(gpu, module, "k", (struct isa_dim3){1, 1, 1},
                                     (struct isa_dim3){64, 1, 1}, 252, params, 1),
                     -1);
    assert_non_null(strstr(gpu->error,
                           "test.ptx:16: 4-byte access at 0x11c outside shared memory, lane 31, "
                           "thread (63,0,0), CTA (0,0,0)"));
    ptx_module_free(module);
}

static void variables_and_initialisers(void **state)
{
    (void)state;
    static const char text[] = ".global .align 4 .u32 table[2][3] = {{1, 2}, {4, 5, 6}};\n.const "
                               ".align 4 .f32 scale[3] = {0f40000000, 1.5, -2.0};\n"
                               ".global .align 8 .u64 where[3] = {table, generic(table)+8, "
                               "scale+4};\n.global .b8 bytes[5] = {1, -1, 0x7f, 'x' };\n";
    static const char good[] =
        ".global .align 4 .u32 table[2][3] = {{1, 2}, {4, 5, 6}};\n.const .align 4 .f32 scale[3] = "
        "{0f40000000, 1.5, -2.0};\n"
        ".global .align 8 .u64 where[3] = {table, generic(table)+8, scale+4};\n.global .b8 "
        "bytes[8] = {1, -1, (1 << 3) | 2, 0xff(table), 0xff00(table)};\n"
        ".global .s16 counted[] = {-1, 300, 1 ? 7 : 8};\n"
        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\nld.param.u64 "
        "%d0, [out];\n"
        "mov.u64 %d1, where;\nld.global.u64 %d2, [%d1+8];\nld.u32 %r1, [%d2];\nld.const.u32 %r2, "
        "[scale+8];\n"
        "mov.u64 %d3, scale;\nmov.u32 %r4, %tid.x;\nand.b32 %r4, %r4, 1;\nmul.wide.u32 %d4, %r4, "
        "4;\nadd.u64 %d3, %d3, %d4;\n"
        "ld.const.u32 %r3, [%d3];\nld.global.u32 %r5, [table+16];\nmov.u32 %r6, "
        "%tid.x;\nmul.wide.u32 %d5, %r6, 16;\nadd.u64 %d5, %d5, %d0;\n"
        "st.global.v4.u32 [%d5], {%r1,%r2,%r3,%r5};\nret;\n}\n";
    char error[512];
    assert_null(ptx_module_parse("v.ptx", text, strlen(text), error, sizeof(error)));
    assert_non_null(strstr(error, "v.ptx:4:38: unexpected character '''"));
    struct ptx_module *module = test_parse(good);
    uint64_t params[] = {TEST_BASE};
    memset(gpu, 0, sizeof(*gpu));
    test_place(gpu, module);
    uint64_t table = ptx_variable_get(module, 0).address,
             scale = ptx_variable_get(module, 1).address;
    struct ptx_variable_info where = ptx_variable_get(module, 2),
                             bytes = ptx_variable_get(module, 3);
    struct ptx_variable_info counted = ptx_variable_get(module, 4);
    static const uint32_t rows[] = {1, 2, 0, 4, 5, 6};
    static const int16_t numbers[] = {-1, 300, 7};
    uint64_t pointers[] = {table, table + 8, scale + 4};
    uint8_t small[] = {1, 255, 10, (uint8_t)table, (uint8_t)(table >> 8), 0, 0, 0};
    assert_memory_equal(gpu->memory + (table - TEST_BASE), rows, sizeof(rows));
    assert_memory_equal(gpu->memory + (where.address - TEST_BASE), pointers, sizeof(pointers));
    assert_memory_equal(gpu->memory + (bytes.address - TEST_BASE), small, sizeof(small));
    assert_int_equal(counted.bytes, 6);
    assert_memory_equal(gpu->memory + (counted.address - TEST_BASE), numbers, sizeof(numbers));
    assert_int_equal(test_run_module(gpu, module, "k", (struct isa_dim3){1, 1, 1},
                                     (struct isa_dim3){2, 1, 1}, 0, params, 1),
                     0);
    static const uint32_t expected[] = {0, 0xc0000000, 0x40000000, 5, 0, 0xc0000000, 0x3fc00000, 5};
    assert_memory_equal(gpu->memory, expected, sizeof(expected));
    ptx_module_free(module);
}

/* Each operation on each type: PTX in global and in shared memory, against the formula. */
static void atomics(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t start, operand, expected_for_32;
    } rows[] = {{"add.u32", 5, 3, 5 + 32 * 3},
                {"min.s32", 7, 0xfffffff0, 0xfffffff0},
                {"min.u32", 7, 0xfffffff0, 7},
                {"max.s32", 0xfffffff0, 7, 7},
                {"max.u32", 7, 0xfffffff0, 0xfffffff0},
                {"inc.u32", 3, 10, (3 + 32) % 11},
                {"dec.u32", 3, 10, 4},
                {"and.b32", 0xff, 0x3c, 0x3c},
                {"or.b32", 0xf0, 0x0c, 0xfc},
                {"xor.b32", 0xff, 0x0f, 0xff},
                {"exch.b32", 1, 9, 9},
                {"add.f32", 0x3f800000, 0x3e800000, 0x41100000}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char body[1024];
        snprintf(body, sizeof(body),
                 ".shared .align 8 .b8 s[64];\nmov.u32 %%r1, %u;\nst.global.u32 [%%d0+4096], "
                 "%%r1;\nst.shared.u32 [s+8], %%r1;\n"
                 "bar.sync 0;\nmov.u32 %%r2, %u;\natom.global.%s %%r3, [%%d0+4096], "
                 "%%r2;\natom.shared.%s %%r4, [s+8], %%r2;\n"
                 "bar.sync 0;\nld.shared.u32 %%r9, [s+8];\nst.global.u32 [%%d1], %%r9;\nsub.u32 "
                 "%%r5, %%r3, %%r4;\nst.global.u32 [%%d1+1024], %%r5;\nret;",
                 rows[i].start, rows[i].operand, rows[i].text, rows[i].text);
        run(body, 32);
        assert_int_equal(test_word(gpu, 1024), rows[i].expected_for_32);
        assert_int_equal(test_word(gpu, 0), rows[i].expected_for_32);
        assert_int_equal(test_word(gpu, 256 + 31), 0); /* both gave lane 31 the same old value */
    }
    run("mov.u64 %d2, 0x100000000;\nred.global.add.u64 [%d0+4096], %d2;\natom.global.cas.b32 %r1, "
        "[%d0+8192], %r0, 77;\n"
        "add.u32 %r2, %r0, 1;\ncvt.u64.u32 %d3, %r2;\natom.global.cas.b64 %d4, [%d0+8200], 0, "
        "%d3;\nst.global.u32 [%d1], %r1;\n"
        "cvt.u32.u64 %r3, %d4;\nst.global.u32 [%d1+256], %r3;\nmov.f64 %d5, "
        "0d3FF8000000000000;\natom.global.add.f64 %d6, [%d0+8208], %d5;\nret;",
        32);
    uint64_t sum;
    double total;
    memcpy(&sum, gpu->memory + 4096, 8);
    memcpy(&total, gpu->memory + 8208, 8);
    assert_int_equal(sum, UINT64_C(32) << 32);
    assert_int_equal(test_word(gpu, 2048), 77); /* lane 0 found its 0 */
    assert_int_equal(test_word(gpu, 1), 77);
    assert_int_equal(test_word(gpu, 2050), 1);
    assert_int_equal(test_word(gpu, 64 + 1), 1);
    assert_true(total == 32 * 1.5);
}

static void fault(const char *body, const char *message)
{
    memset(gpu, 0, sizeof(*gpu));
    assert_int_equal(test_run_body(gpu, body, 32), -1);
    if (strstr(gpu->error, message) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", message, gpu->error);
    }
}

static void faults(void **state)
{
    (void)state;
    fault("add.u64 %d2, %d1, 2;\nld.global.u32 %r1, [%d2];\nret;",
          "4-byte access at misaligned address 0x100002, lane 0");
    fault("mov.u64 %d2, 0x20000000000;\nld.global.u32 %r1, [%d2];\nret;",
          "outside global memory, lane 0, thread (0,0,0)");
    fault("setp.ne.u32 %p1, %r0, 9;\n@%p1 bra OK;\ntrap;\nOK: ret;",
          "trap, lane 9, thread (9,0,0), CTA (0,0,0)");
    fault("bar.sync %r0, 33;\nret;", "barrier for 33 threads; the count must be a multiple of 32");
    fault("add.u32 %r1, %r0, 16;\nbar.sync %r1;\nret;", "barrier 16; there are 16");
    fault(".shared .b32 s;\nst.shared.u32 [s+8192], %r0;\nret;",
          "4-byte access at 0x2000 outside shared memory");
    fault(".local .b32 l;\nst.local.u32 [l+64], %r0;\nret;", "outside local memory");
    fault("LOOP: bra LOOP;", "did not end within the limit of steps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths_and_signs),
                                       cmocka_unit_test(local_shared_and_generic),
                                       cmocka_unit_test(dynamic_shared_memory),
                                       cmocka_unit_test(variables_and_initialisers),
                                       cmocka_unit_test(atomics),
                                       cmocka_unit_test(faults)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
