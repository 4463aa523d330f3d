/* prefetch_outcome.c - see prefetch_outcome.h. */
#include "mechanisms/prefetch/prefetch_outcome.h"

#include <string.h>

enum { NOBODY = OUTCOME_SLOTS - 1 };

/* ---- a warp's last blocks ---- */

/* True when that was at the cost of another block. */
static bool remember(struct block_ring *ring, uint64_t block)
{
    const bool full = ring->n == OUTCOME_MEMORY && ring->block[ring->next] != UINT64_MAX;
    ring->block[ring->next] = block;
    ring->next = (ring->next + 1) % OUTCOME_MEMORY;
    ring->n += ring->n < OUTCOME_MEMORY;
    ring->left += !full;
    return full;
}

static bool remembers(const struct block_ring *ring, uint64_t block)
{
    for (uint32_t i = 0; i < ring->n; i++) {
        if (ring->block[i] == block) {
            return true;
        }
    }
    return false;
}

/* Take every copy of `block` out of the ring: how many there were. */
static uint32_t forget(struct block_ring *ring, uint64_t block)
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

static void forget_all(struct block_ring *ring)
{
    ring->n = ring->next = ring->left = 0;
}

/* ---- the end of a prefetch ---- */

static struct prefetch_record *record_of(struct outcome_watch *watch, uint32_t set, uint32_t way)
{
    return &watch->in_cache[(size_t)set * core_l1d(watch->core)->ways + way];
}

/* It was of no use: why? */
static void lose(struct outcome_watch *watch, struct prefetch_record *record, uint64_t *how)
{
    record->live = false;
    ++*how;
    if (record->stale) {
        watch->count.unused_stale++;
    } else if (remember(&watch->lost[record->target], record->block)) {
        watch->count.unused_wrong++; /* the oldest: no room to wait for it any longer */
    }
}

static void use(struct outcome_watch *watch, struct prefetch_record *record, uint32_t warp,
                bool late)
{
    record->live = false;
    ++*(late ? &watch->count.used_late : &watch->count.used_on_time);
    watch->count.used_by_other += record->target != NOBODY && record->target != warp;
}

/* ---- what the SM tells ---- */

static void on_prefetch(void *self, uint32_t sm, const struct access_info *access, uint32_t set)
{
    struct outcome_watch *watch = self;
    const int at = mshr_find(core_mshrs(watch->core), access->block);
    const uint8_t target = access->warp_slot < NOBODY ? access->warp_slot : NOBODY;
    (void)sm, (void)set;
    watch->in_flight[at] = (struct prefetch_record){
        .block = access->block,
        .target = target,
        .live = true,
        .stale = remembers(&watch->asked[target], access->block)};
}

/* The record of a block that the access found, in flight or in the cache; NULL: no prefetch. */
static struct prefetch_record *find(struct outcome_watch *watch, uint64_t block, uint32_t set,
                                    enum access_result result)
{
    struct prefetch_record *record = NULL;
    if (result == RESULT_HIT_RESERVED) {
        const int at = mshr_find(core_mshrs(watch->core), block);
        record = at < 0 ? NULL : &watch->in_flight[at];
    } else if (result == RESULT_HIT) {
        const int way = cache_find(core_l1d(watch->core), set, block);
        record = way < 0 ? NULL : record_of(watch, set, (uint32_t)way);
    }
    return record != NULL && record->live && record->block == block ? record : NULL;
}

static void on_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                      enum access_result result)
{
    struct outcome_watch *watch = self;
    struct prefetch_record *record = find(watch, access->block, set, result);
    (void)sm;
    if (record != NULL) {
        use(watch, record, access->warp_slot, result == RESULT_HIT_RESERVED);
    }
    watch->count.unused_early += forget(&watch->lost[access->warp_slot], access->block) +
                                 forget(&watch->lost[NOBODY], access->block);
    if (access->n_requests <= PREFETCH_MAX_REQUESTS) {
        remember(&watch->asked[access->warp_slot], access->block);
    }
    remember(&watch->asked[NOBODY], access->block);
}

/* The data have come: the prefetch is in the cache now, if a line was free. */
static void on_fill(void *self, uint32_t sm, uint64_t block)
{
    struct outcome_watch *watch = self;
    const int at = mshr_find(core_mshrs(watch->core), block);
    const uint32_t set = core_set_of(watch->core, block);
    const int way = cache_find(core_l1d(watch->core), set, block);
    struct prefetch_record *record = at < 0 ? NULL : &watch->in_flight[at];
    (void)sm;
    if (record == NULL || !record->live || record->block != block) {
        return;
    }
    if (way < 0) {
        lose(watch, record, &watch->count.lost_otherwise);
        return;
    }
    *record_of(watch, set, (uint32_t)way) = *record;
    record->live = false;
}

static void on_line(void *self, uint32_t owner, uint32_t set, uint32_t way, enum line_event event,
                    bool dirty)
{
    struct outcome_watch *watch = self;
    const struct cache *l1d = core_l1d(watch->core);
    const struct mshr_file *mshrs = core_mshrs(watch->core);
    struct prefetch_record *record = record_of(watch, set, way);
    (void)owner, (void)dirty;
    if (event == LINE_RESERVE && record->live) {
        const int at = mshr_find(mshrs, cache_tag(l1d, set, way));
        const bool prefetch = at >= 0 && mshrs->entry[at].first.kind == ACCESS_PREFETCH;
        lose(watch, record,
             prefetch ? &watch->count.evicted_by_prefetch : &watch->count.evicted_by_demand);
    } else if (event == LINE_DROP && record->live) {
        lose(watch, record, &watch->count.lost_otherwise);
    } else if (event == LINE_DROP && cache_line(l1d, set, way)->state == LINE_RESERVED) {
        record = &watch->in_flight[cache_line(l1d, set, way)->mshr];
        if (record->live && record->block == cache_tag(l1d, set, way)) {
            lose(watch, record, &watch->count.lost_otherwise);
        }
    }
}

/* A warp slot changes hands. */
static void warp_came(void *self, uint32_t sm, uint32_t slot)
{
    struct outcome_watch *watch = self;
    (void)sm;
    watch->count.unused_wrong += watch->lost[slot].left;
    forget_all(&watch->lost[slot]);
    forget_all(&watch->asked[slot]);
}

static size_t lines_of(const struct core *core)
{
    return (size_t)core_l1d(core)->sets * core_l1d(core)->ways;
}

/* What is open now, counted as if it ended now. */
static void count_open(const struct outcome_watch *watch, struct prefetch_outcomes *count)
{
    const size_t lines = lines_of(watch->core);
    for (size_t i = 0; i < lines + core_mshrs(watch->core)->n; i++) {
        const struct prefetch_record *record = i < lines ? &watch->in_cache[i]
                                                         : &watch->in_flight[i - lines];
        count->left_at_end += record->live;
        count->unused_stale += record->live && record->stale;
        count->unused_wrong += record->live && !record->stale;
    }
    for (uint32_t slot = 0; slot < OUTCOME_SLOTS; slot++) {
        count->unused_wrong += watch->lost[slot].left;
    }
}

/* Everything that is still open ends with the kernel. */
static void on_kernel(void *self, uint32_t sm)
{
    struct outcome_watch *watch = self;
    (void)sm;
    count_open(watch, &watch->count);
    memset(watch->in_cache, 0, lines_of(watch->core) * sizeof *watch->in_cache);
    memset(watch->in_flight, 0, core_mshrs(watch->core)->n * sizeof *watch->in_flight);
    for (uint32_t slot = 0; slot < OUTCOME_SLOTS; slot++) {
        forget_all(&watch->asked[slot]);
        forget_all(&watch->lost[slot]);
    }
}

struct prefetch_outcomes prefetch_outcomes_now(const struct outcome_watch *watch)
{
    struct prefetch_outcomes count = watch->count;
    count_open(watch, &count);
    return count;
}

int outcome_watch_attach(struct mechanism_context *context, struct outcome_watch *watch,
                         struct core *core)
{
    const struct observer observer = {.self = watch,
                                      .kernel_start = on_kernel,
                                      .warp_launch = warp_came,
                                      .acc_result = on_access,
                                      .prefetch = on_prefetch,
                                      .fill = on_fill,
                                      .line = on_line};
    watch->core = core;
    watch->in_flight = mechanism_keep(context, core_mshrs(core)->n * sizeof *watch->in_flight);
    watch->in_cache = mechanism_keep(context, lines_of(core) * sizeof *watch->in_cache);
    return watch->in_flight == NULL || watch->in_cache == NULL
               ? -1
               : plug_observer(core, &context->plug, &observer);
}
