/* test_ptx_warp.c - instructions by which the lanes of a warp exchange values, where lanes name
 * different member masks, and shared addresses that wrap at 32 bits.
 *
 * Expectations are worked out lane by lane from the PTX ISA's description of each instruction.
 */
#include "test_ptx.h"

/* Lanes 0-7 name 0x000000ff, 8-31 the rest; the value of a lane is lane * 3. */
#define TWO_GROUPS \
    "and.b32 %r1, %r0, 31;\nsetp.lt.u32 %p1, %r1, 8;\nselp.b32 %r2, 0xff, 0xffffff00, %p1;\n" \
    "mul.lo.u32 %r3, %r1, 3;\n"
#define STORE "st.global.u32 [%d1], %r9;\nret;\n"

static uint32_t first_of(uint32_t lane)
{
    return lane < 8 ? 0 : 8;
}

static uint32_t past_of(uint32_t lane)
{
    return lane < 8 ? 8 : 32;
}

static void run(struct test_gpu *gpu, const char *body)
{
    memset(gpu->memory, 0, 4096);
    if (test_run_body(gpu, body, 32) != 0) {
        fail_msg("%s", gpu->error);
    }
}

static struct test_gpu *new_gpu(void)
{
    struct test_gpu *gpu = calloc(1, sizeof(*gpu));
    assert_non_null(gpu);
    return gpu;
}

/* Odd lanes vote yes. */
static void test_vote(void **state)
{
    struct test_gpu *gpu = new_gpu();
    (void)state;
    run(gpu, TWO_GROUPS "and.b32 %r4, %r1, 1;\nsetp.ne.u32 %p2, %r4, 0;\n"
                        "vote.sync.ballot.b32 %r9, %p2, %r2;\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), lane < 8 ? 0xaa : 0xaaaaaa00);
    }
    run(gpu, TWO_GROUPS "setp.lt.u32 %p2, %r1, 8;\nvote.sync.all.pred %p3, %p2, %r2;\n"
                        "selp.u32 %r9, 1, 2, %p3;\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), lane < 8 ? 1 : 2);
    }
    run(gpu, TWO_GROUPS "setp.eq.u32 %p2, %r1, 20;\nvote.sync.any.pred %p3, %p2, %r2;\n"
                        "vote.sync.uni.pred %p4, %p2, %r2;\nselp.u32 %r8, 1, 0, %p3;\n"
                        "selp.u32 %r9, 2, 0, %p4;\nadd.u32 %r9, %r9, %r8;\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), lane < 8 ? 2 : 1);
    }
    free(gpu);
}

static void test_redux(void **state)
{
    static const char *const ops[] = {"add", "min", "max", "or", "and", "xor"};
    struct test_gpu *gpu = new_gpu();
    (void)state;
    for (size_t o = 0; o < sizeof(ops) / sizeof(ops[0]); o++) {
        char body[512];
        const char *type = o < 3 ? "u32" : "b32";
        snprintf(body, sizeof(body), "%sredux.sync.%s.%s %%r9, %%r3, %%r2;\n%s", TWO_GROUPS, ops[o],
                 type, STORE);
        run(gpu, body);
        for (uint32_t lane = 0; lane < 32; lane++) {
            uint32_t expected = first_of(lane) * 3;
            for (uint32_t other = first_of(lane) + 1; other < past_of(lane); other++) {
                uint32_t v = other * 3;
                expected = o == 0   ? expected + v
                           : o == 1 ? (expected < v ? expected : v)
                           : o == 2 ? (expected > v ? expected : v)
                           : o == 3 ? expected | v
                           : o == 4 ? expected & v
                                    : expected ^ v;
            }
            assert_int_equal(test_word(gpu, lane), expected);
        }
    }
    free(gpu);
}

/* The value is lane / 4 for match.any; a group's own number for match.all in the first group. */
static void test_match(void **state)
{
    struct test_gpu *gpu = new_gpu();
    (void)state;
    run(gpu, TWO_GROUPS "shr.u32 %r4, %r1, 2;\nmatch.any.sync.b32 %r9, %r4, %r2;\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), 0xfu << (lane / 4 * 4));
    }
    run(gpu, TWO_GROUPS "selp.b32 %r4, 5, %r1, %p1;\nmatch.all.sync.b32 %r8|%p2, %r4, %r2;\n"
                        "selp.u32 %r7, 0x10000, 0, %p2;\nadd.u32 %r9, %r8, %r7;\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), lane < 8 ? 0x100ff : 0);
    }
    free(gpu);
}

static void test_elect_and_shfl(void **state)
{
    struct test_gpu *gpu = new_gpu();
    (void)state;
    run(gpu, TWO_GROUPS "elect.sync %r8|%p2, %r2;\nselp.u32 %r7, 100, 0, %p2;\n"
                        "add.u32 %r9, %r8, %r7;\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), first_of(lane) + (lane == first_of(lane) ? 100 : 0));
    }
    /* Each group reads from its own lane: 1 and 9. */
    run(gpu,
        TWO_GROUPS "selp.b32 %r4, 1, 9, %p1;\nshfl.sync.idx.b32 %r9, %r3, %r4, 31, %r2;\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), lane < 8 ? 3 : 27);
    }
    free(gpu);
}

/* [base - 4 + 8] with base = 0: the sum is a shared address again. */
static void test_shared_wrap(void **state)
{
    struct test_gpu *gpu = new_gpu();
    (void)state;
    run(gpu, ".shared .align 4 .b8 sh[256];\nmov.u32 %r4, sh;\nshl.b32 %r5, %r0, 2;\n"
             "add.u32 %r6, %r4, %r5;\nst.shared.u32 [%r6], %r0;\nadd.u32 %r7, %r6, -4;\n"
             "ld.shared.u32 %r9, [%r7+4];\n" STORE);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(test_word(gpu, lane), lane);
    }
    free(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vote), cmocka_unit_test(test_redux), cmocka_unit_test(test_match),
        cmocka_unit_test(test_elect_and_shfl), cmocka_unit_test(test_shared_wrap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
