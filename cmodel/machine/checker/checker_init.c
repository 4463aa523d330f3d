/* checker_init.c - global memory that was handed out and has no meaning until it is written: a bit for
 * each byte, in ranges.  See checker_private.h. */
#include <stdlib.h>
#include <string.h>

#include "machine/checker/checker_private.h"

/* Index of the first range that ends above `address`. */
static size_t first_above(const struct checker_ranges *ranges, uint64_t address)
{
    size_t low = 0, high = ranges->n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (ranges->at[middle].base + ranges->at[middle].bytes <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Ranges of former owners of these addresses go. */
static void drop(struct checker_ranges *ranges, uint64_t address, uint64_t bytes)
{
    size_t first = first_above(ranges, address), end = first;

    while (end < ranges->n && ranges->at[end].base < address + bytes) {
        free(ranges->at[end++].written);
    }
    memmove(&ranges->at[first], &ranges->at[end], (ranges->n - end) * sizeof *ranges->at);
    ranges->n -= end - first;
}

bool checker_undefine(struct checker_ranges *ranges, uint64_t address, uint64_t bytes)
{
    struct checker_range new = {.base = address, .bytes = bytes};
    size_t at;

    if (ranges->n == ranges->max) {
        size_t max = ranges->max ? 2 * ranges->max : 16;
        struct checker_range *more = realloc(ranges->at, max * sizeof *more);

        if (!more) {
            return false;
        }
        ranges->at = more;
        ranges->max = max;
    }
    new.written = calloc(bytes / 8 + 1, 1);
    if (!new.written) {
        return false;
    }
    drop(ranges, address, bytes);
    at = first_above(ranges, address);
    memmove(&ranges->at[at + 1], &ranges->at[at], (ranges->n++ - at) * sizeof *ranges->at);
    ranges->at[at] = new;
    return true;
}

/* The part of [address, address + bytes) in the range, from its base; false: there is none. */
static bool part(const struct checker_range *range, uint64_t address, uint64_t bytes,
                 uint64_t *from, uint64_t *to)
{
    uint64_t end = address + bytes, range_end = range->base + range->bytes;

    *from = (address > range->base ? address : range->base) - range->base;
    *to = (end < range_end ? end : range_end) - range->base;
    return end > range->base && address < range_end;
}

void checker_define(struct checker_ranges *ranges, uint64_t address, uint64_t bytes)
{
    uint64_t from, to;

    for (size_t r = first_above(ranges, address);
         r < ranges->n && part(&ranges->at[r], address, bytes, &from, &to); r++) {
        uint8_t *written = ranges->at[r].written;

        for (; from < to && from % 8 != 0; from++) {
            written[from / 8] |= (uint8_t)(1u << from % 8);
        }
        if (from + 8 <= to) {
            memset(&written[from / 8], 0xff, (to - from) / 8);
            from += (to - from) / 8 * 8;
        }
        for (; from < to; from++) {
            written[from / 8] |= (uint8_t)(1u << from % 8);
        }
    }
}

bool checker_defined(const struct checker_ranges *ranges, uint64_t address, uint64_t bytes)
{
    uint64_t from, to;

    for (size_t r = first_above(ranges, address);
         r < ranges->n && part(&ranges->at[r], address, bytes, &from, &to); r++) {
        for (; from < to; from++) {
            if ((ranges->at[r].written[from / 8] >> from % 8 & 1) == 0) {
                return false;
            }
        }
    }
    return true;
}

void checker_ranges_free(struct checker_ranges *ranges)
{
    for (size_t r = 0; r < ranges->n; r++) {
        free(ranges->at[r].written);
    }
    free(ranges->at);
    *ranges = (struct checker_ranges){0};
}
