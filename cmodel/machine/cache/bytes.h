/* bytes.h - masks over the bytes of a block, and copying by them.
 *
 * Byte b of a block is bit b mod 64 of word b / 64 of its mask.  It must not know whose bytes
 * they are.
 */
#ifndef WARPLOCK_MACHINE_BYTES_H
#define WARPLOCK_MACHINE_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/config/config.h"

/* Bytes of the sectors in `sectors`, as a byte mask. */
static inline void sector_bytes(uint8_t sectors, uint64_t bytes[2])
{
    static const uint64_t pair[4] = {0, UINT64_C(0xffffffff), UINT64_C(0xffffffff00000000),
                                     UINT64_MAX};

    bytes[0] = pair[sectors & 3];
    bytes[1] = pair[(sectors >> 2) & 3];
}

/* Sectors that have a byte in the mask. */
static inline uint8_t bytes_sectors(const uint64_t bytes[2])
{
    return (uint8_t)(((uint32_t)bytes[0] != 0) | ((bytes[0] >> 32) != 0) << 1 |
                     ((uint32_t)bytes[1] != 0) << 2 | ((bytes[1] >> 32) != 0) << 3);
}

/* Sectors all of whose bytes are in the mask. */
static inline uint8_t bytes_whole_sectors(const uint64_t bytes[2])
{
    const uint64_t missing[2] = {~bytes[0], ~bytes[1]};

    return (uint8_t)(bytes_sectors(missing) ^ ((1u << SECTORS) - 1));
}

/* Bytes in so many sectors as the mask has. */
static inline uint32_t sectors_size_bytes(uint8_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors) * SECTOR_BYTES;
}

static inline bool bytes_cover(const uint64_t have[2], const uint64_t need[2])
{
    return !((need[0] & ~have[0]) | (need[1] & ~have[1]));
}

/* Add the `n_bytes` (1..16) at `offset` in a block to the mask. */
static inline void bytes_span(uint64_t mask[2], uint32_t offset, uint32_t n_bytes)
{
    mask[offset >> 6] |= ((UINT64_C(1) << n_bytes) - 1) << (offset & 63);
}

/* Copy the bytes of `mask` from one block image to another. */
void bytes_copy(uint8_t *to, const uint8_t *from, const uint64_t mask[2]);

/* Is any byte of `mask` another in the two block images? */
bool bytes_differ(const uint8_t *a, const uint8_t *b, const uint64_t mask[2]);

#endif
