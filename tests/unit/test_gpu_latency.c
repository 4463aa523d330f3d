/* Latencies of the timed machine against sums of configured stages, worked out by hand.
 *
 * All clocks equal.  With L = ldst.latency, n = icnt.latency, f = flits of the reply:
 *   L1D hit    L + l1d.hit_cycles
 *   L2 hit     L + 1 + n + l2.latency + (f + n) + l1d.fill_cycles
 *   open row   that + (second column command at tCCDL) + tCL + burst + dram.latency
 *   closed row by another: tRP + tRCD more
 */
#include "test_gpu_front_machine.h"

enum { CHASE = 12, LONG = 24 };

/* Cycles that one more load adds to a chain of dependent loads from `base`. */
static uint64_t chase(struct rig *rig, uint64_t base, uint8_t cacheop)
{
    struct front_op op[LONG + 2] = {{.kind = FRONT_LANE, .d = 1, .imm = base}};
    uint64_t cycles[3];

    for (uint32_t round = 0; round < 3; round++) { /* the first warms the L2 */
        uint32_t n = round == 2 ? LONG : CHASE;

        for (uint32_t l = 1; l <= n; l++) {
            op[l] = (struct front_op){
                .kind = FRONT_LOAD, .d = 1, .a = 1, .bytes = 8, .cacheop = cacheop};
        }
        op[n + 1] = (struct front_op){.kind = FRONT_EXIT};
        cycles[round] = rig_run(rig, op, n + 2, 1, 32);
    }
    assert_int_equal((cycles[2] - cycles[1]) % (LONG - CHASE), 0);
    return (cycles[2] - cycles[1]) / (LONG - CHASE);
}

/* A chain of pointers, `stride` apart. */
static uint64_t pointers(struct rig *rig, uint32_t n, uint64_t stride)
{
    uint64_t base = memory_alloc(rig->memory, "chain", n * stride + 8, 1 << 20);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t next = base + (i + 1) * stride;
        gpu_poke(rig->gpu, base + i * stride, &next, sizeof next);
    }
    return base;
}

static uint64_t self_pointer(struct rig *rig)
{
    uint64_t base = memory_alloc(rig->memory, "self", 128, 0);

    gpu_poke(rig->gpu, base, &base, sizeof base);
    return base;
}

static void l1d_hit(void **state)
{
    static const char *const set[] = {"ldst.latency=3", "l1d.hit_cycles=7", NULL};
    struct rig rig = {0};

    (void)state;
    rig_make(&rig, set);
    assert_int_equal(chase(&rig, self_pointer(&rig), ISA_CACHE_DEFAULT), 3 + 7);
    rig_free(&rig);
}

static void l2_hit(void **state)
{
    static const char *const set[] = {"ldst.latency=2", "icnt.latency=5", "l2.latency=40",
                                      "l1d.fill_cycles=3", NULL};
    struct rig rig = {0};
    uint64_t base;

    (void)state;
    rig_make(&rig, set);
    base = self_pointer(&rig);
    /* One sector: 8 + 32 bytes are two flits. */
    assert_int_equal(chase(&rig, base, ISA_CACHE_CG), 2 + 1 + 5 + 40 + (2 + 5) + 3);
    rig_free(&rig);
}

static void dram_open_row(void **state)
{
    static const char *const set[] = {"dram.row_bytes=8192", "dram.latency=60", NULL};
    struct rig rig = {0};

    (void)state;
    rig_make(&rig, set);
    /* The second, longer chain starts with rows and lines of the first in place, so it
     * adds only loads of fresh blocks in the open row.  128 bytes are two column
     * commands of 64, tCCDL = 3 apart. */
    uint64_t base = pointers(&rig, LONG, 128);
    uint64_t hit = 1 + 1 + 4 + 120 + (2 + 4) + 1, row = 3 + 12 + 2 + 60;
    struct front_op op[LONG + 2] = {{.kind = FRONT_LANE, .d = 1, .imm = base}};
    uint64_t cycles[2];

    for (uint32_t l = 1; l <= LONG; l++) {
        op[l] = (struct front_op){
            .kind = FRONT_LOAD, .d = 1, .a = 1, .bytes = 8, .cacheop = ISA_CACHE_CG};
    }
    op[CHASE + 1] = (struct front_op){.kind = FRONT_EXIT};
    cycles[0] = rig_run(&rig, op, CHASE + 2, 1, 32);
    op[CHASE + 1] = op[CHASE];
    op[LONG + 1] = (struct front_op){.kind = FRONT_EXIT};
    cycles[1] = rig_run(&rig, op, LONG + 2, 1, 32);
    /* First run: every load misses, the first opens the row (tRCD).  Second: CHASE hits
     * and LONG - CHASE misses in the open row.  Both have the same ends. */
    assert_int_equal(cycles[1] - cycles[0],
                     CHASE * hit + (LONG - CHASE) * (hit + row) - (CHASE * (hit + row) + 12));
    rig_free(&rig);
}

static void dram_row_conflict(void **state)
{
    static const char *const set[] = {"dram.banks=1", "dram.bank_groups=1", NULL};
    struct rig rig = {0};
    uint64_t base, hit = 1 + 1 + 4 + 120 + (2 + 4) + 1, row = 3 + 12 + 2 + 100;

    (void)state;
    rig_make(&rig, set);
    base = pointers(&rig, LONG, 2048);
    struct front_op op[LONG + 2] = {{.kind = FRONT_LANE, .d = 1, .imm = base}};
    uint64_t cycles[2];

    for (uint32_t l = 1; l <= LONG; l++) {
        op[l] = (struct front_op){
            .kind = FRONT_LOAD, .d = 1, .a = 1, .bytes = 8, .cacheop = ISA_CACHE_CG};
    }
    op[CHASE + 1] = (struct front_op){.kind = FRONT_EXIT};
    cycles[0] = rig_run(&rig, op, CHASE + 2, 1, 32);
    op[CHASE + 1] = op[CHASE];
    op[LONG + 1] = (struct front_op){.kind = FRONT_EXIT};
    cycles[1] = rig_run(&rig, op, LONG + 2, 1, 32);
    /* The very first access finds the bank closed: no precharge. */
    assert_int_equal(cycles[1] - cycles[0], CHASE * hit + (LONG - CHASE) * (hit + row + 24) -
                                                (CHASE * (hit + row + 24) - 12));
    rig_free(&rig);
}

/* Cycles of `loops` dependent rounds of one shared access with the given lane stride. */
static uint64_t shared_loop(uint64_t stride)
{
    struct rig rig = {0};
    struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .stride = stride},
                            {.kind = FRONT_SHARED, .d = 1, .a = 1},
                            {.kind = FRONT_SHARED, .d = 1, .a = 1},
                            {.kind = FRONT_SHARED, .d = 1, .a = 1},
                            {.kind = FRONT_SHARED, .d = 1, .a = 1},
                            {.kind = FRONT_ADD, .d = 2, .a = 1},
                            {.kind = FRONT_EXIT}};
    uint64_t cycles;

    rig_make(&rig, NULL);
    cycles = rig_run(&rig, op, COUNT(op), 1, 32);
    rig_free(&rig);
    return cycles;
}

static void shared_conflicts(void **state)
{
    uint64_t free_of_conflict = shared_loop(4);

    (void)state;
    /* Four dependent reads; a two-way conflict adds one pass to each, 32-way 31. */
    assert_int_equal(shared_loop(8) - free_of_conflict, 4 * 1);
    assert_int_equal(shared_loop(128) - free_of_conflict, 4 * 31);
    assert_int_equal(shared_loop(0), free_of_conflict);   /* broadcast */
    assert_int_equal(shared_loop(132), free_of_conflict); /* 33 words: odd, conflict-free */
}

/* wang2015-divergence TV-BASE-1 with numbers: four MSHRs, A and B in flight, then a load
 * of D, E, F, G.  F is replayed until A's entry is free, G until B's. */
static void full_mshr_file(void **state)
{
    static const char *const set[] = {"l1d.mshrs=4", NULL};
    struct rig rig = {0};
    uint64_t base, fails;

    (void)state;
    rig_make(&rig, set);
    base = memory_alloc(rig.memory, "blocks", 64 * 128, 0);
    struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base},
                            {.kind = FRONT_LANE, .d = 2, .imm = base + 128},
                            {.kind = FRONT_LANE, .d = 3, .imm = base + 256, .stride = 16},
                            {.kind = FRONT_LOAD, .d = 4, .a = 1},
                            {.kind = FRONT_LOAD, .d = 5, .a = 2},
                            {.kind = FRONT_LOAD, .d = 6, .a = 3},
                            {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 1, 32); /* fills the L2 */
    fails = rig.gpu->sm[0].stats.fail_mshr;
    rig_run(&rig, op, COUNT(op), 1, 32);
    /* A is accepted at t, B at t+1, D and E at t+2 and t+3.  A's reply (five flits) is
     * there at t + 1+4+120 + 5+4 = t+134, its entry free at t+135: F waits t+4..t+134.
     * B's reply follows five flits later: G waits t+136..t+139. */
    assert_int_equal(rig.gpu->sm[0].stats.fail_mshr - fails, 131 + 4);
    assert_int_equal(rig.gpu->sm[0].stats.load_misses_divergent, 8);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1d_hit),          cmocka_unit_test(l2_hit),
        cmocka_unit_test(dram_open_row),    cmocka_unit_test(dram_row_conflict),
        cmocka_unit_test(shared_conflicts), cmocka_unit_test(full_mshr_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
