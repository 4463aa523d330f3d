/* ptx_op_bulk.c - cp.async.bulk and cp.reduce.async.bulk (PTX ISA, "Asynchronous Data Copy
 * Instructions", "Bulk copy").  See ptx_async.h.
 *
 * A bulk copy is the machine's: it asks for the bytes, 512 a cycle at most.  To shared memory they
 * come back piece by piece, and the last piece completes the mbarrier's bytes; from shared memory
 * they are read when the instruction is executed.  Of several threads each makes a copy, one after
 * the other.  Copies by tensor maps, between CTAs and to several CTAs of a cluster are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/l2/atomic.h"
#include "ptx/ptx_async.h"
#include "ptx/ptx_op_memory.h"

enum { SRC_GLOBAL, SRC_SHARED, SRC_OFFSET, SRC_BYTES, SRC_BARRIER, SRC_BARRIER_OFFSET };
enum { UNIT_BYTES = 16 };

/* A copy to shared memory that is under way. */
struct bulk {
    uint32_t tag, left_bytes, bytes;
    uint64_t from; /* in global memory */
    uint32_t to, mbarrier;
};

struct ptx_bulks {
    struct bulk *at;
    uint32_t n, max, next_tag;
    uint64_t address; /* that the machine is told */
};

static struct ptx_bulks *bulks_of(struct ptx_warp *w)
{
    if (w->bulks == NULL) {
        w->bulks = calloc(1, sizeof(*w->bulks));
    }
    return w->bulks;
}

static bool add(struct ptx_bulks *b, struct bulk copy)
{
    if (b->n == b->max) {
        struct bulk *more = realloc(b->at, (b->max + 8) * sizeof(*more));
        if (more == NULL) {
            return false;
        }
        b->at = more;
        b->max += 8;
    }
    b->at[b->n++] = copy;
    return true;
}

void ptx_bulks_end(struct ptx_warp *w)
{
    if (w->bulks != NULL) {
        free(w->bulks->at);
        free(w->bulks);
        w->bulks = NULL;
    }
}

uint64_t ptx_bulks_digest(const struct ptx_warp *w, uint64_t digest)
{
    const struct ptx_bulks *b = w->bulks;
    for (uint32_t i = 0; b != NULL && i < b->n; i++) {
        digest = ptx_digest(digest, &b->at[i].left_bytes, sizeof(b->at[i].left_bytes));
    }
    return digest;
}

void ptx_bulk_arrives(struct ptx_warp *w, const struct isa_memop *memop)
{
    struct ptx_bulks *b = w->bulks;
    uint32_t i = 0;
    while (b != NULL && i < b->n && b->at[i].tag != memop->tag) {
        i++;
    }
    if (b == NULL || i == b->n || memop->inst->access != ISA_ACCESS_LOAD) {
        return;
    }
    struct bulk *copy = &b->at[i];
    for (uint32_t rest = memop->mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        memcpy(w->place.shared + copy->to + (memop->addr[lane] - copy->from), memop->data[lane],
               memop->inst->bytes);
        copy->left_bytes -= memop->inst->bytes;
    }
    if (copy->left_bytes == 0) {
        ptx_mbarrier_bytes(w->place.shared + copy->mbarrier, copy->bytes);
        *copy = b->at[--b->n];
    }
}

/* ---- execution ---- */

static uint64_t with_offset(const struct ptx_exec *x, const struct ptx_op *op, uint32_t k,
                            uint32_t lane)
{
    return (uint32_t)(ptx_lane_value(x, op->src[k], lane) +
                      ptx_lane_value(x, op->src[k + 1], lane));
}

/* Is what `lane` asks for a copy?  If not, a fault says why. */
static bool is_legal(struct ptx_exec *x, uint32_t lane, struct bulk copy, bool barrier)
{
    uint64_t room = x->w->place.shared_bytes;
    if ((copy.from | copy.to | copy.bytes) % UNIT_BYTES != 0) {
        ptx_fault(x, ptx_lane_bit[lane],
                  "misaligned bulk copy of %u bytes, 0x%llx, shared 0x%x (16)", copy.bytes,
                  (unsigned long long)copy.from, copy.to);
    } else if (copy.to > room || copy.bytes > room - copy.to ||
               (barrier && (copy.mbarrier % 8 != 0 || copy.mbarrier + UINT64_C(8) > room))) {
        ptx_fault(x, ptx_lane_bit[lane], "bulk copy of %u bytes at 0x%x: outside shared memory",
                  copy.bytes, copy.to);
    } else {
        return true;
    }
    return false;
}

static void exec_bulk(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct isa_inst *inst = ptx_inst_of_op(x, op);
    struct ptx_bulks *b = bulks_of(x->w);
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint64_t address[ISA_LANES];
    bool loads = inst->access == ISA_ACCESS_LOAD;
    ptx_lane_addresses(x, op, address);
    struct bulk copy = {.tag = b == NULL ? 0 : b->next_tag++,
                        .bytes = (uint32_t)ptx_lane_value(x, op->src[SRC_BYTES], lane),
                        .from = address[lane],
                        .to = (uint32_t)with_offset(x, op, SRC_SHARED, lane),
                        .mbarrier = loads ? (uint32_t)with_offset(x, op, SRC_BARRIER, lane) : 0};
    copy.left_bytes = copy.bytes;
    x->step->active = ptx_lane_bit[lane];
    x->w->pending = mask & ~ptx_lane_bit[lane];
    x->stay = x->w->pending != 0;
    if (!is_legal(x, lane, copy, loads) || copy.bytes == 0) {
        return;
    }
    if (b == NULL || (loads && !add(b, copy))) {
        ptx_fault(x, ptx_lane_bit[lane], "out of memory for a copy");
        return;
    }
    b->address = copy.from;
    x->step->kind = ISA_STEP_ASYNC;
    x->step->async = (struct isa_async){.kind = ISA_ASYNC_COPY,
                                        .access = inst->access,
                                        .width = copy.bytes,
                                        .n = 1,
                                        .address = &b->address,
                                        .tag = copy.tag,
                                        .data = loads ? NULL : x->w->place.shared + copy.to,
                                        .atom = inst->atom,
                                        .number = inst->number,
                                        .bytes = loads ? 0 : atomic_bytes(inst->number),
                                        .shared = copy.to};
}

static void exec_nothing(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)x;
    (void)op;
    (void)mask;
}

/* ---- lowering ---- */

static void bind_shared(struct ptx_lower *lw, struct ptx_op *op, uint32_t k, uint32_t operand)
{
    ptx_bind_address(lw, op, k, ptx_operand_at(lw, operand), ISA_SPACE_SHARED);
    op->src[k + 1] = ptx_pool(lw, (uint32_t)op->immediate, 4, NULL);
}

static struct ptx_op *emit_copy(struct ptx_lower *lw, enum isa_access access, uint32_t shared,
                                uint32_t global)
{
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_bulk);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    inst->access = (uint8_t)access;
    inst->space = ISA_SPACE_GLOBAL;
    inst->cacheop = ISA_CACHE_CG;
    inst->bytes = UNIT_BYTES;
    bind_shared(lw, op, SRC_SHARED, shared);
    if (access == ISA_ACCESS_LOAD) {
        bind_shared(lw, op, SRC_BARRIER, 3);
    }
    ptx_bind_address(lw, op, SRC_GLOBAL, ptx_operand_at(lw, global), ISA_SPACE_GLOBAL);
    ptx_bind_src(lw, op, SRC_BYTES, ptx_operand_at(lw, 2), PTX_U32);
    lw->image->asynchronous = lw->image->bulk = true;
    return op;
}

/* .redOp.type of cp.reduce. */
static void take_reduction(struct ptx_lower *lw, struct isa_inst *inst)
{
    static const char *const words[] = {".add", ".min", ".max", ".inc", ".dec",
                                        ".and", ".or",  ".xor", NULL};
    static const uint8_t atoms[] = {ISA_ATOM_ADD, ISA_ATOM_MIN, ISA_ATOM_MAX, ISA_ATOM_INC,
                                    ISA_ATOM_DEC, ISA_ATOM_AND, ISA_ATOM_OR,  ISA_ATOM_XOR};
    int word = ptx_take_word(lw, words);
    ptx_take(lw, ".noftz");
    int number = ptx_atomic_number(ptx_take_type(lw), word < 0 ? 0 : atoms[word]);
    if (word < 0 || number < 0) {
        PTX_LOWER_FAIL(lw, "%s: there is no such reduction", lw->statement->text);
    }
    inst->atom = atoms[word];
    inst->number = (uint8_t)number;
}

static void lower_copy(struct ptx_lower *lw, bool reduces)
{
    bool cluster = ptx_take(lw, ".shared::cluster"), cta = ptx_take(lw, ".shared::cta");
    bool global = ptx_take(lw, ".global"), group = ptx_take(lw, ".bulk_group");
    bool completes = ptx_take(lw, ".mbarrier::complete_tx::bytes");
    bool reads = completes && !group && !reduces, writes = group && cta && !completes;
    ptx_take(lw, ".L2::cache_hint"); /* the policy, the last operand, is a hint */
    if (!global || cluster + cta != 1 || (!reads && !writes) ||
        ptx_take(lw, ".multicast::cluster") || ptx_take(lw, ".cp_mask")) {
        PTX_LOWER_FAIL(
            lw,
            "%s is not supported: a bulk copy is from .global to the CTA's own shared memory "
            "with .mbarrier::complete_tx::bytes, or back with .bulk_group",
            lw->statement->text);
    }
    ptx_operand_count(lw, reads ? 4 : 3, reads ? 5 : 4);
    if (reads) {
        emit_copy(lw, ISA_ACCESS_LOAD, 0, 1);
    } else {
        struct ptx_op *op = emit_copy(lw, reduces ? ISA_ACCESS_REDUCE : ISA_ACCESS_STORE, 1, 0);
        if (reduces) {
            take_reduction(lw, ptx_inst_of(lw, op));
        }
    }
}

void ptx_lower_bulk(struct ptx_lower *lw)
{
    if (ptx_take(lw, ".tensor")) {
        PTX_LOWER_FAIL(lw, "%s: tensor maps are not supported; copy rows by cp.async.bulk",
                       lw->statement->text);
    } else if (ptx_take(lw, ".prefetch")) { /* a hint */
        static const char *const words[] = {".L2", ".global", ".L2::cache_hint", NULL};
        while (ptx_take_word(lw, words) >= 0) {
        }
        ptx_emit(lw, ISA_PIPE_INT, exec_nothing);
    } else if (!ptx_lower_group(lw, ISA_ASYNC_BULK)) {
        lower_copy(lw, ptx_take(lw, ".reduce"));
    }
}
