/* sm_async.h - what goes on in an SM without the warp that started it: groups of loads, bulk copies
 * and matrix multiplications, mbarriers, and what the CTAs of a cluster send each other.
 *
 * Works after isa.h (enum isa_async_kind).  An SM has it during a kernel that asks for it.  A warp
 * that waits is one that waits at a barrier, to the rest of the SM.  It must not know front ends.
 *
 * Documented choices:
 * - what an instruction does to an mbarrier takes effect when its shared access is over;
 * - groups of a warp complete in their order; one of bulk stores when its last request has left for
 *   the L1D, that is when shared memory has been read;
 * - a bulk copy's requests go past the L1D, 512 bytes a cycle into the LD/ST unit, one copy after
 *   the other;
 * - between SMs there are a port of cluster.bytes a cycle and a fixed time, no network.
 */
#ifndef WARPLOCK_MACHINE_SM_ASYNC_H
#define WARPLOCK_MACHINE_SM_ASYNC_H

#include "machine/sm/sm_private.h"

/* Make it for a kernel, or empty it; 0, or -1 when out of memory. */
int sm_async_start(struct sm *sm, bool wanted);
void sm_async_free(struct sm *sm);

/* CTA slot `at` has a new CTA; warp `slot` leaves. */
void sm_async_place(struct sm *sm, uint32_t at);
void sm_async_exit(struct sm *sm, uint32_t slot);

/* The warp has executed an ASYNC step; for how many cycles the pipe is taken, 0: its interval. */
uint32_t sm_async_issue(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_async *async);
/* A load that no register waits for issues; one is back. */
void sm_async_load(struct sm *sm, struct mem_inst *inst);
void sm_async_loaded(struct sm *sm, const struct mem_inst *inst);

/* What is due in this cycle; the next cycle in which something is. */
void sm_async_step(struct sm *sm);
uint64_t sm_async_next(const struct sm *sm);
/* In words, behind sm_describe(). */
void sm_async_describe(const struct sm *sm, char *out, size_t n_out);

#endif
