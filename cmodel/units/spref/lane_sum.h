/* lane_sum.h - the sum of a small number of each lane (lakshminarayana2014-graph 3.1.5).  Knows nothing of
 * what is counted.  LANE_SUM_BY_THREES: LANE_SUM adds in the order in which rtl/spref/spref_sum.v does;
 * no solver finds out in useful time that another has the same sum. */
#ifndef WARPLOCK_UNITS_SPREF_LANE_SUM_H
#define WARPLOCK_UNITS_SPREF_LANE_SUM_H

#include <stdint.h>

static inline uint32_t lane_sum(const uint8_t *number, unsigned lanes)
{
    uint32_t sum = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
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

/* The sum of `lanes` numbers (uint8_t *) below `limit`; both are powers of two, and constants. */
#ifdef LANE_SUM_BY_THREES
#define LANE_SUM(number, lanes, limit) lane_sum_by_threes(number, lanes, (lanes) * (limit)-1)
#else
#define LANE_SUM(number, lanes, limit) lane_sum(number, lanes)
#endif

#endif
