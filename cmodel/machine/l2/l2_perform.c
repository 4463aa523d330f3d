/* l2_perform.c - what a request does to the bytes of its block, and the reply it becomes.
 *
 * Works after tabbakh2018-coherence 2.1 (atomics at the L2).  Serves L2 banks and the
 * host memory node.  It must not know tags or time.
 */
#include <string.h>

#include "machine/l2/atomic.h"
#include "machine/l2/l2.h"
#include "machine/sm/sm.h"

static void perform_atomic(struct msg *msg, uint8_t *block, uint64_t written[2], bool *changed)
{
    struct isa_memop *op = &msg->inst->op;
    uint8_t bytes = op->inst->bytes;

    for (uint32_t left = msg->lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t offset = (uint32_t)(op->addr[lane] & (BLOCK_BYTES - 1));
        uint8_t old[8];

        atomic_apply(op->inst->atom, op->inst->number, block + offset, op->data[lane],
                     op->data[lane] + 8, old);
        *changed |= memcmp(old, block + offset, bytes) != 0;
        memcpy(op->data[lane], old, sizeof old);
        bytes_span(written, offset, bytes);
    }
}

void l2_perform(struct msg *msg, const struct gpu_config *config, uint8_t *block,
                uint64_t written[2], bool *changed)
{
    uint32_t payload = 0;

    written[0] = written[1] = 0;
    switch (msg->type) {
    case MSG_WRITE:
        *changed = *changed || bytes_differ(block, msg->data, msg->bytes);
        bytes_copy(block, msg->data, msg->bytes);
        memcpy(written, msg->bytes, sizeof msg->bytes);
        msg->type = MSG_WRITE_ACK;
        break;
    case MSG_ATOMIC:
        perform_atomic(msg, block, written, changed);
        msg->type = MSG_ATOMIC_REPLY;
        if (msg->inst->returns) {
            payload = (uint32_t)__builtin_popcount(msg->lanes) * msg->inst->op.inst->bytes;
        }
        break;
    default:
        sector_bytes(msg->sectors, msg->bytes);
        bytes_copy(msg->data, block, msg->bytes);
        msg->type = MSG_READ_REPLY;
        payload = (uint32_t)__builtin_popcount(msg->sectors) * SECTOR_BYTES;
        break;
    }
    msg_size(msg, config, payload);
    msg->dest = msg->sm;
}

uint32_t l2_port_ticks(const struct msg *msg, const struct gpu_config *config)
{
    uint32_t bytes = (uint32_t)__builtin_popcount(msg->sectors) * SECTOR_BYTES;
    uint32_t ticks = (bytes + config->l2_port_bytes - 1) / config->l2_port_bytes;
    uint32_t lanes = 0;

    if (msg->type == MSG_ATOMIC) {
        lanes = ((uint32_t)__builtin_popcount(msg->lanes) + config->l2_atomic_lanes - 1) /
                config->l2_atomic_lanes;
    }
    ticks = lanes > ticks ? lanes : ticks;
    return ticks ? ticks : 1;
}
