/* test_oaws_occlusion - TV-OAWS-1 of wang2015 3.16 (Fig. 5.1): three warps with one
 * divergent load each, 8 MSHRs, a miss penalty of 12 cycles, under gto_sched alone and
 * with the OAWS units.  The memory stage here is the test's own: loads in order of
 * issue, one access per cycle from the second cycle after issue on, all of them misses;
 * an access without a free MSHR entry is replayed and holds up all later ones. */
#include "test_dacache.h"

enum { WARPS = 3, MSHRS = 8, PENALTY_CYCLES = 12, ISSUE_CYCLES = 2, LIMIT_CYCLES = 200 };

/* Misses of the loads of A, B and C, all predicted exactly. */
static const unsigned needs[WARPS] = {6, 6, 2};

struct machine {
    struct pins scheduler, budget, requal;
    bool oaws;
    unsigned cycle, busy_until[MSHRS];                /* entry free from that cycle on */
    unsigned queue[WARPS], n_issued, n_retired, done; /* accesses of queue[n_retired] */
    unsigned issued[WARPS], retired[WARPS], finished[WARPS];
    unsigned replays;
};

static unsigned free_entries(const struct machine *m, unsigned cycle)
{
    unsigned n = 0;
    for (unsigned i = 0; i < MSHRS; i++) {
        n += m->busy_until[i] <= cycle;
    }
    return n;
}

static void launch_all(struct machine *m)
{
    for (unsigned warp = 0; warp < WARPS; warp++) {
        pin_set(&m->scheduler, "warp_launch_valid", 1);
        pin_set(&m->scheduler, "warp_launch_wid", warp);
        unit_edge(&m->scheduler);
    }
    pin_set(&m->scheduler, "warp_launch_valid", 0);
    pin_set(&m->scheduler, "ready", (1u << WARPS) - 1);
}

/* The scheduler's choice of this cycle. */
static void issue(struct machine *m)
{
    unit_comb(&m->budget);
    pin_set(&m->requal, "budget", pin_get(&m->budget, "budget"));
    unit_comb(&m->requal);
    pin_set(&m->scheduler, "mask_dis", m->oaws ? pin_get(&m->requal, "occlude") : 0);
    unit_comb(&m->scheduler);
    const unsigned warp = (unsigned)pin_get(&m->scheduler, "grant_wid");
    const bool granted = pin_get(&m->scheduler, "grant_valid") != 0;
    pin_set(&m->budget, "issue_valid", granted);
    pin_set(&m->budget, "issue_pred", granted ? needs[warp] : 0);
    unit_edge(&m->scheduler);
    if (granted) {
        m->queue[m->n_issued++] = warp;
        m->issued[warp] = m->cycle;
        const uint64_t ready = m->scheduler.in[pin_slot(m->scheduler.backend->desc->in,
                                                        m->scheduler.backend->desc->n_in, "ready")];
        pin_set(&m->scheduler, "ready", ready & ~(UINT64_C(1) << warp));
    }
}

/* One access of the oldest load in the memory stage. */
static void serve(struct machine *m)
{
    pin_set(&m->budget, "retire_valid", 0);
    if (m->n_retired == m->n_issued ||
        m->cycle < m->issued[m->queue[m->n_retired]] + ISSUE_CYCLES) {
        return;
    }
    const unsigned warp = m->queue[m->n_retired];
    unsigned entry = 0;
    while (entry < MSHRS && m->busy_until[entry] > m->cycle) {
        entry++;
    }
    if (entry == MSHRS) {
        m->replays++;
        return;
    }
    m->busy_until[entry] = m->cycle + PENALTY_CYCLES;
    if (++m->done == needs[warp]) {
        m->done = 0;
        m->n_retired++;
        m->retired[warp] = m->cycle;
        m->finished[warp] = m->cycle + PENALTY_CYCLES;
        pin_set(&m->budget, "retire_valid", 1);
        pin_set(&m->budget, "retire_pred", needs[warp]);
    }
}

static void run(struct machine *m, void **state, const char *form, bool oaws)
{
    *m = (struct machine){.oaws = oaws};
    unit_open(&m->scheduler, state, "sched/gto_sched", "", form);
    unit_open(&m->budget, state, "oaws/oaws_budget", "MSHRS=8", form);
    unit_open(&m->requal, state, "oaws/oaws_requal", "", form);
    pin_set(&m->requal, "is_div_load", (1u << WARPS) - 1);
    for (unsigned warp = 0; warp < WARPS; warp++) {
        pin_array(&m->requal, "pred")[warp] = needs[warp];
    }
    launch_all(m);
    for (; m->n_retired < WARPS; m->cycle++) {
        assert_true(m->cycle < LIMIT_CYCLES);
        issue(m);
        serve(m);
        pin_set(&m->budget, "free_cnt", free_entries(m, m->cycle + 1));
        unit_edge(&m->budget);
    }
    pins_close(&m->scheduler);
    pins_close(&m->budget);
    pins_close(&m->requal);
}

enum { A, B, C };

/* A and C fill the MSHRs; B waits at the scheduler until A's replies are all there, so
 * that no access is ever replayed.  Finish order A, C, B. */
static void oaws_issues_c_before_b(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct machine m;
        run(&m, state, forms[form], true);
        assert_int_equal(m.issued[A], 0);
        assert_int_equal(m.issued[C], 1);
        assert_int_equal(m.issued[B], m.finished[A]);
        assert_true(m.finished[A] < m.finished[C] && m.finished[C] < m.finished[B]);
        assert_int_equal(m.replays, 0);
    }
}

/* A is served in cycles 2..7.  B takes the last two entries in cycles 8 and 9, replays
 * until A's first reply (cycle 2 + 12) and is served in cycles 14..17; C follows, as A's
 * last two entries become free.  Finish order A, B, C. */
static void gto_occludes(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct machine m;
        run(&m, state, forms[form], false);
        assert_int_equal(m.issued[B], 1);
        assert_int_equal(m.issued[C], 2);
        assert_int_equal(m.replays, 4);
        assert_true(m.finished[A] < m.finished[B] && m.finished[B] < m.finished[C]);
        assert_int_equal(m.retired[B], 17);
        assert_int_equal(m.retired[C], 19);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oaws_issues_c_before_b),
        cmocka_unit_test(gto_occludes),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
