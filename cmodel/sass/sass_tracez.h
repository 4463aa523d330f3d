/* sass_tracez.h - the container of a trace: its parts, its index, the frames of any warp.
 *
 * Works after the tracez format, sections 2 and 10.  Numbers of the file are checked
 * against the file before anything is asked for by them; the index is looked through once
 * and only where each block's entry begins is kept, so that memory does not grow with what a
 * kernel executed.  Frames are read and decoded one at a time, wherever they are.  It must not
 * know what lines mean.
 */
#ifndef WARPLOCK_SASS_TRACEZ_H
#define WARPLOCK_SASS_TRACEZ_H

#include <stdbool.h>

#include "sass/sass_input.h"

enum {
    TRACEZ_WARPS = 64,              /* of a block */
    TRACEZ_HEAD_BYTES = 1 << 20,    /* head and dictionary, each */
    TRACEZ_FRAME_TEXT = 256u << 20, /* what a frame may decode to */
    TRACEZ_ENTRY_BYTES = 64u << 20, /* an entry of the index */
    TRACEZ_BLOCK_BYTES = 44,        /* fixed part of a block's entry */
    TRACEZ_WARP_BYTES = 16          /* of a warp's */
};

struct sass_cluster {
    struct isa_dim3 id, cta;
    uint32_t rank;
};

/* A block's entry in the index. */
struct sass_tracez_block {
    struct isa_dim3 at;
    struct sass_cluster cluster;
    uint32_t n_warps;
    struct sass_tracez_warp {
        uint32_t lines, n_chunks;
        const uint32_t *chunk_lines; /* [n_chunks] */
        uint64_t offset, end;        /* its record lies in [offset, end) */
    } warp[TRACEZ_WARPS];
    uint32_t *chunks; /* of all warps */
};

/* How far a warp has been read. */
struct sass_tracez_cursor {
    const struct sass_tracez_block *block;
    uint32_t warp, chunk;
    uint64_t offset, line; /* of the next frame; lines before it */
};

/* A container of `size` bytes, in an open file or, when that is -1, in memory; both stay the
 * caller's.  NULL when out of memory. */
struct sass_tracez *sass_tracez_new(int file, const uint8_t *memory, uint64_t size);
void sass_tracez_free(struct sass_tracez *tracez);
/* Check the layout and the index as far as they go without the head's meaning; the text of the
 * head goes to the caller.  0, or -1 and the input's error. */
int sass_tracez_open(struct sass_tracez *tracez, struct sass_input *in, char **head,
                     size_t *n_head);
/* The rest of it: every block in the grid, none twice, each of `warps` warps.  0, or -1. */
int sass_tracez_check(struct sass_tracez *tracez, struct sass_input *in, struct isa_dim3 grid,
                      uint32_t warps);

uint64_t sass_tracez_blocks(const struct sass_tracez *tracez);
/* Blocks come in the order of the grid. */
bool sass_tracez_ordered(const struct sass_tracez *tracez);
/* Entry `n` of the index, to be freed.  0, or -1 and the error. */
int sass_tracez_block(struct sass_tracez *tracez, struct sass_input *in, uint64_t n,
                      struct sass_tracez_block *block);
void sass_tracez_block_free(struct sass_tracez_block *block);

/* Go to the start of a warp, whose block must stay.  0, or -1 and the error. */
int sass_tracez_begin(struct sass_tracez *tracez, struct sass_input *in,
                      const struct sass_tracez_block *block, uint32_t warp,
                      struct sass_tracez_cursor *cursor);
/* The text of the next sub-chunk, which stays until the next call for any warp, and how many
 * lines the index says it has: 1; 0 at the end of the warp; -1 and the error. */
int sass_tracez_next(struct sass_tracez *tracez, struct sass_input *in,
                     struct sass_tracez_cursor *cursor, const char **from, const char **to,
                     uint32_t *lines);

#endif
