/* sass_input.h - the lines of a trace file, decompressed as they are read, or the head of a
 * container (sass_tracez.h).
 *
 * Plain text, gzip, xz and zstd are told apart by their first bytes, not by name.
 * Nothing is unpacked to disk and no more than a buffer is held.  Also the one place
 * where errors are put into words.  It must not know what the lines mean.
 */
#ifndef WARPLOCK_SASS_INPUT_H
#define WARPLOCK_SASS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"

enum { SASS_LINE_BYTES = 1 << 17, SASS_PATH = 1024 };

struct sass_codec;
struct sass_tracez;

/* Where an error is in a .tracez container: a byte of the file and, inside a frame, the warp and
 * its line. */
struct sass_place {
    uint64_t offset, line; /* from 1; 0: not in a warp */
    struct isa_dim3 block;
    uint32_t warp;
};

struct sass_input {
    const char *path;               /* for messages; not owned */
    uint64_t line;                  /* of the last line given out, from 1 */
    uint64_t bytes_in, bytes_total; /* read of the file, and its size */
    const char *line_end;           /* of that line, with the blanks behind */
    struct sass_tracez *tracez;     /* the file is such a container: its lines are the head's */
    struct sass_place place;        /* there, of what is being looked at */
    /* Private. */
    int file; /* -1: all of it is in memory */
    bool ended;
    struct sass_codec *codec;
    const uint8_t *raw; /* as in the file */
    uint8_t *raw_owned; /* the same, NULL for bytes in memory */
    char *text;         /* decompressed */
    size_t at, end, text_bytes;
    char *error; /* receives "file:line: what; remedy" */
    size_t n_error;
};

/* Open a file; one that ends in .tracez is a container.  When it does not exist, name.gz, .xz and .zst are tried: `path` (SASS_PATH
 * bytes, kept by the input) then holds the name found.  0, or -1 and `error`, which later
 * errors use as well. */
int sass_input_open(struct sass_input *in, char *path, char *error, size_t n_error);
/* The same over bytes in memory, which must stay. */
int sass_input_memory(struct sass_input *in, const char *name, const void *bytes, size_t n,
                      char *error, size_t n_error);
/* Also after a failed open. */
void sass_input_close(struct sass_input *in);

/* The next line without its end and without blanks behind: 1 and [*from, *to), valid until
 * the next call; 0 at the end of the file; -1 and the error (damaged data, a line longer
 * than SASS_LINE_BYTES). */
int sass_input_line(struct sass_input *in, const char **from, const char **to);

/* Put "path:line: ..." into the error unless there is one already.  Returns -1. */
int sass_fail(struct sass_input *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A span of foreign text for a message: at most 40 characters, unprintable ones as '?'. */
struct sass_quote {
    char text[48];
};
struct sass_quote sass_quote(const char *from, const char *to);
/* Printable ASCII throughout; else the error names the byte.  0 or -1. */
int sass_check_text(struct sass_input *in, const char *from, const char *to);

#endif
