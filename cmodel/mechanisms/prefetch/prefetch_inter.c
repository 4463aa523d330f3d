/* prefetch_inter.c - INTER: the stride of one load from warp to warp (caps-prefetch 3.10),
 * blind to CTA boundaries. */
#include "mechanisms/prefetch/prefetch_stride.h"
#include "units/caps/lru_rank.h"

void inter_reset(struct inter_table *table)
{
    for (unsigned way = 0; way < INTER_WAYS; way++) {
        table->valid[way] = 0;
        table->age[way] = (uint8_t)way;
    }
}

static int find(const struct inter_table *table, uint32_t pc)
{
    for (int way = 0; way < INTER_WAYS; way++) {
        if (table->valid[way] && table->entry[way].pc == pc) {
            return way;
        }
    }
    return -1;
}

static void learn(struct inter_entry *entry, uint32_t stride)
{
    if (stride != entry->stride) {
        entry->stride = stride;
        entry->confidence = 0;
    } else if (entry->confidence < INTER_SURE) {
        entry->confidence++;
    }
}

const struct inter_entry *inter_train(struct inter_table *table, const struct prefetch_load *load)
{
    int way = find(table, load->pc);
    if (way < 0) {
        way = (int)lru_rank_victim(table->age, table->valid, INTER_WAYS);
        table->valid[way] = 1;
        table->entry[way] = (struct inter_entry){load->pc, load->warp, load->addr[0], 0, 0};
        lru_rank_touch(table->age, INTER_WAYS, (unsigned)way);
        return NULL;
    }
    struct inter_entry *entry = &table->entry[way];
    const uint32_t last_warp = entry->last_warp, difference = load->addr[0] - entry->last_addr;
    lru_rank_touch(table->age, INTER_WAYS, (unsigned)way);
    entry->last_warp = load->warp;
    entry->last_addr = load->addr[0];
    if (load->warp == last_warp) {
        return NULL; /* the same warp again: a loop, nothing about its neighbours */
    }
    if (load->warp == last_warp + 1) {
        learn(entry, difference);
    } else if (load->warp + 1 == last_warp) {
        learn(entry, 0u - difference);
    }
    return entry->confidence >= 1 && entry->stride != 0 ? entry : NULL;
}

void issue_for_warps(const struct prefetch_reach *reach, uint32_t stride,
                     const struct prefetch_load *load, struct prefetch_burst *burst)
{
    for (uint32_t k = 0; k < reach->degree; k++) {
        const uint32_t ahead = reach->distance + k, target = load->warp + ahead;
        if (target > 63 || !(load->alive >> target & 1)) {
            continue;
        }
        for (uint32_t i = 0; i < load->n; i++) {
            prefetch_add(burst, prefetch_line_of(load->addr[i] + ahead * stride), (int32_t)target);
        }
    }
}

/* ---- INTER alone ---- */

static void reset(void *table)
{
    inter_reset(table);
}

static void on_load(void *table, const struct prefetch_reach *reach,
                    const struct prefetch_load *load, struct prefetch_burst *burst)
{
    const struct inter_entry *entry = inter_train(table, load);
    if (entry != NULL) {
        issue_for_warps(reach, entry->stride, load, burst);
    }
}

const struct prefetch_kind prefetch_inter = {
    .table_bytes = sizeof(struct inter_table), .reset = reset, .load = on_load};

static int attach(struct mechanism_context *context)
{
    return prefetch_attach(context, &prefetch_inter, prefetch_reach_of(context));
}

static const struct mechanism_option options[] = {PREFETCH_DEGREE("warps"),
                                                  PREFETCH_DISTANCE("warps", "3.10")};

const struct mechanism mechanism_inter = {.name = "inter",
                                          .title = "inter-warp stride prefetcher (INTER)",
                                          .document = "caps-prefetch",
                                          .section = "3.10",
                                          MECHANISM_OPTIONS(options),
                                          .promises = PLUG_LOCAL | PLUG_QUIET,
                                          .attach = attach};
