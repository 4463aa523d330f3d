/* prefetch_intra.c - INTRA: the stride of one load of one warp from iteration to iteration
 * (caps-prefetch 3.9), a reference prediction table per warp slot.  Knows no other warp. */
#include "mechanisms/prefetch/prefetch_stride.h"
#include "units/caps/lru_rank.h"

#include <string.h>

void intra_flush(struct intra_table *table, uint32_t warp)
{
    struct intra_set *set = &table->warp[warp];
    for (unsigned way = 0; way < INTRA_WAYS; way++) {
        set->valid[way] = 0;
        set->age[way] = (uint8_t)way;
    }
}

void intra_reset(struct intra_table *table)
{
    for (uint32_t warp = 0; warp < INTRA_WARPS; warp++) {
        intra_flush(table, warp);
    }
}

static int find(const struct intra_set *set, uint32_t pc)
{
    for (int way = 0; way < INTRA_WAYS; way++) {
        if (set->valid[way] && set->entry[way].pc == pc) {
            return way;
        }
    }
    return -1;
}

/* The state machine's two columns: delta as expected, and not. */
static void observe(struct intra_entry *entry, uint32_t delta)
{
    static const uint8_t same[] = {INTRA_STEADY, INTRA_STEADY, INTRA_STEADY, INTRA_TRANS};
    static const uint8_t other[] = {INTRA_TRANS, INTRA_NOPRED, INTRA_INIT, INTRA_NOPRED};
    if (delta == entry->stride) {
        entry->state = same[entry->state];
        return;
    }
    if (entry->state != INTRA_STEADY) {
        entry->stride = delta;
    }
    entry->state = other[entry->state];
}

const struct intra_entry *intra_train(struct intra_table *table, const struct prefetch_load *load)
{
    struct intra_set *set = &table->warp[load->warp];
    int way = find(set, load->pc);
    if (way < 0) {
        way = (int)lru_rank_victim(set->age, set->valid, INTRA_WAYS);
        set->valid[way] = 1;
        set->entry[way] = (struct intra_entry){load->pc, load->addr[0], 0, INTRA_INIT};
        lru_rank_touch(set->age, INTRA_WAYS, (unsigned)way);
        return NULL;
    }
    struct intra_entry *entry = &set->entry[way];
    observe(entry, load->addr[0] - entry->last_addr);
    entry->last_addr = load->addr[0];
    lru_rank_touch(set->age, INTRA_WAYS, (unsigned)way);
    return entry;
}

bool intra_steady(const struct intra_entry *entry)
{
    return entry != NULL && entry->state == INTRA_STEADY && entry->stride != 0;
}

void issue_for_iterations(const struct prefetch_reach *reach, uint32_t stride,
                          const struct prefetch_load *load, struct prefetch_burst *burst)
{
    for (uint32_t k = 0; k < reach->degree; k++) {
        for (uint32_t i = 0; i < load->n; i++) {
            const uint32_t ahead = load->addr[i] + (reach->distance + k) * stride;
            if (prefetch_line_of(ahead) != prefetch_line_of(load->addr[i])) {
                prefetch_add(burst, prefetch_line_of(ahead), (int32_t)load->warp);
            }
        }
    }
}

/* ---- INTRA alone ---- */

static void reset(void *table)
{
    intra_reset(table);
}

static void flush(void *table, uint32_t warp)
{
    intra_flush(table, warp);
}

static void on_load(void *table, const struct prefetch_reach *reach,
                    const struct prefetch_load *load, struct prefetch_burst *burst)
{
    const struct intra_entry *entry = intra_train(table, load);
    if (intra_steady(entry)) {
        issue_for_iterations(reach, entry->stride, load, burst);
    }
}

const struct prefetch_kind prefetch_intra = {
    .table_bytes = sizeof(struct intra_table), .reset = reset, .load = on_load, .flush = flush};

static int attach(struct mechanism_context *context)
{
    return prefetch_attach(context, &prefetch_intra, prefetch_reach_of(context));
}

static const struct mechanism_option options[] = {PREFETCH_DEGREE("iterations"),
                                                  PREFETCH_DISTANCE("iterations", "3.9")};

const struct mechanism mechanism_intra = {.name = "intra",
                                          .title = "intra-warp stride prefetcher (INTRA)",
                                          .document = "caps-prefetch",
                                          .section = "3.9",
                                          MECHANISM_OPTIONS(options),
                                          .promises = PLUG_LOCAL | PLUG_QUIET,
                                          .attach = attach};
