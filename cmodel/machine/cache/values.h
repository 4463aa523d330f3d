/* values.h - the values that words of memory had, for the watch for kernels that spin.
 *
 * A small set of (word, value): what does not fit, or is no whole word, makes it full, and it
 * says nothing any more.  It must not know whose memory it is, nor why anybody asks.
 */
#ifndef WARPLOCK_MACHINE_VALUES_H
#define WARPLOCK_MACHINE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

enum { VALUES_MAX = 128, VALUES_WORD_BYTES = 4 };

struct values {
    bool changed; /* a byte of memory got another value; gpu_spin.c clears it */
    bool full;
    uint32_t n;
    struct values_of {
        uint64_t address;
        uint32_t value;
    } at[VALUES_MAX];
};

/* The bytes at `address` are these now. */
void values_add(struct values *values, uint64_t address, const void *bytes, uint32_t n_bytes);

/* Empty; nothing is added any more unless it is `open`. */
static inline void values_clear(struct values *values, bool open)
{
    values->changed = false;
    values->full = !open;
    values->n = 0;
}

/* Add all of `from`. */
void values_merge(struct values *values, const struct values *from);

/* Add those of the word at `address` to the `n` in `found`, which has room for `most`, each once;
 * returns how many there are now. */
uint32_t values_find(const struct values *values, uint64_t address, uint32_t *found, uint32_t n,
                     uint32_t most);

#endif
