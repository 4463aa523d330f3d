/* sass_kernel.h - one kernel of a trace, known after its file was looked through once.
 *
 * The first reading checks every line, finds the instructions with their static facts, the
 * spaces and the counts; the second (sass_launch.h) feeds the machine, block by block, out of what the
 * first has kept where that is all.
 * It must not know the machine.
 */
#ifndef WARPLOCK_SASS_KERNEL_H
#define WARPLOCK_SASS_KERNEL_H

#include "sass/sass_kept.h"
#include "sass/sass_program.h"
#include "sass/sass_reader.h"
#include "sass/sass_space.h"

/* What is not as it should be, and is taken nevertheless. */
struct sass_oddities {
    uint64_t lanes;       /* instructions with lanes that are not there or have exited: left out */
    uint64_t exits;       /* warps that end before all lanes have executed an EXIT */
    uint64_t foreign;     /* instructions out of the tables of other binary versions */
    uint64_t no_address;  /* memory instructions without addresses: no access */
    uint64_t no_values;   /* mbarrier instructions without values: plain shared accesses */
    uint64_t no_mbarrier; /* copies that do not say which mbarrier counts them */
    bool clusters;        /* the blocks' clusters contradict each other: run without */
};

void sass_oddities_add(struct sass_oddities *sum, const struct sass_oddities *more);

/* The blocks of one cluster. */
struct sass_cluster_shape {
    struct isa_dim3 shape;
    uint32_t blocks;  /* of a cluster; 1: no clusters */
    bool consecutive; /* in the file; else they are placed by their position in the grid */
};

struct sass_kernel {
    const char *path; /* of the file as found; not owned */
    struct sass_header header;
    struct sass_program program;
    struct isa_kernel isa;          /* what the machine sees */
    uint64_t instructions, unknown; /* executed by warps; of them taken for ALU instructions */
    uint64_t blocks, marks;         /* in the file; replay marks, which are no instructions */
    uint64_t accesses, bytes;       /* of memory instructions by lanes, and what they move */
    bool asynchronous;              /* has instructions that start what goes on by itself */
    struct sass_oddities odd;
    struct sass_cluster_shape cluster;
    struct sass_kept kept; /* all blocks, or none; up to options->keep_bytes */
    /* Local memory of a thread: offsets [local_low, local_low + local_bytes), interleaved over
     * the lanes in granules; local_base is its device address, set by the owner. */
    uint64_t local_low, local_base;
    uint64_t local_room; /* bytes from there on that nothing else uses */
    uint32_t local_bytes, local_granule_bytes;
};

struct sass_scan_options {
    const struct sass_opcodes *opcodes;
    enum sass_unknown unknown;
    bool streams_in_turn; /* kernels of different streams do not run at once */
    size_t keep_bytes;    /* of a kernel's records at most, for the second reading; 0: none */
    /* Optional: told now and then how much of the file has been read. */
    void (*progress)(void *self, const char *path, uint64_t bytes, uint64_t total);
    void *progress_self;
};

/* Look through what `in` is open on, to its end.  0, or -1 and the input's error; the kernel
 * must be freed either way. */
int sass_kernel_scan(struct sass_kernel *kernel, struct sass_input *in, struct sass_pages *pages,
                     const struct sass_scan_options *options);
void sass_kernel_free(struct sass_kernel *kernel);

/* The grid that is run: the kernel's, or a row of the blocks that the file has. */
struct isa_dim3 sass_kernel_grid(const struct sass_kernel *kernel);
/* Device memory that the local memory of all threads takes, bytes. */
uint64_t sass_kernel_local_total(const struct sass_kernel *kernel);

#endif
