/* adi.c - adaptive cache indexing as a mechanism: joins an adi_site to every L1D, every L2 bank or
 * both, and reports (aci-iacm-blpp 3.7-3.8).  ASCIB is the same as it was for the caches of a CPU:
 * writes to global memory count, and there is no doomed line: a flush waits until no miss is
 * in flight.
 *
 * What counts as an access (3.7.4): at the L1D accepted loads and stores, a bypassed load
 * as a miss, and everything that goes past the L1D to global memory (stores, atomics) as a
 * write; at the L2 every accepted request.  Prefetches are no accesses. */
#include <stdio.h>

#include "mechanisms/adi/adi_core.h"

extern const struct mechanism mechanism_adi, mechanism_ascib;

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
    return state_of(cache_line(core_l1d(self), set, way));
}

static bool l1d_busy(void *self)
{
    return core_mshrs(self)->used > 0;
}

static bool l1d_room(void *self)
{
    return core_port_room(self, 1);
}

static void l1d_write_back(void *self, uint32_t set, uint32_t way, uint64_t cycle)
{
    (void)cycle; /* the SM knows */
    core_write_back(self, set, way);
}

static void l1d_flush(void *self, uint32_t set)
{
    core_flush_set(self, set);
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

int adi_core_join(struct mechanism_context *context, struct core *core, struct adi_site *site)
{
    const struct gpu_config *config = core_config(core);
    const struct adi_cache cache = {.self = core,
                                    .sets = config->l1d_sets,
                                    .ways = config->l1d_ways,
                                    .write_back = config->l1d_local_write == LOCAL_BACK,
                                    .line = l1d_line,
                                    .busy = l1d_busy,
                                    .room = l1d_room,
                                    .write_back_line = l1d_write_back,
                                    .flush = l1d_flush};
    const struct observer observer = {.self = site,
                                      .kernel_start = l1d_kernel,
                                      .acc_result = l1d_load,
                                      .write_result = l1d_store,
                                      .line = line_changed};
    char where[40];
    snprintf(where, sizeof where, "sm%u.l1d", core_id(core));
    if (adi_site_open(context, site, &cache, where) != 0 ||
        plug_index(core, &context->plug, &(struct index_socket){site, adi_site_set}) != 0) {
        return -1;
    }
    return plug_observer(core, &context->plug, &observer);
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct adi_site *site = instance;
    site->blocking = context->mechanism == &mechanism_ascib;
    if (adi_core_join(context, core, site) != 0) {
        return -1;
    }
    return plug_clock(core, &context->plug,
                      &(struct clocked_socket){site, adi_site_begin, adi_site_end});
}

/* ---- L2 ---- */

/* A line is filled, for the units, when the last request that waited for it is served:
 * only then may it be replaced. */
static enum adi_line l2_line(void *self, uint32_t set, uint32_t way)
{
    const struct cache_line *line = cache_line(bank_cache(self), set, way);
    if (bank_in_service(self, set, way)) {
        return line->doomed ? ADI_DOOMED : ADI_RESERVED;
    }
    return state_of(line);
}

static bool l2_busy(void *self)
{
    return bank_mshrs(self)->used > 0;
}

static bool l2_room(void *self)
{
    return bank_miss_room(self) > 0;
}

static void l2_write_back(void *self, uint32_t set, uint32_t way, uint64_t tick)
{
    bank_write_back(self, set, way, tick);
}

static void l2_flush(void *self, uint32_t set)
{
    bank_flush_set(self, set);
}

static void l2_access(void *self, uint32_t bank, const struct access_info *access, uint32_t set,
                      enum access_result result)
{
    struct adi_site *site = self;
    (void)bank, (void)set;
    adi_site_access(site, bank_index_address(site->cache.self, access->block),
                    result == RESULT_MISS || result == RESULT_BYPASS, false);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct adi_site *site = instance;
    const struct gpu_config *config = bank_config(bank);
    const struct adi_cache cache = {.self = bank,
                                    .sets = config->l2_sets,
                                    .ways = config->l2_ways,
                                    .write_back = true,
                                    .line = l2_line,
                                    .busy = l2_busy,
                                    .room = l2_room,
                                    .write_back_line = l2_write_back,
                                    .flush = l2_flush};
    const struct observer observer = {.self = site, .acc_result = l2_access, .line = line_changed};
    char where[40];
    snprintf(where, sizeof where, "l2bank%u", bank_id(bank));
    site->blocking = context->mechanism == &mechanism_ascib;
    if (adi_site_open(context, site, &cache, where) != 0 ||
        plug_bank_index(bank, &context->plug, &(struct index_socket){site, adi_site_set}) != 0 ||
        plug_bank_observer(bank, &context->plug, &observer) != 0) {
        return -1;
    }
    return plug_bank_clock(bank, &context->plug,
                           &(struct clocked_socket){site, adi_site_begin, adi_site_end});
}

/* ---- statistics ---- */

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

#define COUNTER(name, field) \
    { \
        name, offsetof(struct adi_site, counters.field) \
    }
static const struct counter counters[] = {
    COUNTER("victims_chosen", victims),      COUNTER("bits_changed", bits_changed),
    COUNTER("bits_kept", bits_kept),         COUNTER("exact_mrp_differs", exact_differs),
    COUNTER("flush_cycles", flush_cycles),   COUNTER("drain_cycles", drain_cycles),
    COUNTER("lines_flushed", lines_dropped), COUNTER("lines_doomed", lines_doomed),
    COUNTER("write_backs", write_backs),     COUNTER("fills_dropped", fills_dropped)};
#undef COUNTER

static void statistics(void *self, json_t *into)
{
    const struct instances *all = self;
    json_t *sites = json_array();
    for (uint32_t i = 0; i < all->n; i++) {
        json_array_append_new(sites, site_json(instance_at(all, i)));
    }
    put_count(into, "caches", all->n);
    instances_put(all, counters, sizeof counters / sizeof *counters, into);
    json_object_set_new(into, "sites", sites);
}

static const char *difference(void *self)
{
    const struct instances *all = self;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct adi_site *site = instance_at(all, i);
        if (site->difference[0] != '\0') {
            return site->difference;
        }
    }
    return NULL;
}

/* ---- attaching ---- */

int adi_report(struct mechanism_context *context, struct instances *level, const char *name)
{
    const struct mechanism_report report = {level, name, statistics, difference};
    return level == NULL ? -1 : mechanism_reports(context, &report);
}

static int attach_l1d(struct mechanism_context *context)
{
    return adi_report(context, instances_of_cores(context, sizeof(struct adi_site), attach_core),
                      context->mechanism->name);
}

static int attach_l2(struct mechanism_context *context)
{
    return adi_report(context, instances_of_banks(context, sizeof(struct adi_site), attach_bank),
                      context->mechanism == &mechanism_adi ? "l2-adi" : "l2-ascib");
}

enum level { LEVEL_L1D, LEVEL_L2, LEVEL_BOTH };

static int attach(struct mechanism_context *context)
{
    const enum level level = (enum level)mechanism_value(context, "level");
    if (level != LEVEL_L2 && attach_l1d(context) != 0) {
        return -1;
    }
    return level != LEVEL_L1D ? attach_l2(context) : 0;
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE("level", LEVEL_L1D, "l1d|l2|both", "the caches whose sets are chosen", "3.7.2")};

static const struct mechanism_part parts[] = {{"engine", "adi_engine"},
                                              {"mux", "adi_idx_mux"},
                                              {"flush", "flush_ctrl"},
                                              {"line", "cache_line_fsm"}};

const struct mechanism mechanism_adi = {.name = "adi",
                                        .title = "set index: adaptive (ADI)",
                                        .document = "aci-iacm-blpp",
                                        .section = "3.7-3.8",
                                        MECHANISM_OPTIONS(options),
                                        MECHANISM_PARTS(parts),
                                        .promises = PLUG_LOCAL | PLUG_QUIET,
                                        .attach = attach};

const struct mechanism mechanism_ascib = {
    .name = "ascib",
    .title = "set index: adaptive as for CPUs (ASCIB): writes count, misses drain before a flush",
    .document = "aci-iacm-blpp",
    .section = "3.7",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
