/* test_glue_prefetchers - which events the compared prefetchers learn from, and what they ask the
 * L1D for, by the words of caps-prefetch 3 (loads to global memory through the L1D) and 3.8 to 3.14:
 * INTRA, INTER and MTA see loads, NLP, LAP and ORCH misses; none of them knows of CTAs or IND. */
#include "test_glue_sm.h"

enum { PC = 7 };

static const char *const none[] = {NULL};
static const struct kernel_facts three_warps = {.warps_per_cta = 3};

/* A kernel that starts before cycle 10, and the first `warps` warps with it. */
static struct glue *begin(void **state, const char *mechanism, uint32_t warps)
{
    struct glue *g = glue_new(state, NULL, mechanism, none);

    glue_start(g, &three_warps, 10);
    for (uint32_t slot = 0; slot < warps; slot++) {
        glue_come(g, 10, slot);
    }
    return g;
}

/* 3.9, 3.11: three loads of a warp give its stride.  A load of more than four requests is not seen
 * at all; an indirect one is (3.8).  The warp's own slot given away, or a kernel, starts anew. */
static void strides_of_a_warp(void **state)
{
    static const char *const kinds[] = {"intra", "mta", "mta:tables3=1"};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = begin(state, kinds[k], 8);

        glue_one(g, 20, PC, 3, 0x1000);
        glue_global(g, (struct glue_global){21, PC, 3, 5, {0x7000}, false});
        glue_global(g, (struct glue_global){22, PC, 3, 1, {0x1080}, true});
        glue_drain(g, 23, "");
        glue_one(g, 30, PC, 3, 0x1100);
        glue_drain(g, 31, "3:35");
        glue_come(g, 40, 8);
        glue_one(g, 40, PC, 3, 0x1180);
        glue_drain(g, 41, "3:36");
        glue_come(g, 50, 3);
        for (uint32_t i = 0; i < 3; i++) {
            glue_drain(g, 51 + 10 * i, "");
            glue_one(g, 55 + 10 * i, PC, 3, 0x1200 + 0x80 * i);
        }
        glue_start(g, &three_warps, 80); /* line 0x28 is on its way */
        for (uint32_t i = 0; i < 3; i++) {
            glue_drain(g, 81 + 10 * i, "");
            glue_one(g, 85 + 10 * i, PC, 3, 0x1380 + 0x80 * i);
        }
        glue_drain(g, 106, "3:42");
        glue_free(g);
    }
}

/* 3.8, 3.9: iterations from the distance on, each for all requests of the load. */
static void reach_of_iterations(void **state)
{
    struct glue *g = begin(state, "intra:degree=2:distance=3", 8);

    for (uint32_t i = 0; i < 3; i++) {
        glue_drain(g, 20 + 10 * i, "");
        glue_global(g, (struct glue_global){
                           25 + 10 * i, PC, 3, 2, {0x1000 + 0x80 * i, 0x3000 + 0x80 * i}, false});
    }
    glue_drain(g, 46, "3:37 3:101 3:38 3:102");
    glue_free(g);
}

/* TV-INTER-1: the next warp slot, whatever its CTA, if its warp is still there; what comes to a slot
 * changes nothing (only INTRA's tables are of a slot). */
static void strides_between_warps(void **state)
{
    static const char *const kinds[] = {"inter", "mta"};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = begin(state, kinds[k], 5);

        glue_one(g, 20, PC, 0, 0x1000);
        glue_global(g, (struct glue_global){21, PC, 1, 5, {0x7000}, false});
        glue_one(g, 22, PC, 1, 0x1080);
        glue_come(g, 23, 2);
        glue_drain(g, 23, "");
        glue_global(g, (struct glue_global){30, PC, 2, 2, {0x1100, 0x5000}, true});
        glue_drain(g, 31, "3:35 3:161");
        glue_go(g, 40, 4);
        glue_one(g, 41, PC, 3, 0x1180);
        glue_drain(g, 42, "");
        glue_free(g);
    }
    struct glue *g = begin(state, "inter:degree=2:distance=2", 8);
    for (uint32_t w = 0; w < 3; w++) {
        glue_one(g, 20 + w, PC, w, 0x1000 + 0x80 * w);
    }
    glue_drain(g, 23, "4:36 5:37");
    glue_free(g);
}

/* A load of `block` is accepted by the L1D in `cycle`. */
static void access_of(struct glue *g, uint64_t cycle, uint32_t block, char result, bool local)
{
    const struct access_info info = {
        .block = (uint64_t)block * 128, .n_requests = 1, .local = local, .cycle = cycle};

    glue_in(g, cycle);
    OBSERVE(*glue_sockets(g), acc_result, 0, &info, 0, glue_result(result));
}

/* 3.12: "demand load miss that allocates an MSHR (not a merge, not a prefetch miss)"; 3: stores and
 * loads from local memory are invisible. */
static void no_misses(struct glue *g, uint64_t cycle, uint32_t block)
{
    const struct access_info prefetch = {.block = (uint64_t)block * 128, .kind = ACCESS_PREFETCH};
    const struct access_info store = {.block = (uint64_t)block * 128, .kind = ACCESS_STORE};

    access_of(g, cycle, block, 'H', false);
    access_of(g, cycle, block, 'R', false);
    access_of(g, cycle, block, 'B', false);
    access_of(g, cycle, block, 'M', true);
    OBSERVE(*glue_sockets(g), write_result, 0, &store, 0, RESULT_MISS, true);
    OBSERVE(*glue_sockets(g), prefetch, 0, &prefetch, 0);
    OBSERVE(*glue_sockets(g), fill, 0, (uint64_t)block * 128);
    OBSERVE(*glue_sockets(g), acc_stall, 0, &prefetch, STALL_MSHR, 1);
}

static void misses_of_loads(void **state)
{
    static const struct {
        const char *mechanism, *first, *second;
    } kinds[] = {{"nlp", "258", "260"},
                 {"nlp:degree=2", "258 259", "260 261"},
                 {"lap", "", "256 258"},
                 {"orch", "", "256 258"}};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = begin(state, kinds[k].mechanism, 1);

        no_misses(g, 20, 256);
        no_misses(g, 21, 258);
        access_of(g, 22, 257, 'M', false);
        glue_drain(g, 23, kinds[k].first);
        no_misses(g, 30, 256);
        glue_drain(g, 31, "");
        access_of(g, 40, 259, 'M', false);
        glue_drain(g, 41, kinds[k].second);
        access_of(g, 50, 513, 'M', false);
        glue_start(g, &three_warps, 51); /* neither a request nor an entry stays */
        access_of(g, 51, 514, 'M', false);
        glue_drain(g, 52, k == 0 ? "515" : k == 1 ? "515 516" : "");
        glue_free(g);
    }
}

/* 3.8: the first request two cycles after the event, one a cycle; it waits until it is taken, or of
 * no use. */
static void requests_take_their_time(void **state)
{
    struct glue *g = begin(state, "nlp:degree=2", 1);

    access_of(g, 20, 256, 'M', false);
    assert_string_equal(glue_peek(g, 21).text, "");
    assert_string_equal(glue_peek(g, 22).text, "257");
    assert_string_equal(glue_peek(g, 22).text, "257");
    glue_pop(g, false);
    assert_string_equal(glue_peek(g, 22).text, "");
    assert_string_equal(glue_peek(g, 23).text, "258");
    assert_string_equal(glue_peek(g, 90).text, "258");
    glue_pop(g, true);
    glue_drain(g, 91, "");
    glue_free(g);
    g = begin(state, "intra", 1);
    for (uint32_t i = 0; i < 3; i++) {
        glue_one(g, 20 + i, PC, 0, 0x1000 + 0x80 * i);
    }
    assert_string_equal(glue_peek(g, 23).text, "");
    assert_string_equal(glue_peek(g, 24).text, "0:35");
    glue_free(g);
}

/* 3, D13: in a machine, each global load through the L1D once, with the lowest byte of each block,
 * however often its requests stall; nothing else. */
static void machine_tells_global_loads(void **state)
{
    static const char *const watch[] = {"caps_percta", "ld_valid ld_pc ld_wic ld_n ld_addr", NULL};
    static const char *const machine[] = {"l1d.mshrs=2", "ldst.replay_queue=0", NULL};
    struct glue *g = glue_new(state, machine, "caps:percta.one_cycle=1:dist.one_cycle=1", watch);
    const uint64_t base = memory_alloc(g->rig.memory, "data", 32 * 128, 1 << 12);
    const struct front_op op[] = {
        {.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4},
        {.kind = FRONT_LANE, .d = 3, .imm = base + 252, .stride = UINT64_MAX - 7},
        {.kind = FRONT_LANE, .d = 6, .imm = base, .stride = 128},
        {.kind = FRONT_LANE, .d = 5},
        {.kind = FRONT_STORE, .a = 1, .b = 3},
        {.kind = FRONT_ATOM, .d = 2, .a = 1, .b = 3},
        {.kind = FRONT_RED, .a = 1, .b = 3},
        {.kind = FRONT_SHARED, .d = 2, .a = 5},
        {.kind = FRONT_LOAD, .d = 2, .a = 1, .local = true},
        {.kind = FRONT_LOAD, .d = 2, .a = 1, .cacheop = ISA_CACHE_CG},
        {.kind = FRONT_LOAD, .d = 4, .a = 6, .warps = 1},
        {.kind = FRONT_LOAD, .d = 2, .a = 3, .warps = 1},
        {.kind = FRONT_EXIT}};
    char expected[128];

    rig_run(&g->rig, op, COUNT(op), 1, 64);
    snprintf(expected, sizeof expected,
             "ld_valid=1 ld_pc=80 ld_n=5\n"
             "ld_valid=1 ld_pc=88 ld_n=2 ld_addr=%llu,%llu\n",
             (unsigned long long)base + 4, (unsigned long long)base + 132);
    glue_expect(g, "caps_percta", expected);
    glue_free(g);
}

/* TV-NLP-1 in a machine: a line that a prefetch brings is no demand, and a load that meets it no
 * miss: one prefetch in all. */
static void prefetches_trigger_none(void **state)
{
    struct glue *g = glue_new(state, NULL, "nlp", none);
    const uint64_t base = memory_alloc(g->rig.memory, "data", 8 * 128, 1 << 12);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1},
                                  {.kind = FRONT_BAR},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = 128},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_EXIT}};
    const struct sm_stats *stats = &glue_sm(g)->stats;

    rig_run(&g->rig, op, COUNT(op), 1, 32);
    assert_int_equal(stats->prefetch_accesses, 1);
    assert_int_equal(stats->prefetch_issued, 1);
    assert_int_equal(stats->prefetch_used, 1);
    assert_int_equal(stats->load_misses_coherent, 1);
    assert_int_equal(stats->load_accesses_coherent, 2);
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_of_a_warp),        cmocka_unit_test(reach_of_iterations),
        cmocka_unit_test(strides_between_warps),    cmocka_unit_test(misses_of_loads),
        cmocka_unit_test(requests_take_their_time), cmocka_unit_test(machine_tells_global_loads),
        cmocka_unit_test(prefetches_trigger_none),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
