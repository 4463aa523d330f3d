/* ptx_op_texture.h - what textures and surfaces share when lowered and executed.  Private. */
#ifndef WARPLOCK_PTX_OP_TEXTURE_H
#define WARPLOCK_PTX_OP_TEXTURE_H

#include "ptx/ptx_lower.h"
#include "ptx/ptx_mem.h"

enum { PTX_TEXEL_SIZES = 5 };

/* How an instruction fetches. */
struct ptx_sample {
    uint32_t dimensions;
    bool layered, integers, gathers;
    uint8_t channel;                       /* that is gathered */
    struct isa_inst load[PTX_TEXEL_SIZES]; /* of texels of 1, 2, 4, 8, 16 bytes */
};

const struct ptx_texture *ptx_texture_of(const struct ptx_launch *launch, uint64_t handle);
/* .1d, .2d, .3d, .a1d or .a2d; false: none of them. */
bool ptx_take_geometry(struct ptx_lower *lw, uint32_t *dimensions, bool *layered);
/* [object, {coordinates}]: the object as source 0, n coordinates as sources from `first` on. */
void ptx_bind_object(struct ptx_lower *lw, struct ptx_op *op, const struct ptx_operand *o,
                     uint32_t first, uint32_t n, enum ptx_type type, bool layered);

/* A texel has come: true when the access was a fetch's. */
bool ptx_fetch_arrives(struct ptx_warp *w, const struct ptx_launch *launch,
                       const struct isa_memop *memop);
void ptx_fetches_end(struct ptx_warp *w);
/* When all facts of the image are known. */
void ptx_finish_samples(struct ptx_image *image);

void ptx_lower_suld(struct ptx_lower *lw);
void ptx_lower_sust(struct ptx_lower *lw);

#endif
