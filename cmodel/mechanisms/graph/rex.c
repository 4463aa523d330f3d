/* rex.c - R-Exclusion: allocations that are reused privately, and not shared, are exclusive
 * (lakshminarayana2014 3.4; region_table, rtt, and those of hier.h).
 *
 * Regions are the allocations of the program, in the order of their addresses, as the runtime knows
 * them when a kernel starts.  The table of a core is clocked for the cycles since it was last asked,
 * of which all but those of UPDATE and of fills change nothing. */
#include <stddef.h>
#include <stdio.h>

#include "mechanisms/graph/hier.h"

enum force { FORCE_NONE, FORCE_SHARED, FORCE_PRIVATE };

struct rex_core {
    struct hier_l1 l1; /* first: instances are those of hier.h, too */
    const struct machine *machine;
    struct unit_pins table, rtt;
    struct {
        uint64_t *valid, *idx, *used, *base, *limit, *lk_valid, *lk_addr, *rid;
    } at;
    struct {
        uint64_t *kernel_start, *open_valid, *open_rid, *fill_valid, *fill_rid, *fill_sr, *fill_pr,
            *tick, *lk_rid;
        uint64_t *known, *excl, *busy, *freed, *freed_rid;
    } of;
    uint64_t next_cycle, period_cycles; /* the table was clocked up to next_cycle, exclusive */
    enum force force;
    uint32_t entries;
    bool has_free; /* an entry was freed, and no region has it yet */
    uint64_t free_entry;
    uint64_t fills, untracked, asked, exclusive, updates, replaced;
};

/* ---- the table's clock ---- */

static void write_region(struct rex_core *rex, uint64_t entry, bool used, uint64_t base,
                         uint64_t limit)
{
    *rex->at.valid = 1;
    *rex->at.idx = entry;
    *rex->at.used = used;
    *rex->at.base = base;
    *rex->at.limit = limit;
    pins_seq(&rex->table);
    *rex->at.valid = 0;
}

static void clock_once(struct rex_core *rex)
{
    *rex->of.tick = rex->next_cycle % rex->period_cycles == 0;
    pins_comb(&rex->rtt);
    rex->updates += *rex->of.tick && !*rex->of.busy;
    if (*rex->of.freed) {
        write_region(rex, *rex->of.freed_rid, false, 0, 0);
        rex->has_free = true;
        rex->free_entry = *rex->of.freed_rid;
        rex->replaced++;
    }
    pins_seq(&rex->rtt);
    *rex->of.fill_valid = *rex->of.open_valid = *rex->of.tick = 0;
    pins_comb(&rex->rtt);
    rex->next_cycle++;
}

/* Up to `cycle`, exclusive. */
static void advance(struct rex_core *rex, uint64_t cycle)
{
    while (rex->next_cycle < cycle) {
        const uint64_t phase = rex->next_cycle % rex->period_cycles;
        if (!*rex->of.busy && !*rex->of.fill_valid && !*rex->of.open_valid && phase != 0) {
            const uint64_t tick = rex->next_cycle + rex->period_cycles - phase;
            rex->next_cycle = tick < cycle ? tick : cycle;
            continue;
        }
        clock_once(rex);
    }
}

/* ---- regions ---- */

/* The runtime gives an entry that was freed to the region of `block`, which has none. */
static void refill(struct rex_core *rex, uint64_t block)
{
    uint64_t base, limit;
    for (uint32_t i = 0; machine_allocation(rex->machine, i, &base, &limit); i++) {
        if (block >= base && block < limit) {
            write_region(rex, rex->free_entry, true, base, limit);
            *rex->of.open_valid = 1;
            *rex->of.open_rid = rex->free_entry;
            rex->has_free = false;
            return;
        }
    }
}

static uint64_t region_of(struct rex_core *rex, uint64_t block)
{
    *rex->at.lk_valid = 1;
    *rex->at.lk_addr = block;
    pins_seq(&rex->table);
    *rex->at.lk_valid = 0;
    pins_comb(&rex->table);
    if (*rex->at.rid == rex->entries && rex->has_free) {
        refill(rex, block);
    }
    return *rex->at.rid;
}

static void filled(void *self, const struct access_info *access)
{
    struct rex_core *rex = self;
    if (access->kind != ACCESS_LOAD || access->local) {
        return;
    }
    advance(rex, core_now(rex->l1.core));
    *rex->of.fill_valid = 1;
    *rex->of.fill_rid = region_of(rex, access->block);
    *rex->of.fill_sr = (access->answer & HIER_SHARED) != 0;
    *rex->of.fill_pr = (access->answer & HIER_PRIVATE) != 0;
    rex->fills++;
    rex->untracked += *rex->of.fill_rid == rex->entries;
}

/* A primary miss leaves: is its line to be exclusive? */
static void send(void *self, struct request *request, struct cache_line *line)
{
    struct rex_core *rex = self;
    (void)line;
    if (request->packet.type != MSG_READ || request->ticket.to != TO_MSHR) {
        return;
    }
    advance(rex, core_now(rex->l1.core));
    *rex->of.lk_rid = region_of(rex, request->packet.block);
    pins_comb(&rex->rtt);
    const bool exclusive = rex->force == FORCE_NONE ? *rex->of.excl : rex->force == FORCE_PRIVATE;
    rex->asked++;
    rex->exclusive += exclusive;
    request->proto[2] = exclusive ? HIER_EXCLUSIVE : 0;
}

static void kernel_start(void *self)
{
    struct rex_core *rex = self;
    uint64_t base, limit;
    *rex->of.fill_valid = *rex->of.open_valid = 0;
    *rex->of.kernel_start = 1;
    pins_seq(&rex->rtt);
    *rex->of.kernel_start = 0;
    for (uint32_t i = 0; i < rex->entries; i++) {
        const bool used = machine_allocation(rex->machine, i, &base, &limit);
        write_region(rex, i, used, used ? base : 0, used ? limit : 0);
        if (used) {
            *rex->of.open_valid = 1;
            *rex->of.open_rid = i;
            pins_seq(&rex->rtt);
            *rex->of.open_valid = 0;
        }
    }
    pins_comb(&rex->rtt);
    rex->has_free = false;
    rex->next_cycle = machine_now(rex->machine);
}

/* ---- attaching ---- */

static int open_units(struct mechanism_context *context, struct rex_core *rex)
{
    const struct pin_name table[] = {{&rex->at.valid, "cfg_valid"}, {&rex->at.idx, "cfg_idx"},
                                     {&rex->at.used, "cfg_used"},   {&rex->at.base, "cfg_base"},
                                     {&rex->at.limit, "cfg_limit"}, {&rex->at.lk_valid, "lk_valid"},
                                     {&rex->at.lk_addr, "lk_addr"}, {&rex->at.rid, "rid"}};
    const struct pin_name rtt[] = {{&rex->of.kernel_start, "kernel_start"},
                                   {&rex->of.open_valid, "open_valid"},
                                   {&rex->of.open_rid, "open_rid"},
                                   {&rex->of.fill_valid, "fill_valid"},
                                   {&rex->of.fill_rid, "fill_rid"},
                                   {&rex->of.fill_sr, "fill_sr"},
                                   {&rex->of.fill_pr, "fill_pr"},
                                   {&rex->of.tick, "tick"},
                                   {&rex->of.lk_rid, "lk_rid"},
                                   {&rex->of.known, "lk_known"},
                                   {&rex->of.excl, "lk_excl"},
                                   {&rex->of.busy, "busy"},
                                   {&rex->of.freed, "freed"},
                                   {&rex->of.freed_rid, "freed_rid"}};
    char where[48];
    snprintf(where, sizeof where, "sm%u.regions", core_id(rex->l1.core));
    if (pins_open(context, &rex->table, "region_table", "ADDR_W=40", where) != 0 ||
        pins_all(context, &rex->table, PINS(table)) != 0) {
        return -1;
    }
    snprintf(where, sizeof where, "sm%u.rtt", core_id(rex->l1.core));
    if (pins_open(context, &rex->rtt, "rtt", "", where) != 0 ||
        pins_all(context, &rex->rtt, PINS(rtt)) != 0) {
        return -1;
    }
    rex->entries = (uint32_t)pins_parameter(&rex->rtt, "ENTRIES");
    return pins_parameter(&rex->table, "ENTRIES") == rex->entries
               ? 0
               : mechanism_fail(context, "table.ENTRIES and rtt.ENTRIES differ; set both");
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct rex_core *rex = instance;
    const struct coherence_l1_socket asks = {
        .self = rex, .send = send, .kernel_start = kernel_start};
    rex->machine = context->machine;
    rex->period_cycles = (uint64_t)mechanism_value(context, "period");
    rex->force = (enum force)mechanism_value(context, "force");
    rex->l1.self = rex;
    rex->l1.filled = filled;
    if (hier_l1_attach(context, core, &rex->l1, false, rex->force != FORCE_SHARED) != 0 ||
        open_units(context, rex) != 0) {
        return -1;
    }
    return plug_coherence(core, &context->plug, &asks);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct hier_l2 *l2 = instance;
    l2->regions = true;
    return hier_l2_attach(context, bank, l2);
}

static void statistics(void *self, json_t *into)
{
    const struct hier *hier = self;
    static const struct counter core[] = {
        {"fills", offsetof(struct rex_core, fills)},
        {"fills_untracked", offsetof(struct rex_core, untracked)},
        {"misses", offsetof(struct rex_core, asked)},
        {"misses_exclusive", offsetof(struct rex_core, exclusive)},
        {"updates", offsetof(struct rex_core, updates)},
        {"regions_replaced", offsetof(struct rex_core, replaced)}};
    instances_put(hier->l1, core, sizeof core / sizeof *core, into);
    hier_statistics(hier, into);
}

static const char *difference(void *self)
{
    return hier_difference(self);
}

static int attach(struct mechanism_context *context)
{
    struct hier *hier = mechanism_keep(context, sizeof *hier);
    const struct mechanism_report report = {
        .self = hier, .name = "rex", .statistics = statistics, .difference = difference};
    if (hier == NULL ||
        (hier->l1 = instances_of_cores(context, sizeof(struct rex_core), attach_core)) == NULL ||
        (hier->l2 = instances_of_banks(context, sizeof(struct hier_l2), attach_bank)) == NULL) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("period", 16384, 128, 1 << 24, "core cycles from one UPDATE to the next", "3.4.4"),
    OPTION_CHOICE("force", FORCE_NONE, "none|shared|private",
                  "every region is what it is, or SharedReuse, or PvtReuse alone", "3.8")};
static const struct mechanism_part parts[] = {{"table", "region_table"}, {"rtt", "rtt"},
                                              {"cb", "l1_cb"},           {"queue", "copyback_q"},
                                              {"l2", "l2_policy"},       {"tag", "l2_tagx"}};
static const struct mechanism_need needs[] = {
    {hier_l1_fits, "lines are copied back as fills replace them; set l1d.enable=yes, "
                   "l1d.allocate=on-fill, l1d.sector_bytes=0, and up to 1024 lines"},
    {hier_l2_fits, "the L2 is exclusive by lines; set l2.sectors=no, up to 64 SMs, and "
                   "l2 sets of all banks a multiple of 32 up to 4096"}};

const struct mechanism mechanism_rex = {
    .name = "rex",
    .title = "L1D and L2: allocations that are reused privately are exclusive (R-Exclusion)",
    .document = "lakshminarayana2014",
    .section = "3.4",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
