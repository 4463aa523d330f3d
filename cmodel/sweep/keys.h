/* keys.h - keys of runs, each once, numbered from 0 in the order in which they came. */
#ifndef WARPLOCK_SWEEP_KEYS_H
#define WARPLOCK_SWEEP_KEYS_H

#include <stdbool.h>
#include <stddef.h>

struct known_key;
struct keys {
    struct known_key *slots, *table; /* owned */
    size_t n;
};

/* For at most `most` keys; false: out of memory. */
bool keys_new(struct keys *keys, size_t most);
void keys_free(struct keys *keys);
/* The key's number: `n` as it was where the key is new.  The text stays the caller's, and must stay. */
size_t keys_add(struct keys *keys, const char *key);
/* Its number, or -1. */
long keys_find(const struct keys *keys, const char *key);

#endif
