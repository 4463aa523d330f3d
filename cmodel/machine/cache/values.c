/* values.c - see values.h. */
#include "machine/cache/values.h"

#include <string.h>

static void add_word(struct values *values, uint64_t address, uint32_t value)
{
    for (uint32_t v = 0; v < values->n; v++) {
        if (values->at[v].address == address && values->at[v].value == value) {
            return;
        }
    }
    if (values->n == VALUES_MAX) {
        values->full = true;
        return;
    }
    values->at[values->n++] = (struct values_of){address, value};
}

void values_add(struct values *values, uint64_t address, const void *bytes, uint32_t n_bytes)
{
    values->full |= (address | n_bytes) % VALUES_WORD_BYTES != 0;
    for (uint32_t at = 0; at < n_bytes && !values->full; at += VALUES_WORD_BYTES) {
        uint32_t value;

        memcpy(&value, (const uint8_t *)bytes + at, sizeof value);
        add_word(values, address + at, value);
    }
}

void values_merge(struct values *values, const struct values *from)
{
    for (uint32_t v = 0; v < from->n && !values->full; v++) {
        add_word(values, from->at[v].address, from->at[v].value);
    }
}

static bool is_among(const uint32_t *found, uint32_t n, uint32_t value)
{
    while (n > 0) {
        if (found[--n] == value) {
            return true;
        }
    }
    return false;
}

uint32_t values_find(const struct values *values, uint64_t address, uint32_t *found, uint32_t n,
                     uint32_t most)
{
    for (uint32_t v = 0; v < values->n && n < most; v++) {
        if (values->at[v].address == address && !is_among(found, n, values->at[v].value)) {
            found[n++] = values->at[v].value;
        }
    }
    return n;
}
