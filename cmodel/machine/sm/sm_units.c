/* sm_units.c - see sm_units.h. */
#include "machine/sm/sm_units.h"

#include "machine/sm/sm_staged.h"

static void add(struct units *units, const struct operands *operands, enum issue_class kind,
                uint32_t n)
{
    for (uint32_t unit = 0; operands->out[kind].n && unit < n; unit++) {
        units->unit[units->n].part = (uint8_t)(operands->parts > 1 ? unit % operands->parts
                                                                   : MOST_PARTS);
        units->unit[units->n++].kind = (uint8_t)kind;
    }
}

void sm_units_init(struct units *units, const struct operands *operands, const struct gpu_config *c)
{
    units->n_buses = c->operands_result_buses;
    add(units, operands, CLASS_SP, c->pipe_fp32_units);
    add(units, operands, CLASS_DP, c->pipe_fp64_units);
    add(units, operands, CLASS_INT, c->pipe_int_units);
    add(units, operands, CLASS_SFU, c->pipe_sfu_units);
    add(units, operands, CLASS_BRANCH, c->pipe_branch_units);
}

static uint64_t later(uint64_t bits, uint64_t cycles)
{
    return cycles < 64 ? bits >> cycles : 0;
}

/* Bit 0 stands for this cycle. */
static void shift(struct units *units, uint64_t now)
{
    const uint64_t cycles = now - units->shifted;

    if (!cycles) {
        return;
    }
    for (uint32_t b = 0; b < units->n_buses; b++) {
        units->busy[b] = later(units->busy[b], cycles);
    }
    for (uint32_t u = 0; u < units->n; u++) {
        units->unit[u].ending = later(units->unit[u].ending, cycles);
    }
    units->shifted = now;
}

/* A bus that is free in those cycles, or NULL. */
static uint64_t *free_bus(struct units *units, uint64_t cycle_bit)
{
    for (uint32_t b = 0; b < units->n_buses; b++) {
        if (!(units->busy[b] & cycle_bit)) {
            return &units->busy[b];
        }
    }
    return NULL;
}

static void try_unit(struct sm *sm, struct units *units, struct unit *unit)
{
    struct operands *operands = &sm->staged->operands;
    const struct staged *oldest = sm_operands_oldest(operands, (enum issue_class)unit->kind,
                                                     unit->part);
    uint32_t latency, interval;
    uint64_t cycle_bit, *bus;
    struct staged op;

    if (!oldest) {
        return;
    }
    shift(units, sm->now);
    latency = sm->pipes.latency[oldest->pipe];
    interval = sm->pipes.interval[oldest->pipe];
    cycle_bit = UINT64_C(1) << latency;
    bus = unit->ending & cycle_bit ? NULL : free_bus(units, cycle_bit);
    if (!bus) {
        return;
    }
    *bus |= cycle_bit;
    unit->ending |= cycle_bit;
    unit->free_at = sm->now + interval;
    op = sm_operands_take(operands, (enum issue_class)unit->kind, unit->part);
    sm->progress = true;
    sm->warps.inflight[op.slot]--; /* counted by the wheel from here on */
    sm_wheel_add(sm, sm->now + latency + 2, WHEEL_ARITH, op.slot, op.pc, NULL);
}

/* Is an instruction for a unit behind the collectors? */
static bool any_waits(const struct operands *operands)
{
    return operands->leaving & ~(UINT32_C(1) << CLASS_MEM);
}

void sm_units_step(struct sm *sm)
{
    struct units *units = &sm->staged->units;
    const struct operands *operands = &sm->staged->operands;

    for (uint32_t u = 0; u < units->n && any_waits(operands); u++) {
        struct unit *unit = &units->unit[u];

        if ((operands->leaving >> unit->kind & 1) && unit->free_at <= sm->now) {
            try_unit(sm, units, unit);
        }
    }
}

uint64_t sm_units_next(const struct sm *sm)
{
    const struct units *units = &sm->staged->units;
    uint64_t next = CYCLE_NEVER;

    if (!any_waits(&sm->staged->operands)) {
        return next;
    }
    for (uint32_t u = 0; u < units->n; u++) {
        const struct unit *unit = &units->unit[u];

        if (sm_operands_oldest(&sm->staged->operands, (enum issue_class)unit->kind, unit->part)) {
            next = cycle_earlier(next, units->unit[u].free_at);
        }
    }
    return next;
}
