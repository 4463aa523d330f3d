/* ptx_mem_const.c - execution of loads of constants and of accesses to parameters (PTX ISA,
 * "State Spaces"): served here, the machine sees none of them.
 */
#include "ptx/ptx_mem.h"

#include <string.h>

const uint8_t *ptx_const_at(const struct ptx_launch *launch, uint64_t address, uint32_t bytes)
{
    for (size_t i = 0; i < launch->n_constants; i++) {
        const struct ptx_const_bytes *c = &launch->constants[i];
        if (address >= c->address && address - c->address < c->bytes &&
            c->bytes - (address - c->address) >= bytes) {
            return c->data + (address - c->address);
        }
    }
    return NULL;
}

void ptx_exec_const(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint64_t addr[ISA_LANES];
    const uint8_t *from[ISA_LANES] = {0};
    uint32_t bytes = ptx_inst_of_op(x, op)->bytes;
    ptx_lane_addresses(x, op, addr);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        from[lane] = ptx_const_at(x->launch, addr[lane], bytes);
        if (from[lane] == NULL || (addr[lane] & (bytes - 1)) != 0) {
            ptx_fault(x, ptx_lane_bit[lane], "%u-byte access at 0x%llx %s", bytes,
                      (unsigned long long)addr[lane],
                      from[lane] == NULL ? "outside constant memory" : "is misaligned");
            return;
        }
    }
    ptx_load_from(x, op, from, mask);
}

/* The same launch parameter for every lane: most reads of parameters. */
static bool load_uniform_param(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint64_t at = *(const lane_u64 *)ptx_lanes(x, op->src[0]) + (uint64_t)op->immediate, value;
    if (!op->entry_params || op->src[0].base != PTX_BASE_POOL || op->src[0].bytes != 8 ||
        op->n_elements != 1 || op->element_bytes < 4 || op->element_bytes != op->dst[0].bytes ||
        at >= x->launch->n_params || x->launch->n_params - at < op->element_bytes) {
        return false;
    }
    value = ptx_read_bytes(x->launch->params + at, op->element_bytes);
    if (op->element_bytes == 8) {
        uint64_t r[ISA_LANES];
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            r[lane] = value;
        }
        ptx_put64(x, op->dst[0], r, mask);
    } else {
        uint32_t r[ISA_LANES];
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            r[lane] = (uint32_t)value;
        }
        ptx_put32(x, op->dst[0], r, mask);
    }
    return true;
}

/* Kernel parameters are one block for the launch; a function's are in its frame, lane by lane. */
void ptx_exec_param(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_image_function *f = &x->launch->image
                                              ->functions[x->w->frames[x->w->depth].function];
    const struct isa_inst *inst = ptx_inst_of_op(x, op);
    uint64_t addr[ISA_LANES], limit = op->entry_params ? x->launch->n_params : f->area_bytes;
    uint8_t *at[ISA_LANES] = {0};
    if (inst->access == ISA_ACCESS_LOAD && load_uniform_param(x, op, mask)) {
        return;
    }
    ptx_lane_addresses(x, op, addr);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (addr[lane] >= limit || limit - addr[lane] < inst->bytes) {
            ptx_fault(x, ptx_lane_bit[lane], "%u-byte access at 0x%llx outside the parameters",
                      inst->bytes, (unsigned long long)addr[lane]);
            return;
        }
        at[lane] = op->entry_params ? x->launch->params + addr[lane]
                                    : x->w->base[PTX_BASE_FRAME] + f->area_offset +
                                          lane * f->area_bytes + addr[lane];
    }
    if (inst->access == ISA_ACCESS_LOAD) {
        ptx_load_from(x, op, (const uint8_t *const *)at, mask);
    } else {
        ptx_store_to(x, op, at, mask);
    }
}
