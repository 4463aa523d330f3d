/* coalesce.h - the memory access coalescing unit: lanes to 128-byte block requests.
 *
 * Works after wang2015-divergence 3.1 and A.3 (D-BASE-1: blocks in ascending order of
 * their lowest lane).  It must not know about caches or time.
 */
#ifndef WARPLOCK_GPU_COALESCE_H
#define WARPLOCK_GPU_COALESCE_H

#include "machine/sm/sm_private.h"

/* Fill inst->access[] and inst->n from inst->op.  Accesses must be aligned to their size. */
void coalesce(struct mem_inst *inst);

/* The same by segments of so many bytes, in the order of their lowest lanes.  `apart`, with those of
 * a sector: a request serves a byte for one lane only. */
void coalesce_segments(struct mem_inst *inst, uint32_t bytes, bool apart);
/* Its requests from the highest address down. */
void coalesce_descending(struct mem_inst *inst);

/* Passes that a warp's shared memory access takes: the largest number of distinct
 * four-byte words in one bank (a word read by several lanes is broadcast). */
uint32_t coalesce_shared_passes(const struct isa_memop *op, uint32_t banks);
/* The same when of a lane only its first word counts, and atomics are loads. */
uint32_t coalesce_shared_first_words(const struct isa_memop *op, uint32_t banks);

#endif
