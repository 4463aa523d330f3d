/* test_glue_pas - what CAPS gives its schedulers, event by event, and what they make of it, by the
 * words of caps-prefetch 3.3 to 3.5: launches one a cycle with the leading warp marked, hold, who is
 * blocked now, and a wake-up for each line that a prefetch brings.  What they make of it in a cycle
 * is the document's, in one; the last test is of the form that takes several (D-PAS-1). */
#include "test_glue_sm.h"

enum { PC = 11, ALL = 0x3ffff };

static const char *const one[] = {"sm.schedulers=1", "sm.ready_queue=4", NULL};
static const char *const two[] = {"sm.schedulers=2", "sm.ready_queue=8", NULL};
static const struct kernel_facts three_warps = {.warps_per_cta = 3};

/* A kernel of CTAs of three warps starts before cycle 10; `inputs` of the schedulers are watched. */
static struct glue *begin(void **state, const char *const *machine, const char *mechanism,
                          const char *inputs, bool hold)
{
    const char *const watch[] = {"pas_sched", inputs, NULL};
    struct glue *g = glue_new(state, machine, mechanism, watch);

    glue_sm(g)->issue.hold = hold;
    glue_start(g, &three_warps, 10);
    return g;
}

/* What scheduler `number` issues in `cycle`; -1: nothing. */
static int pick_of(struct glue *g, uint32_t number, uint64_t cycle, uint64_t issuable,
                   uint64_t blocked)
{
    struct sched_socket *sched = &glue_sockets(g)->sched[number];
    const uint64_t mine = glue_sm(g)->issue.sched_mask[number];
    const bool hold = glue_sm(g)->issue.hold;
    const struct sched_view view = {.resident = glue_sm(g)->warps.resident & mine,
                                    .issuable = hold ? 0 : issuable & mine,
                                    .blocked = blocked & mine,
                                    .cycle = cycle,
                                    .hold = hold};

    glue_in(g, cycle);
    return sched->pick(sched->self, &view);
}

static int pick(struct glue *g, uint64_t cycle, uint64_t issuable, uint64_t blocked)
{
    return pick_of(g, 0, cycle, issuable, blocked);
}

/* The data of `block` arrive in `cycle`, for the access that took the MSHR. */
static void arrive(struct glue *g, uint64_t cycle, uint8_t kind, uint32_t slot, bool merged)
{
    const struct access_info first = {.block = 128, .kind = kind, .warp_slot = (uint8_t)slot};
    struct mshr_file *mshrs = &glue_sm(g)->mshr;
    const uint32_t at = mshr_allocate(mshrs, &first);

    if (merged) {
        assert_true(mshr_merge(mshrs, at, NULL, 1));
    }
    glue_in(g, cycle);
    OBSERVE(*glue_sockets(g), fill, 0, 256);
    OBSERVE(*glue_sockets(g), fill, 0, 128);
    mshr_release(mshrs, at);
}

/* What the schedulers were given so far does not matter. */
static void forget(struct glue *g)
{
    g->watch[0].used = 0;
    g->watch[0].text[0] = '\0';
}

/* Nine warps, told at once: TV-PAS-1 and its queues. */
static struct glue *three_by_three(void **state, const char *mechanism, const char *inputs)
{
    struct glue *g = begin(state, one, mechanism, inputs, true);

    for (uint32_t slot = 0; slot < 9; slot++) {
        glue_come(g, 10, slot);
    }
    assert_int_equal(pick(g, 13, ALL, 0), -1); /* it slept before */
    glue_sm(g)->issue.hold = false;            /* the machine has distributed all */
    for (uint64_t cycle = 14; cycle < 19; cycle++) {
        assert_int_equal(pick(g, cycle, ALL, 0), -1);
    }
    return g;
}

/* 3.3, 3.4: one warp a cycle, warp 0 of each CTA marked; held until the last of them is in. */
static void launches_come_one_by_one(void **state)
{
    struct glue *g = three_by_three(state, "caps:pas.one_cycle=1",
                                    "warp_launch_valid warp_launch_wid warp_launch_lead hold");

    glue_expect(g, "pas_sched",
                "warp_launch_valid=1 warp_launch_lead=1 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=1 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=2 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=3 warp_launch_lead=1 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=4 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=5 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=6 warp_launch_lead=1 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=7 hold=1\n"
                "warp_launch_valid=1 warp_launch_wid=8 hold=1\n");
    /* TV-PAS-1: A0 B0 C0 before A1; TV-PAS-2: who has loaded is blocked, and the next comes. */
    static const int order[] = {0, 3, 6, 1, 2, 4, 5, 7, 8};
    uint64_t blocked = 0;
    for (uint32_t i = 0; i < COUNT(order); i++) {
        assert_int_equal(pick(g, 19 + i, ALL, blocked), order[i]);
        blocked |= UINT64_C(1) << order[i];
    }
    assert_int_equal(pick(g, 28, ALL & ~blocked, blocked), -1);
    assert_int_equal(glue_count(g, "caps", "demotions"), 9);
    /* Five came after those that were ready in cycle 19. */
    assert_int_equal(glue_count(g, "caps", "promotions"), 6);
    glue_free(g);
}

/* 3.3: exits before launches; a CTA that replaces another comes without hold, a warp a cycle, also
 * while nothing can issue and the SM sleeps. */
static void exits_come_before_launches(void **state)
{
    struct glue *g = three_by_three(state, "caps:pas.one_cycle=1",
                                    "warp_launch_valid warp_launch_wid hold warp_exit_valid "
                                    "warp_exit_wid blocked");

    assert_int_equal(pick(g, 19, ALL, 0), 0);
    forget(g);
    assert_int_equal(pick(g, 20, 0, 0x7), -1);
    for (uint32_t slot = 3; slot < 9; slot++) {
        glue_go(g, 21, slot);
    }
    assert_int_equal(pick(g, 21, 0, 0x7), -1);
    for (uint32_t slot = 3; slot < 6; slot++) {
        glue_come(g, 22, slot);
    }
    glue_go(g, 27, 2);
    assert_int_equal(pick(g, 27, 0x20, 0x7), -1);
    for (uint32_t slot = 6; slot < 9; slot++) {
        glue_come(g, 40, slot);
    }
    assert_int_equal(pick(g, 40, 0x60, 0x7), 6);
    glue_expect(g, "pas_sched",
                "warp_exit_valid=1 warp_exit_wid=3 blocked=7\n"
                "warp_exit_valid=1 warp_exit_wid=4 blocked=7\n"
                "warp_exit_valid=1 warp_exit_wid=5 blocked=7\n"
                "warp_exit_valid=1 warp_exit_wid=6 blocked=7\n"
                "warp_exit_valid=1 warp_exit_wid=7 blocked=7\n"
                "warp_launch_valid=1 warp_launch_wid=3 warp_exit_valid=1 warp_exit_wid=8 "
                "blocked=7\n"
                "warp_launch_valid=1 warp_launch_wid=4 warp_exit_valid=1 warp_exit_wid=2 "
                "blocked=7\n"
                "warp_launch_valid=1 warp_launch_wid=5 blocked=7\n"
                "warp_launch_valid=1 warp_launch_wid=6 blocked=7\n");
    assert_int_equal(pick(g, 50, 0, 0x7), -1);
    glue_go(g, 51, 1);
    assert_int_equal(pick(g, 51, 0, 0x7), -1);
    glue_expect(g, "pas_sched",
                "warp_launch_valid=1 warp_launch_wid=7 blocked=7\n"
                "warp_launch_valid=1 warp_launch_wid=8 blocked=7\n"
                "warp_exit_valid=1 warp_exit_wid=1 blocked=7\n");
    glue_free(g);
}

/* 3.5: each line that a prefetch asked for wakes the warp it is for, in the cycle it comes, also when
 * a demand has joined (W4); another line wakes nobody. */
static void prefetched_lines_wake(void **state)
{
    static const char *const kinds[] = {"caps:pas.one_cycle=1", "caps:wake=0:pas.one_cycle=1"};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = three_by_three(state, kinds[k], "wake_valid wake_wid blocked");

        assert_int_equal(pick(g, 19, 0, 0), -1);
        /* RQ: 0 3 6, 1; PQ: 2 4 5 7 8.  Warp 5 takes the place of warp 1 (W2). */
        arrive(g, 30, ACCESS_LOAD, 5, true);
        assert_int_equal(pick(g, 30, 0x20, 0), -1);
        arrive(g, 31, ACCESS_PREFETCH, 5, false);
        assert_int_equal(pick(g, 31, 0x22, 0), k == 0 ? 5 : 1);
        assert_int_equal(pick(g, 32, 0x2, 0), k == 0 ? -1 : 1);
        /* It is ready already; one that is blocked stays where it is (W1). */
        arrive(g, 40, ACCESS_PREFETCH, 5, true);
        assert_int_equal(pick(g, 40, 0, 0), -1);
        arrive(g, 41, ACCESS_PREFETCH, 8, false);
        assert_int_equal(pick(g, 41, 0x100, 0x100), -1);
        glue_expect(g, "pas_sched",
                    k != 0 ? ""
                           : "wake_valid=1 wake_wid=5\n"
                             "wake_valid=1 wake_wid=5\n"
                             "wake_valid=1 wake_wid=8 blocked=256\n");
        assert_int_equal(glue_count(g, "caps", "wakes"), k == 0);
        assert_int_equal(glue_count(g, "caps", "wake_evictions"), k == 0);
        glue_free(g);
    }
}

/* Each scheduler hears of its own warps (2.3: 8 ready warps are 4 and 4). */
static void schedulers_have_their_own_warps(void **state)
{
    struct glue *g = begin(state, two, "caps:pas.one_cycle=1",
                           "warp_launch_valid warp_launch_wid wake_valid wake_wid", false);

    for (uint32_t slot = 0; slot < 12; slot++) {
        glue_come(g, 10, slot);
    }
    for (uint64_t cycle = 10; cycle < 16; cycle++) {
        pick_of(g, 0, cycle, 0, 0);
    }
    glue_expect(g, "pas_sched",
                "warp_launch_valid=1\n"
                "warp_launch_valid=1 warp_launch_wid=2\n"
                "warp_launch_valid=1 warp_launch_wid=4\n"
                "warp_launch_valid=1 warp_launch_wid=6\n"
                "warp_launch_valid=1 warp_launch_wid=8\n"
                "warp_launch_valid=1 warp_launch_wid=10\n");
    assert_int_equal(pick_of(g, 0, 16, 0x500, 0), -1); /* the fifth and sixth have no place */
    assert_int_equal(pick_of(g, 0, 17, 0x540, 0), 6);
    assert_int_equal(pick_of(g, 1, 17, 0, 0), -1);
    glue_expect(g, "pas_sched",
                "1: warp_launch_valid=1 warp_launch_wid=1\n"
                "1: warp_launch_valid=1 warp_launch_wid=3\n"
                "1: warp_launch_valid=1 warp_launch_wid=5\n"
                "1: warp_launch_valid=1 warp_launch_wid=7\n"
                "1: warp_launch_valid=1 warp_launch_wid=9\n"
                "1: warp_launch_valid=1 warp_launch_wid=11\n");
    arrive(g, 18, ACCESS_PREFETCH, 7, false);
    pick_of(g, 0, 18, 0, 0);
    glue_expect(g, "pas_sched", "");
    pick_of(g, 1, 18, 0, 0);
    glue_expect(g, "pas_sched", "1: wake_valid=1 wake_wid=7\n");
    glue_free(g);
}

/* LEAD_CLEAR: the warp whose load has registered a base is named once, in the cycle after, and not
 * those of other loads. */
static void bases_clear_markers(void **state)
{
    static const char caps[] =
        "caps:pas.lead_clear=1:pas.one_cycle=1:percta.one_cycle=1:dist.one_cycle=1";
    struct glue *g = begin(state, two, caps, "base_valid base_wid", false);

    for (uint32_t slot = 0; slot < 6; slot++) {
        glue_come(g, 10, slot);
    }
    assert_int_equal(pick_of(g, 1, 19, 0xa, 0), 3);
    glue_one(g, 20, PC, 3, 4096);
    assert_int_equal(pick_of(g, 1, 20, 0xa, 0), 3);
    glue_expect(g, "pas_sched", "");
    assert_int_equal(pick_of(g, 0, 21, 0, 0), -1);
    assert_int_equal(pick_of(g, 1, 21, 0, 0), -1);
    glue_expect(g, "pas_sched", "1: base_valid=1 base_wid=3\n");
    glue_one(g, 22, PC, 4, 4224);  /* the stride */
    glue_one(g, 23, PC, 3, 65536); /* its base anew */
    glue_one(g, 24, PC, 5, 65792);
    pick_of(g, 0, 30, 0, 0);
    pick_of(g, 1, 30, 0, 0);
    glue_expect(g, "pas_sched", "");
    glue_free(g);
}

/* The same warps in the same order, some cycles later: also when the SM sleeps while they move, which
 * it does from cycle 20 on. */
static void moves_take_cycles(void **state)
{
    struct glue *g = begin(state, one, "caps", "warp_launch_valid", true);
    static const int order[] = {0, 3, 6, 1, 2, 4, 5, 7, 8};
    uint64_t blocked = 0;

    for (uint32_t slot = 0; slot < 9; slot++) {
        glue_come(g, 10, slot);
    }
    assert_int_equal(pick(g, 20, 0, 0), -1);
    glue_sm(g)->issue.hold = false;
    assert_int_equal(pick(g, 21, 0, 0), -1);
    for (uint32_t i = 0; i < COUNT(order); i++) {
        const uint64_t cycle = 40 + 20 * i;
        assert_int_equal(pick(g, cycle, ALL & ~blocked, blocked), order[i]);
        blocked |= UINT64_C(1) << order[i];
        assert_int_equal(pick(g, cycle + 1, 0, blocked), -1);
    }
    assert_int_equal(glue_count(g, "caps", "demotions"), 9);
    assert_int_equal(glue_count(g, "caps", "promotions"), 9);
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_come_one_by_one),
        cmocka_unit_test(exits_come_before_launches),
        cmocka_unit_test(prefetched_lines_wake),
        cmocka_unit_test(schedulers_have_their_own_warps),
        cmocka_unit_test(bases_clear_markers),
        cmocka_unit_test(moves_take_cycles),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
