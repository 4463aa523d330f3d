/* regions.c - see regions.h.  The table of a core is clocked for the cycles since it was last asked, of
 * which all but those of UPDATE and of fills change nothing (region_table, rtt). */
#include "mechanisms/graph/regions.h"

#include <stdio.h>

/* ---- the table's clock ---- */

static void write_region(struct regions *r, uint64_t entry, bool used, uint64_t base,
                         uint64_t limit)
{
    *r->at.valid = 1;
    *r->at.idx = entry;
    *r->at.used = used;
    *r->at.base = base;
    *r->at.limit = limit;
    pins_seq(&r->table);
    *r->at.valid = 0;
}

static void clock_once(struct regions *r)
{
    *r->of.tick = r->next_cycle % r->period_cycles == 0;
    pins_comb(&r->rtt);
    r->updates += *r->of.tick && !*r->of.busy;
    if (*r->of.freed) {
        write_region(r, *r->of.freed_rid, false, 0, 0);
        r->has_free = true;
        r->free_entry = *r->of.freed_rid;
        r->replaced++;
        r->shared_seen &= ~(UINT32_C(1) << r->free_entry);
        r->private_seen &= ~(UINT32_C(1) << r->free_entry);
    }
    pins_seq(&r->rtt);
    *r->of.fill_valid = *r->of.open_valid = *r->of.tick = 0;
    pins_comb(&r->rtt);
    r->next_cycle++;
}

/* Up to `cycle`, exclusive. */
static void advance(struct regions *r, uint64_t cycle)
{
    while (r->next_cycle < cycle) {
        const uint64_t phase = r->next_cycle % r->period_cycles;
        if (!*r->of.busy && !*r->of.fill_valid && !*r->of.open_valid && phase != 0) {
            const uint64_t tick = r->next_cycle + r->period_cycles - phase;
            r->next_cycle = tick < cycle ? tick : cycle;
            continue;
        }
        clock_once(r);
    }
}

/* ---- regions ---- */

/* The runtime gives an entry that was freed to the region of `block`, which has none. */
static void refill(struct regions *r, uint64_t block)
{
    uint64_t base, limit;
    for (uint32_t i = 0; machine_allocation(r->machine, i, &base, &limit); i++) {
        if (block >= base && block < limit) {
            write_region(r, r->free_entry, true, base, limit);
            *r->of.open_valid = 1;
            *r->of.open_rid = r->free_entry;
            r->has_free = false;
            return;
        }
    }
}

static uint64_t region_of(struct regions *r, uint64_t block)
{
    *r->at.lk_valid = 1;
    *r->at.lk_addr = block;
    pins_seq(&r->table);
    *r->at.lk_valid = 0;
    pins_comb(&r->table);
    if (*r->at.rid == r->entries && r->has_free) {
        refill(r, block);
    }
    return *r->at.rid;
}

void regions_filled(struct regions *r, uint64_t block, bool shared, bool private)
{
    advance(r, core_now(r->core));
    *r->of.fill_valid = 1;
    *r->of.fill_rid = region_of(r, block);
    *r->of.fill_sr = shared;
    *r->of.fill_pr = private;
    r->fills++;
    r->untracked += *r->of.fill_rid == r->entries;
}

/* Flags are set, and stay, until an entry is given to another region (3.8). */
static void check_flags(struct regions *r, uint32_t rid)
{
    const uint32_t bit = rid < r->entries ? UINT32_C(1) << rid : 0;
    r->differences += (r->shared_seen & bit) != 0 && !*r->of.shared;
    r->differences += (r->private_seen & bit) != 0 && !*r->of.private;
    r->shared_seen |= *r->of.shared ? bit : 0;
    r->private_seen |= *r->of.private ? bit : 0;
}

struct region_flags regions_ask(struct regions *r, uint64_t block)
{
    advance(r, core_now(r->core));
    *r->of.lk_rid = region_of(r, block);
    pins_comb(&r->rtt);
    if (r->check && !r->recomputes) {
        check_flags(r, (uint32_t)*r->of.lk_rid);
    }
    return (struct region_flags){.known = *r->of.known,
                                 .shared = *r->of.shared,
                                 .private = *r->of.private,
                                 .exclusive = *r->of.excl};
}

void regions_kernel_start(struct regions *r)
{
    uint64_t base, limit;
    *r->of.fill_valid = *r->of.open_valid = 0;
    *r->of.kernel_start = 1;
    pins_seq(&r->rtt);
    *r->of.kernel_start = 0;
    for (uint32_t i = 0; i < r->entries; i++) {
        const bool used = machine_allocation(r->machine, i, &base, &limit);
        write_region(r, i, used, used ? base : 0, used ? limit : 0);
        if (used) {
            *r->of.open_valid = 1;
            *r->of.open_rid = i;
            pins_seq(&r->rtt);
            *r->of.open_valid = 0;
        }
    }
    pins_comb(&r->rtt);
    r->has_free = false;
    r->shared_seen = r->private_seen = 0;
    r->next_cycle = machine_now(r->machine);
}

/* ---- attaching ---- */

static int open_units(struct mechanism_context *context, struct regions *r)
{
    const struct pin_name table[] = {{&r->at.valid, "cfg_valid"}, {&r->at.idx, "cfg_idx"},
                                     {&r->at.used, "cfg_used"},   {&r->at.base, "cfg_base"},
                                     {&r->at.limit, "cfg_limit"}, {&r->at.lk_valid, "lk_valid"},
                                     {&r->at.lk_addr, "lk_addr"}, {&r->at.rid, "rid"}};
    const struct pin_name rtt[] = {{&r->of.kernel_start, "kernel_start"},
                                   {&r->of.open_valid, "open_valid"},
                                   {&r->of.open_rid, "open_rid"},
                                   {&r->of.fill_valid, "fill_valid"},
                                   {&r->of.fill_rid, "fill_rid"},
                                   {&r->of.fill_sr, "fill_sr"},
                                   {&r->of.fill_pr, "fill_pr"},
                                   {&r->of.tick, "tick"},
                                   {&r->of.lk_rid, "lk_rid"},
                                   {&r->of.known, "lk_known"},
                                   {&r->of.shared, "lk_shared"},
                                   {&r->of.private, "lk_private"},
                                   {&r->of.excl, "lk_excl"},
                                   {&r->of.busy, "busy"},
                                   {&r->of.freed, "freed"},
                                   {&r->of.freed_rid, "freed_rid"}};
    char where[48];
    snprintf(where, sizeof where, "sm%u.regions", core_id(r->core));
    if (pins_open(context, &r->table, "region_table", "ADDR_W=40", where) != 0 ||
        pins_all(context, &r->table, PINS(table)) != 0) {
        return -1;
    }
    snprintf(where, sizeof where, "sm%u.rtt", core_id(r->core));
    if (pins_open(context, &r->rtt, "rtt", "", where) != 0 ||
        pins_all(context, &r->rtt, PINS(rtt)) != 0) {
        return -1;
    }
    r->entries = (uint32_t)pins_parameter(&r->rtt, "ENTRIES");
    r->recomputes = pins_parameter(&r->rtt, "RECOMPUTE") != 0;
    return pins_parameter(&r->table, "ENTRIES") == r->entries
               ? 0
               : mechanism_fail(context, "table.ENTRIES and rtt.ENTRIES differ; set both");
}

int regions_open(struct mechanism_context *context, const struct core *core, struct regions *r)
{
    r->machine = context->machine;
    r->core = core;
    r->period_cycles = (uint64_t)mechanism_value(context, "period");
    r->check = mechanism_value(context, "check") != 0;
    return open_units(context, r);
}
