/* Tags, LRU and the machine's own set indexes, through the sockets: the functional
 * regression TV-FUP-4 and D-LRU-1 of wang2015-divergence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine/cache/cache.h"
#include "machine/plug/sockets_base.h"

struct model {
    struct cache cache;
    struct index_socket index;
    struct policy_socket policy;
};

static void make(struct model *m, uint32_t kind, uint32_t ways)
{
    assert_int_equal(cache_init(&m->cache, 32, ways), 0);
    assert_int_equal(base_index(&m->index, kind, 32), 0);
    assert_int_equal(base_lru(&m->policy, 32, ways), 0);
}

static void drop(struct model *m)
{
    cache_free(&m->cache);
    free(m->index.self);
    free(m->policy.self);
}

/* One access with instant fill; true when it misses. */
static bool misses(struct model *m, uint64_t address)
{
    struct access_info info = {.block = address & ~UINT64_C(127)};
    uint32_t set = m->index.set(m->index.self, info.block);
    int way = cache_find(&m->cache, set, info.block);

    if (way >= 0) {
        m->policy.touch(m->policy.self, set, (uint32_t)way, &info);
        return false;
    }
    way = m->policy.victim(m->policy.self, set, m->cache.invalid[set],
                           cache_replaceable(&m->cache, set), &info);
    assert_true(way >= 0);
    cache_place(&m->cache, set, (uint32_t)way, info.block, LINE_VALID);
    m->policy.insert(m->policy.self, set, (uint32_t)way, &info);
    return true;
}

/* W warps in round-robin lock-step, 128 iterations; base + (w*32+t)*stride + 4k. */
static uint32_t regression(uint32_t kind, uint64_t stride, uint32_t warps)
{
    struct model m;
    uint32_t count = 0;

    make(&m, kind, 8);
    for (uint64_t k = 0; k < 128; k++) {
        for (uint64_t w = 0; w < warps; w++) {
            for (uint64_t t = 0; t < 32; t++) {
                count += misses(&m, 0x80000000 + (w * 32 + t) * stride + 4 * k);
            }
        }
    }
    drop(&m);
    return count;
}

static void tv_fup_4(void **state)
{
    static const struct {
        uint64_t stride;
        uint32_t warps, linear, hash;
    } rows[] = {
        {32768, 1, 4096, 128},    {32768, 2, 8192, 256},    {32768, 4, 16384, 16384},
        {32768, 7, 28672, 28672}, {32768, 8, 32768, 32768}, {32768, 9, 36864, 36864},
        {16384, 2, 8192, 256},    {16384, 4, 16384, 512},   {2048, 4, 16384, 512},
        {1024, 1, 128, 128},      {1024, 2, 8192, 256},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        assert_int_equal(regression(INDEX_LINEAR, rows[r].stride, rows[r].warps), rows[r].linear);
        assert_int_equal(regression(INDEX_FERMI_HASH, rows[r].stride, rows[r].warps), rows[r].hash);
    }
}

/* wang2015-divergence TV-FUP-3, row PRH: sets of lanes 0..31 at stride 2^15. */
static void fermi_hash_lanes(void **state)
{
    static const uint8_t sets[32] = {0,  4,  0,  4,  8,  12, 8,  12, 0,  4,  0,
                                     4,  8,  12, 8,  12, 16, 20, 16, 20, 24, 28,
                                     24, 28, 16, 20, 16, 20, 24, 28, 24, 28};
    struct model m;

    (void)state;
    make(&m, INDEX_FERMI_HASH, 8);
    for (uint64_t lane = 0; lane < 32; lane++) {
        assert_int_equal(m.index.set(m.index.self, 0x80000000 + lane * 32768), sets[lane]);
    }
    drop(&m);
}

/* D-LRU-1: invalid ways first, lowest; then the replaceable way nearest to LRU. */
static void lru(void **state)
{
    struct model m;
    struct access_info info = {0};

    (void)state;
    make(&m, INDEX_LINEAR, 4);
    assert_int_equal(m.policy.victim(m.policy.self, 0, 0xa, 0x5, &info), 1);
    for (uint32_t way = 0; way < 4; way++) {
        m.policy.insert(m.policy.self, 0, way, &info);
    }
    assert_int_equal(m.policy.victim(m.policy.self, 0, 0, 0xf, &info), 0);
    assert_int_equal(m.policy.victim(m.policy.self, 0, 0, 0xc, &info), 2);
    m.policy.touch(m.policy.self, 0, 0, &info);
    assert_int_equal(m.policy.victim(m.policy.self, 0, 0, 0xf, &info), 1);
    assert_int_equal(m.policy.victim(m.policy.self, 0, 0, 0, &info), POLICY_NONE);
    drop(&m);
}

static void masks(void **state)
{
    uint64_t bytes[2] = {0, 0};

    (void)state;
    bytes_span(bytes, 60, 4);
    bytes_span(bytes, 64, 8);
    assert_int_equal(bytes[0], UINT64_C(0xf) << 60);
    assert_int_equal(bytes[1], 0xff);
    assert_int_equal(bytes_sectors(bytes), 6);
    sector_bytes(6, bytes);
    assert_int_equal(bytes[0], UINT64_C(0xffffffff00000000));
    assert_int_equal(bytes[1], 0xffffffff);
}

static void copies(void **state)
{
    uint8_t from[128], to[128];
    uint64_t seed = 1;

    (void)state;
    for (uint32_t round = 0; round < 2000; round++) {
        uint64_t mask[2];

        for (uint32_t word = 0; word < 2; word++) {
            seed = seed * UINT64_C(6364136223846793005) + 1;
            mask[word] = round % 3 == 0   ? seed
                         : round % 3 == 1 ? seed & (seed >> 9)
                                          : seed | seed << 7;
        }
        for (uint32_t b = 0; b < 128; b++) {
            from[b] = (uint8_t)(b + round);
            to[b] = (uint8_t)(b + round + 1);
        }
        bytes_copy(to, from, mask);
        for (uint32_t b = 0; b < 128; b++) {
            assert_int_equal(to[b], (uint8_t)(b + round + !(mask[b / 64] >> (b % 64) & 1)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tv_fup_4), cmocka_unit_test(fermi_hash_lanes), cmocka_unit_test(lru),
        cmocka_unit_test(masks),    cmocka_unit_test(copies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
