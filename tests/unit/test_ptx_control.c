/* test_ptx_control.c - divergence, calls, exits, barriers and exchange between lanes, each against
 * the same algorithm run thread by thread in C.
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

#define STORE "st.global.u32 [%d1], %r9;\n"

static void nested_ifs(void **state)
{
    (void)state;
    run("and.b32 %r1, %r0, 1;\nsetp.eq.u32 %p1, %r1, 0;\nand.b32 %r2, %r0, 6;\n"
        "setp.eq.u32 %p2, %r2, 2;\nmov.u32 %r9, 0;\n@%p1 bra EVEN;\nadd.u32 %r9, %r9, 100;\n"
        "@%p2 bra JOIN;\nadd.u32 %r9, %r9, 10;\nbra JOIN;\nEVEN: add.u32 %r9, %r9, 200;\n"
        "@!%p2 bra LATE;\nadd.u32 %r9, %r9, 20;\nLATE: add.u32 %r9, %r9, 1;\nJOIN: activemask.b32 "
        "%r8;\n"
        "setp.ne.u32 %p3, %r8, 0xffffffff;\n@%p3 mov.u32 %r9, 0xdead;\n" STORE "ret;",
        64);
    for (uint32_t t = 0; t < 64; t++) {
        bool low = (t & 6) == 2;
        uint32_t expected = (t & 1) == 0 ? 201 + (low ? 20 : 0) : 100 + (low ? 0 : 10);
        assert_int_equal(test_word(gpu, t), expected); /* 0xdead: the lanes did not come together */
    }
}

static void loops_of_different_length(void **state)
{
    (void)state;
    run("mov.u32 %r9, 0;\nmov.u32 %r1, 0;\nOUTER: setp.ge.u32 %p1, %r1, %r0;\n@%p1 bra END;\n"
        "mov.u32 %r2, 0;\nINNER: add.u32 %r9, %r9, %r2;\nadd.u32 %r2, %r2, 1;\n"
        "setp.lt.u32 %p2, %r2, %r1;\n@%p2 bra INNER;\nadd.u32 %r1, %r1, 1;\n"
        "setp.eq.u32 %p3, %r9, 77;\n@%p3 bra END;\nbra OUTER;\nEND: " STORE "ret;",
        40);
    for (uint32_t t = 0; t < 40; t++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < t && sum != 77; i++) {
            uint32_t j = 0;
            do {
                sum += j++;
            } while (j < i);
        }
        assert_int_equal(test_word(gpu, t), sum);
    }
}

static void early_exits(void **state)
{
    (void)state;
    run("setp.lt.u32 %p1, %r0, 5;\n@%p1 exit;\nmov.u32 %r9, 1;\n" STORE "and.b32 %r1, %r0, 3;\n"
        "setp.eq.u32 %p2, %r1, 0;\n@!%p2 bra GO;\nexit;\nGO: mov.u32 %r9, 2;\n" STORE "ret;",
        50);
    for (uint32_t t = 0; t < 50; t++) {
        assert_int_equal(test_word(gpu, t), t < 5 ? 0 : t % 4 == 0 ? 1 : 2);
    }
}

/* What the machine sees of a warp between steps. */
static void warp_header(void **state)
{
    (void)state;
    static const char text[] = ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<3>;\n.reg "
                               ".b32 %r<3>;\nmov.u32 %r1, %tid.x;\n"
                               "setp.lt.u32 %p1, %r1, 5;\n@%p1 exit;\nsetp.lt.u32 %p2, %r1, "
                               "8;\n@%p2 bra SIDE;\nmov.u32 %r2, 1;\nSIDE: ret;\n}\n";
    static const struct {
        uint32_t pc, active, live;
    } expected[] = {{0, 0x3ffff, 0x3ffff}, {1, 0x3ffff, 0x3ffff}, {2, 0x3ffff, 0x3ffff},
                    {3, 0x3ffe0, 0x3ffe0}, {4, 0x3ffe0, 0x3ffe0}, {5, 0x3ff00, 0x3ffe0},
                    {6, 0x3ffe0, 0x3ffe0}};
    struct ptx_module *module = test_parse(text);
    uint8_t params[8] = {0};
    struct ptx_launch_config config = {.grid = {1, 1, 1},
                                       .block = {50, 1, 1},
                                       .param_block = params,
                                       .n_param_block = 8,
                                       .n_sms = 1};
    struct isa_launch launch;
    assert_int_equal(ptx_launch_init(&launch, module, ptx_kernel(module, "k"), &config, gpu->error,
                                     sizeof(gpu->error)),
                     0);
    struct isa_warp *warp = calloc(1, launch.warp_bytes);
    struct isa_warp_place place = {.warp_in_cta = 1}; /* a partial last warp */
    struct isa_step step = {.kind = ISA_STEP_DONE};
    struct isa_memop op;
    launch.warp_start(launch.self, warp, &place);
    assert_int_equal(warp->live, 0x3ffff);
    launch.warp_end(launch.self, warp);
    memset(warp, 0, launch.warp_bytes);
    config.block.x = 18;
    ptx_launch_release(&launch);
    assert_int_equal(ptx_launch_init(&launch, module, ptx_kernel(module, "k"), &config, gpu->error,
                                     sizeof(gpu->error)),
                     0);
    place.warp_in_cta = 0;
    launch.warp_start(launch.self, warp, &place);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_false(warp->done);
        assert_int_equal(warp->pc, expected[i].pc);
        assert_int_equal(warp->active, expected[i].active);
        assert_int_equal(warp->live, expected[i].live);
        launch.step(launch.self, warp, i, &step, &op);
        assert_int_equal(step.kind, ISA_STEP_DONE);
    }
    assert_true(warp->done);
    assert_int_equal(warp->live, 0);
    launch.warp_end(launch.self, warp);
    free(warp);
    ptx_launch_release(&launch);
    ptx_module_free(module);
}

static void indexed_branches(void **state)
{
    (void)state;
    run("rem.u32 %r1, %r0, 5;\nTABLE: .branchtargets A, B, C, A, D;\nbrx.idx %r1, TABLE;\n"
        "A: mov.u32 %r9, 1;\nbra OUT;\nB: mov.u32 %r9, 2;\nC: mov.u32 %r9, 3;\nbra OUT;\n"
        "D: mov.u32 %r9, 4;\nOUT: activemask.b32 %r8;\nshl.b32 %r8, %r8, 3;\nor.b32 %r9, %r9, "
        "%r8;\n" STORE "ret;",
        32);
    static const uint32_t expected[] = {1, 3, 3, 1, 4};
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t), 0xfffffff8u | expected[t % 5]);
    }
}

static const char functions[] =
    ".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<9>;\n"
    "ld.param.u32 %r1, [n];\nsetp.lt.s32 %p1, %r1, 2;\n@%p1 bra DONE;\nadd.s32 %r2, %r1, -1;\n"
    "{\n.param .b32 a;\nst.param.b32 [a+0], %r2;\n.param .b32 v;\ncall.uni (v), fib, (a);\n"
    "ld.param.b32 %r3, [v+0];\n}\nadd.s32 %r4, %r1, -2;\n{\n.param .b32 a;\nst.param.b32 [a+0], "
    "%r4;\n"
    ".param .b32 v;\ncall.uni (v), fib, (a);\nld.param.b32 %r5, [v+0];\n}\nadd.s32 %r1, %r3, %r5;\n"
    "DONE: st.param.b32 [r+0], %r1;\nret;\n}\n"
    ".func (.reg .u32 %out, .reg .pred %big) twice(.reg .u32 %in, .reg .u64 %unused)\n{\n"
    "add.u32 %out, %in, %in;\nsetp.gt.u32 %big, %out, 20;\n@%big ret;\nadd.u32 %out, %out, "
    "1000;\n}\n";

static void calls(void **state)
{
    (void)state;
    static const char kernel[] =
        ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 "
        "%d<4>;\n"
        "ld.param.u64 %d0, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 4;\n"
        "add.u64 %d1, %d1, %d0;\nand.b32 %r1, %r0, 7;\nsetp.eq.u32 %p1, %r1, 3;\nmov.u32 %r5, 7;\n"
        "@%p1 bra OVER;\n{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 v;\n"
        "call (v), fib, (a);\nld.param.b32 %r5, [v];\n}\nOVER: setp.lt.u32 %p2, %r0, 30;\n"
        "mov.u32 %r6, 5;\n@%p2 call (%r6, %p3), twice, (%r0, 0);\nselp.u32 %r7, 1, 0, %p3;\n"
        "mad.lo.u32 %r5, %r5, 10000, %r6;\nmad.lo.u32 %r5, %r7, 100000000, %r5;\n"
        "st.global.u32 [%d1], %r5;\nret;\n}\n";
    static const uint32_t fibs[] = {0, 1, 1, 7, 3, 5, 8, 13};
    char text[8192];
    uint64_t params[] = {TEST_BASE};
    snprintf(text, sizeof(text), "%s%s", functions, kernel);
    struct ptx_module *module = test_parse(text);
    memset(gpu, 0, sizeof(*gpu));
    int status = test_run_module(gpu, module, "k", (struct isa_dim3){1, 1, 1},
                                 (struct isa_dim3){48, 1, 1}, 0, params, 1);
    ptx_module_free(module);
    assert_int_equal(status, 0);
    for (uint32_t t = 0; t < 48; t++) {
        uint32_t twice = t >= 30 ? 5 : 2 * t > 20 ? 2 * t : 2 * t + 1000;
        uint32_t big = t < 30 && 2 * t > 20;
        assert_int_equal(test_word(gpu, t), fibs[t % 8] * 10000 + twice + big * 100000000);
    }
}

static void endless_recursion_faults(void **state)
{
    (void)state;
    static const char text[] = ".func down()\n{\ncall down;\nret;\n}\n.visible .entry k(.param "
                               ".u64 out)\n{\ncall down;\nret;\n}\n";
    uint64_t params[] = {TEST_BASE};
    struct ptx_module *module = test_parse(text);
    int status = test_run_module(gpu, module, "k", (struct isa_dim3){1, 1, 1},
                                 (struct isa_dim3){32, 1, 1}, 0, params, 1);
    ptx_module_free(module);
    assert_int_equal(status, -1);
    assert_non_null(strstr(gpu->error, "kernel k, test.ptx:6: calls nest deeper than 64"));
}

/* A sum tree in shared memory: a barrier in a loop that half of the threads leave early in effect.
 */
static void barrier_in_a_loop(void **state)
{
    (void)state;
    run(".shared .align 4 .b8 s[1024];\nmov.u32 %r1, s;\nshl.b32 %r2, %r0, 2;\nadd.u32 %r1, %r1, "
        "%r2;\n"
        "mul.lo.u32 %r3, %r0, %r0;\nst.shared.u32 [%r1], %r3;\nmov.u32 %r4, 128;\nLOOP: bar.sync "
        "0;\n"
        "setp.ge.u32 %p1, %r0, %r4;\n@%p1 bra SKIP;\nshl.b32 %r5, %r4, 2;\nadd.u32 %r5, %r5, %r1;\n"
        "ld.shared.u32 %r6, [%r5];\nld.shared.u32 %r7, [%r1];\nadd.u32 %r7, %r7, %r6;\n"
        "st.shared.u32 [%r1], %r7;\nSKIP: shr.u32 %r4, %r4, 1;\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 bra "
        "LOOP;\n"
        "bar.sync 0;\nld.shared.u32 %r9, [s];\n" STORE "ret;",
        256);
    uint32_t sum = 0;
    for (uint32_t t = 0; t < 256; t++) {
        sum += t * t;
    }
    for (uint32_t t = 0; t < 256; t++) {
        assert_int_equal(test_word(gpu, t), sum);
    }
}

static void reducing_barriers(void **state)
{
    (void)state;
    run("mov.u32 %r9, 0;\nmov.u32 %r1, 0;\nLOOP: setp.gt.u32 %p1, %r0, %r1;\n"
        "bar.red.popc.u32 %r2, 1, %p1;\nadd.u32 %r9, %r9, %r2;\nbar.red.and.pred %p2, 1, %p1;\n"
        "@%p2 add.u32 %r9, %r9, 100000;\nbar.red.or.pred %p3, 2, %p1;\n@!%p3 add.u32 %r9, %r9, "
        "1000000;\n"
        "add.u32 %r1, %r1, 25;\nsetp.lt.u32 %p4, %r1, 200;\n@%p4 bra LOOP;\n" STORE "ret;",
        100);
    uint32_t expected = 0;
    for (uint32_t r = 0; r < 200; r += 25) {
        expected += r < 99 ? 99 - r : 0;   /* threads above r */
        expected += r >= 99 ? 1000000 : 0; /* none left */
    }
    for (uint32_t t = 0; t < 100; t++) {
        assert_int_equal(test_word(gpu, t), expected);
    }
}

/* Producers arrive, consumers wait: two warps each. */
static void arriving_barrier(void **state)
{
    (void)state;
    run(".shared .align 4 .b8 s[256];\nshl.b32 %r1, %r0, 2;\nsetp.ge.u32 %p1, %r0, 64;\n@%p1 bra "
        "CONSUME;\n"
        "add.u32 %r2, %r0, 7;\nmov.u32 %r3, s;\nadd.u32 %r3, %r3, %r1;\nst.shared.u32 [%r3], %r2;\n"
        "bar.arrive 3, 128;\nret;\nCONSUME: bar.sync 3, 128;\nmov.u32 %r3, s;\nadd.u32 %r3, %r3, "
        "%r1;\n"
        "ld.shared.u32 %r9, [%r3+-256];\n" STORE "ret;",
        128);
    for (uint32_t t = 64; t < 128; t++) {
        assert_int_equal(test_word(gpu, t), t - 64 + 7);
    }
}

static void missing_warps_are_reported(void **state)
{
    (void)state;
    memset(gpu, 0, sizeof(*gpu));
    assert_int_equal(test_run_body(gpu,
                                   "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra OTHER;\nbar.sync 1;\nret;\n"
                                   "OTHER: bar.sync 2;\nret;",
                                   64),
                     -1);
    assert_non_null(strstr(gpu->error, "every warp of a CTA waits at a barrier"));
}

/* The pseudo-code of the manual for shfl, once more. */
static uint32_t shfl(char mode, uint32_t lane, uint32_t b, uint32_t c, bool *valid)
{
    int bval = (int)(b & 31), cval = (int)(c & 31), mask = (int)(c >> 8 & 31), l = (int)lane, j;
    int max_lane = (l & mask) | (cval & ~mask), min_lane = l & mask;
    switch (mode) {
    case 'u':
        j = l - bval;
        *valid = j >= max_lane;
        break;
    case 'd':
        j = l + bval;
        *valid = j <= max_lane;
        break;
    case 'b':
        j = l ^ bval;
        *valid = j <= max_lane;
        break;
    default:
        j = min_lane | (bval & ~mask);
        *valid = j <= max_lane;
        break;
    }
    return (uint32_t)(*valid ? j : l);
}

static void shuffles(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        char mode;
    } modes[] = {{"up", 'u'}, {"down", 'd'}, {"bfly", 'b'}, {"idx", 'i'}};
    static const uint32_t controls[] = {0x1f, 0, 0x1c03, 0x180f, 0x1807, 0x101f};
    for (size_t m = 0; m < 4; m++) {
        for (uint32_t b = 0; b < 36; b += 5) {
            for (size_t c = 0; c < 6; c++) {
                char body[512];
                snprintf(
                    body, sizeof(body),
                    "mul.lo.u32 %%r1, %%r0, 3;\nshfl.sync.%s.b32 %%r9|%%p1, %%r1, %u, %u, -1;\n"
                    "selp.u32 %%r2, 1000, 0, %%p1;\nadd.u32 %%r9, %%r9, %%r2;\n"
                    "st.global.u32 [%%d1], %%r9;\nret;",
                    modes[m].name, b, controls[c]);
                run(body, 32);
                for (uint32_t t = 0; t < 32; t++) {
                    bool valid = false;
                    uint32_t from = shfl(modes[m].mode, t, b, controls[c], &valid);
                    assert_int_equal(test_word(gpu, t), from * 3 + (valid ? 1000 : 0));
                }
            }
        }
    }
}

static void votes_and_matches(void **state)
{
    (void)state;
    run("setp.gt.u32 %p1, %r0, 9;\nvote.sync.ballot.b32 %r1, %p1, 0xffff;\nvote.sync.any.pred %p2, "
        "%p1, -1;\n"
        "vote.sync.all.pred %p3, !%p1, 0x3ff;\nvote.sync.uni.pred %p4, %p1, -1;\nselp.u32 %r2, 1, "
        "0, %p2;\n"
        "selp.u32 %r3, 2, 0, %p3;\nselp.u32 %r4, 4, 0, %p4;\nand.b32 %r5, %r0, 3;\n"
        "match.any.sync.b32 %r6, %r5, -1;\nmatch.all.sync.b32 %r7|%p5, %r5, 0x11111111;\n"
        "redux.sync.add.s32 %r8, %r0, -1;\nredux.sync.max.u32 %r10, %r5, -1;\n"
        "add.u32 %r9, %r2, %r3;\nadd.u32 %r9, %r9, %r4;\nmul.wide.u32 %d2, %r0, 32;\nadd.u64 %d2, "
        "%d2, %d0;\n"
        "st.global.v4.u32 [%d2], {%r1,%r9,%r6,%r7};\nst.global.v2.u32 [%d2+16], {%r8,%r10};\nret;",
        32);
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(test_word(gpu, t * 8), 0xfc00);
        assert_int_equal(test_word(gpu, t * 8 + 1), 1 + 2);
        assert_int_equal(test_word(gpu, t * 8 + 2), 0x11111111u << (t & 3));
        assert_int_equal(test_word(gpu, t * 8 + 3), 0x11111111u);
        assert_int_equal(test_word(gpu, t * 8 + 4), 31 * 32 / 2);
        assert_int_equal(test_word(gpu, t * 8 + 5), 3);
    }
}

/* A partial last warp, blocks and grids in three dimensions. */
static void special_registers(void **state)
{
    (void)state;
    static const char kernel[] =
        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<40>;\n.reg .b64 %d<6>;\n"
        "ld.param.u64 %d0, [out];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %tid.y;\nmov.u32 %r2, "
        "%tid.z;\n"
        "mov.u32 %r3, %ntid.x;\nmov.u32 %r4, %ntid.y;\nmov.u32 %r5, %ntid.z;\nmov.u32 %r6, "
        "%ctaid.x;\n"
        "mov.u32 %r7, %ctaid.y;\nmov.u32 %r8, %ctaid.z;\nmov.u32 %r9, %nctaid.x;\nmov.u32 %r10, "
        "%nctaid.y;\n"
        "mad.lo.u32 %r11, %r8, %r10, %r7;\nmad.lo.u32 %r11, %r11, %r9, %r6;\n"
        "mad.lo.u32 %r12, %r2, %r4, %r1;\nmad.lo.u32 %r12, %r12, %r3, %r0;\nmul.lo.u32 %r13, %r3, "
        "%r4;\n"
        "mul.lo.u32 %r13, %r13, %r5;\nmad.lo.u32 %r14, %r11, %r13, %r12;\nmul.wide.u32 %d1, %r14, "
        "16;\n"
        "add.u64 %d1, %d1, %d0;\nmov.u32 %r15, %laneid;\nmov.u32 %r16, %lanemask_lt;\nmov.u32 "
        "%r17, %lanemask_ge;\n"
        "mov.u32 %r18, %nctaid.z;\nst.global.v4.u32 [%d1], {%r12,%r15,%r16,%r17};\nret;\n}\n";
    struct ptx_module *module = test_parse(kernel);
    uint64_t params[] = {TEST_BASE};
    memset(gpu, 0xff, sizeof(gpu->memory));
    assert_int_equal(test_run_module(gpu, module, "k", (struct isa_dim3){2, 3, 2},
                                     (struct isa_dim3){5, 3, 3}, 0, params, 1),
                     0);
    ptx_module_free(module);
    for (uint32_t i = 0; i < 12 * 45; i++) {
        uint32_t thread = i % 45, lane = thread % 32;
        assert_int_equal(test_word(gpu, i * 4), thread);
        assert_int_equal(test_word(gpu, i * 4 + 1), lane);
        assert_int_equal(test_word(gpu, i * 4 + 2), (UINT64_C(1) << lane) - 1);
        assert_int_equal(test_word(gpu, i * 4 + 3), ~(uint32_t)((UINT64_C(1) << lane) - 1));
    }
    assert_int_equal(test_word(gpu, 12 * 45 * 4), 0xffffffffu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nested_ifs),
                                       cmocka_unit_test(loops_of_different_length),
                                       cmocka_unit_test(early_exits),
                                       cmocka_unit_test(warp_header),
                                       cmocka_unit_test(indexed_branches),
                                       cmocka_unit_test(calls),
                                       cmocka_unit_test(endless_recursion_faults),
                                       cmocka_unit_test(barrier_in_a_loop),
                                       cmocka_unit_test(reducing_barriers),
                                       cmocka_unit_test(arriving_barrier),
                                       cmocka_unit_test(missing_warps_are_reported),
                                       cmocka_unit_test(shuffles),
                                       cmocka_unit_test(votes_and_matches),
                                       cmocka_unit_test(special_registers)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
