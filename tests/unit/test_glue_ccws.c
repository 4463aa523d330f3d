/* test_glue_ccws - CCWS, which has no units of its own but the ages, event by event, by the words of
 * wang2015 3.14 (D-CCWS-1, D-CCWS-2): whose victim a block is, what a score is, whose loads wait. */
#include "test_glue_sm.h"

enum { LOAD, STORE, WARPS = 16 };

static const char *const none[] = {NULL};

/* A kernel of a load and a store, and where each warp is. */
struct script {
    struct glue *g;
    struct isa_inst inst[2];
    struct isa_kernel kernel;
    struct isa_launch launch;
    struct kernel_facts facts;
    struct isa_warp warp[WARPS];
};

static struct glue *begin(void **state, const char *const *machine, const char *mechanism,
                          struct script *s)
{
    *s = (struct script){.g = glue_new(state, machine, mechanism, none),
                         .inst = {{.access = ISA_ACCESS_LOAD}, {.access = ISA_ACCESS_STORE}}};
    s->kernel = (struct isa_kernel){.inst = s->inst, .n_inst = COUNT(s->inst)};
    s->launch = (struct isa_launch){.kernel = &s->kernel};
    s->facts = (struct kernel_facts){.launch = &s->launch, .warps_per_cta = 1};
    for (uint32_t slot = 0; slot < WARPS; slot++) {
        glue_sm(s->g)->warps.at[slot] = &s->warp[slot];
    }
    glue_kernel(s->g);
    glue_start(s->g, &s->facts, 1);
    return s->g;
}

static const char *const lone[] = {"sm.schedulers=1", NULL};
static const char *const pair[] = {"sm.schedulers=2", NULL};

static struct access_info of(uint8_t kind, uint32_t warp, uint32_t block)
{
    return (struct access_info){
        .block = (uint64_t)block * 128, .kind = kind, .warp_slot = (uint8_t)warp, .n_requests = 1};
}

/* Line 0 of the L1D is given to what `kind` of access of `warp` brings. */
static void bring(struct glue *g, uint8_t kind, uint32_t warp, uint32_t block)
{
    const struct policy_socket *policy = &glue_sockets(g)->policy;
    const struct access_info info = of(kind, warp, block);

    policy->insert(policy->self, 0, 0, &info);
}

/* What becomes of a load in `cycle`; true if it found its block among the warp's victims. */
static bool finds(struct glue *g, uint64_t cycle, uint32_t warp, uint32_t block, char result)
{
    const json_int_t before = glue_count(g, "ccws", "vta_hits");
    const struct access_info info = of(ACCESS_LOAD, warp, block);

    glue_in(g, cycle);
    OBSERVE(*glue_sockets(g), acc_result, 0, &info, 0, glue_result(result));
    return glue_count(g, "ccws", "vta_hits") != before;
}

/* "On L1D eviction of a line fetched by warp w: insert its block tag in VTA[w]"; "on L1D load miss by
 * w: probe VTA[w]". */
static void victims_are_of_the_warp(void **state)
{
    struct script s;
    struct glue *g = begin(state, lone, "ccws", &s);
    const struct policy_socket *policy = &glue_sockets(g)->policy;

    for (uint32_t slot = 0; slot < 4; slot++) {
        glue_come(g, 1, slot);
    }
    bring(g, ACCESS_LOAD, 2, 16);
    assert_false(finds(g, 10, 2, 16, 'M')); /* it is there still */
    bring(g, ACCESS_LOAD, 3, 17);
    assert_false(finds(g, 10, 3, 16, 'M'));
    assert_false(finds(g, 10, 2, 17, 'M'));
    assert_false(finds(g, 10, 2, 16, 'H'));
    assert_false(finds(g, 10, 2, 16, 'R'));
    assert_true(finds(g, 10, 2, 16, 'M'));
    assert_true(finds(g, 10, 2, 16, 'B')); /* the entry stays */
    policy->invalidate(policy->self, 0, 0);
    bring(g, ACCESS_PREFETCH, 1, 18);
    bring(g, ACCESS_LOAD, 1, 20);
    glue_kernel(g); /* the cache is empty */
    bring(g, ACCESS_LOAD, 1, 22);
    assert_int_equal(glue_count(g, "ccws", "vta_insertions"), 1);
    glue_go(g, 20, 2);
    glue_come(g, 21, 2); /* "at warp launch: VTA[w] cleared" */
    assert_false(finds(g, 22, 2, 16, 'M'));
    glue_free(g);
}

/* "2 sets x 8 ways, LRU"; a hit is "LRU-touched". */
static void victims_are_few(void **state)
{
    struct script s;
    struct glue *g = begin(state, lone, "ccws", &s);

    glue_come(g, 1, 0);
    for (uint32_t n = 0; n < 8; n++) {
        bring(g, ACCESS_LOAD, 0, 100 + 2 * n);
    }
    bring(g, ACCESS_LOAD, 0, 201);
    assert_true(finds(g, 10, 0, 100, 'M'));
    bring(g, ACCESS_LOAD, 0, 116);
    bring(g, ACCESS_LOAD, 0, 118); /* nine are out, besides 201 */
    assert_false(finds(g, 10, 0, 102, 'M'));
    assert_true(finds(g, 10, 0, 100, 'M'));
    assert_true(finds(g, 10, 0, 104, 'M'));
    assert_true(finds(g, 10, 0, 116, 'M'));
    assert_true(finds(g, 10, 0, 201, 'M'));
    glue_free(g);
}

/* Four warps, 400 to share out; `instructions` have issued when `warp` finds a victim in cycle 1000,
 * for the `hits`th time in all. */
static struct glue *four_warps(void **state, struct script *s, uint32_t warp, uint64_t instructions,
                               uint32_t hits)
{
    struct glue *g = begin(state, lone, "ccws", s);

    for (uint32_t slot = 0; slot < 4; slot++) {
        glue_come(g, 1, slot);
    }
    glue_sm(g)->stats.warp_instructions = instructions;
    bring(g, ACCESS_LOAD, warp, 16);
    bring(g, ACCESS_LOAD, warp, 17);
    assert_int_equal(glue_may_issue(g, 999, 0xf, 0xf), 0xf);
    for (uint32_t n = 0; n < hits; n++) {
        assert_true(finds(g, 1000, warp, 16, 'M'));
    }
    return g;
}

/* LLDS = vta_hits_total * 8 * (4 * 100) / instr_issued_total, at least 100 and at most 65535; one
 * less each cycle; "prefix sum (including itself) exceeds num_active*100". */
static void scores_cut_off(void **state)
{
    static const struct {
        uint32_t warp, hits;
        uint64_t instructions, later, may;
    } cases[] = {{2, 1, 16, 0, 0x7},     /* 200, 300, 400 | 500: the youngest waits */
                 {3, 1, 16, 0, 0xb},     /* 200 of warp 3, 300, 400 | */
                 {2, 1, 16, 99, 0x7},    /* 101 */
                 {2, 1, 16, 100, 0xf},   /* 100 */
                 {2, 1, 16, 5000, 0xf},  /* never less */
                 {2, 1, 15, 0, 0x5},     /* 213, 313 | 413 */
                 {2, 1, 15, 13, 0x7},    /* 200 */
                 {2, 2, 32, 0, 0x7},     /* two hits: 200 */
                 {2, 1, 33, 0, 0xf},     /* 96: 100 */
                 {2, 1, 8, 0, 0x4},      /* 400 | 500 */
                 {2, 1, 4, 0, 0x4},      /* 800: always permitted */
                 {2, 21, 1, 65434, 0x7}, /* 67200: 65535 */
                 {2, 21, 1, 65435, 0xf}};
    struct script s;

    for (size_t c = 0; c < COUNT(cases); c++) {
        struct glue *g = four_warps(state, &s, cases[c].warp, cases[c].instructions, cases[c].hits);

        assert_int_equal(glue_may_issue(g, 1000 + cases[c].later, 0xf, 0xf), cases[c].may);
        glue_free(g);
    }
}

/* "may not issue loads": a store and computation go on; a new warp has 100; who has left is not
 * counted. */
static void loads_alone_are_held(void **state)
{
    struct script s;
    struct glue *g = four_warps(state, &s, 2, 4, 1);

    assert_int_equal(glue_may_issue(g, 1000, 0xf, 0xf), 0x4);
    s.warp[0].pc = STORE;
    assert_int_equal(glue_may_issue(g, 1000, 0xf, 0x7), 0xd);
    assert_int_equal(glue_may_issue(g, 1000, 0xb, 0xb), 0x1);
    glue_go(g, 1001, 2);
    assert_int_equal(glue_may_issue(g, 1001, 0xb, 0xb), 0xb);
    glue_come(g, 1002, 2);
    assert_int_equal(glue_may_issue(g, 1002, 0xf, 0xf), 0xf);
    glue_free(g);
}

/* "tie: older first": by the age in the SM, whichever scheduler has the warp (A.10: 48 ages). */
static void older_warps_go_first(void **state)
{
    static const uint32_t came[] = {0, 2, 4, 1};
    struct script s;
    struct glue *g = begin(state, pair, "ccws", &s);

    for (size_t i = 0; i < COUNT(came); i++) {
        glue_come(g, 1, came[i]);
    }
    glue_sm(g)->stats.warp_instructions = 16;
    bring(g, ACCESS_LOAD, 2, 16);
    bring(g, ACCESS_LOAD, 2, 17);
    assert_true(finds(g, 1000, 2, 16, 'M'));
    assert_int_equal(glue_may_issue(g, 1000, 0x17, 0x17), 0x15);
    glue_go(g, 1001, 0); /* it comes again, as the youngest */
    glue_come(g, 1002, 0);
    assert_int_equal(glue_may_issue(g, 1002, 0x17, 0x17), 0x16);
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(victims_are_of_the_warp), cmocka_unit_test(victims_are_few),
        cmocka_unit_test(scores_cut_off),          cmocka_unit_test(loads_alone_are_held),
        cmocka_unit_test(older_warps_go_first),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
