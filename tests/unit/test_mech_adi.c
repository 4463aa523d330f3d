/* test_mech_adi - adaptive indexing around the L1D of a machine (aci 3.7-3.8): the bits it
 * finds on the column walk of ATAX, the cost of its flushes, what a doomed line does, and
 * that a line state which is not the unit's is reported. */
#include "test_plug.h"

#include <jansson.h>

#include "cli/run_units.h"
#include "mechanisms/adi/adi_exact.h"

/* ---- the victim by definition: the vectors of 3.7.10 ---- */

struct victim_vector {
    const char *name;
    unsigned n, victim;
    uint32_t samples[8]; /* bit 2, bit 1, bit 0 */
};
static const struct victim_vector vectors[] = {
    {"V-ADI-1", 4, 2, {1, 3, 1, 2}},
    {"V-ADI-3", 8, 0, {0, 3, 0, 3, 7, 4, 7, 0}},
    {"V-ADI-4", 8, 1, {0, 3, 0, 3, 1, 4, 7, 0}},
    {"V-ADI-5", 4, 0, {0, 0, 0, 0}},
    {"V-ADI-6", 4, 0, {7, 7, 7, 7}},
    {"V-ADI-7", 8, 0, {1, 2, 5, 2, 1, 6, 1, 2}},
    /* E = 4, 4, 2 and the first pair's usefulness 2: not strictly lower, so the pair */
    {"entropy equals the pair", 8, 0, {4, 0, 0, 2, 5, 3, 3, 3}},
};

static void victim_by_definition(void **state)
{
    static const unsigned selectors[] = {0, 1, 2};
    (void)state;
    for (size_t v = 0; v < COUNT(vectors); v++) {
        struct adi_exact exact = {.n_selectors = 3, .n_bits = 25};
        for (unsigned i = 0; i < vectors[v].n; i++) {
            adi_exact_sample(&exact, selectors, vectors[v].samples[i]);
        }
        adi_exact_choose_victim(&exact, selectors);
        if (exact.victim != vectors[v].victim) {
            fail_msg("%s: victim %u, not %u", vectors[v].name, exact.victim, vectors[v].victim);
        }
        assert_int_equal(exact.samples, 0);
    }
}

/* ---- in a machine ---- */

enum { PITCH_BYTES = 16384, ROWS = 32, STEPS = 400 };

/* One warp: thread t reads A[t][j] for j = 0, 1, ...; base aligned to the whole of A. */
static void column_walk(struct rig *rig, uint64_t base, uint64_t steps)
{
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = PITCH_BYTES},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = 4},
                                  {.kind = FRONT_LOOP, .imm = 1, .stride = steps},
                                  {.kind = FRONT_EXIT}};
    rig_run(rig, op, COUNT(op), 1, 32);
}

static struct run_units *attach(struct rig *rig, const char *names)
{
    char error[512] = "";
    struct run_units *units = run_units_attach(rig->gpu, names, NULL, error, sizeof error);
    assert_string_equal(error, "");
    assert_non_null(units);
    return units;
}

static json_int_t counter(const json_t *adi, const char *name)
{
    const json_t *value = json_object_get(adi, name);
    assert_non_null(value);
    return json_integer_value(value);
}

/* V-ADI-8 with periods of 64: five rounds, position p from A[7+p] to A[14+p], and the sixth
 * keeps its bit.  With 32 sets a flush takes 32 cycles; nothing is dirty. */
static void finds_atax_bits(void **state)
{
    struct rig rig = {0};
    (void)state;
    rig_make(&rig, NULL);
    uint64_t base = memory_alloc(rig.memory, "a", ROWS * PITCH_BYTES, ROWS * PITCH_BYTES);
    struct run_units *units = attach(&rig, "adi:engine.nv=64:engine.ns=64:engine.ni=4:engine.m=6");
    column_walk(&rig, base, STEPS);
    json_t *all = run_units_json(units), *adi = json_object_get(all, "adi");
    const json_t *changes = json_object_get(json_array_get(json_object_get(adi, "sites"), 0),
                                            "changes");
    assert_int_equal(json_array_size(changes), 5);
    for (size_t p = 0; p < 5; p++) {
        const json_t *change = json_array_get(changes, p);
        assert_int_equal(counter(change, "position"), p);
        assert_int_equal(counter(change, "from"), 7 + p);
        assert_int_equal(counter(change, "to"), 14 + p);
    }
    assert_true(counter(adi, "bits_kept") >= 1);
    assert_int_equal(counter(adi, "flush_cycles"), 5 * 32);
    assert_int_equal(counter(adi, "exact_mrp_differs"), 0);
    assert_int_equal(counter(adi, "lines_doomed"), counter(adi, "fills_dropped"));
    json_decref(all);
    run_units_detach(units);
    rig_free(&rig);
}

/* A stand-in that, once, from cycle `at` on, does something to the L1D. */
struct meddler {
    struct sm *sm;
    uint64_t at;
    bool (*act)(struct sm *sm); /* false: not yet possible */
    bool done;
    bool in_flight; /* an L1D line was waiting for its data then */
};

static bool meddle(void *self, uint64_t now, uint64_t skipped)
{
    struct meddler *meddler = self;
    (void)skipped;
    if (now >= meddler->at && !meddler->done) {
        meddler->in_flight = meddler->sm->mshr.used != 0;
        meddler->done = meddler->act(meddler->sm);
    }
    return true;
}

static bool stay_awake(void *self)
{
    (void)self;
    return true;
}

static void plug(struct rig *rig, struct meddler *meddler)
{
    meddler->sm = &rig->gpu->sm[0];
    test_clock(rig, &(struct clocked_socket){meddler, meddle, stay_awake});
}

static bool flush_all(struct sm *sm)
{
    for (uint32_t set = 0; set < sm->l1d.sets; set++) {
        sm_l1d_flush_set(sm, set);
    }
    return true;
}

static uint32_t lines_in_use(const struct sm *sm)
{
    uint32_t n = 0;
    for (uint32_t set = 0; set < sm->l1d.sets; set++) {
        n += sm->l1d.ways - (uint32_t)__builtin_popcount(sm->l1d.invalid[set]);
    }
    return n;
}

/* A line whose data come after a flush delivers them and goes (Fig. 9): the same load again
 * is a miss; without the flush, or with one before the first load, it is a hit. */
static uint64_t misses_with_flush_at(uint64_t cycle, bool in_flight)
{
    struct rig rig = {0};
    struct meddler meddler = {.at = cycle, .act = flush_all};
    rig_make(&rig, NULL);
    plug(&rig, &meddler);
    uint64_t base = memory_alloc(rig.memory, "a", 4096, 128);
    for (uint32_t i = 0; i < 32; i++) {
        gpu_poke(rig.gpu, base + 4 * i, &i, 4);
    }
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1},
                                  {.kind = FRONT_LANE, .d = 3, .imm = base, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 4, .a = 3},
                                  {.kind = FRONT_LANE, .d = 5, .imm = base + 256, .stride = 4},
                                  {.kind = FRONT_STORE, .a = 5, .b = 4},
                                  {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 1, 32);
    for (uint32_t i = 0, value; i < 32; i++) {
        gpu_peek(rig.gpu, base + 256 + 4 * i, &value, 4);
        assert_int_equal(value, i);
    }
    assert_int_equal(meddler.in_flight, in_flight);
    assert_int_equal(lines_in_use(&rig.gpu->sm[0]), 1); /* that of the last load */
    const uint64_t misses = rig.gpu->sm[0].stats.load_misses_coherent;
    rig_free(&rig);
    return misses;
}

static void doomed_line_does_not_stay(void **state)
{
    (void)state;
    assert_int_equal(misses_with_flush_at(0, false), 1);
    assert_int_equal(misses_with_flush_at(60, true), 2);
}

static bool drop_a_line(struct sm *sm)
{
    for (uint32_t set = 0; set < sm->l1d.sets; set++) {
        for (uint32_t way = 0; way < sm->l1d.ways; way++) {
            if (cache_line(&sm->l1d, set, way)->state == LINE_VALID) {
                cache_invalidate(&sm->l1d, set, way);
                return true;
            }
        }
    }
    return false;
}

/* A line that leaves without a word is noticed at the next event in its set. */
static bool report_with(bool (*act)(struct sm *sm))
{
    struct rig rig = {0};
    struct meddler meddler = {.at = 3000, .act = act};
    rig_make(&rig, NULL);
    uint64_t base = memory_alloc(rig.memory, "a", ROWS * PITCH_BYTES, ROWS * PITCH_BYTES);
    struct run_units *units = attach(&rig, "adi");
    plug(&rig, &meddler);
    column_walk(&rig, base, 64);
    assert_true(meddler.done);
    FILE *out = fopen("/dev/null", "w");
    assert_non_null(out);
    const bool equal = run_units_report(units, out);
    fclose(out);
    run_units_detach(units);
    rig_free(&rig);
    return equal;
}

static bool leave_alone(struct sm *sm)
{
    (void)sm;
    return true;
}

static void wrong_state_is_reported(void **state)
{
    (void)state;
    assert_true(report_with(leave_alone));
    assert_false(report_with(drop_a_line));
}

static void needs_a_power_of_two(void **state)
{
    static const char *const changes[] = {"l1d.sets=12", NULL};
    struct rig rig = {0};
    char error[512] = "";
    (void)state;
    rig_make(&rig, changes);
    assert_null(run_units_attach(rig.gpu, "adi", NULL, error, sizeof error));
    assert_string_equal(error, "adi: sm0.l1d has 12 sets; index bits need a power of two of 4 or "
                               "more");
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(victim_by_definition),      cmocka_unit_test(finds_atax_bits),
        cmocka_unit_test(doomed_line_does_not_stay), cmocka_unit_test(wrong_state_is_reported),
        cmocka_unit_test(needs_a_power_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
