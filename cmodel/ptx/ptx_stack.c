/* ptx_stack.c - the reconvergence stack of a warp: branches, calls, returns, exits.
 *
 * The top entry runs.  A divergent branch leaves its entry waiting at the
 * branch's immediate post-dominator and pushes the two sides, which end there;
 * a call pushes an entry for the callee, which ends when its lanes returned.
 * An entry that would wait where it ends itself is dropped at once, so entries
 * are bounded by lanes and call depth.  Knows nothing of instructions.
 */
#include <string.h>

#include "ptx/ptx_image.h"

static void set_frame(struct ptx_warp *w, uint32_t depth)
{
    w->depth = depth;
    w->base[PTX_BASE_FRAME] = w->memory + w->frames[depth].offset;
}

/* Make stack[top] the running entry. */
static void load_top(struct ptx_warp *w)
{
    const struct ptx_stack_entry *top = &w->stack[w->top];
    w->isa.pc = top->pc;
    w->isa.active = top->mask;
    w->reconverge = top->reconverge;
    if (top->depth != w->depth) {
        set_frame(w, top->depth);
    }
}

/* Pop entries that are empty or have reached their end; the top's pc must be in the entry. */
static void pop_finished(struct ptx_exec *x)
{
    struct ptx_warp *w = x->w;
    const struct ptx_stack_entry *top = &w->stack[w->top];
    while (top->mask == 0 || top->pc == top->reconverge) {
        if (w->top == 0) {
            if (w->progress.fibers != NULL && ptx_progress_ended(x)) {
                return;
            }
            w->isa.done = true;
            w->isa.active = 0;
            return;
        }
        w->top--;
        top = &w->stack[w->top];
    }
    load_top(w);
}

void ptx_stack_settle(struct ptx_exec *x)
{
    struct ptx_warp *w = x->w;
    w->stack[w->top].pc = w->isa.pc;
    pop_finished(x);
}

static void push(struct ptx_warp *w, uint32_t pc, uint32_t reconverge, uint32_t mask,
                 uint32_t depth)
{
    w->stack[++w->top] = (struct ptx_stack_entry){pc, reconverge, mask, depth};
}

/* The running entry waits at `reconverge` - unless that is its own end. */
static void wait_at(struct ptx_warp *w, uint32_t reconverge)
{
    struct ptx_stack_entry *top = &w->stack[w->top];
    if (top->reconverge == reconverge) {
        w->top--; /* wraps below entry 0; the pushes that follow bring it back */
    } else {
        top->pc = reconverge;
    }
}

void ptx_stack_diverge(struct ptx_exec *x, uint32_t taken, uint32_t target, uint32_t next,
                       uint32_t reconverge)
{
    struct ptx_warp *w = x->w;
    uint32_t active = w->isa.active, depth = w->depth;
    wait_at(w, reconverge);
    if (target != reconverge) {
        push(w, target, reconverge, taken, depth);
    }
    if (next != reconverge) {
        push(w, next, reconverge, active & ~taken, depth);
    }
    pop_finished(x);
}

void ptx_stack_multiway(struct ptx_exec *x, const uint32_t *pc_of_lane, uint32_t lanes,
                        uint32_t reconverge)
{
    struct ptx_warp *w = x->w;
    uint32_t depth = w->depth;
    wait_at(w, reconverge);
    while (lanes != 0) {
        uint32_t pc = pc_of_lane[__builtin_ctz(lanes)], same = 0;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            same |= pc_of_lane[lane] == pc ? ptx_lane_bit[lane] : 0;
        }
        lanes &= ~same;
        if (pc != reconverge) {
            push(w, pc, reconverge, same, depth);
        }
    }
    pop_finished(x);
}

static void fill_local_base(struct ptx_exec *x, const struct ptx_image_function *f)
{
    lane_u64 *slot = (lane_u64 *)(void *)(x->w->base[PTX_BASE_FRAME] + f->local_base_slot);
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        slot[lane] = x->w->frames[x->w->depth].local_base;
    }
}

/* A frame for function `index` on top of the current one, zeroed. */
static bool push_frame(struct ptx_exec *x, uint32_t index, uint32_t call_pc)
{
    struct ptx_warp *w = x->w;
    const struct ptx_image *image = x->launch->image;
    const struct ptx_frame *caller = &w->frames[w->depth];
    const struct ptx_image_function *from = &image->functions[caller->function];
    const struct ptx_image_function *to = &image->functions[index];
    uint32_t offset = (caller->offset + from->frame_bytes + PTX_FRAME_ALIGN - 1) &
                      ~(uint32_t)(PTX_FRAME_ALIGN - 1);
    uint32_t others = ptx_progress_frames_end(x);
    if (others > offset) { /* lanes apart have frames of their own */
        offset = (others + PTX_FRAME_ALIGN - 1) & ~(uint32_t)(PTX_FRAME_ALIGN - 1);
    }
    if (!ptx_warp_reserve(w, (uint64_t)offset + to->frame_bytes)) {
        return false;
    }
    w->frames[w->depth + 1] = (struct ptx_frame){
        .function = index,
        .offset = offset,
        .call_pc = call_pc,
        .local_base = caller->local_base + (from->source->local_bytes + 15) / 16 * 16};
    set_frame(w, w->depth + 1);
    memset(w->base[PTX_BASE_FRAME], 0, to->frame_bytes);
    fill_local_base(x, to);
    return true;
}

/* Move arguments or results between frames `from` and `to` for the lanes of `mask`. */
static void copy_values(struct ptx_exec *x, const struct ptx_copy *copies, uint32_t n,
                        uint32_t from, uint32_t to, uint32_t mask)
{
    struct ptx_warp *w = x->w;
    const struct ptx_image *image = x->launch->image;
    const struct ptx_image_function *f = &image->functions[w->frames[from].function];
    const struct ptx_image_function *t = &image->functions[w->frames[to].function];
    uint8_t *from_frame = w->memory + w->frames[from].offset;
    uint8_t *to_frame = w->memory + w->frames[to].offset;
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_copy *c = &copies[i];
        uint8_t *source = c->from.base == PTX_BASE_FRAME ? from_frame : w->base[c->from.base];
        if (!c->area && c->to.bytes == 0) {
            uint32_t value = ptx_read_mask(source + c->from.offset, c->from.negated);
            ptx_write_mask(to_frame + c->to.offset, value, mask);
            continue;
        }
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (c->area) {
                memcpy(to_frame + t->area_offset + lane * t->area_bytes + c->to_offset,
                       from_frame + f->area_offset + lane * f->area_bytes + c->from_offset,
                       c->bytes);
            } else {
                memcpy(to_frame + c->to.offset + lane * c->to.bytes,
                       source + c->from.offset + lane * c->from.bytes, c->to.bytes);
            }
        }
    }
}

bool ptx_stack_call(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_warp *w = x->w;
    uint32_t pc = w->isa.pc, depth = w->depth;
    if (depth == PTX_MAX_CALL_DEPTH) {
        ptx_fault(x, mask, "calls nest deeper than %d", PTX_MAX_CALL_DEPTH);
        return false;
    }
    if (!push_frame(x, op->call->callee, pc)) {
        ptx_fault(x, mask, "no memory for the call");
        return false;
    }
    copy_values(x, op->call->arguments, op->call->n_arguments, depth, depth + 1, mask);
    w->stack[w->top].pc = pc + 1;
    push(w, x->launch->image->functions[op->call->callee].first, PTX_NO_PC, mask, depth + 1);
    load_top(w);
    return true;
}

void ptx_stack_leave(struct ptx_exec *x, uint32_t lanes, bool exits)
{
    struct ptx_warp *w = x->w;
    uint32_t depth = w->depth;
    exits = exits || depth == 0;
    w->stack[w->top].pc = w->isa.pc + 1;
    if (exits) {
        w->isa.live &= ~lanes;
    } else {
        const struct ptx_op *call = &x->launch->image->ops[w->frames[depth].call_pc];
        copy_values(x, call->call->returns, call->call->n_returns, depth, depth - 1, lanes);
    }
    for (uint32_t e = w->top + 1; e-- > 0 && (exits || w->stack[e].depth == depth);) {
        w->stack[e].mask &= ~lanes;
    }
    pop_finished(x);
}
