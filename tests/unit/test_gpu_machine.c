/* The machine as a whole: values, stale copies, atomics, fences, barriers, faults,
 * determinism in every mode, and a planted deadlock. */
#include "test_gpu_front_machine.h"

static const char *const FERMI[] = {
    "machine.sms=15",      "l2.partitions=6",       "l2.banks=2",
    "dram.channels=6",     "clock.core_khz=700000", "clock.icnt_khz=700000",
    "clock.l2_khz=700000", "clock.dram_khz=924000", NULL};

static uint32_t word(struct rig *rig, uint64_t address)
{
    uint32_t value;

    gpu_peek(rig->gpu, address, &value, sizeof value);
    return value;
}

/* c[i] = a[i] + b[i] plus atomics and a barrier; returns the statistics as text. */
static char *mixed_run(const char *const *set, uint32_t threads, bool every_cycle, bool check)
{
    struct rig rig = {.options = {.threads = threads, .every_cycle = every_cycle}};
    uint32_t n = 40 * 256;
    uint64_t a, b, c, sum;
    json_t *json;
    char *text;

    rig_make(&rig, set);
    a = memory_alloc(rig.memory, "a", n * 64, 0);
    b = memory_alloc(rig.memory, "b", n * 4, 0);
    c = memory_alloc(rig.memory, "c", n * 4, 0);
    sum = memory_alloc(rig.memory, "sum", 128, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t value = 5 * i;

        gpu_poke(rig.gpu, a + 64 * (uint64_t)i, &i, 4);
        gpu_poke(rig.gpu, b + 4 * (uint64_t)i, &value, 4);
    }
    const struct front_op op[] = {{.kind = FRONT_THREAD, .d = 1, .imm = a, .stride = 64},
                                  {.kind = FRONT_THREAD, .d = 2, .imm = b, .stride = 4},
                                  {.kind = FRONT_THREAD, .d = 3, .imm = c, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 4, .a = 1},
                                  {.kind = FRONT_LOAD, .d = 5, .a = 2},
                                  {.kind = FRONT_SUM, .d = 6, .a = 4, .b = 5},
                                  {.kind = FRONT_STORE, .a = 3, .b = 6},
                                  {.kind = FRONT_BAR},
                                  {.kind = FRONT_LANE, .d = 7, .imm = sum},
                                  {.kind = FRONT_LANE, .d = 8, .imm = 1},
                                  {.kind = FRONT_RED, .a = 7, .b = 8},
                                  {.kind = FRONT_FENCE},
                                  {.kind = FRONT_SFU, .d = 9, .a = 6},
                                  {.kind = FRONT_LOOP, .imm = 3, .stride = 2},
                                  {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 40, 256);
    for (uint32_t i = 0; i < n && check; i++) {
        assert_int_equal(word(&rig, c + 4 * (uint64_t)i), 6 * i);
    }
    assert_int_equal(word(&rig, sum), 2 * n);
    json = gpu_stats_json(rig.gpu);
    text = json_dumps(json, JSON_PRESERVE_ORDER);
    json_decref(json);
    rig_free(&rig);
    return text;
}

static void same_in_every_mode(void **state)
{
    static const char *const mesh[] = {"machine.sms=16",        "machine.sms_per_node=2",
                                       "l2.partitions=6",       "l2.banks=1",
                                       "l2.write=back-fetch",   "dram.channels=6",
                                       "icnt.topology=mesh",    "sm.scheduler=lrr",
                                       "l1d.allocate=on-fill",  "l1d.global_write=through-allocate",
                                       "clock.icnt_khz=700000", "clock.l2_khz=500000",
                                       "clock.dram_khz=924000", NULL};
    static const char *const graph[] = {"machine.sms=4",          "l2.partitions=6",
                                        "l2.write=evict",         "l2.interleave_bytes=128",
                                        "dram.channels=8",        "dram.interleave_bytes=2048",
                                        "sm.scheduler=two-level", "sm.launch_hold=yes",
                                        "sm.consistency=sc",      "l1d.global_write=through",
                                        "sm.barrier_drains=yes",  NULL};
    static const char *const two_level[] = {"machine.sms=2",          "sm.schedulers=1",
                                            "sm.scheduler=two-level", "sm.ready_queue=3",
                                            "clock.dram_khz=900000",  NULL};
    static const char *const *const sets[] = {FERMI, mesh, graph, two_level};

    (void)state;
    for (size_t s = 0; s < COUNT(sets); s++) {
        char *first = mixed_run(sets[s], 1, false, true);
        char *again = mixed_run(sets[s], 1, false, false);
        char *threads = mixed_run(sets[s], 2, false, false);
        char *stepped = mixed_run(sets[s], 1, true, false);

        assert_string_equal(first, again);
        assert_string_equal(first, threads);
        assert_string_equal(first, stepped);
        free(first);
        free(again);
        free(threads);
        free(stepped);
    }
}

/* Data travels: SM 1 goes on reading its own old copy after SM 0 has written; SM 0, whose
 * line its store evicted, reads the new value; so does everybody in the next kernel. */
static void stale_copy(void **state)
{
    static const char *const set[] = {"machine.sms=2", "sm.ctas=1", NULL};
    struct rig rig = {0};
    uint64_t x, out;

    (void)state;
    rig_make(&rig, set);
    x = memory_alloc(rig.memory, "x", 512, 0);
    out = memory_alloc(rig.memory, "out", 2 * 32 * 4, 0);
    const struct front_op op[] = {
        {.kind = FRONT_LANE, .d = 1, .imm = x},
        {.kind = FRONT_LOAD, .d = 2, .a = 1},
        {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 2}, /* waits for it */
        {.kind = FRONT_LANE, .d = 5, .imm = 7},
        {.kind = FRONT_CTA, .d = 4, .imm = x, .stride = 256}, /* CTA 1 writes elsewhere */
        {.kind = FRONT_STORE, .a = 4, .b = 5},
        {.kind = FRONT_SFU, .d = 6, .a = 5},
        {.kind = FRONT_LOOP, .imm = 6, .stride = 500}, /* long enough for the store */
        {.kind = FRONT_LOAD, .d = 6, .a = 1},
        {.kind = FRONT_THREAD, .d = 7, .imm = out, .stride = 4},
        {.kind = FRONT_STORE, .a = 7, .b = 6},
        {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 2, 32);
    assert_int_equal(word(&rig, x), 7);
    assert_int_equal(word(&rig, out), 7);
    assert_int_equal(word(&rig, out + 128), 0);
    assert_int_equal(rig.gpu->sm[1].stats.load_hits_coherent, 1);
    rig_run(&rig, op, COUNT(op), 2, 32);
    assert_int_equal(word(&rig, out + 128), 7);
    rig_free(&rig);
}

/* A store between the miss and its fill: the fill serves the load, the line is dropped,
 * and the warp's own later load returns the stored value (D-BASE-5). */
static void killed_line(void **state)
{
    static const char *const policies[] = {"l1d.allocate=on-miss", "l1d.allocate=on-fill"};

    (void)state;
    for (size_t p = 0; p < COUNT(policies); p++) {
        const char *const set[] = {policies[p], NULL};
        struct rig rig = {0};
        uint64_t x, out;

        rig_make(&rig, set);
        x = memory_alloc(rig.memory, "x", 128, 0);
        out = memory_alloc(rig.memory, "out", 2 * 128, 0);
        const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = x, .stride = 4},
                                      {.kind = FRONT_LANE, .d = 2, .imm = 9},
                                      {.kind = FRONT_LANE, .d = 5, .imm = out, .stride = 4},
                                      {.kind = FRONT_LANE, .d = 6, .imm = out + 128, .stride = 4},
                                      {.kind = FRONT_LOAD, .d = 3, .a = 1},
                                      {.kind = FRONT_STORE, .a = 1, .b = 2},
                                      {.kind = FRONT_LOAD, .d = 4, .a = 1},
                                      {.kind = FRONT_STORE, .a = 5, .b = 3},
                                      {.kind = FRONT_STORE, .a = 6, .b = 4},
                                      {.kind = FRONT_EXIT}};
        rig_run(&rig, op, COUNT(op), 1, 32);
        assert_int_equal(rig.gpu->sm[0].stats.l1d_killed_fills, 1);
        assert_int_equal(word(&rig, out), 0);
        assert_int_equal(word(&rig, out + 128), 9);
        assert_int_equal(rig.gpu->sm[0].stats.load_misses_coherent, 2);
        rig_free(&rig);
    }
}

/* Allocate-on-miss fails for want of a line when a set is full of reservations;
 * allocate-on-fill cannot (wang2015-divergence 3.1). */
static void reservation_fails(void **state)
{
    for (uint32_t fill = 0; fill < 2; fill++) {
        const char *const set[] = {fill ? "l1d.allocate=on-fill" : "l1d.allocate=on-miss", NULL};
        struct rig rig = {0};
        uint64_t base;

        (void)state;
        rig_make(&rig, set);
        base = memory_alloc(rig.memory, "column", 32 * 4096, 0);
        const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4096},
                                      {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                      {.kind = FRONT_EXIT}};
        rig_run(&rig, op, COUNT(op), 1, 32);
        assert_int_equal(rig.gpu->sm[0].stats.fail_line > 0, !fill);
        assert_int_equal(rig.gpu->sm[0].stats.concentration_divergent, 32); /* one set, ICM 32 */
        assert_int_equal(rig.gpu->sm[0].stats.mpli[1][4], 1);               /* 32 misses */
        rig_free(&rig);
    }
}

static void atomics_return_distinct_values(void **state)
{
    struct rig rig = {0};
    uint64_t counter, out;
    uint8_t seen[256] = {0};

    (void)state;
    rig_make(&rig, FERMI);
    counter = memory_alloc(rig.memory, "counter", 4, 0);
    out = memory_alloc(rig.memory, "out", 256 * 4, 0);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = counter},
                                  {.kind = FRONT_LANE, .d = 2, .imm = 1},
                                  {.kind = FRONT_THREAD, .d = 4, .imm = out, .stride = 4},
                                  {.kind = FRONT_ATOM, .d = 3, .a = 1, .b = 2},
                                  {.kind = FRONT_STORE, .a = 4, .b = 3},
                                  {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 8, 32);
    for (uint32_t i = 0; i < 256; i++) {
        seen[word(&rig, out + 4 * i)]++;
    }
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(seen[i], 1);
    }
    rig_free(&rig);
}

/* An L2 of one line: every block is written back and fetched again between updates. */
static void evicted_updates_survive(void **state)
{
    static const char *const set[] = {"l2.sets=1", "l2.ways=1", NULL};
    struct rig rig = {0};
    uint64_t base;

    (void)state;
    rig_make(&rig, set);
    base = memory_alloc(rig.memory, "counters", 32 * 128, 0);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 128},
                                  {.kind = FRONT_LANE, .d = 2, .imm = 3},
                                  {.kind = FRONT_ADD, .d = 3, .a = 1, .imm = 4},
                                  {.kind = FRONT_RED, .a = 1, .b = 2},
                                  {.kind = FRONT_STORE, .a = 3, .b = 2},
                                  {.kind = FRONT_RED, .a = 1, .b = 2},
                                  {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 1, 32);
    for (uint32_t lane = 0; lane < 32; lane++) {
        assert_int_equal(word(&rig, base + 128 * lane), 6);
        assert_int_equal(word(&rig, base + 128 * lane + 4), 3);
    }
    assert_true(rig.gpu->bank[0].stats.write_backs >= 31);
    rig_free(&rig);
}

static void scoreboard(void **state)
{
    static const char *const set[] = {"pipe.int_latency=9", NULL};
    uint64_t cycles[2];

    (void)state;
    for (uint32_t dependent = 0; dependent < 2; dependent++) {
        struct rig rig = {0};
        const uint8_t source = dependent ? 1 : 2;
        const struct front_op op[] = {{.kind = FRONT_LANE, .d = 2},
                                      {.kind = FRONT_LANE, .d = 1},
                                      {.kind = FRONT_ADD, .d = 3, .a = source},
                                      {.kind = FRONT_EXIT}};

        rig_make(&rig, set);
        cycles[dependent] = rig_run(&rig, op, COUNT(op), 1, 32);
        rig_free(&rig);
    }
    /* r1 is written one issue after r2: its reader goes one cycle later. */
    assert_int_equal(cycles[1] - cycles[0], 1);
}

/* ---- what must not go well ---- */

static enum gpu_status failing(struct rig *rig, const struct front_op *op, uint32_t n,
                               uint32_t threads)
{
    struct front_program program;
    enum gpu_status status;

    front_make(&program, op, n, 1, threads);
    status = gpu_launch(rig->gpu, &program.launch);
    front_free(&program);
    return status;
}

static void bad_addresses(void **state)
{
    static const struct {
        uint64_t offset;
        const char *part;
    } cases[] = {{400, "nearest buffer \"a\" is 0x80000000..0x8000018f"},
                 {396 + 2, "not aligned"},
                 {UINT64_C(1) << 39, "outside every buffer"}};

    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct rig rig = {0};
        uint64_t a;

        rig_make(&rig, NULL);
        a = memory_alloc(rig.memory, "a", 400, 0);
        const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = a + cases[c].offset},
                                      {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                      {.kind = FRONT_EXIT}};
        assert_int_equal(failing(&rig, op, COUNT(op), 32), GPU_FAULT);
        assert_non_null(strstr(rig.gpu->error, "front.s:1: kernel front"));
        assert_non_null(strstr(rig.gpu->error, cases[c].part));
        /* The counters stop where the run stopped. */
        for (uint32_t k = 0; k < SLOT_CLASSES_N; k++) {
            assert_true(rig.gpu->sm[0].stats.slot[0][k] <= rig.gpu->now);
        }
        rig_free(&rig);
    }
}

static void too_large(void **state)
{
    const struct front_op op[] = {{.kind = FRONT_EXIT}};
    struct rig rig = {0};

    (void)state;
    rig_make(&rig, NULL);
    assert_int_equal(failing(&rig, op, 1, 1537), GPU_FAULT);
    assert_non_null(strstr(rig.gpu->error, "1537 threads"));
    rig_free(&rig);
}

/* Planted: an output of the request network is never free, so a load never leaves. */
static void deadlock(void **state)
{
    static const char *const set[] = {"machine.stuck_cycles=5000", NULL};

    (void)state;
    for (uint32_t every_cycle = 0; every_cycle < 2; every_cycle++) {
        struct rig rig = {.options = {.every_cycle = every_cycle}};

        rig_make(&rig, set);
        const struct front_op op[] = {
            {.kind = FRONT_LANE, .d = 1, .imm = memory_alloc(rig.memory, "a", 128, 0)},
            {.kind = FRONT_LOAD, .d = 2, .a = 1},
            {.kind = FRONT_EXIT}};
        rig.gpu->request_net.router[0].out_busy[0] = CYCLE_NEVER - 1;
        assert_int_equal(failing(&rig, op, COUNT(op), 32), GPU_STUCK);
        assert_int_equal(rig.gpu->now - rig.gpu->last_progress, 5000);
        assert_non_null(strstr(rig.gpu->error, "STUCK: kernel front"));
        assert_non_null(strstr(rig.gpu->error, "SM 0: 1 warps"));
        assert_non_null(strstr(rig.gpu->error, "port 1 of 8"));
        rig_free(&rig);
    }
}

/* A warp waits at a barrier that the other never reaches because it exits. */
static void lonely_barrier(void **state)
{
    static const char *const set[] = {"machine.stuck_cycles=5000", NULL};
    const struct front_op op[] = {{.kind = FRONT_BAR, .warps = 1},
                                  {.kind = FRONT_SFU, .d = 1, .a = 2},
                                  {.kind = FRONT_LOOP, .imm = 1, .stride = 3},
                                  {.kind = FRONT_EXIT}};
    struct rig rig = {0};

    (void)state;
    rig_make(&rig, set);
    /* Exited warps count as arrived: the first warp goes on when the second is gone. */
    rig_run(&rig, op, COUNT(op), 1, 64);
    assert_int_equal(rig.gpu->sm[0].stats.barriers, 1);
    rig_free(&rig);
}

static void cycle_limit(void **state)
{
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1},
                                  {.kind = FRONT_LOOP, .imm = 0, .stride = UINT64_MAX},
                                  {.kind = FRONT_EXIT}};
    struct rig rig = {.options = {.max_cycles = 3000}};

    (void)state;
    rig_make(&rig, NULL);
    assert_int_equal(failing(&rig, op, COUNT(op), 32), GPU_LIMIT);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_in_every_mode),
        cmocka_unit_test(stale_copy),
        cmocka_unit_test(killed_line),
        cmocka_unit_test(reservation_fails),
        cmocka_unit_test(atomics_return_distinct_values),
        cmocka_unit_test(evicted_updates_survive),
        cmocka_unit_test(scoreboard),
        cmocka_unit_test(bad_addresses),
        cmocka_unit_test(too_large),
        cmocka_unit_test(deadlock),
        cmocka_unit_test(lonely_barrier),
        cmocka_unit_test(cycle_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
