/* sass_launch_step.c - one step of a warp: what its record does.  See sass_launch.h. */
#include "sass/sass_launch_private.h"

#include <stdio.h>

static uint64_t local_address(const struct sass_kernel *kernel, const struct warp *warp,
                              uint32_t lane, uint64_t address)
{
    const uint64_t offset = sass_local_offset(&kernel->header, address) - kernel->local_low;
    const uint64_t granule = kernel->local_granule_bytes;

    if (warp->local_threads) {
        return kernel->local_base + offset % granule +
               (offset / granule * warp->local_threads + warp->local_thread + lane) * granule;
    }
    return isa_local_address(kernel->local_base, kernel->local_granule_bytes, kernel->local_bytes,
                             warp->number, lane, offset);
}

/* The lanes of `mask` that access memory in the space of the first of them. */
static uint32_t same_space(const struct sass_kernel *kernel, enum isa_space named,
                           const struct sass_record *record, uint32_t mask, uint8_t *space)
{
    uint32_t lanes = 0;

    *space = (uint8_t)sass_space_of(&kernel->header, named, record->address[__builtin_ctz(mask)]);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);

        if (sass_space_of(&kernel->header, named, record->address[lane]) == *space) {
            lanes |= UINT32_C(1) << lane;
        }
    }
    return lanes;
}

static uint32_t with_address(const struct isa_inst *inst, const struct sass_record *record,
                             uint32_t mask)
{
    uint32_t lanes = 0;

    for (uint32_t left = record->addressed ? mask : 0; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);

        lanes |= (uint32_t)sass_is_access(inst->space, record->address[lane]) << lane;
    }
    return lanes;
}

/* One access, of one space; what is left of a generic one stays pending. */
static void access_memory(const struct sass_kernel *kernel, struct warp *warp,
                          const struct isa_inst *inst, const struct sass_record *record,
                          struct isa_step *step, struct isa_memop *memop)
{
    uint32_t mask = warp->pending ? warp->pending : record->mask & warp->isa.live;
    uint32_t lanes = with_address(inst, record, mask);
    uint8_t space = inst->space == ISA_SPACE_GENERIC ? ISA_SPACE_GLOBAL : inst->space;

    warp->pending = 0;
    if (lanes && inst->space == ISA_SPACE_GENERIC) {
        uint32_t others = lanes;

        lanes = same_space(kernel, ISA_SPACE_GENERIC, record, lanes, &space);
        warp->pending = others & ~lanes;
        mask &= ~warp->pending;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t address = record->address[lane];

        memop->addr[lane] = space == ISA_SPACE_GLOBAL  ? address & SASS_ADDRESS_MASK
                            : space == ISA_SPACE_LOCAL ? local_address(kernel, warp, lane, address)
                                                       : address;
    }
    memop->inst = inst;
    memop->space = space;
    memop->mask = lanes;
    step->active = mask;
    step->kind = space == ISA_SPACE_SHARED ? ISA_STEP_SHARED : ISA_STEP_MEMORY;
}

static void fault(const struct sass_launch *launch, struct isa_step *step)
{
    step->kind = ISA_STEP_FAULT;
    snprintf(step->fault, sizeof step->fault, "%s", launch->reader.in->error);
}

/* A barrier with its number, or what goes on without the warp. */
static void take_aside(const struct sass_kernel *kernel, struct warp *warp,
                       const struct isa_inst *inst, const struct sass_record *record,
                       struct isa_step *step, struct isa_memop *memop)
{
    const struct isa_async *aside = &record->aside;

    if (inst->pipe == ISA_PIPE_BARRIER) {
        step->kind = ISA_STEP_BARRIER;
        step->barrier = aside->units;
        step->barrier_threads = aside->count;
        step->barrier_arrive_only = aside->commits;
        return;
    }
    if (aside->kind == ISA_ASYNC_STORE) {
        access_memory(kernel, warp, inst, record, step, memop);
        for (uint32_t left = memop->mask; left; left &= left - 1) {
            memop->addr[__builtin_ctz(left)] &= (1 << 24) - 1; /* without the rank */
        }
    }
    step->kind = ISA_STEP_ASYNC;
    step->async = *aside;
}

/* What the record does to memory, to a barrier, or by itself. */
static void perform(const struct sass_kernel *kernel, struct warp *warp,
                    const struct isa_inst *inst, const struct sass_record *record,
                    struct isa_step *step, struct isa_memop *memop)
{
    const bool alone = inst->pipe == ISA_PIPE_BARRIER || kernel->asynchronous;

    if (record->has_aside && alone) {
        take_aside(kernel, warp, inst, record, step, memop);
    } else if (record->mask && inst->access != ISA_ACCESS_NONE) {
        access_memory(kernel, warp, inst, record, step, memop);
    } else if (record->mask && inst->pipe == ISA_PIPE_BARRIER) {
        step->kind = ISA_STEP_BARRIER;
    } else if (record->mask && inst->pipe == ISA_PIPE_FENCE) {
        step->kind = ISA_STEP_FENCE;
    }
}

void sass_warp_step(void *self, struct isa_warp *isa, uint64_t cycle, struct isa_step *step,
                    struct isa_memop *memop)
{
    struct sass_launch *launch = self;
    struct warp *warp = (struct warp *)isa;
    struct sass_record record; /* large: only what is there is taken out */
    const struct isa_inst *inst;
    const uint8_t *behind;

    (void)cycle;
    if (!warp->block || warp->failed) {
        fault(launch, step);
        return;
    }
    record.mask = warp->mask;
    behind = sass_unpack(warp->at, &record);
    inst = &launch->kernel->isa.inst[launch->program->number_of[record.entry]];
    step->kind = ISA_STEP_DONE;
    step->active = record.mask & isa->live;
    perform(launch->kernel, warp, inst, &record, step, memop);
    step->scope = inst->scope;
    if (inst->is_exit) {
        isa->live &= ~record.mask;
    }
    if (warp->pending) {
        return;
    }
    warp->mask = record.mask;
    warp->at = behind;
    sass_look_ahead(launch, warp);
}
