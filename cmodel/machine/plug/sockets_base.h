/* sockets_base.h - what the machine itself plugs into its sockets.
 *
 * Works after the baseline rows of the machine tables: set index linear or the Fermi
 * hash, LRU, GTO, loose round robin or two-level scheduling, whole-block fetches,
 * round-robin CTA dispatch, every page in GPU memory.
 */
#ifndef WARPLOCK_GPU_SOCKETS_BASE_H
#define WARPLOCK_GPU_SOCKETS_BASE_H

#include <stdint.h>

#include <stdbool.h>

#include "machine/plug/sockets.h"

struct gpu_config;

/* Fill an SM's or a bank's sockets; 0, or -1 when out of memory.  What is put there is freed at the
 * end, whoever has taken its place. */
int base_sm_sockets(struct sm_sockets *sockets, const struct gpu_config *config);
void base_sm_sockets_free(struct sm_sockets *sockets);
int base_bank_sockets(struct bank_sockets *sockets, const struct gpu_config *config);
void base_bank_sockets_free(struct bank_sockets *sockets);
/* The schedulers alone, anew. */
int base_sm_schedulers(struct sm_sockets *sockets, const struct gpu_config *config);

/* LRU over `sets` x `ways`: insert and promote to MRU, an invalid way first (lowest),
 * else the replaceable way closest to the LRU end (D-LRU-1, D-LRU-2).  The instance is
 * one block to be released with free().  Returns 0, or -1 when out of memory. */
int base_lru(struct policy_socket *socket, uint32_t sets, uint32_t ways);
/* The way at the LRU end, replaceable or not. */
uint32_t base_lru_oldest(const void *lru, uint32_t set);

/* kind: enum config_index; the instance is one block to be released with free(). */
int base_index(struct index_socket *socket, uint32_t kind, uint32_t sets);

/* A scheduler of warp slots w with w mod n_schedulers == number. */
int base_scheduler(struct sched_socket *socket, const struct gpu_config *config, uint32_t number);

/* Next linear id to the lowest SM with room; `socket->self` to be released with free(). */
int base_dispatch(struct dispatch_socket *socket);

#endif
