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
#define PRIME_DISPLACED(value, factor, to, prime) \
    (((uint32_t)(to) + sum_of_digits(value, (factor) % (prime), prime)) % (uint32_t)(prime))

#endif
