/* ptx_async.h - copies from global to shared memory that a warp does not wait for, and mbarriers.
 * Private to ptx/ (PTX ISA, "Asynchronous Data Copy Instructions", "mbarrier").
 *
 * A copy is a load that the machine carries out; its bytes are in shared memory when the machine
 * retires it.  Groups of copies are counted by the machine.  An mbarrier is one 64-bit word of shared
 * memory, which every operation reads and changes at once, lane by lane.
 */
#ifndef WARPLOCK_PTX_ASYNC_H
#define WARPLOCK_PTX_ASYNC_H

#include "ptx/ptx_lower.h"
#include "ptx/ptx_mem.h"

/* Lanes of an operand, extended by zeros. */
uint64_t ptx_lane_value(const struct ptx_exec *x, struct ptx_ref ref, unsigned lane);

/* The bytes of a copy have come; mbarriers that wait for it and those before it learn that. */
void ptx_copy_arrives(struct ptx_exec *x, const struct isa_memop *memop);
/* Release what a warp knows of its copies. */
void ptx_copies_end(struct ptx_warp *w);
uint64_t ptx_copies_digest(const struct ptx_warp *w, uint64_t digest);

/* When all of the warp's copies so far are there, one arrival for each lane of `mask` at the mbarrier
 * that `address` names in shared memory; false when out of memory. */
bool ptx_copies_then_arrive(struct ptx_exec *x, uint32_t mask, const uint64_t *address);
/* One arrival at the mbarrier at `word`; false when it expects none. */
bool ptx_mbarrier_arrive(uint8_t *word);

/* `bytes` of those awaited at the mbarrier at `word` have come. */
void ptx_mbarrier_bytes(uint8_t *word, uint32_t bytes);

/* A piece of a bulk copy to shared memory has come. */
void ptx_bulk_arrives(struct ptx_warp *w, const struct isa_memop *memop);
void ptx_bulks_end(struct ptx_warp *w);
uint64_t ptx_bulks_digest(const struct ptx_warp *w, uint64_t digest);

void ptx_lower_mbarrier_arrive_copies(struct ptx_lower *lw); /* cp.async.mbarrier.arrive */
void ptx_lower_bulk(struct ptx_lower *lw);                   /* cp{.reduce}.async.bulk */
/* What closes a group of copies or waits for groups of those `units` (isa.h); false where it is neither. */
bool ptx_lower_group(struct ptx_lower *lw, uint8_t units);

#endif
