/* ptx_analysis.h - basic blocks of an image's functions, and what the analyses hand each other.
 * Private to ptx_cfg.c, ptx_live.c, ptx_flow.c, ptx_uniform.c, ptx_slots.c.
 */
#ifndef WARPLOCK_PTX_ANALYSIS_H
#define WARPLOCK_PTX_ANALYSIS_H

#include "ptx/ptx_graph.h"
#include "ptx/ptx_image.h"

struct ptx_cfg {
    struct ptx_graph graph;
    uint32_t *start; /* [n + 1]: block b is operations [start[b], start[b + 1]) */
    struct ptx_loop *loops;
    uint32_t n_loops;
    uint64_t *live_in; /* [n][words]: registers of the function alive on entry to a block */
    uint64_t *uniform; /* [words]: registers of the launch's table, not of the frame */
    uint32_t words;
};

/* Blocks and loops of function `index`; sets reconverge and loop_depth of its operations. */
struct ptx_cfg *ptx_cfg_build(struct ptx_diag *diag, struct ptx_image *image, uint32_t index);

/* Liveness (ptx_live.c): fills live_in of every cfg and registers_per_thread. */
void ptx_live(struct ptx_diag *diag, struct ptx_image *image, struct ptx_cfg *const *cfgs);

/* Registers alive after block `b` into `set`; and the set before operation `pc` from the one after
 * it. */
void ptx_live_out(const struct ptx_cfg *cfg, uint32_t b, uint64_t *set);
void ptx_live_before(const struct ptx_image *image, const struct ptx_image_function *f, uint32_t pc,
                     uint64_t *set);

/* Registers that hold one value for a whole launch leave the frame (ptx_uniform.c); fills
 * cfg->uniform.  After the analyses that tell registers by their slots. */
void ptx_uniform(struct ptx_diag *diag, struct ptx_image *image, struct ptx_cfg *cfg);

/* Registers share slots of the frame (ptx_slots.c).  After the other analyses, which tell
 * registers by their slots. */
void ptx_share_slots(struct ptx_diag *diag, struct ptx_image *image, const struct ptx_cfg *cfg);

/* Origins of addresses and branches (ptx_flow.c). */
void ptx_flow(struct ptx_diag *diag, struct ptx_image *image, struct ptx_cfg *const *cfgs);

static inline bool ptx_bit(const uint64_t *set, uint32_t i)
{
    return (set[i / 64] >> (i % 64) & 1) != 0;
}

#endif
