/* caps_core.c - see caps_core.h.
 *
 * Events of a cycle (a load, a CTA's start or end, the L1D taking a request) are collected
 * and the clock edge is carried out when somebody asks for a later cycle; cycles in which
 * no unit could change are not clocked.  So nothing depends on how the SM is stepped. */
#include "mechanisms/caps/caps_core.h"

#include "mechanisms/prefetch/prefetch.h"

enum { PC_BYTES = 8 };

/* ---- one cycle ---- */

/* The tables see a flush first, else the oldest load; it stays until they take it. */
static void clock_edge(struct caps_core *caps)
{
    struct caps_inputs inputs = {.flush = -1, .alive = caps->alive, .take = caps->take};
    if (caps->flush != 0) {
        inputs.flush = __builtin_ctz(caps->flush);
        caps->flush &= caps->flush - 1;
    } else if (caps->n_loads != 0) {
        inputs.load = &caps->load[caps->load_head];
    }
    caps->take = false;
    caps->cycle++;
    const struct caps_outcome outcome = caps_units_clock(&caps->units, &inputs);
    if (outcome.taken) {
        caps->load_head = (caps->load_head + 1) % CAPS_LOADS;
        caps->n_loads--;
    }
    if (outcome.based && caps->on_base != NULL) {
        const uint32_t first = inputs.load->slot * core_warps_per_cta(caps->core);
        caps->on_base(caps->listener, first + inputs.load->wic);
    }
}

static bool active(const struct caps_core *caps)
{
    return caps->take || caps->flush != 0 || caps->n_loads != 0 ||
           !caps_units_rest(&caps->units, caps->alive);
}

/* Carry out every edge before cycle `now`. */
void caps_core_advance(struct caps_core *caps, uint64_t now)
{
    while (caps->cycle < now && active(caps)) {
        clock_edge(caps);
    }
    if (caps->cycle < now) {
        caps->cycle = now;
    }
}

/* ---- the machine's calls ---- */

static void on_kernel(void *self)
{
    struct caps_core *caps = self;
    caps->flush = 0;
    caps->n_loads = 0;
    caps->take = false;
    caps->alive = 0;
    caps_units_restart(&caps->units, core_warps_per_cta(caps->core));
    caps->cycle = core_next_cycle(caps->core);
}

static void warp_came(void *self, uint32_t sm, uint32_t slot)
{
    struct caps_core *caps = self;
    const uint32_t wpc = core_warps_per_cta(caps->core);
    (void)sm;
    caps_core_advance(caps, core_next_cycle(caps->core));
    caps->alive |= UINT64_C(1) << slot;
    if (slot % wpc == 0) {
        caps->flush |= UINT32_C(1) << slot / wpc;
    }
}

static void warp_left(void *self, uint32_t sm, uint32_t slot)
{
    struct caps_core *caps = self;
    const uint32_t wpc = core_warps_per_cta(caps->core), cta = slot / wpc;
    (void)sm;
    caps_core_advance(caps, core_now(caps->core));
    caps->alive &= ~(UINT64_C(1) << slot);
    if ((caps->alive & ~(UINT64_MAX << (wpc - 1) << 1) << cta * wpc) == 0) {
        caps->flush |= UINT32_C(1) << cta;
    }
}

static void on_load(void *self, const struct load_event *event)
{
    struct caps_core *caps = self;
    const bool wide = event->n > CAPS_LANES;
    struct caps_load load = {.pc = event->pc * PC_BYTES,
                             .slot = event->cta_slot,
                             .wic = event->warp_in_cta,
                             .n = wide ? CAPS_LANES + 1 : event->n,
                             .affine = !(event->origin & ISA_FROM_LOADED)};
    caps->count.loads++;
    caps->count.loads_indirect += !load.affine;
    caps->count.loads_wide += wide;
    if (!prefetch_fits(caps->core, "caps", event->lowest[event->n - 1])) {
        return;
    }
    for (uint32_t i = 0; i < event->n && !wide; i++) {
        load.addr[i] = (uint32_t)event->lowest[i];
    }
    caps_core_advance(caps, event->cycle);
    caps->count.loads_waiting += caps->n_loads != 0;
    if (caps->n_loads == CAPS_LOADS) {
        caps->count.loads_missed++;
        return;
    }
    caps->load[(caps->load_head + caps->n_loads++) % CAPS_LOADS] = load;
}

static bool peek(void *self, struct prefetch_request *request)
{
    struct caps_core *caps = self;
    const struct caps_queue_ports *queue = &caps->units.queue;
    caps_core_advance(caps, core_now(caps->core));
    if (caps->take || !*queue->pf_valid) {
        return false;
    }
    *request = (struct prefetch_request){*queue->pf_line << PREFETCH_LINE_SHIFT,
                                         (int32_t)*queue->pf_wid, 0};
    return true;
}

static void pop(void *self, bool issued)
{
    struct caps_core *caps = self;
    (void)issued;
    caps->take = true;
}

static bool busy(void *self)
{
    return active(self);
}

/* ---- attaching ---- */

/* CTA slots of the tables: a power of two, at least the document's 8. */
static uint32_t table_slots(uint32_t ctas)
{
    uint32_t slots = 8;
    while (slots < ctas) {
        slots *= 2;
    }
    return slots;
}

int caps_core_attach(struct mechanism_context *context, struct caps_core *caps, struct core *core,
                     bool whole)
{
    const struct prefetch_socket socket = {.self = caps,
                                           .load = on_load,
                                           .peek = peek,
                                           .pop = pop,
                                           .busy = busy,
                                           .kernel_start = on_kernel};
    const struct observer observer = {
        .self = caps, .warp_launch = warp_came, .warp_exit = warp_left};
    caps->core = core;
    return caps_units_open(context, &caps->units, core, table_slots(core_config(core)->sm_ctas),
                           whole) != 0 ||
                   plug_prefetch(core, &context->plug, &socket) != 0
               ? -1
               : plug_observer(core, &context->plug, &observer);
}
