/* builtins.h - what compiler builtins and library functions of the models mean, where CBMC
 * does not know it or writes it in a way that makes proofs hard. */
#ifndef WARPLOCK_TB_PROVE_BUILTINS_H
#define WARPLOCK_TB_PROVE_BUILTINS_H

#include <stdint.h>

/* Bit by bit from bit 0 up, as operators.c writes the RTL's: equal parities are then found term
 * by term. */
static int parity(uint64_t value)
{
    int odd = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        odd ^= (int)(value >> bit & 1);
    }
    return odd;
}
#define __builtin_parityll(value) parity(value)
#define __builtin_parity(value) parity(value)

/* Likewise. */
static int ones_in(uint64_t value)
{
    int n = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        n += (int)(value >> bit & 1);
    }
    return n;
}
#define __builtin_popcountll(value) ones_in(value)

#define BLOOM_ALL_ROWS      /* cmodel/units/rdu/bloom.h */
#define AGE_ORDER_ALL_SLOTS /* cmodel/units/age_order.h */
#define LANE_SUM_BY_THREES  /* cmodel/units/spref/lane_sum.h */

/* Products of up to 32 bits.  PROVE_FREE_PRODUCTS: any function of the two factors in their
 * place, the same for C and RTL: what holds then holds for the product. */
#ifdef PROVE_FREE_PRODUCTS
uint32_t __CPROVER_uninterpreted_product(uint32_t a, uint32_t b);
#define UNIT_PRODUCT(type, a, b) \
    ((type)__CPROVER_uninterpreted_product((uint32_t)(a), (uint32_t)(b)))
#else
#define UNIT_PRODUCT(type, a, b) ((type)((type)(a) * (type)(b)))
#endif

/* value % prime by digits in base 2^bits, 2^bits the least power of two above prime.  Digit i
 * weighs 2^(bits i), of which only the residue matters: value = sum of d_i 2^(bits i) and
 * 2^(bits i) = w_i + prime k_i give value = sum of d_i w_i + prime (sum of d_i k_i), so both
 * sums leave the same rest.  The sum of digits is short enough to be divided bit by bit.  `weight`
 * is that of the lowest digit. */
static uint32_t sum_of_digits(uint64_t value, uint64_t weight, uint64_t prime)
{
    uint64_t sum = 0;
    unsigned bits = 1;
    while (UINT64_C(1) << bits <= prime) {
        bits++;
    }
    for (unsigned at = 0; at < 64; at += bits) {
        sum += (value >> at & ((UINT64_C(1) << bits) - 1)) * weight;
        weight = (weight << bits) % prime;
    }
    return (uint32_t)sum;
}
#define PRIME_RESIDUE(value, prime) (sum_of_digits(value, 1, prime) % (uint32_t)(prime))

/* A digit doubled `by` times, modulo 2^bits - 1: 2^bits leaves 1, so that what goes out at the top
 * comes in at the bottom. */
static uint32_t turned(uint32_t digit, unsigned by, unsigned bits)
{
    return (digit << by | digit >> (bits - by)) & ((UINT32_C(1) << bits) - 1);
}

/* to + value * factor modulo a prime that is 2^bits - 1; `value` has `width` bits.  All its digits
 * weigh `factor`, whose bits turn them; and of three numbers a + b + c = (a ^ b ^ c) + 2 * majority
 * leaves two, until there are no more.  They are taken in the order in which rtl/common/mod_prime.v
 * takes them: no solver finds out in useful time that it may be another. */
static uint32_t displaced_by_turns(uint64_t value, unsigned width, uint64_t factor, uint32_t to,
                                   uint32_t prime)
{
    const unsigned bits = 32 - (unsigned)__builtin_clz(prime);
    uint32_t number[3 * 80] = {to};
    unsigned n = 1, at = 0;
    for (unsigned digit = 0; digit < width; digit += bits) {
        for (unsigned k = 0; k < bits; k++) {
            if (factor % prime >> k & 1) {
                number[n++] = turned((uint32_t)(value >> digit) & prime, k, bits);
            }
        }
    }
    for (; n - at > 2; at += 3) {
        const uint32_t a = number[at], b = number[at + 1], c = number[at + 2];
        number[n++] = a ^ b ^ c;
        number[n++] = turned((a & b) | (a & c) | (b & c), 1, bits);
    }
    return (number[at] + (n - at > 1 ? number[at + 1] : 0)) % prime;
}
#define PRIME_DISPLACED(value, factor, to, prime, width) \
    (((prime) & ((prime) + 1)) == 0 \
         ? displaced_by_turns(value, width, factor, (uint32_t)(to), (uint32_t)(prime)) \
         : ((uint32_t)(to) + sum_of_digits(value, (factor) % (prime), prime)) % (uint32_t)(prime))

#endif
