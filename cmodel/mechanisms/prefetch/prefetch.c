/* prefetch.c - puts a prefetcher beside every L1D (caps-prefetch 3.8) and reports the
 * metrics of 5.2.  It knows tables and rules only through struct prefetch_kind. */
#include "mechanisms/prefetch/prefetch.h"

#include <inttypes.h>

/* One prefetcher of one SM. */
struct prefetcher {
    const struct prefetch_kind *kind;
    struct prefetch_reach reach;
    const char *name; /* of the mechanism */
    struct core *core;
    struct prefetch_port port;
    struct prefetch_burst burst; /* of the event at hand */
    max_align_t table[];
};

static void on_kernel(void *self)
{
    struct prefetcher *p = self;
    p->kind->reset(p->table);
    prefetch_port_reset(&p->port, core_next_cycle(p->core));
}

bool prefetch_fits(struct core *core, const char *mechanism, uint64_t address)
{
    if (address <= UINT32_MAX) {
        return true;
    }
    core_refuse(core,
                "%s keeps addresses of 32 bits, and a load goes to 0x%" PRIx64
                "; run it on data below 4 GiB, or leave %s out",
                mechanism, address, mechanism);
    return false;
}

static void on_load(void *self, const struct load_event *event)
{
    struct prefetcher *p = self;
    struct prefetch_load load = {
        event->pc, event->warp_slot, event->n, {0}, core_warps(p->core).resident};
    if (!prefetch_fits(p->core, p->name, event->lowest[event->n - 1]) ||
        event->n > PREFETCH_MAX_REQUESTS) {
        return;
    }
    for (uint32_t i = 0; i < event->n; i++) {
        load.addr[i] = (uint32_t)event->lowest[i];
    }
    p->burst.n = 0;
    p->kind->load(p->table, &p->reach, &load, &p->burst);
    prefetch_port_accept(&p->port, &p->burst, event->cycle);
}

/* Of loads from global memory (caps-prefetch 3). */
static void on_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                      enum access_result result)
{
    struct prefetcher *p = self;
    (void)sm, (void)set;
    if (result != RESULT_MISS || access->local || !prefetch_fits(p->core, p->name, access->block)) {
        return;
    }
    p->burst.n = 0;
    p->kind->miss(p->table, &p->reach, prefetch_line_of((uint32_t)access->block), &p->burst);
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
    if (!prefetch_port_peek(&p->port, core_now(p->core), &line, &warp)) {
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

struct prefetch_reach prefetch_reach_of(const struct mechanism_context *context)
{
    return (struct prefetch_reach){(uint32_t)mechanism_value(context, "degree"),
                                   (uint32_t)mechanism_value(context, "distance")};
}

static int attach_one(struct mechanism_context *context, struct core *core,
                      const struct prefetch_kind *kind, struct prefetch_reach reach)
{
    struct prefetcher *p = mechanism_keep(context, sizeof *p + kind->table_bytes);
    if (p == NULL) {
        return -1;
    }
    p->kind = kind;
    p->reach = reach;
    p->name = context->mechanism->name;
    p->core = core;
    const struct prefetch_socket socket = {.self = p,
                                           .load = kind->load ? on_load : NULL,
                                           .peek = peek,
                                           .pop = pop,
                                           .busy = busy,
                                           .kernel_start = on_kernel};
    const struct observer observer = {.self = p,
                                      .acc_result = kind->miss ? on_access : NULL,
                                      .warp_launch = kind->flush ? warp_came : NULL};
    if (plug_prefetch(core, &context->plug, &socket) != 0) {
        return -1;
    }
    return kind->miss != NULL || kind->flush != NULL
               ? plug_observer(core, &context->plug, &observer)
               : 0;
}

int prefetch_attach(struct mechanism_context *context, const struct prefetch_kind *kind,
                    struct prefetch_reach reach)
{
    for (uint32_t i = 0; i < machine_cores(context->machine); i++) {
        if (attach_one(context, machine_core(context->machine, i), kind, reach) != 0) {
            return -1;
        }
    }
    return prefetch_report(context);
}

uint32_t prefetch_ready_queue(const struct gpu_config *config, uint32_t number)
{
    const uint32_t n = config->sm_schedulers;
    const uint32_t places = config->sm_ready_queue / n + (number < config->sm_ready_queue % n);
    return places != 0 ? places : 1;
}
