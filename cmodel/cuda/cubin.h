/* cubin.h - what the machine code beside a program's PTX says of its kernels: registers of a thread.
 *
 * Machine code is an ELF file; its section .nv.info has a record for each kernel.  Bytes come from
 * outside and nothing in them is trusted.
 */
#ifndef WARPLOCK_CUDA_CUBIN_H
#define WARPLOCK_CUDA_CUBIN_H

#include <stddef.h>
#include <stdint.h>

/* One kernel or device function; the name is good during the call. */
typedef void cubin_each_fn(void *context, const char *name, uint32_t registers);

/* Call `each` for every one that the ELF file of `n` bytes tells of.  How many; 0 when it is none, or
 * says nothing. */
size_t cubin_registers(const uint8_t *elf, size_t n, cubin_each_fn *each, void *context);

#endif
