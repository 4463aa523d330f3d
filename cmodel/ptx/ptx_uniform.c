/* ptx_uniform.c - registers with one value for a whole launch: constants, kernel parameters, and
 * the addresses that they are (PTX ISA, "Parameter State Space").
 *
 * Such a register is written by one operation, a move of a constant or of another such register
 * or a load of a parameter, and never read before.  Its lanes are computed once, when the kernel
 * is launched, into a table that all warps read; the operation is issued and timed as ever and
 * has nothing left to do.  Warps' frames get smaller by these registers, and a machine full of
 * warps has to find room in the host's caches.
 *
 * Registers that shfl reads stay in the frame, where lanes that take no part have not written
 * them; so do all registers of images with calls.
 */
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx_analysis.h"
#include "ptx/ptx_mem.h"

struct uniform {
    struct ptx_diag *diag;
    struct ptx_image *image;
    struct ptx_image_function *f;
    struct ptx_cfg *cfg;
    uint8_t *unfit; /* [n_registers]: written more than once, or read before or across lanes */
};

static void already_done(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    (void)x;
    (void)op;
    (void)mask;
}

static void find_unfit(struct uniform *u)
{
    uint8_t *written = ptx_alloc(u->diag, u->f->n_registers + 1, 1);
    for (uint32_t reg = 0; reg < u->f->n_registers; reg++) {
        u->unfit[reg] = ptx_bit(u->cfg->live_in, reg);
    }
    for (uint32_t pc = u->f->first; pc < u->f->end; pc++) {
        const struct isa_inst *inst = &u->image->inst[pc];
        for (uint32_t i = 0; i < inst->n_dst; i++) {
            uint32_t reg = inst->dst[i] - u->f->first_register;
            u->unfit[reg] |= written[reg];
            written[reg] = 1;
        }
        for (uint32_t i = 0; u->image->ops[pc].crosses_lanes && i < inst->n_src; i++) {
            u->unfit[inst->src[i] - u->f->first_register] = 1;
        }
    }
}

/* A load of one parameter that fills a register's lanes, inside the launch's block. */
static bool loads_param(const struct ptx_image *image, const struct ptx_op *op)
{
    const struct ptx_ref *address = &op->src[0];
    uint64_t at, bytes = image->entry->param_bytes;
    if (op->exec != ptx_exec_param || image->inst[op - image->ops].access != ISA_ACCESS_LOAD ||
        !op->entry_params || address->base != PTX_BASE_POOL || address->bytes != 8 ||
        op->n_elements != 1 || op->element_bytes < 4 || op->element_bytes != op->dst[0].bytes) {
        return false;
    }
    at = *(const lane_u64 *)(const void *)(image->pool + address->offset) + (uint64_t)op->immediate;
    return at < bytes && bytes - at >= op->element_bytes;
}

static bool is_uniform(const struct uniform *u, uint32_t pc)
{
    const struct ptx_op *op = &u->image->ops[pc];
    const struct isa_inst *inst = &u->image->inst[pc];
    if (op->guarded || inst->n_dst != 1 || op->dst[0].base != PTX_BASE_FRAME ||
        op->dst[0].bytes == 0 || u->unfit[inst->dst[0] - u->f->first_register] != 0) {
        return false;
    }
    return loads_param(u->image, op) ||
           (op->moves && (op->src[0].base == PTX_BASE_POOL || op->src[0].base == PTX_BASE_LAUNCH));
}

/* The register that `pc` writes is read from the launch's table from now on. */
static void move_to_launch(struct uniform *u, uint32_t pc)
{
    struct ptx_image *image = u->image;
    struct ptx_op *op = &image->ops[pc];
    uint32_t reg = image->inst[pc].dst[0] - u->f->first_register, old = op->dst[0].offset;
    op->dst[0].base = PTX_BASE_LAUNCH;
    op->dst[0].offset = image->launch_bytes;
    image->launch_bytes += op->dst[0].bytes * (uint32_t)ISA_LANES;
    image->launch_pcs = ptx_grow(u->diag, image->launch_pcs, image->n_launch_pcs,
                                 sizeof(*image->launch_pcs));
    image->launch_pcs[image->n_launch_pcs++] = pc;
    op->inner = op->exec;
    op->exec = already_done;
    u->cfg->uniform[reg / 64] |= UINT64_C(1) << (reg % 64);
    for (uint32_t at = u->f->first; at < u->f->end; at++) {
        for (uint32_t k = PTX_MAX_DST; k < ptx_n_refs(&image->ops[at]); k++) {
            struct ptx_ref *src = ptx_ref_at(&image->ops[at], k);
            if (src->used && src->base == PTX_BASE_FRAME && src->offset == old) {
                src->base = PTX_BASE_LAUNCH;
                src->offset = op->dst[0].offset;
            }
        }
    }
}

void ptx_uniform(struct ptx_diag *diag, struct ptx_image *image, struct ptx_cfg *cfg)
{
    struct uniform u = {.diag = diag, .image = image, .f = &image->functions[0], .cfg = cfg};
    cfg->uniform = ptx_alloc(diag, cfg->words, sizeof(*cfg->uniform));
    if (image->n_functions > 1) {
        return;
    }
    u.unfit = ptx_alloc(diag, u.f->n_registers + 1, 1);
    find_unfit(&u);
    for (uint32_t pc = u.f->first; pc < u.f->end; pc++) {
        if (is_uniform(&u, pc)) {
            move_to_launch(&u, pc);
        }
    }
}

uint8_t *ptx_uniform_values(const struct ptx_launch *launch)
{
    const struct ptx_image *image = launch->image;
    uint8_t *values = aligned_alloc(PTX_FRAME_ALIGN, image->launch_bytes + PTX_FRAME_ALIGN);
    struct ptx_frame frame = {0};
    struct ptx_warp w = {.frames = &frame};
    struct ptx_exec x = {.w = &w, .launch = launch};
    if (values == NULL) {
        return NULL;
    }
    w.base[PTX_BASE_POOL] = image->pool;
    w.base[PTX_BASE_LAUNCH] = values;
    for (uint32_t i = 0; i < image->n_launch_pcs; i++) {
        const struct ptx_op *op = &image->ops[image->launch_pcs[i]];
        op->inner(&x, op, UINT32_MAX);
    }
    return values;
}
