/* The memory models of the litmus suite against the table of tabbakh2018-coherence 3.6.12,
 * and against outcomes counted by hand; the tests as they are read from their text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"
#include "ptx/ptx.h"

static const struct litmus_variant apart = {false, false, false};
static const struct litmus_variant apart_fenced = {true, false, false};

static uint32_t allowed_outcomes(const char *name, const struct litmus_variant *variant,
                                 const char *model, bool *weak)
{
    static bool allowed[LITMUS_OUTCOMES];
    struct litmus_test test = litmus_get((size_t)litmus_find(name));
    uint32_t n = 0;

    litmus_allowed(&test, variant, litmus_model_find(model), allowed);
    *weak = false;
    for (uint32_t o = 0; o < LITMUS_OUTCOMES; o++) {
        n += allowed[o];
        *weak |= allowed[o] && (o & test.weak_mask) == test.weak;
    }
    return n;
}

/* The table: is the outcome that SC forbids allowed? */
static void table_of_the_document(void **state)
{
    static const struct {
        const char *test;
        bool rc, rc_fenced, weak, weak_fenced, none;
    } rows[] = {
        {"SB", true, false, true, false, true},     {"MP", true, false, true, false, true},
        {"LB", true, false, true, false, true},     {"IRIW", true, false, true, true, true},
        {"CoRR", false, false, false, false, true}, {"2+2W", true, false, true, false, true},
        {"WRC", true, false, true, true, true},
    };
    bool weak;

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        allowed_outcomes(rows[r].test, &apart, "sc", &weak);
        assert_false(weak);
        allowed_outcomes(rows[r].test, &apart, "rc", &weak);
        assert_int_equal(weak, rows[r].rc);
        allowed_outcomes(rows[r].test, &apart_fenced, "rc", &weak);
        assert_int_equal(weak, rows[r].rc_fenced);
        allowed_outcomes(rows[r].test, &apart, "rc-weak", &weak);
        assert_int_equal(weak, rows[r].weak);
        allowed_outcomes(rows[r].test, &apart_fenced, "rc-weak", &weak);
        assert_int_equal(weak, rows[r].weak_fenced);
        allowed_outcomes(rows[r].test, &apart, "none", &weak);
        assert_int_equal(weak, rows[r].none);
    }
}

/* SC: of MP's four results for (a, b) only (1, 0) is missing; IRIW lacks one of sixteen;
 * without any order all combinations of what the loads may find are there. */
static void counted_by_hand(void **state)
{
    bool weak;

    (void)state;
    assert_int_equal(allowed_outcomes("MP", &apart, "sc", &weak), 3);
    assert_int_equal(allowed_outcomes("MP", &apart, "rc", &weak), 4);
    assert_int_equal(allowed_outcomes("IRIW", &apart, "sc", &weak), 15);
    assert_int_equal(allowed_outcomes("IRIW", &apart, "rc", &weak), 16);
    assert_int_equal(allowed_outcomes("CoRR", &apart, "sc", &weak), 3);
    assert_int_equal(allowed_outcomes("CoWW", &apart, "sc", &weak), 6); /* 0<=a<=b<=2 */
    assert_int_equal(allowed_outcomes("WRC", &apart, "sc", &weak), 7);
}

/* On one SM the storing thread's SM sees the store at once: no copy there to linger. */
static void one_sm_shares_its_copies(void **state)
{
    const struct litmus_variant together = {true, true, false};
    bool weak;

    (void)state;
    allowed_outcomes("WRC", &together, "rc-weak", &weak);
    assert_false(weak);
    allowed_outcomes("IRIW", &together, "rc-weak", &weak);
    assert_false(weak);
}

static void text_is_read(void **state)
{
    struct litmus_test test = litmus_get((size_t)litmus_find("WRC"));
    char words[64];

    (void)state;
    assert_int_equal(test.n_threads, 3);
    assert_int_equal(test.n_registers, 3);
    assert_int_equal(test.n_locations, 2);
    assert_int_equal(test.thread[1].n_ops, 3);
    assert_int_equal(test.thread[1].op[0].kind, LITMUS_LOAD);
    assert_int_equal(test.thread[1].op[1].kind, LITMUS_FENCE);
    assert_int_equal(test.thread[1].op[2].kind, LITMUS_STORE);
    assert_int_equal(test.thread[1].op[2].location, 1);
    assert_int_equal(test.weak_mask, 0x3f);
    assert_int_equal(test.weak, 1 | 1 << 2);
    litmus_outcome_text(&test, test.weak, words, sizeof words);
    assert_string_equal(words, "a=1 b=1 c=0 x=0 y=0");
    assert_int_equal(litmus_find("nothing"), -1);
}

/* Every kernel is legal PTX. */
static void kernels_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < litmus_count(); i++) {
        struct litmus_test test = litmus_get(i);
        char text[8192], error[256] = "";
        size_t n = litmus_ptx(&test, &apart_fenced, text, sizeof text);
        struct ptx_module *module = ptx_module_parse("litmus", text, n, error, sizeof error);

        assert_true(n < sizeof text - 1);
        assert_string_equal(error, "");
        assert_non_null(ptx_kernel(module, "litmus"));
        ptx_module_free(module);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_the_document),    cmocka_unit_test(counted_by_hand),
        cmocka_unit_test(one_sm_shares_its_copies), cmocka_unit_test(text_is_read),
        cmocka_unit_test(kernels_can_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
