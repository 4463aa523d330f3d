/* sm_cluster.h - what the SMs of a cluster send each other, carried by the machine between cycles.
 *
 * It must not know what the messages mean.
 */
#ifndef WARPLOCK_MACHINE_SM_CLUSTER_H
#define WARPLOCK_MACHINE_SM_CLUSTER_H

#include "machine/sm/sm.h"

struct cluster_message;

/* CTA `cta`, just launched there, is one of `n`, which are on these SMs, by rank. */
void sm_cluster_place(struct sm *sm, uint64_t cta, uint32_t n, const uint32_t *sm_of);
/* The messages sent since the last call, until the next cycle of the SM. */
struct cluster_message *sm_cluster_messages(struct sm *sm, uint32_t *n);
/* Message `m` of those, the SM it goes to, and the cycle in which it gets there. */
uint32_t sm_cluster_to(const struct cluster_message *messages, uint32_t m);
uint64_t sm_cluster_receive(struct sm *sm, const struct cluster_message *messages, uint32_t m);

#endif
