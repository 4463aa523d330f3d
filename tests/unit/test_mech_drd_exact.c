/* test_mech_drd_exact - exact signatures (drd_exact.h): the document's running example R-3, what
 * granules make of neighbouring bytes, and random stores against sets kept one by one. */
#include "test_index.h"

#include <string.h>

#include "mechanisms/drd/drd_exact.h"

enum { A = 0, B = 128, C = 256, D = 384, FAR = 512 };
static const uint64_t whole[2] = {UINT64_MAX, UINT64_MAX};

static bool has(const struct drd_exact *exact, uint32_t sm, struct drd_interval in, uint64_t block)
{
    uint64_t bytes[2] = {whole[0], whole[1]};
    drd_exact_keep(exact, sm, in, block, bytes);
    return (bytes[0] | bytes[1]) != 0;
}

/* SM 0 stores A and B, SM 1 meets B; SM 0 stores C and D, SM 1 meets D. */
static void running_example(void **state)
{
    struct drd_exact *exact = drd_exact_new(7);
    const struct drd_interval first = {0, 2}, second = {2, 4}, none = {4, 4};
    (void)state;
    for (uint64_t block = A; block <= D; block += B) {
        assert_true(drd_exact_store(exact, 0, block, whole));
    }
    assert_int_equal(drd_exact_count(exact), 4);
    assert_true(has(exact, 1, first, A) && has(exact, 1, first, B));
    assert_false(has(exact, 1, first, C) || has(exact, 1, first, D));
    assert_false(has(exact, 1, second, A) || has(exact, 1, second, B));
    assert_true(has(exact, 1, second, C) && has(exact, 1, second, D));
    assert_false(has(exact, 1, none, C));
    assert_false(has(exact, 0, first, A)); /* the SM's own */
    drd_exact_clear(exact);
    assert_int_equal(drd_exact_count(exact), 0);
    assert_false(has(exact, 1, first, A));
    drd_exact_free(exact);
}

/* SM 0 stores byte 70 of B; what SM 1 asked for of bytes 64 to 79 and of byte 0 remains. */
static void granules(void **state)
{
    static const struct {
        uint32_t shift;
        uint64_t low, high; /* of B */
    } cases[] = {{0, 0, 1u << 6}, {2, 0, 0xf0}, {7, 1, 0xffff}, {9, 1, 0xffff}};
    const uint64_t byte[2] = {0, 1u << 6};
    const struct drd_interval in = {0, 1};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drd_exact *exact = drd_exact_new(cases[i].shift);
        uint64_t asked[2] = {1, 0xffff};
        assert_true(drd_exact_store(exact, 0, B, byte));
        drd_exact_keep(exact, 1, in, B, asked);
        assert_int_equal(asked[0], cases[i].low);
        assert_int_equal(asked[1], cases[i].high);
        assert_int_equal(has(exact, 1, in, D), cases[i].shift == 9); /* the same half page */
        assert_false(has(exact, 1, in, FAR));
        drd_exact_free(exact);
    }
}

/* Three SMs store words of four blocks; sets of words for every SM beside it. */
static void random_stores(void **state)
{
    enum { SMS = 3, WORDS = 4 * 32 };
    struct drd_exact *exact = drd_exact_new(2);
    bool set[SMS][WORDS] = {{false}};
    struct drd_interval unseen[SMS] = {{0, 0}};
    uint32_t x = 1;
    (void)state;
    for (uint32_t step = 0; step < 20000; step++) {
        x = x * 1664525u + 1013904223u;
        const uint32_t sm = (x >> 8) % SMS, word = (x >> 16) % WORDS, place = word % 32 * 4;
        uint64_t bytes[2] = {0, 0};
        bytes[place / 64] = UINT64_C(0xf) << place % 64;
        if (x >> 29 == 0) { /* a point */
            memset(set[sm], 0, sizeof set[sm]);
            unseen[sm].after = drd_exact_count(exact);
        } else if (x >> 28 < 8) {
            assert_true(drd_exact_store(exact, sm, word / 32 * B, bytes));
            for (uint32_t other = 0; other < SMS; other++) {
                set[other][word] |= other != sm;
            }
        }
        unseen[sm].upto = drd_exact_count(exact);
        drd_exact_keep(exact, sm, unseen[sm], word / 32 * B, bytes);
        assert_int_equal((bytes[0] | bytes[1]) != 0, set[sm][word]);
    }
    drd_exact_free(exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(running_example),
                                       cmocka_unit_test(granules), cmocka_unit_test(random_stores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
