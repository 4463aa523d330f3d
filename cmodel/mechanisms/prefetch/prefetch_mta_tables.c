/* prefetch_mta_tables.c - MTA by the three tables of the work that CAPS cites (caps-prefetch
 * 3.11, MTA_STYLE TABLES3): a stride per PC and warp (PWS), a stride per PC that several
 * warps agree on (GS), a stride between warps per PC (IP).  GS goes before IP, IP before
 * PWS.  It knows nothing of the two-table form.
 *
 * Where the section leaves a choice: every load trains all three tables; PWS is trained by
 * the same stride twice in a row, GS by three warps whose PWS strides are trained and equal
 * (and is taken over by three others); IP learns from neighbouring warps only, as INTER
 * does, and is trained by three equal strides: two between the warps it holds and the one
 * that loads, one that it has kept.  Strides that do not fit their 20 bits train nothing.
 * Entries are replaced least recently used, touched by every load of their PC. */
#include <string.h>

#include "mechanisms/prefetch/prefetch_stride.h"
#include "units/caps/lru_rank.h"

enum { PWS_WAYS = 32, GS_WAYS = 8, IP_WAYS = 8, AGREEING_WARPS = 3, STRIDE_BITS = 20 };

struct pws_entry {
    uint32_t pc, warp, last_addr, stride;
    bool trained;
};
struct gs_entry {
    uint32_t pc, stride;
};
/* The two warps seen last, the newer one second, and the stride up to the first of them. */
struct ip_entry {
    uint32_t pc, stride;
    uint32_t warp[2], addr[2];
    uint32_t warps; /* how many of the two are known */
    bool trained;
};

struct mta_tables {
    struct pws_entry pws[PWS_WAYS];
    struct gs_entry gs[GS_WAYS];
    struct ip_entry ip[IP_WAYS];
    uint8_t pws_valid[PWS_WAYS], gs_valid[GS_WAYS], ip_valid[IP_WAYS];
    uint8_t pws_age[PWS_WAYS], gs_age[GS_WAYS], ip_age[IP_WAYS];
};

static bool fits(uint32_t stride)
{
    const int32_t value = (int32_t)stride;
    return value != 0 && value >= -(1 << (STRIDE_BITS - 1)) && value < 1 << (STRIDE_BITS - 1);
}

/* ---- PWS: the loading warp's own stride ---- */

static struct pws_entry *pws_find(struct mta_tables *t, uint32_t pc, uint32_t warp)
{
    for (unsigned way = 0; way < PWS_WAYS; way++) {
        if (t->pws_valid[way] && t->pws[way].pc == pc && t->pws[way].warp == warp) {
            lru_rank_touch(t->pws_age, PWS_WAYS, way);
            return &t->pws[way];
        }
    }
    return NULL;
}

static const struct pws_entry *pws_train(struct mta_tables *t, const struct prefetch_load *load)
{
    struct pws_entry *entry = pws_find(t, load->pc, load->warp);
    if (entry == NULL) {
        const unsigned way = lru_rank_victim(t->pws_age, t->pws_valid, PWS_WAYS);
        t->pws_valid[way] = 1;
        t->pws[way] = (struct pws_entry){load->pc, load->warp, load->addr[0], 0, false};
        lru_rank_touch(t->pws_age, PWS_WAYS, way);
        return NULL;
    }
    const uint32_t stride = load->addr[0] - entry->last_addr;
    entry->last_addr = load->addr[0];
    entry->trained = fits(stride) && stride == entry->stride;
    entry->stride = fits(stride) ? stride : 0;
    return entry->trained ? entry : NULL;
}

/* ---- GS: strides that several warps agree on ---- */

static const struct gs_entry *gs_find(struct mta_tables *t, uint32_t pc)
{
    for (unsigned way = 0; way < GS_WAYS; way++) {
        if (t->gs_valid[way] && t->gs[way].pc == pc) {
            lru_rank_touch(t->gs_age, GS_WAYS, way);
            return &t->gs[way];
        }
    }
    return NULL;
}

/* The loading warp's stride is trained: do enough other warps have the same? */
static void gs_promote(struct mta_tables *t, const struct pws_entry *own)
{
    unsigned agree = 0, way = 0;
    for (unsigned i = 0; i < PWS_WAYS; i++) {
        const struct pws_entry *entry = &t->pws[i];
        agree += t->pws_valid[i] && entry->trained && entry->pc == own->pc &&
                 entry->stride == own->stride;
    }
    if (agree < AGREEING_WARPS) {
        return;
    }
    while (way < GS_WAYS && !(t->gs_valid[way] && t->gs[way].pc == own->pc)) {
        way++;
    }
    if (way == GS_WAYS) {
        way = lru_rank_victim(t->gs_age, t->gs_valid, GS_WAYS);
    }
    t->gs_valid[way] = 1;
    t->gs[way] = (struct gs_entry){own->pc, own->stride};
    lru_rank_touch(t->gs_age, GS_WAYS, way);
}

/* ---- IP: the stride between neighbouring warps ---- */

/* Stride per warp from one access to another; 0 when they are not neighbours. */
static uint32_t per_warp(uint32_t from_warp, uint32_t from, uint32_t to_warp, uint32_t to)
{
    const uint32_t stride = to_warp == from_warp + 1   ? to - from
                            : to_warp + 1 == from_warp ? from - to
                                                       : 0;
    return fits(stride) ? stride : 0;
}

static void ip_learn(struct ip_entry *entry, const struct prefetch_load *load)
{
    const uint32_t at = entry->warps - 1;
    if (load->warp == entry->warp[at]) {
        entry->addr[at] = load->addr[0]; /* a loop: nothing about its neighbours */
        return;
    }
    const uint32_t newest = per_warp(entry->warp[at], entry->addr[at], load->warp, load->addr[0]);
    if (entry->warps == 2) {
        const uint32_t held = per_warp(entry->warp[0], entry->addr[0], entry->warp[1],
                                       entry->addr[1]);
        entry->trained = newest != 0 && newest == held && held == entry->stride;
        entry->stride = held;
        entry->warp[0] = entry->warp[1];
        entry->addr[0] = entry->addr[1];
    }
    entry->warp[1] = load->warp;
    entry->addr[1] = load->addr[0];
    entry->warps = 2;
}

/* The trained stride for this load, 0 for none. */
static uint32_t ip_train(struct mta_tables *t, const struct prefetch_load *load)
{
    unsigned way = 0;
    while (way < IP_WAYS && !(t->ip_valid[way] && t->ip[way].pc == load->pc)) {
        way++;
    }
    if (way == IP_WAYS) {
        way = lru_rank_victim(t->ip_age, t->ip_valid, IP_WAYS);
        t->ip_valid[way] = 1;
        t->ip[way] = (struct ip_entry){
            .pc = load->pc, .warp = {load->warp}, .addr = {load->addr[0]}, .warps = 1};
    } else {
        ip_learn(&t->ip[way], load);
    }
    lru_rank_touch(t->ip_age, IP_WAYS, way);
    return t->ip[way].trained ? t->ip[way].stride : 0;
}

/* ---- as a prefetcher ---- */

static void clear(uint8_t *valid, uint8_t *age, unsigned ways)
{
    memset(valid, 0, ways);
    for (unsigned way = 0; way < ways; way++) {
        age[way] = (uint8_t)way;
    }
}

static void reset(void *table)
{
    struct mta_tables *t = table;
    clear(t->pws_valid, t->pws_age, PWS_WAYS);
    clear(t->gs_valid, t->gs_age, GS_WAYS);
    clear(t->ip_valid, t->ip_age, IP_WAYS);
}

static void flush(void *table, uint32_t warp)
{
    struct mta_tables *t = table;
    for (unsigned way = 0; way < PWS_WAYS; way++) {
        t->pws_valid[way] = t->pws_valid[way] && t->pws[way].warp != warp;
    }
}

static void on_load(void *table, const struct prefetch_reach *reach,
                    const struct prefetch_load *load, struct prefetch_burst *burst)
{
    struct mta_tables *t = table;
    const struct pws_entry *own = pws_train(t, load);
    const uint32_t between = ip_train(t, load);
    if (own != NULL) {
        gs_promote(t, own);
    }
    const struct gs_entry *agreed = gs_find(t, load->pc);
    if (agreed != NULL) {
        issue_for_iterations(reach, agreed->stride, load, burst);
    } else if (between != 0) {
        issue_for_warps(reach, between, load, burst);
    } else if (own != NULL) {
        issue_for_iterations(reach, own->stride, load, burst);
    }
}

const struct prefetch_kind prefetch_mta_tables = {
    .table_bytes = sizeof(struct mta_tables), .reset = reset, .load = on_load, .flush = flush};
