/* rng.h - the random numbers of all input generators.
 *
 * splitmix64 (Steele, Lea, Flood 2014) spreads any seed, also 0 or a small
 * counter, over 64 bits; every draw is one step of it.  The same seed gives the
 * same input on every machine.  libc's rand is not used anywhere.
 */
#ifndef WARPLOCK_WORKLOADS_RNG_H
#define WARPLOCK_WORKLOADS_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline struct rng rng_seeded(uint64_t seed)
{
    return (struct rng){.state = seed};
}

static inline uint64_t rng_u64(struct rng *rng)
{
    uint64_t z = rng->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t rng_u32(struct rng *rng)
{
    return (uint32_t)(rng_u64(rng) >> 32);
}

/* Uniform in 0 … n-1, n > 0; the bias of at most n / 2^64 does not matter here. */
static inline uint64_t rng_below(struct rng *rng, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)rng_u64(rng) * n) >> 64);
}

/* Uniform in [0, 1), a multiple of 2^-24: exact in float. */
static inline float rng_f32(struct rng *rng)
{
    return (float)(rng_u64(rng) >> 40) * 0x1p-24f;
}

/* Uniform in [-1, 1), a multiple of 2^-23. */
static inline float rng_f32_signed(struct rng *rng)
{
    return (float)((int32_t)(rng_u64(rng) >> 40) - (1 << 23)) * 0x1p-23f;
}

#endif
