/* caps_pas.c - see caps_pas.h.
 *
 * The unit takes one launch and one exit a cycle; the machine may have several, so both
 * wait in order, an exit before any launch.  The unit acts on what comes in one cycle later,
 * and what it does is done in two more.  When so many cycles have brought nothing and moved no
 * warp, whatever was blocked in them, nothing is under way; then a cycle that moves none leaves all
 * as it is, and others with its inputs are not clocked. */
#include "mechanisms/caps/caps_pas.h"

#include <stdio.h>

#include "mechanisms/prefetch/prefetch.h"

enum { REST_CYCLES = 4 };

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

/* What has come for this cycle: one exit, one base, and behind the last exit one launch. */
static void drive_events(struct pas *pas)
{
    const struct pas_ports *port = &pas->port;
    *port->warp_exit_wid = fifo_pop(&pas->exits, port->warp_exit_valid);
    *port->base_wid = fifo_pop(&pas->bases, port->base_valid);
    *port->warp_launch_valid = 0;
    pas->held = pas->hold || (pas->held && pas->launches.n != 0);
    if (pas->exits.n == 0) {
        *port->warp_launch_wid = fifo_pop(&pas->launches, port->warp_launch_valid);
        *port->warp_launch_lead = *port->warp_launch_wid % core_warps_per_cta(pas->core) == 0;
    }
    *port->hold = pas->held;
    *port->wake_valid = pas->wake >= 0;
    *port->wake_wid = pas->wake >= 0 ? (uint64_t)pas->wake : 0;
}

/* One cycle; the slot to issue, or -1. */
static int clock_edge(struct pas *pas, uint64_t issuable)
{
    const struct pas_ports *port = &pas->port;
    drive_events(pas);
    *port->blocked = pas->blocked;
    *port->issuable = issuable;
    pins_comb(&pas->unit);
    pas->count.wakes += *port->woken;
    pas->count.wake_evictions += *port->wake_evict_valid;
    pas->count.demotions += *port->demoted;
    pas->count.promotions += *port->promoted;
    const int slot = *port->issue_valid ? (int)*port->issue_wid : -1;
    const bool quiet = !(*port->warp_exit_valid || *port->base_valid || *port->warp_launch_valid ||
                         *port->wake_valid || *port->demoted || *port->promoted || *port->woken);
    pas->quiet_cycles = quiet ? pas->quiet_cycles + 1 : 0;
    pins_seq(&pas->unit);
    *port->warp_exit_valid = *port->base_valid = *port->warp_launch_valid = *port->wake_valid = 0;
    pas->wake = -1;
    pas->next++;
    return slot;
}

/* Would the same inputs leave the queues as they are? */
static bool rests(const struct pas *pas)
{
    return pas->quiet_cycles >= REST_CYCLES;
}

static bool events_wait(const struct pas *pas)
{
    return pas->launches.n != 0 || pas->exits.n != 0 || pas->bases.n != 0;
}

/* The cycles before `cycle` in which the SM slept: nothing could issue, and what blocks is as it
 * was. */
static void catch_up(struct pas *pas, uint64_t cycle)
{
    while (pas->next < cycle && (events_wait(pas) || !rests(pas))) {
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
    pas->next = core_next_cycle(pas->core);
    pas->blocked = 0;
    pas->hold = pas->held = core_on_hold(pas->core);
    pas->wake = -1;
    pas->quiet_cycles = 0;
}

static void warp_came(void *self, uint32_t slot)
{
    struct pas *pas = self;
    pas->base.warp_launch(pas->base.self, slot);
    catch_up(pas, core_next_cycle(pas->core)); /* the cycle that the SM will step next */
    fifo_push(&pas->launches, slot);
}

static void warp_left(void *self, uint32_t slot)
{
    struct pas *pas = self;
    pas->base.warp_exit(pas->base.self, slot);
    catch_up(pas, core_now(pas->core));
    fifo_push(&pas->exits, slot);
}

/* Will this cycle leave the queues as they are?  The last ones did, and their inputs were these. */
static bool stands_still(const struct pas *pas, const struct sched_view *view)
{
    return rests(pas) && pas->wake < 0 && !events_wait(pas) && view->blocked == pas->blocked &&
           view->hold == (*pas->port.hold != 0);
}

/* The slot to issue from queues that stand still, or -1: only ready warps issue. */
static int select_again(struct pas *pas, uint64_t issuable)
{
    if ((issuable & *pas->port.rq_vec) == 0) {
        return -1;
    }
    *pas->port.issuable = issuable;
    pins_comb(&pas->unit);
    return *pas->port.issue_valid ? (int)*pas->port.issue_wid : -1;
}

static int pick(void *self, const struct sched_view *view)
{
    struct pas *pas = self;
    if (pas->before != NULL) {
        pas->before(pas->source, view->cycle);
    }
    catch_up(pas, view->cycle);
    if (stands_still(pas, view)) {
        pas->next++;
        return select_again(pas, view->issuable);
    }
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
        catch_up(pas, core_now(pas->core));
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
#include "mechanisms/port_rows.h"
#define PORT_IN(name) {&pas->port.name, #name},
#define PORT_OUT(name) {&pas->port.name, #name},
    const struct pin_name names[] = {
#include "units/caps/pas_sched/pas_sched.ports.h"
    };
    return pins_all(context, &pas->unit, names, sizeof names / sizeof *names);
}

int pas_attach(struct mechanism_context *context, struct pas *pas, struct core *core,
               uint32_t number)
{
    const struct gpu_config *config = core_config(core);
    const struct sched_socket socket = {.self = pas,
                                        .stateful = true,
                                        .warp_launch = warp_came,
                                        .warp_exit = warp_left,
                                        .pick = pick,
                                        .issued = issued,
                                        .rank = rank,
                                        .kernel_start = on_kernel};
    char overrides[64], where[48];
    pas->core = core;
    pas->mine = core_slots_of(core, number);
    snprintf(overrides, sizeof overrides, "WARPS=%u,RQ=%u,WAKE=%d", config->sm_warps,
             prefetch_ready_queue(config, number), pas->wake_enabled);
    snprintf(where, sizeof where, "sm%u.sched%u.pas", core_id(core), number);
    if (pins_open(context, &pas->unit, "pas_sched", overrides, where) != 0 ||
        find_ports(context, pas) != 0) {
        return -1;
    }
    *pas->port.issue_ready = 1; /* what pick answers is issued */
    return plug_scheduler(core, &context->plug, number, &socket, &pas->base);
}

bool pas_clears_markers(const struct pas *pas)
{
    return pins_parameter(&pas->unit, "LEAD_CLEAR") != 0;
}
