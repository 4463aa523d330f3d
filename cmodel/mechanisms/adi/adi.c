/* adi.c - see adi.h: joins an adi_site to an L1D and to an L2 bank, and reports.
 *
 * What counts as an access (3.7.4): at the L1D accepted loads and stores, a bypassed load
 * as a miss, and everything that goes past the L1D to global memory (stores, atomics) as a
 * write; at the L2 every accepted request.  Prefetches are no accesses. */
#include "mechanisms/adi/adi.h"

#include <stdio.h>

#include "mechanisms/adi/adi_site.h"

/* All sites of one level. */
struct adi_level {
    uint32_t n;
    struct adi_site *site;
};

static enum adi_line_event event_of(enum line_event event, bool dirty)
{
    switch (event) {
    case LINE_RESERVE: return ADI_RESERVE;
    case LINE_FILL: return dirty ? ADI_FILL_DIRTY : ADI_FILL;
    case LINE_WRITE: return ADI_DIRTY;
    default: return ADI_EVICT;
    }
}

static enum adi_line state_of(const struct cache_line *line)
{
    switch (line->state) {
    case LINE_RESERVED: return line->doomed || line->killed ? ADI_DOOMED : ADI_RESERVED;
    case LINE_VALID: return line->dirty[0] | line->dirty[1] ? ADI_MODIFIED : ADI_VALID;
    default: return ADI_INVALID;
    }
}

static void line_changed(void *self, uint32_t owner, uint32_t set, uint32_t way,
                         enum line_event event, bool dirty)
{
    (void)owner;
    adi_site_line(self, set, way, event_of(event, dirty));
}

/* ---- L1D ---- */

static enum adi_line l1d_line(void *self, uint32_t set, uint32_t way)
{
    const struct sm *sm = self;
    return state_of(cache_line(&sm->l1d, set, way));
}

static bool l1d_busy(void *self)
{
    const struct sm *sm = self;
    return sm->mshr.used > 0;
}

static bool l1d_room(void *self)
{
    return sm_port_room(self, 1);
}

static void l1d_write_back(void *self, uint32_t set, uint32_t way, uint64_t cycle)
{
    (void)cycle; /* the SM knows */
    sm_l1d_write_back(self, set, way);
}

static void l1d_flush(void *self, uint32_t set)
{
    sm_l1d_flush_set(self, set);
}

static void l1d_load(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                     enum access_result result)
{
    (void)sm, (void)set;
    adi_site_access(self, access->block, result == RESULT_MISS || result == RESULT_BYPASS, false);
}

static void l1d_store(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                      enum access_result result, bool global)
{
    struct adi_site *site = self;
    (void)sm, (void)set;
    adi_site_access(site, access->block, result != RESULT_HIT, global && !site->blocking);
}

static void l1d_kernel(void *self, uint32_t sm)
{
    (void)sm;
    adi_site_kernel(self, true);
}

static int plug_l1d(struct mechanism_context *context, struct sm *sm, struct adi_site *site,
                    const char *parameters)
{
    struct sm_sockets *sockets = &sm->sockets;
    const struct adi_cache cache = {
        sm,       sm->l1d.sets, sm->l1d.ways, sm->config->l1d_local_write == LOCAL_BACK,
        l1d_line, l1d_busy,     l1d_room,     l1d_write_back,
        l1d_flush};
    char where[40];
    snprintf(where, sizeof where, "sm%u.l1d", sm->id);
    if (adi_site_open(context, site, &cache, where, parameters) != 0) {
        return -1;
    }
    if (sockets->n_observers == MAX_OBSERVERS || sockets->n_clocked == MAX_CLOCKED) {
        snprintf(context->error, context->n_error, "adi: too many mechanisms at the L1D");
        return -1;
    }
    sockets->index = (struct index_socket){site, adi_site_set};
    sockets->clocked[sockets->n_clocked++] = (struct clocked_socket){site, adi_site_begin,
                                                                     adi_site_end};
    sockets->observer[sockets->n_observers++] = (struct observer){.self = site,
                                                                  .kernel_start = l1d_kernel,
                                                                  .acc_result = l1d_load,
                                                                  .write_result = l1d_store,
                                                                  .line = line_changed};
    return 0;
}

/* ---- L2 ---- */

/* A line is filled, for the units, when the last request that waited for it is served:
 * only then may it be replaced. */
static enum adi_line l2_line(void *self, uint32_t set, uint32_t way)
{
    const struct l2_bank *bank = self;
    const struct cache_line *line = cache_line(&bank->cache, set, way);
    if (l2_in_service(bank, set, way)) {
        return line->doomed ? ADI_DOOMED : ADI_RESERVED;
    }
    return state_of(line);
}

static bool l2_busy(void *self)
{
    const struct l2_bank *bank = self;
    return bank->mshr.used > 0;
}

static bool l2_room(void *self)
{
    return l2_miss_room(self) > 0;
}

static void l2_write_line_back(void *self, uint32_t set, uint32_t way, uint64_t tick)
{
    struct l2_bank *bank = self;
    l2_write_back(bank, set, way, clock_core(&bank->clock, tick));
}

static void l2_flush(void *self, uint32_t set)
{
    l2_flush_set(self, set);
}

static void l2_access(void *self, uint32_t bank, const struct access_info *access, uint32_t set,
                      enum access_result result)
{
    struct adi_site *site = self;
    const struct l2_bank *of = site->cache.self;
    (void)bank, (void)set;
    adi_site_access(site, l2_index_address(of->config, access->block),
                    result == RESULT_MISS || result == RESULT_BYPASS, false);
}

static int plug_l2(struct mechanism_context *context, struct l2_bank *bank, struct adi_site *site,
                   const char *parameters)
{
    struct bank_sockets *sockets = &bank->sockets;
    const struct adi_cache cache = {bank,    bank->cache.sets, bank->cache.ways,   true,    l2_line,
                                    l2_busy, l2_room,          l2_write_line_back, l2_flush};
    char where[40];
    snprintf(where, sizeof where, "l2bank%u", bank->id);
    if (adi_site_open(context, site, &cache, where, parameters) != 0) {
        return -1;
    }
    if (sockets->n_observers == MAX_OBSERVERS || sockets->n_clocked == MAX_CLOCKED) {
        snprintf(context->error, context->n_error, "l2-adi: too many mechanisms at the L2");
        return -1;
    }
    sockets->index = (struct index_socket){site, adi_site_set};
    sockets->clocked[sockets->n_clocked++] = (struct clocked_socket){site, adi_site_begin,
                                                                     adi_site_end};
    sockets->observer[sockets->n_observers++] = (struct observer){
        .self = site, .acc_result = l2_access, .line = line_changed};
    return 0;
}

/* ---- statistics ---- */

static void put(json_t *into, const char *key, uint64_t value)
{
    json_object_set_new(into, key, json_integer((json_int_t)value));
}

/* What a site has chosen: address bits by position, and how it came there. */
static json_t *site_json(const struct adi_site *site)
{
    json_t *selectors = json_array(), *changes = json_array();
    for (unsigned i = 0; i < site->n_selectors; i++) {
        json_array_append_new(selectors, json_integer(site->selected[i] + BLOCK_SHIFT));
    }
    for (uint64_t n = 0; n < site->counters.bits_changed && n < ADI_MAX_CHANGES; n++) {
        const struct adi_change *change = &site->changes[n];
        json_array_append_new(
            changes, json_pack("{s:I, s:i, s:i, s:i}", "cycle", (json_int_t)change->cycle,
                               "position", (int)change->position, "from",
                               change->from + BLOCK_SHIFT, "to", change->to + BLOCK_SHIFT));
    }
    return json_pack("{s:s, s:o, s:o}", "where", site->where, "index_bits", selectors, "changes",
                     changes);
}

static void statistics(void *self, json_t *into)
{
    const struct adi_level *level = self;
    struct adi_counters sum = {0};
    json_t *sites = json_array();
    for (uint32_t i = 0; i < level->n; i++) {
        const struct adi_counters *one = &level->site[i].counters;
        sum.victims += one->victims;
        sum.bits_changed += one->bits_changed;
        sum.bits_kept += one->bits_kept;
        sum.exact_differs += one->exact_differs;
        sum.flush_cycles += one->flush_cycles;
        sum.drain_cycles += one->drain_cycles;
        sum.lines_dropped += one->lines_dropped;
        sum.lines_doomed += one->lines_doomed;
        sum.write_backs += one->write_backs;
        sum.fills_dropped += one->fills_dropped;
        json_array_append_new(sites, site_json(&level->site[i]));
    }
    put(into, "caches", level->n);
    put(into, "victims_chosen", sum.victims);
    put(into, "bits_changed", sum.bits_changed);
    put(into, "bits_kept", sum.bits_kept);
    put(into, "exact_mrp_differs", sum.exact_differs);
    put(into, "flush_cycles", sum.flush_cycles);
    put(into, "drain_cycles", sum.drain_cycles);
    put(into, "lines_flushed", sum.lines_dropped);
    put(into, "lines_doomed", sum.lines_doomed);
    put(into, "write_backs", sum.write_backs);
    put(into, "fills_dropped", sum.fills_dropped);
    json_object_set_new(into, "sites", sites);
}

static const char *difference(void *self)
{
    const struct adi_level *level = self;
    for (uint32_t i = 0; i < level->n; i++) {
        if (level->site[i].difference[0] != '\0') {
            return level->site[i].difference;
        }
    }
    return NULL;
}

/* ---- attaching ---- */

static struct adi_level *new_level(struct mechanism_context *context, const char *name, uint32_t n)
{
    struct adi_level *level = mechanism_keep(context, sizeof *level);
    if (level == NULL || (level->site = mechanism_keep(context, n * sizeof *level->site)) == NULL) {
        return NULL;
    }
    level->n = n;
    const struct mechanism_report report = {level, name, statistics, difference};
    return mechanism_reports(context, &report) == 0 ? level : NULL;
}

static int attach_l1d(struct mechanism_context *context, const char *name, const char *parameters,
                      bool blocking)
{
    struct gpu *gpu = context->gpu;
    struct adi_level *level = new_level(context, name, gpu->n_sms);
    for (uint32_t i = 0; level != NULL && i < gpu->n_sms; i++) {
        level->site[i].blocking = blocking;
        if (plug_l1d(context, &gpu->sm[i], &level->site[i], parameters) != 0) {
            return -1;
        }
    }
    return level != NULL ? 0 : -1;
}

static int attach_l2(struct mechanism_context *context, const char *name, const char *parameters,
                     bool blocking)
{
    struct gpu *gpu = context->gpu;
    struct adi_level *level = new_level(context, name, gpu->n_banks);
    for (uint32_t i = 0; level != NULL && i < gpu->n_banks; i++) {
        level->site[i].blocking = blocking;
        if (plug_l2(context, &gpu->bank[i], &level->site[i], parameters) != 0) {
            return -1;
        }
    }
    return level != NULL ? 0 : -1;
}

int attach_l1d_adi(struct mechanism_context *context, const char *parameters)
{
    return attach_l1d(context, "adi", parameters, false);
}

int attach_l2_adi(struct mechanism_context *context, const char *parameters)
{
    return attach_l2(context, "l2-adi", parameters, false);
}

int attach_l1d_ascib(struct mechanism_context *context, const char *parameters)
{
    return attach_l1d(context, "ascib", parameters, true);
}

int attach_l2_ascib(struct mechanism_context *context, const char *parameters)
{
    return attach_l2(context, "l2-ascib", parameters, true);
}
