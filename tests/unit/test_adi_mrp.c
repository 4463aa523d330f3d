/* test_adi_mrp - the exact mean run period (aci 3.7.7): the source's example, the
 * counter-example in which it and the toggle count disagree, ties that only exact
 * arithmetic sees, and a second implementation in rationals of small denominators. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mechanisms/adi/adi_mrp.h"
#include "tb/random.h"

/* Toggles summed over clusters, as the hardware counts them. */
static unsigned toggles(const struct adi_mrp *mrp, unsigned bit)
{
    unsigned sum = 0;
    for (unsigned c = 0; c < ADI_MRP_CLUSTERS; c++) {
        sum += mrp->accesses[c] != 0 ? mrp->runs[c][bit] - 1 : 0;
    }
    return sum;
}

/* V-ADI-2, Fig. 8: retained B0, victim position 1 (B1), candidates B1 and B2. */
static void fig_8(void **state)
{
    (void)state;
    static const unsigned selectors[] = {0, 1};
    static const uint32_t blocks[] = {1, 5, 2, 3, 6};
    struct adi_mrp mrp;
    adi_mrp_begin(&mrp, selectors, 2, 1, 3);
    for (unsigned i = 0; i < 5; i++) {
        adi_mrp_access(&mrp, blocks[i]);
    }
    assert_int_equal(mrp.accesses[0], 2);
    assert_int_equal(mrp.accesses[1], 3);
    assert_int_equal(mrp.runs[0][2], 2);
    assert_int_equal(mrp.runs[0][1], 1);
    assert_int_equal(mrp.runs[1][2], 3);
    assert_int_equal(mrp.runs[1][1], 2);
    assert_int_equal(adi_mrp_choose(&mrp), 2);
}

/* `length` accesses to the cluster of bit 0 = `cluster`, with `runs` runs of each bit:
 * a bit keeps its last value from run number `runs` on. */
static void accesses(struct adi_mrp *mrp, uint32_t cluster, unsigned length, unsigned runs_1,
                     unsigned runs_2, unsigned runs_3)
{
    for (unsigned i = 0; i < length; i++) {
        const uint32_t b1 = (i < runs_1 ? i : runs_1 - 1) % 2;
        const uint32_t b2 = (i < runs_2 ? i : runs_2 - 1) % 2;
        const uint32_t b3 = (i < runs_3 ? i : runs_3 - 1) % 2;
        adi_mrp_access(mrp, cluster | b1 << 1 | b2 << 2 | b3 << 3);
    }
}

/* 3.7.7: X = bit 2 has 50 runs of 100 accesses and 1 of 4, Y = bit 3 has 25 and 4. */
static void disagreement(void **state)
{
    (void)state;
    static const unsigned selectors[] = {0, 1};
    struct adi_mrp mrp;
    adi_mrp_begin(&mrp, selectors, 2, 1, 4);
    accesses(&mrp, 0, 100, 1, 50, 25);
    accesses(&mrp, 1, 4, 1, 1, 4);
    assert_int_equal(toggles(&mrp, 2), 49);
    assert_int_equal(toggles(&mrp, 3), 27);
    assert_int_equal(adi_mrp_choose(&mrp), 3);
}

/* 4/3 + 5/3 = 4/2 + 5/5: equal, though no binary quotient of thirds is. */
static void exact_ties(void **state)
{
    (void)state;
    static const unsigned victim_1[] = {0, 1}, victim_3[] = {0, 3};
    struct adi_mrp mrp;
    adi_mrp_begin(&mrp, victim_1, 2, 1, 4);
    accesses(&mrp, 0, 4, 1, 3, 2);
    accesses(&mrp, 1, 5, 1, 3, 5);
    assert_int_equal(adi_mrp_choose(&mrp), 2); /* 2 and 3 tie, lowest */
    adi_mrp_begin(&mrp, victim_3, 2, 1, 4);
    accesses(&mrp, 0, 4, 1, 3, 2);
    accesses(&mrp, 1, 5, 1, 3, 5);
    assert_int_equal(adi_mrp_choose(&mrp), 3); /* the victim wins */
}

/* Nothing accessed, or nothing that changes: the victim stays. */
static void nothing_toggles(void **state)
{
    (void)state;
    static const unsigned selectors[] = {0, 1, 2};
    struct adi_mrp mrp;
    adi_mrp_begin(&mrp, selectors, 3, 2, 25);
    assert_int_equal(adi_mrp_choose(&mrp), 2);
    adi_mrp_access(&mrp, 0x1234567);
    adi_mrp_access(&mrp, 0x1234567);
    assert_int_equal(adi_mrp_choose(&mrp), 2);
}

/* Sums over two clusters of at most 16 accesses, in units of 1/720720 = 1/lcm(1..16). */
static void against_common_denominator(void **state)
{
    (void)state;
    struct tb_random random;
    tb_random_seed(&random, 1);
    for (unsigned trial = 0; trial < 20000; trial++) {
        const unsigned selectors[] = {0, (unsigned)(1 + tb_random_below(&random, 5))};
        struct adi_mrp mrp;
        adi_mrp_begin(&mrp, selectors, 2, 1, 6);
        for (unsigned i = 0; i < 16; i++) {
            adi_mrp_access(&mrp, (uint32_t)tb_random_below(&random, 64));
        }
        unsigned best = selectors[1];
        uint64_t sum[6] = {0};
        for (unsigned k = 1; k < 6; k++) {
            for (unsigned c = 0; c < 2; c++) {
                if (mrp.accesses[c] != 0) {
                    sum[k] += UINT64_C(720720) * mrp.accesses[c] / mrp.runs[c][k];
                }
            }
        }
        for (unsigned k = 1; k < 6; k++) {
            best = sum[k] < sum[best] ? k : best;
        }
        assert_int_equal(adi_mrp_choose(&mrp), best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fig_8),
        cmocka_unit_test(disagreement),
        cmocka_unit_test(exact_ties),
        cmocka_unit_test(nothing_toggles),
        cmocka_unit_test(against_common_denominator),
    };
    return cmocka_run_group_tests_name("adi_mrp", tests, NULL, NULL);
}
