/* atomic.h - the arithmetic of atomic operations on one location.
 *
 * Works after the PTX definition of atom and red; serves the L2, shared memory and the
 * untimed executor.  It must not know where it runs.
 */
#ifndef WARPLOCK_GPU_ATOMIC_H
#define WARPLOCK_GPU_ATOMIC_H

#include <stdint.h>

/* Bytes of a location of kind `number` (enum isa_number): 2, 4 or 8. */
uint8_t atomic_bytes(uint8_t number);

/* What memory holds after `atom` (enum isa_atom) when it held `old`.  Of a
 * compare-and-swap `operand` is compared and `swap` stored when equal.  Bits above the
 * kind's width are zero in and out. */
uint64_t atomic_result(uint8_t atom, uint8_t number, uint64_t old, uint64_t operand, uint64_t swap);

/* The same on bytes in memory; the old value is left in `old[8]`, zero-extended. */
void atomic_apply(uint8_t atom, uint8_t number, uint8_t *location, const uint8_t operand[8],
                  const uint8_t swap[8], uint8_t old[8]);

#endif
