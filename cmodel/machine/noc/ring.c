/* ring.c - storage of a ring of packets.  See packet.h. */
#include <stdlib.h>

#include "machine/noc/packet.h"

int ring_init(struct ring *ring, uint32_t capacity)
{
    *ring = (struct ring){.slot = calloc(capacity, sizeof(struct packet *)), .capacity = capacity};
    return ring->slot ? 0 : -1;
}

void ring_free(struct ring *ring)
{
    free(ring->slot);
    ring->slot = NULL;
}
