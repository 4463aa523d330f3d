/* cuda_space.h - the addresses of a CUDA program's device memory.
 *
 * A range of the process's own address space, below 2^40, is reserved and given out: a device
 * address is no host address of anything else, so a pointer alone says whose it is.  Memory that
 * host and device share (managed, pinned) has real pages there, and is made equal to the simulated
 * GPU's before and after a kernel.  Knows memory and how to read and write it, no CUDA call.
 */
#ifndef WARPLOCK_CUDA_SPACE_H
#define WARPLOCK_CUDA_SPACE_H

#include "machine/host/host_machine.h"

enum cuda_block_kind {
    CUDA_BLOCK_DEVICE,
    CUDA_BLOCK_MANAGED,
    CUDA_BLOCK_PINNED,
    CUDA_BLOCK_REGISTERED, /* memory of the program's, under a second address for kernels */
    CUDA_BLOCK_INTERNAL    /* module variables, local memory, heap: not the program's to free */
};

struct cuda_block {
    uint64_t base, bytes;
    enum cuda_block_kind kind;
    unsigned flags;  /* as given by the program */
    uint8_t *host;   /* shared: what the host sees; else NULL */
    uint8_t *shadow; /* what both sides agreed on last */
};

struct cuda_space {
    struct memory *memory;
    struct host_backend *backend;
    struct cuda_block *block; /* ascending by base */
    size_t n_blocks, max_blocks;
    uint64_t base, end;  /* the reserved range */
    uint64_t used, room; /* bytes given out; that may be */
    uint64_t fresh;      /* nothing above was ever given out */
};

/* Reserve the range.  0, or -1 when the process has no room below 2^40. */
int cuda_space_open(struct cuda_space *space, struct memory *memory, struct host_backend *backend,
                    uint64_t room);
void cuda_space_close(struct cuda_space *space);

/* `bytes` of memory; NULL when there is no room.  `host`: of REGISTERED.  The pointer is good until
 * the next allocation. */
struct cuda_block *cuda_space_take(struct cuda_space *space, const char *name, uint64_t bytes,
                                   enum cuda_block_kind kind, void *host);
void cuda_space_give(struct cuda_space *space, uint64_t base);

/* The block with the byte at `address`, or NULL. */
struct cuda_block *cuda_space_find(const struct cuda_space *space, uint64_t address);
/* The REGISTERED block that holds the program's own memory at `host`, or NULL. */
struct cuda_block *cuda_space_registered(const struct cuda_space *space, const void *host);

/* Make what the host changed known to the device, and the other way round. */
void cuda_space_to_device(struct cuda_space *space);
void cuda_space_to_host(struct cuda_space *space);

#endif
