/* sm_l1d_flush.c - the L1D is flushed because its set index changes, set by set.
 *
 * Works after aci-iacm-blpp 3.8.3 and 3.8.6: valid lines become invalid (dirty ones are
 * written back before), reserved ones wait for their fill, which will not stay.  And: a fence
 * gives up what is clean (sm.fence), a page that is replaced takes its blocks with it, and where
 * copies stay from kernel to kernel, the dirty ones go (l1d.at_launch).
 * It must not know who changes the index, nor when.
 */
#include <string.h>

#include "machine/cache/bytes.h"
#include "machine/sm/sm_l1d_sectors.h"

void sm_l1d_flush_set(struct sm *sm, uint32_t set)
{
    for (uint32_t way = 0; way < sm->l1d.ways; way++) {
        uint8_t state = cache_line(&sm->l1d, set, way)->state;

        if (state == LINE_VALID) {
            l1d_drop(sm, set, way);
        } else if (state == LINE_RESERVED) {
            cache_doom(&sm->l1d, set, way);
        }
    }
}

/* Valid lines with a dirty byte, or those without. */
static void drop_lines(struct sm *sm, bool dirty)
{
    for (uint32_t set = 0; set < sm->l1d.sets; set++) {
        for (uint32_t way = 0; way < sm->l1d.ways; way++) {
            const struct cache_line *line = cache_line(&sm->l1d, set, way);
            const bool is_dirty = line->dirty[0] | line->dirty[1];

            if (line->state == LINE_VALID && is_dirty == dirty) {
                OBSERVE(sm->sockets, line, sm->id, set, way, LINE_DROP, false);
                l1d_drop(sm, set, way);
            }
        }
    }
}

void sm_l1d_drop_clean(struct sm *sm)
{
    if (sm->sectors) {
        sm_sectors_drop_all(sm);
        return;
    }
    if (sm->sockets.inclusion.forget) {
        sm->sockets.inclusion.forget(sm->sockets.inclusion.self, CACHE_NO_TAG);
    }
    drop_lines(sm, false);
}

void l1d_drop_dirty(struct sm *sm)
{
    drop_lines(sm, true);
}

void sm_refresh(struct sm *sm, void (*peek)(void *self, uint64_t block, uint8_t *out), void *self)
{
    const struct cache *l1d = &sm->l1d;

    for (size_t n = 0; n < (size_t)l1d->sets * l1d->ways; n++) {
        if (l1d->tag[n] != CACHE_NO_TAG) {
            peek(self, l1d->tag[n], &l1d->data[n * BLOCK_BYTES]);
        }
    }
}

void sm_drop_block(struct sm *sm, uint64_t block)
{
    const uint32_t set = l1d_set(sm, block);
    const int way = cache_find(&sm->l1d, set, block);
    uint8_t *memory = memory_block(sm->memory, block);

    if (way < 0) {
        return;
    }
    if (memory) {
        bytes_copy(memory, cache_data(&sm->l1d, set, (uint32_t)way),
                   cache_line(&sm->l1d, set, (uint32_t)way)->dirty);
    }
    OBSERVE(sm->sockets, line, sm->id, set, (uint32_t)way, LINE_DROP, false);
    l1d_drop(sm, set, (uint32_t)way);
}

void sm_l1d_write_back(struct sm *sm, uint32_t set, uint32_t way)
{
    struct cache_line *line = cache_line(&sm->l1d, set, way);

    l1d_write_down(sm, set, way);
    memset(line->dirty, 0, sizeof line->dirty);
}
