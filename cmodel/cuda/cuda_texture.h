/* cuda_texture.h - arrays, textures and surfaces of a CUDA program.
 *
 * What kernels see of them is ptx_texture.h's; here are the program's handles.
 */
#ifndef WARPLOCK_CUDA_TEXTURE_H
#define WARPLOCK_CUDA_TEXTURE_H

#include <stdbool.h>

#include <uthash.h>

#include "cuda/cuda_abi.h"
#include "ptx/ptx_texture.h"

enum { CUDA_ARRAY_LAYERED = 1, CUDA_ARRAY_SURFACE = 2, CUDA_ARRAY_GATHER = 8 };

/* Texels of arrays, and of a texture of linear memory. */
enum {
    CUDA_MOST_WIDTH = 131072,
    CUDA_MOST_HEIGHT = 65536,
    CUDA_MOST_VOLUME = 16384, /* of each of three dimensions */
    CUDA_MOST_LAYERS = 2048,
    CUDA_MOST_LINEAR = 1 << 28
};

struct cuda_array {
    struct cuda_channel_format format;
    struct cuda_extent extent; /* as the program gave it */
    unsigned flags;
    uint64_t base;              /* device address */
    size_t pitch, rows, slices; /* bytes of a row, rows of a slice or layer */
    UT_hash_handle hh;
    struct cuda_array *self; /* the key */
};

/* All textures and surfaces there are; kernels search them by handle. */
struct cuda_textures {
    struct ptx_texture *at;
    size_t n, max;
    uint64_t made;
};

/* The limits as device properties list them: 39 numbers, 40 in CUDA 12 (`with_linear`). */
void cuda_texture_limits(int *to, bool with_linear);

/* The array with this handle, or NULL. */
struct cuda_array *cuda_array_of(const void *handle);
/* 1, 2 or 4; 0: no format that there is. */
int cuda_channels(const struct cuda_channel_format *format);
size_t cuda_texel_bytes(const struct cuda_channel_format *format);
/* Forget all arrays and textures; their memory is given back by whoever gives all back. */
void cuda_textures_forget(void);

#endif
