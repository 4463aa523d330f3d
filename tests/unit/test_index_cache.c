/* test_index_cache - TV-FUP-4 of wang2015 3.7: misses of an 8-way LRU cache of 32 sets
 * under each index scheme, fills being instant.  The cache here is the test's own. */
#include "test_index.h"

enum { SETS = 32, WAYS = 8, LANES = 32, ITERATIONS = 128, N_SCHEMES = 6 };

static const char *const schemes[N_SCHEMES] = {"index/conv", "index/bxor",  "index/pdisp",
                                               "index/rxi",  "index/fup20", "index/fup28"};

enum { ALL = 0 }; /* every access misses */

static const struct {
    uint64_t stride_bytes;
    unsigned warps, misses[N_SCHEMES];
} rows[] = {
    {32 << 10, 1, {ALL, 128, 128, 128, 128, 128}},    {32 << 10, 2, {ALL, ALL, 256, 256, 256, 256}},
    {32 << 10, 4, {ALL, ALL, 512, ALL, 512, 512}},    {32 << 10, 7, {ALL, ALL, 896, ALL, 896, 896}},
    {32 << 10, 8, {ALL, ALL, 9952, ALL, 1024, 1024}}, {32 << 10, 9, {ALL, ALL, ALL, ALL, ALL, ALL}},
    {16 << 10, 2, {ALL, 256, 256, 256, 256, 256}},    {16 << 10, 4, {ALL, ALL, 512, 512, 512, 512}},
    {2 << 10, 4, {ALL, 512, 512, 512, 512, 512}},     {1 << 10, 1, {128, 128, 128, 128, 128, 128}},
    {1 << 10, 2, {ALL, 256, 256, 256, 256, 256}},
};

/* Per set the blocks from most to least recently used; block 0 is never accessed. */
struct cache {
    uint64_t blocks[SETS][WAYS];
};

/* True on a miss.  Either way the block becomes the most recently used. */
static bool cache_access(struct cache *cache, unsigned set, uint64_t block)
{
    uint64_t *stack = cache->blocks[set];
    unsigned position = 0;
    while (position < WAYS - 1 && stack[position] != block) {
        position++;
    }
    const bool miss = stack[position] != block;
    memmove(stack + 1, stack, position * sizeof *stack);
    stack[0] = block;
    return miss;
}

/* Warps in round-robin lock-step: warp w, lane t, iteration k reads
 * base + (32 w + t) stride + 4 k. */
static unsigned misses_of(struct pins *pins, uint64_t stride_bytes, unsigned warps)
{
    struct cache cache = {0};
    unsigned misses = 0;
    for (uint64_t k = 0; k < ITERATIONS; k++) {
        for (uint64_t thread = 0; thread < (uint64_t)warps * LANES; thread++) {
            const uint64_t addr = 0x80000000 + thread * stride_bytes + 4 * k;
            misses += cache_access(&cache, set_of(pins, addr), addr >> 7);
        }
    }
    return misses;
}

static void run_rows(void **state, const char *form, unsigned most_warps)
{
    for (unsigned scheme = 0; scheme < N_SCHEMES; scheme++) {
        struct pins pins;
        pins_open(&pins, state, schemes[scheme], "", form);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const unsigned accesses = rows[i].warps * LANES * ITERATIONS;
            const unsigned expected = rows[i].misses[scheme];
            if (rows[i].warps <= most_warps) {
                assert_int_equal(misses_of(&pins, rows[i].stride_bytes, rows[i].warps),
                                 expected == ALL ? accesses : expected);
            }
        }
        pins_close(&pins);
    }
}

static void tv_fup_4_c(void **state)
{
    run_rows(state, "c", 9);
}

static void tv_fup_4_rtl(void **state)
{
    run_rows(state, "rtl", 2);
}

static void tv_fup_4_netlist(void **state)
{
    run_rows(state, "netlist", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tv_fup_4_c),
        cmocka_unit_test(tv_fup_4_rtl),
        cmocka_unit_test(tv_fup_4_netlist),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
