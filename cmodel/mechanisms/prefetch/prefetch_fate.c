/* prefetch_fate.c - see prefetch_fate.h. */
#include "mechanisms/prefetch/prefetch_fate.h"

#include <string.h>

enum { NOBODY = FATE_SLOTS - 1 };

/* ---- a warp's last blocks ---- */

/* True when that was at the cost of another block. */
static bool remember(struct fate_ring *ring, uint64_t block)
{
    const bool full = ring->n == FATE_MEMORY && ring->block[ring->next] != UINT64_MAX;
    ring->block[ring->next] = block;
    ring->next = (ring->next + 1) % FATE_MEMORY;
    ring->n += ring->n < FATE_MEMORY;
    ring->left += !full;
    return full;
}

static bool remembers(const struct fate_ring *ring, uint64_t block)
{
    for (uint32_t i = 0; i < ring->n; i++) {
        if (ring->block[i] == block) {
            return true;
        }
    }
    return false;
}

/* Take every copy of `block` out of the ring: how many there were. */
static uint32_t forget(struct fate_ring *ring, uint64_t block)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < ring->n && ring->left != 0; i++) {
        if (ring->block[i] == block) {
            ring->block[i] = UINT64_MAX;
            ring->left--;
            found++;
        }
    }
    return found;
}

static void forget_all(struct fate_ring *ring)
{
    ring->n = ring->next = ring->left = 0;
}

/* ---- the end of a prefetch ---- */

static struct fate_record *record_of(struct prefetch_fate *fate, uint32_t set, uint32_t way)
{
    return &fate->in_cache[(size_t)set * fate->sm->l1d.ways + way];
}

/* It was of no use: why? */
static void lose(struct prefetch_fate *fate, struct fate_record *record, uint64_t *how)
{
    record->live = false;
    ++*how;
    if (record->stale) {
        fate->count.unused_stale++;
    } else if (remember(&fate->lost[record->target], record->block)) {
        fate->count.unused_wrong++; /* the oldest: no room to wait for it any longer */
    }
}

static void use(struct prefetch_fate *fate, struct fate_record *record, uint32_t warp, bool late)
{
    record->live = false;
    ++*(late ? &fate->count.used_late : &fate->count.used_on_time);
    fate->count.used_by_other += record->target != NOBODY && record->target != warp;
}

/* ---- what the SM tells ---- */

static void on_prefetch(void *self, uint32_t sm, const struct access_info *access, uint32_t set)
{
    struct prefetch_fate *fate = self;
    const int at = mshr_find(&fate->sm->mshr, access->block);
    const uint8_t target = access->warp_slot < NOBODY ? access->warp_slot : NOBODY;
    (void)sm, (void)set;
    fate->in_flight[at] = (struct fate_record){
        .block = access->block,
        .target = target,
        .live = true,
        .stale = remembers(&fate->asked[target], access->block)};
}

/* The record of a block that the access found, in flight or in the cache; NULL: no prefetch. */
static struct fate_record *find(struct prefetch_fate *fate, uint64_t block, uint32_t set,
                                enum access_result result)
{
    const struct sm *sm = fate->sm;
    struct fate_record *record = NULL;
    if (result == RESULT_HIT_RESERVED) {
        const int at = mshr_find(&sm->mshr, block);
        record = at < 0 ? NULL : &fate->in_flight[at];
    } else if (result == RESULT_HIT) {
        const int way = cache_find(&sm->l1d, set, block);
        record = way < 0 ? NULL : record_of(fate, set, (uint32_t)way);
    }
    return record != NULL && record->live && record->block == block ? record : NULL;
}

static void on_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                      enum access_result result)
{
    struct prefetch_fate *fate = self;
    struct fate_record *record = find(fate, access->block, set, result);
    (void)sm;
    if (record != NULL) {
        use(fate, record, access->warp_slot, result == RESULT_HIT_RESERVED);
    }
    fate->count.unused_early += forget(&fate->lost[access->warp_slot], access->block) +
                                forget(&fate->lost[NOBODY], access->block);
    if (access->n_requests <= PREFETCH_MAX_REQUESTS) {
        remember(&fate->asked[access->warp_slot], access->block);
    }
    remember(&fate->asked[NOBODY], access->block);
}

/* The data have come: the prefetch is in the cache now, if a line was free. */
static void on_fill(void *self, uint32_t sm, uint64_t block)
{
    struct prefetch_fate *fate = self;
    const uint32_t set = fate->sm->sockets.index.set(fate->sm->sockets.index.self, block);
    const int at = mshr_find(&fate->sm->mshr, block), way = cache_find(&fate->sm->l1d, set, block);
    struct fate_record *record = at < 0 ? NULL : &fate->in_flight[at];
    (void)sm;
    if (record == NULL || !record->live || record->block != block) {
        return;
    }
    if (way < 0) {
        lose(fate, record, &fate->count.lost_otherwise);
        return;
    }
    *record_of(fate, set, (uint32_t)way) = *record;
    record->live = false;
}

static void on_line(void *self, uint32_t owner, uint32_t set, uint32_t way, enum line_event event,
                    bool dirty)
{
    struct prefetch_fate *fate = self;
    const struct sm *sm = fate->sm;
    struct fate_record *record = record_of(fate, set, way);
    (void)owner, (void)dirty;
    if (event == LINE_RESERVE && record->live) {
        const int at = mshr_find(&sm->mshr, cache_tag(&sm->l1d, set, way));
        const bool prefetch = at >= 0 && sm->mshr.entry[at].first.kind == ACCESS_PREFETCH;
        lose(fate, record,
             prefetch ? &fate->count.evicted_by_prefetch : &fate->count.evicted_by_demand);
    } else if (event == LINE_DROP && record->live) {
        lose(fate, record, &fate->count.lost_otherwise);
    } else if (event == LINE_DROP && cache_line(&sm->l1d, set, way)->state == LINE_RESERVED) {
        record = &fate->in_flight[cache_line(&sm->l1d, set, way)->mshr];
        if (record->live && record->block == cache_tag(&sm->l1d, set, way)) {
            lose(fate, record, &fate->count.lost_otherwise);
        }
    }
}

/* A warp slot changes hands. */
static void warp_came(void *self, uint32_t sm, uint32_t slot)
{
    struct prefetch_fate *fate = self;
    (void)sm;
    fate->count.unused_wrong += fate->lost[slot].left;
    forget_all(&fate->lost[slot]);
    forget_all(&fate->asked[slot]);
}

/* What is open now, counted as if it ended now. */
static void count_open(const struct prefetch_fate *fate, struct prefetch_fates *count)
{
    const size_t lines = (size_t)fate->sm->l1d.sets * fate->sm->l1d.ways;
    for (size_t i = 0; i < lines + fate->sm->mshr.n; i++) {
        const struct fate_record *record = i < lines ? &fate->in_cache[i]
                                                     : &fate->in_flight[i - lines];
        count->left_at_end += record->live;
        count->unused_stale += record->live && record->stale;
        count->unused_wrong += record->live && !record->stale;
    }
    for (uint32_t slot = 0; slot < FATE_SLOTS; slot++) {
        count->unused_wrong += fate->lost[slot].left;
    }
}

/* Everything that is still open ends with the kernel. */
static void on_kernel(void *self, uint32_t sm)
{
    struct prefetch_fate *fate = self;
    (void)sm;
    count_open(fate, &fate->count);
    memset(fate->in_cache, 0,
           (size_t)fate->sm->l1d.sets * fate->sm->l1d.ways * sizeof *fate->in_cache);
    memset(fate->in_flight, 0, fate->sm->mshr.n * sizeof *fate->in_flight);
    memset(fate->asked, 0, sizeof fate->asked);
    memset(fate->lost, 0, sizeof fate->lost);
}

struct prefetch_fates prefetch_fate_now(const struct prefetch_fate *fate)
{
    struct prefetch_fates count = fate->count;
    count_open(fate, &count);
    return count;
}

int prefetch_fate_attach(struct mechanism_context *context, struct prefetch_fate *fate,
                         struct sm *sm)
{
    const struct observer observer = {.self = fate,
                                      .kernel_start = on_kernel,
                                      .warp_launch = warp_came,
                                      .acc_result = on_access,
                                      .prefetch = on_prefetch,
                                      .fill = on_fill,
                                      .line = on_line};
    fate->sm = sm;
    fate->in_flight = mechanism_keep(context, sm->mshr.n * sizeof *fate->in_flight);
    fate->in_cache = mechanism_keep(context,
                                    (size_t)sm->l1d.sets * sm->l1d.ways * sizeof *fate->in_cache);
    return fate->in_flight == NULL || fate->in_cache == NULL
               ? -1
               : mechanism_observe(context, sm, &observer);
}
