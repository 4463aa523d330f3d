/* test_index_strides - sets touched by the lanes of one warp: the stride tables of
 * wang2015 3.5 and 3.7 (TV-FUP-1, adversarial strides, FUP28 over all S4) and of
 * aci-iacm-blpp 3.9.3 (V-IDX-3).  Knows nothing of caches. */
#include "test_index.h"

#include <math.h>

enum { LANES = 32 };

struct scheme {
    const char *unit, *overrides;
};

/* TV-FUP-1, in the order of its columns. */
static const struct scheme fup1_schemes[] = {
    {"index/conv", ""}, {"index/bxor", ""},  {"index/pdisp", ""}, {"index/pmod", ""},
    {"index/rxi", ""},  {"index/fup20", ""}, {"index/fup28", ""},
};
enum { N_FUP1 = sizeof fup1_schemes / sizeof *fup1_schemes, COLUMN_FUP28 = 6 };

static const struct {
    uint64_t stride_bytes;
    unsigned sets[N_FUP1];
} fup1_rows[] = {
    {128, {32, 32, 31, 31, 32, 32, 32}},    {256, {16, 32, 27, 31, 16, 32, 32}},
    {512, {8, 32, 25, 31, 16, 32, 32}},     {1 << 10, {4, 32, 26, 31, 16, 32, 32}},
    {2 << 10, {2, 32, 28, 31, 16, 32, 32}}, {4 << 10, {1, 32, 31, 31, 8, 32, 32}},
    {8 << 10, {1, 16, 31, 31, 16, 32, 32}}, {16 << 10, {1, 8, 31, 31, 8, 32, 32}},
    {32 << 10, {1, 4, 31, 31, 8, 32, 32}},  {64 << 10, {1, 2, 31, 31, 4, 32, 32}},
    {128 << 10, {1, 1, 31, 31, 4, 32, 32}}, {256 << 10, {1, 1, 31, 31, 2, 32, 32}},
    {512 << 10, {1, 1, 31, 31, 2, 32, 32}}, {1 << 20, {1, 1, 31, 31, 1, 32, 32}},
    {2 << 20, {1, 1, 31, 31, 1, 32, 32}},   {4 << 20, {1, 1, 31, 31, 1, 32, 31}},
    {8 << 20, {1, 1, 31, 31, 1, 16, 31}},   {16 << 20, {1, 1, 31, 31, 1, 8, 31}},
    {32 << 20, {1, 1, 31, 31, 1, 4, 31}},   {64 << 20, {1, 1, 31, 31, 1, 2, 31}},
    {128 << 20, {1, 1, 31, 31, 1, 1, 31}},  {1 << 30, {1, 1, 31, 31, 1, 1, 31}},
};

static void check_fup1(struct pins *pins, unsigned column)
{
    for (size_t i = 0; i < sizeof fup1_rows / sizeof *fup1_rows; i++) {
        const uint64_t stride = fup1_rows[i].stride_bytes, high = UINT64_C(0x80000000);
        const unsigned expected = fup1_rows[i].sets[column];
        assert_int_equal(distinct_sets(pins, 0, stride, LANES), expected);
        if (high % (LANES * stride) == 0) {
            const bool known = column == COLUMN_FUP28 && stride == 2 << 20;
            assert_int_equal(distinct_sets(pins, high, stride, LANES), known ? 30 : expected);
        }
    }
}

static void tv_fup_1(void **state)
{
    for (unsigned column = 0; column < N_FUP1; column++) {
        for (unsigned form = 0; form < N_FORMS; form++) {
            struct pins pins;
            const struct scheme *scheme = &fup1_schemes[column];
            pins_open(&pins, state, scheme->unit, scheme->overrides, forms[form]);
            check_fup1(&pins, column);
            pins_close(&pins);
        }
    }
}

/* A base that is not aligned to 32 strides costs FUP at most 4 sets. */
static void fup20_unaligned_base(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct pins pins;
        pins_open(&pins, state, "index/fup20", "", forms[form]);
        for (uint64_t stride = 128; stride <= 4 << 20; stride *= 2) {
            assert_in_range(distinct_sets(&pins, 0x80ABC980, stride, LANES), 28, 32);
        }
        pins_close(&pins);
    }
}

/* wang2015 §5.5.2 by way of wang2015 3.6: an ATAX load lands in 8 sets, whatever its base. */
static void prh_atax_in_8_sets(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct pins pins;
        pins_open(&pins, state, "index/rxi", "", forms[form]);
        for (uint64_t base = 0; base < 1 << 21; base += 0x2C80) {
            assert_int_equal(distinct_sets(&pins, base, 1 << 15, LANES), 8);
        }
        pins_close(&pins);
    }
}

/* The limits of "any stride" (wang2015 3.7, adversarial inputs); 0: not stated. */
static void adversarial_strides(void **state)
{
    static const struct {
        uint64_t stride_bytes;
        unsigned sets[N_FUP1];
    } rows[] = {
        {4224, {32, 1, 31, 0, 32, 1, 1}},
        {2176, {32, 0, 0, 0, 0, 22, 22}},
        {544, {20, 0, 26, 0, 29, 29, 29}},
        {4000, {25, 0, 0, 0, 15, 17, 17}},
    };
    for (unsigned column = 0; column < N_FUP1; column++) {
        for (unsigned form = 0; form < N_FORMS; form++) {
            struct pins pins;
            pins_open(&pins, state, fup1_schemes[column].unit, "", forms[form]);
            for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                if (rows[i].sets[column] != 0) {
                    assert_int_equal(distinct_sets(&pins, 0, rows[i].stride_bytes, LANES),
                                     rows[i].sets[column]);
                }
            }
            pins_close(&pins);
        }
    }
}

/* The `context`-th setting of the S4 bits (address bits 22 .. 34) that are not among
 * the five feature bits from `feature` up. */
static uint64_t s4_context(uint64_t context, unsigned feature)
{
    uint64_t addr = 0;
    for (unsigned bit = 22; bit <= 34; bit++) {
        if (bit < feature || bit > feature + 4) {
            addr |= (context & 1) << bit;
            context >>= 1;
        }
    }
    return addr;
}

/* Over all S4 contexts, how often FUP28 reaches n sets: contexts[n]. */
static unsigned fup28_contexts(struct pins *pins, unsigned feature, unsigned contexts[LANES + 1])
{
    const unsigned inside = feature + 4 < 22 ? 0 : feature < 22 ? feature + 5 - 22 : 5;
    const unsigned n = 1U << (13 - inside);
    memset(contexts, 0, (LANES + 1) * sizeof *contexts);
    for (unsigned context = 0; context < n; context++) {
        const uint64_t base = s4_context(context, feature);
        contexts[distinct_sets(pins, base, UINT64_C(1) << feature, LANES)]++;
    }
    return n;
}

static void fup28_over_all_s4(void **state)
{
    static const struct {
        unsigned feature, usual, rare, n_rare, n;
    } rows[] = {
        {18, 32, 16, 132, 4096},
        {19, 32, 24, 198, 2048},
        {20, 32, 28, 231, 1024},
        {21, 32, 30, 248, 512},
    };
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct pins pins;
        unsigned contexts[LANES + 1];
        pins_open(&pins, state, "index/fup28", "", forms[form]);
        for (unsigned feature = 7; feature <= 30; feature++) {
            const unsigned n = fup28_contexts(&pins, feature, contexts);
            if (feature < 18 || feature > 21) {
                assert_int_equal(contexts[feature < 18 ? 32 : 31], n);
                continue;
            }
            const size_t row = feature - 18;
            assert_int_equal(n, rows[row].n);
            assert_int_equal(contexts[rows[row].rare], rows[row].n_rare);
            assert_int_equal(contexts[rows[row].usual], n - rows[row].n_rare);
        }
        pins_close(&pins);
    }
}

/* Concentration 32 / sets of pDisp for each p of wang2015 3.5, to three places. */
static void pdisp_by_p(void **state)
{
    static const struct {
        const char *overrides;
        double at_32k, at_16k, at_2k, at_1k, mean;
    } rows[] = {
        {"P=5", 1.032, 1.032, 1.684, 1.455, 1.211},  {"P=7", 1.032, 1.032, 1.185, 1.280, 1.099},
        {"P=9", 1.032, 1.032, 1.143, 1.231, 1.084},  {"P=11", 1.032, 1.032, 1.391, 1.185, 1.118},
        {"P=17", 1.032, 1.032, 1.231, 1.391, 1.125}, {"P=19", 1.032, 1.032, 1.280, 1.231, 1.107},
        {"P=37", 1.032, 1.032, 1.103, 1.143, 1.063},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned form = 0; form < N_FORMS; form++) {
            struct pins pins;
            pins_open(&pins, state, "index/pdisp", rows[i].overrides, forms[form]);
            const double at_32k = 32.0 / distinct_sets(&pins, 0, 32 << 10, LANES);
            const double at_16k = 32.0 / distinct_sets(&pins, 0, 16 << 10, LANES);
            const double at_2k = 32.0 / distinct_sets(&pins, 0, 2 << 10, LANES);
            const double at_1k = 32.0 / distinct_sets(&pins, 0, 1 << 10, LANES);
            pins_close(&pins);
            assert_true(fabs(at_32k - rows[i].at_32k) < 0.0005);
            assert_true(fabs(at_16k - rows[i].at_16k) < 0.0005);
            assert_true(fabs(at_2k - rows[i].at_2k) < 0.0005);
            assert_true(fabs(at_1k - rows[i].at_1k) < 0.0005);
            assert_true(fabs((3 * at_32k + at_16k + at_2k + at_1k) / 6 - rows[i].mean) < 0.0005);
        }
    }
}

/* p = n' makes the tag vanish from the index: refused, in words. */
static void pdisp_multiple_of_modulus_is_refused(void **state)
{
    static const char *const illegal[] = {"P=31", "P=62", "SETS=64,P=61", "P=0"};
    for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++) {
        struct failure failure = {0};
        assert_null(library_open(*state, "index/pdisp", illegal[i], "c", &failure));
        assert_int_equal(failure.verdict, VERDICT_USAGE);
        assert_non_null(strstr(failure.words, "P"));
    }
}

/* V-IDX-3, in the order of its columns, for 32 and 64 sets. */
static const struct scheme idx3_schemes[4][2] = {
    {{"index/conv", "ADDR_W=32"}, {"index/conv", "ADDR_W=32,SETS=64"}},
    {{"index/bxor", "ADDR_W=32"}, {"index/bxor", "ADDR_W=32,SETS=64"}},
    {{"index/pli", ""}, {"index/pli", "SETS=64,POLY=67"}},
    {{"index/pmod", "ADDR_W=32"}, {"index/pmod", "ADDR_W=32,SETS=64"}},
};
enum { CVI, BXI, PLI, PRI };

static const struct {
    unsigned stride_blocks, sets[4][2];
} idx3_rows[] = {
    {1, {{32, 64}, {32, 64}, {32, 64}, {31, 61}}}, {2, {{16, 32}, {32, 64}, {32, 64}, {31, 61}}},
    {31, {{32, 64}, {2, 44}, {31, 61}, {1, 61}}},  {32, {{1, 2}, {32, 64}, {32, 64}, {31, 61}}},
    {33, {{32, 64}, {1, 42}, {32, 62}, {31, 61}}}, {61, {{32, 64}, {28, 28}, {23, 19}, {31, 1}}},
    {63, {{32, 64}, {31, 2}, {31, 63}, {31, 61}}}, {64, {{1, 1}, {16, 64}, {32, 64}, {31, 61}}},
    {65, {{32, 64}, {32, 1}, {32, 64}, {31, 61}}}, {128, {{1, 1}, {8, 32}, {32, 64}, {31, 61}}},
};

/* sets[stride] for strides of 1 .. 1024 blocks, and their mean. */
static double all_strides(struct pins *pins, unsigned n_sets, unsigned sets[1025])
{
    uint64_t sum = 0;
    for (unsigned stride = 1; stride <= 1024; stride++) {
        sets[stride] = distinct_sets(pins, 0, UINT64_C(128) * stride, n_sets);
        sum += sets[stride];
    }
    return (double)sum / 1024;
}

/* Where a scheme collapses to one set: CVI at multiples of the sets, PRI of the prime. */
static void check_one_set(const unsigned sets[1025], unsigned scheme, unsigned n_sets)
{
    const unsigned prime = n_sets == 32 ? 31 : 61;
    for (unsigned stride = 1; stride <= 1024; stride++) {
        if (scheme == CVI) {
            assert_int_equal(sets[stride] == 1, stride % n_sets == 0);
        } else if (scheme == PRI) {
            assert_int_equal(sets[stride] == 1, stride % prime == 0);
        } else if (scheme == BXI && stride == n_sets + 1) {
            assert_int_equal(sets[stride], 1);
        }
    }
}

/* PLI's worst strides: for 32 sets 1007, 1009, then 27, 37, 54, 74; for 64 sets 61 and
 * its power-of-two multiples. */
static void check_pli_worst(const unsigned sets[1025], unsigned n_sets)
{
    for (unsigned stride = 1; stride <= 1024; stride++) {
        unsigned odd = stride;
        while (odd % 2 == 0) {
            odd /= 2;
        }
        if (n_sets == 64) {
            assert_true(sets[stride] >= 19);
            assert_true(odd != 61 || sets[stride] == 19);
        } else if (stride == 1007 || stride == 1009) {
            assert_int_equal(sets[stride], stride == 1007 ? 7 : 10);
        } else {
            assert_true(sets[stride] >= 13);
        }
    }
    if (n_sets == 32) {
        assert_true(sets[27] == 13 && sets[37] == 13 && sets[54] == 13 && sets[74] == 13);
    }
}

static void v_idx_3(void **state)
{
    static const double means[4][2] = {
        {21.34, 42.67}, {21.47, 41.66}, {21.70, 43.09}, {30.03, 60.06}};
    for (unsigned i = 0; i < 4 * 2 * N_FORMS; i++) {
        const unsigned scheme = i / 2 / N_FORMS, size = i / N_FORMS % 2, form = i % N_FORMS;
        const unsigned n_sets = size == 0 ? 32 : 64;
        struct pins pins;
        unsigned sets[1025];
        pins_open(&pins, state, idx3_schemes[scheme][size].unit,
                  idx3_schemes[scheme][size].overrides, forms[form]);
        const double mean = all_strides(&pins, n_sets, sets);
        pins_close(&pins);
        for (size_t row = 0; row < sizeof idx3_rows / sizeof *idx3_rows; row++) {
            assert_int_equal(sets[idx3_rows[row].stride_blocks], idx3_rows[row].sets[scheme][size]);
        }
        assert_true(fabs(mean - means[scheme][size]) < 0.00501);
        check_one_set(sets, scheme, n_sets);
        if (scheme == PLI) {
            check_pli_worst(sets, n_sets);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tv_fup_1),
        cmocka_unit_test(fup20_unaligned_base),
        cmocka_unit_test(prh_atax_in_8_sets),
        cmocka_unit_test(adversarial_strides),
        cmocka_unit_test(fup28_over_all_s4),
        cmocka_unit_test(pdisp_by_p),
        cmocka_unit_test(pdisp_multiple_of_modulus_is_refused),
        cmocka_unit_test(v_idx_3),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
