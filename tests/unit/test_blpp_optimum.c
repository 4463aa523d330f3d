/* The equations of BLPP against figures of aci 3.17.3 and 3.17.4, worked out by hand there or here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "mechanisms/blpp/optimum.h"

static void is_near(double value, double expected, double by)
{
    if (!(value - expected <= by && expected - value <= by)) {
        fail_msg("%.6f is not %.6f", value, expected);
    }
}

/* Table 6, and the latencies of 3.17.4. */
static const struct blpp_system table6 = {.gpu_mbps = 200000,
                                          .cpu_mbps = 80000,
                                          .l1d_cycles = 1,
                                          .l2_cycles = 120,
                                          .gpu_cycles = 100,
                                          .cpu_cycles = 200,
                                          .theta_l_tenths = 18,
                                          .theta_b_mbps = 140000,
                                          .core_khz = 700000};

/* Table 7: miss rates in hundredths, B_M in units of 0.1 GB/s, L_G and r_L of 3.17.4, and the class. */
static const struct {
    const char *name;
    uint32_t m1, m2, traffic;
    double latency, ratio;
    bool shared;
} table7[] = {
    {"2MM", 53, 24, 2275, 77.32, 1.4533, true},  {"GE", 57, 36, 2223, 89.92, 1.3498, true},
    {"LM", 57, 0, 2009, 69.40, 1.5377, true},    {"SC", 62, 40, 1490, 100.20, 1.2846, true},
    {"ST", 60, 76, 1627, 118.60, 1.1961, true},  {"2DC", 23, 54, 1880, 41.02, 2.1073, false},
    {"BFS", 35, 36, 1125, 55.60, 1.7420, false}, {"CFD", 20, 71, 783, 39.20, 2.1720, false},
    {"II", 3, 19, 330, 5.17, 11.7671, false}};
enum { BENCHMARKS = sizeof table7 / sizeof *table7 };

static struct blpp_profile profile_of(uint32_t m1, uint32_t m2, uint64_t bytes)
{
    return (struct blpp_profile){.l1_accesses = 100,
                                 .l1_misses = m1,
                                 .l2_accesses = 100,
                                 .l2_misses = m2,
                                 .bytes = bytes,
                                 .cycles = 100000};
}

/* Bytes in 100000 cycles of 700 MHz at `traffic` tenths of GB/s, rounded. */
static struct blpp_profile row_of(size_t i)
{
    return profile_of(table7[i].m1, table7[i].m2,
                      ((uint64_t)table7[i].traffic * 100000 * 100000 + 350000) / 700000);
}

static void benchmarks(void **state)
{
    (void)state;
    for (size_t i = 0; i < BENCHMARKS; i++) {
        const double m1 = table7[i].m1 / 100.0, m2 = table7[i].m2 / 100.0;
        const struct blpp_profile profile = row_of(i);

        is_near(blpp_gpu_latency(&table6, m1, m2), table7[i].latency, 0.005);
        is_near(blpp_latency_ratio(&table6, m1, m2), table7[i].ratio, 0.00005);
        assert_int_equal(blpp_optimum(&table6, &profile), table7[i].shared ? 46811 : 65536);
    }
}

/* 3.17.4: changing the CPU's bandwidth alone, these change their class by latency. */
static void other_bandwidths(void **state)
{
    static const struct {
        uint32_t cpu_mbps, share;
        const char *not_shared, *shared;
    } rows[] = {{320000, 25206, "2MM LM", ""},
                {160000, 36408, "LM", ""},
                {40000, 54613, "", "2DC"},
                {20000, 59578, "", "2DC"}};

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct blpp_system system = table6;

        system.cpu_mbps = rows[r].cpu_mbps;
        assert_int_equal(blpp_share(&system), rows[r].share);
        for (size_t i = 0; i < BENCHMARKS; i++) {
            const struct blpp_profile profile = row_of(i);
            const bool shared = (table7[i].shared && !strstr(rows[r].not_shared, table7[i].name)) ||
                                strstr(rows[r].shared, table7[i].name) != NULL;

            assert_int_equal(blpp_optimum(&system, &profile), shared ? rows[r].share : 65536);
        }
    }
}

/* The three vectors of 3.17.4. */
static void vectors(void **state)
{
    const struct blpp_profile conv = profile_of(23, 54, 26857143),
                              bfs = profile_of(35, 36, 16071429), lm = profile_of(57, 0, 28700000);

    (void)state;
    assert_false(blpp_tolerates_latency(&table6, &conv));
    assert_true(blpp_needs_bandwidth(&table6, &conv));
    assert_true(blpp_tolerates_latency(&table6, &bfs));
    assert_false(blpp_needs_bandwidth(&table6, &bfs));
    assert_true(blpp_tolerates_latency(&table6, &lm) && blpp_needs_bandwidth(&table6, &lm));
}

/* Both comparisons are strict: 200 bytes a cycle are 140 GB/s; r_L = 1.8 where L_C = 3.8 L_G. */
static void strict(void **state)
{
    struct blpp_system system = table6;
    struct blpp_profile profile = profile_of(100, 0, 200 * 100000);

    (void)state;
    assert_false(blpp_needs_bandwidth(&system, &profile));
    profile.bytes++;
    assert_true(blpp_needs_bandwidth(&system, &profile));
    system.l1d_cycles = 0;
    system.l2_cycles = 100;
    system.cpu_cycles = 380;
    assert_false(blpp_tolerates_latency(&system, &profile));
    system.cpu_cycles = 379;
    assert_true(blpp_tolerates_latency(&system, &profile));
}

/* Large counts are scaled, none at all mean GPU memory. */
static void counts(void **state)
{
    struct blpp_profile large = {.l1_accesses = UINT64_C(1) << 40,
                                 .l1_misses = (UINT64_C(1) << 40) / 100 * 57,
                                 .l2_accesses = UINT64_C(1) << 39,
                                 .l2_misses = 0,
                                 .bytes = UINT64_C(1) << 50,
                                 .cycles = UINT64_C(1) << 40};
    struct blpp_profile none = {.bytes = 1 << 30, .cycles = 1000}, no_l2 = none;

    (void)state;
    assert_int_equal(blpp_optimum(&table6, &large), 46811);
    assert_int_equal(blpp_optimum(&table6, &none), 65536);
    no_l2.l1_accesses = no_l2.l1_misses = 10; /* L_G = 121, r_L = 1.19 */
    assert_int_equal(blpp_optimum(&table6, &no_l2), 46811);
}

/* Eq. 1 is least at the share of Eq. 2, and 1.4 times below that of GPU memory alone (Eq. 7). */
static void transfer_time(void **state)
{
    const double best = blpp_transfer_us(&table6, 2.8e6, 200.0 / 280);
    const double local = blpp_transfer_us(&table6, 2.8e6, 1);

    (void)state;
    is_near(best, 10, 1e-9);
    is_near(local, 14, 1e-9);
    is_near(blpp_transfer_us(&table6, 2.8e6, 0), 35, 1e-9);
    for (int percent = 0; percent <= 100; percent++) {
        assert_true(blpp_transfer_us(&table6, 2.8e6, percent / 100.0) >= best - 1e-9);
    }
    is_near(blpp_bandwidth_gain(&table6), 1.4, 1e-12);
    is_near(local / best, blpp_bandwidth_gain(&table6), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(benchmarks), cmocka_unit_test(other_bandwidths),
        cmocka_unit_test(vectors),    cmocka_unit_test(strict),
        cmocka_unit_test(counts),     cmocka_unit_test(transfer_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
