/* ptx_op_group.c - groups of copies that a warp does not wait for: what closes one and what waits for
 * them, the same for cp.async and for bulk copies (PTX ISA, "cp.async.commit_group" and following,
 * "cp.async.bulk.commit_group" and following).  The machine counts them; see ptx_async.h. */
#include "ptx/ptx_async.h"

static void exec_group(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)mask;
    x->step->kind = ISA_STEP_ASYNC;
    x->step->async = (struct isa_async){
        .kind = op->mode, .units = op->combine, .count = (uint32_t)op->immediate};
}

static void emit_group(struct ptx_lower *lw, uint8_t units, enum isa_async_kind kind, int64_t count)
{
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_group);
    op->mode = (uint8_t)kind;
    op->combine = units;
    op->immediate = count > UINT16_MAX ? UINT16_MAX : count;
    lw->image->asynchronous = true;
    lw->image->bulk |= units == ISA_ASYNC_BULK;
}

static void lower_wait(struct ptx_lower *lw, uint8_t units)
{
    ptx_operand_count(lw, 1, 1);
    const struct ptx_operand *n = ptx_operand_at(lw, 0);
    if (n->kind != PTX_OPERAND_INTEGER || n->value < 0) {
        PTX_LOWER_FAIL(lw, "%s needs a constant number of groups", lw->statement->text);
    }
    emit_group(lw, units, ISA_ASYNC_WAIT, n->value);
}

bool ptx_lower_group(struct ptx_lower *lw, uint8_t units)
{
    if (ptx_take(lw, ".commit_group")) {
        ptx_operand_count(lw, 0, 0);
        emit_group(lw, units, ISA_ASYNC_COMMIT, 0);
        return true;
    }
    if (units == ISA_ASYNC_LOADS && ptx_take(lw, ".wait_all")) {
        ptx_operand_count(lw, 0, 0);
        emit_group(lw, units, ISA_ASYNC_COMMIT, 0);
        emit_group(lw, units, ISA_ASYNC_WAIT, 0);
        return true;
    }
    if (ptx_take(lw, ".wait_group")) {
        if (units == ISA_ASYNC_BULK) {
            ptx_take(lw, ".read"); /* what is read is read when the copy is made */
        }
        lower_wait(lw, units);
        return true;
    }
    return false;
}
