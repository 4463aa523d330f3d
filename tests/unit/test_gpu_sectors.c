/* A cache whose lines are filled by sectors, and the polynomial indices, after their own rules: what
 * makes a sector readable, which line goes, which bits turn which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/cache/sector_cache.h"
#include "machine/config/address_map.h"

enum { SETS = 2, WAYS = 4 };

static uint64_t block(uint32_t n)
{
    return UINT64_C(0x1000) + n * UINT64_C(256); /* all of one set */
}

/* Give lines to blocks 0 to n - 1, used in that order. */
static void place(struct sector_cache *cache, uint32_t n)
{
    for (uint32_t b = 0; b < n; b++) {
        const int line = sector_cache_victim(cache, 0, 25);

        assert_in_range(line, 0, WAYS - 1);
        sector_cache_place(cache, (uint32_t)line, block(b));
        cache->line[line].used = 10 + b;
        assert_int_equal(sector_cache_find(cache, 0, block(b)), line);
    }
}

static void sectors(void **state)
{
    uint8_t fill[BLOCK_BYTES], store[BLOCK_BYTES];
    const uint64_t four[2] = {UINT64_C(0xf) << 36, 0}; /* bytes 36 to 39 */
    struct sector_cache cache;
    uint32_t line;

    (void)state;
    memset(fill, 1, sizeof fill);
    memset(store, 2, sizeof store);
    assert_int_equal(sector_cache_init(&cache, SETS, WAYS), 0);
    place(&cache, 1);
    line = (uint32_t)sector_cache_find(&cache, 0, block(0));
    sector_cache_await(&cache, line, 1 << 1);
    assert_false(sector_cache_has(&cache, line, 1 << 1));
    sector_cache_write(&cache, line, store, four);
    assert_false(sector_cache_has(&cache, line, 1 << 1)); /* not wholly */
    sector_cache_fill(&cache, line, 1 << 1, fill);
    assert_true(sector_cache_has(&cache, line, 1 << 1));
    assert_false(sector_cache_has(&cache, line, 1 << 0 | 1 << 1));
    assert_int_equal(cache.line[line].pending, 0);
    for (uint32_t byte = 32; byte < 64; byte++) { /* what was written stays */
        assert_int_equal(sector_cache_data(&cache, line)[byte], byte >= 36 && byte < 40 ? 2 : 1);
    }
    sector_cache_drop(&cache, line, 1 << 1);
    assert_int_equal(sector_cache_find(&cache, 0, block(0)), -1);
    assert_int_equal(cache.n_written, 0);
    sector_cache_free(&cache);
}

/* Every byte written: readable, without a fetch. */
static void written_whole(void **state)
{
    const uint64_t all[2] = {0, UINT64_MAX << 32};
    uint8_t store[BLOCK_BYTES] = {0};
    struct sector_cache cache;

    (void)state;
    assert_int_equal(sector_cache_init(&cache, SETS, WAYS), 0);
    place(&cache, 1);
    sector_cache_write(&cache, (uint32_t)sector_cache_find(&cache, 0, block(0)), store, all);
    assert_true(sector_cache_has(&cache, (uint32_t)sector_cache_find(&cache, 0, block(0)), 1 << 3));
    sector_cache_free(&cache);
}

static void victims(void **state)
{
    const uint64_t one[2] = {1, 0};
    uint8_t store[BLOCK_BYTES] = {0};
    struct sector_cache cache;
    uint32_t line[WAYS];

    (void)state;
    assert_int_equal(sector_cache_init(&cache, SETS, WAYS), 0);
    place(&cache, WAYS);
    for (uint32_t b = 0; b < WAYS; b++) {
        line[b] = (uint32_t)sector_cache_find(&cache, 0, block(b));
        assert_int_equal(line[b], WAYS - 1 - b); /* the highest empty way first */
    }
    assert_int_equal(sector_cache_victim(&cache, 0, 25), line[0]);
    sector_cache_await(&cache, line[0], 1); /* on its way */
    assert_int_equal(sector_cache_victim(&cache, 0, 25), line[1]);
    sector_cache_write(&cache, line[1], store, one); /* one of eight lines is written: 12.5 % */
    assert_int_equal(cache.n_written, 1);
    assert_int_equal(sector_cache_victim(&cache, 0, 25), line[2]);
    assert_int_equal(sector_cache_victim(&cache, 0, 12), line[1]);
    sector_cache_write(&cache, line[2], store, one); /* two of eight: a quarter */
    assert_int_equal(sector_cache_victim(&cache, 0, 25), line[1]);
    cache.line[line[1]].used = 99;
    assert_int_equal(sector_cache_victim(&cache, 0, 25), line[2]);
    sector_cache_await(&cache, line[1], 1);
    sector_cache_await(&cache, line[2], 1);
    sector_cache_await(&cache, line[3], 1);
    assert_int_equal(sector_cache_victim(&cache, 0, 25), -1);
    sector_cache_clear(&cache, 1);
    assert_int_equal(sector_cache_victim(&cache, 1, 25), WAYS); /* the one way of set 1 */
    sector_cache_free(&cache);
}

/* Address bit 14 turns slice bits 0 and 1, bit 15 bits 1 and 2, bit 14 + 5 bits 0, 1 and 5: the
 * polynomial's columns as tests/agreement's reference gives them. */
static void slices(void **state)
{
    static const struct {
        uint32_t bit, turned;
    } columns[] = {{13, 1},     {8, 2},       {12, 32},      {14, 3},          {15, 2 + 4},
                   {16, 4 + 8}, {17, 8 + 16}, {18, 16 + 32}, {19, 1 + 2 + 32}, {20, 1 + 4}};
    struct gpu_config config;

    (void)state;
    config_defaults(&config);
    config.l2_partitions = 32;
    config.l2_slices = SLICES_POLYNOMIAL;
    assert_int_equal(l2_bank_of(&config, 0), 0);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        assert_int_equal(l2_bank_of(&config, UINT64_C(1) << columns[c].bit), columns[c].turned);
    }
}

/* Linear in its bits, and for fixed bits above every index is met once. */
static void polynomials(void **state)
{
    (void)state;
    for (uint64_t above = 0; above < 1 << 19; above += 977) {
        uint64_t met64 = 0;
        uint32_t met32 = 0;

        for (uint32_t index = 0; index < 64; index++) {
            met64 |= UINT64_C(1) << polynomial_64(index, above);
            met32 |= UINT32_C(1) << polynomial_32(index & 31, above);
        }
        assert_true(met64 == UINT64_MAX && met32 == UINT32_MAX);
        assert_int_equal(polynomial_64(0, above ^ 1) ^ polynomial_64(0, above), 3);
        assert_int_equal(polynomial_32(0, above ^ 1) ^ polynomial_32(0, above), 1 + 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sectors), cmocka_unit_test(written_whole),
                                       cmocka_unit_test(victims), cmocka_unit_test(slices),
                                       cmocka_unit_test(polynomials)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
