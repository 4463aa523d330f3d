/* gpu_memory.c - the untimed view of memory: what the program would see, through the L2.
 *
 * See gpu.h.
 */
#include <string.h>

#include "machine/gpu.h"

static bool on_host(const struct gpu *gpu, uint64_t block)
{
    return memory_has_remote(gpu->memory) && memory_node_of(gpu->memory, block) == MEMORY_NODE_HOST;
}

/* Of a large range it is sooner to look through the caches' lines than to look for its blocks there. */
enum { LARGE_BYTES = 1 << 15 };

static void peek_large(struct gpu *gpu, uint64_t address, void *to, uint64_t bytes)
{
    memory_read(gpu->memory, address, to, bytes);
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        l2_peek_lines(&gpu->bank[b], address, to, bytes);
    }
}

static void poke_large(struct gpu *gpu, uint64_t address, const void *from, uint64_t bytes)
{
    memory_write(gpu->memory, address, from, bytes);
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        l2_poke_lines(&gpu->bank[b], address, from, bytes);
    }
}

void gpu_peek(struct gpu *gpu, uint64_t address, void *to, uint64_t bytes)
{
    uint8_t block[BLOCK_BYTES];

    if (bytes >= LARGE_BYTES) {
        peek_large(gpu, address, to, bytes);
        return;
    }

    for (uint8_t *out = to; bytes;) {
        uint64_t base = address & ~(uint64_t)(BLOCK_BYTES - 1), offset = address - base;
        uint64_t n = BLOCK_BYTES - offset < bytes ? BLOCK_BYTES - offset : bytes;

        if (on_host(gpu, base)) {
            memory_read(gpu->memory, base, block, BLOCK_BYTES);
        } else {
            l2_peek(&gpu->bank[l2_bank_of(&gpu->config, base)], base, block);
        }
        memcpy(out, block + offset, n);
        out += n;
        address += n;
        bytes -= n;
    }
}

void gpu_poke(struct gpu *gpu, uint64_t address, const void *from, uint64_t bytes)
{
    uint8_t block[BLOCK_BYTES];

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sm_host_wrote(sm_at(gpu->sm, s), address, bytes);
    }
    if (bytes >= LARGE_BYTES) {
        poke_large(gpu, address, from, bytes);
        return;
    }
    for (const uint8_t *in = from; bytes;) {
        uint64_t base = address & ~(uint64_t)(BLOCK_BYTES - 1), offset = address - base;
        uint64_t n = BLOCK_BYTES - offset < bytes ? BLOCK_BYTES - offset : bytes, mask[2] = {0, 0};

        for (uint64_t b = offset; b < offset + n; b++) {
            mask[b / 64] |= UINT64_C(1) << (b % 64);
        }
        memcpy(block + offset, in, n);
        if (on_host(gpu, base)) {
            memory_write(gpu->memory, address, in, n);
        } else {
            l2_poke(&gpu->bank[l2_bank_of(&gpu->config, base)], base, block, mask);
        }
        in += n;
        address += n;
        bytes -= n;
    }
}

void gpu_lend_memory(struct gpu *gpu)
{
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        l2_lend(&gpu->bank[b]);
    }
}

void gpu_take_memory(struct gpu *gpu)
{
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        l2_take(&gpu->bank[b]);
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sm_host_wrote(sm_at(gpu->sm, s), 0, UINT64_MAX);
    }
    gpu->n_untimed++;
}
