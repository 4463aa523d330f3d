/* ptx_texture.h - textures and surfaces as kernels see them: which texels a coordinate means, and what
 * becomes of their values (PTX ISA, "Texture Instructions", "Surface Instructions"; CUDA C++ Programming
 * Guide, "Texture Fetching").
 *
 * Knows numbers and addresses only: nothing of statements or warps.
 *
 * Texels lie row by row, in memory that is not tiled.  Choices where the manuals leave room: the
 * fraction of a linear filter is rounded to 1/256, the weighted sum of texels to .f32 once, at the end;
 * what a texture has no channel for is 0.
 */
#ifndef WARPLOCK_PTX_TEXTURE_H
#define WARPLOCK_PTX_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum { PTX_TEXELS = 8, PTX_TEXEL_BYTES = 16, PTX_CHANNELS = 4 };

enum ptx_texture_kind { PTX_TEXTURE_SIGNED, PTX_TEXTURE_UNSIGNED, PTX_TEXTURE_FLOAT };
enum ptx_texture_mode {
    PTX_TEXTURE_WRAP, /* the first and the third of normalised coordinates only; else as CLAMP */
    PTX_TEXTURE_CLAMP,
    PTX_TEXTURE_MIRROR,
    PTX_TEXTURE_BORDER
};

/* A texture or a surface, as whoever launches has made it.  A kernel names it by its handle. */
struct ptx_texture {
    uint64_t handle;                       /* not 0 */
    uint64_t base;                         /* device address of the first texel */
    uint32_t width, height, depth, layers; /* texels; 1 where there is no such dimension */
    uint64_t row_bytes, slice_bytes;       /* from one row, slice or layer to the next */
    uint8_t channels, channel_bits;        /* 1, 2, 4; 8, 16, 32 */
    uint8_t kind;                          /* enum ptx_texture_kind */
    uint8_t mode[3];                       /* enum ptx_texture_mode, by dimension */
    bool is_surface;
    bool linear;     /* filter; else the nearest texel */
    bool normalised; /* coordinates run from 0 to 1 */
    bool to_float;   /* 8 and 16-bit integers are read as numbers from 0 (-1) to 1 */
    float border[PTX_CHANNELS];
};

/* Where a coordinate leads: texels, of which those outside are the border. */
struct ptx_texels {
    uint64_t address[PTX_TEXELS];
    bool outside[PTX_TEXELS];
    float weight[PTX_TEXELS];
    uint32_t n; /* 1, or 2 for each dimension of a linear filter */
};

struct ptx_coordinates {
    uint32_t dimensions, layer;
    bool integers; /* texels by their numbers: nothing is filtered */
    bool gathers;  /* the four texels that a filter of two dimensions would weigh */
    float at[3];
    int32_t number[3];
};

uint32_t ptx_texture_bytes(const struct ptx_texture *t); /* of a texel */
/* How many texels such coordinates may mean. */
uint32_t ptx_texture_count(const struct ptx_texture *t, const struct ptx_coordinates *c);
void ptx_texture_find(const struct ptx_texture *t, const struct ptx_coordinates *c,
                      struct ptx_texels *out);

/* Channel `channel` of the result, as the bits of a 32-bit register: texels' bytes in data[n]. */
uint32_t ptx_texture_value(const struct ptx_texture *t, const struct ptx_texels *texels,
                           const uint8_t (*data)[PTX_TEXEL_BYTES], uint32_t channel);

#endif
