/* sm_view.c - an SM as a mechanism sees it: see machine/plug/view.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/plug/sockets_base.h"
#include "machine/plug/view.h"
#include "machine/sm/sm_l1d.h"
#include "machine/sm/sm_private.h"

static const struct sm *sm_of(const struct core *core)
{
    return (const struct sm *)core;
}

static struct sm *sm_to_change(struct core *core)
{
    return (struct sm *)core;
}

struct sm_sockets *core_sockets(struct core *core)
{
    return &sm_to_change(core)->sockets;
}

int core_own_schedulers(struct core *core)
{
    return base_sm_schedulers(core_sockets(core), sm_of(core)->config);
}

/* ---- what there is to read ---- */

uint32_t core_id(const struct core *core)
{
    return sm_of(core)->id;
}

const struct gpu_config *core_config(const struct core *core)
{
    return sm_of(core)->config;
}

uint64_t core_now(const struct core *core)
{
    return sm_of(core)->now;
}

uint64_t core_next_cycle(const struct core *core)
{
    return sm_of(core)->last_step;
}

struct core_warps core_warps(const struct core *core)
{
    const struct sm *sm = sm_of(core);

    return (struct core_warps){.resident = sm->warps.resident,
                               .load = sm->warps.wait_load,
                               .barrier = sm->warps.wait_barrier,
                               .draining = sm->warps.drain_barrier,
                               .fence = sm->warps.wait_fence,
                               .fetch = sm->warps.wait_fetch,
                               .done = sm->warps.done,
                               .memory_next = sm->warps.pipe_next[ISA_PIPE_MEM]};
}

uint64_t core_slots_of(const struct core *core, uint32_t number)
{
    return sm_of(core)->issue.sched_mask[number];
}

bool core_on_hold(const struct core *core)
{
    return sm_of(core)->issue.hold;
}

const struct isa_warp *core_warp(const struct core *core, uint32_t slot)
{
    return sm_of(core)->warps.at[slot];
}

const struct isa_kernel *core_kernel(const struct core *core)
{
    return sm_of(core)->facts->launch->kernel;
}

uint32_t core_warps_per_cta(const struct core *core)
{
    return sm_of(core)->facts->warps_per_cta;
}

uint32_t core_most_ctas(const struct core *core)
{
    return sm_of(core)->facts->ctas_per_sm;
}

uint64_t core_grid_ctas(const struct core *core)
{
    const struct isa_dim3 *grid = &sm_of(core)->facts->launch->grid;
    return (uint64_t)grid->x * grid->y * grid->z;
}

size_t core_warp_bytes(const struct core *core)
{
    return sm_of(core)->facts->launch->warp_bytes;
}

uint32_t core_register_words(const struct core *core)
{
    return sm_of(core)->facts->words;
}

bool core_warps_copyable(const struct core *core)
{
    return sm_of(core)->facts->launch->copyable;
}

uint32_t core_in_flight(const struct core *core, uint32_t slot)
{
    return sm_of(core)->warps.inflight[slot];
}

uint32_t core_loads(const struct core *core, uint32_t slot)
{
    return sm_of(core)->warps.loads[slot];
}

uint32_t core_stores(const struct core *core, uint32_t slot)
{
    return sm_of(core)->warps.stores[slot];
}

const struct cache *core_l1d(const struct core *core)
{
    return &sm_of(core)->l1d;
}

const struct mshr_file *core_mshrs(const struct core *core)
{
    return &sm_of(core)->mshr;
}

uint32_t core_waiter_slot(const struct mem_inst *waiter)
{
    return waiter->slot;
}

uint32_t core_set_of(const struct core *core, uint64_t block)
{
    const struct index_socket *index = &sm_of(core)->sockets.index;

    return index->set(index->self, block);
}

uint32_t core_rank(const struct core *core, uint32_t number, uint32_t slot)
{
    const struct sched_socket *sched = &sm_of(core)->sockets.sched[number];

    return sched->rank(sched->self, slot);
}

bool core_port_room(const struct core *core, uint32_t n)
{
    return sm_port_room(sm_of(core), n);
}

const struct sm_stats *core_stats(const struct core *core)
{
    return &sm_of(core)->stats;
}

uint64_t core_replay_taken(const struct core *core)
{
    return sm_of(core)->replay.taken;
}

uint64_t core_replay_stall_cycles(const struct core *core)
{
    return sm_of(core)->replay.stall_cycles;
}

/* ---- what may be asked for ---- */

void core_recheck(struct core *core, uint32_t slot)
{
    sm_update_warp(sm_to_change(core), slot);
}

void core_restore_warp(struct core *core, uint32_t slot, const void *state)
{
    struct sm *sm = sm_to_change(core);

    memcpy(sm->warps.at[slot], state, sm->facts->launch->warp_bytes);
}

struct cache_line *core_protocol_line(struct core *core, uint32_t line)
{
    return &sm_to_change(core)->l1d.line[line];
}

void core_drop_line(struct core *core, uint32_t set, uint32_t way)
{
    struct sm *sm = sm_to_change(core);
    const struct policy_socket *policy = &sm->sockets.policy;

    OBSERVE(sm->sockets, line, sm->id, set, way, LINE_DROP, false);
    cache_invalidate(&sm->l1d, set, way);
    if (policy->invalidate) {
        policy->invalidate(policy->self, set, way);
    }
}

void core_write_back(struct core *core, uint32_t set, uint32_t way)
{
    sm_l1d_write_back(sm_to_change(core), set, way);
}

void core_flush_set(struct core *core, uint32_t set)
{
    sm_l1d_flush_set(sm_to_change(core), set);
}

void core_refuse(struct core *core, const char *format, ...)
{
    struct sm *sm = sm_to_change(core);
    va_list more;
    int used;

    if (sm->faulted) {
        return;
    }
    used = snprintf(sm->fault, sizeof sm->fault,
                    "kernel %s, SM %u: ", sm->facts->launch->kernel->name, sm->id);
    if (used < (int)sizeof sm->fault) {
        va_start(more, format);
        vsnprintf(sm->fault + used, sizeof sm->fault - (size_t)used, format, more);
        va_end(more);
    }
    sm->faulted = true;
}

void core_operand(const struct core *core, uint32_t slot, uint32_t pc, uint32_t k,
                  uint64_t value[ISA_LANES])
{
    const struct isa_launch *launch = sm_of(core)->facts->launch;

    launch->operand(launch->self, sm_of(core)->warps.at[slot], pc, k, value);
}

bool core_shows_operands(const struct core *core)
{
    const struct isa_launch *launch = sm_of(core)->facts->launch;

    return launch->operand && launch->kernel->shape;
}

bool core_is_allocated(const struct core *core, uint64_t address, uint32_t bytes)
{
    uint32_t hint = 0;
    const struct memory_buffer *buffer = memory_find(sm_of(core)->memory, address, &hint);

    return buffer && address - buffer->base < buffer->bytes &&
           buffer->bytes - (address - buffer->base) >= bytes;
}
