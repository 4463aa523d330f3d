/* hostmem.c - see hostmem.h. */
#include "machine/memory/hostmem.h"

#include "machine/l2/l2.h"
#include "machine/sm/sm.h"

int hostmem_init(struct hostmem *host, const struct gpu_config *config, struct memory *memory)
{
    *host = (struct hostmem){.config = config, .memory = memory, .wake = CYCLE_NEVER};
    return ring_init(&host->in, config->host_queue) || ring_init(&host->out, config->host_queue)
               ? -1
               : 0;
}

void hostmem_free(struct hostmem *host)
{
    ring_free(&host->in);
    ring_free(&host->out);
}

static void serve(struct hostmem *host, struct msg *msg, uint64_t now)
{
    uint32_t bytes = (uint32_t)__builtin_popcount(msg->sectors) * SECTOR_BYTES;
    uint64_t cost = ((uint64_t)bytes * host->config->clock_core_khz << 10) /
                    ((uint64_t)host->config->host_bandwidth_mbps * 1000);
    uint64_t start = host->free_q10 > now << 10 ? host->free_q10 : now << 10;
    uint8_t *block = memory_block(host->memory, msg->block);
    uint64_t written[2];

    host->free_q10 = start + cost;
    host->requests++;
    host->bytes += bytes;
    if (msg->type == MSG_COPYBACK || !block) {
        msg_release(msg);
        return;
    }
    l2_perform(msg, host->config, block, written, &host->changed);
    msg->ready_at = (host->free_q10 >> 10) + host->config->host_latency;
    ring_push(&host->out, msg);
    if (*host->reply_wake > msg->ready_at) {
        *host->reply_wake = msg->ready_at;
    }
}

bool hostmem_step(struct hostmem *host, uint64_t now)
{
    bool moved = false;

    while (host->in.count && ring_head(&host->in)->ready_at <= now && host->free_q10 >> 10 <= now &&
           !ring_full(&host->out)) {
        serve(host, ring_pop(&host->in), now);
        moved = true;
    }
    host->wake = CYCLE_NEVER;
    if (host->in.count) {
        uint64_t at = ring_head(&host->in)->ready_at, bus = host->free_q10 >> 10;

        at = at > bus ? at : bus;
        host->wake = at > now + 1 ? at : now + 1;
    }
    return moved;
}
