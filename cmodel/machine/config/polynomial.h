/* polynomial.h - indices hashed by polynomials over GF(2): bit i is turned by the parity of some of the
 * address bits above it.
 *
 * Works after the pseudo-random interleaving that public Volta configurations name for L2 slices (64)
 * and sets (32).  It must not know what an index chooses.
 */
#ifndef WARPLOCK_MACHINE_POLYNOMIAL_H
#define WARPLOCK_MACHINE_POLYNOMIAL_H

#include <stdint.h>

/* `index` of n bits, turned by the bits of `above` that each mask names. */
static inline uint32_t polynomial_hash(uint32_t index, uint64_t above, const uint32_t *masks,
                                       uint32_t n)
{
    for (uint32_t bit = 0; bit < n; bit++) {
        index ^= (uint32_t)__builtin_parityll(above & masks[bit]) << bit;
    }
    return index;
}

static inline uint32_t polynomial_64(uint32_t index, uint64_t above)
{
    static const uint32_t MASKS[6] = {0x79461, 0x0bca3, 0x17946, 0x2f28c, 0x5e518, 0x3ca30};

    return polynomial_hash(index, above, MASKS, 6);
}

static inline uint32_t polynomial_32(uint32_t index, uint64_t above)
{
    static const uint32_t MASKS[5] = {0x03e69, 0x07cd2, 0x047cd, 0x00f9a, 0x01f34};

    return polynomial_hash(index, above, MASKS, 5);
}

#endif
