/* test_workloads_size.c - names, sizes and parameters of all workloads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "workloads/workload.h"

/* A workload of our own, so that messages can be written out in full. */
static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 1, 100, "the length, elements"},
    {"side", WORKLOAD_POWER2, 2, 64, "the side, cells"},
    {"graph", WORKLOAD_TEXT, 0, 0, "a generator or a file"},
    {0},
};
static const struct workload_size sizes[] = {
    {"tiny", "n=1,side=2,graph=rmat"},
    {"small", "n=10,side=8,graph=grid"},
    {0},
};
static const struct workload sample = {.name = "sample", .params = params, .sizes = sizes};

static void expect_size(const char *text, const char *name, const char *values)
{
    struct workload_size size;
    char error[200] = "";
    assert_int_equal(workload_size_parse(&sample, text, &size, error, sizeof error), 0);
    assert_string_equal(error, "");
    assert_string_equal(size.name, name);
    assert_string_equal(size.values, values);
    workload_size_free(&size);
}

static void expect_refusal(const char *text, const char *message)
{
    struct workload_size size;
    char error[200] = "";
    assert_int_equal(workload_size_parse(&sample, text, &size, error, sizeof error), -1);
    assert_string_equal(error, message);
}

static void sizes_start_from_a_name_and_take_changes(void **state)
{
    (void)state;
    expect_size("tiny", "tiny", "n=1,side=2,graph=rmat");
    expect_size("tiny,n=7", "tiny", "n=7,side=2,graph=rmat");
    expect_size("graph=a/b.mtx,n=100", "small", "n=100,side=8,graph=a/b.mtx");
    expect_size("side=64", "small", "n=10,side=64,graph=grid");
    expect_size("graph=x=y", "small", "n=10,side=8,graph=x=y");
}

static void refusals_say_what_would_be_right(void **state)
{
    (void)state;
    expect_refusal("huge", "workload sample: no size 'huge'; use one of tiny, small, or key=value");
    expect_refusal("", "workload sample: no size ''; use one of tiny, small, or key=value");
    expect_refusal("m=1", "workload sample: no parameter 'm'; it has n, side, graph");
    expect_refusal("n=1,tiny", "workload sample: no parameter 'tiny'; it has n, side, graph");
    expect_refusal("tiny,", "workload sample: no parameter ''; it has n, side, graph");
    expect_refusal("tiny,n", "workload sample: n has no value; write n=…");
    expect_refusal("n=1,n=2", "workload sample: n is given twice; remove one");
    expect_refusal("n=0", "workload sample: n=0 is out of range; use 1 to 100");
    expect_refusal("n=101", "workload sample: n=101 is out of range; use 1 to 100");
    expect_refusal("n=-1", "workload sample: n=-1 is not a number; "
                           "give the length, elements in decimal digits");
    expect_refusal("n=", "workload sample: n= is not a number; "
                         "give the length, elements in decimal digits");
    expect_refusal("n=99999999999999999999999",
                   "workload sample: n=99999999999999999999999 is "
                   "not a number; give the length, elements in decimal digits");
    expect_refusal("side=48", "workload sample: side=48 is not a power of two; use 32 for example");
    expect_refusal("graph=", "workload sample: graph is empty; give a generator or a file");
}

static void values_are_read_back(void **state)
{
    (void)state;
    struct workload_size size;
    char error[200], text[8];
    assert_int_equal(workload_size_parse(&sample, "tiny,n=42", &size, error, sizeof error), 0);
    assert_int_equal(workload_u32(&size, "n"), 42);
    assert_int_equal(workload_number(&size, "side"), 2);
    assert_int_equal(workload_text(&size, "graph", text, sizeof text), 0);
    assert_string_equal(text, "rmat");
    assert_int_equal(workload_text(&size, "graph", text, 4), -1);
    assert_string_equal(text, "rma");
    workload_size_free(&size);
}

static void messages_are_cut_not_overrun(void **state)
{
    (void)state;
    struct workload_size size;
    char error[12] = "xxxxxxxxxxx";
    assert_int_equal(workload_size_parse(&sample, "huge", &size, error, 10), -1);
    assert_string_equal(error, "workload ");
    assert_int_equal(error[10], 'x');
}

static void every_workload_is_found_and_in_order(void **state)
{
    (void)state;
    const struct workload *const *all = workload_list();
    for (size_t i = 0; all[i]; i++) {
        assert_ptr_equal(workload_find(all[i]->name), all[i]);
        if (i > 0) {
            assert_true(strcmp(all[i - 1]->name, all[i]->name) < 0);
        }
        assert_non_null(all[i]->title);
        assert_non_null(all[i]->source);
    }
    assert_null(workload_find("no such thing"));
}

static bool has_size(const struct workload *workload, const char *name)
{
    for (const struct workload_size *s = workload->sizes; s->name; s++) {
        if (strcmp(s->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* A named size is complete and valid: parsing gives back the very text of the table. */
static void every_named_size_parses(void **state)
{
    (void)state;
    for (const struct workload *const *w = workload_list(); *w; w++) {
        assert_true(has_size(*w, "tiny") && has_size(*w, "small") && has_size(*w, "doc"));
        for (const struct workload_size *s = (*w)->sizes; s->name; s++) {
            struct workload_size size;
            char error[200] = "";
            workload_size_parse(*w, s->name, &size, error, sizeof error);
            assert_string_equal(error, "");
            assert_string_equal(size.values, s->values);
            workload_size_free(&size);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_start_from_a_name_and_take_changes),
        cmocka_unit_test(refusals_say_what_would_be_right),
        cmocka_unit_test(values_are_read_back),
        cmocka_unit_test(messages_are_cut_not_overrun),
        cmocka_unit_test(every_workload_is_found_and_in_order),
        cmocka_unit_test(every_named_size_parses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
