/* ptx_op_control.c - branches, calls, returns, exits, barriers (PTX ISA, "Control Flow
 * Instructions", "Parallel Synchronization and Communication Instructions").
 *
 * The reconvergence stack itself is in ptx_stack.c; reconvergence points come
 * from ptx_cfg.c.
 */
#include <string.h>

#include "ptx/ptx_lower.h"

static void jump(struct ptx_exec *x, uint32_t pc)
{
    x->w->isa.pc = pc;
    if (pc == x->w->reconverge) {
        ptx_stack_settle(x);
    }
}

/* Lanes have gone back: with progress for each thread others may have to run. */
static void went_back(struct ptx_exec *x, uint32_t from)
{
    if (x->launch->progress && x->w->isa.pc <= from && !x->w->isa.done) {
        ptx_progress_branch(x);
    }
}

static void exec_bra(struct ptx_exec *x, const struct ptx_op *op, uint32_t taken)
{
    uint32_t pc = x->w->isa.pc;
    if (taken == 0) {
        jump(x, pc + 1);
    } else if (taken == x->w->isa.active) {
        jump(x, op->target);
    } else {
        ptx_stack_diverge(x, taken, op->target, pc + 1, op->reconverge);
    }
    went_back(x, pc);
}

static void exec_brx(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_warp *w = x->w;
    const lane_u32 *index = ptx_lanes(x, op->src[0]);
    uint32_t pc_of_lane[ISA_LANES] = {0}, first = PTX_NO_PC;
    bool uniform = true;
    for (uint32_t rest = w->isa.active; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool taken = (mask & ptx_lane_bit[lane]) != 0;
        if (taken && index[lane] >= op->n_targets) {
            ptx_fault(x, ptx_lane_bit[lane], "branch index %u of %u targets", index[lane],
                      op->n_targets);
            return;
        }
        pc_of_lane[lane] = taken ? op->targets[index[lane]] : w->isa.pc + 1;
        first = first == PTX_NO_PC ? pc_of_lane[lane] : first;
        uniform = uniform && pc_of_lane[lane] == first;
    }
    uint32_t pc = w->isa.pc;
    if (uniform) {
        jump(x, first);
    } else {
        ptx_stack_multiway(x, pc_of_lane, w->isa.active, op->reconverge);
    }
    went_back(x, pc);
}

static void exec_ret(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)op;
    ptx_stack_leave(x, mask, false);
}

static void exec_exit(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)op;
    ptx_stack_leave(x, mask, true);
}

static void exec_trap(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)op;
    if (mask != 0) {
        ptx_fault(x, mask, "trap");
    } else {
        jump(x, x->w->isa.pc + 1);
    }
}

static void exec_nothing(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)x;
    (void)op;
    (void)mask;
}

static void exec_sleep(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)op;
    (void)mask;
    if (x->launch->progress) {
        ptx_progress_sleeps(x);
    }
}

static void lower_bra(struct ptx_lower *lw)
{
    ptx_take(lw, ".uni");
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_CONTROL, exec_bra);
    op->controls = true;
    op->target = ptx_operand_at(lw, 0)->label;
    ptx_inst_of(lw, op)->is_branch = true;
}

static void lower_brx(struct ptx_lower *lw)
{
    ptx_take(lw, ".uni");
    if (!ptx_take(lw, ".idx")) {
        PTX_LOWER_FAIL(lw, "brx needs .idx");
    }
    uint32_t label = ptx_operand_at(lw, 1)->label;
    while (lw->source->labels[label].alias != PTX_NO_INDEX) {
        label = lw->source->labels[label].alias;
    }
    const struct ptx_label *list = &lw->source->labels[label];
    if (list->n_targets == 0) {
        PTX_LOWER_FAIL(lw, "brx.idx needs a list of targets; \"%s\" is none", list->name);
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_CONTROL, exec_brx);
    op->controls = true;
    op->targets = list->targets;
    op->n_targets = list->n_targets;
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 0), PTX_U32);
    ptx_inst_of(lw, op)->is_branch = true;
}

static void lower_leave(struct ptx_lower *lw, ptx_exec_fn *exec, bool is_exit)
{
    ptx_take(lw, ".uni");
    ptx_operand_count(lw, 0, 0);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_CONTROL, exec);
    op->controls = true;
    ptx_inst_of(lw, op)->is_exit = is_exit;
}

static void lower_ret(struct ptx_lower *lw)
{
    lower_leave(lw, exec_ret, lw->source->is_entry);
}

static void lower_exit(struct ptx_lower *lw)
{
    lower_leave(lw, exec_exit, true);
}
static void lower_trap(struct ptx_lower *lw)
{
    lower_leave(lw, exec_trap, true);
}

/* Instructions without an effect in this model: time passes elsewhere. */
static void lower_nothing(struct ptx_lower *lw)
{
    static const char *const types[] = {".u32", NULL};
    ptx_take_word(lw, types);
    ptx_operand_count(lw, 0, 1);
    bool sleeps = strcmp(lw->statement->opcode, "nanosleep") == 0;
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, sleeps ? exec_sleep : exec_nothing);
    if (lw->statement->n_operands == 1) {
        ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 0), PTX_U32);
    }
}

/* Barriers */

enum barrier_mode { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

/* Barrier number and thread count are uniform over the warp: the first active lane's. */
static bool barrier_operands(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    unsigned lane = (unsigned)__builtin_ctz(mask);
    uint32_t number = ((const lane_u32 *)ptx_lanes(x, op->src[0]))[lane];
    uint32_t threads = op->src[1].used ? ((const lane_u32 *)ptx_lanes(x, op->src[1]))[lane] : 0;
    if (number >= PTX_BARRIERS) {
        ptx_fault(x, mask, "barrier %u; there are %d", number, PTX_BARRIERS);
        return false;
    }
    if (threads % ISA_LANES != 0) {
        ptx_fault(x, mask, "barrier for %u threads; the count must be a multiple of 32", threads);
        return false;
    }
    x->step->barrier = (uint8_t)number;
    x->step->barrier_threads = threads;
    x->step->barrier_arrive_only = op->mode == BARRIER_ARRIVE;
    return true;
}

static void exec_barrier(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    if (barrier_operands(x, op, mask)) {
        x->step->kind = ISA_STEP_BARRIER;
    }
}

/* Exchange area of a reducing barrier in the CTA's shared memory; warps alternate between two, so
 * that one ahead does not disturb one behind. */
struct barrier_scratch {
    uint32_t threads, votes, readers, unused;
};

static uint32_t barrier_result(const struct barrier_scratch *s, uint32_t mode)
{
    return mode == BARRIER_POPC  ? s->votes
           : mode == BARRIER_AND ? s->votes == s->threads
                                 : s->votes != 0;
}

static void write_barrier_result(struct ptx_exec *x, const struct ptx_op *op, uint32_t result,
                                 uint32_t mask)
{
    uint32_t r[ISA_LANES];
    if (op->dst[0].bytes == 0) {
        ptx_put_mask(x, op->dst[0], result != 0 ? UINT32_MAX : 0, mask);
        return;
    }
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = result;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* Twice executed: first every warp adds its votes and waits, then every warp reads the sum. */
static void exec_barrier_red(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    struct ptx_warp *w = x->w;
    struct barrier_scratch s;
    if (!barrier_operands(x, op, mask)) {
        return;
    }
    uint32_t parity = w->barrier_parity >> x->step->barrier & 1,
             n = (uint32_t)__builtin_popcount(mask);
    uint8_t *at = w->place.shared + x->launch->image->barrier_scratch +
                  (x->step->barrier * 2u + parity) * sizeof(s);
    memcpy(&s, at, sizeof(s));
    if (!w->barrier_entered) {
        s.threads += n;
        s.votes += (uint32_t)__builtin_popcount(ptx_mask_of(x, op->src[2]) & mask);
        x->step->kind = ISA_STEP_BARRIER;
        x->stay = true;
    } else {
        write_barrier_result(x, op, barrier_result(&s, op->mode), mask);
        s.readers += n;
        s = s.readers == s.threads ? (struct barrier_scratch){0, 0, 0, 0} : s;
        w->barrier_parity ^= (uint16_t)(1u << x->step->barrier);
    }
    w->barrier_entered = !w->barrier_entered;
    memcpy(at, &s, sizeof(s));
}

static void bind_barrier(struct ptx_lower *lw, struct ptx_op *op, uint32_t first, uint32_t n)
{
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, first), PTX_U32);
    if (n > 1) {
        ptx_bind_src(lw, op, 1, ptx_operand_at(lw, first + 1), PTX_U32);
    }
}

static void lower_barrier_red(struct ptx_lower *lw)
{
    static const char *const words[] = {".popc", ".and", ".or", NULL};
    int which = ptx_take_word(lw, words);
    enum ptx_type type = ptx_take_type(lw);
    if (which < 0 || type != (which == 0 ? PTX_U32 : PTX_PRED)) {
        PTX_LOWER_FAIL(lw, "%s is not popc.u32, and.pred or or.pred", lw->statement->text);
    }
    ptx_operand_count(lw, 3, 4);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_BARRIER, exec_barrier_red);
    op->mode = (uint8_t)(BARRIER_POPC + which);
    op->is_barrier = true;
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
    bind_barrier(lw, op, 1, lw->statement->n_operands - 2);
    ptx_bind_src(lw, op, 2, ptx_operand_at(lw, lw->statement->n_operands - 1), PTX_PRED);
}

/* bar{.cta}.sync and kin; bar.warp.sync: the lanes of a warp run in step. */
static void lower_bar(struct ptx_lower *lw)
{
    if (ptx_take(lw, ".warp")) {
        ptx_take(lw, ".sync");
        ptx_operand_count(lw, 1, 1);
        struct ptx_op *warp = ptx_emit(lw, ISA_PIPE_INT, exec_nothing);
        ptx_bind_src(lw, warp, 0, ptx_operand_at(lw, 0), PTX_U32);
        warp->members_src = 1;
        return;
    }
    if (ptx_take(lw, ".cluster")) {
        PTX_LOWER_FAIL(lw, "clusters are not supported; use a CTA barrier");
    }
    ptx_take(lw, ".cta");
    bool sync = ptx_take(lw, ".sync"), arrive = !sync && ptx_take(lw, ".arrive");
    ptx_take(lw, ".aligned");
    if (!sync && !arrive) {
        if (!ptx_take(lw, ".red")) {
            PTX_LOWER_FAIL(lw, "%s needs .sync, .arrive or .red", lw->statement->text);
        }
        ptx_take(lw, ".aligned");
        lower_barrier_red(lw);
        return;
    }
    ptx_operand_count(lw, arrive ? 2 : 1, 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_BARRIER, exec_barrier);
    op->mode = arrive ? BARRIER_ARRIVE : BARRIER_SYNC;
    op->is_barrier = true;
    bind_barrier(lw, op, 0, lw->statement->n_operands);
}

const struct ptx_opcode ptx_opcodes_control[] = {
    {"bra", lower_bra},         {"brx", lower_brx},       {"call", ptx_lower_call},
    {"ret", lower_ret},         {"exit", lower_exit},     {"trap", lower_trap},
    {"bar", lower_bar},         {"barrier", lower_bar},   {"nanosleep", lower_nothing},
    {"pmevent", lower_nothing}, {"brkpt", lower_nothing}, {NULL, NULL}};
