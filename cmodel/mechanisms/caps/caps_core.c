/* caps_core.c - see caps_core.h.
 *
 * Events of a cycle (a load, a CTA's start or end, the L1D taking a request) are collected
 * and the clock edge is carried out when somebody asks for a later cycle; cycles in which
 * no unit could change are not clocked.  So nothing depends on how the SM is stepped. */
#include "mechanisms/caps/caps_core.h"

#include <string.h>

#include "mechanisms/prefetch/prefetch.h"

enum { PC_BYTES = 8 };

/* ---- one cycle ---- */

static void carry(const struct caps_wire *wire, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        memcpy(wire[i].to, wire[i].from, wire[i].lanes * sizeof(uint64_t));
    }
}

static void drive_load(struct caps_core *core, const struct caps_load *load)
{
    for (unsigned t = 0; t < caps_tables(core); t++) {
        const struct caps_table_in *in = &core->table[t];
        *in->ld_valid = 1;
        *in->ld_pc = load->pc;
        *in->ld_cta = load->slot;
        *in->ld_wic = load->wic;
        *in->ld_n = load->n;
        *in->ld_affine = load->affine;
        for (unsigned i = 0; i < CAPS_LANES; i++) {
            in->ld_addr[i] = load->addr[i];
        }
    }
}

/* What the tables see in this cycle: a flush first, else the oldest load. */
static bool drive_tables(struct caps_core *core)
{
    const bool flush = core->flush != 0, load = !flush && core->n_loads != 0;
    for (unsigned t = 0; t < caps_tables(core); t++) {
        *core->table[t].ld_valid = 0;
        *core->table[t].flush_valid = flush;
        *core->table[t].flush_slot = flush ? (uint64_t)__builtin_ctz(core->flush) : 0;
    }
    if (flush) {
        core->flush &= core->flush - 1;
    }
    if (load) {
        drive_load(core, &core->load[core->load_head]);
        core->load_head = (core->load_head + 1) % CAPS_LOADS;
        core->n_loads--;
    }
    return flush || load;
}

static void count_strobes(struct caps_core *core)
{
    struct caps_counters *count = &core->count;
    count->invalidated += *core->strobe.invalidate;
    count->verified += *core->strobe.verify;
    count->mispredicted += *core->strobe.mispredict;
    count->strides += *core->strobe.stride;
    if (!core->whole) {
        count->leaders += *core->strobe.alloc;
        count->leaders_evicted += *core->strobe.evict;
        count->bases_rewritten += *core->strobe.update;
        count->mispredicted_below += *core->strobe.below;
        count->throttled += *core->strobe.throttled;
    }
}

/* The warp slot whose base was stored in this cycle is told of. */
static void tell_base(struct caps_core *core)
{
    if (core->on_base != NULL && *core->strobe.alloc) {
        const uint64_t first = core->gen_pin.first_wid[*core->table[0].ld_cta];
        core->on_base(core->listener, (uint32_t)(first + *core->table[0].ld_wic));
    }
}

/* One cycle of the three units: all combinational paths in the order in which they are acyclic,
 * then the edge.  Units whose inputs are idle keep their state and are left out. */
static void clock_parts(struct caps_core *core)
{
    const bool looked_up = drive_tables(core), walk = *core->gen_pin.g_valid != 0;
    *core->gen_pin.job_valid = 0;
    if (looked_up || walk) {
        carry(core->walk, CAPS_WALK_WIRES);
        pins_comb(&core->percta);
        carry(core->lookup, CAPS_TABLE_WIRES);
    }
    if (looked_up) {
        pins_comb(&core->dist);
        carry(core->job, CAPS_JOB_WIRES);
        pins_comb(&core->percta);
        count_strobes(core);
        tell_base(core);
        pins_seq(&core->percta);
        pins_seq(&core->dist);
    }
    pins_comb(&core->gen);
    pins_seq(&core->gen);
    core->count.jobs_dropped += *core->gen_pin.st_job_drop;
    *core->gen_pin.job_valid = 0;
}

static void clock_whole(struct caps_core *core)
{
    drive_tables(core);
    pins_comb(&core->gen);
    pins_seq(&core->gen);
    count_strobes(core);
    core->count.jobs_dropped += *core->gen_pin.st_job_drop;
    *core->table[0].ld_valid = *core->table[0].flush_valid = 0;
}

static void clock_edge(struct caps_core *core)
{
    *core->gen_pin.pf_ready = core->take;
    *core->gen_pin.warp_alive = core->alive;
    core->whole ? clock_whole(core) : clock_parts(core);
    pins_comb(&core->gen); /* what the queue and the walker show from now on */
    core->take = false;
    core->cycle++;
}

static bool active(const struct caps_core *core)
{
    return core->take || core->flush != 0 || core->n_loads != 0 || !*core->gen_pin.idle;
}

/* Carry out every edge before cycle `now`. */
void caps_core_advance(struct caps_core *core, uint64_t now)
{
    while (core->cycle < now && active(core)) {
        clock_edge(core);
    }
    if (core->cycle < now) {
        core->cycle = now;
    }
}

/* ---- the machine's calls ---- */

static void reset_units(struct caps_core *core)
{
    const struct unit_pins *const units[] = {&core->gen, &core->percta, &core->dist};
    uint64_t *const start[] = {core->gen_pin.kernel_start, core->table[0].kernel_start,
                               core->table[1].kernel_start};
    for (unsigned u = 0; u < (core->whole ? 1 : 3); u++) {
        *start[u] = 1;
        pins_comb(units[u]);
        pins_seq(units[u]);
        *start[u] = 0;
    }
    pins_comb(&core->gen);
}

static void on_kernel(void *self)
{
    struct caps_core *core = self;
    const uint32_t wpc = core->sm->facts->warps_per_cta;
    /* A warp slot has as many bits as the greatest needs. */
    const uint64_t slot_mask = (UINT64_C(1)
                                << (32 - __builtin_clz(core->sm->config->sm_warps - 1))) -
                               1;
    core->flush = 0;
    core->n_loads = 0;
    core->take = false;
    core->alive = 0;
    *core->gen_pin.wpc = wpc;
    for (uint32_t slot = 0; slot < core->slots; slot++) {
        core->gen_pin.first_wid[slot] = slot * wpc & slot_mask;
    }
    for (unsigned t = 0; t < caps_tables(core); t++) {
        *core->table[t].ld_valid = 0;
    }
    reset_units(core);
    core->cycle = core->sm->last_step;
}

static void warp_came(void *self, uint32_t sm, uint32_t slot)
{
    struct caps_core *core = self;
    (void)sm;
    caps_core_advance(core, core->sm->last_step); /* the cycle that the SM will step next */
    core->alive |= UINT64_C(1) << slot;
    if (slot % core->sm->facts->warps_per_cta == 0) {
        core->flush |= UINT32_C(1) << slot / core->sm->facts->warps_per_cta;
    }
}

static void warp_left(void *self, uint32_t sm, uint32_t slot)
{
    struct caps_core *core = self;
    const uint32_t wpc = core->sm->facts->warps_per_cta, cta = slot / wpc;
    (void)sm;
    caps_core_advance(core, core->sm->now);
    core->alive &= ~(UINT64_C(1) << slot);
    if ((core->alive & ~(UINT64_MAX << (wpc - 1) << 1) << cta * wpc) == 0) {
        core->flush |= UINT32_C(1) << cta;
    }
}

static void on_load(void *self, const struct load_event *event)
{
    struct caps_core *core = self;
    const bool wide = event->n > CAPS_LANES;
    struct caps_load load = {.pc = event->pc * PC_BYTES,
                             .slot = event->cta_slot,
                             .wic = event->warp_in_cta,
                             .n = wide ? CAPS_LANES + 1 : event->n,
                             .affine = !(event->origin & ISA_FROM_LOADED)};
    core->count.loads++;
    core->count.loads_indirect += !load.affine;
    core->count.loads_wide += wide;
    if (event->lowest[event->n - 1] > UINT32_MAX || core->n_loads == CAPS_LOADS) {
        return;
    }
    for (uint32_t i = 0; i < event->n && !wide; i++) {
        load.addr[i] = (uint32_t)event->lowest[i];
    }
    caps_core_advance(core, event->cycle);
    core->load[(core->load_head + core->n_loads++) % CAPS_LOADS] = load;
}

static bool peek(void *self, struct prefetch_request *request)
{
    struct caps_core *core = self;
    caps_core_advance(core, core->sm->now);
    if (core->take || !*core->gen_pin.pf_valid) {
        return false;
    }
    *request = (struct prefetch_request){*core->gen_pin.pf_line << PREFETCH_LINE_SHIFT,
                                         (int32_t)*core->gen_pin.pf_wid, 0};
    return true;
}

static void pop(void *self, bool issued)
{
    struct caps_core *core = self;
    (void)issued;
    core->take = true;
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

int caps_core_attach(struct mechanism_context *context, struct caps_core *core, struct sm *sm,
                     const char *parameters)
{
    core->sm = sm;
    core->slots = table_slots(sm->config->sm_ctas);
    core->whole = strstr(parameters, "whole") != NULL;
    if (caps_core_open(context, core, parameters) != 0) {
        return -1;
    }
    pins_comb(&core->gen);
    sm->sockets.prefetch = (struct prefetch_socket){.self = core,
                                                    .load = on_load,
                                                    .peek = peek,
                                                    .pop = pop,
                                                    .busy = busy,
                                                    .kernel_start = on_kernel};
    const struct observer observer = {
        .self = core, .warp_launch = warp_came, .warp_exit = warp_left};
    return mechanism_observe(context, sm, &observer);
}
