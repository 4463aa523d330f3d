/* sass_kept.c - see sass_kept.h. */
#include "sass/sass_kept.h"

#include <stdlib.h>

void sass_kept_begin(struct sass_kept *kept, uint32_t warps, size_t most_bytes)
{
    *kept = (struct sass_kept){.most_bytes = most_bytes, .warps = warps};
}

void sass_kept_free(struct sass_kept *kept)
{
    free(kept->at);
    free(kept->warp);
    free(kept->packed.bytes);
    *kept = (struct sass_kept){0};
}

/* Room for one more block. */
static bool grow(struct sass_kept *kept)
{
    const uint64_t max = kept->max ? 2 * kept->max : 64;
    struct isa_dim3 *at = realloc(kept->at, max * sizeof *at);
    struct sass_kept_warp *warp;

    kept->at = at ? at : kept->at;
    warp = at ? realloc(kept->warp, max * kept->warps * sizeof *warp) : NULL;
    kept->warp = warp ? warp : kept->warp;
    kept->max = warp ? max : kept->max;
    return warp;
}

static size_t bytes_of(const struct sass_kept *kept)
{
    return kept->packed.max + kept->max * (sizeof *kept->at + kept->warps * sizeof *kept->warp);
}

void sass_kept_block(struct sass_kept *kept, struct isa_dim3 at)
{
    if (!kept->most_bytes) {
        return;
    }
    if (bytes_of(kept) > kept->most_bytes || (kept->n == kept->max && !grow(kept))) {
        sass_kept_free(kept);
        return;
    }
    kept->at[kept->n++] = at;
}

static struct sass_kept_warp *newest(const struct sass_kept *kept, uint32_t warp)
{
    return &kept->warp[(kept->n - 1) * kept->warps + warp];
}

void sass_kept_warp(struct sass_kept *kept, uint32_t warp)
{
    if (kept->most_bytes) {
        sass_pack_begin(&kept->packed);
        newest(kept, warp)->begin = kept->packed.n;
    }
}

void sass_kept_line(struct sass_kept *kept, const struct sass_entry *entry,
                    const struct sass_executed *executed, const struct isa_async *aside)
{
    if (kept->most_bytes && (kept->packed.n > kept->most_bytes ||
                             sass_pack_line(&kept->packed, entry, executed, aside) != 0)) {
        sass_kept_free(kept);
    }
}

void sass_kept_warp_end(struct sass_kept *kept, uint32_t warp)
{
    if (kept->most_bytes) {
        newest(kept, warp)->end = kept->packed.n;
    }
}

int sass_pack_line(struct sass_packed *packed, const struct sass_entry *entry,
                   const struct sass_executed *executed, const struct isa_async *aside)
{
    const bool addressed = executed->addressed && entry->inst.access != ISA_ACCESS_NONE;

    for (uint32_t a = 0; aside && a < aside->n; a++) { /* the reader's, and its last use */
        executed->bulk.address[a] &= SASS_ADDRESS_MASK;
    }
    return sass_pack(packed, executed->entry, executed->mask,
                     addressed ? &executed->addresses : NULL, aside);
}
