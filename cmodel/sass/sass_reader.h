/* sass_reader.h - the body of a kernel's trace: thread blocks, their warps, their lines.
 *
 * Works after the trace format, section 3.  Reads one thread block at a time and hands
 * each line to a sink; keeps nothing itself.  It must not know what the sink makes of it.
 */
#ifndef WARPLOCK_SASS_READER_H
#define WARPLOCK_SASS_READER_H

#include "sass/sass_header.h"
#include "sass/sass_program.h"

/* What one line says. */
struct sass_executed {
    uint32_t entry, mask;
    bool addressed; /* the addresses are set */
    struct sass_addresses addresses;
};

/* Each returns 0, or -1 and the input's error. */
struct sass_sink {
    void *self;
    int (*warp_begin)(void *self, struct sass_input *in, uint32_t warp);
    int (*executed)(void *self, struct sass_input *in, const struct sass_executed *executed);
    int (*warp_end)(void *self, struct sass_input *in, uint32_t warp);
};

struct sass_reader {
    struct sass_input *in;
    const struct sass_header *header;
    struct sass_program *program;
    bool finds;            /* instructions not met before are added; else the file has changed */
    struct isa_dim3 block; /* of the block read last */
};

/* The next thread block: 1; 0 at the end of the file; -1 and the error. */
int sass_read_block(struct sass_reader *reader, const struct sass_sink *sink);

#endif
