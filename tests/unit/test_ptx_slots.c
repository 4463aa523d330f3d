/* test_ptx_slots.c - registers that share a slot of the frame keep their values: lanes on other
 * paths, registers of both widths, loads that return late, lanes read by shfl; those with one
 * value for a launch, beside those that only look so; what is read before it is written.
 */
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

/* The kernel of `text` for one warp that a test steps itself; returns its module. */
static struct ptx_module *launch_one_warp(struct isa_launch *launch, const char *text)
{
    struct ptx_module *module = test_parse(text);
    uint64_t out = TEST_BASE;
    struct ptx_launch_config config = {.grid = {1, 1, 1},
                                       .block = {32, 1, 1},
                                       .param_block = (const uint8_t *)&out,
                                       .n_param_block = 8,
                                       .n_sms = 1};
    assert_int_equal(ptx_launch_init(launch, module, ptx_kernel(module, "k"), &config, gpu->error,
                                     sizeof(gpu->error)),
                     0);
    return module;
}

/* Bytes of a warp of a kernel that adds 1 to its thread number `n` times, a new name each time. */
static size_t chain_bytes(unsigned n)
{
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof(text),
                                   ".visible .entry k(.param .u64 out)\n{\n"
                                   ".reg .b32 %%r<99>;\n.reg .b64 %%d<3>;\n"
                                   "ld.param.u64 %%d1, [out];\nmov.u32 %%r0, %%tid.x;\n");
    for (unsigned i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "add.u32 %%r%u, %%r%u, 1;\n",
                                 i + 1, i);
    }
    snprintf(text + used, sizeof(text) - used, "st.global.u32 [%%d1], %%r%u;\nret;\n}\n", n);
    struct isa_launch launch;
    struct ptx_module *module = launch_one_warp(&launch, text);
    size_t bytes = launch.warp_bytes;
    ptx_launch_release(&launch);
    ptx_module_free(module);
    return bytes;
}

static void names_cost_nothing(void **state)
{
    (void)state;
    assert_int_equal(chain_bytes(4), chain_bytes(90));
}

/* %r9 is dead where the odd lanes go, alive in the even ones beside them; then the same with the
 * widths exchanged. */
static void lanes_on_another_path(void **state)
{
    (void)state;
    run("and.b32 %r1, %r0, 1;\nsetp.eq.u32 %p1, %r1, 0;\nadd.u32 %r9, %r0, 1000;\n@%p1 bra OUT;\n"
        "mul.wide.u32 %d2, %r0, 3;\nadd.u64 %d3, %d2, 0x700000001;\nsub.u64 %d4, %d3, %d2;\n"
        "shr.u64 %d5, %d4, 32;\ncvt.u32.u64 %r9, %d5;\nOUT: st.global.u32 [%d1], %r9;\nret;",
        32);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), t % 2 == 0 ? 1000 + t : 7);
    }
    run("and.b32 %r1, %r0, 1;\nsetp.eq.u32 %p1, %r1, 0;\nmul.wide.u32 %d9, %r0, 5;\n@%p1 bra OUT;\n"
        "add.u32 %r2, %r0, 1;\nadd.u32 %r3, %r2, %r2;\nadd.u32 %r4, %r3, %r2;\n"
        "mul.wide.u32 %d9, %r4, 1;\nOUT: cvt.u32.u64 %r5, %d9;\nst.global.u32 [%d1], %r5;\nret;",
        32);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), t % 2 == 0 ? 5 * t : 3 * (t + 1));
    }
}

/* Nobody reads %r1, so nobody waits for it; its data come after %r2 was written. */
static void late_load(void **state)
{
    (void)state;
    static const char text[] =
        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<3>;\n"
        "ld.param.u64 %d1, [out];\nld.global.u32 %r1, [%d1];\nmov.u32 %r2, 7;\n"
        "st.global.u32 [%d1], %r2;\nret;\n}\n";
    struct isa_launch launch;
    struct ptx_module *module = launch_one_warp(&launch, text);
    struct isa_warp_place place = {.warp_in_cta = 0};
    struct isa_memop load, store;
    struct isa_step step = {.kind = ISA_STEP_DONE};
    struct isa_warp *warp = calloc(1, launch.warp_bytes);
    launch.warp_start(launch.self, warp, &place);
    launch.step(launch.self, warp, 0, &step, &store);
    launch.step(launch.self, warp, 1, &step, &load);
    assert_int_equal(step.kind, ISA_STEP_MEMORY);
    launch.step(launch.self, warp, 2, &step, &store);
    memset(load.data, 0xee, sizeof(load.data));
    launch.retire(launch.self, warp, &load);
    launch.step(launch.self, warp, 3, &step, &store);
    assert_int_equal(step.kind, ISA_STEP_MEMORY);
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        assert_memory_equal(store.data[lane], "\7\0\0", 4);
    }
    launch.warp_end(launch.self, warp);
    free(warp);
    ptx_launch_release(&launch);
    ptx_module_free(module);
}

/* The upper lanes have left %r1 behind and written others; the lower ones read theirs. */
static void lanes_that_do_not_take_part(void **state)
{
    (void)state;
    run("add.u32 %r1, %r0, 500;\nsetp.lt.u32 %p1, %r0, 16;\n@%p1 bra LOW;\nmov.u32 %r2, 1;\n"
        "add.u32 %r3, %r2, 1;\nadd.u32 %r4, %r3, %r2;\nst.global.u32 [%d1], %r4;\nret;\n"
        "LOW: shfl.idx.b32 %r5, %r1, 20, 31;\nst.global.u32 [%d1], %r5;\nret;",
        32);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), t < 16 ? 520 : 3);
    }
}

/* %r1 and %d2 hold one value for the launch; %r2 has two, one for each path; %r3 is a copy of
 * the first behind a guard; %r4 is read round the loop before it is written. */
static void one_value_for_a_launch(void **state)
{
    (void)state;
    run("mov.u32 %r1, 40;\nmov.u64 %d2, %d1;\nmov.u32 %r2, 1;\nsetp.lt.u32 %p1, %r0, 16;\n"
        "@%p1 bra LOW;\nmov.u32 %r2, 2;\nLOW: @%p1 mov.u32 %r3, %r1;\nmov.u32 %r5, 0;\n"
        "AGAIN: add.u32 %r6, %r4, %r2;\nmov.u32 %r4, 100;\nadd.u32 %r5, %r5, 1;\n"
        "setp.lt.u32 %p2, %r5, 2;\n@%p2 bra AGAIN;\nadd.u32 %r6, %r6, %r3;\n"
        "sub.u64 %d3, %d1, %d2;\ncvt.u32.u64 %r7, %d3;\nadd.u32 %r6, %r6, %r7;\n"
        "st.global.u32 [%d1], %r6;\nret;",
        32);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), t < 16 ? 141 : 102);
    }
}

/* Storage keeps what the last warp left there; %r1 is never written. */
static void unwritten_is_zero(void **state)
{
    (void)state;
    static const char text[] =
        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<3>;\n"
        ".reg .pred %p<2>;\nld.param.u64 %d1, [out];\n@%p1 mov.u32 %r1, 9;\n"
        "st.global.u32 [%d1], %r1;\nret;\n}\n";
    struct isa_launch launch;
    struct ptx_module *module = launch_one_warp(&launch, text);
    struct isa_warp_place place = {.warp_in_cta = 0};
    struct isa_memop store;
    struct isa_step step = {.kind = ISA_STEP_DONE};
    struct isa_warp *warp = malloc(launch.warp_bytes);
    memset(warp, 0xee, launch.warp_bytes);
    launch.warp_start(launch.self, warp, &place);
    for (uint32_t cycle = 0; cycle < 3; cycle++) {
        launch.step(launch.self, warp, cycle, &step, &store);
    }
    assert_int_equal(step.kind, ISA_STEP_MEMORY);
    for (uint32_t lane = 0; lane < 32; lane++) {
        static const uint8_t zero[4];
        assert_memory_equal(store.data[lane], zero, 4);
        assert_int_equal(store.addr[lane], TEST_BASE);
    }
    launch.warp_end(launch.self, warp);
    free(warp);
    ptx_launch_release(&launch);
    ptx_module_free(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_cost_nothing),
                                       cmocka_unit_test(lanes_on_another_path),
                                       cmocka_unit_test(late_load),
                                       cmocka_unit_test(lanes_that_do_not_take_part),
                                       cmocka_unit_test(one_value_for_a_launch),
                                       cmocka_unit_test(unwritten_is_zero)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
