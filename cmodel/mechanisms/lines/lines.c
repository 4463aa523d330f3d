/* lines.c - puts a prefetcher of lines beside every L1D (lakshminarayana2014-graph 3.2, 3.2.4): it learns
 * from hits and misses of loads, one at a time, and asks through a queue of 128 without duplicates.
 * It knows tables and rules only through struct lines_kind. */
#include "mechanisms/lines/lines.h"

#include "mechanisms/instances.h"
#include "mechanisms/prefetch/prefetch.h"

#define LINES_COUNTERS(C) \
    C(trained, "accesses that were learnt from") \
    C(missed_training, "accesses that came while the unit was busy") \
    C(asked, "lines asked for") \
    C(outside, "of these, in no buffer: dropped") \
    C(duplicates, "already in the queue: dropped") \
    C(full, "without a place in the queue: dropped")

struct lines_counters {
#define LINES_FIELD(name, meaning) uint64_t name;
    LINES_COUNTERS(LINES_FIELD)
#undef LINES_FIELD
};

struct lines_prefetcher {
    const struct lines_kind *kind;
    const char *name; /* of the mechanism */
    struct core *core;
    uint32_t degree;
    uint64_t busy_until; /* first cycle in which an access can be looked at */
    uint32_t head, count;
    uint32_t line[LINES_QUEUE];
    uint64_t ready_cycle[LINES_QUEUE]; /* they rise along the queue */
    struct lines_counters counts;
    void *table;
};

static void on_kernel(void *self)
{
    struct lines_prefetcher *p = self;
    p->kind->reset(p->table);
    p->head = p->count = 0;
    p->busy_until = 0;
}

static bool is_queued(const struct lines_prefetcher *p, uint32_t line)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->line[(p->head + i) % LINES_QUEUE] == line) {
            return true;
        }
    }
    return false;
}

static void ask(struct lines_prefetcher *p, int64_t line, uint64_t ready_cycle)
{
    const uint64_t address = (uint64_t)line << LINES_SHIFT;
    p->counts.asked++;
    if (line < 0 || address > UINT32_MAX ||
        !core_is_allocated(p->core, address, 1u << LINES_SHIFT)) {
        p->counts.outside++;
    } else if (is_queued(p, (uint32_t)line)) {
        p->counts.duplicates++;
    } else if (p->count == LINES_QUEUE) {
        p->counts.full++;
    } else {
        const uint32_t at = (p->head + p->count++) % LINES_QUEUE;
        p->line[at] = (uint32_t)line;
        p->ready_cycle[at] = ready_cycle;
    }
}

/* Of loads from global memory; prefetches are none (D-LINES-1, D-LINES-2). */
static void on_access(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                      enum access_result result)
{
    struct lines_prefetcher *p = self;
    struct lines_wanted wanted = {.n = 0};
    (void)sm, (void)set;
    if (access->local || access->past_l1d || !prefetch_fits(p->core, p->name, access->block)) {
        return;
    }
    if (access->cycle < p->busy_until) {
        p->counts.missed_training++;
        return;
    }
    p->counts.trained++;
    p->busy_until = access->cycle + p->kind->train(p->table, p->degree,
                                                   (uint32_t)(access->block >> LINES_SHIFT),
                                                   result == RESULT_MISS, &wanted);
    for (uint32_t i = 0; i < wanted.n; i++) {
        ask(p, wanted.line[i], p->busy_until + i);
    }
}

static bool peek(void *self, struct prefetch_request *request)
{
    const struct lines_prefetcher *p = self;
    if (p->count == 0 || p->ready_cycle[p->head] > core_now(p->core)) {
        return false;
    }
    *request = (struct prefetch_request){(uint64_t)p->line[p->head] << LINES_SHIFT, -1, 0};
    return true;
}

static void pop(void *self, bool issued)
{
    struct lines_prefetcher *p = self;
    (void)issued;
    p->head = (p->head + 1) % LINES_QUEUE;
    p->count--;
}

static bool busy(void *self)
{
    return ((const struct lines_prefetcher *)self)->count > 0;
}

/* ---- attaching ---- */

static int attach_sm(struct mechanism_context *context, struct core *core, void *instance)
{
    struct lines_prefetcher *p = instance;
    const struct prefetch_socket socket = {
        .self = p, .peek = peek, .pop = pop, .busy = busy, .kernel_start = on_kernel};
    const struct observer observer = {.self = p, .acc_result = on_access};
    p->core = core;
    p->name = context->mechanism->name;
    p->degree = (uint32_t)mechanism_value(context, "degree");
    return plug_prefetch(core, &context->plug, &socket) != 0 ||
                   plug_observer(core, &context->plug, &observer) != 0
               ? -1
               : 0;
}

static void statistics(void *self, json_t *into)
{
    static const struct counter counters[] = {
#define LINES_COUNTER(name, meaning) {#name, offsetof(struct lines_prefetcher, counts.name)},
        LINES_COUNTERS(LINES_COUNTER)
#undef LINES_COUNTER
    };
    instances_put(self, counters, sizeof counters / sizeof *counters, into);
}

int lines_attach(struct mechanism_context *context, const struct lines_kind *kind)
{
    struct instances *all = instances_of_cores(context, sizeof(struct lines_prefetcher), attach_sm);
    const struct mechanism_report report = {
        .self = all, .name = context->mechanism->name, .statistics = statistics};
    for (uint32_t i = 0; all != NULL && i < all->n; i++) {
        struct lines_prefetcher *p = instance_at(all, i);
        p->kind = kind;
        p->table = mechanism_keep(context, kind->table_bytes);
        if (p->table == NULL) {
            return -1;
        }
    }
    return all == NULL || mechanism_reports(context, &report) != 0 ? -1 : prefetch_report(context);
}
