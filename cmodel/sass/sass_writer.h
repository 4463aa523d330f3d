/* sass_writer.h - the file of one kernel's trace, as text or as a container.
 *
 * Works after the trace format, sections 2 and 3, and the tracez format, sections 2 and 3.  Lines are
 * written as they come; of a container the index goes to a temporary file until the end.  It
 * must not know what lines mean.
 */
#ifndef WARPLOCK_SASS_WRITER_H
#define WARPLOCK_SASS_WRITER_H

#include "sass/sass_tracez.h"

enum { SASS_CHUNK_LINES = 2048 };

struct sass_writer;

struct sass_writer_options {
    const char *head; /* its lines, to the one that names the columns */
    size_t n_head;
    bool clusters;          /* of text: say each block's cluster */
    const void *dictionary; /* of a container, for all its frames */
    size_t n_dictionary;
};

/* Does a path name a container? */
bool sass_writer_is_container(const char *path);
/* A new file; what stands behind the name decides the form, nothing is overwritten, and the path
 * is kept.  NULL and `path:1: what; remedy` in `error`. */
struct sass_writer *sass_writer_open(const char *path, const struct sass_writer_options *options,
                                     char *error, size_t n_error);
/* Finish the file, or, when `whole` is false or something could not be written, remove it.
 * 0, or -1 and the error. */
int sass_writer_close(struct sass_writer *writer, bool whole, char *error, size_t n_error);

/* In this order; what cannot be written or kept makes the close fail. */
void sass_writer_block(struct sass_writer *writer, struct isa_dim3 at,
                       const struct sass_cluster *cluster);
void sass_writer_warp(struct sass_writer *writer, uint32_t warp, uint64_t lines);
void sass_writer_line(struct sass_writer *writer, const char *from, const char *to);
void sass_writer_warp_end(struct sass_writer *writer);
void sass_writer_block_end(struct sass_writer *writer);

/* A dictionary of at most 64 KiB for frames like `text`, which is `n` samples of those sizes: its
 * bytes, 0 when it does not pay. */
size_t sass_writer_train(const char *text, const size_t *sizes, uint32_t n, void **dictionary);

#endif
