/* prefetch_port.c - bursts of lines on their way to the L1D (caps-prefetch 3.8): one line
 * a cycle, two cycles after the event, through a queue of 16.  Time is caught up with when
 * somebody asks, so that an SM may sleep; what is answered does not depend on how often. */
#include <string.h>

#include "mechanisms/prefetch/prefetch.h"

void prefetch_port_reset(struct prefetch_port *port, uint64_t cycle)
{
    port->n_bursts = port->burst_head = 0;
    port->head = port->count = 0;
    port->cycle = cycle;
}

static void emit(struct prefetch_port *port, struct prefetch_burst *burst)
{
    const uint32_t at = (port->head + port->count++) % PREFETCH_QUEUE;
    port->line[at] = burst->line[burst->next];
    port->warp[at] = burst->warp[burst->next];
    if (++burst->next == burst->n) {
        port->burst_head = (port->burst_head + 1) % PREFETCH_BURSTS;
        port->n_bursts--;
    }
}

/* Carry out the emissions of all cycles up to and including `cycle`. */
static void advance(struct prefetch_port *port, uint64_t cycle)
{
    while (port->cycle < cycle && port->n_bursts > 0 && port->count < PREFETCH_QUEUE) {
        struct prefetch_burst *burst = &port->burst[port->burst_head];
        port->cycle = burst->ready_cycle > port->cycle + 1 ? burst->ready_cycle : port->cycle + 1;
        if (port->cycle > cycle) {
            break;
        }
        emit(port, burst);
    }
    port->cycle = cycle;
}

void prefetch_port_accept(struct prefetch_port *port, const struct prefetch_burst *burst,
                          uint64_t cycle)
{
    advance(port, cycle);
    if (burst->n == 0) {
        return;
    }
    if (port->n_bursts == PREFETCH_BURSTS) {
        port->bursts_dropped++;
        return;
    }
    struct prefetch_burst
        *to = &port->burst[(port->burst_head + port->n_bursts++) % PREFETCH_BURSTS];
    *to = *burst;
    to->next = 0;
    to->ready_cycle = cycle + PREFETCH_DELAY_CYCLES;
}

bool prefetch_port_peek(struct prefetch_port *port, uint64_t cycle, uint32_t *line, int32_t *warp)
{
    advance(port, cycle);
    if (port->count == 0) {
        return false;
    }
    *line = port->line[port->head];
    *warp = port->warp[port->head];
    return true;
}

void prefetch_port_pop(struct prefetch_port *port)
{
    port->head = (port->head + 1) % PREFETCH_QUEUE;
    port->count--;
}

bool prefetch_port_busy(const struct prefetch_port *port)
{
    return port->n_bursts > 0;
}
