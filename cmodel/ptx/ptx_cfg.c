/* ptx_cfg.c - basic blocks, reconvergence points, loop depth.
 *
 * A branch reconverges at the immediate post-dominator of its block; where the
 * paths meet only at the function's end there is none (PTX_NO_PC).  Calls end
 * no block: they come back.
 */
#include "ptx/ptx_analysis.h"

static bool ends_block(const struct isa_inst *inst, const struct ptx_op *op, bool is_return)
{
    return inst->is_branch || inst->is_exit || is_return || op->n_targets != 0;
}

static bool is_return(const struct ptx_image *image, uint32_t pc)
{
    const struct ptx_op *op = &image->ops[pc];
    return op->controls && !image->inst[pc].is_branch && op->call == NULL;
}

static void mark_leaders(const struct ptx_image *image, const struct ptx_image_function *f,
                         uint8_t *leader)
{
    leader[0] = 1;
    for (uint32_t pc = f->first; pc < f->end; pc++) {
        const struct ptx_op *op = &image->ops[pc];
        for (uint32_t t = 0; t < op->n_targets; t++) {
            leader[op->targets[t] - f->first] = 1;
        }
        if (op->target != PTX_NO_PC) {
            leader[op->target - f->first] = 1;
        }
        if (ends_block(&image->inst[pc], op, is_return(image, pc))) {
            leader[pc + 1 - f->first] = 1;
        }
    }
}

/* Successors of the block that ends with `pc`, as pcs; f->end stands for the exit. */
static uint32_t successors(const struct ptx_image *image, const struct ptx_image_function *f,
                           uint32_t pc, uint32_t *out)
{
    const struct ptx_op *op = &image->ops[pc];
    uint32_t n = 0;
    bool leaves = is_return(image, pc);
    if (leaves) {
        out[n++] = f->end;
    } else if (op->n_targets != 0) {
        for (uint32_t t = 0; t < op->n_targets; t++) {
            out[n++] = op->targets[t];
        }
    } else if (op->target != PTX_NO_PC) {
        out[n++] = op->target;
    }
    bool falls = op->guarded || (!leaves && op->n_targets == 0 && op->target == PTX_NO_PC);
    if (falls) {
        out[n++] = pc + 1;
    }
    return n;
}

static void build_edges(struct ptx_diag *diag, const struct ptx_image *image,
                        const struct ptx_image_function *f, struct ptx_cfg *cfg,
                        const uint32_t *block_of)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < cfg->graph.n; b++) {
        most += image->ops[cfg->start[b + 1] - 1].n_targets + 2;
    }
    uint32_t *first = ptx_alloc(diag, cfg->graph.n + 1, sizeof(*first));
    uint32_t *target = ptx_alloc(diag, most + 1, sizeof(*target));
    uint32_t n = 0;
    for (uint32_t b = 0; b < cfg->graph.n; b++) {
        first[b] = n;
        uint32_t count = successors(image, f, cfg->start[b + 1] - 1, target + n);
        for (uint32_t i = 0; i < count; i++, n++) {
            target[n] = target[n] == f->end ? cfg->graph.n : block_of[target[n] - f->first];
        }
    }
    first[cfg->graph.n] = n;
    cfg->graph.first = first;
    cfg->graph.target = target;
}

static void set_facts(struct ptx_diag *diag, struct ptx_image *image, const struct ptx_cfg *cfg)
{
    const uint32_t *ipdom = ptx_graph_ipdom(diag, &cfg->graph);
    for (uint32_t b = 0; b < cfg->graph.n; b++) {
        uint32_t depth = 0;
        for (uint32_t l = 0; l < cfg->n_loops; l++) {
            depth += cfg->loops[l].contains[b];
        }
        for (uint32_t pc = cfg->start[b]; pc < cfg->start[b + 1]; pc++) {
            image->inst[pc].loop_depth = (uint8_t)(depth > UINT8_MAX ? UINT8_MAX : depth);
        }
        if (ipdom[b] < cfg->graph.n) {
            image->ops[cfg->start[b + 1] - 1].reconverge = cfg->start[ipdom[b]];
        }
    }
}

struct ptx_cfg *ptx_cfg_build(struct ptx_diag *diag, struct ptx_image *image, uint32_t index)
{
    const struct ptx_image_function *f = &image->functions[index];
    struct ptx_cfg *cfg = ptx_alloc(diag, 1, sizeof(*cfg));
    uint32_t n = f->end - f->first, blocks = 0;
    uint8_t *leader = ptx_alloc(diag, n + 1, 1);
    uint32_t *block_of = ptx_alloc(diag, n + 1, sizeof(*block_of));
    mark_leaders(image, f, leader);
    for (uint32_t i = 0; i < n; i++) {
        blocks += leader[i];
        block_of[i] = blocks - 1;
    }
    cfg->graph.n = blocks;
    cfg->start = ptx_alloc(diag, blocks + 1, sizeof(*cfg->start));
    for (uint32_t i = n; i-- > 0;) {
        cfg->start[block_of[i]] = f->first + i;
    }
    cfg->start[blocks] = f->end;
    build_edges(diag, image, f, cfg, block_of);
    cfg->loops = ptx_graph_loops(diag, &cfg->graph, &cfg->n_loops);
    set_facts(diag, image, cfg);
    return cfg;
}

void ptx_analyse(struct ptx_diag *diag, struct ptx_image *image)
{
    struct ptx_cfg **cfgs = ptx_alloc(diag, image->n_functions, sizeof(struct ptx_cfg *));
    for (uint32_t f = 0; f < image->n_functions; f++) {
        cfgs[f] = ptx_cfg_build(diag, image, f);
    }
    ptx_live(diag, image, cfgs);
    ptx_flow(diag, image, cfgs);
    ptx_uniform(diag, image, cfgs[0]);
    ptx_share_slots(diag, image, cfgs[0]);
}
