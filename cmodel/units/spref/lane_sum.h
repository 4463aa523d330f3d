/* lane_sum.h - the sum of a small number of each lane (lakshminarayana2014-graph 3.1.5).  Knows nothing of
 * what is counted.  LANE_SUM_BY_THREES: LANE_SUM adds in the order in which rtl/spref/spref_sum.v does;
 * no solver finds out in useful time that another has the same sum. */
#ifndef WARPLOCK_UNITS_SPREF_LANE_SUM_H
#define WARPLOCK_UNITS_SPREF_LANE_SUM_H

#include <stdint.h>
#include <string.h>

/* Of numbers below 32, eight at a time: the product has their sum in its highest byte. */
static inline uint32_t lane_sum(const uint8_t *number, unsigned lanes)
{
    uint32_t sum = 0;
    unsigned lane = 0;
    for (uint64_t eight; lane + 8 <= lanes; lane += 8) {
        memcpy(&eight, number + lane, 8);
        sum += (uint32_t)(eight * UINT64_C(0x0101010101010101) >> 56);
    }
    for (; lane < lanes; lane++) {
        sum += number[lane];
    }
    return sum;
}

/* Of 2 to 64 lanes.  Three numbers a + b + c = (a ^ b ^ c) + 2 * majority become two, those first that have
 * waited longest; in words of the bits of `mask`, which the sum fits. */
static inline uint32_t lane_sum_by_threes(const uint8_t *number, unsigned lanes, uint32_t mask)
{
    uint32_t queue[3 * 64];
    unsigned n = 0, at = 0;
    while (n < lanes) {
        queue[n] = number[n];
        n++;
    }
    for (; n - at > 2; at += 3) {
        const uint32_t a = queue[at], b = queue[at + 1], c = queue[at + 2];
        queue[n++] = a ^ b ^ c;
        queue[n++] = ((a & b) | (a & c) | (b & c)) << 1 & mask;
    }
    return (queue[at] + queue[at + 1]) & mask;
}

static inline uint32_t lane_count_by_threes(uint64_t lane_mask, unsigned lanes)
{
    uint8_t number[64];
    for (unsigned lane = 0; lane < lanes; lane++) {
        number[lane] = lane_mask >> lane & 1;
    }
    return lane_sum_by_threes(number, lanes, lanes * 2 - 1);
}

/* The sum of `lanes` numbers (uint8_t *) below `limit`, both powers of two, and constants; and of
 * ones: how many of `lanes` are in a mask that has no others. */
#ifdef LANE_SUM_BY_THREES
#define LANE_SUM(number, lanes, limit) lane_sum_by_threes(number, lanes, (lanes) * (limit)-1)
#define LANE_COUNT(lane_mask, lanes) lane_count_by_threes(lane_mask, lanes)
#else
#define LANE_SUM(number, lanes, limit) lane_sum(number, lanes)
#define LANE_COUNT(lane_mask, lanes) ((uint32_t)__builtin_popcountll(lane_mask))
#endif

#endif
