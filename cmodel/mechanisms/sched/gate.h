/* gate.h - a condition in front of a warp scheduler; listeners on an SM and its clock.
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

/* Put `policy` before every scheduler of `sm`; 0, or -1 with an error. */
int gate_attach(struct mechanism_context *context, struct sm *sm, const struct gate_policy *policy);
/* Something clocked with `sm`; 0, or -1 with an error. */
int gate_clock(struct mechanism_context *context, struct sm *sm,
               const struct clocked_socket *clocked);

/* Is the L1D's replacement policy still the machine's own?  0, or -1 with an error: only
 * one mechanism can replace it. */
int gate_policy_free(struct mechanism_context *context, const struct sm *sm);

/* Do loads leave the LD/ST unit in the order in which they issue?  0, or -1 with an error:
 * a mechanism that follows each of them cannot work beside a replay queue. */
int gate_loads_in_order(struct mechanism_context *context, const char *mechanism);

/* The warps of `sm` that wait at a CTA barrier, or for their own requests before one: a
 * limit on warps leaves them out, or it could wait for ever (D-SWL-2). */
static inline uint64_t gate_at_barrier(const struct sm *sm)
{
    return sm->wait_barrier | sm->drain_barrier;
}

#endif
