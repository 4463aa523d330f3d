/* ptx_op_call.c - calls by name and through registers (PTX ISA, "call").
 *
 * A call through a register becomes a call by name for each function that it may mean, which the lanes
 * with that address take.  Frames are ptx_stack.c's business.
 */
#include <stdlib.h>

#include "ptx/ptx_lower.h"

/* The functions that a call through a register may mean, in ascending order of addresses. */
struct ptx_callees {
    const struct ptx_function **function;
    uint32_t n;
};

static void go_on(struct ptx_exec *x)
{
    if (++x->w->isa.pc == x->w->reconverge) {
        ptx_stack_settle(x);
    }
}

static void exec_call(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    if (mask == 0) {
        go_on(x);
    } else {
        ptx_stack_call(x, op, mask);
    }
}

/* The lanes whose register holds this function's address. */
static void exec_call_through(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *address = ptx_lanes(x, op->src[0]);
    uint32_t mine = 0;
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        mine |= address[lane] == (uint64_t)op->immediate ? ptx_lane_bit[lane] : 0;
    }
    exec_call(x, op, mask & mine);
}

/* Before the calls: does every lane's address mean a function? */
static void exec_look(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const lane_u64 *address = ptx_lanes(x, op->src[0]);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t c = 0;
        while (c < op->callees->n && op->callees->function[c]->address != address[lane]) {
            c++;
        }
        if (c == op->callees->n) {
            ptx_fault(x, ptx_lane_bit[lane], "call of 0x%llx, no function with such parameters",
                      (unsigned long long)address[lane]);
            return;
        }
    }
}

static bool is_area(const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_ADDRESS && o->variable->space == ISA_SPACE_PARAM &&
           !o->variable->of_entry;
}

static struct ptx_copy copy_area(struct ptx_lower *lw, const struct ptx_operand *actual,
                                 const struct ptx_variable *formal, bool returns)
{
    if (actual->variable->bytes != formal->bytes) {
        PTX_LOWER_FAIL(lw, "\"%s\" has %llu bytes where \"%s\" takes %llu", actual->variable->name,
                       (unsigned long long)actual->variable->bytes, formal->name,
                       (unsigned long long)formal->bytes);
    }
    uint32_t here = (uint32_t)actual->variable->offset, there = (uint32_t)formal->offset;
    return (struct ptx_copy){.area = true,
                             .bytes = (uint32_t)formal->bytes,
                             .from_offset = returns ? there : here,
                             .to_offset = returns ? here : there};
}

/* Registers of the callee are known by number until its frame is laid out: `to.offset` (arguments)
 * or `from.offset` (returns) holds the number and resolve_calls (ptx_lower.c) puts the slot in. */
static struct ptx_copy copy_register(struct ptx_lower *lw, struct ptx_op *op,
                                     const struct ptx_operand *actual,
                                     const struct ptx_variable *formal, bool returns)
{
    struct ptx_copy copy = {.bytes = (uint32_t)formal->bytes};
    uint8_t lane_bytes = (uint8_t)ptx_type_lane_bytes(formal->type);
    struct ptx_ref there = {
        .offset = formal->reg, .base = PTX_BASE_FRAME, .bytes = lane_bytes, .used = true};
    if (returns) {
        ptx_bind_dst(lw, op, 0, actual, formal->type);
        copy.to = op->dst[0];
        copy.from = there;
    } else {
        ptx_bind_src(lw, op, 0, actual, formal->type);
        copy.from = op->src[0];
        copy.to = there;
    }
    return copy;
}

static struct ptx_copy *bind_copies(struct ptx_lower *lw, struct ptx_op *op,
                                    const struct ptx_function *callee,
                                    const struct ptx_operand *actual, uint32_t n,
                                    struct ptx_variable *const *formal, uint32_t n_formal,
                                    bool returns)
{
    if (n != n_formal) {
        PTX_LOWER_FAIL(lw, "call of \"%s\" with %u %s where it has %u", callee->name, n,
                       returns ? "results" : "arguments", n_formal);
    }
    struct ptx_copy *copies = ptx_alloc(lw->diag, n + 1, sizeof(*copies));
    for (uint32_t i = 0; i < n; i++) {
        bool area = !formal[i]->is_register_param;
        if (area != is_area(&actual[i])) {
            PTX_LOWER_FAIL(lw, "argument \"%s\" of \"%s\" is %s; pass one", formal[i]->name,
                           callee->name, area ? "a .param variable" : "a register");
        }
        copies[i] = area ? copy_area(lw, &actual[i], formal[i], returns)
                         : copy_register(lw, op, &actual[i], formal[i], returns);
    }
    return copies;
}

static void emit_call(struct ptx_lower *lw, const struct ptx_function *callee, ptx_exec_fn *exec)
{
    const struct ptx_call_site *site = lw->statement->call;
    uint32_t index = ptx_function_index(lw, callee);
    struct ptx_call *call = ptx_alloc(lw->diag, 1, sizeof(*call));
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_CONTROL, exec);
    op->controls = true;
    op->call = call;
    call->callee = index;
    call->n_arguments = site->n_arguments;
    call->n_returns = site->n_returns;
    call->arguments = bind_copies(lw, op, callee, site->arguments, site->n_arguments,
                                  callee->params, callee->n_params, false);
    call->returns = bind_copies(lw, op, callee, site->returns, site->n_returns, callee->returns,
                                callee->n_returns, true);
    if (site->through != NULL) {
        ptx_bind_src(lw, op, 0, site->through, PTX_U64);
        op->immediate = (int64_t)callee->address;
    }
}

/* Has each value the size, and the place, that the function wants? */
static bool fits(const struct ptx_lower *lw, const struct ptx_operand *actual, uint32_t n,
                 struct ptx_variable *const *formal, uint32_t n_formal)
{
    for (uint32_t i = 0; n == n_formal && i < n; i++) {
        bool area = is_area(&actual[i]);
        uint64_t bytes = area ? actual[i].variable->bytes : formal[i]->bytes;
        if (area == formal[i]->is_register_param || bytes != formal[i]->bytes) {
            return false;
        }
        if (!area && actual[i].kind == PTX_OPERAND_REGISTER &&
            ptx_type_bytes(lw->source->registers[actual[i].reg].type) != formal[i]->bytes) {
            return false;
        }
    }
    return n == n_formal;
}

static struct ptx_callees *callees_of(struct ptx_lower *lw)
{
    const struct ptx_call_site *site = lw->statement->call;
    struct ptx_callees *callees = ptx_alloc(lw->diag, 1, sizeof(*callees));
    for (size_t i = 0; i < lw->module->n_functions; i++) {
        const struct ptx_function *f = lw->module->functions[i];
        if (f->is_address_taken && f->has_body && !f->is_entry &&
            fits(lw, site->arguments, site->n_arguments, f->params, f->n_params) &&
            fits(lw, site->returns, site->n_returns, f->returns, f->n_returns)) {
            callees->function = ptx_grow(lw->diag, callees->function, callees->n,
                                         sizeof(*callees->function));
            callees->function[callees->n++] = f;
        }
    }
    return callees;
}

static void lower_call_through(struct ptx_lower *lw)
{
    const struct ptx_call_site *site = lw->statement->call;
    for (uint32_t i = 0; i < site->n_returns; i++) {
        if (site->returns[i].kind == PTX_OPERAND_REGISTER &&
            site->returns[i].reg == site->through->reg) {
            PTX_LOWER_FAIL(lw, "the result would overwrite the address; use another register");
        }
    }
    const struct ptx_callees *callees = callees_of(lw);
    struct ptx_op *look = ptx_emit(lw, ISA_PIPE_CONTROL, exec_look);
    look->callees = callees;
    ptx_bind_src(lw, look, 0, site->through, PTX_U64);
    for (uint32_t c = 0; c < callees->n; c++) {
        emit_call(lw, callees->function[c], exec_call_through);
    }
}

void ptx_lower_call(struct ptx_lower *lw)
{
    const struct ptx_call_site *site = lw->statement->call;
    ptx_take(lw, ".uni");
    if (site->through != NULL) {
        lower_call_through(lw);
        return;
    }
    if (site->callee->is_entry) {
        PTX_LOWER_FAIL(lw, "\"%s\" is a kernel; a kernel cannot be called", site->callee->name);
    }
    if (!ptx_lower_outside(lw)) {
        emit_call(lw, site->callee, exec_call);
    }
}
