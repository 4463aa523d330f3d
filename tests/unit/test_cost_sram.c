/* test_cost_sram.c - the SRAM estimate: exact on the table's points, logarithmic between them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "synth/cost_sram.h"
#include "tb/backend.h"

static struct cost_sram sram;

static int setup(void **state)
{
    (void)state;
    struct library *library = library_new(NULL);
    char path[5000], error[512];
    snprintf(path, sizeof path, "%s/synth/data/cacti7_sram.csv", library_root(library));
    library_free(library);
    return cost_sram_load(&sram, path, error, sizeof error) ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    cost_sram_free(&sram);
    return 0;
}

static struct cost_sram_result estimate(double rows, double bits, bool two_ports, double node)
{
    struct cost_sram_result result;
    assert_true(cost_sram_estimate(&sram, rows, bits, two_ports, node, &result));
    return result;
}

static void near(double has, double expected)
{
    if (fabs(has / expected - 1) > 1e-6) {
        fail_msg("%.9g, expected %.9g", has, expected);
    }
}

static void points(void **state)
{
    (void)state;
    /* ram,512,16,1,45,1,0,0,...: 32 rows of 128 bits. */
    const struct cost_sram_result one = estimate(32, 128, false, 45);
    near(one.figure[SRAM_ACCESS_NS], 0.176311);
    near(one.figure[SRAM_READ_NJ], 0.00300463);
    near(one.figure[SRAM_AREA_MM2], 0.00441922);
    assert_false(one.extended);
    /* ram,256,8,1,45,0,1,1,... */
    near(estimate(32, 64, true, 45).figure[SRAM_LEAK_MW], 0.455802);
}

static void between(void **state)
{
    (void)state;
    /* Half way in logarithms is the geometric mean: 128 B and 256 B, words of 4 B. */
    near(estimate(32 * sqrt(2), 32, false, 45).figure[SRAM_AREA_MM2],
         sqrt(0.000733526 * 0.00117852));
    /* 32 rows of 4 and 8 B words. */
    near(estimate(32, 32 * sqrt(2), false, 45).figure[SRAM_AREA_MM2],
         sqrt(0.000733526 * 0.00162184));
}

static void beyond(void **state)
{
    (void)state;
    /* Half the least rows: the line of 32 and 64 rows extended. */
    const struct cost_sram_result few = estimate(16, 32, false, 45);
    near(few.figure[SRAM_AREA_MM2], 0.000733526 * 0.000733526 / 0.00117852);
    assert_true(few.extended);
    /* A word of 128 B is two banks of 64 B: twice the area, the same access time. */
    const struct cost_sram_result half = estimate(32, 512, false, 45);
    const struct cost_sram_result wide = estimate(32, 1024, false, 45);
    assert_int_equal(wide.banks, 2);
    near(wide.figure[SRAM_AREA_MM2], 2 * half.figure[SRAM_AREA_MM2]);
    near(wide.figure[SRAM_ACCESS_NS], half.figure[SRAM_ACCESS_NS]);
    struct cost_sram_result none;
    assert_false(cost_sram_estimate(&sram, 0, 32, false, 45, &none));
    assert_false(cost_sram_estimate(&sram, 32, NAN, false, 45, &none));
}

static void held_out(void **state)
{
    (void)state;
    struct cost_sram_error error;
    cost_sram_held_out(&sram, &error);
    /* 40 points per node and port kind: 10 sizes less the word limit; both ends of a word's rows
     * have no neighbour, 5 words: 40 - 10 = 30, times 5 nodes and 2 kinds. */
    assert_int_equal(error.n_points, 300);
    for (int f = 0; f < SRAM_FIGURES; f++) {
        assert_true(error.median[f] > 0 && error.median[f] <= error.worst[f]);
        assert_true(error.median[f] < 0.1 && error.worst[f] < 0.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(between),
        cmocka_unit_test(beyond),
        cmocka_unit_test(held_out),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
