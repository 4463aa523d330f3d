/* test_mech_drd - race detection refuses addresses that its units cannot tell apart: they see 32
 * bits, and those of the signature that only watches 32 bits of a block's number; and copies that
 * stay from kernel to kernel hide nothing that the host wrote between them. */
#include "test_mech.h"

#include <string.h>

static const char *const machine[] = {"machine.sms=2", "l2.write=back-fetch", NULL};
#define LAST_BELOW UINT64_C(0xffffff80) /* the last block under 4 GiB */
#define FIRST_PAST UINT64_C(0x100000000)

/* All threads of two CTAs, one on each SM, load and store at `at`; the end of the run. */
static enum gpu_status run_at(struct mech *m, const char *mechanism, uint32_t threads, uint64_t at,
                              enum front_kind access)
{
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = at},
                                  {.kind = FRONT_LANE, .d = 2, .imm = 7},
                                  {.kind = access, .d = 3, .a = 1, .b = 2},
                                  {.kind = FRONT_EXIT}};
    struct front_program program;
    char error[512] = "";
    *m = (struct mech){.rig.options.threads = threads};
    rig_make(&m->rig, machine);
    m->units = run_units_attach(m->rig.gpu, mechanism, NULL, error, sizeof error);
    assert_string_equal(error, "");
    assert_true(memory_alloc(m->rig.memory, "x", at + BLOCK_BYTES, 256) < LAST_BELOW);
    front_make(&program, op, COUNT(op), 2, 32);
    const enum gpu_status status = gpu_launch(m->rig.gpu, &program.launch);
    front_free(&program);
    return status;
}

static void expect(uint32_t threads, uint64_t at, enum front_kind access, enum gpu_status status)
{
    static const char *const mechanisms[] = {"drd-nospec", "drd-ideal", "drd-spec",
                                             "drd-nospec:sig=exact"};
    for (size_t i = 0; i < COUNT(mechanisms); i++) {
        struct mech m;
        assert_int_equal(run_at(&m, mechanisms[i], threads, at, access), status);
        if (status != GPU_OK) {
            assert_non_null(strstr(m.rig.gpu->error, "SM 0: race detection sees 32 bits"));
            assert_non_null(strstr(m.rig.gpu->error, "block 0x100000000"));
        }
        mech_free(&m);
    }
}

static void below_4_gib(void **state)
{
    (void)state;
    expect(1, LAST_BELOW, FRONT_LOAD, GPU_OK);
    expect(1, LAST_BELOW, FRONT_STORE, GPU_OK);
    expect(1, LAST_BELOW, FRONT_RED, GPU_OK);
}

static void past_4_gib(void **state)
{
    (void)state;
    expect(1, FIRST_PAST, FRONT_LOAD, GPU_FAULT);
    expect(1, FIRST_PAST, FRONT_STORE, GPU_FAULT);
    expect(1, FIRST_PAST, FRONT_RED, GPU_FAULT);
}

/* Both SMs refuse in the same cycle, on two threads: the words are the same. */
static void on_two_threads(void **state)
{
    (void)state;
    expect(2, FIRST_PAST, FRONT_LOAD, GPU_FAULT);
}

static void launch(struct mech *m, const struct front_op *op, uint32_t n_op)
{
    struct front_program program;
    front_make(&program, op, n_op, 2, 32);
    assert_int_equal(gpu_launch(m->rig.gpu, &program.launch), GPU_OK);
    front_free(&program);
}

/* D-R11, kernels=keep: both SMs have read x, and neither has stored, so that their copies are one point
 * old when the next kernel begins; what the host wrote meanwhile is in no signature. */
static void host_writes_are_seen(void **state)
{
    static const char *const mechanisms[] = {"drd-nospec:kernels=keep", "drd-ideal:kernels=keep",
                                             "drd-spec:kernels=keep"};
    (void)state;
    for (size_t i = 0; i < COUNT(mechanisms); i++) {
        struct mech m = {.rig.options.threads = 1};
        char error[512] = "";
        rig_make(&m.rig, machine);
        m.units = run_units_attach(m.rig.gpu, mechanisms[i], NULL, error, sizeof error);
        assert_string_equal(error, "");
        const uint64_t x = memory_alloc(m.rig.memory, "x", BLOCK_BYTES, 256);
        const uint64_t y = memory_alloc(m.rig.memory, "y", BLOCK_BYTES, 256);
        const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = x},
                                      {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                      {.kind = FRONT_LANE, .d = 3, .imm = y},
                                      {.kind = FRONT_STORE, .a = 3, .b = 2},
                                      {.kind = FRONT_EXIT}};
        const struct front_op reads[] = {op[0], op[1], {.kind = FRONT_EXIT}};
        const uint32_t written = 9;
        uint32_t seen = 0;
        launch(&m, reads, COUNT(reads));
        gpu_poke(m.rig.gpu, x, &written, sizeof written);
        launch(&m, op, COUNT(op));
        gpu_peek(m.rig.gpu, y, &seen, sizeof seen);
        assert_int_equal(seen, written);
        mech_free(&m);
    }
}

/* Block numbers 0xffffffff and 0x100000000: without its 33rd bit the second would be 0. */
static void signature_past_512_gib(void **state)
{
    static const enum front_kind kinds[] = {FRONT_LOAD, FRONT_STORE};
    const uint64_t first_past = FIRST_PAST << BLOCK_SHIFT;
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(kinds); i++) {
        const bool past = i % 2 != 0;
        struct mech m;
        assert_int_equal(run_at(&m, "signature", 1, first_past - (past ? 0 : 128), kinds[i / 2]),
                         past ? GPU_FAULT : GPU_OK);
        assert_int_equal(strstr(m.rig.gpu->error, "block numbers of 32 bits, and block "
                                                  "0x8000000000 is past them") != NULL,
                         past);
        mech_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_4_gib),
        cmocka_unit_test(past_4_gib),
        cmocka_unit_test(on_two_threads),
        cmocka_unit_test(host_writes_are_seen),
        cmocka_unit_test(signature_past_512_gib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
