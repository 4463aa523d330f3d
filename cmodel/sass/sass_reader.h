/* sass_reader.h - the body of a kernel's trace: thread blocks, their warps, their lines.
 *
 * Works after the trace format, section 3, and the tracez format, sections 2 and 3.  Reads one thread
 * block at a time, from lines of text or out of a container, and hands each line to a sink;
 * keeps nothing itself.  It must not know what the sink makes of it.
 */
#ifndef WARPLOCK_SASS_READER_H
#define WARPLOCK_SASS_READER_H

#include "sass/sass_header.h"
#include "sass/sass_program.h"
#include "sass/sass_tracez.h"

/* What one line says. */
struct sass_executed {
    uint32_t entry, mask;
    bool addressed; /* the addresses are set */
    struct sass_addresses addresses;
    struct sass_bulk bulk; /* set when the entry is a bulk copy; the reader's */
    struct sass_tail tail; /* empty before version 4 */
};

/* Each returns 0, or -1 and the input's error; those that are NULL are left out. */
struct sass_sink {
    void *self;
    int (*block_begin)(void *self, struct sass_input *in, struct isa_dim3 at,
                       const struct sass_cluster *cluster);
    int (*warp_begin)(void *self, struct sass_input *in, uint32_t warp, uint64_t lines);
    /* A line as it stands in the file, marks included, with the blanks behind. */
    int (*line)(void *self, struct sass_input *in, const char *from, const char *to);
    /* What it says, unless it is a mark.  When NULL, lines are not taken apart. */
    int (*executed)(void *self, struct sass_input *in, const struct sass_executed *executed);
    int (*warp_end)(void *self, struct sass_input *in, uint32_t warp);
    int (*block_end)(void *self, struct sass_input *in);
};

/* How the line of an instruction began when it was met last, from PC to memwidth: warps mostly execute
 * the same with the same mask, so that most lines need not be taken apart so far. */
enum { SASS_KNOWN_STARTS = 256, SASS_KNOWN_BYTES = 112, SASS_MASK_DIGITS = 8 };
struct sass_known_start {
    uint32_t entry, mask;
    uint32_t next[2]; /* the entries that came after it */
    uint32_t n;       /* bytes; 0: none is known */
    uint32_t mask_at; /* the mask's eight digits among them; 0: it has others */
    char text[SASS_KNOWN_BYTES];
};

struct sass_reader {
    struct sass_input *in;
    const struct sass_header *header;
    struct sass_program *program;
    bool finds;            /* instructions not met before are added; else the file has changed */
    uint64_t block_number; /* of a container: the block to be read next */
    struct isa_dim3 block; /* of the block read last */
    struct sass_cluster cluster;
    uint64_t marks; /* replay marks so far, which are no instructions */
    /* Private: of the warp at hand. */
    bool replaying, holds;
    struct sass_executed now, held; /* held: the first of two lines of one LDGSTS */
    struct sass_known_start known[SASS_KNOWN_STARTS]; /* by the low bits of an entry */
};

/* The next thread block: 1; 0 at the end of the file; -1 and the error. */
int sass_read_block(struct sass_reader *reader, const struct sass_sink *sink);
/* Lines [from, to) of a container's sub-chunk, which are to be `lines`.  0, or -1. */
int sass_read_chunk(struct sass_reader *reader, const struct sass_sink *sink, const char *from,
                    const char *to, uint32_t lines);
/* Between warps, when the caller reads their chunks. */
void sass_reader_begin_warp(struct sass_reader *reader);
int sass_reader_end_warp(struct sass_reader *reader, const struct sass_sink *sink);
/* Release what the reader holds. */
void sass_reader_free(struct sass_reader *reader);

#endif
