/* prefetch_orch.h - the scheduler of ORCH (caps-prefetch 3.14): two-level, consecutive
 * warps in different groups. */
#ifndef WARPLOCK_MECHANISMS_PREFETCH_ORCH_H
#define WARPLOCK_MECHANISMS_PREFETCH_ORCH_H

#include "machine/plug/sockets.h"

enum { ORCH_SLOTS = 64 };

struct orch {
    struct sched_socket base; /* keeps the age ranks */
    uint32_t ready_size;
    uint8_t rank[ORCH_SLOTS];
    uint64_t resident, pending;
    uint8_t ready[ORCH_SLOTS];
    uint32_t n_ready;
};

/* A socket around `orch`, whose base and ready_size are set.  It ranks warps that come; who sees
 * CTAs leave does it then. */
struct sched_socket orch_socket(struct orch *orch);

#endif
