/* sm_fetch.h - the front end of an SM: fetch, decode, the warps' instruction buffers.
 *
 * A buffer has two places and is filled when both are empty.  A round decodes what the round before
 * fetched and fetches for one warp, in turn from the one after the last: its next two instructions.
 * With one round a cycle, what is fetched in cycle c can issue in c + 2; with more, in c + 1.  Warps
 * that have done everything leave when the search passes them.  A warp that misses in the instruction
 * cache is answered before any other is looked for.  The cache is asked for the address behind the
 * instruction that issued last, also when that was a jump: what comes is the right instruction, but
 * another block may have been brought for it.  It must not know what instructions do.
 */
#ifndef WARPLOCK_MACHINE_SM_FETCH_H
#define WARPLOCK_MACHINE_SM_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/sm/sm_icache.h"

enum { FETCH_WIDTH = 2, FETCH_WARPS = 64 };

struct fetch {
    uint64_t empty;   /* warps with an empty buffer that have not exited, nothing being fetched */
    uint64_t leaving; /* warps that have done everything */
    int fetched;      /* the warp whose instructions are to be decoded, or -1 */
    uint32_t last;    /* the warp fetched for last */
    uint8_t buffered[FETCH_WARPS];
    uint32_t next[FETCH_WARPS]; /* where a warp's next fetch looks: behind what it issued last */
    struct icache icache;
};

/* NULL when out of memory. */
struct fetch *sm_fetch_new(const struct gpu_config *config);
void sm_fetch_free(struct fetch *fetch);
/* A warp has come; has issued; has done everything. */
void sm_fetch_launch(struct sm *sm, uint32_t slot);
void sm_fetch_issued(struct sm *sm, uint32_t slot, uint32_t pc);
void sm_fetch_leave(struct sm *sm, uint32_t slot);
/* One cycle. */
void sm_fetch_step(struct sm *sm);
static inline bool sm_fetch_idle(const struct fetch *fetch)
{
    return fetch->fetched < 0 && !(fetch->empty | fetch->leaving) && !fetch->icache.answers &&
           !fetch->icache.unsent;
}

#endif
