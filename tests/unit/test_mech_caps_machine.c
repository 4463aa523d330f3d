/* test_mech_caps_machine - CAPS inside a small machine: the orders and prefetches of the
 * documents' worked examples (TV-PAS-2, TV-CAP-1 of caps-prefetch), the barrier that must
 * not block the ready queue (3.3), and the machine's prefetch counters (5.2). */
#include "test_gpu_front_machine.h"

#include "mechanisms/mechanism.h"
#include "tb/backend.h"

enum { MAX_SEEN = 64 };

/* A machine with mechanisms, and the loads seen on its one SM. */
struct bench {
    struct rig rig;
    struct library *library;
    struct mechanism_set *set;
    uint32_t n_loads;
    uint32_t slot[MAX_SEEN];
    uint64_t base; /* of the data */
};

static const struct unit_backend *open_unit(void *self, const char *unit, const char *overrides,
                                            const char *backend, char *error, size_t n_error)
{
    struct failure failure = {0};
    const struct unit_backend *opened = library_open(self, unit, overrides, backend, &failure);
    if (opened == NULL) {
        snprintf(error, n_error, "%s", failure.words);
    }
    return opened;
}

/* What the test itself plugs in promises nothing. */
static const struct plugger test_plugger = {.name = "the test"};

static struct core *core_of(struct rig *rig)
{
    return machine_core(machine_of(rig->gpu), 0);
}

static void note_load(void *self, uint32_t sm, uint32_t slot, uint32_t pc, bool is_load,
                      uint32_t mask, uint32_t priority)
{
    struct bench *bench = self;
    (void)sm, (void)pc, (void)mask, (void)priority;
    if (is_load && bench->n_loads < MAX_SEEN) {
        bench->slot[bench->n_loads++] = slot;
    }
}

static void bench_make(struct bench *bench, const char *mechanisms, const char *const *changes)
{
    char error[2048] = "";
    *bench = (struct bench){0};
    rig_make(&bench->rig, changes);
    bench->library = library_new(NULL);
    assert_non_null(bench->library);
    const struct unit_source source = {bench->library, open_unit};
    bench->set = mechanism_attach(bench->rig.gpu, &source, mechanisms, NULL, error, sizeof error);
    assert_string_equal(error, "");
    assert_non_null(bench->set);
    const struct observer observer = {.self = bench, .issue_mem = note_load};
    assert_int_equal(plug_observer(core_of(&bench->rig), &test_plugger, &observer), 0);
    bench->base = memory_alloc(bench->rig.memory, "data", 1 << 16, 1 << 12);
}

static void bench_free(struct bench *bench)
{
    mechanism_detach(bench->set);
    rig_free(&bench->rig);
    library_free(bench->library);
}

static const char *const figure_8[] = {
    "sm.schedulers=1", "sm.ready_queue=4",           "sm.launch_hold=yes",
    "sm.ctas=3",       "machine.stuck_cycles=20000", NULL};

/* Three CTAs of three warps; each warp loads a line of its own and uses it. */
static void three_by_three(struct bench *bench)
{
    const struct front_op op[] = {{.kind = FRONT_THREAD, .d = 1, .imm = bench->base, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 2},
                                  {.kind = FRONT_EXIT}};
    rig_run(&bench->rig, op, COUNT(op), 3, 96);
    assert_int_equal(bench->n_loads, 9);
}

/* Slots: A 0..2, B 3..5, C 6..8. */
static void expect_order(const struct bench *bench, const uint32_t *order)
{
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(bench->slot[i], order[i]);
    }
}

static void tv_pas_2(void **unused)
{
    static const uint32_t two_level[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const uint32_t leading_first[] = {0, 3, 6, 1, 2, 4, 5, 7, 8};
    struct bench bench;
    (void)unused;
    bench_make(&bench, "tl", figure_8);
    three_by_three(&bench);
    expect_order(&bench, two_level);
    bench_free(&bench);
    bench_make(&bench, "caps:wake=0", figure_8);
    three_by_three(&bench);
    expect_order(&bench, leading_first);
    bench_free(&bench);
}

/* TV-CAP-1 in the machine: with the order A0 B0 C0 A1, the stride is known at A1 and the
 * prefetches are those for B1, B2, C1, C2; nothing is wrong, so what is issued is used.  Nine loads
 * one after the other leave no time for parts in stages. */
static void tv_cap_1(void **unused)
{
    struct bench bench;
    (void)unused;
    bench_make(&bench, "caps:percta.one_cycle=1:dist.one_cycle=1:gen.one_cycle=1", figure_8);
    three_by_three(&bench);
    const struct sm_stats *s = &bench.rig.gpu->sm[0].stats;
    assert_int_equal(s->prefetch_accesses, 4);
    assert_true(s->prefetch_issued >= 1);
    assert_int_equal(s->prefetch_used, s->prefetch_issued);
    json_t *statistics = mechanism_statistics(bench.set);
    const json_t *caps = json_object_get(statistics, "caps");
    assert_int_equal(json_integer_value(json_object_get(caps, "leaders")), 3);
    assert_int_equal(json_integer_value(json_object_get(caps, "strides")), 1);
    assert_int_equal(json_integer_value(json_object_get(caps, "verified")), 5);
    assert_int_equal(json_integer_value(json_object_get(caps, "mispredicted")), 0);
    json_decref(statistics);
    bench_free(&bench);
}

/* TV-CAP-2's way: one CTA after the other; B's and C's leaders meet a known stride. */
static void one_cta_at_a_time(void **unused)
{
    static const char *const one[] = {"sm.schedulers=1", "sm.ready_queue=4", "sm.ctas=1", NULL};
    static const struct {
        const char *mechanism;
        uint64_t presented;
    } variant[] = {
        {"caps", 4}, {"caps:dist.dist_flush_with_leadcta=1", 0}, {"caps:dist.self_pf=1", 4}};
    (void)unused;
    for (size_t v = 0; v < COUNT(variant); v++) {
        struct bench bench;
        bench_make(&bench, variant[v].mechanism, one);
        three_by_three(&bench);
        assert_int_equal(bench.rig.gpu->sm[0].stats.prefetch_accesses, variant[v].presented);
        bench_free(&bench);
    }
}

/* Sixteen warps of one CTA, a ready queue of four, barriers in a loop: warps stalled at the
 * barrier must give up their places, or the others never arrive. */
static void barriers_do_not_fill_the_ready_queue(void **unused)
{
    static const char *const mechanisms[] = {
        "caps", "caps:wake=0", "caps:scheduler=two-level", "caps:scheduler=rr", "orch", "tl"};
    (void)unused;
    for (size_t m = 0; m < COUNT(mechanisms); m++) {
        struct bench bench;
        bench_make(&bench, mechanisms[m], figure_8);
        const struct front_op op[] = {
            {.kind = FRONT_THREAD, .d = 1, .imm = bench.base, .stride = 4},
            {.kind = FRONT_BAR},
            {.kind = FRONT_LOAD, .d = 2, .a = 1},
            {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 2},
            {.kind = FRONT_BAR},
            {.kind = FRONT_LOOP, .imm = 1, .stride = 5},
            {.kind = FRONT_EXIT}};
        rig_run(&bench.rig, op, COUNT(op), 4, 512);
        assert_int_equal(bench.rig.gpu->sm[0].stats.barriers, 4 * 16 * 2 * 5);
        bench_free(&bench);
    }
}

/* ---- the machine's own counters ---- */

/* Asks for one block, late enough that the SM would sleep if it were not told to wait. */
enum { ONCE_CYCLE = 12 };
struct once {
    struct sm *sm;
    uint64_t block, issued, used;
    bool asked, late;
};

static bool once_peek(void *self, struct prefetch_request *request)
{
    const struct once *once = self;
    *request = (struct prefetch_request){once->block, -1, 0};
    return !once->asked && once->sm->now >= ONCE_CYCLE;
}

static bool once_busy(void *self)
{
    const struct once *once = self;
    return !once->asked;
}

static void once_pop(void *self, bool issued)
{
    struct once *once = self;
    assert_true(issued);
    once->asked = true;
    once->issued = once->sm->now;
}

static void once_use(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                     enum access_result result)
{
    struct once *once = self;
    (void)sm, (void)set;
    if (access->block == once->block && once->used == 0) {
        once->used = once->sm->now;
        once->late = result == RESULT_HIT_RESERVED;
    }
}

/* A prefetch, `work` dependent SFU operations, then two loads of its block. */
static void distance_of(uint32_t work, bool late)
{
    struct rig rig = {0};
    struct front_op op[64] = {{.kind = FRONT_LANE, .d = 1}};
    uint32_t n = 1;
    rig_make(&rig, NULL);
    struct sm *sm = &rig.gpu->sm[0];
    struct once once = {.sm = sm, .block = memory_alloc(rig.memory, "data", 4096, 4096)};
    op[0].imm = once.block;
    while (work-- > 0) {
        op[n++] = (struct front_op){.kind = FRONT_SFU, .d = 1, .a = 1};
    }
    op[n++] = (struct front_op){.kind = FRONT_LOAD, .d = 2, .a = 1};
    op[n++] = (struct front_op){.kind = FRONT_SUM, .d = 3, .a = 2, .b = 2};
    op[n++] = (struct front_op){.kind = FRONT_LOAD, .d = 4, .a = 1};
    op[n++] = (struct front_op){.kind = FRONT_EXIT};
    const struct prefetch_socket socket = {
        .self = &once, .peek = once_peek, .pop = once_pop, .busy = once_busy};
    const struct observer observer = {.self = &once, .acc_result = once_use};
    assert_int_equal(plug_prefetch(core_of(&rig), &test_plugger, &socket), 0);
    assert_int_equal(plug_observer(core_of(&rig), &test_plugger, &observer), 0);
    rig_run(&rig, op, n, 1, 32);
    assert_int_equal(sm->stats.prefetch_used, 1);
    assert_int_equal(sm->stats.prefetch_late, late);
    assert_int_equal(once.late, late);
    assert_int_equal(once.issued, ONCE_CYCLE);
    assert_true(once.used > once.issued);
    assert_int_equal(sm->stats.prefetch_distance, once.used - once.issued);
    rig_free(&rig);
}

static void distance_is_issue_to_first_use(void **unused)
{
    (void)unused;
    distance_of(4, true);
    distance_of(55, false);
}

/* ---- refusals ---- */

static void refuses_what_does_not_fit(void **unused)
{
    static const struct {
        const char *mechanisms, *words;
    } wrong[] = {{"caps,nlp", "caps and nlp both replace the L1D's prefetcher"},
                 {"caps,tl", "caps and tl both replace the warp scheduler"},
                 {"tl,caps", "tl and caps both replace the warp scheduler"},
                 {"caps:whole=1:percta.entries=8", "there is no caps_percta"},
                 {"caps:whole=1:pas.lead_clear=1", "leave one of them out"},
                 {"caps:scheduler=rr:wake=0", "is of scheduler=pas"},
                 {"caps:pas.rq=4", "follows from the machine or an option"},
                 {"caps:dist.gen_all=0", "GEN_ALL is 0 in caps_dist and 1 in caps_prefetch_gen"}};
    (void)unused;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct rig rig = {0};
        char error[2048] = "";
        rig_make(&rig, NULL);
        struct library *library = library_new(NULL);
        const struct unit_source source = {library, open_unit};
        assert_null(
            mechanism_attach(rig.gpu, &source, wrong[i].mechanisms, NULL, error, sizeof error));
        assert_non_null(strstr(error, wrong[i].words));
        rig_free(&rig);
        library_free(library);
    }
}

/* The tables keep 32 bits of an address: a load from 4 GiB on ends the run, one below does not. */
static void refuses_addresses_above_4_gib(void **unused)
{
    static const char *const mechanisms[] = {"caps", "intra", "nlp"};
    (void)unused;
    for (size_t i = 0; i < 2 * COUNT(mechanisms); i++) {
        const char *mechanism = mechanisms[i / 2];
        const bool above = i % 2 != 0;
        struct bench bench;
        struct front_program program;
        char words[64];
        bench_make(&bench, mechanism, NULL);
        const uint64_t low = memory_alloc(bench.rig.memory, "low", UINT64_C(1) << 31, 4096);
        const uint64_t high = memory_alloc(bench.rig.memory, "high", 4096, 4096);
        assert_true(low < UINT32_MAX && high > UINT32_MAX);
        const struct front_op op[] = {
            {.kind = FRONT_THREAD, .d = 1, .imm = above ? high : low, .stride = 4},
            {.kind = FRONT_LOAD, .d = 2, .a = 1},
            {.kind = FRONT_EXIT}};
        front_make(&program, op, COUNT(op), 1, 32);
        assert_int_equal(gpu_launch(bench.rig.gpu, &program.launch), above ? GPU_FAULT : GPU_OK);
        front_free(&program);
        snprintf(words, sizeof words, "below 4 GiB, or leave %s out", mechanism);
        assert_int_equal(strstr(bench.rig.gpu->error, words) != NULL, above);
        bench_free(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tv_pas_2),
                                       cmocka_unit_test(tv_cap_1),
                                       cmocka_unit_test(one_cta_at_a_time),
                                       cmocka_unit_test(barriers_do_not_fill_the_ready_queue),
                                       cmocka_unit_test(distance_is_issue_to_first_use),
                                       cmocka_unit_test(refuses_what_does_not_fit),
                                       cmocka_unit_test(refuses_addresses_above_4_gib)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
