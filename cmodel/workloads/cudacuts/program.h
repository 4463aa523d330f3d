/* program.h - the program CUDA Cuts (Vineet and Narayanan 2008), form=cudacuts of cudacuts.c:
 * the launches of its cudaCutsAtomicOptimize, and what can be checked of a cut that it leaves.
 *
 * A round pushes in one launch and relabels in the next; a height is one above the lowest
 * neighbour of the round before, from 1 everywhere, and the host lifts none.  Cells on the
 * image's border take flow and never push: they are sinks of a kind.  It is over when twice no
 * cell's excess differed between two launches some rounds apart; that says nothing of what still
 * could flow, and comparing at rounds 110 and 220 never finds a difference, so there are at most
 * 230 rounds.
 *
 * Left out: the three launches that make the graph (the host makes it), images that do not fill
 * their CTAs, and what the program has but does not call here: a round's second push and the
 * stochastic variant.
 */
#ifndef WARPLOCK_WORKLOADS_CUDACUTS_PROGRAM_H
#define WARPLOCK_WORKLOADS_CUDACUTS_PROGRAM_H

#include "workloads/cudacuts/grid_flow.h"
#include "workloads/run.h"

/* All launches, on `now`, which is afterwards what they leave.  Checks what each kind of kernel
 * wrote from what it read, whatever the order of the CTAs. */
void program_run(struct run *run, struct grid_flow *now, uint32_t across, uint32_t down);

/* The flow is no more than that of augmenting paths in `reference` (a copy of `start`, which it
 * changes), and no less than what the first rounds' pushes send whatever their order. */
void program_check_flow(struct workload_result *result, const struct grid_flow *start,
                        const struct grid_flow *now, struct grid_flow *reference, int32_t *distance,
                        uint32_t *queue);

#endif
