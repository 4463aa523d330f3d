/* sass_kept.h - the blocks of a kernel as its first reading found them, kept for the second.
 *
 * A kernel whose records fit is read once; a larger one is read again while it runs, and so is a
 * container, of which only what is at work is unpacked.  It must not know what a record means.
 */
#ifndef WARPLOCK_SASS_KEPT_H
#define WARPLOCK_SASS_KEPT_H

#include "sass/sass_pack.h"
#include "sass/sass_reader.h"
#include "sass/sass_space.h"

/* Of one block; those of its warps are in `warp`, as many as the kernel's blocks have. */
struct sass_kept_warp {
    size_t begin, end; /* in packed.bytes */
};

struct sass_kept {
    size_t most_bytes; /* 0: nothing is kept, or not any more */
    uint32_t warps;    /* of a block */
    uint64_t n, max;   /* blocks */
    struct isa_dim3 *at;
    struct sass_kept_warp *warp; /* [n * warps] */
    struct sass_packed packed;
};

/* Blocks of so many warps will come, whose records may take so many bytes. */
void sass_kept_begin(struct sass_kept *kept, uint32_t warps, size_t most_bytes);
void sass_kept_free(struct sass_kept *kept);
/* When memory or room runs out all is forgotten. */
void sass_kept_block(struct sass_kept *kept, struct isa_dim3 at);
void sass_kept_warp(struct sass_kept *kept, uint32_t warp);
void sass_kept_line(struct sass_kept *kept, const struct sass_entry *entry,
                    const struct sass_executed *executed, const struct isa_async *aside);
void sass_kept_warp_end(struct sass_kept *kept, uint32_t warp);

/* The record of a line; `aside` may be NULL.  0, or -1 when out of memory. */
int sass_pack_line(struct sass_packed *packed, const struct sass_entry *entry,
                   const struct sass_executed *executed, const struct isa_async *aside);

#endif
