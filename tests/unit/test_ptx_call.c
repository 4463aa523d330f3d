/* test_ptx_call.c - calls through registers, against what each lane's function gives in closed form. */
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

/* Four functions of (a, b); the last has other parameters and is never meant by calls of two. */
#define FUNCTIONS \
    ".func (.param .b32 v) plus(.param .b32 a, .param .b32 b);\n" \
    ".global .align 8 .u64 table[3] = {plus, minus, times};\n" \
    ".func (.param .b32 v) plus(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %r<4>;\n" \
    "ld.param.b32 %r1, [a];\nld.param.b32 %r2, [b];\nadd.s32 %r3, %r1, %r2;\n" \
    "st.param.b32 [v], %r3;\nret;\n}\n" \
    ".func (.param .b32 v) minus(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %r<4>;\n" \
    "ld.param.b32 %r1, [a];\nld.param.b32 %r2, [b];\nsub.s32 %r3, %r1, %r2;\n" \
    "st.param.b32 [v], %r3;\nret;\n}\n" \
    ".func (.param .b32 v) times(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %r<4>;\n" \
    "ld.param.b32 %r1, [a];\nld.param.b32 %r2, [b];\nmul.lo.s32 %r3, %r1, %r2;\n" \
    "st.param.b32 [v], %r3;\nret;\n}\n" \
    ".func (.param .b32 v) one(.param .b64 a)\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, 1;\n" \
    "st.param.b32 [v], %r1;\nret;\n}\n"
#define DECLARED \
    ".func (.param .b32 v) minus(.param .b32 a, .param .b32 b);\n" \
    ".func (.param .b32 v) times(.param .b32 a, .param .b32 b);\n" \
    ".func (.param .b32 v) one(.param .b64 a);\n"
#define KERNEL \
    ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<20>;\n" \
    ".reg .b64 %d<20>;\nld.param.u64 %d0, [out];\nmov.u32 %r0, %tid.x;\n" \
    "mul.wide.u32 %d1, %r0, 4;\nadd.u64 %d1, %d1, %d0;\n"
/* v = *%d9(%r0, 5), in %r9 */
#define CALL \
    "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 v;\nst.param.b32 [a], %r0;\n" \
    "st.param.b32 [b], 5;\n" \
    "proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n" \
    "call (v), %d9, (a, b), proto;\nld.param.b32 %r9, [v];\n}\n"

static int run(const char *text, uint32_t threads)
{
    const uint64_t params[] = {TEST_BASE};
    struct ptx_module *module = test_parse(text);
    int status;

    memset(gpu, 0, sizeof(*gpu));
    test_place(gpu, module);
    status = test_run_module(gpu, module, "k", (struct isa_dim3){1, 1, 1},
                             (struct isa_dim3){threads, 1, 1}, 0, params, 1);
    ptx_module_free(module);
    return status;
}

static uint32_t by_third(uint32_t which, uint32_t t)
{
    return which == 0 ? t + 5 : which == 1 ? t - 5 : t * 5;
}

/* Neighbours go to three functions; behind the call all lanes run together again (activemask). */
static void divergent(void **state)
{
    (void)state;
    if (run(DECLARED FUNCTIONS KERNEL
            "rem.u32 %r1, %r0, 3;\nmul.wide.u32 %d2, %r1, 8;\nmov.u64 %d3, table;\n"
            "add.u64 %d3, %d3, %d2;\nld.global.u64 %d9, [%d3];\n" CALL
            "activemask.b32 %r2;\nsetp.ne.u32 %p1, %r2, 0xffffffff;\n@%p1 mov.u32 %r9, 0xdead;\n"
            "st.global.u32 [%d1], %r9;\nret;\n}\n",
            64) != 0) {
        fail_msg("%s", gpu->error);
    }
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(test_word(gpu, t), by_third(t % 3, t));
    }
}

/* Addresses as operands of mov, a guard, and one target for all: half the lanes stay away. */
static void guarded(void **state)
{
    (void)state;
    if (run(DECLARED FUNCTIONS KERNEL
            "mov.u64 %d9, times;\nmov.u32 %r9, 77;\nand.b32 %r1, %r0, 1;\n"
            "setp.eq.u32 %p1, %r1, 1;\n"
            "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 v;\nst.param.b32 [a], %r0;\n"
            "st.param.b32 [b], 5;\nlist: .calltargets plus, times;\n"
            "@%p1 call (v), %d9, (a, b), list;\n@%p1 ld.param.b32 %r9, [v];\n}\n"
            "st.global.u32 [%d1], %r9;\nret;\n}\n",
            32) != 0) {
        fail_msg("%s", gpu->error);
    }
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), t % 2 == 1 ? t * 5 : 77);
    }
}

/* An object with a pointer to its table, itself written byte by byte, as compilers do for packed ones:
 * object t % 2 has table of minus or plus; called twice over. */
static void tables_of_bytes(void **state)
{
    (void)state;
    if (run(DECLARED FUNCTIONS
            ".global .align 8 .b8 bytes[16] = {0xFF(minus), 0xFF00(minus), 0xFF0000(minus), "
            "0xFF000000(minus), 0xFF00000000(minus), 0xFF0000000000(minus), "
            "0xFF000000000000(minus), 0xFF00000000000000(minus), 0xFF(plus), 0xFF00(plus), "
            "0xFF0000(plus), 0xFF000000(plus), 0xFF00000000(plus), 0xFF0000000000(plus), "
            "0xFF000000000000(plus), 0xFF00000000000000(plus)};\n"
            ".global .align 8 .u64 objects[2] = {generic(bytes), generic(bytes)+8};\n" KERNEL
            "and.b32 %r1, %r0, 1;\nmul.wide.u32 %d2, %r1, 8;\nmov.u64 %d3, objects;\n"
            "add.u64 %d3, %d3, %d2;\nld.global.u64 %d4, [%d3];\nld.u64 %d9, [%d4];\n" CALL
            "mov.u32 %r8, %r9;\nmov.u32 %r0, %r8;\n" CALL "st.global.u32 [%d1], %r9;\nret;\n}\n",
            32) != 0) {
        fail_msg("%s", gpu->error);
    }
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), t % 2 == 0 ? t - 10 : t + 10);
    }
}

/* sum(n, self) = n + self(n - 1, self), with registers as parameters: t (t + 1) / 2. */
static void recursion(void **state)
{
    (void)state;
    if (run(".func (.reg .b32 v) sum(.reg .b32 n, .reg .b64 self)\n{\n.reg .pred %p<2>;\n"
            ".reg .b32 %r<4>;\nsetp.eq.u32 %p1, n, 0;\nmov.u32 %r2, 0;\n@%p1 bra END;\n"
            "sub.u32 %r1, n, 1;\n"
            "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _, .reg .b64 _);\n"
            "call (%r2), self, (%r1, self), proto;\nadd.u32 %r2, %r2, n;\nEND: mov.u32 v, %r2;\n"
            "ret;\n}\n" KERNEL "mov.u64 %d9, sum;\n"
            "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _, .reg .b64 _);\n"
            "call (%r9), %d9, (%r0, %d9), proto;\nst.global.u32 [%d1], %r9;\nret;\n}\n",
            32) != 0) {
        fail_msg("%s", gpu->error);
    }
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), t * (t + 1) / 2);
    }
}

/* No function, or one with other parameters: a fault of the lane that goes there. */
static void faults(void **state)
{
    (void)state;
    assert_int_equal(
        run(DECLARED FUNCTIONS KERNEL
            "mov.u64 %d9, plus;\nsetp.eq.u32 %p1, %r0, 7;\n@%p1 mov.u64 %d9, 64;\n" CALL
            "ret;\n}\n",
            32),
        -1);
    assert_non_null(strstr(gpu->error, "call of 0x40, no function with such parameters, lane 7"));
    assert_int_equal(run(DECLARED FUNCTIONS KERNEL "mov.u64 %d9, one;\n" CALL "ret;\n}\n", 32), -1);
    assert_non_null(strstr(gpu->error, "no function with such parameters, lane 0"));
    assert_int_equal(
        run(DECLARED FUNCTIONS KERNEL "mov.u64 %d9, plus;\nld.u32 %r1, [%d9];\nret;\n}\n", 32),
        -1); /* a function is no data */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(divergent), cmocka_unit_test(guarded),
                                       cmocka_unit_test(tables_of_bytes),
                                       cmocka_unit_test(recursion), cmocka_unit_test(faults)};

    return cmocka_run_group_tests(tests, setup, teardown);
}
