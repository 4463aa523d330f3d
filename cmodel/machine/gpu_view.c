/* gpu_view.c - the machine as a mechanism sees it: see machine/plug/view.h. */
#include "machine/gpu_private.h"
#include "machine/memory/allocations.h"
#include "machine/plug/view.h"

static const struct gpu *gpu_of(const struct machine *machine)
{
    return (const struct gpu *)machine;
}

static struct gpu *gpu_to_change(struct machine *machine)
{
    return (struct gpu *)machine;
}

struct machine *machine_of(struct gpu *gpu)
{
    return (struct machine *)gpu;
}

struct machine_sockets *machine_sockets(struct machine *machine)
{
    return &gpu_to_change(machine)->sockets;
}

struct dispatch_socket *machine_dispatch(struct machine *machine)
{
    return &gpu_to_change(machine)->dispatch;
}

struct placement_socket *machine_placement(struct machine *machine)
{
    return &gpu_to_change(machine)->placement;
}

const struct gpu_config *machine_config(const struct machine *machine)
{
    return &gpu_of(machine)->config;
}

struct gpu_config *machine_settings(struct machine *machine)
{
    return &gpu_to_change(machine)->config;
}

uint32_t machine_cores(const struct machine *machine)
{
    return gpu_of(machine)->n_sms;
}

struct core *machine_core(struct machine *machine, uint32_t number)
{
    return (struct core *)sm_at(gpu_to_change(machine)->sm, number);
}

uint32_t machine_banks(const struct machine *machine)
{
    return gpu_of(machine)->n_banks;
}

struct bank *machine_bank(struct machine *machine, uint32_t number)
{
    return (struct bank *)&gpu_to_change(machine)->bank[number];
}

struct machine_pages machine_pages(const struct machine *machine)
{
    const struct pages *pages = &gpu_of(machine)->pages;

    return (struct machine_pages){.gpu = pages->held[MEMORY_NODE_GPU],
                                  .host = pages->held[MEMORY_NODE_HOST]};
}

uint64_t machine_now(const struct machine *machine)
{
    return gpu_of(machine)->now;
}

bool machine_allocation(const struct machine *machine, uint32_t i, uint64_t *base, uint64_t *limit)
{
    const struct allocations *told = gpu_of(machine)->allocations;
    const struct memory_buffer *buffer = memory_buffer_at(gpu_of(machine)->memory, i);

    if (told) {
        *base = i < told->n ? told->at[i].base : 0;
        *limit = i < told->n ? told->at[i].limit : 0;
        return i < told->n;
    }
    if (!buffer) {
        return false;
    }
    *base = buffer->base;
    *limit = buffer->base + buffer->bytes;
    return true;
}

uint32_t machine_bank_of(const struct machine *machine, uint64_t block)
{
    return l2_bank_of(&gpu_of(machine)->config, block);
}

void machine_wake_core(struct machine *machine, uint32_t number, uint64_t cycle)
{
    uint64_t *wake = &gpu_to_change(machine)->sm_wake[number];

    *wake = cycle < *wake ? cycle : *wake;
}

void machine_needs_values(struct machine *machine, const char *mechanism)
{
    gpu_to_change(machine)->compares_values = mechanism;
}
