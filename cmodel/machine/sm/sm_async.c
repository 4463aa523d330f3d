/* sm_async.c - see sm_async.h.  Groups, events, and what an instruction starts. */
#include "machine/sm/sm_async_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bit_of(uint32_t slot)
{
    return UINT64_C(1) << slot;
}

/* ---- storage ---- */

void *async_grow(void *array, uint32_t n, uint32_t *max, size_t bytes)
{
    void *more = array;

    if (n == *max) {
        *max = *max ? 2 * *max : 16;
        more = realloc(array, *max * bytes);
        if (!more) {
            abort(); /* a few kilobytes: nothing else would work either */
        }
    }
    return more;
}

static void forget_ctas(struct sm_async *a)
{
    for (uint32_t c = 0; c < SM_MAX_CTAS; c++) {
        free(a->cta[c].mbarrier);
    }
}

void sm_async_free(struct sm *sm)
{
    struct sm_async *a = sm->async;

    if (a) {
        forget_ctas(a);
        async_copies_free(a);
        free(a->arrival);
        free(a->event);
        free(a->out);
    }
    free(a);
    sm->async = NULL;
}

int sm_async_start(struct sm *sm, bool wanted)
{
    sm_async_free(sm);
    if (wanted) {
        sm->async = calloc(1, sizeof *sm->async);
        if (!sm->async) {
            return -1;
        }
        sm->async->last_job = &sm->async->job;
    }
    return 0;
}

/* ---- CTAs and warps ---- */

int async_find_cta(const struct sm *sm, uint64_t cta)
{
    for (int at = 0; at < SM_MAX_CTAS; at++) {
        if (sm->ctas.at[at].used && sm->ctas.at[at].id == cta) {
            return at;
        }
    }
    return -1;
}

void sm_async_place(struct sm *sm, uint32_t at)
{
    struct sm_async *a = sm->async;

    a->cta[at].n = a->cta[at].n_mates = 0;
    a->cta[at].phase = a->cta[at].arrived = a->cta[at].exited = 0;
    a->cta[at].waiting = 0;
    for (uint64_t left = sm->ctas.at[at].warps; left; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);

        memset(a->group[slot], 0, sizeof a->group[slot]);
        a->loads_started[slot] = a->loads_done[slot] = 0;
        a->cluster_phase[slot] = 0;
    }
}

void async_hold(struct sm *sm, uint64_t *why, uint32_t slot)
{
    *why |= bit_of(slot);
    sm->warps.wait_barrier |= bit_of(slot);
}

void async_release(struct sm *sm, uint64_t *why, uint64_t slots)
{
    slots &= *why;
    *why &= ~slots;
    sm->warps.wait_barrier &= ~slots;
    for (; slots; slots &= slots - 1) {
        sm_update_warp(sm, (uint32_t)__builtin_ctzll(slots));
        sm->progress = true;
    }
}

void sm_async_exit(struct sm *sm, uint32_t slot)
{
    struct sm_async *a = sm->async;
    const uint64_t held = (a->wait_groups | a->wait_queue | a->wait_cluster | a->wait_mbarrier) &
                          bit_of(slot);
    struct async_cta *cta = &a->cta[sm->ctas.of[slot]];

    a->wait_groups &= ~held;
    a->wait_queue &= ~held;
    a->wait_cluster &= ~held;
    a->wait_mbarrier &= ~held;
    sm->warps.wait_barrier &= ~held;
    for (uint32_t m = 0; m < cta->n && held; m++) {
        cta->mbarrier[m].waiting[0] &= ~held;
        cta->mbarrier[m].waiting[1] &= ~held;
    }
    async_cluster_arrive(sm, slot, EFFECT_EXIT);
}

/* ---- events ---- */

static bool before(const struct async_event *x, const struct async_event *y)
{
    return x->at != y->at ? x->at < y->at : x->order < y->order;
}

void async_add_event(struct sm *sm, struct async_event event)
{
    struct sm_async *a = sm->async;
    uint32_t at = a->n_events;

    event.order = a->order++;
    a->event = async_grow(a->event, a->n_events, &a->max_events, sizeof *a->event);
    a->n_events++;
    for (; at > 0 && before(&event, &a->event[(at - 1) / 2]); at = (at - 1) / 2) {
        a->event[at] = a->event[(at - 1) / 2];
    }
    a->event[at] = event;
}

static struct async_event take_event(struct sm_async *a)
{
    const struct async_event first = a->event[0], last = a->event[--a->n_events];
    uint32_t at = 0;

    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child + 1 < a->n_events && before(&a->event[child + 1], &a->event[child])) {
            child++;
        }
        if (child >= a->n_events || before(&last, &a->event[child])) {
            break;
        }
        a->event[at] = a->event[child];
        at = child;
    }
    a->event[at] = last;
    return first;
}

/* ---- groups ---- */

static uint32_t open_groups(const struct async_groups *g)
{
    return g->last - g->first;
}

static void drop_complete(struct async_groups *g)
{
    while (g->first < g->last && g->left[g->first % ASYNC_GROUPS] == 0) {
        g->first++;
    }
}

/* When there are too many groups the next ones are one with the last. */
static void commit(struct async_groups *g)
{
    if (open_groups(g) < ASYNC_GROUPS - 1) {
        g->last++;
        g->left[g->last % ASYNC_GROUPS] = 0;
    }
    drop_complete(g);
}

static bool few_enough(const struct sm_async *a, uint32_t slot, uint8_t units, uint32_t count)
{
    for (uint32_t unit = 0; unit < ASYNC_UNITS; unit++) {
        if ((units >> unit & 1) && open_groups(&a->group[slot][unit]) > count) {
            return false;
        }
    }
    return true;
}

uint32_t async_group_started(struct sm *sm, uint32_t slot, uint32_t unit)
{
    struct async_groups *g = &sm->async->group[slot][unit];

    g->left[g->last % ASYNC_GROUPS]++;
    return g->last;
}

void async_group_done(struct sm *sm, uint32_t slot, uint32_t unit, uint32_t group)
{
    struct sm_async *a = sm->async;
    struct async_groups *g = &a->group[slot][unit];

    g->left[group % ASYNC_GROUPS]--;
    drop_complete(g);
    if ((a->wait_groups & bit_of(slot)) &&
        few_enough(a, slot, a->wait_units[slot], a->wait_count[slot])) {
        async_release(sm, &a->wait_groups, bit_of(slot));
    }
}

static void wait_groups(struct sm *sm, uint32_t slot, const struct isa_async *what)
{
    struct sm_async *a = sm->async;

    if (few_enough(a, slot, what->units, what->count)) {
        return;
    }
    a->wait_units[slot] = what->units;
    a->wait_count[slot] = what->count;
    async_hold(sm, &a->wait_groups, slot);
}

/* ---- loads ---- */

void sm_async_load(struct sm *sm, struct mem_inst *inst)
{
    inst->group = async_group_started(sm, inst->slot, 0);
    sm->async->loads_started[inst->slot]++;
}

void sm_async_loaded(struct sm *sm, const struct mem_inst *inst)
{
    if (inst->job) {
        async_copied(sm, inst->job);
        return;
    }
    sm->async->loads_done[inst->slot]++;
    async_group_done(sm, inst->slot, 0, inst->group);
    async_arrivals(sm, inst->slot);
}

/* ---- issue ---- */

static uint32_t start_matrix(struct sm *sm, uint32_t slot, const struct isa_async *what)
{
    const uint32_t group = async_group_started(sm, slot, 2);

    sm->warps.inflight[slot]++; /* the warp stays until it is done */
    async_add_event(sm, (struct async_event){.at = sm->now + what->cycles,
                                             .effect = EFFECT_MATRIX,
                                             .slot = (uint8_t)slot,
                                             .group = group});
    if (what->commits) {
        commit(&sm->async->group[slot][2]);
    }
    return what->cycles;
}

static void arrive_after_loads(struct sm *sm, uint32_t slot, const struct isa_async *what)
{
    struct sm_async *a = sm->async;

    a->arrival = async_grow(a->arrival, a->n_arrivals, &a->max_arrivals, sizeof *a->arrival);
    a->arrival[a->n_arrivals++] = (struct async_arrival){.loads = a->loads_started[slot],
                                                         .cta = sm->ctas.at[sm->ctas.of[slot]].id,
                                                         .address = what->mbarrier,
                                                         .ranks = what->ranks,
                                                         .count = what->count,
                                                         .slot = (uint8_t)slot};
    async_arrivals(sm, slot);
}

uint32_t sm_async_issue(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_async *what)
{
    struct sm_async *a = sm->async;
    const struct async_event effect = {.at = sm->now + sm->config->shared_latency,
                                       .cta = sm->ctas.at[sm->ctas.of[slot]].id,
                                       .bytes = what->bytes,
                                       .address = what->mbarrier,
                                       .count = what->count,
                                       .effect = EFFECT_MBARRIER,
                                       .kind = what->kind,
                                       .slot = (uint8_t)slot};
    struct async_event try = effect;

    switch (what->kind) {
    case ISA_ASYNC_COMMIT:
        for (uint32_t unit = 0; unit < ASYNC_UNITS; unit++) {
            if (what->units >> unit & 1) {
                commit(&a->group[slot][unit]);
            }
        }
        break;
    case ISA_ASYNC_WAIT: wait_groups(sm, slot, what); break;
    case ISA_ASYNC_MATRIX: return start_matrix(sm, slot, what);
    case ISA_ASYNC_COPY: async_copy(sm, slot, pc, what); break;
    case ISA_ASYNC_INIT:
    case ISA_ASYNC_ARRIVE:
    case ISA_ASYNC_BYTES: async_send(sm, effect, what->ranks, 8); break;
    case ISA_ASYNC_STORE: async_send(sm, effect, what->ranks, what->bytes); break;
    case ISA_ASYNC_ARRIVE_LOADS: arrive_after_loads(sm, slot, what); break;
    case ISA_ASYNC_TRY_WAIT:
        try.effect = EFFECT_TRY;
        async_hold(sm, &a->wait_mbarrier, slot);
        async_add_event(sm, try);
        break;
    case ISA_ASYNC_CLUSTER_ARRIVE: async_cluster_arrive(sm, slot, EFFECT_CLUSTER); break;
    case ISA_ASYNC_CLUSTER_WAIT: async_cluster_wait(sm, slot); break;
    case ISA_ASYNC_TEST:
    default: break;
    }
    return 0;
}

/* ---- cycles ---- */

static void fire(struct sm *sm, const struct async_event *e)
{
    sm->progress = true;
    switch (e->effect) {
    case EFFECT_MBARRIER: async_mbarrier(sm, e); break;
    case EFFECT_TRY: async_try_wait(sm, e); break;
    case EFFECT_MATRIX:
        sm->warps.inflight[e->slot]--;
        async_group_done(sm, e->slot, 2, e->group);
        sm_check_warp(sm, e->slot);
        break;
    default: async_cluster(sm, e); break;
    }
}

void sm_async_step(struct sm *sm)
{
    struct sm_async *a = sm->async;

    while (a->n_events && a->event[0].at <= sm->now) {
        const struct async_event event = take_event(a);

        fire(sm, &event);
    }
    if (a->job) {
        async_copy_step(sm);
    }
}

uint64_t sm_async_next(const struct sm *sm)
{
    const struct sm_async *a = sm->async;
    const uint64_t event = a->n_events ? a->event[0].at : CYCLE_NEVER;

    return cycle_earlier(event, async_copy_next(sm));
}

void sm_async_describe(const struct sm *sm, char *out, size_t n_out)
{
    const struct sm_async *a = sm->async;

    snprintf(out, n_out,
             "; of those at a barrier %d wait for groups, %d at an mbarrier, %d for the "
             "cluster, %d for the copies, of which %u wait",
             __builtin_popcountll(a->wait_groups), __builtin_popcountll(a->wait_mbarrier),
             __builtin_popcountll(a->wait_cluster), __builtin_popcountll(a->wait_queue), a->n_jobs);
}
