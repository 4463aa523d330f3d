/* fatbin.h - reading the container of device code that nvcc puts into a program ("fat binary").
 *
 * A container is a header of 16 bytes and entries behind each other, each with PTX text or machine
 * code for one architecture, plain or compressed (LZ4 block, zstd frame).  Bytes come from outside
 * and nothing in them is trusted.
 */
#ifndef WARPLOCK_CUDA_FATBIN_H
#define WARPLOCK_CUDA_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_ELF = 2 };

enum {
    FATBIN_LZ4 = 0x2000,
    FATBIN_ZSTD = 0x8000,
    FATBIN_ARCHITECTURE = 0x100000, /* for one architecture only: sm_90a */
    FATBIN_FAMILY = 0x200000        /* for one family only: sm_100f */
};

struct fatbin_entry {
    uint32_t kind;         /* enum fatbin_kind, or another */
    uint32_t architecture; /* 75: sm_75, compute_75 */
    uint64_t flags;
    const uint8_t *payload; /* inside the container */
    uint64_t payload_bytes;
    uint32_t compressed_bytes; /* 0: not compressed */
    uint64_t bytes;            /* when unpacked; 0: not compressed */
};

/* The next entry at offset `*at` of a container of `n` bytes (as many as are known to be there),
 * `*at` 0 at first.  1: there is one; 0: that was all; -1 and one line in `error`. */
int fatbin_next(const uint8_t *container, size_t n, size_t *at, struct fatbin_entry *entry,
                char *error, size_t n_error);

/* Bytes of a container by its header, 16 of which must be there; 0: it is none. */
size_t fatbin_bytes(const uint8_t *container);

/* What a PTX entry says, without NULs at the end: `*n` characters and a NUL, to be freed.  NULL and
 * one line in `error`. */
char *fatbin_text(const struct fatbin_entry *entry, size_t *n, char *error, size_t n_error);

/* The bytes of an entry, unpacked: `*n` of them and a NUL, to be freed.  NULL and one line in `error`. */
char *fatbin_unpack(const struct fatbin_entry *entry, size_t *n, char *error, size_t n_error);

/* Which PTX (or machine code: `kind`) a GPU of compute capability `capability` (75) takes: the highest not above it, else
 * the lowest (`*above`), else one for another architecture only (`*foreign`).  0; 1 when there is
 * none; -1 and `error`. */
int fatbin_choose(const uint8_t *container, size_t n, enum fatbin_kind kind, uint32_t capability,
                  struct fatbin_entry *chosen, bool *above, bool *foreign, char *error,
                  size_t n_error);

#endif
