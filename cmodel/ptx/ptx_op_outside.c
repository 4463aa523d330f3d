/* ptx_op_outside.c - calls of functions that PTX declares and nobody defines: vprintf,
 * __assertfail, malloc, free (CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic
 * Global Memory Allocation").
 *
 * Whoever launches the kernel serves them, lane by lane.  What a thread has stored must be there to
 * be read: a fence comes before.
 */
#include <string.h>

#include "ptx/ptx_lower.h"
#include "ptx/ptx_op_memory.h"

static const struct {
    const char *name;
    uint32_t n_arguments, n_returns;
} outsides[PTX_OUTSIDES] = {[PTX_VPRINTF] = {"vprintf", 2, 1},
                            [PTX_ASSERTFAIL] = {"__assertfail", 5, 0},
                            [PTX_MALLOC] = {"malloc", 1, 1},
                            [PTX_FREE] = {"free", 1, 0}};

/* Memory of a thread by its generic address. */
static bool read_generic(const struct ptx_outside_call *call, uint64_t address, void *to,
                         size_t bytes)
{
    const struct ptx_exec *x = call->self;
    const struct isa_warp_place *place = &x->w->place;
    const struct ptx_launch *l = x->launch;
    if (address - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES) {
        uint64_t at = address - PTX_SHARED_WINDOW;
        bool inside = at < place->shared_bytes && place->shared_bytes - at >= bytes;
        if (inside) {
            memcpy(to, place->shared + at, bytes);
        }
        return inside;
    }
    if (address - PTX_LOCAL_WINDOW >= PTX_WINDOW_BYTES) {
        return address < PTX_GLOBAL_BYTES && l->read != NULL &&
               l->read(l->read_context, address, to, bytes);
    }
    for (size_t b = 0; b < bytes; b++) { /* a thread's granules do not lie side by side */
        uint64_t at = address - PTX_LOCAL_WINDOW + b;
        if (at >= l->image->isa.local_bytes || l->read == NULL ||
            !l->read(l->read_context, ptx_local_address(l, x->w->warp_in_grid, call->lane, at),
                     (uint8_t *)to + b, 1)) {
            return false;
        }
    }
    return true;
}

static uint8_t *value_at(const struct ptx_exec *x, const struct ptx_outside_value *v, unsigned lane)
{
    const struct ptx_image_function *f = &x->launch->image
                                              ->functions[x->w->frames[x->w->depth].function];
    uint8_t *frame = x->w->base[PTX_BASE_FRAME];
    if (v->area) {
        return frame + f->area_offset + lane * f->area_bytes + v->offset;
    }
    return x->w->base[v->ref.base] + v->ref.offset + lane * v->ref.bytes;
}

static void exec_outside(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_outside_site *site = &x->launch->image->outsides[op->immediate];
    uint32_t stopped = 0;
    if (x->launch->outside == NULL) {
        ptx_fault(x, mask, "call of %s, which is not served here", outsides[site->what].name);
        return;
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct ptx_outside_call call = {.what = site->what,
                                        .thread = ptx_thread_of(x->launch, x->w, lane),
                                        .cta = x->w->place.ctaid,
                                        .sm = x->w->place.smid,
                                        .cycle = x->cycle,
                                        .read = read_generic,
                                        .self = x,
                                        .lane = lane};
        for (uint32_t a = 0; a < site->n_arguments; a++) {
            memcpy(&call.argument[a], value_at(x, &site->argument[a], lane),
                   site->argument[a].bytes);
        }
        if (!x->launch->outside(x->launch->outside_context, &call)) {
            stopped |= ptx_lane_bit[lane];
        }
        if (site->n_returns != 0) {
            memcpy(value_at(x, &site->result, lane), &call.result, site->result.bytes);
        }
    }
    if (stopped != 0) {
        ptx_fault(x, stopped, "%s",
                  site->what == PTX_ASSERTFAIL ? "assertion failed" : "call failed");
    }
}

static struct ptx_outside_value bind_value(struct ptx_lower *lw, struct ptx_op *op,
                                           const struct ptx_operand *o, uint32_t k, bool returns)
{
    struct ptx_outside_value v = {.area = o->kind == PTX_OPERAND_ADDRESS};
    if (v.area && o->variable->space == ISA_SPACE_PARAM && !o->variable->of_entry &&
        o->variable->bytes <= 8) {
        v.offset = (uint32_t)o->variable->offset;
        v.bytes = (uint32_t)o->variable->bytes;
        return v;
    }
    if (o->kind != PTX_OPERAND_REGISTER) {
        PTX_LOWER_FAIL(lw, "%s takes .param variables or registers",
                       lw->statement->call->callee->name);
    }
    enum ptx_type type = lw->source->registers[o->reg].type;
    if (returns) {
        ptx_bind_dst(lw, op, 0, o, type);
        v.ref = op->dst[0];
    } else {
        ptx_bind_src(lw, op, k, o, type);
        v.ref = op->src[k];
    }
    v.bytes = v.ref.bytes;
    return v;
}

bool ptx_lower_outside(struct ptx_lower *lw)
{
    const struct ptx_call_site *call = lw->statement->call;
    uint32_t what = 0;
    while (what < PTX_OUTSIDES && strcmp(outsides[what].name, call->callee->name) != 0) {
        what++;
    }
    if (call->callee->has_body || what == PTX_OUTSIDES) {
        return false;
    }
    if (call->n_arguments != outsides[what].n_arguments ||
        call->n_returns != outsides[what].n_returns) {
        PTX_LOWER_FAIL(lw, "%s is called with other arguments than CUDA's", outsides[what].name);
    }
    ptx_emit_fence(lw, ISA_SCOPE_SYSTEM);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_outside);
    struct ptx_image *image = lw->image;
    struct ptx_outside_site site = {.what = (enum ptx_outside)what,
                                    .n_arguments = call->n_arguments,
                                    .n_returns = call->n_returns};
    for (uint32_t a = 0; a < call->n_arguments; a++) {
        site.argument[a] = bind_value(lw, op, &call->arguments[a], a, false);
    }
    if (call->n_returns != 0) {
        site.result = bind_value(lw, op, &call->returns[0], 0, true);
    }
    image->outsides = ptx_grow(lw->diag, image->outsides, image->n_outsides, sizeof(site));
    image->outsides[image->n_outsides] = site;
    op->immediate = image->n_outsides++;
    return true;
}
