/* sm_async_mbarrier.c - mbarriers, the barrier of a cluster, and the way to other SMs.
 * See sm_async.h.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/sm/sm_async_private.h"

/* ---- between SMs ---- */

/* To the SM of rank `rank`: its effect there, after the port and the way. */
static void send_out(struct sm *sm, const struct async_cta *cta, struct async_event e,
                     uint32_t rank, uint64_t bytes)
{
    struct sm_async *a = sm->async;
    const uint64_t cycles = (bytes + sm->config->cluster_bytes - 1) / sm->config->cluster_bytes;
    const uint64_t leaves = a->port_free > e.at ? a->port_free : e.at;

    a->port_free = leaves + cycles;
    e.cta = e.cta - e.cta % cta->n_mates + rank;
    e.at = leaves + sm->config->cluster_cycles;
    a->out = async_grow(a->out, a->n_out, &a->max_out, sizeof *a->out);
    a->out[a->n_out++] = (struct cluster_message){.to = cta->sm_of[rank], .event = e};
}

void async_send(struct sm *sm, struct async_event e, uint32_t ranks, uint64_t bytes)
{
    const int at = async_find_cta(sm, e.cta);
    const struct async_cta *cta = at < 0 ? NULL : &sm->async->cta[at];
    const uint32_t own = cta && cta->n_mates ? UINT32_C(1) << (e.cta % cta->n_mates) : 0;

    if (!cta) {
        return;
    }
    if (ranks == 0 || (ranks & own) || !cta->n_mates) {
        if (e.at <= sm->now) {
            async_mbarrier(sm, &e);
        } else {
            async_add_event(sm, e);
        }
        ranks &= ~own;
    }
    for (uint32_t rank = 0; rank < cta->n_mates; rank++) {
        if (ranks >> rank & 1) {
            send_out(sm, cta, e, rank, bytes);
        }
    }
}

struct cluster_message *sm_cluster_messages(struct sm *sm, uint32_t *n)
{
    *n = sm->async ? sm->async->n_out : 0;
    if (sm->async) {
        sm->async->n_out = 0;
    }
    return *n ? sm->async->out : NULL;
}

uint32_t sm_cluster_to(const struct cluster_message *messages, uint32_t m)
{
    return messages[m].to;
}

uint64_t sm_cluster_receive(struct sm *sm, const struct cluster_message *messages, uint32_t m)
{
    async_add_event(sm, messages[m].event);
    return messages[m].event.at;
}

void sm_cluster_place(struct sm *sm, uint64_t cta, uint32_t n, const uint32_t *sm_of)
{
    const int at = async_find_cta(sm, cta);

    if (at >= 0 && sm->async) {
        sm->async->cta[at].n_mates = n;
        memcpy(sm->async->cta[at].sm_of, sm_of, n * sizeof *sm_of);
    }
}

/* ---- mbarriers ---- */

static struct mbarrier *find(struct async_cta *cta, uint32_t address)
{
    for (uint32_t m = 0; m < cta->n; m++) {
        if (cta->mbarrier[m].address == address) {
            return &cta->mbarrier[m];
        }
    }
    cta->mbarrier = async_grow(cta->mbarrier, cta->n, &cta->max, sizeof *cta->mbarrier);
    cta->mbarrier[cta->n] = (struct mbarrier){.address = address};
    return &cta->mbarrier[cta->n++];
}

static void end_phase(struct sm *sm, struct mbarrier *m)
{
    uint64_t *waiting;

    if (!m->ready || m->arrived < m->expected || m->bytes != 0) {
        return;
    }
    waiting = &m->waiting[m->phase & 1];
    m->arrived -= m->expected;
    m->phase++;
    async_release(sm, &sm->async->wait_mbarrier, *waiting);
    *waiting = 0;
}

/* A remote store does not say which: the lowest one that expects bytes. */
static struct mbarrier *expecting(struct async_cta *cta)
{
    struct mbarrier *lowest = NULL;

    for (uint32_t m = 0; m < cta->n; m++) {
        if (cta->mbarrier[m].bytes > 0 && (!lowest || cta->mbarrier[m].address < lowest->address)) {
            lowest = &cta->mbarrier[m];
        }
    }
    return lowest;
}

void async_mbarrier(struct sm *sm, const struct async_event *e)
{
    const int at = async_find_cta(sm, e->cta);
    struct async_cta *cta = at < 0 ? NULL : &sm->async->cta[at];
    struct mbarrier *m;

    if (!cta) {
        return; /* it has ended */
    }
    m = e->kind == ISA_ASYNC_STORE ? expecting(cta) : find(cta, e->address);
    if (!m) {
        return;
    }
    switch (e->kind) {
    case ISA_ASYNC_INIT:
        m->ready = true;
        m->expected = e->count ? e->count : 1;
        m->arrived = m->phase = 0;
        m->bytes = 0;
        break;
    case ISA_ASYNC_BYTES:
    case ISA_ASYNC_COPY:
    case ISA_ASYNC_STORE: m->bytes -= (int64_t)e->bytes; break;
    default:
        m->arrived += e->count;
        m->bytes += (int64_t)e->bytes;
        break;
    }
    end_phase(sm, m);
}

void async_try_wait(struct sm *sm, const struct async_event *e)
{
    struct sm_async *a = sm->async;
    const int at = async_find_cta(sm, e->cta);
    struct mbarrier *m = at < 0 ? NULL : find(&a->cta[at], e->address);

    if (!m || !(a->wait_mbarrier >> e->slot & 1)) {
        return;
    }
    if (!m->ready || (m->phase & 1) != (e->count & 1)) {
        async_release(sm, &a->wait_mbarrier, UINT64_C(1) << e->slot);
    } else {
        m->waiting[e->count & 1] |= UINT64_C(1) << e->slot;
    }
}

void async_arrivals(struct sm *sm, uint32_t slot)
{
    struct sm_async *a = sm->async;
    uint32_t kept = 0;

    for (uint32_t n = 0; n < a->n_arrivals; n++) {
        const struct async_arrival arrival = a->arrival[n];

        if (arrival.slot == slot && arrival.loads <= a->loads_done[slot]) {
            async_send(sm,
                       (struct async_event){.at = sm->now + sm->config->shared_latency,
                                            .cta = arrival.cta,
                                            .address = arrival.address,
                                            .count = arrival.count,
                                            .effect = EFFECT_MBARRIER,
                                            .kind = ISA_ASYNC_ARRIVE},
                       arrival.ranks, 8);
        } else {
            a->arrival[kept++] = arrival;
        }
    }
    a->n_arrivals = kept;
}

/* ---- the cluster's barrier ---- */

void async_cluster_arrive(struct sm *sm, uint32_t slot, enum async_effect effect)
{
    const uint32_t at = sm->ctas.of[slot];
    struct async_cta *cta = &sm->async->cta[at];
    const struct async_event e = {
        .at = sm->now, .cta = sm->ctas.at[at].id, .count = 1, .effect = (uint8_t)effect};

    if (effect == EFFECT_CLUSTER) {
        sm->async->cluster_phase[slot] = cta->phase + 1;
    }
    if (cta->n_mates == 0) { /* a cluster of one */
        if (effect == EFFECT_CLUSTER) {
            struct async_event own = e;

            own.at = sm->now + 1;
            async_add_event(sm, own);
        } else {
            async_cluster(sm, &e);
        }
    }
    for (uint32_t rank = 0; rank < cta->n_mates; rank++) {
        send_out(sm, cta, e, rank, 0);
    }
}

void async_cluster(struct sm *sm, const struct async_event *e)
{
    const int at = async_find_cta(sm, e->cta);
    struct async_cta *cta = at < 0 ? NULL : &sm->async->cta[at];
    uint32_t warps;

    if (!cta) {
        return;
    }
    warps = sm->facts->warps_per_cta * (cta->n_mates ? cta->n_mates : 1);
    *(e->effect == EFFECT_EXIT ? &cta->exited : &cta->arrived) += e->count;
    if (cta->arrived > 0 && cta->arrived + cta->exited >= warps) {
        cta->arrived = 0;
        cta->phase++;
        async_release(sm, &sm->async->wait_cluster, cta->waiting);
        cta->waiting = 0;
    }
}

void async_cluster_wait(struct sm *sm, uint32_t slot)
{
    struct async_cta *cta = &sm->async->cta[sm->ctas.of[slot]];

    if (sm->async->cluster_phase[slot] > cta->phase) {
        cta->waiting |= UINT64_C(1) << slot;
        async_hold(sm, &sm->async->wait_cluster, slot);
    }
}
