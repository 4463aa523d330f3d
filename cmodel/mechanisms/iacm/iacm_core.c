/* iacm_core.c - the cycle of an SM's IACM: what is issued goes to search, idle phase and control, these
 * say what the indexing engine does (aci 3.14).  See iacm.h; the units are opened in iacm_open.c.
 *
 * The units count cycles, so that none is left out while warps are resident.  Cycles in which the SM is
 * not stepped at all (it has no warps) are made up for with nothing issued. */
#include "mechanisms/iacm/iacm_open.h"

enum { PHASE_IDLE = 2 };

/* `warps` is the limit from `cycle` on. */
static void note_count(struct iacm *iacm, uint64_t cycle, uint32_t warps)
{
    struct iacm_counters *n = &iacm->counters;
    if (iacm->limits.warps != warps) {
        if (n->moves < IACM_MOVES) {
            iacm->move[n->moves] = (struct iacm_move){cycle, warps};
        }
        n->moves++;
        iacm->limits.warps = warps;
    }
}

static uint64_t issued_now(struct iacm *iacm)
{
    const uint64_t all = core_stats(iacm->core)->thread_instructions, now = all - iacm->issued;
    iacm->issued = all;
    return now;
}

static void count(struct iacm *iacm)
{
    struct iacm_counters *n = &iacm->counters;
    n->cycles[*iacm->c.phase]++;
    n->settled += *iacm->c.settled;
    n->searches += *iacm->s.done;
    n->near_searches += *iacm->s.goto_idle;
    n->retriggers += *iacm->i.retrigger;
    n->periods += *iacm->s.better | *iacm->s.worse;
    n->limit_cycles += iacm->limits.warps;
}

/* One cycle of search, idle phase and control, whose engine is in `sub_phase`. */
static void clock_units(struct iacm *iacm, uint64_t sub_phase, uint64_t idle_done)
{
    const uint64_t insns = issued_now(iacm);
    *iacm->s.insn_inc = *iacm->i.insn_inc = *iacm->c.insn_inc = insns;
    *iacm->s.phase_awl = *iacm->c.phase_awl;
    *iacm->i.phase_idle = *iacm->c.phase_idle;
    pins_settle(&iacm->search);
    pins_settle(&iacm->idle);
    *iacm->c.sub_phase = sub_phase;
    *iacm->c.idle_done = idle_done;
    *iacm->c.awl_done = *iacm->s.done;
    *iacm->c.goto_idle = *iacm->s.goto_idle;
    *iacm->c.retrigger = *iacm->i.retrigger;
    pins_settle(&iacm->control);
    count(iacm);
    if (iacm->adi) {
        *iacm->site.e.restart = *iacm->c.restart;
        *iacm->site.e.stay_idle = *iacm->c.stay;
    }
    pins_seq(&iacm->search);
    pins_seq(&iacm->idle);
    pins_seq(&iacm->control);
    *iacm->s.kernel_start = *iacm->i.kernel_start = *iacm->c.kernel_start = 0;
    pins_settle(&iacm->search); /* what their registers show from now on */
    pins_settle(&iacm->control);
    if (iacm->awl) {
        const uint64_t cycle = iacm->adi ? iacm->site.cycle : iacm->cycle;
        note_count(iacm, cycle + 1, (uint32_t)*iacm->s.nc);
    }
}

static bool engine_runs(void *self)
{
    const struct iacm *iacm = self;
    return *iacm->c.adi_enable;
}

static void steer_engine(void *self)
{
    struct iacm *iacm = self;
    clock_units(iacm, *iacm->site.e.sub_phase, *iacm->site.e.idle_done);
}

const struct adi_guide iacm_guide = {NULL, engine_runs, steer_engine};

/* ---- cycles ---- */

static bool begin(void *self, uint64_t now, uint64_t skipped)
{
    struct iacm *iacm = self;
    bool open = true;
    if (iacm->adi) {
        open = adi_site_begin(&iacm->site, now, skipped);
    } else {
        while (iacm->cycle + 1 < now) {
            iacm->cycle++;
            clock_units(iacm, 0, 0);
        }
    }
    iacm->cycle = now;
    if (iacm->launching) {
        *iacm->s.kernel_start = *iacm->i.kernel_start = *iacm->c.kernel_start = 1;
        *iacm->s.nt = limits_resident(iacm->core, iacm->n_cores);
        iacm->launching = false;
    }
    return open;
}

static bool end(void *self)
{
    struct iacm *iacm = self;
    if (iacm->adi) {
        return adi_site_end(&iacm->site);
    }
    clock_units(iacm, 0, 0);
    return true;
}

static void kernel_start(void *self, uint32_t sm)
{
    struct iacm *iacm = self;
    (void)sm;
    iacm->launching = true;
}

int iacm_core_join(struct mechanism_context *context, struct core *core, struct iacm *iacm,
                   const struct iacm_kind *kind)
{
    const struct observer observer = {.self = iacm, .kernel_start = kernel_start};
    const struct clocked_socket clock = {iacm, begin, end};
    iacm->core = core;
    iacm->adi = kind->adi;
    iacm->awl = kind->awl;
    iacm->rpd = kind->rpd;
    iacm->n_cores = machine_cores(context->machine);
    if (iacm_open(context, iacm, kind) != 0) {
        return -1;
    }
    if (kind->rpd && rpd_join(context, core, &iacm->bypass) != 0) {
        return -1;
    }
    if (!kind->adi && !kind->awl) {
        return 0; /* nothing has phases */
    }
    return plug_observer(core, &context->plug, &observer) != 0
               ? -1
               : plug_clock(core, &context->plug, &clock);
}
