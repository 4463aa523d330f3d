/* ptx_flow.c - what addresses and branch conditions were computed from (enum isa_origin).
 *
 * A forward data-flow over registers, to the fixpoint, through calls: argument
 * and result areas carry origins byte by byte.  A load's result is LOADED
 * whatever its address was; kernel parameters are PARAM; a register that is
 * alive into a loop's header and written inside the loop is INDUCTION there.
 */
#include "ptx/ptx_analysis.h"

struct flow {
    struct ptx_image *image;
    struct ptx_cfg *const *cfgs;
    uint8_t **in;        /* [function]: [block][register] */
    uint8_t **area;      /* [function]: origin of each byte of the .param area */
    uint8_t **at_return; /* [function]: [register], joined over its returns */
    uint8_t **carried;   /* [function]: [block][register]: INDUCTION added at a loop header */
    uint8_t *state;      /* [most registers] scratch */
    bool changed;
};

static void join(struct flow *fl, uint8_t *to, uint8_t origin)
{
    fl->changed = fl->changed || (origin & ~*to) != 0;
    *to |= origin;
}

/* Origins of the operands that are no registers. */
static uint8_t constant_origin(const struct flow *fl, struct ptx_ref ref)
{
    if (!ref.used || ref.base == PTX_BASE_FRAME) {
        return 0;
    }
    for (uint32_t i = 0; ref.base == PTX_BASE_SPECIAL && i < fl->image->n_specials; i++) {
        const struct ptx_special_slot *s = &fl->image->specials[i];
        if (s->offset == ref.offset) {
            return ptx_special_info(s->special)->origin;
        }
    }
    return ISA_FROM_PARAM;
}

static uint8_t sources_origin(const struct flow *fl, const struct ptx_image_function *f,
                              uint32_t pc)
{
    const struct isa_inst *inst = &fl->image->inst[pc];
    const struct ptx_op *op = &fl->image->ops[pc];
    uint8_t origin = 0;
    for (uint32_t i = 0; i < inst->n_src; i++) {
        origin |= fl->state[inst->src[i] - f->first_register];
    }
    for (uint32_t i = 0; i < PTX_MAX_SRC; i++) {
        bool local_base = op->src[i].used && op->src[i].base == PTX_BASE_FRAME &&
                          op->src[i].bytes == 8 && op->src[i].offset == f->local_base_slot;
        origin |= local_base ? ISA_FROM_PARAM : constant_origin(fl, op->src[i]);
    }
    return origin;
}

/* 1 + the number of the address's register among the instruction's sources (operand 0, which
 * follows the guard); 0 when it is none. */
static uint8_t address_source(const struct ptx_image_function *f, const struct ptx_op *op,
                              const struct isa_inst *inst)
{
    uint8_t k = op->guarded ? 1 : 0;
    bool constant = op->src[0].base != PTX_BASE_FRAME || op->src[0].offset == f->local_base_slot;
    return constant || k >= inst->n_src ? 0 : (uint8_t)(k + 1);
}

/* The origin of the address. */
static uint8_t address_origin(const struct flow *fl, const struct ptx_image_function *f,
                              uint32_t pc)
{
    const struct ptx_op *op = &fl->image->ops[pc];
    const struct isa_inst *inst = &fl->image->inst[pc];
    if (op->src[0].base != PTX_BASE_FRAME) {
        return constant_origin(fl, op->src[0]);
    }
    uint8_t k = address_source(f, op, inst);
    return k == 0 ? ISA_FROM_PARAM : fl->state[inst->src[k - 1] - f->first_register];
}

/* Bytes of the .param area that an access touches: all of it when the address is computed. */
static void area_range(const struct ptx_image_function *f, const struct ptx_op *op,
                       const struct isa_inst *inst, uint32_t *low, uint32_t *high)
{
    bool known = op->src[0].base == PTX_BASE_POOL && op->immediate >= 0 &&
                 (uint64_t)op->immediate + inst->bytes <= f->area_bytes;
    *low = known ? (uint32_t)op->immediate : 0;
    *high = known ? *low + inst->bytes : f->area_bytes;
}

static uint8_t loaded_origin(const struct flow *fl, uint32_t index, uint32_t pc)
{
    const struct ptx_op *op = &fl->image->ops[pc];
    const struct isa_inst *inst = &fl->image->inst[pc];
    uint32_t low, high;
    uint8_t origin = 0;
    if (inst->space != ISA_SPACE_PARAM) {
        return ISA_FROM_LOADED;
    }
    if (op->entry_params) {
        return ISA_FROM_PARAM;
    }
    area_range(&fl->image->functions[index], op, inst, &low, &high);
    for (uint32_t i = low; i < high; i++) {
        origin |= fl->area[index][i];
    }
    return origin;
}

static void store_param(struct flow *fl, uint32_t index, uint32_t pc, uint8_t origin)
{
    uint32_t low, high;
    area_range(&fl->image->functions[index], &fl->image->ops[pc], &fl->image->inst[pc], &low,
               &high);
    for (uint32_t i = low; i < high; i++) {
        join(fl, &fl->area[index][i], origin);
    }
}

/* Which register of function `index` lives at frame offset `offset`, or NONE. */
static uint32_t register_at(const struct flow *fl, uint32_t index, uint32_t offset)
{
    const struct ptx_image_function *f = &fl->image->functions[index];
    for (uint32_t r = 0; r <= f->source->n_registers; r++) {
        if (f->slot_of[r].used && f->slot_of[r].offset == offset) {
            return f->dense_of[r] - f->first_register;
        }
    }
    return PTX_GRAPH_NONE;
}

static void pass(struct flow *fl, const struct ptx_copy *c, uint32_t from, uint32_t to,
                 const uint8_t *from_state, uint8_t *to_state, bool joins)
{
    if (c->area) {
        for (uint32_t i = 0; i < c->bytes; i++) {
            join(fl, &fl->area[to][c->to_offset + i], fl->area[from][c->from_offset + i]);
        }
        return;
    }
    uint32_t source = c->from.base == PTX_BASE_FRAME ? register_at(fl, from, c->from.offset)
                                                     : PTX_GRAPH_NONE;
    uint32_t target = register_at(fl, to, c->to.offset);
    uint8_t origin = source == PTX_GRAPH_NONE ? constant_origin(fl, c->from) : from_state[source];
    if (target != PTX_GRAPH_NONE && joins) {
        join(fl, &to_state[target], origin);
    } else if (target != PTX_GRAPH_NONE) {
        to_state[target] |= origin;
    }
}

static void flow_call(struct flow *fl, uint32_t index, uint32_t pc)
{
    const struct ptx_call *call = fl->image->ops[pc].call;
    for (uint32_t i = 0; i < call->n_arguments; i++) {
        pass(fl, &call->arguments[i], index, call->callee, fl->state, fl->in[call->callee], true);
    }
    for (uint32_t i = 0; i < call->n_returns; i++) {
        pass(fl, &call->returns[i], call->callee, index, fl->at_return[call->callee], fl->state,
             false);
    }
}

static void flow_op(struct flow *fl, uint32_t index, uint32_t pc)
{
    const struct ptx_image_function *f = &fl->image->functions[index];
    const struct ptx_op *op = &fl->image->ops[pc];
    struct isa_inst *inst = &fl->image->inst[pc];
    uint8_t origin = sources_origin(fl, f, pc);
    if (inst->access != ISA_ACCESS_NONE) {
        inst->origin |= address_origin(fl, f, pc);
        inst->address_src = address_source(f, op, inst);
    } else if (inst->is_branch) {
        inst->origin |= origin;
    }
    if (op->call != NULL) {
        flow_call(fl, index, pc);
        return;
    }
    if (inst->access == ISA_ACCESS_STORE && inst->space == ISA_SPACE_PARAM) {
        store_param(fl, index, pc, origin);
    }
    if (inst->access == ISA_ACCESS_LOAD || inst->access == ISA_ACCESS_ATOMIC) {
        origin = loaded_origin(fl, index, pc);
    }
    for (uint32_t i = 0; i < inst->n_dst; i++) {
        uint8_t *to = &fl->state[inst->dst[i] - f->first_register];
        *to = (uint8_t)((op->guarded ? *to : 0) | origin);
    }
}

static void flow_block(struct flow *fl, uint32_t index, uint32_t b)
{
    const struct ptx_image_function *f = &fl->image->functions[index];
    const struct ptx_cfg *cfg = fl->cfgs[index];
    uint32_t n = f->n_registers;
    for (uint32_t r = 0; r < n; r++) {
        fl->state[r] = fl->in[index][(size_t)b * n + r] | fl->carried[index][(size_t)b * n + r];
    }
    for (uint32_t pc = cfg->start[b]; pc < cfg->start[b + 1]; pc++) {
        flow_op(fl, index, pc);
    }
    for (uint32_t e = cfg->graph.first[b]; e < cfg->graph.first[b + 1]; e++) {
        uint32_t to = cfg->graph.target[e];
        uint8_t *row = to < cfg->graph.n ? &fl->in[index][(size_t)to * n] : fl->at_return[index];
        for (uint32_t r = 0; r < n; r++) {
            join(fl, &row[r], fl->state[r]);
        }
    }
}

/* INDUCTION at loop headers: alive on entry, written inside. */
static void mark_carried(const struct flow *fl, uint32_t index)
{
    const struct ptx_image_function *f = &fl->image->functions[index];
    const struct ptx_cfg *cfg = fl->cfgs[index];
    for (uint32_t l = 0; l < cfg->n_loops; l++) {
        uint32_t header = cfg->loops[l].header;
        for (uint32_t b = 0; b < cfg->graph.n; b++) {
            for (uint32_t pc = cfg->start[b];
                 cfg->loops[l].contains[b] != 0 && pc < cfg->start[b + 1]; pc++) {
                const struct isa_inst *inst = &fl->image->inst[pc];
                for (uint32_t i = 0; i < inst->n_dst; i++) {
                    uint32_t r = inst->dst[i] - f->first_register;
                    if (ptx_bit(&cfg->live_in[(size_t)header * cfg->words], r)) {
                        fl->carried[index][(size_t)header * f->n_registers + r] =
                            ISA_FROM_INDUCTION;
                    }
                }
            }
        }
    }
}

static void allocate(struct ptx_diag *diag, struct flow *fl)
{
    uint32_t n = fl->image->n_functions, most = 0;
    fl->in = ptx_alloc(diag, n, sizeof(uint8_t *));
    fl->area = ptx_alloc(diag, n, sizeof(uint8_t *));
    fl->at_return = ptx_alloc(diag, n, sizeof(uint8_t *));
    fl->carried = ptx_alloc(diag, n, sizeof(uint8_t *));
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_image_function *f = &fl->image->functions[i];
        size_t cells = (size_t)fl->cfgs[i]->graph.n * f->n_registers;
        fl->in[i] = ptx_alloc(diag, cells + 1, 1);
        fl->carried[i] = ptx_alloc(diag, cells + 1, 1);
        fl->at_return[i] = ptx_alloc(diag, f->n_registers + 1, 1);
        fl->area[i] = ptx_alloc(diag, f->area_bytes + 1, 1);
        most = f->n_registers > most ? f->n_registers : most;
        mark_carried(fl, i);
    }
    fl->state = ptx_alloc(diag, most + 1, 1);
}

void ptx_flow(struct ptx_diag *diag, struct ptx_image *image, struct ptx_cfg *const *cfgs)
{
    /* The tables are needed here only: they get an arena of their own. */
    struct ptx_arena scratch = {NULL}; /* address taken: survives the jump */
    struct ptx_diag inner = *diag;
    struct flow fl = {.image = image, .cfgs = cfgs};
    inner.arena = &scratch;
    if (setjmp(inner.escape) != 0) {
        ptx_arena_free(&scratch);
        longjmp(diag->escape, 1);
    }
    allocate(&inner, &fl);
    do {
        fl.changed = false;
        for (uint32_t f = 0; f < image->n_functions; f++) {
            for (uint32_t b = 0; b < cfgs[f]->graph.n; b++) {
                flow_block(&fl, f, b);
            }
        }
    } while (fl.changed);
    ptx_arena_free(&scratch);
}
