/* caps_core.c - see caps_core.h.
 *
 * Events of a cycle (a load, a CTA's start or end, the L1D taking a request) are collected
 * and the clock edge is carried out when somebody asks for a later cycle; cycles in which
 * no unit could change are not clocked.  So nothing depends on how the SM is stepped. */
#include "mechanisms/caps_core.h"

#include <stdio.h>
#include <string.h>

#include "mechanisms/prefetch.h"

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
    for (unsigned t = 0; t < 2; t++) {
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
    for (unsigned t = 0; t < 2; t++) {
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
    count->leaders += *core->strobe.alloc;
    count->leaders_evicted += *core->strobe.evict;
    count->bases_rewritten += *core->strobe.update;
    count->invalidated += *core->strobe.invalidate;
    count->verified += *core->strobe.verify;
    count->mispredicted += *core->strobe.mispredict;
    count->mispredicted_below += *core->strobe.below;
    count->strides += *core->strobe.stride;
    count->throttled += *core->strobe.throttled;
}

/* The warp slot whose base was stored in this cycle is told of. */
static void tell_base(struct caps_core *core)
{
    if (core->on_base != NULL && *core->strobe.alloc) {
        const uint64_t first = core->gen_pin.first_wid[*core->table[0].ld_cta];
        core->on_base(core->listener, (uint32_t)(first + *core->table[0].ld_wic));
    }
}

/* Let one cycle pass: all combinational paths in the order in which they are acyclic,
 * then the edge.  Units whose inputs are idle keep their state and are left out. */
static void clock_edge(struct caps_core *core)
{
    const bool tables = drive_tables(core), walk = *core->gen_pin.g_valid != 0;
    *core->gen_pin.job_valid = 0;
    if (tables || walk) {
        carry(core->walk, CAPS_WALK_WIRES);
        pins_comb(&core->percta);
        carry(core->lookup, CAPS_TABLE_WIRES);
    }
    if (tables) {
        pins_comb(&core->dist);
        carry(core->job, CAPS_JOB_WIRES);
        pins_comb(&core->percta);
        count_strobes(core);
        tell_base(core);
        pins_seq(&core->percta);
        pins_seq(&core->dist);
    }
    *core->gen_pin.pf_ready = core->take;
    *core->gen_pin.warp_alive = core->alive;
    pins_comb(&core->gen);
    core->count.jobs_dropped += *core->gen_pin.st_job_drop;
    pins_seq(&core->gen);
    *core->gen_pin.job_valid = 0;
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
    const struct unit_pins *const units[] = {&core->percta, &core->dist, &core->gen};
    uint64_t *const start[] = {core->table[0].kernel_start, core->table[1].kernel_start,
                               core->gen_pin.kernel_start};
    for (unsigned u = 0; u < 3; u++) {
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
    const uint64_t slot_mask =
        (UINT64_C(1) << (32 - __builtin_clz(core->sm->config->sm_warps - 1))) - 1;
    core->flush = 0;
    core->n_loads = 0;
    core->take = false;
    core->alive = 0;
    *core->gen_pin.wpc = wpc;
    for (uint32_t slot = 0; slot < core->slots; slot++) {
        core->gen_pin.first_wid[slot] = slot * wpc & slot_mask;
    }
    *core->table[0].ld_valid = *core->table[1].ld_valid = 0;
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
    struct caps_load load = {.pc = event->pc * PC_BYTES, .slot = event->cta_slot,
                             .wic = event->warp_in_cta, .n = wide ? CAPS_LANES + 1 : event->n,
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

/* The part of "percta:A=1,B=2 dist:C=3" behind "`unit`:", after `fixed`. */
static void overrides_of(const char *parameters, const char *unit, const char *fixed, char *out,
                         size_t n)
{
    const size_t length = strlen(unit);
    snprintf(out, n, "%s", fixed);
    for (const char *at = parameters; *at != '\0';) {
        const size_t word = strcspn(at, " ");
        if (strncmp(at, unit, length) == 0 && at[length] == ':') {
            snprintf(out, n, "%s,%.*s", fixed, (int)(word - length - 1), at + length + 1);
        }
        at += word + (at[word] == ' ');
    }
}

static int open_units(struct mechanism_context *context, struct caps_core *core,
                      const char *parameters)
{
    static const char *const units[] = {"caps_percta", "caps_dist", "caps_prefetch_gen"};
    struct unit_pins *const pins[] = {&core->percta, &core->dist, &core->gen};
    static const char *const shorts[] = {"percta", "dist", "gen"};
    for (unsigned u = 0; u < 3; u++) {
        char fixed[64], overrides[256], where[48];
        if (u < 2) {
            snprintf(fixed, sizeof fixed, "NCTA=%u", core->slots);
        } else {
            snprintf(fixed, sizeof fixed, "NCTA=%u,NW=%u", core->slots,
                     core->sm->config->sm_warps);
        }
        overrides_of(parameters, shorts[u], fixed, overrides, sizeof overrides);
        snprintf(where, sizeof where, "sm%u.caps.%s", core->sm->id, shorts[u]);
        if (pins_open(context, pins[u], units[u], overrides, where) != 0) {
            return -1;
        }
    }
    return 0;
}

static int find_inputs(struct mechanism_context *context, struct caps_core *core)
{
    const struct unit_pins *const pins[] = {&core->percta, &core->dist};
    for (unsigned t = 0; t < 2; t++) {
        struct caps_table_in *in = &core->table[t];
        const struct pin_name names[] = {
            {&in->kernel_start, "kernel_start"}, {&in->flush_valid, "flush_valid"},
            {&in->flush_slot, "flush_slot"}, {&in->ld_valid, "ld_valid"}, {&in->ld_pc, "ld_pc"},
            {&in->ld_cta, "ld_cta"}, {&in->ld_wic, "ld_wic"}, {&in->ld_n, "ld_n"},
            {&in->ld_addr, "ld_addr"}, {&in->ld_affine, "ld_affine"}};
        if (pins_in(context, pins[t], names, sizeof names / sizeof *names) != 0) {
            return -1;
        }
    }
    const struct pin_name names[] = {
        {&core->gen_pin.kernel_start, "kernel_start"}, {&core->gen_pin.wpc, "wpc"},
        {&core->gen_pin.first_wid, "first_wid"}, {&core->gen_pin.warp_alive, "warp_alive"},
        {&core->gen_pin.job_valid, "job_valid"}, {&core->gen_pin.pf_ready, "pf_ready"}};
    return pins_in(context, &core->gen, names, sizeof names / sizeof *names);
}

static int find_outputs(struct mechanism_context *context, struct caps_core *core)
{
    const struct pin_name gen[] = {
        {&core->gen_pin.g_valid, "g_valid"}, {&core->gen_pin.pf_valid, "pf_valid"},
        {&core->gen_pin.pf_line, "pf_line"}, {&core->gen_pin.pf_wid, "pf_wid"},
        {&core->gen_pin.idle, "idle"}, {&core->gen_pin.st_job_drop, "st_job_drop"}};
    const struct pin_name percta[] = {
        {&core->strobe.alloc, "st_alloc"}, {&core->strobe.evict, "st_evict"},
        {&core->strobe.update, "st_update"}, {&core->strobe.invalidate, "st_invalidate"}};
    const struct pin_name dist[] = {
        {&core->strobe.verify, "st_verify"}, {&core->strobe.mispredict, "st_mispredict"},
        {&core->strobe.below, "st_mispredict_below"}, {&core->strobe.stride, "st_stride_new"},
        {&core->strobe.throttled, "st_throttled"}};
    return pins_out(context, &core->gen, gen, sizeof gen / sizeof *gen) != 0 ||
                   pins_out(context, &core->percta, percta, sizeof percta / sizeof *percta) != 0 ||
                   pins_out(context, &core->dist, dist, sizeof dist / sizeof *dist) != 0
               ? -1
               : 0;
}

/* One wire between two units: names of its ends. */
struct connection {
    const struct unit_pins *from;
    const char *out;
    const struct unit_pins *to;
    const char *in;
    uint32_t lanes;
};

static int connect(struct mechanism_context *context, const struct connection *connection,
                   size_t n, struct caps_wire *wire)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t *from = NULL;
        const struct pin_name out = {&from, connection[i].out};
        const struct pin_name in = {&wire[i].to, connection[i].in};
        if (pins_out(context, connection[i].from, &out, 1) != 0 ||
            pins_in(context, connection[i].to, &in, 1) != 0) {
            return -1;
        }
        wire[i].from = from;
        wire[i].lanes = connection[i].lanes;
    }
    return 0;
}

static int wire_up(struct mechanism_context *context, struct caps_core *core)
{
    const struct unit_pins *p = &core->percta, *d = &core->dist, *g = &core->gen;
    const struct connection walk[CAPS_WALK_WIRES] = {{g, "g_cta", p, "g_cta", 1},
                                                     {g, "g_pc", p, "g_pc", 1}};
    const struct connection lookup[CAPS_TABLE_WIRES] = {
        {p, "ld_hit", d, "p_hit", 1},   {p, "ld_lead", d, "p_lead", 1},
        {p, "ld_last", d, "p_last", 1}, {p, "ld_base", d, "p_base", CAPS_LANES},
        {p, "g_hit", g, "g_hit", 1},    {p, "g_lead", g, "g_lead", 1},
        {p, "g_last", g, "g_last", 1},  {p, "g_base", g, "g_base", CAPS_LANES}};
    const struct connection job[CAPS_JOB_WIRES] = {
        {d, "job_valid", g, "job_valid", 1},   {d, "job_pc", g, "job_pc", 1},
        {d, "job_stride", g, "job_stride", 1}, {d, "job_mask", g, "job_mask", 1},
        {d, "job_filter", g, "job_filter", 1}, {d, "job_wic", g, "job_wic", 1},
        {d, "inv", p, "inv", 1}};
    return connect(context, walk, CAPS_WALK_WIRES, core->walk) != 0 ||
                   connect(context, lookup, CAPS_TABLE_WIRES, core->lookup) != 0 ||
                   connect(context, job, CAPS_JOB_WIRES, core->job) != 0
               ? -1
               : 0;
}

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
    if (open_units(context, core, parameters) != 0 || find_inputs(context, core) != 0 ||
        find_outputs(context, core) != 0 || wire_up(context, core) != 0) {
        return -1;
    }
    pins_comb(&core->gen);
    sm->sockets.prefetch = (struct prefetch_socket){.self = core, .load = on_load, .peek = peek,
                                                    .pop = pop, .busy = busy,
                                                    .kernel_start = on_kernel};
    const struct observer observer = {.self = core, .warp_launch = warp_came,
                                      .warp_exit = warp_left};
    return mechanism_observe(context, sm, &observer);
}
