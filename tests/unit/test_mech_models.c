/* test_mech_models - the memory model of a protocol is that of its own descriptor: no name gets
 * the promise of another that it begins like. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "litmus/litmus.h"
#include "mechanisms/mechanism.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* tabbakh2018-coherence 3.4, 3.5.3, 3.6, 3.7; W/L1 keeps no order at all. */
static void promises(void **state)
{
    static const char *const promised[][2] = {
        {"no-l1", "rc"},         {"no-l1-sc", "sc"}, {"l1-noncoherent", "none"},
        {"tc-strong", "sc"},     {"gtsc-sc", "sc"},  {"tc-weak", "rc-weak"},
        {"gtsc-rc", "rc"},       {"drd-spec", "sc"}, {"drd-nospec", "sc"},
        {"drd-ideal", "rc-weak"}};
    (void)state;
    for (size_t i = 0; i < COUNT(promised); i++) {
        const char *model = mechanism_memory_model(promised[i][0]);
        assert_non_null(model);
        assert_string_equal(model, promised[i][1]);
    }
}

static void no_promise_by_a_beginning(void **state)
{
    static const char *const none[] = {"tc-weak2", "no-l1-s", "no-l1-scx", "drd",   "drdx",
                                       "gtsc",     "gtsc-r",  "gtsc-rc8",  "fup20", ""};
    (void)state;
    for (size_t i = 0; i < COUNT(none); i++) {
        assert_null(mechanism_memory_model(none[i]));
    }
}

static void first_protocol_of_a_list(void **state)
{
    (void)state;
    assert_string_equal(mechanism_memory_model("fup20,gtsc-rc:lease=8,check-coherence"), "rc");
    assert_string_equal(mechanism_memory_model("drd-ideal:m=1024,fup20"), "rc-weak");
    assert_null(mechanism_memory_model("fup20:level=both,check-coherence"));
}

static void models_are_known(void **state)
{
    const struct mechanism *mechanism;
    (void)state;
    for (size_t i = 0; (mechanism = mechanism_at(i)) != NULL; i++) {
        assert_true(mechanism->memory_model == NULL ||
                    litmus_model_find(mechanism->memory_model) != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises),
        cmocka_unit_test(no_promise_by_a_beginning),
        cmocka_unit_test(first_protocol_of_a_list),
        cmocka_unit_test(models_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
