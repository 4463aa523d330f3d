/* memory.h - the content of device memory: a sparse paged 40-bit image with named buffers.
 *
 * See docs/architecture.md, "Data travels": this is what DRAM and host memory hold; caches
 * above it hold their own bytes.  It must not know about time.
 */
#ifndef WARPLOCK_GPU_MEMORY_H
#define WARPLOCK_GPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/memory/node.h"

struct memory_buffer {
    char name[48];
    uint64_t base, bytes;
};

struct memory;

/* NULL when out of memory. */
struct memory *memory_create(void);
void memory_destroy(struct memory *memory);

/* A zeroed buffer; `align_bytes` a power of two, raised to at least 256.  Returns its
 * address, or 0 when the 40-bit space or the table of buffers is exhausted. */
uint64_t memory_alloc(struct memory *memory, const char *name, uint64_t bytes,
                      uint64_t align_bytes);

/* The same at an address that the caller has chosen, a multiple of 256 outside all others; its
 * bytes are what they were, zero at first.  0, or -1. */
int memory_place(struct memory *memory, const char *name, uint64_t base, uint64_t bytes);
/* Forget the buffer at `base`, and the bytes of the pages that it had to itself. */
void memory_remove(struct memory *memory, uint64_t base);

/* Make the whole 40-bit space one buffer whose bytes are not kept: for programs that have
 * addresses but no values.  Before any other buffer; 0, or -1 when out of memory. */
int memory_without_values(struct memory *memory, const char *name);

/* The buffer whose bytes include `address`, or NULL.  Constant time for runs of
 * neighbours: `*hint` remembers the last answer (start it with 0). */
const struct memory_buffer *memory_find(const struct memory *memory, uint64_t address,
                                        uint32_t *hint);
/* Buffer number `i`, ascending by address, or NULL when there are fewer. */
const struct memory_buffer *memory_buffer_at(const struct memory *memory, uint32_t i);
/* The buffer closest to `address`, or NULL when there is none. */
const struct memory_buffer *memory_nearest(const struct memory *memory, uint64_t address);

/* The storage of the aligned 128-byte block, made on demand.  NULL when out of memory. */
uint8_t *memory_block(struct memory *memory, uint64_t block);

void memory_read(struct memory *memory, uint64_t address, void *to, uint64_t bytes);
void memory_write(struct memory *memory, uint64_t address, const void *from, uint64_t bytes);

/* Node of a 4 KiB page, and whether any page is not on the GPU. */
enum memory_node memory_node_of(const struct memory *memory, uint64_t address);
void memory_set_node(struct memory *memory, uint64_t address, enum memory_node node);
/* As if memory_set_node had not been called for the page. */
void memory_forget_node(struct memory *memory, uint64_t address);
/* Has memory_set_node been called for the page? */
bool memory_is_placed(const struct memory *memory, uint64_t address);
bool memory_has_remote(const struct memory *memory);
/* While it is closed no page is open; else those that are placed. */
void memory_close(struct memory *memory, bool closed);
bool memory_is_closed(const struct memory *memory);
bool memory_is_open(const struct memory *memory, uint64_t address);

/* Note when pages are used that are placed from now on: in that cycle, at any time and from any thread;
 * without memory_note_use nothing happens, and the last use is cycle 0. */
void memory_note_use(struct memory *memory);
void memory_use(const struct memory *memory, uint64_t address, uint64_t cycle);
uint64_t memory_last_use(const struct memory *memory, uint64_t address);

#endif
