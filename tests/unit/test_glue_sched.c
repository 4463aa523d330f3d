/* test_glue_sched - two compared warp schedulers event by event: MASCAR by the words of wang2015
 * 3.15 (D-MAS-1), which warps may issue; ORCH by caps-prefetch 3.14, which warp does. */
#include "test_glue_sm.h"

enum { MSHRS = 4, PORT = 6 };

static const char *const none[] = {NULL};
static const struct kernel_facts two_warps = {.warps_per_cta = 2};

/* ---- MASCAR ---- */

/* Two schedulers; the warps of `came` in that order. */
static struct glue *mascar(void **state, const uint32_t *came, size_t n)
{
    static const char *const machine[] = {"sm.schedulers=2",      "l1d.mshrs=4",
                                          "l1d.miss_queue=6",     "l1d.allocate=on-fill",
                                          "ldst.replay_queue=32", NULL};
    static const char *const ages[] = {
        "age_rank", "warp_launch_valid warp_launch_wid warp_exit_valid warp_exit_wid", NULL};
    struct glue *g = glue_new(state, machine, "mascar", ages);

    glue_start(g, &two_warps, 1);
    for (size_t i = 0; i < n; i++) {
        glue_come(g, 1, came[i]);
    }
    return g;
}

/* So many entries and places are free from now on. */
static void free_of(struct glue *g, uint32_t mshrs, uint32_t places)
{
    glue_sm(g)->mshr.used = MSHRS - mshrs;
    glue_sm(g)->port.out.count = PORT - places;
}

/* A cycle in which the warps of `issuable` can issue, those of `memory` a memory instruction: which
 * of them may? */
static uint64_t cycle(struct glue *g, uint64_t issuable, uint64_t memory)
{
    glue_sm(g)->warps.pipe_next[ISA_PIPE_MEM] = memory;
    glue_begin(g);
    const uint64_t may = glue_may_issue(g, g->cycle, issuable, memory);
    glue_end(g);
    return may;
}

static const uint32_t in_order[] = {0, 1, 2, 3};

/* "otherwise memory instructions of all warps have priority over any computation": of each
 * scheduler's, 0 and 2, 1 and 3. */
static void memory_goes_first(void **state)
{
    struct glue *g = mascar(state, in_order, COUNT(in_order));

    free_of(g, MSHRS, PORT);
    assert_int_equal(cycle(g, 0xf, 0x0), 0xf);
    assert_int_equal(cycle(g, 0xf, 0xf), 0xf);
    assert_int_equal(cycle(g, 0xf, 0x1), 0xb);
    assert_int_equal(cycle(g, 0xe, 0x1), 0xe); /* its memory instruction cannot issue */
    assert_int_equal(cycle(g, 0xf, 0x6), 0x6);
    assert_int_equal(glue_count(g, "mascar", "owners"), 0);
    glue_free(g);
}

/* "sat = (free_mshr <= 1) | (free_port <= 1), registered": as the cycle before left them. */
static void saturated_at_one_free(void **state)
{
    static const struct {
        uint32_t mshrs, places;
        bool saturated;
    } cases[] = {{2, 2, false}, {1, 2, true},  {0, 2, true}, {2, 1, true},
                 {2, 0, true},  {4, 2, false}, {2, 6, false}};

    for (size_t c = 0; c < COUNT(cases); c++) {
        struct glue *g = mascar(state, in_order, COUNT(in_order));

        free_of(g, cases[c].mshrs, cases[c].places);
        assert_int_equal(cycle(g, 0xf, 0xf), cases[c].saturated ? 0x1 : 0xf);
        free_of(g, cases[c].saturated ? MSHRS : 0, PORT);
        assert_int_equal(glue_may_issue(g, g->cycle, 0xf, 0xf), cases[c].saturated ? 0x1 : 0xf);
        assert_int_equal(cycle(g, 0xf, 0xf), cases[c].saturated ? 0xf : 0x1);
        glue_free(g);
    }
}

/* "Owner on entry to saturation = highest-GTO-priority warp with a ready memory instruction": by the
 * age in the SM, of both schedulers; computation is never held. */
static void oldest_owns(void **state)
{
    static const uint32_t came[] = {2, 1, 3, 0};
    struct glue *g = mascar(state, came, COUNT(came));

    glue_expect(g, "age_rank",
                "warp_launch_valid=1 warp_launch_wid=2\n"
                "warp_launch_valid=1 warp_launch_wid=1\n"
                "warp_launch_valid=1 warp_launch_wid=3\n"
                "warp_launch_valid=1\n");
    free_of(g, 1, PORT);
    assert_int_equal(cycle(g, 0xf, 0x0), 0xf); /* nobody has one */
    assert_int_equal(cycle(g, 0xf, 0xb), 0x6);
    assert_int_equal(glue_count(g, "mascar", "owners"), 1);
    /* Kept while it is saturated, although the oldest warp is there now... */
    assert_int_equal(cycle(g, 0xf, 0xf), 0x2);
    /* ...also when its next instruction is not ready, and waits for no data. */
    assert_int_equal(cycle(g, 0xd, 0xd), 0x0);
    assert_int_equal(cycle(g, 0xf, 0xd), 0x2);
    assert_int_equal(cycle(g, 0xf, 0xf), 0x2);
    /* Entered anew, the oldest has it. */
    free_of(g, 2, PORT);
    assert_int_equal(cycle(g, 0xf, 0xf), 0xf);
    free_of(g, 1, PORT);
    assert_int_equal(cycle(g, 0xf, 0xf), 0x4);
    assert_int_equal(glue_count(g, "mascar", "owners"), 2);
    glue_free(g);
}

/* "until it has no ready memory instruction because it waits for its own data or exits/barriers, then
 * the next". */
static void owner_gives_way(void **state)
{
    struct glue *g = mascar(state, in_order, COUNT(in_order));
    struct sm_warps *warps = &glue_sm(g)->warps;
    uint64_t *const waits[] = {&warps->wait_load, &warps->wait_barrier, &warps->wait_fence,
                               &warps->done};

    free_of(g, 1, PORT);
    for (size_t w = 0; w < COUNT(waits); w++) {
        assert_int_equal(cycle(g, 0xf, 0xf), 0x1);
        *waits[w] = 0x1;
        assert_int_equal(cycle(g, 0xe, 0xe), 0x2);
        *waits[w] = 0;
        assert_int_equal(cycle(g, 0xf, 0xf), 0x2); /* back, but no owner */
        free_of(g, MSHRS, PORT);
        cycle(g, 0xf, 0xf);
        free_of(g, 1, PORT);
    }
    warps->wait_arith = 0x1;
    assert_int_equal(cycle(g, 0xf, 0xf), 0x1);
    assert_int_equal(cycle(g, 0xe, 0xe), 0x0);
    glue_go(g, g->cycle, 0);
    assert_int_equal(cycle(g, 0xe, 0xe), 0x2);
    /* The warp that comes to the place of the owner is another one, the youngest. */
    glue_go(g, g->cycle, 1);
    glue_come(g, g->cycle + 1, 1);
    assert_int_equal(cycle(g, 0xe, 0xe), 0x4);
    glue_free(g);
}

/* ---- ORCH ---- */

static int pick(struct glue *g, uint64_t issuable, uint64_t blocked, bool hold)
{
    struct sched_socket *sched = &glue_sockets(g)->sched[0];
    const uint64_t mine = glue_sm(g)->issue.sched_mask[0];
    const struct sched_view view = {.resident = glue_sm(g)->warps.resident & mine,
                                    .issuable = issuable & mine,
                                    .blocked = blocked & mine,
                                    .cycle = g->cycle,
                                    .hold = hold};

    return sched->pick(sched->self, &view);
}

/* The ready queue of scheduler 0 is exactly this: each is the first of those behind it. */
static void expect_ready(struct glue *g, const uint32_t *ready, uint64_t blocked)
{
    uint64_t others = UINT64_MAX;

    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pick(g, others & ~blocked, blocked, false), ready[i]);
        others &= ~(UINT64_C(1) << ready[i]);
    }
    assert_int_equal(pick(g, others, blocked, false), -1);
}

/* CTAs of two warps; ORCH with four places in the ready queue of each scheduler. */
static struct glue *orch(void **state, const char *const *machine, uint32_t warps)
{
    struct glue *g = glue_new(state, machine, "orch", none);

    glue_start(g, &two_warps, 1);
    for (uint32_t slot = 0; slot < warps; slot++) {
        glue_come(g, 1, slot);
        assert_int_equal(pick(g, UINT64_MAX, 0, true), -1);
    }
    return g;
}

#define READY(...) ((const uint32_t[]){__VA_ARGS__})

/* rank(w) = (w mod G) * ceil(N/G) + (w div G) of the N resident warps, G = ceil(N / 4) here; smallest
 * rank first out of PQ, oldest first in RQ; hold and demotion as TL (3.3). */
static void ranks_promote(void **state)
{
    static const char *const machine[] = {"sm.schedulers=1", "sm.ready_queue=4", NULL};
    static const uint32_t came[] = {0, 1, 6, 7, 8, 9};
    struct glue *g = orch(state, machine, 6);

    /* N = 6, G = 2: ranks 0 3 1 4 2 5. */
    expect_ready(g, READY(0, 2, 4, 1), 0);
    glue_go(g, 10, 0);
    glue_go(g, 10, 1);
    expect_ready(g, READY(2, 4, 3, 5), 0);
    /* Three CTAs come: N = 10, G = 3, ceil(N/G) = 4: ranks 0 4 8 1 5 9 2 6 10 3. */
    for (size_t i = 0; i < COUNT(came); i++) {
        glue_come(g, 20, came[i]);
    }
    expect_ready(g, READY(2, 4, 3, 5), 0);
    /* 4 and 3 block: 0 with rank 0 and 6 with rank 2 come. */
    expect_ready(g, READY(2, 5, 0, 6), 0x18);
    /* Those that block under hold leave, and nobody comes before it ends. */
    assert_int_equal(pick(g, UINT64_MAX, 0x24, true), -1);
    expect_ready(g, READY(0, 6, 3, 9), 0);
    glue_free(g);
}

/* "N and G are recomputed when a CTA is launched or finishes": not with each warp that leaves. */
static void ranks_are_of_ctas(void **state)
{
    static const char *const machine[] = {"sm.schedulers=1", "sm.ready_queue=4", NULL};
    struct glue *g = orch(state, machine, 10);

    /* Ranks 0 4 8 1 5 9 2 6 10 3, as above. */
    expect_ready(g, READY(0, 3, 6, 9), 0);
    glue_go(g, 10, 3);
    expect_ready(g, READY(0, 6, 9, 1), 0);
    glue_go(g, 11, 2);
    /* N = 8, G = 2: of warps 0 1 4 5 6 7 8 9 ranks 0 4 1 5 2 6 3 7. */
    expect_ready(g, READY(9, 1, 4, 8), 0x41);
    glue_free(g);
}

/* The same of the even slots of two schedulers: the CTA's other warp is the other scheduler's. */
static void ctas_have_warps_elsewhere(void **state)
{
    static const char *const machine[] = {"sm.schedulers=2", "sm.ready_queue=8", NULL};
    struct glue *g = orch(state, machine, 20);

    expect_ready(g, READY(0, 6, 12, 18), 0);
    glue_go(g, 10, 6);
    expect_ready(g, READY(0, 12, 18, 2), 0);
    glue_go(g, 11, 7);
    /* N = 9, G = 3: of slots 0 2 4 8 10 12 14 16 18 ranks 0 3 6 1 4 7 2 5 8. */
    expect_ready(g, READY(2, 8, 14, 10), 0x41001);
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_goes_first),
        cmocka_unit_test(saturated_at_one_free),
        cmocka_unit_test(oldest_owns),
        cmocka_unit_test(owner_gives_way),
        cmocka_unit_test(ranks_promote),
        cmocka_unit_test(ranks_are_of_ctas),
        cmocka_unit_test(ctas_have_warps_elsewhere),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
