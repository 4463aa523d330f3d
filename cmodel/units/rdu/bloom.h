/* bloom.h - hashes, signatures and granules of race detection (tabbakh2018 3.7.2, D-R1).
 *
 * A signature is M bits in 64-bit words.  Its six H3 hashes each cover the full range.
 * The words of the hash network are the successive values of the xorshift32 generator
 * of D-R1, low 14 bits; tests/unit/test_rdu_bloom.c makes them anew.
 * Knows nothing of units: used by the models of all of them. */
#ifndef WARPLOCK_UNITS_RDU_BLOOM_H
#define WARPLOCK_UNITS_RDU_BLOOM_H

#include <stdbool.h>
#include <stdint.h>

enum { BLOOM_HASHES = 6, BLOOM_BLOCK_BYTES = 128 };

static const uint16_t bloom_q[BLOOM_HASHES][32] = {
    {0x363A, 0x34AB, 0x33AC, 0x0626, 0x3BAF, 0x1123, 0x101A, 0x1A71, 0x3F6C, 0x3191, 0x2A5D,
     0x0F31, 0x0E18, 0x023E, 0x16BC, 0x32D2, 0x1FEF, 0x2751, 0x2422, 0x349D, 0x3972, 0x094F,
     0x04DB, 0x03D9, 0x1E6F, 0x0239, 0x266E, 0x1EAE, 0x0B2B, 0x22C8, 0x1022, 0x1F2F},
    {0x340C, 0x0DE3, 0x38ED, 0x138C, 0x1168, 0x387B, 0x3BA2, 0x2589, 0x1A99, 0x3BD6, 0x2539,
     0x27A7, 0x0F9F, 0x29F2, 0x0855, 0x14FE, 0x1991, 0x1015, 0x39B8, 0x2520, 0x11AA, 0x1F7A,
     0x3F94, 0x3A8A, 0x02A0, 0x364D, 0x3DC0, 0x3F9D, 0x35FE, 0x0E49, 0x034C, 0x18DC},
    {0x2A8E, 0x2DE0, 0x22B9, 0x0706, 0x2FB2, 0x2F30, 0x2229, 0x364A, 0x0860, 0x141C, 0x32DF,
     0x273C, 0x39B7, 0x0762, 0x22CF, 0x0942, 0x0305, 0x2219, 0x100C, 0x354B, 0x20B3, 0x31DF,
     0x2DE1, 0x237C, 0x0745, 0x3BFB, 0x3E50, 0x0D51, 0x2067, 0x2F70, 0x2978, 0x3EC9},
    {0x2104, 0x3AF8, 0x0643, 0x000C, 0x3CB4, 0x3348, 0x2F73, 0x01CB, 0x01C6, 0x3C05, 0x2DD8,
     0x199F, 0x0858, 0x38F0, 0x0D6D, 0x18D7, 0x31E5, 0x0638, 0x20AC, 0x32EE, 0x17EF, 0x17ED,
     0x34FC, 0x30EF, 0x0297, 0x0AFE, 0x1E16, 0x0E37, 0x3BBC, 0x1303, 0x19E7, 0x0BAA},
    {0x33B0, 0x1965, 0x1F38, 0x1443, 0x2049, 0x10D7, 0x1759, 0x083B, 0x3CE0, 0x177F, 0x127F,
     0x15E2, 0x04A3, 0x2CC9, 0x28D6, 0x06AE, 0x3F2A, 0x3C67, 0x3D66, 0x16ED, 0x35AB, 0x12B5,
     0x104D, 0x3F73, 0x25FF, 0x2D96, 0x018A, 0x0B23, 0x3232, 0x110B, 0x3797, 0x3EEF},
    {0x2D1C, 0x267D, 0x2BBA, 0x2B41, 0x0096, 0x2878, 0x0FF9, 0x29D2, 0x0369, 0x283C, 0x12B3,
     0x376F, 0x32CB, 0x3ADB, 0x3442, 0x1C74, 0x05E1, 0x3681, 0x3D5F, 0x0922, 0x00D7, 0x1A1B,
     0x1325, 0x18A7, 0x17CE, 0x0BF6, 0x3BCB, 0x3280, 0x35A1, 0x161E, 0x0DAA, 0x1CAD},
};
static const uint16_t bloom_c[BLOOM_HASHES] = {0x3ADF, 0x391D, 0x34B0, 0x3CE8, 0x1122, 0x0ED1};

/* Hash `j` of a granule number for a signature of `m` bits, m a power of two to 16384: the
 * rows of the bits set in `key`.  Proofs go through all rows: term by term, as the RTL does. */
static inline uint32_t bloom_hash(uint32_t key, unsigned j, uint32_t m)
{
    uint32_t index = bloom_c[j];
#ifdef BLOOM_ALL_ROWS
    for (unsigned i = 0; i < 32; i++) {
        index ^= bloom_q[j][i] & -(key >> i & 1);
    }
#else
    for (; key != 0; key &= key - 1) {
        index ^= bloom_q[j][__builtin_ctz(key)];
    }
#endif
    return index & (m - 1);
}

/* Are all six bits of `key` set? */
static inline bool bloom_found(const uint64_t *words, uint32_t key, uint32_t m)
{
    for (unsigned j = 0; j < BLOOM_HASHES; j++) {
        const uint32_t index = bloom_hash(key, j, m);
        if (!(words[index / 64] >> index % 64 & 1)) {
            return false;
        }
    }
    return true;
}

/* bloom_insert for proofs, m up to 8192, group by group as the RTL does it: a word that is read
 * and written where a hash says is a choice among all words, which solvers do not see through. */
static inline void bloom_insert_by_groups(uint64_t *words, uint32_t key, uint32_t m)
{
    const unsigned low_bits = (unsigned)__builtin_ctz(m) / 2, group_bits = 1u << low_bits;
    unsigned __int128 high[BLOOM_HASHES]; /* one bit of it is set */
    uint64_t low[BLOOM_HASHES];           /* likewise */
    for (unsigned j = 0; j < BLOOM_HASHES; j++) {
        const uint32_t index = bloom_hash(key, j, m);
        high[j] = (unsigned __int128)1 << (index >> low_bits);
        low[j] = UINT64_C(1) << index % group_bits;
    }
    for (unsigned group = 0; group < m / group_bits; group++) {
        uint64_t bits = 0;
        for (unsigned j = 0; j < BLOOM_HASHES; j++) {
            bits |= high[j] >> group & 1 ? low[j] : 0;
        }
        words[group * group_bits / 64] |= bits << group * group_bits % 64;
    }
}

static inline void bloom_insert(uint64_t *words, uint32_t key, uint32_t m)
{
#ifdef BLOOM_ALL_ROWS
    bloom_insert_by_groups(words, key, m);
#else
    for (unsigned j = 0; j < BLOOM_HASHES; j++) {
        const uint32_t index = bloom_hash(key, j, m);
        words[index / 64] |= UINT64_C(1) << index % 64;
    }
#endif
}

/* Does granule `g` (of 2^shift bytes) of its block touch a byte of the 128-bit mask? */
static inline bool bloom_touches(const uint64_t bytes[2], unsigned g, unsigned shift)
{
    if (shift >= 7) {
        return (bytes[0] | bytes[1]) != 0;
    }
    const unsigned first = g << shift, width = 1u << shift;
    const uint64_t word = bytes[first / 64] >> first % 64;
    return (width >= 64 ? word : word & ((UINT64_C(1) << width) - 1)) != 0;
}

/* The number of granule `g` of the block at `addr`. */
static inline uint32_t bloom_key(uint32_t addr, unsigned g, unsigned shift)
{
    return shift >= 7 ? addr >> shift : (addr / BLOOM_BLOCK_BYTES << (7 - shift)) + g;
}

#endif
