/* cuda_space.c - see cuda_space.h. */
#include "cuda/cuda_space.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define RANGE_BASE UINT64_C(0x1000000000)
#define RANGE_BYTES (UINT64_C(896) << 30)
#define SMALL_BASE UINT64_C(0x40000000) /* where address sanitizer leaves room */
#define SMALL_BYTES (UINT64_C(768) << 20)
enum { ALIGN_BYTES = 512, PAGE_BYTES = 4096 };

static void *pointer(uint64_t address)
{
    return (void *)(uintptr_t)address; /* NOLINT: the range is the library's own */
}

static bool reserve(struct cuda_space *space, uint64_t base, uint64_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *at = mmap(pointer(base), bytes, PROT_NONE, flags, -1, 0);

    if (at == MAP_FAILED || at != pointer(base)) {
        return false;
    }
    space->base = space->fresh = base;
    space->end = base + bytes;
    return true;
}

int cuda_space_open(struct cuda_space *space, struct memory *memory, struct host_backend *backend,
                    uint64_t room)
{
    *space = (struct cuda_space){.memory = memory, .backend = backend, .room = room};
    return reserve(space, RANGE_BASE, RANGE_BYTES) || reserve(space, SMALL_BASE, SMALL_BYTES) ? 0
                                                                                              : -1;
}

void cuda_space_close(struct cuda_space *space)
{
    while (space->n_blocks) {
        cuda_space_give(space, space->block[space->n_blocks - 1].base);
    }
    free(space->block);
    if (space->end) {
        munmap(pointer(space->base), space->end - space->base);
    }
    *space = (struct cuda_space){0};
}

/* Index of the first block above `address`. */
static size_t above(const struct cuda_space *space, uint64_t address)
{
    size_t low = 0, high = space->n_blocks;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (space->block[middle].base <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct cuda_block *cuda_space_find(const struct cuda_space *space, uint64_t address)
{
    size_t at = above(space, address);
    struct cuda_block *block = at ? &space->block[at - 1] : NULL;

    return block && address - block->base < block->bytes ? block : NULL;
}

struct cuda_block *cuda_space_registered(const struct cuda_space *space, const void *host)
{
    for (size_t b = 0; b < space->n_blocks; b++) {
        struct cuda_block *block = &space->block[b];

        if (block->kind == CUDA_BLOCK_REGISTERED &&
            (uintptr_t)host - (uintptr_t)block->host < block->bytes) {
            return block;
        }
    }
    return NULL;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static uint64_t end_of(const struct cuda_block *block)
{
    return round_up(block->base + block->bytes, ALIGN_BYTES);
}

/* The first gap that is large enough: its address, and before which block; 0: there is none.  Pages
 * of shared memory belong to nobody else. */
static uint64_t gap(const struct cuda_space *space, uint64_t bytes, uint64_t align, size_t *before)
{
    uint64_t from = space->base;

    for (size_t b = 0; b <= space->n_blocks; b++) {
        uint64_t to = b < space->n_blocks ? space->block[b].base : space->end;
        uint64_t at = round_up(from, align);

        if (at < to && to - at >= bytes) {
            *before = b;
            return at;
        }
        from = b < space->n_blocks ? end_of(&space->block[b]) : 0;
        if (b < space->n_blocks && space->block[b].host) {
            from = round_up(from, PAGE_BYTES);
        }
    }
    return 0;
}

static bool has_pages(enum cuda_block_kind kind)
{
    return kind == CUDA_BLOCK_MANAGED || kind == CUDA_BLOCK_PINNED;
}

/* What a former owner left would differ from the new pages. */
static void clear(struct cuda_space *space, uint64_t base, uint64_t bytes)
{
    static const uint8_t zero[PAGE_BYTES];

    for (uint64_t at = 0; at < bytes; at += PAGE_BYTES) {
        uint64_t n = bytes - at < PAGE_BYTES ? bytes - at : PAGE_BYTES;

        space->backend->write(space->backend->self, base + at, zero, n);
    }
}

static int give_pages(struct cuda_block *block)
{
    uint64_t bytes = round_up(block->bytes, PAGE_BYTES);

    if (has_pages(block->kind)) {
        if (mprotect(pointer(block->base), bytes, PROT_READ | PROT_WRITE) != 0) {
            return -1;
        }
        block->host = pointer(block->base);
    }
    if (block->host) {
        block->shadow = calloc(1, bytes);
    }
    return block->host && !block->shadow ? -1 : 0;
}

struct cuda_block *cuda_space_take(struct cuda_space *space, const char *name, uint64_t bytes,
                                   enum cuda_block_kind kind, void *host)
{
    bool paged = has_pages(kind) || kind == CUDA_BLOCK_REGISTERED;
    uint64_t align = paged ? PAGE_BYTES : ALIGN_BYTES, full = round_up(bytes, align);
    struct cuda_block new = {.bytes = bytes, .kind = kind, .host = host};
    size_t before = 0;

    if (bytes == 0 || full < bytes || full > space->room - space->used) {
        return NULL;
    }
    if (space->n_blocks == space->max_blocks) {
        size_t max = space->max_blocks ? 2 * space->max_blocks : 64;
        struct cuda_block *more = realloc(space->block, max * sizeof *more);

        if (!more) {
            return NULL;
        }
        space->block = more;
        space->max_blocks = max;
    }
    new.base = gap(space, full, align, &before);
    if (!new.base || memory_place(space->memory, name, new.base, bytes) != 0) {
        return NULL;
    }
    if (give_pages(&new) != 0) {
        memory_remove(space->memory, new.base);
        return NULL;
    }
    memmove(&space->block[before + 1], &space->block[before],
            (space->n_blocks++ - before) * sizeof *space->block);
    space->block[before] = new;
    space->used += full;
    if (paged && new.base < space->fresh) {
        clear(space, new.base, bytes);
    }
    if (kind == CUDA_BLOCK_DEVICE && space->backend->undefine) {
        space->backend->undefine(space->backend->self, new.base, bytes);
    }
    space->fresh = space->fresh > new.base + full ? space->fresh : new.base + full;
    return &space->block[before];
}

void cuda_space_give(struct cuda_space *space, uint64_t base)
{
    size_t at = above(space, base);
    struct cuda_block *block = at ? &space->block[at - 1] : NULL;
    uint64_t align;

    if (!block || block->base != base) {
        return;
    }
    align = block->host ? PAGE_BYTES : ALIGN_BYTES;
    if (has_pages(block->kind)) { /* new pages, so that the old ones' bytes are gone */
        mmap(pointer(base), round_up(block->bytes, PAGE_BYTES), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    memory_remove(space->memory, base);
    space->used -= round_up(block->bytes, align);
    free(block->shadow);
    memmove(block, block + 1, (--space->n_blocks - (at - 1)) * sizeof *block);
}

/* ---- shared memory ---- */

void cuda_space_to_device(struct cuda_space *space)
{
    for (size_t b = 0; b < space->n_blocks; b++) {
        const struct cuda_block *block = &space->block[b];

        for (uint64_t at = 0; block->host && at < block->bytes; at += PAGE_BYTES) {
            uint64_t left = block->bytes - at, n = left < PAGE_BYTES ? left : PAGE_BYTES;

            if (memcmp(block->host + at, block->shadow + at, n) != 0) {
                memcpy(block->shadow + at, block->host + at, n);
                space->backend->write(space->backend->self, block->base + at, block->shadow + at,
                                      n);
            }
        }
    }
}

void cuda_space_to_host(struct cuda_space *space)
{
    uint8_t page[PAGE_BYTES];

    for (size_t b = 0; b < space->n_blocks; b++) {
        const struct cuda_block *block = &space->block[b];

        for (uint64_t at = 0; block->host && at < block->bytes; at += PAGE_BYTES) {
            uint64_t left = block->bytes - at, n = left < PAGE_BYTES ? left : PAGE_BYTES;

            space->backend->read(space->backend->self, block->base + at, page, n);
            if (memcmp(page, block->shadow + at, n) != 0) {
                memcpy(block->shadow + at, page, n);
                memcpy(block->host + at, page, n);
            }
        }
    }
}
