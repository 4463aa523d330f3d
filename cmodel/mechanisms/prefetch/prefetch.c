/* prefetch.c - puts a prefetcher beside every L1D (caps-prefetch 3.8) and reports the
 * metrics of 5.2.  It knows tables and rules only through struct prefetch_kind. */
#include "mechanisms/prefetch/prefetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/plug/sockets_base.h"

/* One prefetcher of one SM. */
struct prefetcher {
    const struct prefetch_kind *kind;
    struct sm *sm;
    struct prefetch_port port;
    struct prefetch_burst burst; /* of the event at hand */
    max_align_t table[];
};

static void on_kernel(void *self)
{
    struct prefetcher *p = self;
    p->kind->reset(p->table);
    prefetch_port_reset(&p->port, p->sm->last_step);
}

static void on_load(void *self, const struct load_event *event)
{
    struct prefetcher *p = self;
    struct prefetch_load load = {event->pc, event->warp_slot, event->n, {0}, p->sm->resident};
    if (event->n > PREFETCH_MAX_REQUESTS || event->lowest[event->n - 1] > UINT32_MAX) {
        return;
    }
    for (uint32_t i = 0; i < event->n; i++) {
        load.addr[i] = (uint32_t)event->lowest[i];
    }
    p->burst.n = 0;
    p->kind->load(p->table, &load, &p->burst);
    prefetch_port_accept(&p->port, &p->burst, event->cycle);
}

static void on_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                      enum access_result result)
{
    struct prefetcher *p = self;
    (void)sm, (void)set;
    if (result != RESULT_MISS || access->block > UINT32_MAX) {
        return;
    }
    p->burst.n = 0;
    p->kind->miss(p->table, prefetch_line_of((uint32_t)access->block), access->warp_slot,
                  &p->burst);
    prefetch_port_accept(&p->port, &p->burst, access->cycle);
}

static void warp_came(void *self, uint32_t sm, uint32_t slot)
{
    struct prefetcher *p = self;
    (void)sm;
    p->kind->flush(p->table, slot);
}

static bool peek(void *self, struct prefetch_request *request)
{
    struct prefetcher *p = self;
    uint32_t line;
    int32_t warp;
    if (!prefetch_port_peek(&p->port, p->sm->now, &line, &warp)) {
        return false;
    }
    *request = (struct prefetch_request){(uint64_t)line << PREFETCH_LINE_SHIFT, warp, 0};
    return true;
}

static void pop(void *self, bool issued)
{
    struct prefetcher *p = self;
    (void)issued;
    prefetch_port_pop(&p->port);
}

static bool busy(void *self)
{
    const struct prefetcher *p = self;
    return prefetch_port_busy(&p->port);
}

/* ---- attaching ---- */

int prefetch_socket_free(struct mechanism_context *context)
{
    for (uint32_t i = 0; i < context->gpu->n_sms; i++) {
        if (context->gpu->sm[i].sockets.prefetch.peek != NULL) {
            snprintf(context->error, context->n_error,
                     "-m names two prefetchers; the L1D has room for one");
            return -1;
        }
    }
    return 0;
}

static int attach_one(struct mechanism_context *context, struct sm *sm,
                      const struct prefetch_kind *kind, const char *parameters)
{
    struct prefetcher *p = mechanism_keep(context, sizeof *p + kind->table_bytes);
    if (p == NULL) {
        return -1;
    }
    p->kind = kind;
    p->sm = sm;
    if (kind->configure != NULL &&
        kind->configure(p->table, parameters, context->error, context->n_error) != 0) {
        return -1;
    }
    sm->sockets.prefetch = (struct prefetch_socket){.self = p,
                                                    .load = kind->load ? on_load : NULL,
                                                    .peek = peek,
                                                    .pop = pop,
                                                    .busy = busy,
                                                    .kernel_start = on_kernel};
    const struct observer observer = {.self = p,
                                      .acc_result = kind->miss ? on_access : NULL,
                                      .warp_launch = kind->flush ? warp_came : NULL};
    return kind->miss != NULL || kind->flush != NULL ? mechanism_observe(context, sm, &observer)
                                                     : 0;
}

int prefetch_attach(struct mechanism_context *context, const struct prefetch_kind *kind,
                    const char *parameters)
{
    if (prefetch_socket_free(context) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < context->gpu->n_sms; i++) {
        if (attach_one(context, &context->gpu->sm[i], kind, parameters) != 0) {
            return -1;
        }
    }
    return prefetch_report(context);
}

bool prefetch_parameter(const char *parameters, const char *name, uint32_t *value)
{
    const size_t length = strlen(name);
    for (const char *at = parameters; *at != '\0';) {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            *value = (uint32_t)strtoul(at + length + 1, NULL, 10);
            return true;
        }
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return false;
}

/* ---- the scheduler of the comparison ---- */

int prefetch_host_scheduler(struct mechanism_context *context, uint32_t kind)
{
    struct gpu *gpu = context->gpu;
    gpu->config.sm_scheduler = kind;
    for (uint32_t i = 0; i < gpu->n_sms; i++) {
        struct sm *sm = &gpu->sm[i];
        for (uint32_t n = 0; n < gpu->config.sm_schedulers; n++) {
            if (sm->sockets.sched[n].self != sm->base_self[2 + n]) {
                snprintf(context->error, context->n_error,
                         "-m names two warp schedulers; an SM has room for one");
                return -1;
            }
            free(sm->base_self[2 + n]);
            sm->base_self[2 + n] = NULL;
            if (base_scheduler(&sm->sockets.sched[n], &gpu->config, n) != 0) {
                snprintf(context->error, context->n_error, "out of memory");
                return -1;
            }
            sm->base_self[2 + n] = sm->sockets.sched[n].self;
        }
    }
    return 0;
}

uint32_t prefetch_ready_queue(const struct gpu_config *config, uint32_t number)
{
    const uint32_t n = config->sm_schedulers;
    const uint32_t places = config->sm_ready_queue / n + (number < config->sm_ready_queue % n);
    return places != 0 ? places : 1;
}

int attach_scheduler(struct mechanism_context *context, const char *argument)
{
    static const struct {
        const char *name;
        uint32_t kind;
    } schedulers[] = {
        {"gto", SCHEDULER_GTO}, {"rr", SCHEDULER_LRR}, {"two-level", SCHEDULER_TWO_LEVEL}};
    for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++) {
        if (strcmp(schedulers[i].name, argument) == 0) {
            return prefetch_host_scheduler(context, schedulers[i].kind);
        }
    }
    snprintf(context->error, context->n_error, "no scheduler '%s'; there is gto, rr, two-level",
             argument);
    return -1;
}
