/* sass_pack.c - see sass_pack.h.
 *
 * A record: 32 bits (entry, kind, whether a mask follows), the mask, then by kind a base and
 * a stride, a base and 32-bit deltas, or whole addresses; then what is asynchronous about it.
 */
#include "sass/sass_pack.h"

#include <stdlib.h>
#include <string.h>

enum kind { KIND_NONE, KIND_STRIDE, KIND_DELTA, KIND_LIST };
enum {
    ENTRY_BITS = 24,
    KIND_SHIFT = 24,
    ASIDE = 1 << 29,
    NEW_MASK = 1 << 30,
    RECORD_BYTES = 8 + ISA_LANES * 8
};

void sass_pack_begin(struct sass_packed *packed)
{
    packed->mask = 0;
}

static uint8_t *put(uint8_t *at, const void *value, size_t n)
{
    memcpy(at, value, n);
    return at + n;
}

static const uint8_t *get(const uint8_t *at, void *value, size_t n)
{
    memcpy(value, at, n);
    return at + n;
}

static bool deltas_fit(const struct sass_addresses *addresses, uint32_t mask)
{
    uint64_t last = addresses->lane[__builtin_ctz(mask)];

    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        uint64_t address = addresses->lane[__builtin_ctz(left)];
        int64_t delta = (int64_t)(address - last);

        if (delta < INT32_MIN || delta > INT32_MAX) {
            return false;
        }
        last = address;
    }
    return true;
}

static uint8_t *put_deltas(uint8_t *at, const struct sass_addresses *addresses, uint32_t mask)
{
    uint64_t last = addresses->lane[__builtin_ctz(mask)];

    at = put(at, &last, sizeof last);
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        uint64_t address = addresses->lane[__builtin_ctz(left)];
        int32_t delta = (int32_t)(int64_t)(address - last);

        at = put(at, &delta, sizeof delta);
        last = address;
    }
    return at;
}

static enum kind kind_of(const struct sass_addresses *addresses, uint32_t mask)
{
    if (!addresses || !mask) {
        return KIND_NONE;
    }
    if (addresses->mode == SASS_STRIDE) {
        return KIND_STRIDE;
    }
    return deltas_fit(addresses, mask) ? KIND_DELTA : KIND_LIST;
}

static uint8_t *put_addresses(uint8_t *at, enum kind kind, const struct sass_addresses *addresses,
                              uint32_t mask)
{
    int32_t stride;

    switch (kind) {
    case KIND_STRIDE:
        stride = (int32_t)addresses->stride;
        return put(put(at, &addresses->base, 8), &stride, sizeof stride);
    case KIND_DELTA: return put_deltas(at, addresses, mask);
    case KIND_LIST:
        for (uint32_t left = mask; left; left &= left - 1) {
            at = put(at, &addresses->lane[__builtin_ctz(left)], 8);
        }
        return at;
    default: return at;
    }
}

int sass_pack(struct sass_packed *packed, uint32_t entry, uint32_t mask,
              const struct sass_addresses *addresses, const struct isa_async *aside)
{
    const size_t list = aside ? aside->n * sizeof(uint64_t) : 0;
    const size_t most = RECORD_BYTES + (aside ? sizeof *aside : 0) + list;
    enum kind kind = kind_of(addresses, mask);
    uint32_t head = entry | (uint32_t)kind << KIND_SHIFT | (mask != packed->mask ? NEW_MASK : 0u) |
                    (aside ? ASIDE : 0u);
    uint8_t *at;

    if (packed->max - packed->n < most) {
        size_t max = packed->max + packed->max / 2 + 16 * RECORD_BYTES + most;
        uint8_t *more = realloc(packed->bytes, max);

        if (!more) {
            return -1;
        }
        packed->bytes = more;
        packed->max = max;
    }
    at = put(packed->bytes + packed->n, &head, sizeof head);
    if (mask != packed->mask) {
        at = put(at, &mask, sizeof mask);
    }
    at = put_addresses(at, kind, addresses, mask);
    if (aside) {
        at = put(at, aside, sizeof *aside);
        at = list ? put(at, aside->address, list) : at;
    }
    packed->mask = mask;
    packed->n = (size_t)(at - packed->bytes);
    return 0;
}

uint32_t sass_pack_peek(const uint8_t *at, uint32_t *mask)
{
    uint32_t head;

    at = get(at, &head, sizeof head);
    if (head & NEW_MASK) {
        get(at, mask, sizeof *mask);
    }
    return head & ((1u << ENTRY_BITS) - 1);
}

const uint8_t *sass_unpack(const uint8_t *at, struct sass_record *record)
{
    uint32_t head, left;
    uint64_t address = 0;
    int32_t step = 0;
    enum kind kind;

    at = get(at, &head, sizeof head);
    if (head & NEW_MASK) {
        at = get(at, &record->mask, sizeof record->mask);
    }
    kind = (enum kind)(head >> KIND_SHIFT & 3);
    record->entry = head & ((1u << ENTRY_BITS) - 1);
    record->addressed = kind != KIND_NONE;
    if (kind == KIND_STRIDE || kind == KIND_DELTA) {
        at = get(at, &address, sizeof address);
    }
    if (kind == KIND_STRIDE) {
        at = get(at, &step, sizeof step);
    }
    for (left = kind == KIND_NONE ? 0 : record->mask; left; left &= left - 1) {
        if (kind == KIND_LIST) {
            at = get(at, &address, sizeof address);
        }
        record->address[__builtin_ctz(left)] = address;
        if (kind == KIND_DELTA && (left & (left - 1))) {
            at = get(at, &step, sizeof step);
        }
        address += (uint64_t)(int64_t)step;
    }
    record->has_aside = head & ASIDE;
    if (record->has_aside) {
        at = get(at, &record->aside, sizeof record->aside);
        record->aside.address = at;
        at += record->aside.n * sizeof(uint64_t);
    }
    return at;
}
