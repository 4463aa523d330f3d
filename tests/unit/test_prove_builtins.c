/* test_prove_builtins.c - what the proofs put in the place of an operator or builtin
 * (tb/prove/builtins.h) gives what the operator gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tb/random.h"
#include "units/index/largest_prime.h"
#include "units/rdu/bloom.h"
#include "units/spref/lane_sum.h"

static int real_parity(uint64_t value)
{
    return __builtin_parityll(value);
}
static int real_ones(uint64_t value)
{
    return __builtin_popcountll(value);
}
static uint64_t real_residue(uint64_t value, uint64_t prime)
{
    return PRIME_RESIDUE(value, prime);
}
static uint64_t real_displaced(uint64_t value, uint64_t factor, uint64_t to, uint64_t prime)
{
    return PRIME_DISPLACED(value, factor, to, prime, 48);
}
#undef PRIME_RESIDUE
#undef PRIME_DISPLACED
#include "tb/prove/builtins.h"

/* The hash as the proofs have it: all rows of the network. */
static uint32_t hash_by_rows(uint32_t key, unsigned j)
{
    uint32_t index = bloom_c[j];
    for (unsigned i = 0; i < 32; i++) {
        index ^= bloom_q[j][i] & -(key >> i & 1);
    }
    return index & 0x3FFF;
}

/* 32 numbers of one and of four bits, and a mask, made of a word. */
static void same_lane_sums(uint64_t value)
{
    uint8_t bit[32], count[32];
    for (unsigned lane = 0; lane < 32; lane++) {
        bit[lane] = value >> lane & 1;
        count[lane] = value >> lane & 15;
    }
    assert_int_equal(lane_sum_by_threes(bit, 32, 63), lane_sum(bit, 32));
    assert_int_equal(lane_sum_by_threes(count, 32, 511), lane_sum(count, 32));
    assert_int_equal(lane_count_by_threes((uint32_t)value, 32), lane_sum(bit, 32));
}

static void same(uint64_t value)
{
    same_lane_sums(value);
    for (unsigned j = 0; j < BLOOM_HASHES; j++) {
        assert_int_equal(hash_by_rows((uint32_t)value, j), bloom_hash((uint32_t)value, j, 0x4000));
    }
    assert_int_equal(parity(value), real_parity(value));
    assert_int_equal(ones_in(value), real_ones(value));
    for (unsigned sets = 4; sets <= 4096; sets *= 2) {
        const uint64_t prime = LARGEST_PRIME(sets);
        const uint64_t tag = value >> 16, factor = 9 + sets, to = value & (sets - 1);
        assert_int_equal(PRIME_RESIDUE(value, prime), real_residue(value, prime));
        assert_int_equal(PRIME_DISPLACED(tag, factor, to, prime, 48),
                         real_displaced(tag, factor, to, prime));
    }
}

static void corners_and_random_words(void **state)
{
    (void)state;
    struct tb_random random;
    tb_random_seed(&random, 1);
    for (unsigned bit = 0; bit < 64; bit++) {
        same(UINT64_C(1) << bit);
        same((UINT64_C(1) << bit) - 1);
        same(~((UINT64_C(1) << bit) - 1));
    }
    for (unsigned i = 0; i < 20000; i++) {
        same(tb_random_next(&random));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(corners_and_random_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
