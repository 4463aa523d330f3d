/* test_oaws_prediction - oaws_pred against closed forms (wang2015 3.17, 3.19), and how
 * many loads the predictions admit (TV-OAWS-2, wang2015 4 C14). */
#include "test_dacache.h"

enum { MSHRS = 32, SMR_STEPS = 20 };

static uint64_t ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t at_most(uint64_t value, uint64_t limit)
{
    return value < limit ? value : limit;
}

/* Starts a prediction with the inputs as set and waits for it. */
static uint64_t predict(struct pins *pred, unsigned *cycles)
{
    pin_set(pred, "start", 1);
    unit_edge(pred);
    pin_set(pred, "start", 0);
    *cycles = 1;
    for (unit_comb(pred); !pin_get(pred, "done"); unit_comb(pred)) {
        unit_edge(pred);
        assert_true(++*cycles <= 6);
    }
    return pin_get(pred, "pred");
}

static uint64_t static_prediction(struct pins *pred, uint64_t div, uint64_t smr_k)
{
    unsigned cycles;
    pin_set(pred, "is_div", 1);
    pin_set(pred, "dyn", 0);
    pin_set(pred, "div", div);
    pin_set(pred, "smr_k", smr_k);
    const uint64_t prediction = predict(pred, &cycles);
    assert_int_equal(cycles, param_of(pred, "ONE_CYCLE") ? 1 : param_of(pred, "PRED_STEP"));
    return prediction;
}

static void static_predictions_all(void **state)
{
    for (unsigned form = 0; form < 2 * N_FORMS; form++) {
        struct pins pred;
        unit_open(&pred, state, "oaws/oaws_pred", form < N_FORMS ? "" : "ONE_CYCLE=1",
                  forms[form % N_FORMS]);
        for (uint64_t div = 0; div <= 32; div++) {
            for (uint64_t k = 0; k <= SMR_STEPS; k++) {
                assert_int_equal(static_prediction(&pred, div, k), ceil_div(div * k, 20));
            }
        }
        pins_close(&pred);
    }
}

/* Every miss count of some access counts, every divergence, some ages. */
static void check_history(struct pins *pred, uint64_t den, uint64_t num, uint64_t div, uint64_t age)
{
    unsigned cycles;
    pin_set(pred, "div", div);
    pin_set(pred, "num", num);
    pin_set(pred, "den", den);
    pin_set(pred, "gprio", age);
    const uint64_t history = den == 0 ? 0 : ceil_div(div * num, den);
    assert_int_equal(predict(pred, &cycles), at_most(history + age, MSHRS));
    assert_int_equal(cycles, den == 0 ? 1 : param_of(pred, "PRED_STEP"));
}

static void history_predictions(void **state)
{
    static const char *const steps[] = {"", "ONE_CYCLE=1,PRED_STEP=2", "ONE_CYCLE=1 PRED_STEP=1"};
    static const uint64_t accesses[] = {0, 1, 3, 31, 32, 64, 97, 496, 528, 992, 1023};
    for (unsigned i = 0; i < 2 * sizeof steps / sizeof *steps; i++) {
        struct pins pred;
        unit_open(&pred, state, "oaws/oaws_pred", steps[i / 2], forms[i % 2]);
        pin_set(&pred, "is_div", 1);
        pin_set(&pred, "dyn", 1);
        pin_set(&pred, "fcw", 48);
        for (unsigned a = 0; a < sizeof accesses / sizeof *accesses; a++) {
            for (uint64_t num = 0; num <= accesses[a]; num++) {
                check_history(&pred, accesses[a], num, num % 33, 0);
                check_history(&pred, accesses[a], num, 32, num % 48);
            }
        }
        pins_close(&pred);
    }
}

/* Rank `gprio` of partition `fcw`: locality below it, flat 100 % from it on. */
static void classes_by_rank(void **state)
{
    struct pins pred;
    unsigned cycles;
    unit_open(&pred, state, "oaws/oaws_pred", "ONE_CYCLE=1,PRED_STEP=1", "rtl");
    pin_set(&pred, "is_div", 1);
    pin_set(&pred, "dyn", 1);
    pin_set(&pred, "div", 20);
    pin_set(&pred, "num", 1);
    pin_set(&pred, "den", 4);
    for (uint64_t rank = 0; rank < 48; rank++) {
        for (uint64_t fcw = 1; fcw <= 48; fcw++) {
            pin_set(&pred, "gprio", rank);
            pin_set(&pred, "fcw", fcw);
            assert_int_equal(predict(&pred, &cycles), rank < fcw ? at_most(5 + rank, MSHRS) : 20);
        }
    }
    pins_close(&pred);
}

/* How many fully divergent loads issue before one is held back, nothing retiring. */
static unsigned admitted(struct pins *budget, struct pins *requal, uint64_t prediction)
{
    unsigned loads = 0;
    budget->backend->seq(budget->self, budget->in, true);
    pin_set(budget, "free_cnt", MSHRS);
    pin_set(budget, "issue_pred", prediction);
    pin_set(requal, "is_div_load", 1);
    pin_array(requal, "pred")[0] = prediction;
    for (pin_set(budget, "issue_valid", 0);; pin_set(budget, "issue_valid", 1)) {
        unit_edge(budget);
        unit_comb(budget);
        pin_set(requal, "budget", pin_get(budget, "budget"));
        unit_comb(requal);
        if (pin_get(requal, "occlude") || loads > MSHRS) {
            return loads;
        }
        loads++;
    }
}

static void check_admission(void **state, const char *form, const char *avail, bool claimed)
{
    struct pins pred, budget, requal;
    unit_open(&pred, state, "oaws/oaws_pred", "", form);
    unit_open(&budget, state, "oaws/oaws_budget", avail, form);
    unit_open(&requal, state, "oaws/oaws_requal", "", form);
    for (uint64_t k = 1; k <= SMR_STEPS; k++) {
        const uint64_t prediction = static_prediction(&pred, 32, k);
        const uint64_t entries = claimed ? MSHRS - 1 : MSHRS;
        assert_int_equal(admitted(&budget, &requal, prediction), entries / prediction);
    }
    /* SMR 30, 35, 50 and 55 %: 3, 2, 2 and 1 loads; the claimed five bits admit 1 at 50 %. */
    assert_int_equal(admitted(&budget, &requal, static_prediction(&pred, 32, 6)), 3);
    assert_int_equal(admitted(&budget, &requal, static_prediction(&pred, 32, 7)), 2);
    assert_int_equal(admitted(&budget, &requal, static_prediction(&pred, 32, 10)), claimed ? 1 : 2);
    assert_int_equal(admitted(&budget, &requal, static_prediction(&pred, 32, 11)), 1);
    pins_close(&pred);
    pins_close(&budget);
    pins_close(&requal);
}

static void smr_50_admits_two_fully_divergent_loads(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        check_admission(state, forms[form], "", false);
    }
}

static void claimed_five_bits_admit_one(void **state)
{
    check_admission(state, "c", "AVAIL_W=5", true);
    check_admission(state, "rtl", "AVAIL_W=5", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_predictions_all),
        cmocka_unit_test(history_predictions),
        cmocka_unit_test(classes_by_rank),
        cmocka_unit_test(smr_50_admits_two_fully_divergent_loads),
        cmocka_unit_test(claimed_five_bits_admit_one),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
