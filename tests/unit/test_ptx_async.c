/* test_ptx_async.c - cp.async and mbarriers: bytes, zeros, phases and states, as the PTX ISA says.  When
 * a copy comes is the machine's affair; the programs of tests/cuda look at that. */
#include "test_ptx.h"

static void run(struct test_gpu *gpu, const char *body, uint32_t threads)
{
    if (test_run_body(gpu, body, threads) != 0) {
        fail_msg("%s: %s", body, gpu->error);
    }
}

/* Each lane copies 16 bytes, of which lane % 17 are read; byte i of memory is i * 3 + 1. */
static void test_copy(void **state)
{
    static const char *const forms[] = {
        "rem.u32 %r5, %r0, 17;\ncp.async.cg.shared.global.L2::128B [%r3+16], [%d3+16], 16, %r5;\n",
        "and.b32 %r5, %r0, 1;\nsetp.ne.u32 %p1, %r5, 0;\n"
        "cp.async.ca.shared::cta.global [%r3+16], [%d3+16], 16, %p1;\n",
        "cp.async.ca.shared.global [%r3+16], [%d3+16], 4;\ncp.async.ca.shared.global [%r3+20], "
        "[%d3+20], 4;\ncp.async.ca.shared.global [%r3+24], [%d3+24], 8;\n"};
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    for (size_t form = 0; form < 3; form++) {
        char body[2048];
        for (uint32_t i = 0; i < 2048; i++) {
            gpu->memory[i] = (uint8_t)(i * 3 + 1);
        }
        snprintf(body, sizeof(body),
                 ".shared .align 16 .b8 rows[640];\nmov.u32 %%r2, rows;\n"
                 "mad.lo.u32 %%r3, %%r0, 16, %%r2;\nmul.wide.u32 %%d3, %%r0, 16;\n"
                 "add.u64 %%d3, %%d3, %%d0;\nmov.u32 %%r9, -1;\n"
                 "st.shared.v4.u32 [%%r3+16], {%%r9,%%r9,%%r9,%%r9};\n%s"
                 "cp.async.commit_group;\ncp.async.wait_group 0;\ncp.async.wait_all;\n"
                 "ld.shared.v4.u32 {%%r20,%%r21,%%r22,%%r23}, [%%r3+16];\n"
                 "st.global.v4.u32 [%%d3+4096], {%%r20,%%r21,%%r22,%%r23};\n",
                 forms[form]);
        run(gpu, body, 32);
        for (uint32_t i = 0; i < 512; i++) {
            uint32_t lane = i / 16, read = form == 0 ? lane % 17 : form == 1 && lane % 2 ? 0 : 16;
            assert_int_equal(gpu->memory[4096 + i], i % 16 < read ? gpu->memory[16 + i] : 0);
        }
    }
    free(gpu);
}

#define BARRIER ".shared .align 8 .b64 bar;\nmov.u32 %r2, bar;\nsetp.eq.u32 %p1, %r0, 0;\n"

/* Lane 0 alone, step by step: each answer is one bit of the result. */
static void test_phases(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    run(gpu,
        BARRIER
        "mbarrier.init.shared::cta.b64 [%r2], 3;\n"
        "mbarrier.arrive.shared.b64 %d4, [%r2];\n"
        "mbarrier.pending_count.b64 %r10, %d4;\n"          /* 3 */
        "mbarrier.test_wait.shared.b64 %p2, [%r2], %d4;\n" /* no */
        "mbarrier.arrive.noComplete.release.cta.shared.b64 %d5, [%r2], 1;\n"
        "mbarrier.pending_count.b64 %r11, %d5;\n"                           /* 2 */
        "mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;\n"              /* no */
        "mbarrier.arrive.shared.b64 _, [%r2];\n"                            /* the phase ends */
        "mbarrier.test_wait.shared.b64 %p4, [%r2], %d4;\n"                  /* yes */
        "mbarrier.test_wait.parity.acquire.cta.shared.b64 %p5, [%r2], 0;\n" /* yes */
        "mbarrier.try_wait.parity.shared.b64 %p6, [%r2], 1, 100;\n"         /* no */
        "mbarrier.arrive_drop.shared.b64 %d6, [%r2];\n" /* 2 arrivals a phase from now on */
        "mbarrier.arrive.shared.b64 %d6, [%r2], 2;\n"
        "mbarrier.test_wait.parity.shared.b64 %p7, [%r2], 1;\n" /* yes */
        "mbarrier.arrive.shared.b64 %d7, [%r2];\n"
        "mbarrier.pending_count.b64 %r12, %d7;\n" /* 2 */
        "selp.u32 %r13, 1, 0, %p2;\nselp.u32 %r14, 2, 0, %p3;\nselp.u32 %r15, 4, 0, %p4;\n"
        "selp.u32 %r16, 8, 0, %p5;\nselp.u32 %r17, 16, 0, %p6;\nselp.u32 %r18, 32, 0, %p7;\n"
        "add.u32 %r13, %r13, %r14;\nadd.u32 %r13, %r13, %r15;\nadd.u32 %r13, %r13, %r16;\n"
        "add.u32 %r13, %r13, %r17;\nadd.u32 %r13, %r13, %r18;\n"
        "st.global.v4.u32 [%d0], {%r10,%r11,%r12,%r13};\nmbarrier.inval.shared.b64 [%r2];\n",
        1);
    assert_int_equal(test_word(gpu, 0), 3);
    assert_int_equal(test_word(gpu, 1), 2);
    assert_int_equal(test_word(gpu, 2), 2);
    assert_int_equal(test_word(gpu, 3), 4 + 8 + 32);
    free(gpu);
}

/* A phase ends when the arrivals and the bytes are there. */
static void test_bytes(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    run(gpu,
        BARRIER
        "mbarrier.init.shared.b64 [%r2], 1;\n"
        "mbarrier.complete_tx.relaxed.cta.shared.b64 [%r2], 64;\n" /* before it is expected */
        "mbarrier.arrive.expect_tx.shared.b64 %d4, [%r2], 96;\n"
        "mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0;\n" /* no: 32 to come */
        "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r2], 8;\n"
        "mbarrier.complete_tx.relaxed.cta.shared.b64 [%r2], 32;\n"
        "mbarrier.test_wait.parity.shared.b64 %p3, [%r2], 0;\n" /* no: 8 */
        "mbarrier.complete_tx.relaxed.cta.shared.b64 [%r2], 8;\n"
        "mbarrier.test_wait.parity.shared.b64 %p4, [%r2], 0;\n" /* yes */
        "selp.u32 %r10, 1, 0, %p2;\nselp.u32 %r11, 1, 0, %p3;\nselp.u32 %r12, 1, 0, %p4;\n"
        "st.global.v4.u32 [%d0], {%r10,%r11,%r12,%r12};\n",
        1);
    assert_int_equal(test_word(gpu, 0), 0);
    assert_int_equal(test_word(gpu, 1), 0);
    assert_int_equal(test_word(gpu, 2), 1);
    free(gpu);
}

/* 64 threads, each arrives when its copy is there: with .noinc it is one of those expected. */
static void test_copies_arrive(void **state)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    for (uint32_t counted = 0; counted < 2; counted++) {
        char body[2048];
        memset(gpu->memory, 7, 1024);
        snprintf(body, sizeof(body), "%s%s%s%s%s", BARRIER,
                 ".shared .align 16 .b8 at[1024];\nmov.u32 %r3, at;\n"
                 "mad.lo.u32 %r3, %r0, 16, %r3;\nmul.wide.u32 %d3, %r0, 16;\n"
                 "add.u64 %d3, %d3, %d0;\n@%p1 mbarrier.init.shared.b64 [%r2], 64;\n"
                 "bar.sync 0;\ncp.async.cg.shared.global [%r3], [%d3], 16;\n",
                 counted ? "cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];\n"
                         : "cp.async.mbarrier.arrive.shared.b64 [%r2];\n",
                 counted ? "" : "mbarrier.arrive.shared.b64 %d4, [%r2];\n",
                 "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0;\n@!%p2 bra W;\n"
                 "ld.shared.u32 %r5, [%r3];\nst.global.u32 [%d1+2048], %r5;\n");
        run(gpu, body, 64);
        for (uint32_t t = 0; t < 64; t++) {
            assert_int_equal(test_word(gpu, 512 + t), 0x07070707);
        }
    }
    free(gpu);
}

static void test_faults(void **state)
{
    static const char *const bodies[][2] = {
        {BARRIER "mbarrier.arrive.shared.b64 %d4, [%r2];\n", "no initialised mbarrier"},
        {BARRIER "mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0;\n", "not initialised"},
        {BARRIER "mbarrier.init.shared.b64 [%r2], 0;\n", "not 1 to 2^20-1"},
        {BARRIER "mbarrier.init.shared.b64 [%r2], 1;\nmbarrier.arrive.shared.b64 %d4, [%r2], 2;\n",
         "more arrivals than the phase expects"},
        {BARRIER "mbarrier.init.shared.b64 [%r2+4], 1;\n", "misaligned"},
        {BARRIER "cp.async.ca.shared.global [%r2+4], [%d0], 8;\n", "misaligned"},
        {BARRIER "cp.async.ca.shared.global [%r2+65536], [%d0], 8;\n", "outside shared memory"}};
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    (void)state;
    for (size_t b = 0; b < sizeof(bodies) / sizeof(bodies[0]); b++) {
        assert_int_equal(test_run_body(gpu, bodies[b][0], 1), -1);
        if (strstr(gpu->error, bodies[b][1]) == NULL) {
            fail_msg("%s: %s", bodies[b][0], gpu->error);
        }
    }
    free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),   cmocka_unit_test(test_phases),
        cmocka_unit_test(test_bytes),  cmocka_unit_test(test_copies_arrive),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
