/* bytes.c - see bytes.h. */
#include "machine/cache/bytes.h"

#include <string.h>

/* The next run of ones in `left`: where it begins and how long it is; `left` loses it. */
static unsigned next_run(uint64_t *left, unsigned *length)
{
    const unsigned first = (unsigned)__builtin_ctzll(*left);
    const uint64_t run = ~(*left >> first);

    *length = run ? (unsigned)__builtin_ctzll(run) : 64 - first;
    *left &= first + *length >= 64 ? 0 : UINT64_MAX << (first + *length);
    return first;
}

/* Whole sectors, as most masks are made of, are copied and compared without a call. */
void bytes_copy(uint8_t *to, const uint8_t *from, const uint64_t mask[2])
{
    for (unsigned word = 0; word < 2; word++, to += 64, from += 64) {
        if (mask[word] == UINT64_MAX) {
            memcpy(to, from, 64);
            continue;
        }
        for (uint64_t left = mask[word]; left;) {
            unsigned length, first = next_run(&left, &length);

            if (length == SECTOR_BYTES) {
                memcpy(to + first, from + first, SECTOR_BYTES);
            } else {
                memcpy(to + first, from + first, length);
            }
        }
    }
}

bool bytes_differ(const uint8_t *a, const uint8_t *b, const uint64_t mask[2])
{
    for (unsigned word = 0; word < 2; word++, a += 64, b += 64) {
        for (uint64_t left = mask[word]; left;) {
            unsigned length, first = next_run(&left, &length);

            if (length == SECTOR_BYTES ? memcmp(a + first, b + first, SECTOR_BYTES) != 0
                                       : memcmp(a + first, b + first, length) != 0) {
                return true;
            }
        }
    }
    return false;
}
