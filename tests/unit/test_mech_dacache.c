/* test_mech_dacache - DaCache as the L1D's policy in a machine (wang2015 3.12): what happens
 * when a set holds nothing replaceable, and which coherent loads are profiled as what. */
#include "test_mech.h"

enum { SETS = 32, WAYS = 8, LANES = 32 };
static const char *const machine[] = {"l1d.sets=32",  "l1d.ways=8",        "l1d.index=linear",
                                      "l1d.mshrs=32", "l1d.miss_queue=64", NULL};

/* One warp loads 32 blocks of one set, `times` times, each load after the one before. */
static void one_set(struct mech *m, uint64_t times)
{
    const uint64_t stride = SETS * 128;
    const uint64_t base = memory_alloc(m->rig.memory, "set", LANES * stride, 1 << 20);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = stride},
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
    static const char *const kinds[] = {"dacache", "dacache:partition=2", "dacache:partition=1"};
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
    mech_make(&m, machine, "dacache:partition=0");
    one_set(&m, 1);
    assert_int_equal(mech_count(&m, "dacache", "inserted_lru"), WAYS);
    assert_int_equal(mech_count(&m, "dacache", "inserted_mru"), 0);
    mech_free(&m);
}

/* The other two wait instead: every request becomes a miss, none goes past the L1D. */
static void no_candidate_stalls(void **state)
{
    static const char *const kinds[] = {"dacache:none=stall", "dacache:none=uncon"};
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
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base},
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
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base},
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
    } kinds[] = {{"dacache:promote=1", 1}, {"dacache", 4}, {"dacache:promote=0", 7}};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const uint64_t survives = kinds[k].survives;
        assert_int_equal(misses_around_hit(kinds[k].mechanism, survives), WAYS + survives);
        assert_int_equal(misses_around_hit(kinds[k].mechanism, survives + 1), WAYS + survives + 2);
    }
}

/* ---- the stack vectors of 3.12.10, through the policy socket ---- */

enum { ALL_WAYS = 0xff, UNKNOWN_PC = 77 };

/* The set's stack from MRU to LRU: unconstrained, the victim is the replaceable line nearest
 * to LRU. */
static void expect_stack(struct sm *sm, uint32_t set, const char *printed)
{
    const struct policy_socket *policy = &sm->sockets.policy;
    const struct access_info access = {.kind = ACCESS_LOAD, .n_requests = LANES};
    char stack[2 * WAYS] = "";
    uint32_t left = ALL_WAYS;
    for (uint32_t position = WAYS; position-- > 0;) {
        const int way = policy->victim(policy->self, set, 0, left, &access);
        assert_in_range(way, 0, WAYS - 1);
        left &= ~(UINT32_C(1) << way);
        stack[2 * position] = (char)('0' + way);
        stack[2 * position + 1] = position < WAYS - 1 ? ' ' : '\0';
    }
    assert_string_equal(stack, printed);
}

/* A miss by a load of `n` requests, its warp of age rank `rank`: the way it took. */
static int miss(struct sm *sm, uint32_t set, uint32_t rank, uint32_t n, uint32_t replaceable)
{
    const struct policy_socket *policy = &sm->sockets.policy;
    const struct access_info access = {
        .kind = ACCESS_LOAD, .n_requests = (uint8_t)n, .priority = (uint8_t)rank, .pc = UNKNOWN_PC};
    const int way = policy->victim(policy->self, set, 0, replaceable, &access);
    if (way >= 0) {
        policy->insert(policy->self, set, (uint32_t)way, &access);
    }
    return way;
}

static const struct stack_vector {
    const char *name, *mechanism;
    bool hits; /* way `way` is hit; else a miss */
    uint32_t way, rank, n, replaceable;
    int victim;
    const char *stack; /* NULL where the vector gives none */
} stack_vectors[] = {
    {"V1", "dacache:none=uncon", true, 6, 0, LANES, ALL_WAYS, 0, "0 1 6 2 3 4 5 7"},
    {"V2", "dacache:none=uncon", true, 3, 0, LANES, ALL_WAYS, 0, "3 0 1 2 4 5 6 7"},
    {"V4", "dacache:none=uncon", false, 0, 1, LANES, ALL_WAYS, 7, "0 1 7 2 3 4 5 6"},
    {"V5", "dacache:none=uncon", false, 0, 2, LANES, 0x7f, 6, "0 1 2 3 4 5 7 6"},
    {"V6", "dacache:none=uncon", false, 0, 2, 1, ALL_WAYS, 7, "7 0 1 2 3 4 5 6"},
    {"V8", "dacache:none=uncon", false, 0, 1, LANES, 0x0f, 3, "0 1 3 2 4 5 6 7"},
    /* Constrained, p 3 (a partition of 2 warps per scheduler). */
    {"V5 constrained", "dacache:partition=2", false, 0, 2, LANES, 0x7f, 6, NULL},
    {"V7 bypass", "dacache:partition=2", false, 0, 2, LANES, 0x0f, POLICY_BYPASS, NULL},
    {"V7 stall", "dacache:partition=2:none=stall", false, 0, 2, LANES, 0x0f, POLICY_NONE, NULL},
    {"V7 trained", "dacache", false, 0, 2, LANES, 0x0f, POLICY_BYPASS, NULL},
};

static void stack_of_the_document(void **state)
{
    struct mech m = {0};
    (void)state;
    for (size_t v = 0; v < COUNT(stack_vectors); v++) {
        const struct stack_vector *vector = &stack_vectors[v];
        const struct access_info hit = {.kind = ACCESS_LOAD, .n_requests = LANES};
        const bool other = v == 0 || strcmp(vector->mechanism, vector[-1].mechanism) != 0;
        if (other && v > 0) {
            mech_free(&m);
        }
        if (other) {
            mech_make(&m, machine, vector->mechanism);
        }
        struct sm *sm = &m.rig.gpu->sm[0];
        const uint32_t set = (uint32_t)v; /* untouched so far */
        if (vector->hits) {
            sm->sockets.policy.touch(sm->sockets.policy.self, set, vector->way, &hit);
        } else if (miss(sm, set, vector->rank, vector->n, vector->replaceable) != vector->victim) {
            fail_msg("%s: another victim than way %d", vector->name, vector->victim);
        }
        if (vector->stack != NULL) {
            expect_stack(sm, set, vector->stack);
        }
    }
    mech_free(&m);
}

/* The sequence: misses by ranks 0, 1, 2, 3, 0, 1 in one set, nothing reserved. */
static void stack_sequence(void **state)
{
    static const struct {
        uint32_t rank;
        int victim;
        const char *stack;
    } steps[] = {{0, 7, "7 0 1 2 3 4 5 6"}, {1, 6, "7 0 6 1 2 3 4 5"}, {2, 5, "7 0 6 1 2 3 4 5"},
                 {3, 5, "7 0 6 1 2 3 4 5"}, {0, 5, "5 7 0 6 1 2 3 4"}, {1, 4, "5 7 4 0 6 1 2 3"}};
    struct mech m;
    (void)state;
    mech_make(&m, machine, "dacache:none=uncon");
    for (size_t i = 0; i < COUNT(steps); i++) {
        struct sm *sm = &m.rig.gpu->sm[0];
        assert_int_equal(miss(sm, 5, steps[i].rank, LANES, ALL_WAYS), steps[i].victim);
        expect_stack(sm, 5, steps[i].stack);
    }
    mech_free(&m);
}

/* ---- Fig. 4.1: misses concentrated on the young warps ---- */

/* Four warps read their own 32 blocks again and again, all once in each of `times` rounds;
 * the L1D has room for three warps' blocks, one block of each warp in every set. */
static struct sm_stats four_warps(const char *mechanism, uint64_t times)
{
    static const char *const three_ways[] = {
        "l1d.sets=32", "l1d.ways=3", "l1d.index=linear", "l1d.mshrs=32", "l1d.miss_queue=64", NULL};
    struct mech m;
    mech_make(&m, three_ways, mechanism);
    const uint64_t base = memory_alloc(m.rig.memory, "blocks", 4 * LANES * 128, 1 << 20);
    const struct front_op op[] = {{.kind = FRONT_THREAD, .d = 1, .imm = base, .stride = 128},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SFU, .d = 3, .a = 2},
                                  {.kind = FRONT_SFU, .d = 4, .a = 3},
                                  {.kind = FRONT_BAR},
                                  {.kind = FRONT_LOOP, .imm = 1, .stride = times},
                                  {.kind = FRONT_EXIT}};
    rig_run(&m.rig, op, COUNT(op), 1, 4 * LANES);
    const struct sm_stats stats = m.rig.gpu->sm[0].stats;
    mech_free(&m);
    return stats;
}

/* LRU caches at most one load of a round whole, whichever warp comes first in it.  DaCache
 * caches the loads of W1 and W2, the oldest of the two schedulers, whole from their second
 * round on; W3 and W4 take the misses. */
static void old_warps_are_cached_whole(void **state)
{
    static const char *const kinds[] = {"dacache", "dacache:partition=1"};
    enum { ROUNDS = 20 };
    (void)state;
    assert_true(four_warps(NULL, ROUNDS).fully_cached_divergent <= ROUNDS);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const struct sm_stats stats = four_warps(kinds[k], ROUNDS);
        assert_int_equal(stats.loads_divergent, 4 * ROUNDS);
        assert_int_equal(stats.fully_cached_divergent, 2 * (ROUNDS - 1));
        /* One line a set is left to W3 and W4: they cannot both hit. */
        assert_true(stats.load_hits_divergent <= 3 * (ROUNDS - 1) * LANES);
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
        cmocka_unit_test(stack_of_the_document),
        cmocka_unit_test(stack_sequence),
        cmocka_unit_test(old_warps_are_cached_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
