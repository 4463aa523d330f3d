/* block_table.c - see block_table.h: open addressing, at most half full. */
#include "mechanisms/sharing/block_table.h"

#include <stdio.h>
#include <stdlib.h>

static size_t slot_of(const struct block_table *table, uint64_t block)
{
    size_t slot = (size_t)(block / 128 * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (table->slots - 1);
    while (table->key[slot] != 0 && table->key[slot] != block + 1) {
        slot = (slot + 1) & (table->slots - 1);
    }
    return slot;
}

static void *record_at(const struct block_table *table, size_t slot)
{
    return table->record + slot * table->record_bytes;
}

static void grow(struct block_table *table)
{
    const struct block_table old = *table;
    table->slots = old.slots == 0 ? 1024 : old.slots * 2;
    table->key = calloc(table->slots, sizeof *table->key);
    table->record = calloc(table->slots, table->record_bytes);
    if (table->key == NULL || table->record == NULL) {
        fputs("warplock: out of memory for the statistics of sharing\n", stderr);
        exit(EXIT_FAILURE);
    }
    for (size_t slot = 0; slot < old.slots; slot++) {
        if (old.key[slot] != 0) {
            const size_t to = slot_of(table, old.key[slot] - 1);
            const unsigned char *from = record_at(&old, slot);
            unsigned char *into = record_at(table, to);
            table->key[to] = old.key[slot];
            for (size_t byte = 0; byte < table->record_bytes; byte++) {
                into[byte] = from[byte];
            }
        }
    }
    free(old.key);
    free(old.record);
}

void *block_table_at(struct block_table *table, uint64_t block)
{
    if (2 * (table->n + 1) > table->slots) {
        grow(table);
    }
    const size_t slot = slot_of(table, block);
    table->n += table->key[slot] == 0;
    table->key[slot] = block + 1;
    return record_at(table, slot);
}

const void *block_table_find(const struct block_table *table, uint64_t block)
{
    if (table->slots == 0) {
        return NULL;
    }
    const size_t slot = slot_of(table, block);
    return table->key[slot] == 0 ? NULL : record_at(table, slot);
}

const void *block_table_slot(const struct block_table *table, size_t slot, uint64_t *block)
{
    *block = table->key[slot] - 1;
    return table->key[slot] == 0 ? NULL : record_at(table, slot);
}

void block_table_free(struct block_table *table)
{
    free(table->key);
    free(table->record);
}
