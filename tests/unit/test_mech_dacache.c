/* test_mech_dacache - DaCache as the L1D's policy in a machine (wang2015 3.12): what happens
 * when a set holds nothing replaceable, and which coherent loads are profiled as what. */
#include "test_mech.h"

enum { SETS = 32, WAYS = 8, LANES = 32 };
static const char *const machine[] = {"l1d.sets=32", "l1d.ways=8", "l1d.index=linear",
                                      "l1d.mshrs=32", "l1d.miss_queue=64", NULL};

/* One warp loads 32 blocks of one set, `times` times, each load after the one before. */
static void one_set(struct mech *m, uint64_t times)
{
    const uint64_t stride = SETS * 128;
    const uint64_t base = memory_alloc(m->rig.memory, "set", LANES * stride, 1 << 20);
    const struct front_op op[] = {
        {.kind = FRONT_LANE, .d = 1, .imm = base, .stride = stride},
        {.kind = FRONT_LOAD, .d = 2, .a = 1},
        {.kind = FRONT_SFU, .d = 3, .a = 2}, /* waits for the data */
        {.kind = FRONT_LOOP, .imm = 1, .stride = times},
        {.kind = FRONT_EXIT}};
    rig_run(&m->rig, op, COUNT(op), 1, LANES);
}

/* All 8 ways are reserved after 8 requests; the replies take longer than the other 24.  The
 * second load finds the 8 blocks, and again makes 8 lines reserved: those of the oldest warp
 * go to MRU, so that the LRU position holds a valid line as long as there is one. */
static void no_candidate_bypasses(void **state)
{
    static const char *const kinds[] = {"dacache", "dacache-static2", "dacache-static1"};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct mech m;
        mech_make(&m, machine, kinds[k]);
        one_set(&m, 2);
        const struct sm_stats *stats = &m.rig.gpu->sm[0].stats;
        assert_int_equal(stats->load_hits_divergent, WAYS);
        assert_int_equal(stats->load_misses_divergent, 2 * WAYS);
        assert_int_equal(stats->load_bypasses_divergent, (LANES - WAYS) + (LANES - 2 * WAYS));
        assert_int_equal(stats->fail_line, 0);
        assert_int_equal(mech_count(&m, "dacache", "bypasses_divergent"), 24 + 16);
        assert_int_equal(mech_count(&m, "dacache", "inserted_mru"), 2 * WAYS);
        mech_free(&m);
    }
}

/* Without a partition every divergent block is inserted at LRU (Static0). */
static void static0_inserts_at_lru(void **state)
{
    struct mech m;
    (void)state;
    mech_make(&m, machine, "dacache-static0");
    one_set(&m, 1);
    assert_int_equal(mech_count(&m, "dacache", "inserted_lru"), WAYS);
    assert_int_equal(mech_count(&m, "dacache", "inserted_mru"), 0);
    mech_free(&m);
}

/* The other two wait instead: every request becomes a miss, none goes past the L1D. */
static void no_candidate_stalls(void **state)
{
    static const char *const kinds[] = {"dacache-stall", "dacache-uncon"};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct mech m;
        mech_make(&m, machine, kinds[k]);
        one_set(&m, 1);
        const struct sm_stats *stats = &m.rig.gpu->sm[0].stats;
        assert_int_equal(stats->load_misses_divergent, LANES);
        assert_int_equal(stats->load_bypasses_divergent, 0);
        assert_true(stats->fail_line > 0);
        mech_free(&m);
    }
}

/* One warp reads a word `times` times, `step` bytes further each time. */
static void coherent(struct mech *m, uint64_t step, uint64_t times)
{
    const uint64_t base = memory_alloc(m->rig.memory, "words", 4096 + times * step, 1 << 20);
    const struct front_op op[] = {
        {.kind = FRONT_LANE, .d = 1, .imm = base},
        {.kind = FRONT_LOAD, .d = 2, .a = 1},
        {.kind = FRONT_SFU, .d = 3, .a = 2},
        {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = step},
        {.kind = FRONT_LOOP, .imm = 1, .stride = times},
        {.kind = FRONT_EXIT}};
    rig_run(&m->rig, op, COUNT(op), 1, LANES);
}

/* The 17th new block displaces the first of 16: no locality.  Then nobody asks any more. */
static void streaming_load_has_no_locality(void **state)
{
    struct mech m;
    (void)state;
    mech_make(&m, machine, "dacache");
    coherent(&m, 128, 40);
    assert_int_equal(mech_count(&m, "dacache", "vc_probes"), 17);
    assert_int_equal(mech_count(&m, "dacache", "found_none"), 1);
    assert_int_equal(mech_count(&m, "dacache", "found_locality"), 0);
    /* Unknown, it goes to MRU 17 times; known, to LRU. */
    assert_int_equal(mech_count(&m, "dacache", "inserted_mru"), 17);
    assert_int_equal(mech_count(&m, "dacache", "inserted_lru"), 23);
    mech_free(&m);
}

/* The second access hits in the L1D: locality. */
static void reused_block_has_locality(void **state)
{
    struct mech m;
    (void)state;
    mech_make(&m, machine, "dacache");
    coherent(&m, 4, 40);
    assert_int_equal(mech_count(&m, "dacache", "vc_probes"), 2);
    assert_int_equal(mech_count(&m, "dacache", "found_locality"), 1);
    mech_free(&m);
}

/* Misses of: 8 blocks of one set, the first again, `others` new ones, the first again. */
static uint64_t misses_around_hit(const char *mechanism, uint64_t others)
{
    const uint64_t stride = SETS * 128;
    struct mech m;
    mech_make(&m, machine, mechanism);
    const uint64_t base = memory_alloc(m.rig.memory, "set", 2 * LANES * stride, 1 << 20);
    const struct front_op op[] = {
        {.kind = FRONT_LANE, .d = 1, .imm = base},
        {.kind = FRONT_LOAD, .d = 2, .a = 1},
        {.kind = FRONT_SFU, .d = 3, .a = 2},
        {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = stride},
        {.kind = FRONT_LOOP, .imm = 1, .stride = WAYS},
        {.kind = FRONT_LANE, .d = 4, .imm = base},
        {.kind = FRONT_LOAD, .d = 2, .a = 4},
        {.kind = FRONT_SFU, .d = 3, .a = 2},
        {.kind = FRONT_LOAD, .d = 2, .a = 1},
        {.kind = FRONT_SFU, .d = 3, .a = 2},
        {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = stride},
        {.kind = FRONT_LOOP, .imm = 8, .stride = others},
        {.kind = FRONT_LOAD, .d = 2, .a = 4},
        {.kind = FRONT_EXIT}};
    rig_run(&m.rig, op, COUNT(op), 1, LANES);
    const uint64_t misses = m.rig.gpu->sm[0].stats.load_misses_coherent;
    mech_free(&m);
    return misses;
}

/* All are inserted at MRU, so the first block is at LRU when it hits.  It climbs G positions
 * and is evicted by the G + 1st of the others (straight to MRU: by the 8th). */
static void hit_climbs(void **state)
{
    static const struct {
        const char *mechanism;
        uint64_t survives;
    } kinds[] = {{"dacache-promo1", 1}, {"dacache", 4}, {"dacache-promo-mru", 7}};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const uint64_t survives = kinds[k].survives;
        assert_int_equal(misses_around_hit(kinds[k].mechanism, survives), WAYS + survives);
        assert_int_equal(misses_around_hit(kinds[k].mechanism, survives + 1), WAYS + survives + 2);
    }
}

/* A kernel starts: the profile is forgotten (D-DAC-1). */
static void kernels_profile_anew(void **state)
{
    struct mech m;
    (void)state;
    mech_make(&m, machine, "dacache");
    coherent(&m, 4, 2);
    coherent(&m, 4, 2);
    assert_int_equal(mech_count(&m, "dacache", "found_locality"), 2);
    mech_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_candidate_bypasses),
        cmocka_unit_test(static0_inserts_at_lru),
        cmocka_unit_test(no_candidate_stalls),
        cmocka_unit_test(streaming_load_has_no_locality),
        cmocka_unit_test(reused_block_has_locality),
        cmocka_unit_test(hit_climbs),
        cmocka_unit_test(kernels_profile_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
