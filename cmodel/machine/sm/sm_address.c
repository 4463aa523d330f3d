/* sm_address.c - may a kernel touch what a memory instruction addresses?
 *
 * An address that is not aligned to the access, or in no buffer, is a fault that names lane and
 * address.  It must not know what becomes of the access.
 */
#include <stdio.h>

#include "machine/sm/sm_private.h"

static void bad_address(struct sm *sm, const struct mem_inst *inst, uint32_t lane, const char *what)
{
    uint64_t address = inst->op.addr[lane];
    const struct memory_buffer *near = memory_nearest(sm->memory, address);
    static const char *const verbs[] = {"load", "store", "atomic"};
    char text[256], place[128] = "no buffer exists";

    if (near) {
        snprintf(place, sizeof place, "nearest buffer \"%s\" is 0x%llx..0x%llx", near->name,
                 (unsigned long long)near->base,
                 (unsigned long long)(near->base + near->bytes - 1));
    }
    snprintf(text, sizeof text, "%s of %u bytes at 0x%llx by lane %u %s; %s", verbs[inst->kind],
             inst->op.inst->bytes, (unsigned long long)address, lane, what, place);
    sm_fail(sm, inst->slot, inst->pc, text);
}

bool sm_is_aligned(struct sm *sm, const struct mem_inst *inst)
{
    uint64_t low = inst->op.inst->bytes - 1u, any = 0;

    if (inst->op.mask == UINT32_MAX) { /* most often; some vector instructions */
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            any |= inst->op.addr[lane];
        }
    } else {
        for (uint32_t left = inst->op.mask; left; left &= left - 1) {
            any |= inst->op.addr[__builtin_ctz(left)];
        }
    }
    if (!(any & low)) {
        return true;
    }
    for (uint32_t left = inst->op.mask; left; left &= left - 1) {
        if (inst->op.addr[__builtin_ctz(left)] & low) {
            bad_address(sm, inst, (uint32_t)__builtin_ctz(left), "is not aligned to its size");
            break;
        }
    }
    return false;
}

/* Only blocks at a buffer's end need a look at each lane. */
bool sm_is_allocated(struct sm *sm, const struct mem_inst *inst)
{
    const struct memory_buffer *buffer = NULL;

    for (uint32_t a = 0; a < inst->n; a++) {
        const struct mem_access *access = &inst->access[a];
        uint64_t room;

        if (!buffer || access->block - buffer->base >= buffer->bytes) {
            buffer = memory_find(sm->memory, access->block, &sm->ldst.buffer_hint);
        }
        room = buffer ? buffer->bytes - (access->block - buffer->base) : 0;
        if (room >= BLOCK_BYTES) {
            continue;
        }
        for (uint32_t left = access->lanes; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (inst->op.addr[lane] - access->block + inst->op.inst->bytes > room) {
                bad_address(sm, inst, lane, "is outside every buffer");
                return false;
            }
        }
    }
    return true;
}
