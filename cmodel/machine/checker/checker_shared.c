/* checker_shared.c - races and first reads in a block's shared memory.
 *
 * Warps carry vector clocks: an arrival at a barrier hands on what the warp has seen, and who leaves
 * the barrier has seen it.  An access that the clock of the present warp does not reach is unordered
 * with it.  Lanes of one warp are in order where they run in step; where they need not, from one
 * synchronisation of the warp's lanes to the next.  After the PTX ISA manual, "Memory Consistency
 * Model", "Parallel Synchronization and Communication Instructions".  See checker_private.h.
 */
#include <string.h>

#include "machine/checker/checker_private.h"

/* One access of one lane, while it is looked at. */
struct now {
    const struct checker_shared *shared;
    struct checker_block *block;
    uint32_t warp, lane, pc;
    bool strong;
};

static void join(uint32_t *to, const uint32_t *from)
{
    for (uint32_t w = 0; w < CHECKER_WARPS; w++) {
        to[w] = to[w] > from[w] ? to[w] : from[w];
    }
}

/* Those who leave a barrier first close its generation: later arrivals are of the next. */
void checker_released(struct checker_block *block, uint32_t n)
{
    struct checker_warp *warp = &block->warp[n];
    struct checker_barrier *barrier;

    if (!warp->waits_at) {
        return;
    }
    barrier = &block->barrier[warp->waits_at - 1];
    if (barrier->generation == warp->generation) {
        barrier->generation++;
        memcpy(barrier->seen[barrier->generation % 2], barrier->seen[warp->generation % 2],
               sizeof barrier->seen[0]);
    }
    join(warp->seen, barrier->seen[warp->generation % 2]);
    warp->waits_at = 0;
}

void checker_arrives(struct checker_block *block, uint32_t n, const struct isa_step *step)
{
    struct checker_warp *warp = &block->warp[n];
    struct checker_barrier *barrier = &block->barrier[step->barrier % CHECKER_BARRIERS];

    warp->seen[n] = warp->clock;
    join(barrier->seen[barrier->generation % 2], warp->seen);
    warp->clock++;
    warp->epoch++;
    if (!step->barrier_arrive_only) {
        warp->waits_at = 1u + step->barrier % CHECKER_BARRIERS;
        warp->generation = barrier->generation;
    }
}

static bool ordered(const struct now *now, const struct checker_access *before)
{
    const struct checker_warp *warp = &now->block->warp[now->warp];
    uint32_t other = before->thread / ISA_LANES;

    if (before->clock == 0 || before->filled || (before->strong && now->strong)) {
        return true;
    }
    if (other != now->warp) {
        return before->clock <= warp->seen[other];
    }
    return !now->shared->launch->lanes_apart || before->thread % ISA_LANES == now->lane ||
           before->epoch < warp->epoch;
}

static struct checker_access access_of(const struct now *now)
{
    const struct checker_warp *warp = &now->block->warp[now->warp];

    return (struct checker_access){.clock = warp->clock,
                                   .epoch = warp->epoch,
                                   .pc = now->pc,
                                   .thread = (uint16_t)(now->warp * ISA_LANES + now->lane),
                                   .strong = now->strong};
}

static struct checker_place place_of(const struct now *now)
{
    return (struct checker_place){.launch = now->shared->launch,
                                  .pc = now->pc,
                                  .cta = now->block->id,
                                  .thread = now->warp * ISA_LANES + now->lane};
}

static void say_race(const struct now *now, uint64_t address, const struct checker_access *other,
                     const char *did)
{
    const struct isa_launch *launch = now->shared->launch;
    const struct isa_inst *inst = &launch->kernel->inst[now->pc];
    struct checker_place place = place_of(now);
    struct isa_dim3 t = checker_thread(launch, other->thread);
    char line[192];

    if (!checker_new(now->shared->report, CHECKER_RACE, &place, other->pc, 1u)) {
        return;
    }
    checker_line(launch->kernel, other->pc, line, sizeof line);
    checker_say(now->shared->report, CHECKER_RACE, &place,
                "%u-byte %s at 0x%llx of shared memory, which thread (%u,%u,%u) %s at %s with no "
                "barrier between",
                inst->bytes, checker_verb(inst), (unsigned long long)address, t.x, t.y, t.z, did,
                line);
}

/* The lane's bytes against what others did to them. */
static void look(const struct now *now, uint64_t address, uint32_t bytes, bool writes)
{
    for (uint64_t at = address; at < address + bytes; at++) {
        const struct checker_cell *cell = &now->block->cell[at];
        const struct checker_access *unordered = NULL;

        if (!ordered(now, &cell->write)) {
            say_race(now, address, &cell->write, "wrote");
            return;
        }
        for (uint32_t r = 0; r < CHECKER_READERS && writes; r++) {
            unordered = ordered(now, &cell->read[r]) ? unordered : &cell->read[r];
        }
        if (unordered) {
            say_race(now, address, unordered, "read");
            return;
        }
    }
}

static void look_written(const struct now *now, uint64_t address, uint32_t bytes)
{
    struct checker_place place = place_of(now);
    uint64_t at = address;

    while (at < address + bytes && now->block->cell[at].write.clock) {
        at++;
    }
    if (at < address + bytes &&
        checker_new(now->shared->report, CHECKER_INIT, &place, UINT32_MAX, 1u)) {
        checker_say(
            now->shared->report, CHECKER_INIT, &place,
            "%u-byte load at 0x%llx of shared memory, of which byte 0x%llx was never written",
            bytes, (unsigned long long)address, (unsigned long long)at);
    }
}

static void note_read(struct checker_cell *cell, struct checker_access access)
{
    uint32_t last = cell->read[0].thread;

    if (cell->read[0].clock && last / ISA_LANES != access.thread / ISA_LANES) {
        cell->read[2] = cell->read[0];
        cell->read[1] = (struct checker_access){0};
    } else if (cell->read[0].clock && last != access.thread) {
        cell->read[1] = cell->read[0];
    }
    cell->read[0] = access;
}

static void note(const struct now *now, uint64_t address, uint32_t bytes, bool writes)
{
    struct checker_access access = access_of(now);

    for (uint64_t at = address; at < address + bytes; at++) {
        if (writes) {
            now->block->cell[at].write = access;
        } else {
            note_read(&now->block->cell[at], access);
        }
    }
}

/* Lanes of one store to the same byte: no order says which value stays. */
static void look_within(const struct now *now, const struct isa_memop *memop)
{
    const uint32_t bytes = memop->inst->bytes;
    struct now first = *now;

    for (uint32_t rest = memop->mask; rest; rest &= rest - 1) {
        uint32_t a = (uint32_t)__builtin_ctz(rest);

        for (uint32_t others = rest & (rest - 1); others; others &= others - 1) {
            uint32_t b = (uint32_t)__builtin_ctz(others);
            struct checker_access other;

            if (memop->addr[a] != memop->addr[b] ||
                memcmp(memop->data[a], memop->data[b], bytes) == 0) {
                continue;
            }
            first.lane = b;
            other = access_of(&first);
            first.lane = a;
            say_race(&first, memop->addr[a], &other, "wrote with another value");
            return;
        }
    }
}

void checker_shared_filled(struct checker_block *block, uint64_t address, uint64_t bytes)
{
    for (uint64_t at = address; at < address + bytes && at < block->n_cells; at++) {
        block->cell[at] = (struct checker_cell){.write = {.clock = 1, .filled = true}};
    }
}

void checker_shared_access(const struct checker_shared *shared, struct checker_block *block,
                           uint32_t n, uint32_t pc, const struct isa_memop *memop)
{
    const uint32_t bytes = memop->inst->bytes, access = memop->inst->access;
    const bool writes = access != ISA_ACCESS_LOAD;
    struct now now = {
        .shared = shared, .block = block, .warp = n, .pc = pc, .strong = shared->order[pc].strong};

    for (uint32_t rest = memop->mask; rest; rest &= rest - 1) {
        now.lane = (uint32_t)__builtin_ctz(rest);
        if (shared->what & CHECKER_RACE) {
            look(&now, memop->addr[now.lane], bytes, writes);
        }
        if (shared->what & CHECKER_INIT && access != ISA_ACCESS_STORE) {
            look_written(&now, memop->addr[now.lane], bytes);
        }
    }
    if (shared->what & CHECKER_RACE && access == ISA_ACCESS_STORE && !now.strong) {
        look_within(&now, memop);
    }
    for (uint32_t rest = memop->mask; rest; rest &= rest - 1) {
        now.lane = (uint32_t)__builtin_ctz(rest);
        note(&now, memop->addr[now.lane], bytes, writes);
    }
}
