/* ptx_op_async.c - cp.async (PTX ISA, "Asynchronous Data Copy Instructions").  See
 * ptx_async.h.
 */
#include "ptx/ptx_async.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_op_memory.h"

enum { SRC_GLOBAL, SRC_SHARED, SRC_OFFSET, SRC_BYTES, SRC_IGNORE };

/* A copy under way: its lanes' places in shared memory.  The machine gives the object `memop` back when
 * it retires the copy. */
struct copy {
    const struct isa_memop *memop;
    uint64_t number;
    uint32_t to[ISA_LANES];
};

/* Arrivals when no copy with a lower number is under way. */
struct arrival {
    uint64_t number;
    uint32_t mask, at[ISA_LANES];
};

struct ptx_copies {
    struct copy *copy;
    struct arrival *arrival;
    uint32_t n_copies, max_copies, n_arrivals, max_arrivals;
    uint64_t next; /* number */
    uint32_t part; /* of a copy of fewer bytes that is gone on with: the size of its next part */
};

uint64_t ptx_lane_value(const struct ptx_exec *x, struct ptx_ref ref, unsigned lane)
{
    return ref.bytes == 8 ? ((const lane_u64 *)ptx_lanes(x, ref))[lane]
                          : ((const lane_u32 *)ptx_lanes(x, ref))[lane];
}

/* ---- copies under way ---- */

static struct ptx_copies *copies_of(struct ptx_warp *w)
{
    if (w->copies == NULL) {
        w->copies = calloc(1, sizeof(*w->copies));
    }
    return w->copies;
}

/* Room for one more; NULL when out of memory, and what was there stays. */
static void *one_more(void *array, uint32_t n, uint32_t *max, size_t bytes)
{
    if (n < *max) {
        return array;
    }
    void *more = realloc(array, (*max + 8) * bytes);
    *max += more == NULL ? 0 : 8;
    return more;
}

static struct copy *add_copy(struct ptx_exec *x)
{
    struct ptx_copies *c = copies_of(x->w);
    void *more = c == NULL ? NULL
                           : one_more(c->copy, c->n_copies, &c->max_copies, sizeof(*c->copy));
    if (more == NULL) {
        return NULL;
    }
    c->copy = more;
    for (uint32_t i = 0; i < c->n_copies; i++) { /* one whose lanes were all left out never came */
        if (c->copy[i].memop == x->memop) {
            c->copy[i] = c->copy[--c->n_copies];
        }
    }
    c->copy[c->n_copies] = (struct copy){.memop = x->memop, .number = c->next++};
    return &c->copy[c->n_copies++];
}

void ptx_copies_end(struct ptx_warp *w)
{
    if (w->copies != NULL) {
        free(w->copies->copy);
        free(w->copies->arrival);
        free(w->copies);
        w->copies = NULL;
    }
}

uint64_t ptx_copies_digest(const struct ptx_warp *w, uint64_t digest)
{
    uint32_t n[] = {w->copies == NULL ? 0 : w->copies->n_copies,
                    w->copies == NULL ? 0 : w->copies->n_arrivals};
    return ptx_digest(digest, n, sizeof(n));
}

static bool is_due(const struct ptx_copies *c, const struct arrival *a)
{
    for (uint32_t i = 0; i < c->n_copies; i++) {
        if (c->copy[i].number < a->number) {
            return false;
        }
    }
    return true;
}

/* An mbarrier that was made invalid meanwhile takes no arrival. */
static void arrive_due(struct ptx_warp *w)
{
    struct ptx_copies *c = w->copies;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n_arrivals; i++) {
        struct arrival *a = &c->arrival[i];
        if (!is_due(c, a)) {
            c->arrival[kept++] = *a;
            continue;
        }
        for (uint32_t rest = a->mask; rest != 0; rest &= rest - 1) {
            ptx_mbarrier_arrive(w->place.shared + a->at[__builtin_ctz(rest)]);
        }
    }
    c->n_arrivals = kept;
}

bool ptx_copies_then_arrive(struct ptx_exec *x, uint32_t mask, const uint64_t *address)
{
    struct ptx_copies *c = copies_of(x->w);
    void *more = c == NULL
                     ? NULL
                     : one_more(c->arrival, c->n_arrivals, &c->max_arrivals, sizeof(*c->arrival));
    if (more == NULL) {
        return false;
    }
    c->arrival = more;
    struct arrival *a = &c->arrival[c->n_arrivals++];
    *a = (struct arrival){.number = c->next, .mask = mask};
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        a->at[lane] = (uint32_t)address[lane];
    }
    arrive_due(x->w);
    return true;
}

void ptx_copy_arrives(struct ptx_exec *x, const struct isa_memop *memop)
{
    struct ptx_copies *c = x->w->copies;
    uint32_t i = 0;
    while (i < c->n_copies && c->copy[i].memop != memop) {
        i++;
    }
    if (i == c->n_copies) {
        return;
    }
    for (uint32_t rest = memop->mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        memcpy(x->w->place.shared + c->copy[i].to[lane], memop->data[lane], memop->inst->bytes);
    }
    c->copy[i] = c->copy[--c->n_copies];
    arrive_due(x->w);
}

/* ---- cp.async ---- */

static uint32_t bytes_from_global(const struct ptx_exec *x, const struct ptx_op *op,
                                  uint32_t ignored, uint32_t lane, uint32_t bytes)
{
    uint64_t n = op->src[SRC_BYTES].used ? ptx_lane_value(x, op->src[SRC_BYTES], lane) : bytes;
    return (ignored >> lane & 1) != 0 ? 0 : n < bytes ? (uint32_t)n : bytes;
}

/* Zeros stand behind what a lane takes from global memory, at once; the lanes that take all. */
static uint32_t fill_rest(const struct ptx_exec *x, const uint64_t *to, const uint32_t *n,
                          uint32_t mask, uint32_t bytes)
{
    uint32_t whole = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        memset(x->w->place.shared + to[lane] + n[lane], 0, bytes - n[lane]);
        whole |= n[lane] == bytes ? ptx_lane_bit[lane] : 0;
    }
    return whole;
}

/* For whoever checks the kernel: all of the places that are written. */
static void note_places(struct ptx_exec *x, const uint64_t *to, uint32_t mask)
{
    x->step->to_shared = mask;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        uint32_t at = (uint32_t)to[lane];
        memcpy(x->memop->data[lane], &at, sizeof(at));
    }
}

/* Ask for `inst->bytes` of each lane of `mask`, behind those it has. */
static void ask(struct ptx_exec *x, const struct ptx_op *op, const struct isa_inst *inst,
                uint32_t mask, const uint64_t *to, const uint32_t *has)
{
    ptx_lane_addresses(x, op, x->memop->addr);
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        x->memop->addr[lane] += has[lane];
    }
    mask = ptx_check_lanes(x, mask, x->memop->addr, inst->bytes, PTX_GLOBAL_BYTES,
                           ISA_SPACE_GLOBAL);
    struct copy *copy = mask == 0 ? NULL : add_copy(x);
    if (copy == NULL) {
        if (mask != 0) {
            ptx_fault(x, mask, "out of memory for a copy");
        }
        return;
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        copy->to[lane] = (uint32_t)to[lane] + has[lane];
    }
    x->memop->inst = inst;
    x->memop->space = ISA_SPACE_GLOBAL;
    x->memop->mask = mask;
    x->step->kind = ISA_STEP_MEMORY;
}

/* Lanes of `mask` with an odd multiple of `part` bytes, or, when there are none, of the next smaller
 * power of two; 0: no lane has a part of that size or below. */
static uint32_t lanes_with(const uint32_t *n, uint32_t mask, uint32_t *part)
{
    for (; *part != 0; *part /= 2) {
        uint32_t lanes = 0;
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            lanes |= (n[lane] & *part) != 0 ? ptx_lane_bit[lane] : 0;
        }
        if (lanes != 0) {
            return lanes;
        }
    }
    return 0;
}

/* Fewer bytes than the copy's come by powers of two, an access each: 12 are 8 and 4. */
static void copy_part(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask,
                      const uint64_t *to, const uint32_t *n)
{
    struct ptx_copies *c = copies_of(x->w);
    uint32_t has[ISA_LANES] = {0}, part = c == NULL ? 0 : c->part, next;
    uint32_t lanes = lanes_with(n, mask, &part);
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        has[lane] = n[lane] & ~(2 * part - 1);
    }
    if (lanes != 0) {
        ask(x, op, &op->parts[__builtin_ctz(part)], lanes, to, has);
    }
    next = part / 2;
    x->w->pending = lanes_with(n, mask, &next) == 0 ? 0 : mask;
    x->stay = x->w->pending != 0;
    if (c != NULL) {
        c->part = next;
    }
}

static void exec_copy(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    const struct isa_inst *inst = ptx_inst_of_op(x, op);
    uint32_t ignored = op->src[SRC_IGNORE].used ? ptx_mask_of(x, op->src[SRC_IGNORE]) : 0;
    uint32_t n[ISA_LANES], none[ISA_LANES] = {0}, part = inst->bytes / 2u;
    uint64_t to[ISA_LANES];
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        to[lane] = (uint32_t)(ptx_lane_value(x, op->src[SRC_SHARED], lane) +
                              ptx_lane_value(x, op->src[SRC_OFFSET], lane));
        n[lane] = bytes_from_global(x, op, ignored, lane, inst->bytes);
    }
    if (x->w->pending != 0) {
        copy_part(x, op, mask, to, n);
        return;
    }
    mask = ptx_check_lanes(x, mask, to, inst->bytes, x->w->place.shared_bytes, ISA_SPACE_SHARED);
    if (x->step->checked) {
        note_places(x, to, mask);
    }
    uint32_t whole = fill_rest(x, to, n, mask, inst->bytes);
    if (mask != whole && lanes_with(n, mask & ~whole, &part) != 0) {
        struct ptx_copies *c = copies_of(x->w);
        x->w->pending = c == NULL ? 0 : mask & ~whole;
        x->stay = c != NULL;
        if (c != NULL) {
            c->part = part;
        }
    }
    if (whole != 0) {
        ask(x, op, inst, whole, to, none);
    } else if (x->stay) {
        copy_part(x, op, mask, to, n);
    }
}

/* The accesses of copies of fewer bytes: [k] of 1 << k. */
static const struct isa_inst *parts_of(struct ptx_lower *lw, const struct isa_inst *whole)
{
    struct isa_inst *parts = ptx_alloc(lw->diag, 4, sizeof(*parts));
    for (uint32_t k = 0; k < 4; k++) {
        parts[k] = *whole;
        parts[k].bytes = (uint8_t)(1u << k);
    }
    return parts;
}

/* What stands behind the two addresses: the bytes copied, those read, a predicate, a cache policy. */
static void bind_rest(struct ptx_lower *lw, struct ptx_op *op)
{
    uint32_t n = lw->statement->n_operands;
    for (uint32_t i = 3; i < n; i++) {
        const struct ptx_operand *o = ptx_operand_at(lw, i);
        enum ptx_type type = o->kind == PTX_OPERAND_REGISTER ? lw->source->registers[o->reg].type
                                                             : PTX_B32;
        if (type == PTX_PRED) {
            ptx_bind_src(lw, op, SRC_IGNORE, o, PTX_PRED);
        } else if (ptx_type_bytes(type) == 4 && i == 3) {
            ptx_bind_src(lw, op, SRC_BYTES, o, PTX_U32);
        } /* else a cache policy: a hint */
    }
}

static void lower_copy(struct ptx_lower *lw)
{
    static const char *const ops[] = {".ca", ".cg", NULL};
    static const char *const hints[] = {".L2::64B", ".L2::128B", ".L2::256B", ".L2::cache_hint",
                                        NULL};
    int cacheop = ptx_take_word(lw, ops);
    bool to = ptx_take(lw, ".shared") || ptx_take(lw, ".shared::cta");
    bool from = ptx_take(lw, ".global");
    while (ptx_take_word(lw, hints) >= 0) {
    }
    ptx_operand_count(lw, 3, 6);
    const struct ptx_operand *size = ptx_operand_at(lw, 2);
    int64_t bytes = size->kind == PTX_OPERAND_INTEGER ? size->value : 0;
    if (cacheop < 0 || !to || !from ||
        (bytes != 16 && (cacheop == 1 || (bytes != 4 && bytes != 8)))) {
        PTX_LOWER_FAIL(lw,
                       "%s copies 4, 8 or 16 bytes with .ca, 16 with .cg, to .shared from .global",
                       lw->statement->text);
    }
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_MEM, exec_copy);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    inst->access = ISA_ACCESS_LOAD;
    inst->space = ISA_SPACE_GLOBAL;
    inst->cacheop = cacheop == 0 ? ISA_CACHE_CA : ISA_CACHE_CG;
    inst->bytes = (uint8_t)bytes;
    inst->is_async = true;
    ptx_bind_address(lw, op, SRC_SHARED, ptx_operand_at(lw, 0), ISA_SPACE_SHARED);
    op->src[SRC_OFFSET] = ptx_pool(lw, (uint32_t)op->immediate, 4, NULL);
    ptx_bind_address(lw, op, SRC_GLOBAL, ptx_operand_at(lw, 1), ISA_SPACE_GLOBAL);
    bind_rest(lw, op);
    op->parts = op->src[SRC_BYTES].used ? parts_of(lw, ptx_inst_of(lw, op)) : NULL;
    lw->image->asynchronous = true;
}

static void lower_cp(struct ptx_lower *lw)
{
    bool async = ptx_take(lw, ".async");
    if (!async) {
        PTX_LOWER_FAIL(lw, "%s is no copy that PTX has; use cp.async", lw->statement->text);
    }
    if (ptx_take(lw, ".bulk")) {
        ptx_lower_bulk(lw);
    } else if (ptx_take(lw, ".mbarrier")) {
        ptx_lower_mbarrier_arrive_copies(lw);
    } else if (!ptx_lower_group(lw, ISA_ASYNC_LOADS)) {
        lower_copy(lw);
    }
}

const struct ptx_opcode ptx_opcodes_async[] = {{"cp", lower_cp}, {NULL, NULL}};
