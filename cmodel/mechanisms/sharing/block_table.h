/* block_table.h - what is known of each block of memory, by its address: records of one size, zero
 * when new.  Grows; knows nothing of what a record holds. */
#ifndef WARPLOCK_SHARING_BLOCK_TABLE_H
#define WARPLOCK_SHARING_BLOCK_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct block_table {
    size_t record_bytes, n, slots; /* slots: a power of two, or 0 */
    uint64_t *key;                 /* block address + 1; 0: free */
    unsigned char *record;
};

/* An empty one; nothing is allocated before the first record. */
static inline void block_table_init(struct block_table *table, size_t record_bytes)
{
    *table = (struct block_table){.record_bytes = record_bytes};
}

/* The block's record, valid until the next call; a new one if there is none.  Ends the program when
 * out of memory. */
void *block_table_at(struct block_table *table, uint64_t block);
/* The record, or NULL. */
const void *block_table_find(const struct block_table *table, uint64_t block);
/* The record in a slot and its block, or NULL if the slot is free. */
const void *block_table_slot(const struct block_table *table, size_t slot, uint64_t *block);
void block_table_free(struct block_table *table);

#endif
