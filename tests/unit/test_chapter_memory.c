/* test_chapter_memory - the columns of a chapter that are the best of others, and the measures
 * of the memory stage, on a table made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/chapter.h"

static const struct chapter chapter = {
    .name = "made",
    .workloads = {"one:doc", "two", "three"},
    .schemes = {{.title = "BASE", .mechanisms = ""},
                {.title = "limit 1", .mechanisms = "swl-1"},
                {.title = "other", .mechanisms = "other"},
                {.title = "limit 2", .mechanisms = "swl-2"},
                {.title = "best", .best_of = "swl-", .memory.cached_divergent = .5}}};

static struct chapter_table table(void)
{
    static const double ipc[3][4] = {{1, 2, 9, 3}, {1, .5, 9, .25}, {1, 4, 9, 3}};
    struct chapter_table t = {.chapter = &chapter, .n_workloads = 3, .n_schemes = 5};
    for (size_t w = 0; w < 3; w++) {
        for (size_t s = 0; s < 4; s++) {
            t.cell[w][s] = (struct cell){.ipc = ipc[w][s],
                                         .divergent = 100,
                                         .cached_divergent = 10 * (double)(s + 1),
                                         .coherent = 50,
                                         .cached_coherent = 25,
                                         .misses = 8,
                                         .stalls = 4,
                                         .instructions = 1000 * (double)(s + 1)};
        }
    }
    return t;
}

/* The best of the limits of each row, or the baseline; never another scheme. */
static void best_of_the_limits(void **state)
{
    struct chapter_table t = table();
    (void)state;
    chapter_take_best(&t);
    assert_true(t.cell[0][4].ipc == 3);
    assert_true(t.cell[1][4].ipc == 1);
    assert_true(t.cell[2][4].ipc == 4);
    assert_true(t.cell[0][4].cached_divergent == 40);
}

static double of(const json_t *all, const char *scheme, const char *key)
{
    return json_real_value(json_object_get(json_object_get(all, scheme), key));
}

static void shares_and_ratios(void **state)
{
    struct chapter_table t = table();
    (void)state;
    chapter_take_best(&t);
    json_t *all = chapter_memory_json(&t);
    assert_float_equal(of(all, "BASE", "fully_cached_divergent"), 10, 1e-9);
    assert_float_equal(of(all, "other", "fully_cached_divergent"), 30, 1e-9);
    assert_float_equal(of(all, "other", "fully_cached_divergent_ratio"), 3, 1e-9);
    assert_float_equal(of(all, "other", "fully_cached_coherent_ratio"), 1, 1e-9);
    assert_float_equal(of(all, "limit 1", "mpki_ratio"), .5, 1e-9);
    assert_float_equal(of(all, "limit 1", "stall_ratio"), 1, 1e-9);
    /* limit 2, the baseline, limit 1: 40, 10 and 20 % */
    assert_float_equal(of(all, "best", "fully_cached_divergent"), 70. / 3, 1e-9);
    json_decref(all);
}

static void rows_and_sizes(void **state)
{
    (void)state;
    assert_string_equal(chapter_row(&chapter, 0).text, "one");
    assert_string_equal(chapter_row(&chapter, 1).text, "two");
    assert_true(chapter_memory_wanted(&chapter));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_of_the_limits),
                                       cmocka_unit_test(shares_and_ratios),
                                       cmocka_unit_test(rows_and_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
