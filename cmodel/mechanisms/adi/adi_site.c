/* adi_site.c - see adi_site.h. */
#include "mechanisms/adi/adi_site.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SUB_PHASE_IDLE = 2, SUB_PHASE_BUSY = 3, OP_EVICT = 1, OP_DIRTY = 2, OP_CLEAN = 3 };

uint32_t adi_site_set(void *self, uint64_t address)
{
    struct adi_site *site = self;
    *site->m.block = address >> BLOCK_SHIFT & site->block_mask;
    pins_comb(&site->mux);
    return (uint32_t)*site->m.index;
}

/* ---- lines ---- */

static void touch(struct adi_site *site, uint32_t set)
{
    for (uint32_t i = 0; i < site->n_touched; i++) {
        if (site->touched[i] == set) {
            return;
        }
    }
    if (site->n_touched < ADI_MAX_TOUCHED) {
        site->touched[site->n_touched++] = set;
    }
}

static void compare_set(struct adi_site *site, uint32_t set)
{
    static const char *const names[] = {"I", "R", "V", "RD", "M"};
    *site->l.shown = set;
    pins_comb(&site->lines);
    for (uint32_t way = 0; way < site->cache.ways && site->difference[0] == '\0'; way++) {
        const enum adi_line line = site->cache.line(site->cache.self, set, way);
        const uint64_t unit = site->l.states[way];
        if (unit != line) {
            snprintf(site->difference, sizeof site->difference,
                     "%s: cycle %" PRIu64 ", set %u, way %u: the cache's line is %s, "
                     "cache_line_fsm says %s",
                     site->where, site->cycle, set, way, names[line],
                     unit <= ADI_MODIFIED ? names[unit] : "no state");
        }
    }
}

static bool lines_pending(const struct adi_site *site)
{
    return *site->l.rsv | *site->l.fill | *site->l.op | *site->l.step;
}

static void clock_lines(struct adi_site *site)
{
    pins_comb(&site->lines);
    site->counters.fills_dropped += *site->l.dropped;
    if (*site->l.refused && site->difference[0] == '\0') {
        snprintf(site->difference, sizeof site->difference,
                 "%s: cycle %" PRIu64 ", set %" PRIu64 ", way %" PRIu64
                 ": the cache reserved a line that cache_line_fsm refuses",
                 site->where, site->cycle, *site->l.rsv_set, *site->l.rsv_way);
    }
    pins_seq(&site->lines);
    *site->l.rsv = *site->l.fill = *site->l.fill_dirty = *site->l.op = *site->l.step = 0;
}

/* Has something already happened to this line in this cycle? */
static bool line_pending(const struct adi_site *site, uint32_t set, uint32_t way)
{
    return (*site->l.rsv && *site->l.rsv_set == set && *site->l.rsv_way == way) ||
           (*site->l.fill && *site->l.fill_set == set && *site->l.fill_way == way) ||
           (*site->l.op && *site->l.op_set == set && *site->l.op_way == way);
}

static void put(uint64_t *enable, uint64_t *set_pin, uint64_t *way_pin, uint64_t value,
                uint32_t set, uint32_t way)
{
    *enable = value;
    *set_pin = set;
    *way_pin = way;
}

/* The machine's array serves a reply and then an access in one cycle, and the access sees
 * what the reply has done; the unit judges all by the states before.  What meets a line
 * or a port for the second time in a cycle is therefore clocked after the first. */
void adi_site_line(struct adi_site *site, uint32_t set, uint32_t way, enum adi_line_event event)
{
    const uint64_t *port = event == ADI_RESERVE                           ? site->l.rsv
                           : event == ADI_FILL || event == ADI_FILL_DIRTY ? site->l.fill
                                                                          : site->l.op;
    if (*port != 0 || line_pending(site, set, way)) {
        clock_lines(site);
    }
    switch (event) {
    case ADI_RESERVE: put(site->l.rsv, site->l.rsv_set, site->l.rsv_way, 1, set, way); break;
    case ADI_FILL:
    case ADI_FILL_DIRTY:
        put(site->l.fill, site->l.fill_set, site->l.fill_way, 1, set, way);
        *site->l.fill_dirty = event == ADI_FILL_DIRTY;
        break;
    case ADI_EVICT:
    case ADI_DIRTY:
        put(site->l.op, site->l.op_set, site->l.op_way, event == ADI_EVICT ? OP_EVICT : OP_DIRTY,
            set, way);
        break;
    }
    site->events = true;
    touch(site, set);
}

/* ---- the flush ---- */

static void count_flushed(struct adi_site *site, uint32_t set)
{
    for (uint32_t way = 0; way < site->cache.ways; way++) {
        const enum adi_line line = site->cache.line(site->cache.self, set, way);
        site->counters.lines_dropped += line == ADI_VALID;
        site->counters.lines_doomed += line == ADI_RESERVED;
    }
}

/* One cycle of it: a set flushed, or a line written back, or a wait for room. */
static void flush_cycle(struct adi_site *site)
{
    *site->w.req = 1;
    *site->w.dirty = 0;
    pins_comb(&site->walk);
    const uint32_t set = (uint32_t)*site->w.set;
    *site->l.step_set = set;
    pins_comb(&site->lines);
    *site->w.dirty = *site->l.flush_dirty;
    *site->w.ready = site->cache.room(site->cache.self);
    pins_comb(&site->walk);
    if (*site->w.wb_valid && *site->w.ready) {
        const uint32_t way = (uint32_t)*site->w.wb_way;
        site->cache.write_back_line(site->cache.self, set, way, site->cycle);
        put(site->l.op, site->l.op_set, site->l.op_way, OP_CLEAN, set, way);
        site->counters.write_backs++;
    }
    if (*site->w.step) {
        count_flushed(site, set);
        site->cache.flush(site->cache.self, set);
        *site->l.step = 1;
    }
    *site->e.flush_done = *site->w.done;
    site->counters.flush_cycles++;
    touch(site, set);
}

/* ---- the engine ---- */

static void note_change(struct adi_site *site, unsigned position, unsigned to)
{
    const uint64_t n = site->counters.bits_changed++;
    const unsigned from = site->selected[position];
    if (n < ADI_MAX_CHANGES) {
        site->changes[n] = (struct adi_change){site->cycle, (uint8_t)position, (uint8_t)from,
                                               (uint8_t)to};
    }
    site->counters.exact_differs += adi_mrp_choose(&site->exact.mrp) != to;
    if (position != site->exact.victim && site->difference[0] == '\0') {
        snprintf(site->difference, sizeof site->difference,
                 "%s: cycle %" PRIu64 ": adi_engine replaced index bit %u, the definition "
                 "replaces bit %u",
                 site->where, site->cycle, position, site->exact.victim);
    }
}

/* The document's definitions beside the engine's counters. */
static void follow_exactly(struct adi_site *site)
{
    const uint32_t block = (uint32_t)*site->e.block;
    if (*site->e.vic_sample) {
        adi_exact_sample(&site->exact, site->selected, block);
    } else if (*site->e.sel_sample) {
        adi_mrp_access(&site->exact.mrp, block);
    }
    if (*site->e.victim_chosen) {
        site->counters.victims++;
        adi_exact_choose_victim(&site->exact, site->selected);
    }
    if (*site->e.bit_kept) {
        site->counters.bits_kept++;
        site->counters.exact_differs += adi_mrp_choose(&site->exact.mrp) !=
                                        site->selected[site->exact.victim];
    }
}

static void take_selectors(struct adi_site *site)
{
    for (unsigned i = 0; i < site->n_selectors; i++) {
        const unsigned to = (unsigned)site->e.selectors[i];
        if (site->selected[i] != to) {
            note_change(site, i, to);
            site->selected[i] = to;
            site->m.selectors[i] = to;
        }
    }
}

static void clock_engine(struct adi_site *site)
{
    const bool flushing = *site->e.flush_req && *site->w.req;
    if (site->guide.steer != NULL) {
        *site->e.enable = site->guide.runs(site->guide.self);
        pins_settle(&site->engine);
        site->guide.steer(site->guide.self);
        if (*site->e.restart) {
            adi_exact_forget(&site->exact);
        }
    }
    pins_settle(&site->engine);
    follow_exactly(site);
    pins_seq(&site->engine);
    if (flushing) {
        pins_seq(&site->walk);
    }
    *site->e.valid = *site->e.flush_done = *site->e.kernel_start = 0;
    pins_settle(&site->engine); /* what its registers show from now on */
    if (flushing) {
        take_selectors(site);
        *site->w.req = *site->e.flush_req; /* the next flush may have to wait */
    }
}

/* ---- cycles ---- */

static bool counts_cycles(const struct adi_site *site)
{
    return *site->e.sub_phase == SUB_PHASE_BUSY ||
           (site->idle_in_cycles && *site->e.sub_phase == SUB_PHASE_IDLE);
}

bool adi_site_begin(void *self, uint64_t now, uint64_t skipped)
{
    struct adi_site *site = self;
    (void)skipped; /* the site knows its last cycle, for its messages */
    while (site->cycle + 1 < now && (site->guide.steer != NULL || counts_cycles(site))) {
        site->cycle++;
        clock_engine(site);
    }
    site->cycle = now;
    if (site->launching) {
        *site->e.kernel_start = 1;
        site->events = true;
        site->launching = false;
    }
    if (!*site->e.flush_req) {
        return true;
    }
    if (site->blocking && *site->w.req == 0 && site->cache.busy(site->cache.self)) {
        site->counters.drain_cycles++;
    } else {
        flush_cycle(site);
    }
    return false;
}

bool adi_site_end(void *self)
{
    struct adi_site *site = self;
    if (!site->events && !counts_cycles(site) && site->guide.steer == NULL) {
        return false;
    }
    clock_engine(site);
    if (lines_pending(site)) {
        clock_lines(site);
    }
    for (uint32_t i = 0; i < site->n_touched; i++) {
        compare_set(site, site->touched[i]);
    }
    site->n_touched = 0;
    site->events = false;
    return *site->e.sub_phase == SUB_PHASE_BUSY || site->guide.steer != NULL;
}

void adi_site_access(struct adi_site *site, uint64_t address, bool miss, bool global_write)
{
    *site->e.valid = 1;
    *site->e.miss = miss;
    *site->e.gwrite = global_write;
    *site->e.block = address >> BLOCK_SHIFT & site->block_mask;
    site->events = true;
}

void adi_site_kernel(struct adi_site *site, bool emptied)
{
    site->launching = true;
    if (!emptied) {
        return;
    }
    site->lines.backend->seq(site->lines.instance, site->lines.in, true);
    for (uint32_t set = 0; set < site->cache.sets; set++) {
        compare_set(site, set);
    }
}
