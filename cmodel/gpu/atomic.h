/* atomic.h - the arithmetic of atomic operations on one location.
 *
 * Works after the PTX definition of atom and red.  It must not know where it runs.
 */
#ifndef WARPLOCK_GPU_ATOMIC_H
#define WARPLOCK_GPU_ATOMIC_H

#include <stdint.h>

/* Apply `atom` (enum isa_atom) on values of kind `number` (enum isa_number) to the
 * `bytes` (2, 4 or 8) at `location`, with `operand` and, for compare-and-swap, the new
 * value `swap` (`operand` is then the value compared with).  The old value is left in
 * `old[8]`, zero-extended. */
void atomic_apply(uint8_t atom, uint8_t number, uint8_t bytes, uint8_t *location,
                  const uint8_t operand[8], const uint8_t swap[8], uint8_t old[8]);

#endif
