/* ptx_atomic.h - the arithmetic of atomic operations (PTX ISA, "atom").
 *
 * One function for shared memory here, the reference executor and any machine
 * that performs atomics.  Knows bits only.
 */
#ifndef WARPLOCK_PTX_ATOMIC_H
#define WARPLOCK_PTX_ATOMIC_H

#include <stdint.h>

/* Bytes of an operand of `number` (enum isa_number): 2, 4 or 8. */
uint32_t ptx_atomic_bytes(uint8_t number);

/* The new value of memory holding `old`.  `atom`, `number`: enum isa_atom, enum isa_number.
 * CAS: `operand` is compared, `swap` stored when equal.  Unused upper bits are zero. */
uint64_t ptx_atomic(uint8_t atom, uint8_t number, uint64_t old, uint64_t operand, uint64_t swap);

#endif
