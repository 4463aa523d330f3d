/* caps_pas.c - see caps_pas.h.
 *
 * The unit takes one launch and one exit a cycle; the machine may have several, so both
 * wait in order, an exit before any launch.  A cycle in which nothing comes in and nothing
 * has changed leaves the unit's queues alone, and such cycles are not clocked. */
#include "mechanisms/caps/caps_pas.h"

#include <stdio.h>
#include <string.h>

#include "mechanisms/prefetch/prefetch.h"

static void fifo_push(struct pas_fifo *fifo, uint32_t slot)
{
    fifo->slot[(fifo->head + fifo->n++) % PAS_SLOTS] = (uint8_t)slot;
}

static uint64_t fifo_pop(struct pas_fifo *fifo, uint64_t *valid)
{
    *valid = fifo->n != 0;
    if (fifo->n == 0) {
        return 0;
    }
    const uint8_t slot = fifo->slot[fifo->head];
    fifo->head = (fifo->head + 1) % PAS_SLOTS;
    fifo->n--;
    return slot;
}

/* One cycle; the slot to issue, or -1. */
static int clock_edge(struct pas *pas, uint64_t issuable)
{
    *pas->pin.exit_wid = fifo_pop(&pas->exits, pas->pin.exit_valid);
    *pas->pin.base_wid = fifo_pop(&pas->bases, pas->pin.base_valid);
    *pas->pin.launch_valid = 0;
    pas->held = pas->hold || (pas->held && pas->launches.n != 0);
    if (pas->exits.n == 0) {
        *pas->pin.launch_wid = fifo_pop(&pas->launches, pas->pin.launch_valid);
    }
    *pas->pin.launch_lead = pas->mark && *pas->pin.launch_wid % pas->sm->facts->warps_per_cta == 0;
    *pas->pin.hold = pas->held;
    *pas->pin.wake_valid = pas->wake >= 0;
    *pas->pin.wake_wid = pas->wake >= 0 ? (uint64_t)pas->wake : 0;
    *pas->pin.blocked = pas->blocked;
    *pas->pin.issuable = issuable;
    pins_comb(&pas->unit);
    pas->count.wakes += *pas->pin.st_wake;
    pas->count.wake_evictions += *pas->pin.wake_evict_valid;
    pas->count.demotions += *pas->pin.st_demote;
    pas->count.promotions += *pas->pin.st_promote;
    const int slot = *pas->pin.issue_valid ? (int)*pas->pin.issue_wid : -1;
    pins_seq(&pas->unit);
    pas->wake = -1;
    pas->next++;
    return slot;
}

/* The cycles before `cycle` in which the SM slept: nothing could issue. */
static void catch_up(struct pas *pas, uint64_t cycle)
{
    while (pas->next < cycle && (pas->launches.n != 0 || pas->exits.n != 0 || pas->bases.n != 0)) {
        clock_edge(pas, 0);
    }
    if (pas->next < cycle) {
        pas->next = cycle;
    }
}

/* ---- the machine's calls ---- */

static void on_kernel(void *self)
{
    struct pas *pas = self;
    if (pas->base.kernel_start != NULL) {
        pas->base.kernel_start(pas->base.self);
    }
    pas->unit.backend->seq(pas->unit.instance, pas->unit.in, true);
    pas->launches.n = pas->exits.n = pas->bases.n = 0;
    pas->next = pas->sm->last_step;
    pas->blocked = 0;
    pas->hold = pas->held = pas->sm->hold;
    pas->wake = -1;
}

static void warp_came(void *self, uint32_t slot)
{
    struct pas *pas = self;
    pas->base.warp_launch(pas->base.self, slot);
    catch_up(pas, pas->sm->last_step); /* the cycle that the SM will step next */
    fifo_push(&pas->launches, slot);
}

static void warp_left(void *self, uint32_t slot)
{
    struct pas *pas = self;
    pas->base.warp_exit(pas->base.self, slot);
    catch_up(pas, pas->sm->now);
    fifo_push(&pas->exits, slot);
}

static int pick(void *self, const struct sched_view *view)
{
    struct pas *pas = self;
    if (pas->before != NULL) {
        pas->before(pas->source, view->cycle);
    }
    catch_up(pas, view->cycle);
    pas->blocked = view->blocked;
    pas->hold = view->hold;
    return clock_edge(pas, view->issuable);
}

static void issued(void *self, uint32_t slot)
{
    struct pas *pas = self;
    pas->base.issued(pas->base.self, slot);
}

static uint32_t rank(void *self, uint32_t slot)
{
    struct pas *pas = self;
    return pas->base.rank(pas->base.self, slot);
}

void pas_wake(struct pas *pas, uint32_t slot)
{
    if (pas->wake_enabled && (pas->mine >> slot & 1)) {
        catch_up(pas, pas->sm->now);
        pas->wake = (int)slot;
    }
}

void pas_base(struct pas *pas, uint32_t slot)
{
    if ((pas->mine >> slot & 1) && pas->bases.n < PAS_SLOTS) {
        fifo_push(&pas->bases, slot);
    }
}

/* ---- attaching ---- */

static int find_ports(struct mechanism_context *context, struct pas *pas)
{
    const struct pin_name in[] = {
        {&pas->pin.launch_valid, "launch_valid"}, {&pas->pin.launch_wid, "launch_wid"},
        {&pas->pin.launch_lead, "launch_lead"},   {&pas->pin.hold, "hold"},
        {&pas->pin.exit_valid, "exit_valid"},     {&pas->pin.exit_wid, "exit_wid"},
        {&pas->pin.base_valid, "base_valid"},     {&pas->pin.base_wid, "base_wid"},
        {&pas->pin.wake_valid, "wake_valid"},     {&pas->pin.wake_wid, "wake_wid"},
        {&pas->pin.blocked, "blocked"},           {&pas->pin.issuable, "issuable"},
        {&pas->pin.issue_ready, "issue_ready"}};
    const struct pin_name out[] = {{&pas->pin.issue_valid, "issue_valid"},
                                   {&pas->pin.issue_wid, "issue_wid"},
                                   {&pas->pin.wake_evict_valid, "wake_evict_valid"},
                                   {&pas->pin.st_wake, "st_wake"},
                                   {&pas->pin.st_demote, "st_demote"},
                                   {&pas->pin.st_promote, "st_promote"}};
    if (pins_in(context, &pas->unit, in, sizeof in / sizeof *in) != 0 ||
        pins_out(context, &pas->unit, out, sizeof out / sizeof *out) != 0) {
        return -1;
    }
    *pas->pin.issue_ready = 1; /* what pick answers is issued */
    return 0;
}

int pas_attach(struct mechanism_context *context, struct pas *pas, struct sm *sm, uint32_t number,
               const char *parameters)
{
    struct sched_socket *socket = &sm->sockets.sched[number];
    const uint32_t ready = prefetch_ready_queue(sm->config, number);
    char overrides[256], where[48];
    pas->sm = sm;
    pas->base = *socket;
    pas->mine = sm->sched_mask[number];
    snprintf(overrides, sizeof overrides, "NW=%u,RQ=%u,WAKE=%d%s%s", sm->config->sm_warps, ready,
             pas->wake_enabled, *parameters != '\0' ? "," : "", parameters);
    snprintf(where, sizeof where, "sm%u.sched%u.pas", sm->id, number);
    if (pins_open(context, &pas->unit, "pas_sched", overrides, where) != 0 ||
        find_ports(context, pas) != 0) {
        return -1;
    }
    *socket = (struct sched_socket){.self = pas,
                                    .stateful = true,
                                    .warp_launch = warp_came,
                                    .warp_exit = warp_left,
                                    .pick = pick,
                                    .issued = issued,
                                    .rank = rank,
                                    .kernel_start = on_kernel};
    return 0;
}
