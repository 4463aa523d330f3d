/* sass_writer_private.h - between the files of the writer. */
#ifndef WARPLOCK_SASS_WRITER_PRIVATE_H
#define WARPLOCK_SASS_WRITER_PRIVATE_H

#include <stdio.h>

#include "sass/sass_writer.h"

struct tracez_writer;

struct sass_writer {
    const char *path;
    FILE *file;
    bool clusters;
    bool failed;
    uint32_t warps;                  /* of the block at hand, so far */
    struct tracez_writer *container; /* NULL: text */
};

/* The parts of a container; NULL and errno, or `failed` of the writer. */
struct tracez_writer *tracez_writer_new(struct sass_writer *writer,
                                        const struct sass_writer_options *options);
void tracez_writer_free(struct tracez_writer *container);
void tracez_writer_block(struct sass_writer *writer, struct isa_dim3 at,
                         const struct sass_cluster *cluster);
void tracez_writer_warp(struct sass_writer *writer);
void tracez_writer_line(struct sass_writer *writer, const char *from, const char *to);
void tracez_writer_warp_end(struct sass_writer *writer);
void tracez_writer_block_end(struct sass_writer *writer);
void tracez_writer_finish(struct sass_writer *writer);

#endif
