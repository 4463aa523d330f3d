/* ptx_mem.c - execution of loads, stores and atomics (PTX ISA, "Data Movement and Conversion
 * Instructions", "State Spaces").
 *
 * Global and local accesses become a memop that the machine carries out; shared
 * memory is served here, constants and parameters in ptx_mem_const.c.  A generic access whose
 * lanes point into several spaces is issued once per space.
 */
#include "ptx/ptx_mem.h"

#include <stdio.h>
#include <string.h>

void ptx_lane_addresses(const struct ptx_exec *x, const struct ptx_op *op, uint64_t *addr)
{
    uint64_t offset = (uint64_t)op->immediate;
    if (op->src[0].bytes == 8) {
        const lane_u64 *base = ptx_lanes(x, op->src[0]);
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            addr[lane] = base[lane] + offset;
        }
    } else {
        const lane_u32 *base = ptx_lanes(x, op->src[0]);
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            addr[lane] = (uint32_t)(base[lane] + offset); /* shared addresses wrap at 32 bits */
        }
    }
}

static const char *space_name(uint8_t space)
{
    return space == ISA_SPACE_SHARED ? "shared" : space == ISA_SPACE_LOCAL ? "local" : "global";
}

/* The lanes of `mask` that are misaligned or outside [0, limit). */
static uint32_t illegal_lanes(uint32_t mask, const uint64_t *addr, uint32_t bytes, uint64_t limit,
                              uint32_t *outside)
{
    uint32_t misaligned = 0;
    *outside = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool out = addr[lane] >= limit || limit - addr[lane] < bytes;
        *outside |= out ? ptx_lane_bit[lane] : 0;
        misaligned |= (addr[lane] & (bytes - 1)) != 0 ? ptx_lane_bit[lane] : 0;
    }
    return *outside | misaligned;
}

/* The lanes that may go on when those of `illegal` cannot: none after a fault. */
static uint32_t leave_out(struct ptx_exec *x, uint32_t mask, uint32_t illegal, uint32_t outside,
                          const uint64_t *addr, uint32_t bytes, uint8_t space)
{
    uint32_t first = outside != 0 ? outside : illegal;
    unsigned long long at = addr[__builtin_ctz(first)];
    char what[96];
    if (outside != 0) {
        snprintf(what, sizeof(what), "%u-byte access at 0x%llx outside %s memory", bytes, at,
                 space_name(space));
    } else {
        snprintf(what, sizeof(what), "%u-byte access at misaligned address 0x%llx", bytes, at);
    }
    if (!x->step->checked) {
        ptx_fault(x, first, "%s", what);
        return 0;
    }
    x->step->refused |= illegal;
    snprintf(x->step->fault, sizeof(x->step->fault), "%s", what);
    x->step->active &= ~illegal;
    return mask & ~illegal;
}

uint32_t ptx_check_lanes(struct ptx_exec *x, uint32_t mask, const uint64_t *addr, uint32_t bytes,
                         uint64_t limit, uint8_t space)
{
    uint64_t any = 0;
    uint32_t outside, illegal;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        any |= (mask & ptx_lane_bit[lane]) != 0 ? addr[lane] : 0;
    }
    if ((any & (bytes - 1)) == 0 && limit >= bytes && any <= limit - bytes) {
        return mask; /* no address is above the union of all their bits */
    }
    illegal = illegal_lanes(mask, addr, bytes, limit, &outside);
    return illegal == 0 ? mask : leave_out(x, mask, illegal, outside, addr, bytes, space);
}

/* The piece takes its place in a register that has the others already. */
static void put_piece(struct ptx_exec *x, const struct ptx_op *op, const uint64_t *raw,
                      uint32_t mask)
{
    const lane_u32 *old = ptx_lanes(x, op->dst[0]);
    uint32_t r[ISA_LANES], shift = 8u * op->piece, bits = (1u << 8 * op->element_bytes) - 1;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = (old[lane] & ~(bits << shift)) | (uint32_t)raw[lane] << shift;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

void ptx_put_element(struct ptx_exec *x, const struct ptx_op *op, uint32_t e, uint64_t *raw,
                     uint32_t mask)
{
    uint32_t r[ISA_LANES], shift = 64u - 8u * op->element_bytes;
    if (op->mode == PTX_LOAD_PIECE) {
        put_piece(x, op, raw, mask);
        return;
    }
    uint32_t keep = op->mode == PTX_LOAD_NARROW
                        ? 0xffff
                        : UINT32_MAX; /* 16-bit registers stay zero-extended */
    for (unsigned lane = 0; op->element_signed && lane < ISA_LANES; lane++) {
        raw[lane] = (uint64_t)((int64_t)(raw[lane] << shift) >> shift);
    }
    if (op->dst[e].bytes == 8) {
        ptx_put64(x, op->dst[e], raw, mask);
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = (uint32_t)raw[lane] & keep;
    }
    ptx_put32(x, op->dst[e], r, mask);
}

uint64_t ptx_read_bytes(const uint8_t *from, uint32_t bytes)
{
    uint64_t value = 0;
    switch (bytes) {
    case 1: return *from;
    case 2: memcpy(&value, from, 2); return value;
    case 4: memcpy(&value, from, 4); return value;
    default: memcpy(&value, from, 8); return value;
    }
}

/* 32-bit elements to 32-bit registers: most loads. */
static void load_words(struct ptx_exec *x, const struct ptx_op *op, uint32_t e,
                       const uint8_t *const *from, uint32_t mask)
{
    uint32_t r[ISA_LANES] = {0};
    for (unsigned lane = 0; mask == UINT32_MAX && lane < ISA_LANES; lane++) {
        memcpy(&r[lane], from[lane] + e * 4, 4);
    }
    for (uint32_t rest = mask == UINT32_MAX ? 0 : mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memcpy(&r[lane], from[lane] + e * 4, 4);
    }
    ptx_put32(x, op->dst[e], r, mask);
}

void ptx_load_from(struct ptx_exec *x, const struct ptx_op *op, const uint8_t *const *from,
                   uint32_t mask)
{
    uint64_t raw[ISA_LANES];
    for (uint32_t e = 0; e < op->n_elements; e++) {
        if (op->element_bytes == 4 && op->dst[e].bytes == 4) {
            load_words(x, op, e, from, mask);
            continue;
        }
        memset(raw, 0, sizeof(raw));
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            raw[lane] = ptx_read_bytes(from[lane] + e * op->element_bytes, op->element_bytes);
        }
        ptx_put_element(x, op, e, raw, mask);
    }
}

void ptx_store_to(struct ptx_exec *x, const struct ptx_op *op, uint8_t *const *to, uint32_t mask)
{
    for (uint32_t e = 0; e < op->n_elements; e++) {
        const uint8_t *lanes = (const uint8_t *)ptx_lanes(x, op->src[e + 1]) + op->piece;
        uint32_t stride = op->src[e + 1].bytes, bytes = op->element_bytes;
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            uint8_t *at = to[lane] + e * bytes;
            if (bytes == 4) {
                memcpy(at, lanes + lane * stride, 4);
            } else if (bytes == 8) {
                memcpy(at, lanes + lane * stride, 8);
            } else {
                memcpy(at, lanes + lane * stride, bytes);
            }
        }
    }
}

static void store_to_memop(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint8_t *to[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        to[lane] = x->memop->data[lane];
    }
    ptx_store_to(x, op, to, mask);
}

static void issue_memop(struct ptx_exec *x, const struct ptx_op *op, const struct isa_inst *inst,
                        uint32_t mask)
{
    struct isa_memop *memop = x->memop;
    memop->inst = inst;
    memop->mask = mask;
    x->step->kind = ISA_STEP_MEMORY;
    if (x->launch->image->has_calls) {
        x->w->issue_offset[op - x->launch->image->ops] = x->w->frames[x->w->depth].offset;
    }
    if (inst->access == ISA_ACCESS_STORE) {
        store_to_memop(x, op, mask);
    } else if (inst->access != ISA_ACCESS_LOAD) {
        ptx_atomic_operands(x, op, mask);
    }
}

void ptx_mem_retire(struct ptx_exec *x, const struct ptx_op *op)
{
    const struct isa_inst *inst = ptx_inst_of_op(x, op);
    const uint8_t *from[ISA_LANES];
    if (inst->access != ISA_ACCESS_LOAD && inst->access != ISA_ACCESS_ATOMIC) {
        return;
    }
    if (op->n_elements == 1 && op->element_bytes == 4 && op->dst[0].bytes == 4) {
        uint32_t r[ISA_LANES];
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            memcpy(&r[lane], x->memop->data[lane], 4);
        }
        ptx_put32(x, op->dst[0], r, x->memop->mask);
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        from[lane] = x->memop->data[lane];
    }
    ptx_load_from(x, op, from, x->memop->mask);
}

static void copy_lanes(uint8_t (*to)[ISA_LANE_BYTES], uint8_t *const *at, uint32_t bytes,
                       uint32_t mask)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memcpy(to[lane], at[lane], bytes);
    }
}

static bool lanes_differ(uint8_t (*from)[ISA_LANE_BYTES], uint8_t *const *at, uint32_t bytes,
                         uint32_t mask)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (memcmp(from[lane], at[lane], bytes) != 0) {
            return true;
        }
    }
    return false;
}

static void access_shared(struct ptx_exec *x, const struct ptx_op *op, const struct isa_inst *inst,
                          uint32_t mask)
{
    struct isa_memop *memop = x->memop;
    uint8_t *at[ISA_LANES], before[ISA_LANES][ISA_LANE_BYTES];
    mask = ptx_check_lanes(x, mask, memop->addr, inst->bytes, x->w->place.shared_bytes,
                           ISA_SPACE_SHARED);
    if (mask == 0) {
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        at[lane] = (mask & ptx_lane_bit[lane]) != 0 ? x->w->place.shared + memop->addr[lane] : NULL;
    }
    memop->inst = inst;
    memop->space = ISA_SPACE_SHARED;
    memop->mask = mask;
    x->step->kind = ISA_STEP_SHARED;
    if (inst->access == ISA_ACCESS_LOAD) {
        ptx_load_from(x, op, (const uint8_t *const *)at, mask);
        return;
    }
    if (x->step->notice) {
        copy_lanes(before, at, inst->bytes, mask);
    }
    if (inst->access == ISA_ACCESS_STORE) {
        ptx_store_to(x, op, at, mask);
        if (x->step->checked) {
            store_to_memop(x, op, mask);
        }
    } else {
        ptx_atomic_at(x, op, inst, at, mask);
    }
    x->step->changed = x->step->notice && lanes_differ(before, at, inst->bytes, mask);
}

uint64_t ptx_local_address(const struct ptx_launch *launch, uint64_t warp_in_grid, unsigned lane,
                           uint64_t offset)
{
    return isa_local_address(launch->local_base, launch->image->local_granule_bytes,
                             launch->image->isa.local_bytes, warp_in_grid, lane, offset);
}

static void access_local(struct ptx_exec *x, const struct ptx_op *op, const struct isa_inst *inst,
                         uint32_t mask)
{
    struct isa_memop *memop = x->memop;
    mask = ptx_check_lanes(x, mask, memop->addr, inst->bytes, x->launch->image->isa.local_bytes,
                           ISA_SPACE_LOCAL);
    if (mask == 0) {
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        memop->addr[lane] = (mask & ptx_lane_bit[lane]) == 0
                                ? 0
                                : ptx_local_address(x->launch, x->w->warp_in_grid, lane,
                                                    memop->addr[lane]);
    }
    memop->space = ISA_SPACE_LOCAL;
    issue_memop(x, op, inst, mask);
}

static void access_global(struct ptx_exec *x, const struct ptx_op *op, const struct isa_inst *inst,
                          uint32_t mask)
{
    mask = ptx_check_lanes(x, mask, x->memop->addr, inst->bytes, PTX_GLOBAL_BYTES,
                           ISA_SPACE_GLOBAL);
    if (mask != 0) {
        x->memop->space = ISA_SPACE_GLOBAL;
        issue_memop(x, op, inst, mask);
    }
}

static uint8_t window_of(uint64_t addr)
{
    return addr - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES  ? ISA_SPACE_SHARED
           : addr - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES ? ISA_SPACE_LOCAL
                                                        : ISA_SPACE_GLOBAL;
}

/* The lanes of `mask` in the same space as its first lane; their addresses made relative to it. */
static uint32_t resolve_generic(uint64_t *addr, uint32_t mask, uint8_t *space)
{
    uint32_t same = 0;
    *space = window_of(addr[__builtin_ctz(mask)]);
    uint64_t base = *space == ISA_SPACE_SHARED  ? PTX_SHARED_WINDOW
                    : *space == ISA_SPACE_LOCAL ? PTX_LOCAL_WINDOW
                                                : 0;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        bool on = (mask & ptx_lane_bit[lane]) != 0 && window_of(addr[lane]) == *space;
        same |= on ? ptx_lane_bit[lane] : 0;
        addr[lane] = on ? addr[lane] - base : addr[lane];
    }
    return same;
}

void ptx_exec_access(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    ptx_lane_addresses(x, op, x->memop->addr);
    ptx_access_at(x, op, mask);
}

void ptx_access_at(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct isa_inst *inst = ptx_inst_of_op(x, op);
    uint8_t space = inst->space;
    uint32_t lanes = mask;
    if (space == ISA_SPACE_GENERIC) {
        lanes = resolve_generic(x->memop->addr, mask, &space);
        x->w->pending = mask & ~lanes;
        x->stay = x->w->pending != 0;
        x->step->active = lanes;
    }
    if (space == ISA_SPACE_SHARED) {
        access_shared(x, op, inst, lanes);
    } else if (space == ISA_SPACE_LOCAL) {
        access_local(x, op, inst, lanes);
    } else {
        access_global(x, op, inst, lanes);
    }
}
