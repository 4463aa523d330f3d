/* gto_unit.c - the gto_sched unit in place of the machine's greedy-then-oldest scheduler
 * (wang2015 3.2): same choice, same ranks, so that a run with it tells whether unit and
 * machine agree. */
#include <stdio.h>

#include "mechanisms/ports.h"
#include "mechanisms/sched/wang2015.h"

struct gto {
    uint32_t number, schedulers;
    struct unit_pins unit;
    uint64_t *launch_v, *launch_id, *exit_v, *exit_id, *ready;
    uint64_t *grant_v, *grant_id, *rank;
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
    edge(gto, gto->launch_v, gto->launch_id, slot);
}

static void leave(void *self, uint32_t slot)
{
    struct gto *gto = self;
    edge(gto, gto->exit_v, gto->exit_id, slot);
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
    return *gto->grant_v ? (int)(*gto->grant_id * gto->schedulers + gto->number) : -1;
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

static int attach_one(struct mechanism_context *context, struct sm *sm, uint32_t number)
{
    const uint32_t schedulers = sm->config->sm_schedulers;
    char where[48], overrides[16];
    struct gto *gto = mechanism_keep(context, sizeof *gto);
    if (gto == NULL) {
        return -1;
    }
    gto->number = number;
    gto->schedulers = schedulers;
    const struct pin_name in[] = {{&gto->launch_v, "launch_v"},
                                  {&gto->launch_id, "launch_id"},
                                  {&gto->exit_v, "exit_v"},
                                  {&gto->exit_id, "exit_id"},
                                  {&gto->ready, "ready"}};
    const struct pin_name out[] = {
        {&gto->grant_v, "grant_v"}, {&gto->grant_id, "grant_id"}, {&gto->rank, "rank"}};
    snprintf(where, sizeof where, "sm%u.gto%u", sm->id, number);
    snprintf(overrides, sizeof overrides, "NW=%u",
             (sm->config->sm_warps + schedulers - 1) / schedulers);
    if (pins_open(context, &gto->unit, "gto_sched", overrides, where) != 0 ||
        pins_in(context, &gto->unit, in, sizeof in / sizeof *in) != 0 ||
        pins_out(context, &gto->unit, out, sizeof out / sizeof *out) != 0) {
        return -1;
    }
    sm->sockets.sched[number] = (struct sched_socket){.self = gto,
                                                      .warp_launch = launch,
                                                      .warp_exit = leave,
                                                      .pick = pick,
                                                      .issued = issued,
                                                      .rank = rank};
    return 0;
}

/* Does anything else than the machine schedule already? */
static bool taken(const struct gpu *gpu)
{
    return gpu->sm[0].sockets.sched[0].self != gpu->sm[0].base_self[2];
}

/* `argument` is not used. */
int attach_gto(struct mechanism_context *context, const char *argument)
{
    (void)argument;
    if (taken(context->gpu)) {
        snprintf(context->error, context->n_error,
                 "gto-unit replaces the machine's scheduler: name it before the others in -m");
        return -1;
    }
    for (uint32_t i = 0; i < context->gpu->n_sms; i++) {
        struct sm *sm = &context->gpu->sm[i];
        for (uint32_t s = 0; s < sm->config->sm_schedulers; s++) {
            if (attach_one(context, sm, s) != 0) {
                return -1;
            }
        }
    }
    return 0;
}

int gto_below(struct mechanism_context *context)
{
    return taken(context->gpu) ? 0 : attach_gto(context, "");
}
