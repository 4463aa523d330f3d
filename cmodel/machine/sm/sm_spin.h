/* sm_spin.h - what an SM notes for the watch for kernels that spin (gpu_spin.c): where warps were, what
 * they loaded, and whether anything changed since.
 *
 * Part of the inside of an SM (sm_private.h).
 */
#ifndef WARPLOCK_MACHINE_SM_SPIN_H
#define WARPLOCK_MACHINE_SM_SPIN_H

#include "machine/cache/values.h"
#include "machine/sm/sm.h"

/* For the watch for kernels that spin (gpu_spin.c). */
struct spin_warp {
    uint64_t digest; /* the warp's state when it was noted, and where it was */
    uint32_t pc;
    const struct isa_inst *op; /* its last memory instruction since, and the first lane's address */
    uint64_t address;
};

struct spin_watch {
    bool changed; /* memory that only this SM writes; this and the next are cleared by the watch */
    bool went_on; /* a warp or CTA came or went, a barrier opened, a warp read the clock */
    bool noting;
    uint64_t moved, returned; /* warps that have issued since; that were in the noted state again */
    uint64_t loaded;          /* warps whose `op` is set */
    struct spin_warp warp[SM_MAX_WARPS];
};

/* Where warps were and what they loaded since the watch looked (sm_round.c). */
struct sm_round {
    bool full;                    /* nothing of use can be noted */
    uint8_t *image[SM_MAX_WARPS]; /* a copy of the warp, or NULL */
    struct values values;
};

/* ---- sm_spin.c ---- */

/* A warp has issued while its state is noted; `op` is its access to memory, or NULL. */
void sm_spin_issued(struct sm *sm, uint32_t slot, const struct isa_memop *op);

/* ---- sm_round.c ---- */

/* A warp is about to issue while its state is noted.  A load or atomic has its bytes. */
void sm_round_issues(struct sm *sm, uint32_t slot);
void sm_round_loaded(struct sm *sm, const struct isa_memop *op);
void sm_round_free(struct sm *sm);

#endif
