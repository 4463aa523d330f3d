/* sass_tracez_private.h - between the files of the container's reader. */
#ifndef WARPLOCK_SASS_TRACEZ_PRIVATE_H
#define WARPLOCK_SASS_TRACEZ_PRIVATE_H

#include <zstd.h>

#include "sass/sass_tracez.h"

enum {
    TRACEZ_LEAST_FRAME = 9,
    TRACEZ_LEAST_FILE = 21, /* 00, two sizes, no blocks, the index's offset */
    WINDOW_BYTES = 1 << 16
};

struct sass_tracez {
    int file;
    const uint8_t *memory;
    uint64_t size;
    uint64_t data, index, index_end; /* offsets: of the first record; of the index */
    uint32_t n_dictionary, n_blocks;
    uint64_t lines;  /* of all warps */
    uint64_t *entry; /* [n_blocks + 1] offsets of the blocks' entries */
    bool ordered;
    struct tracez_window {
        uint8_t *bytes;
        uint64_t from;
        size_t n, max;
    } window;
    /* The decoder. */
    ZSTD_DCtx *context;
    ZSTD_DDict *dictionary;
    uint32_t dictionary_id;
    uint8_t *packed;
    char *text;
    size_t max_packed, max_text;
};

/* Errors from here on are about byte `offset`.  -1. */
int tracez_fail_at(struct sass_input *in, uint64_t offset);
/* Bytes [offset, offset + n).  0, or -1 and the error. */
int tracez_read(struct sass_tracez *tracez, struct sass_input *in, uint64_t offset, void *to,
                size_t n);
uint32_t tracez_u32(const uint8_t *at);
uint64_t tracez_u64(const uint8_t *at);

/* `n` bytes of the index at `offset`, in a window that moves on.  NULL and the error. */
const uint8_t *tracez_window(struct sass_tracez *tracez, struct sass_input *in, uint64_t offset,
                             size_t n);
/* Check every entry of the index, and note where blocks begin.  0, or -1 and the error. */
int tracez_walk_index(struct sass_tracez *tracez, struct sass_input *in);

/* Read the dictionary at `offset`.  0, or -1 and the error. */
int tracez_decoder_init(struct sass_tracez *tracez, struct sass_input *in, uint64_t offset);
void tracez_decoder_free(struct sass_tracez *tracez);

#endif
