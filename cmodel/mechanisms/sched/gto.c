/* gto.c - the gto_sched unit in place of the machine's greedy-then-oldest scheduler
 * (wang2015 3.2): same choice, same ranks, so that a run with it tells whether unit and
 * machine agree. */
#include "mechanisms/sched/gto.h"

#include <stdio.h>

#include "mechanisms/instances.h"
#include "mechanisms/ports.h"

struct gto {
    uint32_t number, schedulers;
    struct unit_pins unit;
    uint64_t *warp_launch_valid, *warp_launch_wid, *warp_exit_valid, *warp_exit_wid, *ready;
    uint64_t *grant_valid, *grant_wid, *rank;
};

static void edge(struct gto *gto, uint64_t *valid, uint64_t *id, uint32_t slot)
{
    *gto->ready = 0; /* a launch or exit is no issue */
    *valid = 1;
    *id = slot / gto->schedulers;
    pins_comb(&gto->unit);
    pins_seq(&gto->unit);
    *valid = 0;
    pins_comb(&gto->unit);
}

static void launch(void *self, uint32_t slot)
{
    struct gto *gto = self;
    edge(gto, gto->warp_launch_valid, gto->warp_launch_wid, slot);
}

static void leave(void *self, uint32_t slot)
{
    struct gto *gto = self;
    edge(gto, gto->warp_exit_valid, gto->warp_exit_wid, slot);
}

static int pick(void *self, const struct sched_view *view)
{
    struct gto *gto = self;
    uint64_t ready = 0;
    if (view->issuable == 0) {
        return -1;
    }
    for (uint64_t left = view->issuable; left != 0; left &= left - 1) {
        ready |= UINT64_C(1) << ((uint32_t)__builtin_ctzll(left) / gto->schedulers);
    }
    *gto->ready = ready;
    pins_comb(&gto->unit);
    return *gto->grant_valid ? (int)(*gto->grant_wid * gto->schedulers + gto->number) : -1;
}

/* The machine issues what was granted: the clock edge of that cycle. */
static void issued(void *self, uint32_t slot)
{
    struct gto *gto = self;
    (void)slot;
    pins_seq(&gto->unit);
    *gto->ready = 0;
}

static uint32_t rank(void *self, uint32_t slot)
{
    struct gto *gto = self;
    pins_comb(&gto->unit);
    return (uint32_t)gto->rank[slot / gto->schedulers];
}

static int open_unit(struct mechanism_context *context, const struct core *core, struct gto *gto)
{
    const struct gpu_config *config = core_config(core);
    const struct pin_name in[] = {{&gto->warp_launch_valid, "warp_launch_valid"},
                                  {&gto->warp_launch_wid, "warp_launch_wid"},
                                  {&gto->warp_exit_valid, "warp_exit_valid"},
                                  {&gto->warp_exit_wid, "warp_exit_wid"},
                                  {&gto->ready, "ready"}};
    const struct pin_name out[] = {
        {&gto->grant_valid, "grant_valid"}, {&gto->grant_wid, "grant_wid"}, {&gto->rank, "rank"}};
    char where[48], overrides[16];
    snprintf(where, sizeof where, "sm%u.gto%u", core_id(core), gto->number);
    snprintf(overrides, sizeof overrides, "WARPS=%u",
             (config->sm_warps + gto->schedulers - 1) / gto->schedulers);
    return pins_open(context, &gto->unit, "gto_sched", overrides, where) != 0
               ? -1
               : pins_wire(context, &gto->unit, PINS(in), PINS(out));
}

/* All schedulers of an SM; `instance` has room for MAX_SCHEDULERS. */
static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct gto *gto = instance;
    const uint32_t schedulers = core_config(core)->sm_schedulers;
    for (uint32_t s = 0; s < schedulers; s++, gto++) {
        const struct sched_socket socket = {.self = gto,
                                            .warp_launch = launch,
                                            .warp_exit = leave,
                                            .pick = pick,
                                            .issued = issued,
                                            .rank = rank};
        gto->number = s;
        gto->schedulers = schedulers;
        if (open_unit(context, core, gto) != 0 ||
            plug_scheduler(core, &context->plug, s, &socket, NULL) != 0) {
            return -1;
        }
    }
    return 0;
}

static int attach(struct mechanism_context *context)
{
    return instances_of_cores(context, MAX_SCHEDULERS * sizeof(struct gto), attach_core) == NULL
               ? -1
               : 0;
}

int gto_below(struct mechanism_context *context)
{
    const struct core *core = machine_core(context->machine, 0);
    return plug_owner(core, SEAM_SCHEDULER) != NULL ? 0 : attach(context);
}

static const struct mechanism_part parts[] = {{"gto", "gto_sched"}};

const struct mechanism mechanism_gto = {
    .name = "gto",
    .title = "warp scheduler: the gto_sched unit in place of the machine's GTO",
    .document = "wang2015",
    .section = "3.2",
    MECHANISM_PARTS(parts),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
