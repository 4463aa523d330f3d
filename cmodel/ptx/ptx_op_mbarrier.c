/* ptx_op_mbarrier.c - mbarrier and cp.async.mbarrier.arrive (PTX ISA, "mbarrier").  See ptx_async.h.
 *
 * The word of an mbarrier, which the manual leaves open: bits 0-19 arrivals that the phase still waits
 * for, 20-39 arrivals of a phase, 40-60 bytes awaited (two's complement), 62 the parity of the phase,
 * 63 that it was initialised.  A state is the word before the arrival that returned it.  try_wait does
 * not suspend a thread: it answers at once, as test_wait, and programs ask again.
 */
#include <string.h>

#include "ptx/ptx_async.h"
#include "ptx/ptx_op_memory.h"

enum { COUNT_BITS = 20, TX_BITS = 21, WORD_BYTES = 8 };
enum { SRC_ADDRESS, SRC_COUNT, SRC_STATE };

enum mbarrier_kind {
    MBARRIER_INIT,
    MBARRIER_INVAL,
    MBARRIER_ARRIVE,
    MBARRIER_DROP,      /* .arrive_drop */
    MBARRIER_EXPECT,    /* .expect_tx */
    MBARRIER_COMPLETE,  /* .complete_tx */
    MBARRIER_ARRIVE_TX, /* .arrive.expect_tx */
    MBARRIER_DROP_TX,
    MBARRIER_TEST,
    MBARRIER_TEST_PARITY,
    MBARRIER_COPIES, /* cp.async.mbarrier.arrive; combine 1: .noinc */
};

struct mbarrier {
    uint32_t pending, expected;
    int32_t tx_bytes;
    bool parity, valid;
};

static struct mbarrier unpack(uint64_t word)
{
    uint32_t ones = (1u << COUNT_BITS) - 1;
    int64_t tx = (int64_t)(word << (64 - 2 * COUNT_BITS - TX_BITS)) >> (64 - TX_BITS);
    return (struct mbarrier){.pending = (uint32_t)word & ones,
                             .expected = (uint32_t)(word >> COUNT_BITS) & ones,
                             .tx_bytes = (int32_t)tx,
                             .parity = word >> 62 & 1,
                             .valid = word >> 63 & 1};
}

static uint64_t pack(struct mbarrier m)
{
    uint64_t tx = (uint64_t)(uint32_t)m.tx_bytes & ((1u << TX_BITS) - 1);
    return m.pending | (uint64_t)m.expected << COUNT_BITS | tx << 2 * COUNT_BITS |
           (uint64_t)m.parity << 62 | (uint64_t)m.valid << 63;
}

static void end_phase(struct mbarrier *m)
{
    if (m->pending == 0 && m->tx_bytes == 0) {
        m->parity = !m->parity;
        m->pending = m->expected;
    }
}

bool ptx_mbarrier_arrive(uint8_t *word)
{
    uint64_t value;
    memcpy(&value, word, sizeof(value));
    struct mbarrier m = unpack(value);
    if (!m.valid || m.pending == 0) {
        return false;
    }
    m.pending--;
    end_phase(&m);
    value = pack(m);
    memcpy(word, &value, sizeof(value));
    return true;
}

void ptx_mbarrier_bytes(uint8_t *word, uint32_t bytes)
{
    uint64_t value;
    memcpy(&value, word, sizeof(value));
    struct mbarrier m = unpack(value);
    if (m.valid) {
        m.tx_bytes -= (int32_t)bytes;
        end_phase(&m);
        value = pack(m);
        memcpy(word, &value, sizeof(value));
    }
}

/* What is wrong with the operation, or NULL when it is done. */
static const char *change(struct mbarrier *m, uint8_t kind, uint64_t count, int64_t tx)
{
    int64_t most = (1 << (TX_BITS - 1)) - 1;
    if (kind == MBARRIER_INIT) {
        *m = (struct mbarrier){
            .pending = (uint32_t)count, .expected = (uint32_t)count, .valid = true};
        return count == 0 || count >> COUNT_BITS != 0 ? "a count that is not 1 to 2^20-1" : NULL;
    }
    if (!m->valid) {
        return "no initialised mbarrier";
    }
    if (kind == MBARRIER_INVAL) {
        *m = (struct mbarrier){0};
        return NULL;
    }
    if (count > m->pending) {
        return "more arrivals than the phase expects";
    }
    if (m->tx_bytes + tx > most || m->tx_bytes + tx < -most) {
        return "more than 2^20-1 bytes awaited";
    }
    m->tx_bytes += (int32_t)tx;
    m->pending -= (uint32_t)count;
    m->expected -= kind == MBARRIER_DROP || kind == MBARRIER_DROP_TX ? (uint32_t)count : 0;
    end_phase(m);
    return NULL;
}

static bool has_tx(uint8_t kind)
{
    return kind == MBARRIER_EXPECT || kind == MBARRIER_COMPLETE || kind == MBARRIER_ARRIVE_TX ||
           kind == MBARRIER_DROP_TX;
}

/* One lane's operation; the word before it in `old`. */
static const char *perform(const struct ptx_exec *x, const struct ptx_op *op, unsigned lane,
                           uint8_t *word, uint64_t *old)
{
    uint64_t operand = op->src[SRC_COUNT].used ? ptx_lane_value(x, op->src[SRC_COUNT], lane) : 1;
    memcpy(old, word, sizeof(*old));
    struct mbarrier m = unpack(*old);
    int64_t tx = !has_tx(op->mode)               ? 0
                 : op->mode == MBARRIER_COMPLETE ? -(int64_t)operand
                                                 : (int64_t)operand;
    bool arrives = op->mode == MBARRIER_ARRIVE_TX || op->mode == MBARRIER_DROP_TX;
    uint64_t count = !has_tx(op->mode) ? operand : arrives;
    const char *wrong = op->mode == MBARRIER_COPIES && !m.valid ? "no initialised mbarrier" : NULL;
    if (op->mode == MBARRIER_COPIES) { /* one more to wait for, unless .noinc */
        m.pending += wrong == NULL && op->combine == 0;
    } else {
        wrong = change(&m, op->mode, count, tx);
    }
    uint64_t new = pack(m);
    if (wrong == NULL) {
        x->step->changed |= x->step->notice && new != *old;
        memcpy(word, &new, sizeof(new));
    }
    return wrong;
}

/* The lanes' mbarriers in shared memory; 0 after a fault. */
static uint32_t find_words(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct isa_inst *inst = ptx_inst_of_op(x, op);
    struct isa_memop *memop = x->memop;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        memop->addr[lane] = ptx_lane_value(x, op->src[SRC_ADDRESS], lane) + (uint64_t)op->immediate;
        memop->addr[lane] -= inst->space == ISA_SPACE_GENERIC ? PTX_SHARED_WINDOW : 0;
    }
    mask = ptx_check_lanes(x, mask, memop->addr, WORD_BYTES, x->w->place.shared_bytes,
                           ISA_SPACE_SHARED);
    memop->inst = inst;
    memop->space = ISA_SPACE_SHARED;
    memop->mask = mask;
    if (mask != 0) {
        x->step->kind = ISA_STEP_SHARED;
    }
    return mask;
}

static void exec_change(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint64_t state[ISA_LANES] = {0};
    mask = find_words(x, op, mask);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t at = x->memop->addr[lane];
        const char *wrong = perform(x, op, lane, x->w->place.shared + at, &state[lane]);
        if (wrong != NULL) {
            ptx_fault(x, ptx_lane_bit[lane], "mbarrier at 0x%x: %s", (uint32_t)at, wrong);
            return;
        }
    }
    if (op->mode == MBARRIER_COPIES && mask != 0 &&
        !ptx_copies_then_arrive(x, mask, x->memop->addr)) {
        ptx_fault(x, mask, "out of memory for an arrival");
    } else if (op->dst[0].used) {
        ptx_put64(x, op->dst[0], state, mask);
    }
}

static void exec_test(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t ended = 0;
    mask = find_words(x, op, mask);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t word, at = x->memop->addr[lane];
        memcpy(&word, x->w->place.shared + at, sizeof(word));
        struct mbarrier m = unpack(word);
        uint64_t asked = ptx_lane_value(x, op->src[SRC_STATE], lane);
        bool parity = op->mode == MBARRIER_TEST_PARITY ? asked & 1 : unpack(asked).parity;
        if (!m.valid) {
            ptx_fault(x, ptx_lane_bit[lane], "mbarrier at 0x%x: not initialised", (uint32_t)at);
            return;
        }
        ended |= m.parity != parity ? ptx_lane_bit[lane] : 0;
    }
    ptx_put_mask(x, op->dst[0], ended, mask);
}

static void exec_pending(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t r[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        r[lane] = unpack(ptx_lane_value(x, op->src[0], lane)).pending;
    }
    ptx_put32(x, op->dst[0], r, mask);
}

/* ---- lowering ---- */

/* Shared memory of the CTA itself; the order that the words promise holds anyway. */
static enum isa_space take_place(struct ptx_lower *lw)
{
    static const char *const orders[] = {".release", ".acquire", ".relaxed", NULL};
    ptx_take_word(lw, orders);
    ptx_take(lw, ".cta");
    enum isa_space space = ptx_take_space(lw);
    if (ptx_take(lw, ".shared::cluster") || ptx_take(lw, ".cluster") || !ptx_take(lw, ".b64") ||
        (space != ISA_SPACE_SHARED && space != ISA_SPACE_GENERIC)) {
        PTX_LOWER_FAIL(lw, "%s is not supported; use .cta and .shared::cta.b64",
                       lw->statement->text);
    }
    return space;
}

static struct ptx_op *emit(struct ptx_lower *lw, ptx_exec_fn *exec, enum mbarrier_kind kind,
                           enum isa_access access, uint32_t address)
{
    enum isa_space space = take_place(lw);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_SHARED, exec);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    op->mode = (uint8_t)kind;
    inst->access = (uint8_t)access;
    inst->space = (uint8_t)space;
    inst->bytes = WORD_BYTES;
    inst->number = ISA_B64;
    ptx_bind_address(lw, op, SRC_ADDRESS, ptx_operand_at(lw, address), space);
    return op;
}

static void lower_arrive(struct ptx_lower *lw, bool drops)
{
    bool tx = ptx_take(lw, ".expect_tx");
    bool incomplete = ptx_take(lw, ".noComplete");
    uint32_t n = lw->statement->n_operands, address = 1;
    ptx_operand_count(lw, 1, 3);
    if (ptx_operand_at(lw, 0)->kind == PTX_OPERAND_MEMORY) {
        address = 0;
    }
    struct ptx_op *op = emit(lw, exec_change,
                             drops ? (tx ? MBARRIER_DROP_TX : MBARRIER_DROP)
                                   : (tx ? MBARRIER_ARRIVE_TX : MBARRIER_ARRIVE),
                             address == 0 ? ISA_ACCESS_REDUCE : ISA_ACCESS_ATOMIC, address);
    if (address == 1) {
        ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_B64);
    }
    if (n > address + 1) {
        ptx_bind_src(lw, op, SRC_COUNT, ptx_operand_at(lw, address + 1), PTX_U32);
    } else if (tx || incomplete) {
        PTX_LOWER_FAIL(lw, "%s lacks its count", lw->statement->text);
    }
}

static void lower_wait(struct ptx_lower *lw)
{
    bool parity = ptx_take(lw, ".parity");
    ptx_operand_count(lw, 3, 4); /* the fourth is a hint */
    struct ptx_op *op = emit(lw, exec_test, parity ? MBARRIER_TEST_PARITY : MBARRIER_TEST,
                             ISA_ACCESS_LOAD, 1);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_PRED);
    ptx_bind_src(lw, op, SRC_STATE, ptx_operand_at(lw, 2), parity ? PTX_U32 : PTX_B64);
}

static void lower_pending(struct ptx_lower *lw)
{
    ptx_take(lw, ".b64");
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_pending);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_B32);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), PTX_B64);
}

/* [address], count */
static void lower_counted(struct ptx_lower *lw, enum mbarrier_kind kind, enum isa_access access)
{
    ptx_operand_count(lw, 2, 2);
    struct ptx_op *op = emit(lw, exec_change, kind, access, 0);
    ptx_bind_src(lw, op, SRC_COUNT, ptx_operand_at(lw, 1), PTX_U32);
}

static void lower_mbarrier(struct ptx_lower *lw)
{
    if (ptx_take(lw, ".init")) {
        lower_counted(lw, MBARRIER_INIT, ISA_ACCESS_STORE);
    } else if (ptx_take(lw, ".inval")) {
        ptx_operand_count(lw, 1, 1);
        emit(lw, exec_change, MBARRIER_INVAL, ISA_ACCESS_REDUCE, 0);
    } else if (ptx_take(lw, ".arrive")) {
        lower_arrive(lw, false);
    } else if (ptx_take(lw, ".arrive_drop")) {
        lower_arrive(lw, true);
    } else if (ptx_take(lw, ".expect_tx")) {
        lower_counted(lw, MBARRIER_EXPECT, ISA_ACCESS_REDUCE);
    } else if (ptx_take(lw, ".complete_tx")) {
        lower_counted(lw, MBARRIER_COMPLETE, ISA_ACCESS_REDUCE);
    } else if (ptx_take(lw, ".test_wait") || ptx_take(lw, ".try_wait")) {
        lower_wait(lw);
    } else if (ptx_take(lw, ".pending_count")) {
        lower_pending(lw);
    } else {
        PTX_LOWER_FAIL(lw, "%s is not an operation on an mbarrier", lw->statement->text);
    }
}

void ptx_lower_mbarrier_arrive_copies(struct ptx_lower *lw)
{
    bool arrive = ptx_take(lw, ".arrive"), keeps = ptx_take(lw, ".noinc");
    ptx_operand_count(lw, 1, 1);
    if (!arrive) {
        PTX_LOWER_FAIL(lw, "%s is not cp.async.mbarrier.arrive", lw->statement->text);
    }
    struct ptx_op *op = emit(lw, exec_change, MBARRIER_COPIES, ISA_ACCESS_REDUCE, 0);
    op->combine = keeps;
    lw->image->asynchronous = true;
}

const struct ptx_opcode ptx_opcodes_mbarrier[] = {{"mbarrier", lower_mbarrier}, {NULL, NULL}};
