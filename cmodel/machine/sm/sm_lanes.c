/* sm_lanes.c - which bytes of a block the lanes of an access touch, and their bytes out of it.
 *
 * See docs/architecture.md, "Data travels".  It must not know where the block comes from.
 */
#include <string.h>

#include "machine/sm/sm_private.h"

void sm_lane_bytes(const struct isa_memop *op, uint32_t lanes, uint64_t bytes[2])
{
    for (; lanes; lanes &= lanes - 1) {
        bytes_span(bytes, (uint32_t)(op->addr[__builtin_ctz(lanes)] & (BLOCK_BYTES - 1)),
                   op->inst->bytes);
    }
}

/* `bytes`, a constant where the compiler can see it, of each lane. */
static inline void load_each(struct isa_memop *op, uint32_t lanes, const uint8_t *block,
                             uint32_t bytes)
{
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);

        memcpy(op->data[lane], block + (op->addr[lane] & (BLOCK_BYTES - 1)), bytes);
    }
}

void sm_load_bytes(const struct sm *sm, struct mem_inst *inst, uint32_t lanes, const uint8_t *block)
{
    if (!sm->valued) {
        return;
    }
    if (inst->op.inst->bytes == 4) {
        load_each(&inst->op, lanes, block, 4);
    } else {
        load_each(&inst->op, lanes, block, inst->op.inst->bytes);
    }
}
