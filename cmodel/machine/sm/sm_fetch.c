/* sm_fetch.c - see sm_fetch.h. */
#include "machine/sm/sm_fetch.h"

#include <stdlib.h>

#include "machine/sm/sm_private.h"

struct fetch *sm_fetch_new(const struct gpu_config *config)
{
    struct fetch *fetch = calloc(1, sizeof *fetch);

    if (fetch) {
        fetch->fetched = -1;
    }
    if (fetch && sm_icache_init(&fetch->icache, config) != 0) {
        sm_fetch_free(fetch);
        return NULL;
    }
    return fetch;
}

void sm_fetch_free(struct fetch *fetch)
{
    if (fetch) {
        sm_icache_free(&fetch->icache);
    }
    free(fetch);
}

void sm_fetch_launch(struct sm *sm, uint32_t slot)
{
    const uint64_t bit = UINT64_C(1) << slot;

    sm->fetch->buffered[slot] = 0;
    sm->fetch->next[slot] = sm->warps.at[slot]->pc;
    sm->fetch->empty |= bit;
    sm->warps.wait_fetch |= bit;
}

void sm_fetch_issued(struct sm *sm, uint32_t slot, uint32_t pc)
{
    const uint64_t bit = UINT64_C(1) << slot;

    sm->fetch->next[slot] = pc + 1;
    if (sm->warps.done & bit) {
        sm->fetch->buffered[slot] = 0;
    } else if (--sm->fetch->buffered[slot] == 0) {
        sm->fetch->empty |= bit;
        sm->warps.wait_fetch |= bit;
    }
}

void sm_fetch_leave(struct sm *sm, uint32_t slot)
{
    sm->fetch->leaving |= UINT64_C(1) << slot;
}

static void decode(struct sm *sm, struct fetch *fetch)
{
    const uint32_t slot = (uint32_t)fetch->fetched;

    if (fetch->fetched < 0) {
        return;
    }
    fetch->fetched = -1;
    fetch->buffered[slot] = FETCH_WIDTH;
    sm->warps.wait_fetch &= ~(UINT64_C(1) << slot);
    sm->progress = true;
    sm_update_warp(sm, slot);
}

/* The warps of a mask that the search meets from `first` to the highest, or all below it. */
static int search(struct sm *sm, struct fetch *fetch, uint64_t where)
{
    for (uint64_t left = (fetch->empty | fetch->leaving) & where; left; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);

        if (fetch->empty >> slot & 1) {
            return (int)slot;
        }
        fetch->leaving &= ~(UINT64_C(1) << slot);
        sm->progress = true;
        sm_exit_warp(sm, slot);
    }
    return -1;
}

static void look_for_warp(struct sm *sm, struct fetch *fetch)
{
    const uint64_t behind = fetch->last == 63 ? 0 : UINT64_MAX << (fetch->last + 1);
    enum icache_result result;
    int slot = search(sm, fetch, behind);

    if (slot < 0) {
        slot = search(sm, fetch, ~behind);
    }
    if (slot < 0) {
        return;
    }
    fetch->last = (uint32_t)slot;
    result = sm_icache_look_up(sm, (uint32_t)slot);
    if (result != ICACHE_REFUSED) {
        fetch->fetched = result == ICACHE_HIT ? slot : -1;
        fetch->empty &= ~(UINT64_C(1) << slot);
        sm->progress = true;
    }
}

void sm_fetch_step(struct sm *sm)
{
    struct fetch *fetch = sm->fetch;

    for (uint32_t round = 0; round < sm->config->fetch_rounds && !sm_fetch_idle(fetch); round++) {
        decode(sm, fetch);
        fetch->fetched = sm_icache_answer(&fetch->icache);
        if (fetch->fetched < 0) {
            look_for_warp(sm, fetch);
        }
        sm_icache_send(sm);
    }
}
