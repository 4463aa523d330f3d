/* api_texture.c - texture and surface objects: of arrays, of linear and pitched memory. */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_properties.h"
#include "cuda/cuda_runtime.h"
#include "cuda/cuda_texture.h"

enum { LINEAR_ALIGN_BYTES = 16 };

void cuda_textures_forget(void)
{
    struct cuda_array *array, *next;

    HASH_ITER(hh, cuda_runtime.arrays, array, next)
    {
        HASH_DEL(cuda_runtime.arrays, array);
        free(array);
    }
    free(cuda_runtime.textures.at);
    cuda_runtime.textures = (struct cuda_textures){.made = cuda_runtime.textures.made};
}

void cuda_texture_limits(int *to, bool with_linear)
{
    static const int limits[] = {CUDA_MOST_WIDTH,
                                 0, /* of one dimension; mipmapped */
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_HEIGHT,
                                 0,
                                 0, /* of two; mipmapped */
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_HEIGHT,
                                 CUDA_MOST_WIDTH * 16, /* pitched, with its pitch */
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_HEIGHT, /* gathered from */
                                 CUDA_MOST_VOLUME,
                                 CUDA_MOST_VOLUME,
                                 CUDA_MOST_VOLUME, /* of three */
                                 CUDA_MOST_VOLUME,
                                 CUDA_MOST_VOLUME,
                                 CUDA_MOST_VOLUME, /* the same, otherwise cut */
                                 0,                /* cubemaps */
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_LAYERS,
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_HEIGHT,
                                 CUDA_MOST_LAYERS,
                                 0,
                                 0,               /* layered cubemaps */
                                 CUDA_MOST_WIDTH, /* surfaces: of one dimension */
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_HEIGHT,
                                 CUDA_MOST_VOLUME,
                                 CUDA_MOST_VOLUME,
                                 CUDA_MOST_VOLUME,
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_LAYERS,
                                 CUDA_MOST_WIDTH,
                                 CUDA_MOST_HEIGHT,
                                 CUDA_MOST_LAYERS,
                                 0,
                                 0,
                                 0};
    _Static_assert(sizeof limits / sizeof limits[0] == CUDA_TEXTURE_LIMITS, "as programs have it");

    memcpy(to, limits, 2 * sizeof *to);
    to += 2;
    if (with_linear) {
        *to++ = CUDA_MOST_LINEAR;
    }
    memcpy(to, limits + 2, sizeof limits - 2 * sizeof *to);
}

static int add(uint64_t *out, struct ptx_texture t)
{
    struct cuda_textures *all = &cuda_runtime.textures;

    if (all->n == all->max) {
        size_t max = all->max ? 2 * all->max : 8;
        struct ptx_texture *more = realloc(all->at, max * sizeof *more);

        if (!more) {
            return CUDA_MEMORY_ALLOCATION;
        }
        all->at = more;
        all->max = max;
    }
    t.handle = ++all->made;
    all->at[all->n++] = t;
    *out = t.handle;
    return CUDA_SUCCESS;
}

static int destroy(uint64_t handle, bool surface)
{
    struct cuda_textures *all = &cuda_runtime.textures;
    int error = cuda_enter(CUDA_USE_WAITS);

    for (size_t i = 0; i < all->n && !error && handle; i++) {
        if (all->at[i].handle == handle && all->at[i].is_surface == surface) {
            all->at[i] = all->at[--all->n];
            return cuda_leave(CUDA_SUCCESS);
        }
    }
    return cuda_leave(error ? error : handle ? CUDA_INVALID_VALUE : CUDA_SUCCESS);
}

/* ---- what the object is made of ---- */

static void take_format(struct ptx_texture *t, const struct cuda_channel_format *f)
{
    static const uint8_t kinds[] = {PTX_TEXTURE_SIGNED, PTX_TEXTURE_UNSIGNED, PTX_TEXTURE_FLOAT};

    t->channels = (uint8_t)cuda_channels(f);
    t->channel_bits = (uint8_t)f->x;
    t->kind = t->channels ? kinds[f->f] : 0;
}

static int take_array(struct ptx_texture *t, const void *handle)
{
    const struct cuda_array *a = cuda_array_of(handle);

    if (!a) {
        return CUDA_INVALID_HANDLE;
    }
    take_format(t, &a->format);
    t->base = a->base;
    t->width = (uint32_t)a->extent.width;
    t->height = (uint32_t)a->rows;
    t->depth = a->flags & CUDA_ARRAY_LAYERED ? 1 : (uint32_t)a->slices;
    t->layers = a->flags & CUDA_ARRAY_LAYERED ? (uint32_t)a->slices : 1;
    t->row_bytes = a->pitch;
    t->slice_bytes = a->pitch * a->rows;
    return CUDA_SUCCESS;
}

static int take_memory(struct ptx_texture *t, const void *at, size_t bytes)
{
    const struct cuda_block *b = cuda_space_find(&cuda_runtime.space, (uintptr_t)at);

    t->base = (uintptr_t)at;
    return !b || bytes > b->bytes - (t->base - b->base) || t->base % LINEAR_ALIGN_BYTES ||
                   t->channels == 0
               ? CUDA_INVALID_VALUE
               : CUDA_SUCCESS;
}

static int take_resource(struct ptx_texture *t, const struct cuda_resource *r)
{
    t->height = t->depth = t->layers = 1;
    switch (r->type) {
    case CUDA_RESOURCE_ARRAY: return take_array(t, r->as.array);
    case CUDA_RESOURCE_LINEAR:
        take_format(t, &r->as.linear.format);
        if (r->as.linear.bytes > (size_t)CUDA_MOST_LINEAR * PTX_TEXEL_BYTES) {
            return CUDA_INVALID_VALUE;
        }
        t->width = t->channels ? (uint32_t)(r->as.linear.bytes / ptx_texture_bytes(t)) : 0;
        return take_memory(t, r->as.linear.at, r->as.linear.bytes);
    case CUDA_RESOURCE_PITCHED:
        take_format(t, &r->as.pitched.format);
        t->width = (uint32_t)r->as.pitched.width;
        t->height = (uint32_t)r->as.pitched.height;
        t->row_bytes = r->as.pitched.pitch;
        if (!t->channels || !t->width || !t->height ||
            r->as.pitched.pitch / ptx_texture_bytes(t) < t->width) {
            return CUDA_INVALID_VALUE;
        }
        return take_memory(t, r->as.pitched.at,
                           (t->height - 1) * t->row_bytes + t->width * ptx_texture_bytes(t));
    default: return CUDA_INVALID_VALUE;
    }
}

static int take_sampling(struct ptx_texture *t, const struct cuda_sampling *s, bool linear_memory)
{
    bool wide = t->kind != PTX_TEXTURE_FLOAT && t->channel_bits == 32;

    t->linear = s->filter != 0;
    t->normalised = s->normalised != 0;
    t->to_float = s->read_mode != 0 && t->kind != PTX_TEXTURE_FLOAT;
    memcpy(t->border, s->border, sizeof t->border);
    for (uint32_t d = 0; d < 3; d++) {
        if (s->address_mode[d] < 0 || s->address_mode[d] > PTX_TEXTURE_BORDER) {
            return CUDA_INVALID_VALUE;
        }
        t->mode[d] = (uint8_t)s->address_mode[d];
    }
    if (linear_memory) { /* what is outside is 0 */
        t->mode[0] = PTX_TEXTURE_BORDER;
        memset(t->border, 0, sizeof t->border);
    }
    return (t->to_float && wide) || (t->linear && linear_memory) ||
                   (t->linear && t->kind != PTX_TEXTURE_FLOAT && !t->to_float)
               ? CUDA_INVALID_VALUE
               : CUDA_SUCCESS;
}

/* ---- calls ---- */

API(cudaCreateTextureObject, uint64_t *out, const struct cuda_resource *resource,
    const struct cuda_sampling *sampling, const void *view)
{
    struct ptx_texture t = {0};
    int error;

    if (resource && (resource->type == CUDA_RESOURCE_MIPMAPS || view)) {
        return cuda_refuse("cudaCreateTextureObject of a mipmapped array or a view");
    }
    if (sampling && sampling->srgb) {
        return cuda_refuse("cudaCreateTextureObject with sRGB");
    }
    error = cuda_enter(CUDA_USE_DEVICE);
    error = error ? error : !out || !resource || !sampling ? CUDA_INVALID_VALUE : CUDA_SUCCESS;
    error = error ? error : take_resource(&t, resource);
    error = error ? error : take_sampling(&t, sampling, resource->type == CUDA_RESOURCE_LINEAR);
    return cuda_leave(error ? error : add(out, t));
}

API(cudaDestroyTextureObject, uint64_t handle)
{
    return destroy(handle, false);
}

API(cudaCreateSurfaceObject, uint64_t *out, const struct cuda_resource *resource)
{
    struct ptx_texture t = {.is_surface = true};
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error && (!out || !resource || resource->type != CUDA_RESOURCE_ARRAY)) {
        error = CUDA_INVALID_VALUE;
    }
    t.height = t.depth = t.layers = 1;
    error = error ? error : take_array(&t, resource->as.array);
    if (!error && !(cuda_array_of(resource->as.array)->flags & CUDA_ARRAY_SURFACE)) {
        error = CUDA_INVALID_VALUE;
    }
    return cuda_leave(error ? error : add(out, t));
}

API(cudaDestroySurfaceObject, uint64_t handle)
{
    return destroy(handle, true);
}
