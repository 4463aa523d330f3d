/* test_rdu_scenarios - the worked examples of race detection on whole machines,
 * of tabbakh2018 3.7.10, on the C models and the RTL. */
#include "test_rdu.h"

enum { A, B, C, D, F = 4 };

/* Runs `scenario` on both forms. */
#define ON_BOTH(rdu_, avu_) \
    struct rdu_machine *m = NULL; \
    for (unsigned form = 0; form < 2 && (m = rdu_new(state, rdu_, avu_, forms[form])) != NULL; \
         rdu_free(m), form++)

/* R-3 (Fig 4.2): coherence miss on A, race on D, and C hits though it is in the signature. */
static void epochs_separate_updates(void **state)
{
    ON_BOTH("", "")
    {
        assert_int_equal(rdu_load(m, 1, A, 0), 0);
        rdu_store(m, 0, A, 0, 1);
        rdu_store(m, 0, B, 0, 2);
        rdu_deliver_all(m, 1);
        assert_int_equal(rdu_epoch(m, 1), 0);
        assert_int_equal(rdu_load(m, 1, B, 0), 2);
        assert_int_equal(rdu_epoch(m, 1), 1);
        rdu_store(m, 0, C, 0, 3);
        rdu_store(m, 0, D, 0, 4);
        assert_int_equal(rdu_load(m, 1, A, 0), 1);
        assert_int_equal(m->avu_misses, 1);
        assert_int_equal(rdu_load(m, 1, D, 0), 4);
        assert_int_equal(rdu_epoch(m, 1), 2);
        assert_int_equal(rdu_load(m, 1, C, 0), 3);
        assert_int_equal(rdu_epoch(m, 1), 2);
        const unsigned hits = m->hits;
        assert_int_equal(rdu_load(m, 1, C, 0), 3);
        assert_int_equal(m->hits, hits + 1);
    }
}

/* R-4 (Fig 4.6, 4.7), order {A1,B1}, A2, B2, A3, B3, A4, B4. */
static void scenario_one(void **state)
{
    ON_BOTH("", "")
    {
        for (unsigned sm = 0; sm < 2; sm++) {
            assert_int_equal(rdu_load(m, sm, A, 0), 0);
            assert_int_equal(rdu_load(m, sm, B, 0), 0);
        }
        rdu_store(m, 0, A, 0, 1);
        assert_int_equal(rdu_epoch(m, 0), 1);
        rdu_store(m, 1, B, 0, 1);
        assert_int_equal(rdu_epoch(m, 1), 1);
        assert_int_equal(rdu_load(m, 0, B, 0), 0);
        assert_int_equal(rdu_load(m, 1, A, 0), 1);
        assert_int_equal(rdu_epoch(m, 1), 1);
        rdu_store(m, 0, C, 0, 5);
        assert_int_equal(rdu_epoch(m, 0), 2);
        assert_int_equal(rdu_load(m, 1, C, 0), 5);
        assert_int_equal(rdu_epoch(m, 1), 2);
        assert_int_equal(m->raced, 1);
    }
}

/* R-5 (Fig 4.8), order {A1,B1}, A2, A3, A4, B2, B3, B4. */
static void scenario_two(void **state)
{
    ON_BOTH("", "")
    {
        for (unsigned sm = 0; sm < 2; sm++) {
            rdu_load(m, sm, A, 0);
            rdu_load(m, sm, B, 0);
        }
        rdu_store(m, 0, A, 0, 1);
        assert_int_equal(rdu_load(m, 0, B, 0), 0);
        rdu_store(m, 0, C, 0, 5);
        rdu_store(m, 1, B, 0, 1);
        assert_int_equal(rdu_load(m, 1, A, 0), 1);
        assert_int_equal(m->avu_misses, 1);
        assert_int_equal(rdu_load(m, 1, C, 0), 5);
        assert_int_equal(m->raced, 0);
        assert_int_equal(rdu_epoch(m, 0), 2);
        assert_int_equal(rdu_epoch(m, 1), 1);
    }
}

/* R-6 (Fig 4.1b): B3 after A2 leaves the old A readable; before A2 it does not. */
static void store_before_or_after_the_race(void **state)
{
    ON_BOTH("", "")
    {
        for (unsigned late = 0; late < 2; late++) {
            const unsigned a = A + 2 * late, b = B + 2 * late;
            rdu_load(m, 0, a, 0);
            rdu_load(m, 1, b, 0);
            rdu_store(m, 1, b, 0, 1);
            if (!late) {
                rdu_store(m, 1, a, 0, 1);
            }
            assert_int_equal(rdu_load(m, 0, b, 0), 1);
            if (late) {
                rdu_store(m, 1, a, 0, 1);
            }
            assert_int_equal(rdu_load(m, 0, a, 0), !late);
        }
    }
}

/* 128 stores to distinct blocks force every other SM; the writer's epoch went once round. */
static void distinct_stores_saturate(void **state)
{
    ON_BOTH("SMS=16", "")
    {
        for (unsigned i = 0; i < 128; i++) {
            assert_int_equal(m->forced, 0);
            rdu_message(m, RDU_WR, 0, 0x10000 + i * 7, 0, 0);
            rdu_deliver_all(m, 0);
        }
        assert_int_equal(m->forced, 15);
        rdu_deliver_all(m, 1);
        rdu_deliver_all(m, 2);
        assert_int_equal(rdu_epoch(m, 0), 128 % m->epochs);
        assert_int_equal(rdu_epoch(m, 1), 1);
        assert_int_equal(rdu_epoch(m, 2), 1);
    }
}

/* the first load fetches; of the next ones the fifth asks. */
static void fifth_hit_asks(void **state)
{
    ON_BOTH("", "")
    {
        rdu_load(m, 0, A, 0);
        for (unsigned i = 0; i < 4; i++) {
            rdu_load(m, 0, A, 0);
            assert_int_equal(m->sm[0].checks, 1);
        }
        rdu_load(m, 0, A, 0);
        assert_int_equal(m->sm[0].checks, 2);
    }
}

/* R-13 (D-R15): message passing with the flag in a block fetched for its neighbour. */
static void run_message_passing(struct rdu_machine *m, uint32_t flag, uint32_t data)
{
    rdu_load(m, 1, C, 0);
    rdu_store(m, 0, C, 0, 1);
    rdu_store(m, 0, B, 1, 1);
    rdu_load(m, 1, B, 0);
    assert_int_equal(rdu_load(m, 1, B, 1), flag);
    assert_int_equal(rdu_load(m, 1, C, 0), data);
}

static void miss_checks_the_whole_block(void **state)
{
    ON_BOTH("SHIFT=2", "SHIFT=2")
    {
        run_message_passing(m, 1, 1);
        assert_int_equal(m->avu_misses, 1);
    }
}

/* The literal check lets the forbidden result through. */
static void literal_check_breaks_message_passing(void **state)
{
    ON_BOTH("SHIFT=2,MISS_BLOCK=0", "SHIFT=2")
    {
        run_message_passing(m, 1, 0);
    }
}

/* R-14 (D-R12). */
static void own_atomic_is_seen(void **state)
{
    ON_BOTH("", "")
    {
        rdu_load(m, 0, F, 0);
        assert_int_equal(rdu_atomic_add(m, 0, F, 0, 1), 0);
        assert_int_equal(rdu_load(m, 0, F, 0), 1);
        m->keep_own_atomics = true;
        assert_int_equal(rdu_atomic_add(m, 0, F, 0, 1), 1);
        assert_int_equal(rdu_load(m, 0, F, 0), 1); /* wrong, and the reason for the rule */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epochs_separate_updates),
        cmocka_unit_test(scenario_one),
        cmocka_unit_test(scenario_two),
        cmocka_unit_test(store_before_or_after_the_race),
        cmocka_unit_test(distinct_stores_saturate),
        cmocka_unit_test(fifth_hit_asks),
        cmocka_unit_test(miss_checks_the_whole_block),
        cmocka_unit_test(literal_check_breaks_message_passing),
        cmocka_unit_test(own_atomic_is_seen),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
