/* gpu_pages.c - pages get their place when they are touched first, and are replaced where there is none.
 *
 * Works after aci-iacm-blpp 3.17.6.  Which memory a page goes to is asked of the placement socket.  If that
 * one is full, its least recently used page has to go: no SM takes a memory access until all messages have
 * come home, copies of the page leave all caches with what they alone hold, host.replace_cycles pass.
 * See gpu.h.
 */
#include <stdio.h>

#include "machine/gpu_private.h"

void gpu_place_page(struct gpu *gpu, uint64_t address)
{
    struct gpu_replacement *r = &gpu->replacement;
    const struct pages *pages = &gpu->pages;
    enum memory_node node;

    if (memory_is_placed(gpu->memory, address) || r->page) {
        return; /* another SM touched it in the same cycle; or all wait for a page */
    }
    node = (enum memory_node)gpu->placement.place(gpu->placement.self, address / MEMORY_PAGE_BYTES,
                                                  pages_full(pages, MEMORY_NODE_GPU),
                                                  pages_full(pages, MEMORY_NODE_HOST));
    if (!pages_full(pages, node)) {
        if (pages_put(&gpu->pages, address, node, gpu->now) != 0) {
            snprintf(gpu->error, sizeof gpu->error, "out of memory for the page table");
        }
        return;
    }
    *r = (struct gpu_replacement){.page = address, .node = node};
    memory_close(gpu->memory, true);
}

static bool is_quiet(const struct gpu *gpu)
{
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (sm_held(sm_at(gpu->sm, s)).exchanges) {
            return false;
        }
    }
    return true;
}

static void drop_page(struct gpu *gpu, uint64_t page)
{
    for (uint64_t block = page; block < page + MEMORY_PAGE_BYTES; block += BLOCK_BYTES) {
        for (uint32_t s = 0; s < gpu->n_sms; s++) {
            sm_drop_block(sm_at(gpu->sm, s), block);
        }
        l2_drop_block(&gpu->bank[l2_bank_of(&gpu->config, block)], block);
    }
}

void gpu_replace_page(struct gpu *gpu)
{
    struct gpu_replacement *r = &gpu->replacement;

    gpu->last_progress = gpu->now;
    /* What waits for something else waits for this from now on, and is counted so. */
    for (uint32_t s = 0; s < gpu->n_sms && !r->known; s++) {
        cycle_advance(&gpu->sm_wake[s], gpu->now);
    }
    r->known = true;
    if (!r->ready_at && is_quiet(gpu)) {
        const uint64_t victim = pages_oldest(&gpu->pages, r->node);

        drop_page(gpu, victim);
        pages_take(&gpu->pages, victim);
        r->ready_at = gpu->now + gpu->config.host_replace_cycles;
    }
    if (r->ready_at && gpu->now >= r->ready_at) {
        if (pages_put(&gpu->pages, r->page, r->node, gpu->now) != 0) {
            snprintf(gpu->error, sizeof gpu->error, "out of memory for the page table");
        }
        *r = (struct gpu_replacement){0};
        memory_close(gpu->memory, false);
    }
}

/* What placement cannot be had with, and the remedy; NULL: all is well. */
static const char *obstacle(const struct gpu *gpu, const struct isa_launch *launch)
{
    if (launch->asynchronous || launch->cluster_ctas > 1) {
        return "copies that go on without their warp do not touch pages; run it without placement";
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        const char *what = sm_needs_one_memory(sm_at(gpu->sm, s), pages_limited(&gpu->pages));

        if (what) {
            return what;
        }
    }
    return NULL;
}

int gpu_pages_start(struct gpu *gpu, const struct isa_launch *launch)
{
    const char *what = gpu->placement.demand ? obstacle(gpu, launch) : NULL;

    if (what) {
        snprintf(gpu->error, sizeof gpu->error, "kernel %s: page placement: %s",
                 launch->kernel->name, what);
    }
    return what ? -1 : 0;
}
