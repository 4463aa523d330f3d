/* adi_site_open.c - the units of an adi_site are opened and their ports found.
 *
 * See adi_site.h.  What happens in a cycle is in adi_site.c. */
#include <stdio.h>
#include <string.h>

#include "mechanisms/adi/adi_site.h"

static int bind_engine(struct mechanism_context *context, struct adi_site *site)
{
    const struct pin_name in[] = {{&site->e.enable, "enable"},
                                  {&site->e.valid, "acc_valid"},
                                  {&site->e.miss, "acc_miss"},
                                  {&site->e.gwrite, "acc_gwrite"},
                                  {&site->e.block, "acc_blk"},
                                  {&site->e.flush_done, "flush_done"},
                                  {&site->e.kernel_start, "kernel_start"},
                                  {&site->e.restart, "restart"},
                                  {&site->e.stay_idle, "stay_idle"}};
    const struct pin_name out[] = {
        {&site->e.selectors, "idx_sel"},     {&site->e.flush_req, "flush_req"},
        {&site->e.sub_phase, "sub_phase"},   {&site->e.vic_sample, "vic_sample"},
        {&site->e.sel_sample, "sel_sample"}, {&site->e.victim_chosen, "victim_chosen"},
        {&site->e.bit_kept, "bit_kept"},     {&site->e.idle_done, "idle_done"}};
    return pins_wire(context, &site->engine, PINS(in), PINS(out));
}

static int bind_mux(struct mechanism_context *context, struct adi_site *site)
{
    const struct pin_name in[] = {{&site->m.block, "blk"}, {&site->m.selectors, "sel"}};
    const struct pin_name out[] = {{&site->m.index, "idx"}};
    return pins_wire(context, &site->mux, PINS(in), PINS(out));
}

static int bind_walk(struct mechanism_context *context, struct adi_site *site)
{
    const struct pin_name in[] = {
        {&site->w.req, "flush_req"}, {&site->w.dirty, "dirty"}, {&site->w.ready, "wb_ready"}};
    const struct pin_name out[] = {{&site->w.set, "flush_set"},
                                   {&site->w.step, "flush_step"},
                                   {&site->w.done, "flush_done"},
                                   {&site->w.wb_valid, "wb_valid"},
                                   {&site->w.wb_way, "wb_way"}};
    return pins_wire(context, &site->walk, PINS(in), PINS(out));
}

static int bind_lines(struct mechanism_context *context, struct adi_site *site)
{
    const struct pin_name in[] = {
        {&site->l.shown, "rd_set"},      {&site->l.rsv, "rsv_valid"},
        {&site->l.rsv_set, "rsv_set"},   {&site->l.rsv_way, "rsv_way"},
        {&site->l.fill, "fill_valid"},   {&site->l.fill_dirty, "fill_dirty"},
        {&site->l.fill_set, "fill_set"}, {&site->l.fill_way, "fill_way"},
        {&site->l.op, "line_op"},        {&site->l.op_set, "line_set"},
        {&site->l.op_way, "line_way"},   {&site->l.step, "flush_step"},
        {&site->l.step_set, "flush_set"}};
    const struct pin_name out[] = {{&site->l.states, "state_rd"},
                                   {&site->l.flush_dirty, "flush_dirty"},
                                   {&site->l.refused, "rsv_refused"},
                                   {&site->l.dropped, "fill_dropped"}};
    return pins_wire(context, &site->lines, PINS(in), PINS(out));
}

static int64_t parameter(const struct unit_pins *pins, const char *name)
{
    const struct unit_desc *desc = pins->backend->desc;
    for (unsigned i = 0; i < desc->n_params; i++) {
        if (strcmp(desc->params[i].name, name) == 0) {
            return desc->params[i].value;
        }
    }
    return 0;
}

static int open_units(struct mechanism_context *context, struct adi_site *site)
{
    char words[128];
    const struct adi_cache *cache = &site->cache;
    snprintf(words, sizeof words, "S=%u%s", site->n_selectors,
             site->engine_words != NULL ? site->engine_words : "");
    if (pins_open(context, &site->engine, "adi_engine", words, site->where) != 0) {
        return -1;
    }
    snprintf(words, sizeof words, "S=%u,NB=%d", site->n_selectors,
             (int)parameter(&site->engine, "NB"));
    if (pins_open(context, &site->mux, "adi_idx_mux", words, site->where) != 0) {
        return -1;
    }
    snprintf(words, sizeof words, "SETS=%u,WAYS=%u", cache->sets, cache->ways);
    if (pins_open(context, &site->walk, "flush_ctrl", words, site->where) != 0) {
        return -1;
    }
    snprintf(words, sizeof words, "SETS=%u,WAYS=%u,WRITE_BACK=%d", cache->sets, cache->ways,
             cache->write_back);
    return pins_open(context, &site->lines, "cache_line_fsm", words, site->where);
}

int adi_site_open(struct mechanism_context *context, struct adi_site *site,
                  const struct adi_cache *cache, const char *where)
{
    if (cache->sets < 4 || (cache->sets & (cache->sets - 1)) != 0) {
        return mechanism_fail(context,
                              "%s: %s has %u sets; index bits need a power of two of 4 or more",
                              context->mechanism->name, where, cache->sets);
    }
    site->cache = *cache;
    site->n_selectors = (unsigned)__builtin_ctz(cache->sets);
    snprintf(site->where, sizeof site->where, "%s", where);
    if (open_units(context, site) != 0 || bind_engine(context, site) != 0 ||
        bind_mux(context, site) != 0 || bind_walk(context, site) != 0 ||
        bind_lines(context, site) != 0) {
        return -1;
    }
    site->idle_in_cycles = parameter(&site->engine, "IDLE_IN_CYCLES") != 0;
    site->block_mask = (UINT64_C(1) << parameter(&site->engine, "NB")) - 1;
    site->exact.n_selectors = site->n_selectors;
    site->exact.n_bits = (unsigned)(parameter(&site->engine, "ADI_CAND_HI") -
                                    parameter(&site->engine, "OFFS_W") + 1);
    *site->e.enable = 1;
    pins_settle(&site->engine);
    for (unsigned i = 0; i < site->n_selectors; i++) {
        site->selected[i] = (unsigned)site->e.selectors[i];
        site->m.selectors[i] = site->e.selectors[i];
    }
    return 0;
}
