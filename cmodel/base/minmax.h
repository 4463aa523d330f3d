/* minmax.h - the smaller and the larger of two counts. */
#ifndef WARPLOCK_BASE_MINMAX_H
#define WARPLOCK_BASE_MINMAX_H

#include <stdint.h>

/* The second may be too large for 32 bits. */
static inline uint32_t smaller_u32(uint32_t a, uint64_t b)
{
    return b < a ? (uint32_t)b : a;
}

static inline uint32_t larger_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

#endif
