/* bytes.c - see bytes.h. */
#include "machine/cache/bytes.h"

#include <string.h>

void bytes_copy(uint8_t *to, const uint8_t *from, const uint64_t mask[2])
{
    for (unsigned word = 0; word < 2; word++, to += 64, from += 64) {
        if (mask[word] == UINT64_MAX) {
            memcpy(to, from, 64);
            continue;
        }
        for (uint64_t left = mask[word]; left;) {
            unsigned first = (unsigned)__builtin_ctzll(left);
            uint64_t run = ~(left >> first);
            unsigned length = run ? (unsigned)__builtin_ctzll(run) : 64 - first;

            memcpy(to + first, from + first, length);
            left &= first + length >= 64 ? 0 : UINT64_MAX << (first + length);
        }
    }
}

bool bytes_differ(const uint8_t *a, const uint8_t *b, const uint64_t mask[2])
{
    for (unsigned at = 0; at < BLOCK_BYTES; at++) {
        if ((mask[at / 64] >> (at % 64) & 1) && a[at] != b[at]) {
            return true;
        }
    }
    return false;
}
