/* hostmem.h - the host memory node behind the GPU-CPU link, for page placement.
 *
 * Works after aci-iacm-blpp 2.4 and 3.17 (own bandwidth, own latency, not cached).  Messages to and from
 * all ports share the link, whose ways have a bandwidth each, and the memory's bus behind it.
 * It must not know who decides on placement.
 */
#ifndef WARPLOCK_GPU_HOSTMEM_H
#define WARPLOCK_GPU_HOSTMEM_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/cache/values.h"
#include "machine/memory/memory.h"
#include "machine/noc/message.h"

enum { HOST_MAX_PORTS = 16 };

struct hostmem {
    const struct gpu_config *config;
    struct memory *memory;
    struct ring in[HOST_MAX_PORTS], out[HOST_MAX_PORTS];
    uint32_t last;                       /* the port served last, for round robin */
    uint64_t free_q10;                   /* core cycle, in 1/1024, at which the bus is free */
    uint64_t link_down_q10, link_up_q10; /* the same of the link's two ways */
    uint64_t wake;
    struct values values; /* that words got, for gpu_spin.c */
    uint64_t requests, bytes;
    uint64_t down_bytes, up_bytes; /* over the link, headers included */
};

/* Returns 0, or -1 when out of memory. */
int hostmem_init(struct hostmem *host, const struct gpu_config *config, struct memory *memory);
void hostmem_free(struct hostmem *host);
/* One core cycle; true on progress. */
bool hostmem_step(struct hostmem *host, uint64_t now);
/* Requests at its ports; replies that the network has yet to take. */
uint32_t hostmem_waiting(const struct hostmem *host);
uint32_t hostmem_replies(const struct hostmem *host);

#endif
