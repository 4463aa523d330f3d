/* gate.h - a condition in front of a warp scheduler.
 *
 * A gate says which warps may compete (sockets.h "qualify") and leaves the choice among
 * them to whatever scheduler was there before: the machine's own, or another mechanism's.
 * It works after wang2015 3.16 (Occlude AND-NOT Ready, then GTO) and 3.13 (D-SWL-2), and
 * knows no policy. */
#ifndef WARPLOCK_MECHANISMS_GATE_H
#define WARPLOCK_MECHANISMS_GATE_H

#include "mechanisms/mechanism.h"

/* What a gate asks of its policy; `number` is the scheduler's inside the SM. */
struct gate_policy {
    void *self;
    /* The slots that may issue, out of view->issuable.  Asked once per scheduler in every
     * cycle in which the SM is stepped. */
    uint64_t (*allow)(void *self, const struct sched_view *view, uint32_t number);
    void (*issued)(void *self, uint32_t slot); /* optional; before the instruction is carried out */
};

/* Put `policy` before every scheduler of `core`; 0, or -1 with an error. */
int gate_attach(struct mechanism_context *context, struct core *core,
                const struct gate_policy *policy);

/* A need of mechanisms that follow each load in the order of issue: no replay queue. */
bool gate_loads_in_order(const struct gpu_config *config);
#define GATE_LOADS_IN_ORDER \
    { \
        gate_loads_in_order, "loads must leave the LD/ST unit in the order in which they issue; " \
                             "set ldst.replay_queue=0, and l1d.banks=1" \
    }

/* The warps that wait at a CTA barrier, or for their own requests before one: a limit on warps
 * leaves them out, or it could wait for ever (D-SWL-2). */
static inline uint64_t gate_at_barrier(const struct core *core)
{
    const struct core_warps warps = core_warps(core);
    return warps.barrier | warps.draining;
}

/* The first `limit` of `n` slots, the oldest warp's first, that do not wait at a barrier. */
uint64_t gate_first(const struct core *core, const int8_t *slot_of_rank, uint32_t n,
                    uint32_t limit);
/* Those of scheduler `number`. */
uint64_t gate_oldest(const struct core *core, const struct sched_view *view, uint32_t number,
                     uint32_t limit);

#endif
