/* test_cost_memory.c - memories as SRAM against flip-flops: copies by ports, and the cheaper one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "synth/cost_memory.h"

/* 32 rows of 4 B at 45 nm (cacti7_sram.csv, 128 B): 733.526 um2 with one port, 1498.98 with two. */
static struct cost_sram_point points[] = {
    {32, 4, 45, false, {0.154511, 0.133311, 1, 1, 1, 0.000733526}},
    {32, 4, 45, true, {0.165182, 0.141613, 1, 1, 1, 0.00149898}},
};
static const struct cost_sram sram = {points, 2};

static void near(double has, double expected)
{
    if (fabs(has - expected) > 1e-6 * expected) {
        fail_msg("%.9g, expected %.9g", has, expected);
    }
}

/* A table that is read (ROM), a queue of one read and one write port, and one of 2 read and 3 write
 * ports, which takes six copies. */
static const struct cost_counts counts = {
    .memory_bits = (uint64_t)3 * 32 * 32,
    .memories = {{"rom", 32, 32, 1, 0}, {"queue", 32, 32, 1, 1}, {"table", 32, 32, 2, 3}},
    .n_memories = 3,
};

static void copies(void **state)
{
    (void)state;
    struct cost_memory_form form;
    assert_true(cost_memory_form(&sram, &counts, 45, &form));
    near(form.prices[0].sram_um2, 733.526);
    near(form.prices[1].sram_um2, 1498.98);
    near(form.prices[2].copies, 6);
    near(form.prices[2].sram_um2, 6 * 1498.98);
    near(form.area_um2, 733.526 + 7 * 1498.98);
    near(form.access_ps, 165.182);
}

/* 12000 um2 of flip-flops, 4000 for each: the table's 8993.88 um2 of SRAM are dearer. */
static void cheaper(void **state)
{
    (void)state;
    struct cost_memory_form form;
    char words[128];
    const struct cost_mapping mapping = {.area_um2 = 12500, .logic_um2 = 500};
    assert_true(cost_memory_form(&sram, &counts, 45, &form));
    cost_memory_compare(&form, &counts, &mapping);
    near(form.prices[2].flip_flop_um2, 4000);
    assert_true(form.prices[0].as_sram && form.prices[1].as_sram && !form.prices[2].as_sram);
    near(form.cheaper_um2, 500 + 733.526 + 1498.98 + 4000);
    cost_memory_words(&form, &counts, words, sizeof words);
    assert_string_equal(words, "SRAM: rom queue; flip-flops: table");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(cheaper)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
