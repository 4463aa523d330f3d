/* sass_launch_private.h - between the files of a launch. */
#ifndef WARPLOCK_SASS_LAUNCH_PRIVATE_H
#define WARPLOCK_SASS_LAUNCH_PRIVATE_H

#include <pthread.h>

#include "sass/sass_launch.h"
#include "sass/sass_pack.h"

/* A resident thread block: of text all its lines, of a container where they are; or what the first
 * reading kept of its warps. */
struct block {
    const struct sass_kept_warp *kept;
    struct sass_packed packed;
    struct sass_tracez_block entry;
    size_t begin[SASS_MAX_WARPS], end[SASS_MAX_WARPS];
    uint64_t first_warp; /* of the grid, for local memory */
    uint32_t live_warps; /* not ended */
};

struct sass_launch {
    const struct sass_kernel *kernel;
    struct sass_header again; /* the head, read over */
    struct sass_program *program;
    struct sass_reader reader;
    struct block *newest; /* the block whose warps are being started; theirs from then on */
    bool failed;          /* the input's error says why; every step is a fault */
    /* Warps of different SMs may come to the end of a sub-chunk at once. */
    pthread_mutex_t lock;
    struct sass_packed *packing; /* what is being read goes there */
};

struct warp {
    struct isa_warp isa; /* first: the machine sees only this */
    struct block *block;
    const uint8_t *at, *end;
    uint32_t mask;                        /* of the record before `at` */
    uint32_t pending;                     /* lanes of a generic access still to do; 0: none */
    uint64_t number;                      /* in the grid */
    uint64_t local_threads, local_thread; /* as the machine said; none: by the grid */
    /* Of a container: the sub-chunk at hand and the one before, of which the last instruction
     * may still be at work; how far they go. */
    struct sass_packed chunk[2];
    uint32_t turn;
    bool failed;
    struct sass_tracez_cursor cursor;
};

/* What the warp executes next, or that it is done. */
void sass_look_ahead(struct sass_launch *launch, struct warp *warp);

/* ---- sass_launch_step.c ---- */

/* The step function of struct isa_launch. */
void sass_warp_step(void *launch, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                    struct isa_memop *memop);

#endif
