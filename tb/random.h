/* random.h - the harness's random numbers: xoshiro256** seeded by splitmix64
 * (Blackman and Vigna, public domain algorithms).  The same seed gives the same
 * run on every machine. */
#ifndef WARPLOCK_TB_RANDOM_H
#define WARPLOCK_TB_RANDOM_H

#include <stdint.h>

struct tb_random {
    uint64_t s[4];
};

static inline void tb_random_seed(struct tb_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
        z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
        random->s[i] = z ^ (z >> 31);
    }
}

static inline uint64_t tb_random_rotl(uint64_t x, unsigned k)
{
    return (x << k) | (x >> (64 - k));
}

/* 64 uniform bits. */
static inline uint64_t tb_random_next(struct tb_random *random)
{
    uint64_t *s = random->s;
    const uint64_t result = tb_random_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = tb_random_rotl(s[3], 45);
    return result;
}

/* Uniform in 0 .. bound-1; bound 0 gives 0.  The bias is below bound / 2^64. */
static inline uint64_t tb_random_below(struct tb_random *random, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)tb_random_next(random) * bound) >> 64);
}

#endif
