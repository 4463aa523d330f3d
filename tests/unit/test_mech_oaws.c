/* test_mech_oaws - OAWS and the warp limits in a machine (wang2015 3.13, 3.16-3.19): known
 * divergent loads never wait for an MSHR entry when their misses are predicted in full, and
 * no limit holds a warp for ever. */
#include "test_mech.h"
#include "test_plug.h"

enum { LANES = 32 };
static const char *const machine[] = {"l1d.allocate=on-fill", "l1d.mshrs=32",
                                      "machine.stuck_cycles=20000", NULL};

/* Every thread reads a block of its own, `times` times, a new block each time; with a
 * barrier of the CTA after each. */
static void divergent(struct mech *m, uint32_t ctas, uint32_t threads, uint64_t times, bool barrier)
{
    const uint64_t apart = (uint64_t)ctas * threads * 128;
    const uint64_t base = memory_alloc(m->rig.memory, "blocks", apart * times + 128, 1 << 20);
    const struct front_op op[] = {{.kind = FRONT_THREAD, .d = 1, .imm = base, .stride = 128},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = apart},
                                  {.kind = FRONT_SFU, .d = 3, .a = 2},
                                  {.kind = barrier ? FRONT_BAR : FRONT_SFU, .d = 3, .a = 2},
                                  {.kind = FRONT_LOOP, .imm = 1, .stride = times},
                                  {.kind = FRONT_EXIT}};
    rig_run(&m->rig, op, COUNT(op), ctas, threads);
}

static uint64_t mshr_stalls(const char *mechanism, uint32_t warps, uint64_t times)
{
    struct mech m;
    mech_make(&m, machine, mechanism);
    divergent(&m, 1, warps * LANES, times, true);
    const uint64_t stalls = m.rig.gpu->sm[0].stats.fail_mshr;
    mech_free(&m);
    return stalls;
}

/* With a static miss rate of 100 % a known load of 32 lanes issues only when all 32 entries
 * are free and none is spoken for: the only stalls are those of the first execution. */
static void full_prediction_never_stalls(void **state)
{
    (void)state;
    for (uint32_t warps = 2; warps <= 6; warps += 2) {
        const uint64_t first = mshr_stalls("oaws-static:rate=100", warps, 1);
        assert_true(first > 0);
        assert_int_equal(mshr_stalls("oaws-static:rate=100", warps, 6), first);
        assert_true(mshr_stalls(NULL, warps, 6) > mshr_stalls(NULL, warps, 1));
    }
}

/* A dynamic prediction of a load that always misses is full, too. */
static void history_of_misses_predicts_in_full(void **state)
{
    struct mech m;
    (void)state;
    mech_make(&m, machine, "oaws-dyn");
    divergent(&m, 1, LANES, 6, false);
    assert_int_equal(mech_count(&m, "oaws", "loads_untested_divergent"), 1);
    assert_int_equal(mech_count(&m, "oaws", "loads_tested"), 5);
    assert_int_equal(mech_count(&m, "oaws", "predicted_misses"), 5 * LANES);
    assert_int_equal(mech_count(&m, "oaws", "real_misses"), 5 * LANES);
    mech_free(&m);
}

/* Static at 50 %: ceil(32 / 2) for each. */
static void static_half(void **state)
{
    struct mech m;
    (void)state;
    mech_make(&m, machine, "oaws-static");
    divergent(&m, 1, LANES, 6, false);
    assert_int_equal(mech_count(&m, "oaws", "predicted_misses"), 5 * 16);
    assert_int_equal(mech_count(&m, "oaws", "shortfall"), 5 * 16);
    mech_free(&m);
}

/* Loads in the LD/ST unit: seen by an observer, most of those that are known (not the first
 * `unknown` ones, which are not tested). */
struct in_service {
    uint32_t now, retired, most;
};

static void load_issues(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t n)
{
    struct in_service *s = self;
    (void)sm, (void)slot, (void)pc, (void)n;
    s->now++;
    if (s->retired >= 6 && s->now > s->most) {
        s->most = s->now;
    }
}

static void load_leaves(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t priority,
                        uint32_t n, uint32_t misses)
{
    struct in_service *s = self;
    (void)sm, (void)slot, (void)pc, (void)priority, (void)n, (void)misses;
    s->now--;
    s->retired++;
}

/* The most fully divergent loads in service at once, six warps wanting to issue together,
 * 32 MSHRs; 16 cycles pass before a load makes its first access. */
static uint32_t admitted(const char *mechanism)
{
    static const char *const roomy[] = {"l1d.allocate=on-fill", "l1d.mshrs=32", "ldst.queue=16",
                                        "ldst.latency=16", NULL};
    struct in_service service = {0};
    struct mech m;
    mech_make(&m, roomy, mechanism);
    test_watch(&m.rig, &(struct observer){.self = &service,
                                          .coalesce_done = load_issues,
                                          .load_retire = load_leaves});
    divergent(&m, 1, 6 * LANES, 4, true);
    assert_int_equal(service.retired, 6 * 4);
    mech_free(&m);
    return service.most;
}

/* TV-OAWS-2: 32 entries admit floor(32 / prediction) loads: 50 % exactly two, as 35 % to 50 %,
 * 30 % three, above 50 % one. */
static void static_rate_admits(void **state)
{
    (void)state;
    assert_int_equal(admitted("oaws-static:rate=30"), 3);
    assert_int_equal(admitted("oaws-static:rate=35"), 2);
    assert_int_equal(admitted("oaws-static"), 2);
    assert_int_equal(admitted("oaws-static:rate=55"), 1);
    assert_int_equal(admitted("oaws-static:rate=100"), 1);
    assert_int_equal(admitted(NULL), 6);
}

/* Predictions above the MSHR count (32 lanes + age 47, 8 entries) are clamped, so that a
 * warp for which the others wait at a barrier can go on (D-OAWS-4).  A warp limit leaves
 * out those that wait at a barrier (D-SWL-2).  A hang ends the run as stuck. */
static void nobody_waits_for_ever(void **state)
{
    static const char *const kinds[] = {
        "oaws-dyn", "oaws-static:rate=100", "fcw-only", "swl:warps=1",
        "ccws",     "oaws-dyn,fcw-only",    "mascar"};
    static const char *const entries[] = {"l1d.mshrs=2", "l1d.mshrs=8", "l1d.mshrs=32"};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        for (size_t e = 0; e < COUNT(entries); e++) {
            const char *const small[] = {"l1d.allocate=on-fill",
                                         "machine.stuck_cycles=20000",
                                         "l2.latency=10",
                                         entries[e],
                                         k == COUNT(kinds) - 1 ? "ldst.replay_queue=32" : NULL,
                                         NULL};
            struct mech m;
            mech_make(&m, small, kinds[k]);
            divergent(&m, 6, 8 * LANES, 3, true);
            assert_int_equal(m.rig.gpu->sm[0].stats.loads_divergent, 6 * 8 * 3);
            mech_free(&m);
        }
    }
}

/* A limit of one warp per scheduler: two warps compute at a time, the rest wait. */
static void limit_serialises(void **state)
{
    uint64_t cycles[2];
    static const char *const kinds[] = {"swl:warps=1", NULL};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct mech m;
        mech_make(&m, machine, kinds[k]);
        const struct front_op op[] = {
            {.kind = FRONT_LANE, .d = 1, .imm = 1}, {.kind = FRONT_SFU, .d = 2, .a = 1},
            {.kind = FRONT_SFU, .d = 3, .a = 2},    {.kind = FRONT_SFU, .d = 4, .a = 3},
            {.kind = FRONT_SFU, .d = 5, .a = 4},    {.kind = FRONT_EXIT}};
        cycles[k] = rig_run(&m.rig, op, COUNT(op), 1, 8 * LANES);
        mech_free(&m);
    }
    /* Four dependent operations of 20 cycles each; four warps of a scheduler in turn. */
    assert_true(cycles[0] >= 4 * 4 * 20);
    assert_true(cycles[1] < cycles[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_prediction_never_stalls),
        cmocka_unit_test(history_of_misses_predicts_in_full),
        cmocka_unit_test(static_half),
        cmocka_unit_test(static_rate_admits),
        cmocka_unit_test(nobody_waits_for_ever),
        cmocka_unit_test(limit_serialises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
