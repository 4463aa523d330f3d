/* reads.h - what a machine of one SM reads of global memory: which instruction, for which lane, at which
 * address, whether a warp loads it or a mechanism in its place, and whether a load that is a move brings
 * the bytes that are in memory (lakshminarayana2014-graph 3.8).
 *
 * It stands around the injection at issue (machine/plug/sockets.h), or alone there, and must not know
 * which mechanism it watches.  A warp is told from another by its slot: CTAs must not follow each other
 * in one. */
#ifndef WARPLOCK_TEST_SPREF_READS_H
#define WARPLOCK_TEST_SPREF_READS_H

#include <stddef.h>
#include <stdint.h>

#include "machine/gpu.h"

struct reads {
    struct inject_socket inner; /* self NULL: nobody */
    struct core *core;
    struct memory *memory;
    bool moves[64]; /* by slot: the last answer to whether its next load is a move */
    uint64_t *at;   /* a number for each instruction, lane and address */
    size_t n, room;
    uint64_t wrong;     /* lanes of moves whose bytes are not those of memory */
    bool out_of_memory; /* some are missing */
};

/* Begin to watch; whoever is plugged in is so already, and stays until the machine is destroyed. */
void reads_watch(struct reads *reads, struct gpu *gpu);
void reads_free(struct reads *reads);

/* How many of `few` are not in `many`, each as often as there; both are sorted by it. */
size_t reads_missing(struct reads *few, struct reads *many);

#endif
