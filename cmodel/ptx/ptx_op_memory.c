/* ptx_op_memory.c - ld, st, ldu, prefetch, membar, fence: what they mean and which facts the
 * machine gets (PTX ISA, "Data Movement and Conversion Instructions", "Memory Consistency Model").
 *
 * An acquire is the relaxed access followed by a fence, a release one preceded by it.
 */
#include <string.h>

#include "ptx/ptx_lower.h"
#include "ptx/ptx_mem.h"
#include "ptx/ptx_op_memory.h"

enum order {
    ORDER_WEAK,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_VOLATILE,
    ORDER_MMIO,
    ORDER_SC
};

static const char *const order_words[] = {
    ".weak", ".relaxed", ".acquire", ".release", ".acq_rel", ".volatile", ".mmio", ".sc", NULL};

enum isa_scope ptx_take_scope(struct ptx_lower *lw, enum isa_scope otherwise)
{
    static const char *const words[] = {".cta", ".gpu", ".sys", NULL};
    int word = ptx_take_word(lw, words);
    if (ptx_take(lw, ".cluster")) {
        PTX_LOWER_FAIL(lw, "clusters are not supported; use .gpu");
    }
    return word < 0 ? otherwise : (enum isa_scope)word;
}

enum isa_space ptx_take_space(struct ptx_lower *lw)
{
    static const char *const words[] = {".global",       ".shared", ".shared::cta",
                                        ".local",        ".param",  ".param::func",
                                        ".param::entry", ".const",  NULL};
    static const enum isa_space spaces[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_SHARED,
                                            ISA_SPACE_LOCAL,  ISA_SPACE_PARAM,  ISA_SPACE_PARAM,
                                            ISA_SPACE_PARAM,  ISA_SPACE_CONST};
    int word = ptx_take_word(lw, words);
    return word < 0 ? ISA_SPACE_GENERIC : spaces[word];
}

enum isa_pipe ptx_pipe_of(enum isa_space space)
{
    switch (space) {
    case ISA_SPACE_SHARED: return ISA_PIPE_SHARED;
    case ISA_SPACE_CONST:
    case ISA_SPACE_PARAM: return ISA_PIPE_CONST;
    default: return ISA_PIPE_MEM;
    }
}

/* Eviction priorities and prefetch sizes: hints that no cache here follows. */
static void take_hints(struct ptx_lower *lw)
{
    const struct ptx_statement *st = lw->statement;
    for (uint32_t i = 0; i < st->n_modifiers; i++) {
        if (strncmp(st->modifiers[i], ".L1::", 5) == 0 ||
            strncmp(st->modifiers[i], ".L2::", 5) == 0) {
            lw->taken_modifiers |= 1u << i;
        }
    }
}

static enum isa_cacheop take_cacheop(struct ptx_lower *lw, enum order order, enum isa_scope scope)
{
    static const char *const words[] = {".ca", ".cg", ".cs", ".lu", ".cv",
                                        ".wb", ".wt", ".nc", NULL};
    static const enum isa_cacheop ops[] = {ISA_CACHE_CA, ISA_CACHE_CG, ISA_CACHE_CS, ISA_CACHE_CS,
                                           ISA_CACHE_CV, ISA_CACHE_WB, ISA_CACHE_WT, ISA_CACHE_NC};
    int word = ptx_take_word(lw, words);
    bool nc = word >= 0 && ops[word] != ISA_CACHE_NC && ptx_take(lw, ".nc");
    if (nc || (word >= 0 && ops[word] == ISA_CACHE_NC)) {
        ptx_take_word(lw, words); /* ld.global.nc.cg and the like: .nc says more */
        return ISA_CACHE_NC;
    }
    if (order == ORDER_VOLATILE || order == ORDER_MMIO) {
        return ISA_CACHE_VOLATILE;
    }
    if (order != ORDER_WEAK && scope != ISA_SCOPE_CTA) {
        return scope == ISA_SCOPE_SYSTEM ? ISA_CACHE_CV : ISA_CACHE_CG;
    }
    return word < 0 ? ISA_CACHE_DEFAULT : ops[word];
}

static void exec_fence(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)mask;
    x->step->kind = ISA_STEP_FENCE;
    x->step->scope = op->mode;
}

void ptx_emit_fence(struct ptx_lower *lw, enum isa_scope scope)
{
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_FENCE, exec_fence);
    op->mode = (uint8_t)scope;
    ptx_inst_of(lw, op)->scope = (uint8_t)scope;
}

static uint32_t take_vector(struct ptx_lower *lw)
{
    if (ptx_take(lw, ".v8")) {
        PTX_LOWER_FAIL(lw, "vectors of 8 are not supported; use .v4");
    }
    return ptx_take(lw, ".v4") ? 4 : ptx_take(lw, ".v2") ? 2 : 1;
}

void ptx_bind_elements(struct ptx_lower *lw, struct ptx_op *op, const struct ptx_operand *o,
                       enum ptx_type type, bool load)
{
    uint32_t n = op->n_elements;
    const struct ptx_operand *elements = n == 1 && o->kind != PTX_OPERAND_VECTOR ? o : o->elements;
    if (n > 1 && (o->kind != PTX_OPERAND_VECTOR || o->n_elements != n)) {
        PTX_LOWER_FAIL(lw, "%s needs a vector of %u registers", lw->statement->text, n);
    }
    if (o->kind == PTX_OPERAND_VECTOR && o->n_elements != n) {
        PTX_LOWER_FAIL(lw, "%s takes one register; add .v2 or .v4", lw->statement->text);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (load) {
            ptx_bind_dst_wide(lw, op, i, &elements[i], type);
            bool narrow = elements[i].kind == PTX_OPERAND_REGISTER &&
                          ptx_type_bytes(lw->source->registers[elements[i].reg].type) <= 2;
            op->mode = narrow ? PTX_LOAD_NARROW : op->mode;
        } else {
            ptx_bind_src_wide(lw, op, i + 1, &elements[i], type);
        }
    }
}

struct access {
    enum isa_space space;
    enum order order;
    enum isa_scope scope;
    enum isa_cacheop cacheop;
    enum ptx_type type;
    uint32_t n_elements;
};

static struct access take_access(struct ptx_lower *lw)
{
    struct access a = {.order = ORDER_WEAK};
    int order = ptx_take_word(lw, order_words);
    a.order = order < 0 ? ORDER_WEAK : (enum order)order;
    if (a.order == ORDER_MMIO) {
        ptx_take(lw, ".relaxed");
    }
    a.scope = ptx_take_scope(lw, a.order == ORDER_WEAK ? ISA_SCOPE_CTA : ISA_SCOPE_SYSTEM);
    a.space = ptx_take_space(lw);
    a.cacheop = take_cacheop(lw, a.order, a.scope);
    take_hints(lw);
    a.n_elements = take_vector(lw);
    a.type = ptx_take_type(lw);
    if (a.type == PTX_PRED || a.type == PTX_B128 || ptx_type_bytes(a.type) * a.n_elements > 16) {
        PTX_LOWER_FAIL(lw, "%s moves more than 16 bytes or a predicate; split it",
                       lw->statement->text);
    }
    return a;
}

static void lower_access(struct ptx_lower *lw, struct access a, bool load)
{
    ptx_operand_count(lw, 2, 3); /* the third is a cache policy, a hint */
    bool in_frame = a.space == ISA_SPACE_PARAM, is_const = a.space == ISA_SPACE_CONST;
    struct ptx_op *op = ptx_emit(lw, ptx_pipe_of(a.space),
                                 in_frame   ? ptx_exec_param
                                 : is_const ? ptx_exec_const
                                            : ptx_exec_access);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    op->n_elements = (uint8_t)a.n_elements;
    op->element_bytes = (uint8_t)ptx_type_bytes(a.type);
    op->element_signed = ptx_type_is_signed(a.type);
    inst->access = load ? ISA_ACCESS_LOAD : ISA_ACCESS_STORE;
    inst->space = (uint8_t)a.space;
    inst->cacheop = (uint8_t)a.cacheop;
    inst->scope = (uint8_t)a.scope;
    inst->bytes = (uint8_t)(op->element_bytes * a.n_elements);
    ptx_bind_address(lw, op, 0, ptx_operand_at(lw, load ? 1 : 0), a.space);
    ptx_bind_elements(lw, op, ptx_operand_at(lw, load ? 0 : 1), a.type, load);
    if (!load && (is_const || (in_frame && op->entry_params))) {
        PTX_LOWER_FAIL(lw, "%s writes memory that is read-only", lw->statement->text);
    }
}

static void lower_ld(struct ptx_lower *lw)
{
    struct access a = take_access(lw);
    lower_access(lw, a, true);
    if (a.order == ORDER_ACQUIRE) {
        ptx_emit_fence(lw, a.scope);
    }
}

static void lower_ldu(struct ptx_lower *lw)
{
    lower_access(lw, take_access(lw), true);
}

static void lower_st(struct ptx_lower *lw)
{
    struct access a = take_access(lw);
    if (a.order == ORDER_RELEASE) {
        ptx_emit_fence(lw, a.scope);
    }
    lower_access(lw, a, false);
}

static void lower_membar(struct ptx_lower *lw)
{
    static const char *const levels[] = {".cta", ".gl", ".sys", NULL};
    int level = ptx_take_word(lw, levels);
    if (level < 0) {
        PTX_LOWER_FAIL(lw, "membar needs .cta, .gl or .sys");
    }
    ptx_operand_count(lw, 0, 0);
    ptx_emit_fence(lw, (enum isa_scope)level);
}

/* There is one proxy: what a fence between two orders is in order anyway. */
static void lower_fence(struct ptx_lower *lw)
{
    static const char *const proxies[] = {".alias",         ".async",         ".async::generic",
                                          ".global",        ".shared::cta",   ".shared::cluster",
                                          ".sync_restrict", ".mbarrier_init", NULL};
    ptx_take(lw, ".proxy");
    while (ptx_take_word(lw, proxies) >= 0) {
    }
    ptx_take_word(lw, order_words);
    ptx_take(lw, ".cluster");
    ptx_operand_count(lw, 0, 0);
    ptx_emit_fence(lw, ptx_take_scope(lw, ISA_SCOPE_SYSTEM));
}

static void exec_nothing(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)x;
    (void)op;
    (void)mask;
}

/* Prefetches move no values: legal, and without effect. */
static void lower_prefetch(struct ptx_lower *lw)
{
    static const char *const levels[] = {".L1", ".L2", NULL};
    ptx_take_space(lw);
    ptx_take_word(lw, levels);
    take_hints(lw);
    ptx_operand_count(lw, 1, 2);
    ptx_emit(lw, ISA_PIPE_INT, exec_nothing);
}

/* Hints to the caches, and how the next grid may overlap this one: grids do not. */
static void take_all(struct ptx_lower *lw)
{
    while (lw->taken_modifiers != (1u << lw->statement->n_modifiers) - 1) {
        ptx_take(lw, lw->statement->modifiers[__builtin_ctz(~lw->taken_modifiers)]);
    }
}

static void lower_hint(struct ptx_lower *lw)
{
    take_all(lw);
    ptx_emit(lw, ISA_PIPE_INT, exec_nothing);
}

static void exec_policy(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    static const uint64_t none[ISA_LANES];
    ptx_put64(x, op->dst[0], none, mask);
}

/* A cache policy: the accesses that it is for take no notice. */
static void lower_policy(struct ptx_lower *lw)
{
    take_all(lw);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_INT, exec_policy);
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), PTX_B64);
}

const struct ptx_opcode ptx_opcodes_memory[] = {{"ld", lower_ld},
                                                {"ldu", lower_ldu},
                                                {"st", lower_st},
                                                {"membar", lower_membar},
                                                {"fence", lower_fence},
                                                {"prefetch", lower_prefetch},
                                                {"prefetchu", lower_prefetch},
                                                {"discard", lower_hint},
                                                {"applypriority", lower_hint},
                                                {"griddepcontrol", lower_hint},
                                                {"setmaxnreg", lower_hint},
                                                {"createpolicy", lower_policy},
                                                {NULL, NULL}};
