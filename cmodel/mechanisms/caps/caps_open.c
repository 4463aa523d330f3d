/* caps_open.c - opens the units of a CTA-aware prefetcher and finds their ports: the three parts,
 * wired together as caps_top.v wires them, or caps_top (caps-prefetch 3.2.8). */
#include <stdio.h>
#include <string.h>

#include "mechanisms/caps/caps_core.h"

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

static int open_parts(struct mechanism_context *context, struct caps_core *core,
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
            snprintf(fixed, sizeof fixed, "NCTA=%u,NW=%u", core->slots, core->sm->config->sm_warps);
        }
        overrides_of(parameters, shorts[u], fixed, overrides, sizeof overrides);
        snprintf(where, sizeof where, "sm%u.caps.%s", core->sm->id, shorts[u]);
        if (pins_open(context, pins[u], units[u], overrides, where) != 0) {
            return -1;
        }
    }
    return 0;
}

static int open_whole(struct mechanism_context *context, struct caps_core *core)
{
    char overrides[64], where[48];
    snprintf(overrides, sizeof overrides, "NCTA=%u,NW=%u", core->slots, core->sm->config->sm_warps);
    snprintf(where, sizeof where, "sm%u.caps", core->sm->id);
    return pins_open(context, &core->gen, "caps_top", overrides, where);
}

/* The ports by which a unit is told of loads; caps_top names flushes otherwise. */
static int find_table(struct mechanism_context *context, struct caps_core *core, unsigned t)
{
    const struct unit_pins *const pins[] = {core->whole ? &core->gen : &core->percta, &core->dist};
    struct caps_table_in *in = &core->table[t];
    const struct pin_name names[] = {
        {&in->flush_valid, core->whole ? "cta_flush_valid" : "flush_valid"},
        {&in->flush_slot, core->whole ? "cta_flush_slot" : "flush_slot"},
        {&in->kernel_start, "kernel_start"},
        {&in->ld_valid, "ld_valid"},
        {&in->ld_pc, "ld_pc"},
        {&in->ld_cta, "ld_cta"},
        {&in->ld_wic, "ld_wic"},
        {&in->ld_n, "ld_n"},
        {&in->ld_addr, "ld_addr"},
        {&in->ld_affine, "ld_affine"}};
    return pins_in(context, pins[t], names, sizeof names / sizeof *names);
}

/* The ports of the generator that caps_top has too. */
static int find_common(struct mechanism_context *context, struct caps_core *core)
{
    const struct pin_name in[] = {{&core->gen_pin.kernel_start, "kernel_start"},
                                  {&core->gen_pin.wpc, "wpc"},
                                  {&core->gen_pin.first_wid, "first_wid"},
                                  {&core->gen_pin.warp_alive, "warp_alive"},
                                  {&core->gen_pin.pf_ready, "pf_ready"}};
    const struct pin_name out[] = {{&core->gen_pin.pf_valid, "pf_valid"},
                                   {&core->gen_pin.pf_line, "pf_line"},
                                   {&core->gen_pin.pf_wid, "pf_wid"},
                                   {&core->gen_pin.idle, "idle"},
                                   {&core->gen_pin.st_job_drop, "st_job_drop"}};
    for (unsigned t = 0; t < caps_tables(core); t++) {
        if (find_table(context, core, t) != 0) {
            return -1;
        }
    }
    return pins_wire(context, &core->gen, in, sizeof in / sizeof *in, out,
                     sizeof out / sizeof *out);
}

static int find_parts(struct mechanism_context *context, struct caps_core *core)
{
    const struct pin_name job[] = {{&core->gen_pin.job_valid, "job_valid"}};
    const struct pin_name walk[] = {{&core->gen_pin.g_valid, "g_valid"}};
    const struct pin_name percta[] = {{&core->strobe.alloc, "st_alloc"},
                                      {&core->strobe.evict, "st_evict"},
                                      {&core->strobe.update, "st_update"},
                                      {&core->strobe.invalidate, "st_invalidate"}};
    const struct pin_name dist[] = {{&core->strobe.verify, "st_verify"},
                                    {&core->strobe.mispredict, "st_mispredict"},
                                    {&core->strobe.below, "st_mispredict_below"},
                                    {&core->strobe.stride, "st_stride_new"},
                                    {&core->strobe.throttled, "st_throttled"}};
    return pins_wire(context, &core->gen, job, 1, walk, 1) != 0 ||
                   pins_out(context, &core->percta, percta, sizeof percta / sizeof *percta) != 0 ||
                   pins_out(context, &core->dist, dist, sizeof dist / sizeof *dist) != 0
               ? -1
               : 0;
}

static int find_whole(struct mechanism_context *context, struct caps_core *core)
{
    const struct pin_name names[] = {{&core->strobe.invalidate, "st_invalidate"},
                                     {&core->strobe.verify, "st_verify"},
                                     {&core->strobe.mispredict, "st_mispredict"},
                                     {&core->strobe.stride, "st_stride_new"}};
    return pins_out(context, &core->gen, names, sizeof names / sizeof *names);
}

/* One wire between two units: names of its ends. */
struct connection {
    const struct unit_pins *from;
    const char *out;
    const struct unit_pins *to;
    const char *in;
    uint32_t lanes;
};

static int connect(struct mechanism_context *context, const struct connection *connection, size_t n,
                   struct caps_wire *wire)
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
    const struct connection job[CAPS_JOB_WIRES] = {{d, "job_valid", g, "job_valid", 1},
                                                   {d, "job_pc", g, "job_pc", 1},
                                                   {d, "job_stride", g, "job_stride", 1},
                                                   {d, "job_mask", g, "job_mask", 1},
                                                   {d, "job_filter", g, "job_filter", 1},
                                                   {d, "job_wic", g, "job_wic", 1},
                                                   {d, "inv", p, "inv", 1}};
    return connect(context, walk, CAPS_WALK_WIRES, core->walk) != 0 ||
                   connect(context, lookup, CAPS_TABLE_WIRES, core->lookup) != 0 ||
                   connect(context, job, CAPS_JOB_WIRES, core->job) != 0
               ? -1
               : 0;
}

int caps_core_open(struct mechanism_context *context, struct caps_core *core,
                   const char *parameters)
{
    if (core->whole) {
        return open_whole(context, core) != 0 || find_common(context, core) != 0
                   ? -1
                   : find_whole(context, core);
    }
    return open_parts(context, core, parameters) != 0 || find_common(context, core) != 0 ||
                   find_parts(context, core) != 0
               ? -1
               : wire_up(context, core);
}
