/* test_cost_expr.c - the evaluator of claim formulae against arithmetic done by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "synth/cost_expr.h"

static bool name(void *user, const char *word, double *value, char *why, size_t n_why)
{
    (void)user;
    if (strcmp(word, "N") == 0) {
        *value = 32;
        return true;
    }
    strncpy(why, "unknown", n_why);
    return false;
}

/* A unit's figure: the lengths of what was named, so that the reading is seen. */
static bool unit(void *user, const struct cost_reference *r, double *value, char *why, size_t n_why)
{
    (void)user;
    (void)why;
    (void)n_why;
    *value = (double)(strlen(r->unit) + 100 * strlen(r->set) + 10000 * strlen(r->member));
    return true;
}

/* Two or more numbers' product. */
static const char *const functions[] = {"product", NULL};
static bool product(void *user, const char *function, const double *arg, size_t n_arg,
                    double *value, char *why, size_t n_why)
{
    (void)user;
    if (n_arg < 2) {
        snprintf(why, n_why, "%s takes two or more", function);
        return false;
    }
    *value = 1;
    for (size_t i = 0; i < n_arg; i++) {
        *value *= arg[i];
    }
    return true;
}

static double value_of(const char *text)
{
    const struct cost_names names = {NULL, name, unit, functions, product};
    char why[512] = "";
    double value = -1;
    if (!cost_expr(text, &names, &value, why, sizeof why)) {
        fail_msg("%s", why);
    }
    return value;
}

static void expect(const char *text, double value)
{
    assert_true(value_of(text) > value - 1e-9 && value_of(text) < value + 1e-9);
}

static void refused(const char *text, const char *words)
{
    const struct cost_names names = {NULL, name, unit, functions, product};
    char why[512] = "";
    double value;
    assert_false(cost_expr(text, &names, &value, why, sizeof why));
    assert_non_null(strstr(why, words));
}

static void arithmetic(void **state)
{
    (void)state;
    expect("1+2*3", 7);
    expect("(1+2)*3", 9);
    expect("2^3^2", 512);
    expect("-2^2", -4);
    expect("7 % 4 - 10/4", 0.5);
    expect("N*N", 1024);
    expect("ceil(log2(33))", 6);
    expect("ceil(log2(32))", 5);
    expect("floor(32768/1536/2)*2", 20);
    expect("min(3,max(1,2))", 2);
    expect("(N-5-7+1)*(2^(5-1)+10)", 546);
}

static void functions_of_numbers(void **state)
{
    (void)state;
    expect("product(2,N,1+2)", 192);
    expect("1 + product(min(2,3),2)*2", 9);
    expect("min(bits(conv),3)", 3);
}

static void conditions(void **state)
{
    (void)state;
    expect("2^5-1 >= 32", 0);
    expect("2^6-1 >= 32", 1);
    expect("1 < 2 && 2 < 1", 0);
    expect("1 < 2 || 2 < 1", 1);
    expect("3 == 3 && 3 != 4", 1);
    expect("1+1 < 3 == 1", 1);
    expect("0 || 0 && 1", 0);
}

static void units(void **state)
{
    (void)state;
    expect("bits(conv)", 4);
    expect("bits(conv[A=1,B=2])", 704);
    expect("param(conv.NE)", 20004);
    expect("bits(conv[A=1].xyz) + 1", 30305);
}

static void errors(void **state)
{
    (void)state;
    refused("1+", "column 3 of '1+'");
    refused("1 2", "column 3 of '1 2'");
    refused("(1", "parenthesis");
    refused("1)", "column 2 of '1)'");
    refused("2*M", "column 3 of '2*M': unknown");
    refused("bits(conv)+M", "column 12 of 'bits(conv)+M': unknown");
    refused("bits(conv[A=1,B=2]) 3", "column 21 of");
    refused("N = 3", "column 3 of");
    refused("1/0", "division by zero");
    refused("1/0 > 3", "division by zero");
    refused("7 % 0", "finite");
    refused("log2(0)", "finite");
    refused("nothing(1)", "no such function");
    refused("sin(1)", "no such function");
    refused("log2(1,2)", "column");
    refused("product(1)", "takes two or more");
    refused("bits(conv[A=1)", "']' is missing");
    refused("bits(conv", "column 1 of");
    refused("", "column 1 of ''");
    refused("\"N\"", "column 4 of");
    refused("1,2", "more than one value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic), cmocka_unit_test(functions_of_numbers),
        cmocka_unit_test(conditions), cmocka_unit_test(units),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
