/* ptx_lower_pool.c - constants and special registers as slots.
 *
 * Equal constants share one slot of the pool; a constant that is the address of
 * a variable is patched when the variable gets its place.
 */
#include <string.h>
#include <uthash.h>

#include "ptx/ptx_lower.h"

struct ptx_pool_key {
    struct key {
        uint64_t bits, lane_bytes;
        const struct ptx_variable *variable;
    } key;
    struct ptx_ref ref;
    UT_hash_handle hh;
};

static void pool_fill(uint8_t *to, uint64_t bits, uint32_t lane_bytes)
{
    uint32_t lanes = lane_bytes == 0 ? 1 : ISA_LANES, bytes = lane_bytes == 0 ? 4 : lane_bytes;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        memcpy(to + lane * bytes, &bits, bytes);
    }
}

/* Append to the pool; its room doubles. */
static uint32_t pool_append(struct ptx_lower *lw, uint64_t bits, uint32_t lane_bytes)
{
    struct ptx_image *image = lw->image;
    uint32_t size = lane_bytes == 8 ? PTX_SLOT64_BYTES : PTX_SLOT32_BYTES, at = image->pool_bytes;
    uint32_t room = 4096;
    while (room < at) {
        room *= 2;
    }
    if (at == 0 || at + size > room) {
        room = at == 0 ? room : room * 2;
        uint8_t *larger = ptx_alloc(lw->diag, room + PTX_FRAME_ALIGN, 1);
        larger += (PTX_FRAME_ALIGN - (uintptr_t)larger % PTX_FRAME_ALIGN) % PTX_FRAME_ALIGN;
        if (at != 0) {
            memcpy(larger, image->pool, at);
        }
        image->pool = larger;
    }
    pool_fill(image->pool + at, bits, lane_bytes);
    image->pool_bytes += size;
    return at;
}

struct ptx_ref ptx_pool(struct ptx_lower *lw, uint64_t bits, uint32_t lane_bytes,
                        const struct ptx_variable *variable)
{
    struct key key;
    struct ptx_pool_key *entry = NULL;
    memset(&key, 0, sizeof(key));
    key.bits = bits;
    key.lane_bytes = lane_bytes;
    key.variable = variable;
    HASH_FIND(hh, lw->pool_keys, &key, sizeof(key), entry);
    if (entry != NULL) {
        return entry->ref;
    }
    entry = ptx_alloc(lw->diag, 1, sizeof(*entry));
    entry->key = key;
    entry->ref = (struct ptx_ref){
        .base = PTX_BASE_POOL, .bytes = (uint8_t)lane_bytes, .used = true};
    entry->ref.offset = pool_append(lw, bits, lane_bytes);
    HASH_ADD(hh, lw->pool_keys, key, sizeof(key), entry);
    if (variable != NULL) {
        struct ptx_image *image = lw->image;
        image->patches = ptx_grow(lw->diag, image->patches, image->n_patches,
                                  sizeof(*image->patches));
        image->patches[image->n_patches++] = (struct ptx_pool_patch){
            .offset = entry->ref.offset, .variable = variable, .addend = (int64_t)bits};
    }
    return entry->ref;
}

void ptx_pool_release(struct ptx_lower *lw)
{
    HASH_CLEAR(hh, lw->pool_keys);
}

struct ptx_ref ptx_special_slot(struct ptx_lower *lw, enum ptx_special special)
{
    struct ptx_image *image = lw->image;
    uint32_t bytes = ptx_type_bytes(ptx_special_info(special)->type);
    struct ptx_ref ref = {.base = PTX_BASE_SPECIAL, .bytes = (uint8_t)bytes, .used = true};
    for (uint32_t i = 0; i < image->n_specials; i++) {
        if (image->specials[i].special == special) {
            ref.offset = image->specials[i].offset;
            return ref;
        }
    }
    image->specials = ptx_grow(lw->diag, image->specials, image->n_specials,
                               sizeof(*image->specials));
    ref.offset = image->specials_bytes;
    image->specials[image->n_specials++] = (struct ptx_special_slot){.special = special,
                                                                     .offset = ref.offset};
    image->specials_bytes += bytes * ISA_LANES;
    return ref;
}
