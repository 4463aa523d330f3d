/* caps_units.c - see caps_units.h. */
#include "mechanisms/caps/caps_units.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- one cycle ---- */

static void drive_load(const struct caps_table_ports *in, const struct caps_load *load)
{
    *in->ld_pc = load->pc;
    *in->ld_cta = load->slot;
    *in->ld_wic = load->wic;
    *in->ld_n = load->n;
    *in->ld_affine = load->affine;
    for (unsigned i = 0; i < CAPS_LANES; i++) {
        in->ld_addr[i] = load->addr[i];
    }
}

/* The tables see a flush or a load; without either their ports stay at rest. */
static void drive_tables(struct caps_units *units, const struct caps_inputs *inputs)
{
    for (unsigned t = 0; t < units->n_tables; t++) {
        const struct caps_table_ports *in = &units->table[t];
        if (inputs->flush >= 0) {
            *in->flush_valid = 1;
            *in->flush_slot = (uint64_t)inputs->flush;
        } else if (inputs->load != NULL) {
            *in->ld_valid = 1;
            drive_load(in, inputs->load);
        }
    }
}

static void tables_rest(struct caps_units *units)
{
    for (unsigned t = 0; t < units->n_tables; t++) {
        *units->table[t].ld_valid = *units->table[t].flush_valid = 0;
    }
}

static void carry(uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, CAPS_LANES * sizeof *to);
}

/* PerCTA looks up the load, and what the generator asks for. */
static void read_bases(struct caps_units *units)
{
    const struct caps_percta_ports *p = &units->percta_port;
    const struct caps_gen_ports *g = &units->gen_port;
    *p->ld_judged = *p->invalidate = 0;
    *p->read_valid = *g->read_valid;
    *p->read_cta = *g->read_cta;
    *p->read_pc = *g->read_pc;
    pins_comb(&units->percta);
    *g->read_ready = *p->read_ready;
    *g->read_hit = *p->read_hit;
    *g->read_lead = *p->read_lead;
    *g->read_last = *p->read_last;
    carry(g->read_base, p->read_base);
}

/* What PerCTA knows of a load goes to DIST, when it has looked it up.  When DIST has judged it, both take
 * it, and PerCTA hears whether its entry is dropped.  True when it is taken. */
static bool train(struct caps_units *units)
{
    const struct caps_percta_ports *p = &units->percta_port;
    const struct caps_dist_ports *d = &units->dist_port;
    *d->ld_valid = *p->ld_found;
    *d->percta_hit = *p->ld_hit;
    *d->percta_lead = *p->ld_lead;
    *d->percta_last = *p->ld_last;
    carry(d->percta_base, p->ld_base);
    pins_comb(&units->dist);
    if (!*d->ld_valid || !*d->ld_ready) {
        return false;
    }
    *p->ld_judged = 1;
    *p->invalidate = *d->invalidate;
    pins_comb(&units->percta);
    return true;
}

static void hand_over_job(struct caps_units *units)
{
    const struct caps_dist_ports *d = &units->dist_port;
    const struct caps_gen_ports *g = &units->gen_port;
    *g->job_valid = *d->job_valid;
    *g->job_pc = *d->job_pc;
    *g->job_stride = *d->job_stride;
    *g->job_mask = *d->job_mask;
    *g->job_filter = *d->job_filter;
    *g->job_wic = *d->job_wic;
}

static void count_parts(struct caps_units *units)
{
    struct caps_strobes *count = &units->count;
    count->leaders += *units->percta_port.alloc;
    count->leaders_evicted += *units->percta_port.evict;
    count->bases_rewritten += *units->percta_port.update;
    count->invalidated += *units->percta_port.invalidated;
    count->strides += *units->dist_port.stride_new;
    count->verified += *units->dist_port.verify;
    count->mispredicted += *units->dist_port.mispredict;
    count->mispredicted_below += *units->dist_port.mispredict_below;
    count->throttled += *units->dist_port.throttled;
}

/* The generator's edge.  Afterwards it waits if its walker rests, or stands before a full queue. */
static void clock_generator(struct caps_units *units)
{
    const struct caps_gen_ports *g = &units->gen_port;
    if (*g->job_valid) {
        pins_comb(&units->gen);
        units->count.jobs_dropped += *g->job_drop;
    }
    pins_seq(&units->gen);
    *g->job_valid = 0;
    pins_comb(&units->gen);
    units->waits = *g->stall || *g->rests;
}

/* All combinational paths in the order in which they are acyclic, then the edges.  A unit whose
 * inputs are at rest keeps its state, and what follows from them need not be asked for. */
static struct caps_outcome clock_parts(struct caps_units *units, const struct caps_inputs *inputs)
{
    const bool tables = inputs->load != NULL || inputs->flush >= 0;
    const bool reads = *units->gen_port.read_valid != 0;
    struct caps_outcome outcome = {0};
    if (inputs->load != NULL || reads) {
        read_bases(units);
    }
    if (inputs->load != NULL && train(units)) {
        hand_over_job(units);
        count_parts(units);
        outcome = (struct caps_outcome){true, *units->percta_port.alloc != 0};
    }
    if (tables || reads) {
        pins_seq(&units->percta);
    }
    if (tables) {
        pins_seq(&units->dist);
        tables_rest(units);
    }
    if (*units->gen_port.job_valid || !caps_units_idle(units)) {
        clock_generator(units);
    }
    return outcome;
}

static struct caps_outcome clock_whole(struct caps_units *units)
{
    struct caps_strobes *count = &units->count;
    pins_comb(&units->gen);
    const struct caps_outcome outcome = {.taken = *units->top_port.ld_valid &&
                                                  *units->top_port.ld_ready};
    count->strides += *units->top_port.stride_new;
    count->invalidated += *units->top_port.invalidated;
    count->verified += *units->top_port.verify;
    count->mispredicted += *units->top_port.mispredict;
    count->jobs_dropped += *units->top_port.job_drop;
    pins_seq(&units->gen);
    tables_rest(units);
    pins_comb(&units->gen);
    return outcome;
}

struct caps_outcome caps_units_clock(struct caps_units *units, const struct caps_inputs *inputs)
{
    drive_tables(units, inputs);
    *units->queue.pf_ready = inputs->take;
    *units->queue.warp_alive = inputs->alive;
    return units->whole ? clock_whole(units) : clock_parts(units, inputs);
}

void caps_units_restart(struct caps_units *units, uint32_t wpc)
{
    struct unit_pins *const pins[] = {&units->gen, &units->percta, &units->dist};
    uint64_t *const start[] = {units->queue.kernel_start, units->table[0].kernel_start,
                               units->table[1].kernel_start};
    /* A warp slot has as many bits as the greatest needs. */
    const uint32_t warps = (uint32_t)pins_parameter(&units->gen, "WARPS");
    const uint64_t slot_mask = (UINT64_C(1) << (32 - __builtin_clz(warps - 1))) - 1;
    const uint32_t slots = (uint32_t)pins_parameter(&units->gen, "CTAS");
    *units->queue.wpc = wpc;
    for (uint32_t slot = 0; slot < slots; slot++) {
        units->queue.first_wid[slot] = slot * wpc & slot_mask;
    }
    tables_rest(units);
    for (unsigned u = 0; u < (units->whole ? 1 : COUNT(pins)); u++) {
        *start[u] = 1;
        pins_comb(pins[u]);
        pins_seq(pins[u]);
        *start[u] = 0;
    }
    pins_comb(&units->gen);
    units->waits = false;
}

/* ---- opening ---- */

#include "mechanisms/port_rows.h"
#define PORT_IN(name) {&port->name, #name},
#define PORT_OUT(name) {&port->name, #name},

static int open_percta(struct mechanism_context *context, struct caps_units *units,
                       const char *overrides, const char *where)
{
    struct caps_percta_ports *port = &units->percta_port;
    const struct pin_name names[] = {
#include "units/caps/caps_percta/caps_percta.ports.h"
    };
    return pins_open(context, &units->percta, "caps_percta", overrides, where) != 0
               ? -1
               : pins_all(context, &units->percta, names, COUNT(names));
}

static int open_dist(struct mechanism_context *context, struct caps_units *units,
                     const char *overrides, const char *where)
{
    struct caps_dist_ports *port = &units->dist_port;
    const struct pin_name names[] = {
#include "units/caps/caps_dist/caps_dist.ports.h"
    };
    return pins_open(context, &units->dist, "caps_dist", overrides, where) != 0
               ? -1
               : pins_all(context, &units->dist, names, COUNT(names));
}

static int open_gen(struct mechanism_context *context, struct caps_units *units,
                    const char *overrides, const char *where)
{
    struct caps_gen_ports *port = &units->gen_port;
    const struct pin_name names[] = {
#include "units/caps/caps_prefetch_gen/caps_prefetch_gen.ports.h"
    };
    return pins_open(context, &units->gen, "caps_prefetch_gen", overrides, where) != 0
               ? -1
               : pins_all(context, &units->gen, names, COUNT(names));
}

static int open_top(struct mechanism_context *context, struct caps_units *units,
                    const char *overrides, const char *where)
{
    struct caps_top_ports *port = &units->top_port;
    const struct pin_name names[] = {
#include "units/caps/caps_top/caps_top.ports.h"
    };
    return pins_open(context, &units->gen, "caps_top", overrides, where) != 0
               ? -1
               : pins_all(context, &units->gen, names, COUNT(names));
}
#undef PORT_IN
#undef PORT_OUT
#include "units/no_rows.h"

#define TABLE_PORTS(port, flush) \
    (struct caps_table_ports) \
    { \
        (port)->kernel_start, (port)->flush##_valid, (port)->flush##_slot, (port)->ld_valid, \
            (port)->ld_pc, (port)->ld_cta, (port)->ld_wic, (port)->ld_n, (port)->ld_addr, \
            (port)->ld_affine \
    }
#define QUEUE_PORTS(port) \
    (struct caps_queue_ports) \
    { \
        (port)->kernel_start, (port)->wpc, (port)->first_wid, (port)->warp_alive, \
            (port)->pf_ready, (port)->pf_valid, (port)->pf_line, (port)->pf_wid, (port)->idle \
    }

/* A parameter that two units have, they must have alike; but each may have its own form. */
static int agree(struct mechanism_context *context, const struct unit_pins *a,
                 const struct unit_pins *b)
{
    const struct unit_desc *one = a->backend->desc, *other = b->backend->desc;
    for (unsigned i = 0; i < one->n_params; i++) {
        for (unsigned k = 0; k < other->n_params; k++) {
            if (strcmp(one->params[i].name, "ONE_CYCLE") != 0 &&
                strcmp(one->params[i].name, other->params[k].name) == 0 &&
                one->params[i].value != other->params[k].value) {
                return mechanism_fail(
                    context, "%s: %s is %lld in %s and %lld in %s; give both the same",
                    context->mechanism->name, one->params[i].name, (long long)one->params[i].value,
                    one->name, (long long)other->params[k].value, other->name);
            }
        }
    }
    return 0;
}

static int open_parts(struct mechanism_context *context, struct caps_units *units,
                      const struct core *core, uint32_t slots)
{
    char tables[32], generator[48], where[3][48];
    snprintf(tables, sizeof tables, "CTAS=%u", slots);
    snprintf(generator, sizeof generator, "CTAS=%u,WARPS=%u", slots, core_config(core)->sm_warps);
    snprintf(where[0], sizeof where[0], "sm%u.caps.percta", core_id(core));
    snprintf(where[1], sizeof where[1], "sm%u.caps.dist", core_id(core));
    snprintf(where[2], sizeof where[2], "sm%u.caps.gen", core_id(core));
    if (open_percta(context, units, tables, where[0]) != 0 ||
        open_dist(context, units, tables, where[1]) != 0 ||
        open_gen(context, units, generator, where[2]) != 0 ||
        agree(context, &units->percta, &units->dist) != 0 ||
        agree(context, &units->percta, &units->gen) != 0 ||
        agree(context, &units->dist, &units->gen) != 0) {
        return -1;
    }
    units->n_tables = 2;
    units->one_cycle = pins_parameter(&units->percta, "ONE_CYCLE") != 0 &&
                       pins_parameter(&units->dist, "ONE_CYCLE") != 0;
    units->table[0] = TABLE_PORTS(&units->percta_port, flush);
    units->table[1] = TABLE_PORTS(&units->dist_port, flush);
    units->queue = QUEUE_PORTS(&units->gen_port);
    return 0;
}

static int open_whole(struct mechanism_context *context, struct caps_units *units,
                      const struct core *core, uint32_t slots)
{
    char overrides[48], where[48];
    snprintf(overrides, sizeof overrides, "CTAS=%u,WARPS=%u", slots, core_config(core)->sm_warps);
    snprintf(where, sizeof where, "sm%u.caps", core_id(core));
    if (open_top(context, units, overrides, where) != 0) {
        return -1;
    }
    units->n_tables = 1;
    units->one_cycle = pins_parameter(&units->gen, "ONE_CYCLE") != 0;
    units->table[0] = TABLE_PORTS(&units->top_port, cta_flush);
    units->queue = QUEUE_PORTS(&units->top_port);
    return 0;
}

int caps_units_open(struct mechanism_context *context, struct caps_units *units,
                    const struct core *core, uint32_t slots, bool whole)
{
    units->whole = whole;
    if ((whole ? open_whole : open_parts)(context, units, core, slots) != 0) {
        return -1;
    }
    pins_comb(&units->gen);
    return 0;
}
