/* sass_header.h - the head of a kernel's trace: shape, resources, versions, windows.
 *
 * Works after the trace format, section 2, and the tracez format, section 4.  It must not know instructions.
 */
#ifndef WARPLOCK_SASS_HEADER_H
#define WARPLOCK_SASS_HEADER_H

#include "isa/isa.h"
#include "sass/sass_input.h"

enum { SASS_MAX_THREADS = 2048, SASS_MAX_WARPS = SASS_MAX_THREADS / ISA_LANES };

struct sass_header {
    char name[256];
    struct isa_dim3 grid, block;
    uint64_t blocks;                  /* of the grid */
    uint32_t threads, warps;          /* of a block */
    uint32_t shared_bytes, registers; /* per block; per thread */
    uint32_t binary_version, tracer_version;
    uint32_t table; /* sass_opcodes_version(binary_version) */
    bool modern;    /* tracer version 4 or later: immediates behind the addresses */
    bool valued;    /* version 6: register values behind those */
    bool lineinfo;  /* a source line in front of the PC */
    uint64_t stream;
    uint64_t shared_base, local_base; /* generic windows; 0: not known */
    uint32_t skip;                    /* fields in front of an instruction's PC */
    uint64_t kept_blocks; /* blocks that a cut left, in a line of this project's own; or 0 */
    /* Layout of local memory, in lines of this project's own (readers skip what they do not
     * know): device address, bytes of one thread, interleaving.  All 0 when absent. */
    uint64_t device_local_base;
    uint32_t local_bytes, local_granule_bytes;
};

/* Read up to and including the line that names the columns.  0, or -1 and the error. */
int sass_header_read(struct sass_input *in, struct sass_header *header);

/* Lanes of warp `warp` that exist. */
uint32_t sass_header_lanes(const struct sass_header *header, uint32_t warp);

#endif
