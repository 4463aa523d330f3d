/* keys.c - see keys.h. */
#include "sweep/keys.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct known_key {
    UT_hash_handle hh;
};

bool keys_new(struct keys *keys, size_t most)
{
    *keys = (struct keys){.slots = calloc(most + 1, sizeof *keys->slots)};
    return keys->slots != NULL;
}

void keys_free(struct keys *keys)
{
    HASH_CLEAR(hh, keys->table);
    free(keys->slots);
    *keys = (struct keys){.n = 0};
}

long keys_find(const struct keys *keys, const char *key)
{
    const struct known_key *found;
    HASH_FIND_STR(keys->table, key, found);
    return found != NULL ? found - keys->slots : -1;
}

size_t keys_add(struct keys *keys, const char *key)
{
    const long known = keys_find(keys, key);
    if (known >= 0) {
        return (size_t)known;
    }
    struct known_key *slot = &keys->slots[keys->n];
    HASH_ADD_KEYPTR(hh, keys->table, key, strlen(key), slot);
    return keys->n++;
}
