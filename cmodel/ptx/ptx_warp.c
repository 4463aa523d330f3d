/* ptx_warp.c - a warp's life: start, step, retire, end; faults.
 *
 * Implements the functions of isa/isa.h over a lowered image.  Knows operations
 * only as functions to call.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_async.h"
#include "ptx/ptx_op_texture.h"

#define BIT4(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n)
const uint32_t ptx_lane_bit[ISA_LANES] = {BIT4(0),  BIT4(4),  BIT4(8),  BIT4(12),
                                          BIT4(16), BIT4(20), BIT4(24), BIT4(28)};
#undef BIT4

static uint32_t first_frame_offset(const struct ptx_image *image)
{
    return (image->specials_bytes + PTX_FRAME_ALIGN - 1) & ~(uint32_t)(PTX_FRAME_ALIGN - 1);
}

/* Room for special slots and the kernel's own frame. */
static uint32_t first_memory_bytes(const struct ptx_image *image)
{
    return first_frame_offset(image) + image->functions[0].frame_bytes;
}

/* Where the parts behind a warp's object lie, as offsets from it at an aligned address. */
struct layout {
    size_t memory, stack, frames, issue_offset, bytes;
};

static struct layout layout_of(const struct ptx_image *image)
{
    size_t align = PTX_FRAME_ALIGN - 1, n_frames = image->has_calls ? PTX_MAX_CALL_DEPTH + 1 : 1;
    struct layout at = {.memory = (sizeof(struct ptx_warp) + align) & ~align};
    at.frames = (at.memory + first_memory_bytes(image) + align) & ~align;
    at.stack = at.frames + n_frames * sizeof(struct ptx_frame);
    at.issue_offset = at.stack + PTX_MAX_STACK * sizeof(struct ptx_stack_entry);
    at.bytes = at.issue_offset + (image->has_calls ? image->n_ops * sizeof(uint32_t) : 0);
    return at;
}

size_t ptx_warp_bytes(const struct ptx_image *image)
{
    return layout_of(image).bytes + PTX_FRAME_ALIGN;
}

static void place_parts(const struct ptx_image *image, struct ptx_warp *w)
{
    struct layout at = layout_of(image);
    uint8_t *start = (uint8_t *)w;
    start += (0 - (uintptr_t)start) % PTX_FRAME_ALIGN;
    w->memory = start + at.memory;
    w->memory_bytes = first_memory_bytes(image);
    w->frames = (struct ptx_frame *)(void *)(start + at.frames);
    w->stack = (struct ptx_stack_entry *)(void *)(start + at.stack);
    w->issue_offset = (uint32_t *)(void *)(start + at.issue_offset);
}

bool ptx_warp_reserve(struct ptx_warp *w, uint64_t bytes)
{
    if (bytes <= w->memory_bytes) {
        return true;
    }
    uint64_t room = (bytes + bytes / 2 + PTX_FRAME_ALIGN - 1) & ~(uint64_t)(PTX_FRAME_ALIGN - 1);
    uint8_t *larger = room > UINT32_MAX ? NULL : aligned_alloc(PTX_FRAME_ALIGN, room);
    if (larger == NULL) {
        return false;
    }
    memset(larger, 0, room);
    memcpy(larger, w->memory, w->memory_bytes);
    if (w->memory_owned) {
        free(w->memory);
    }
    w->memory = larger;
    w->memory_owned = true;
    w->memory_bytes = (uint32_t)room;
    w->base[PTX_BASE_SPECIAL] = larger;
    w->base[PTX_BASE_FRAME] = larger + w->frames[w->depth].offset;
    return true;
}

struct isa_dim3 ptx_thread_of(const struct ptx_launch *launch, const struct ptx_warp *w,
                              unsigned lane)
{
    uint32_t linear = w->place.warp_in_cta * ISA_LANES + lane;
    const struct isa_dim3 *b = &launch->block;
    return (struct isa_dim3){linear % b->x, linear / b->x % b->y, linear / b->x / b->y};
}

static uint64_t special_value(const struct ptx_launch *l, const struct ptx_warp *w,
                              enum ptx_special special, unsigned lane, const struct isa_dim3 *tid)
{
    const struct isa_warp_place *p = &w->place;
    uint32_t bit = ptx_lane_bit[lane % ISA_LANES];
    switch (special) {
    case PTX_TID_X: return tid->x;
    case PTX_TID_Y: return tid->y;
    case PTX_TID_Z: return tid->z;
    case PTX_NTID_X: return l->block.x;
    case PTX_NTID_Y: return l->block.y;
    case PTX_NTID_Z: return l->block.z;
    case PTX_CTAID_X: return p->ctaid.x;
    case PTX_CTAID_Y: return p->ctaid.y;
    case PTX_CTAID_Z: return p->ctaid.z;
    case PTX_NCTAID_X: return l->grid.x;
    case PTX_NCTAID_Y: return l->grid.y;
    case PTX_NCTAID_Z: return l->grid.z;
    case PTX_LANEID: return lane;
    case PTX_WARPID: return p->warp_slot;
    case PTX_NWARPID: return 64;
    case PTX_SMID: return p->smid;
    case PTX_NSMID: return l->n_sms;
    case PTX_LANEMASK_EQ: return bit;
    case PTX_LANEMASK_LE: return bit | (bit - 1);
    case PTX_LANEMASK_LT: return bit - 1;
    case PTX_LANEMASK_GE: return ~(bit - 1);
    case PTX_LANEMASK_GT: return ~(bit | (bit - 1));
    case PTX_DYNAMIC_SMEM: return l->dynamic_shared_bytes;
    case PTX_TOTAL_SMEM: return l->image->isa.shared_bytes + l->dynamic_shared_bytes;
    case PTX_ENVREG1: return l->grid_sync >> 32;
    case PTX_ENVREG2: return (uint32_t)l->grid_sync;
    case PTX_RESERVED_BEGIN:
    case PTX_RESERVED_0:
    case PTX_RESERVED_1: return l->image->reserved_shared;
    case PTX_RESERVED_END: return l->image->reserved_shared + PTX_RESERVED_BYTES;
    case PTX_RESERVED_CAP: return PTX_RESERVED_BYTES;
    default: return 0; /* %gridid, the fourth components; clocks are read when they are moved */
    }
}

static bool differs_by_lane(enum ptx_special special)
{
    switch (special) {
    case PTX_TID_X:
    case PTX_TID_Y:
    case PTX_TID_Z:
    case PTX_LANEID:
    case PTX_LANEMASK_EQ:
    case PTX_LANEMASK_LE:
    case PTX_LANEMASK_LT:
    case PTX_LANEMASK_GE:
    case PTX_LANEMASK_GT: return true;
    default: return false;
    }
}

static void next_thread(struct isa_dim3 *tid, const struct isa_dim3 *block)
{
    if (++tid->x == block->x) {
        tid->x = 0;
        if (++tid->y == block->y) {
            tid->y = 0;
            tid->z++;
        }
    }
}

static void put_lane(uint8_t *slot, bool wide, unsigned lane, uint64_t value)
{
    if (wide) {
        ((lane_u64 *)(void *)slot)[lane] = value;
    } else {
        ((lane_u32 *)(void *)slot)[lane] = (uint32_t)value;
    }
}

/* first, first + step, first + 2 step, ... */
static void put_row(uint8_t *slot, bool wide, uint64_t first, unsigned step)
{
    lane_u64 *wide_lane = (lane_u64 *)(void *)slot;
    lane_u32 *narrow_lane = (lane_u32 *)(void *)slot;
    for (unsigned lane = 0; wide && lane < ISA_LANES; lane++) {
        wide_lane[lane] = first + lane * step;
    }
    for (unsigned lane = 0; !wide && lane < ISA_LANES; lane++) {
        narrow_lane[lane] = (uint32_t)first + lane * step;
    }
}

static void fill_specials(const struct ptx_launch *l, struct ptx_warp *w)
{
    for (uint32_t i = 0; i < l->image->n_specials; i++) {
        const struct ptx_special_slot *s = &l->image->specials[i];
        uint8_t *slot = w->base[PTX_BASE_SPECIAL] + s->offset;
        bool wide = ptx_type_bytes(ptx_special_info(s->special)->type) == 8;
        struct isa_dim3 tid = ptx_thread_of(l, w, 0);
        uint64_t value = special_value(l, w, s->special, 0, &tid);
        bool row = s->special == PTX_TID_X && value + ISA_LANES <= l->block.x;
        if (row || !differs_by_lane(s->special)) {
            put_row(slot, wide, value, row ? 1 : 0);
            continue;
        }
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            put_lane(slot, wide, lane, special_value(l, w, s->special, lane, &tid));
            next_thread(&tid, &l->block);
        }
    }
}

static uint32_t lanes_of_warp(const struct ptx_launch *l, uint32_t warp_in_cta)
{
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    uint64_t first = (uint64_t)warp_in_cta * ISA_LANES;
    uint64_t n = threads > first ? threads - first : 0;
    return n >= ISA_LANES ? UINT32_MAX : (1u << n) - 1;
}

/* Zero what may be read before it is written. */
static void clear_frame(const struct ptx_image_function *f, uint8_t *frame)
{
    memset(frame, 0, f->unset_from);
    memset(frame + f->unset_end, 0, f->frame_bytes - f->unset_end);
}

void ptx_warp_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place)
{
    const struct ptx_launch *l = self;
    struct ptx_warp *w = (struct ptx_warp *)warp;
    const struct isa_dim3 *g = &l->grid, *b = &l->block, *c = &place->ctaid;
    uint64_t warps_per_cta = ((uint64_t)b->x * b->y * b->z + ISA_LANES - 1) / ISA_LANES;
    uint64_t cta = ((uint64_t)c->z * g->y + c->y) * g->x + c->x;
    memset(w, 0, sizeof(*w));
    place_parts(l->image, w);
    w->place = *place;
    w->warp_in_grid = cta * warps_per_cta + place->warp_in_cta;
    w->isa.active = w->isa.live = lanes_of_warp(l, place->warp_in_cta);
    w->isa.done = w->isa.live == 0;
    w->reconverge = PTX_NO_PC;
    w->stack[0] = (struct ptx_stack_entry){0, PTX_NO_PC, w->isa.active, 0};
    w->frames[0] = (struct ptx_frame){.offset = first_frame_offset(l->image)};
    w->base[PTX_BASE_POOL] = l->image->pool;
    w->base[PTX_BASE_LAUNCH] = l->uniform;
    w->base[PTX_BASE_SPECIAL] = w->memory;
    w->base[PTX_BASE_FRAME] = w->memory + w->frames[0].offset;
    clear_frame(&l->image->functions[0], w->base[PTX_BASE_FRAME]);
    fill_specials(l, w);
}

uint64_t ptx_digest(uint64_t digest, const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)from + at, 4);
        digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 29;
    }
    return digest;
}

/* The frames in use are what the registers hold; the stack's top entry has its pc in the warp. */
uint64_t ptx_warp_digest(void *self, const struct isa_warp *warp)
{
    const struct ptx_warp *w = (const struct ptx_warp *)warp;
    const struct ptx_image *image = ((const struct ptx_launch *)self)->image;
    const struct ptx_frame *frame = &w->frames[w->depth];
    uint32_t flags[] = {warp->pc, warp->active, warp->live,         w->top,
                        w->depth, w->pending,   w->barrier_entered, w->barrier_parity};
    uint64_t digest = ptx_digest(0, flags, sizeof(flags));
    digest = ptx_digest(digest, w->stack, w->top * sizeof(w->stack[0]));
    digest = ptx_digest(digest, w->frames, (w->depth + 1) * sizeof(w->frames[0]));
    digest = ptx_bulks_digest(w, ptx_copies_digest(w, ptx_progress_digest(w, digest)));
    return ptx_digest(digest, w->memory,
                      frame->offset + image->functions[frame->function].frame_bytes);
}

void ptx_warp_end(void *self, struct isa_warp *warp)
{
    struct ptx_warp *w = (struct ptx_warp *)warp;
    (void)self;
    ptx_progress_end(w);
    ptx_copies_end(w);
    ptx_bulks_end(w);
    ptx_fetches_end(w);
    if (w->memory_owned) {
        free(w->memory);
    }
    w->memory = NULL;
    w->memory_bytes = 0;
    w->memory_owned = false;
}

void ptx_fault(struct ptx_exec *x, uint32_t lanes, const char *format, ...)
{
    const struct ptx_warp *w = x->w;
    const struct isa_kernel *k = &x->launch->image->isa;
    unsigned lane = lanes == 0 ? 0 : (unsigned)__builtin_ctz(lanes);
    struct isa_dim3 t = ptx_thread_of(x->launch, w, lane);
    char what[96];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    x->step->kind = ISA_STEP_FAULT;
    const char *slash = strrchr(k->file, '/');
    snprintf(x->step->fault, sizeof(x->step->fault),
             "kernel %.40s, %.40s:%u: %s, lane %u, thread (%u,%u,%u), CTA (%u,%u,%u)", k->name,
             slash == NULL ? k->file : slash + 1, k->inst[w->isa.pc].line, what, lane, t.x, t.y,
             t.z, w->place.ctaid.x, w->place.ctaid.y, w->place.ctaid.z);
}

/* Are the lanes there that the operation acts on together?  Otherwise others run first. */
static bool runs_together(const struct ptx_exec *x, const struct ptx_op *op)
{
    if (op->is_barrier) {
        return ptx_progress_barrier(x);
    }
    const lane_u32 *members = ptx_lanes(x, op->src[op->members_src - 1]);
    return ptx_progress_members(x, members[__builtin_ctz(x->w->isa.active)]);
}

void ptx_warp_step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                   struct isa_memop *memop)
{
    struct ptx_warp *w = (struct ptx_warp *)warp;
    struct ptx_exec x = {w, self, step, memop, cycle, false};
    const struct ptx_op *op = &x.launch->image->ops[w->isa.pc];
    uint32_t mask = w->isa.active;
    step->kind = ISA_STEP_DONE;
    if (w->progress.fibers != NULL && (op->members_src != 0 || op->is_barrier) &&
        !runs_together(&x, op)) {
        step->active = 0;
        return;
    }
    mask = w->isa.active;
    if (op->guarded) {
        uint32_t guard = ptx_read_mask(w->base[PTX_BASE_FRAME] + op->guard, op->guard_negated);
        mask &= guard;
    }
    if (w->pending != 0) {
        mask = w->pending;
    }
    step->active = mask;
    if (op->controls) {
        op->exec(&x, op, mask);
        return;
    }
    if (mask != 0) {
        op->exec(&x, op, mask);
        if (x.stay || step->kind == ISA_STEP_FAULT) {
            return;
        }
    }
    if (++w->isa.pc == w->reconverge) {
        ptx_stack_settle(&x);
    }
}

void ptx_warp_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    struct ptx_warp *w = (struct ptx_warp *)warp;
    const struct ptx_launch *launch = self;
    if (w->fetches != NULL && ptx_fetch_arrives(w, launch, memop)) {
        return;
    }
    if (memop->inst->is_piece) {
        ptx_bulk_arrives(w, memop);
        return;
    }
    uint8_t *current = w->base[PTX_BASE_FRAME];
    struct isa_memop *bytes = (struct isa_memop *)(uintptr_t)memop; /* read only below */
    struct ptx_exec x = {w, launch, NULL, bytes, 0, false};
    if (memop->inst->is_async) {
        ptx_copy_arrives(&x, memop);
        return;
    }
    uint32_t pc = (uint32_t)(memop->inst - launch->image->inst);
    if (launch->image->has_calls) { /* the frame of the load, not of what runs by now */
        w->base[PTX_BASE_FRAME] = w->memory + w->issue_offset[pc];
    }
    ptx_mem_retire(&x, &launch->image->ops[pc]);
    w->base[PTX_BASE_FRAME] = current;
}
