/* sass_launch.c - see sass_launch.h. */
#include "sass/sass_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/sass_pack.h"

/* A resident thread block. */
struct block {
    struct sass_packed packed;
    size_t begin[SASS_MAX_WARPS], end[SASS_MAX_WARPS];
    uint64_t first_warp; /* of the grid, for local memory */
    uint32_t live_warps; /* not ended */
};

struct sass_launch {
    const struct sass_kernel *kernel;
    struct sass_header again; /* the head, read over */
    struct sass_program *program;
    struct sass_reader reader;
    struct block *newest; /* the block whose warps are being started; theirs from then on */
    bool failed;          /* the input's error says why; every step is a fault */
};

struct warp {
    struct isa_warp isa; /* first: the machine sees only this */
    struct block *block;
    const uint8_t *at, *end;
    uint32_t mask;                        /* of the record before `at` */
    uint32_t pending;                     /* lanes of a generic access still to do; 0: none */
    uint64_t number;                      /* in the grid */
    uint64_t local_threads, local_thread; /* as the machine said; none: by the grid */
};

/* ---- reading a block ---- */

static int warp_begin(void *self, struct sass_input *in, uint32_t warp)
{
    struct block *block = ((struct sass_launch *)self)->newest;

    (void)in;
    sass_pack_begin(&block->packed);
    block->begin[warp] = block->packed.n;
    return 0;
}

static int executed(void *self, struct sass_input *in, const struct sass_executed *executed)
{
    struct sass_launch *launch = self;
    const struct sass_entry *entry = &launch->program->entry[executed->entry];
    bool addressed = executed->addressed && entry->inst.access != ISA_ACCESS_NONE;

    return sass_pack(&launch->newest->packed, entry->index, executed->mask,
                     addressed ? &executed->addresses : NULL) == 0
               ? 0
               : sass_fail(in, "out of memory for a thread block");
}

static int warp_end(void *self, struct sass_input *in, uint32_t warp)
{
    struct block *block = ((struct sass_launch *)self)->newest;

    (void)in;
    block->end[warp] = block->packed.n;
    return 0;
}

static void trim(struct sass_packed *packed)
{
    uint8_t *less = packed->n ? realloc(packed->bytes, packed->n) : NULL;

    if (less) {
        packed->bytes = less;
        packed->max = packed->n;
    }
}

static int read_block(struct sass_launch *launch)
{
    const struct sass_sink sink = {launch, warp_begin, executed, warp_end};
    const struct sass_header *head = &launch->kernel->header;
    const struct isa_dim3 *at = &launch->reader.block;
    int more;

    launch->newest = calloc(1, sizeof *launch->newest);
    if (!launch->newest) {
        return sass_fail(launch->reader.in, "out of memory for a thread block");
    }
    launch->newest->live_warps = head->warps;
    more = sass_read_block(&launch->reader, &sink);
    if (more == 0) {
        return sass_fail(launch->reader.in, "the file has changed since it was looked through; "
                                            "leave it alone while it runs");
    }
    trim(&launch->newest->packed);
    launch->newest->first_warp = (((uint64_t)at->z * head->grid.y + at->y) * head->grid.x + at->x) *
                                 head->warps;
    return more < 0 ? -1 : 0;
}

static void forget(struct block *block)
{
    if (block) {
        free(block->packed.bytes);
    }
    free(block);
}

/* ---- a warp's life ---- */

/* What comes next, or the end. */
static void look_ahead(struct warp *warp)
{
    uint32_t mask = warp->mask;

    warp->isa.done = warp->at == warp->end;
    if (warp->isa.done) {
        warp->isa.active = 0;
        return;
    }
    warp->isa.pc = sass_pack_peek(warp->at, &mask);
    warp->isa.active = mask;
}

static void warp_start(void *self, struct isa_warp *isa, const struct isa_warp_place *place)
{
    struct sass_launch *launch = self;
    struct warp *warp = (struct warp *)isa;
    uint32_t w = place->warp_in_cta;

    *warp = (struct warp){0}; /* the machine hands on what the slot held before */
    isa->live = sass_header_lanes(&launch->kernel->header, w);
    if (w == 0 && !launch->failed) {
        launch->failed = read_block(launch) != 0;
    }
    if (launch->failed) {
        return; /* pc 0: the first step is the fault */
    }
    warp->block = launch->newest;
    warp->at = warp->block->packed.bytes + warp->block->begin[w];
    warp->end = warp->block->packed.bytes + warp->block->end[w];
    warp->number = warp->block->first_warp + w;
    if (place->local_threads * launch->kernel->local_bytes <= launch->kernel->local_room) {
        warp->local_threads = place->local_threads;
        warp->local_thread = place->local_thread;
    }
    look_ahead(warp);
}

static void warp_finish(void *self, struct isa_warp *isa)
{
    struct warp *warp = (struct warp *)isa;

    (void)self;
    if (warp->block && --warp->block->live_warps == 0) {
        forget(warp->block);
    }
    warp->block = NULL;
}

/* ---- steps ---- */

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
    uint32_t mask = warp->pending ? warp->pending : record->mask;
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

static void warp_step(void *self, struct isa_warp *isa, uint64_t cycle, struct isa_step *step,
                      struct isa_memop *memop)
{
    const struct sass_launch *launch = self;
    struct warp *warp = (struct warp *)isa;
    struct sass_record record = {.mask = warp->mask};
    const struct isa_inst *inst;
    const uint8_t *behind;

    (void)cycle;
    if (!warp->block) {
        fault(launch, step);
        return;
    }
    behind = sass_unpack(warp->at, &record);
    inst = &launch->kernel->isa.inst[record.index];
    step->kind = ISA_STEP_DONE;
    step->active = record.mask;
    if (record.mask && inst->access != ISA_ACCESS_NONE) {
        access_memory(launch->kernel, warp, inst, &record, step, memop);
    } else if (record.mask && inst->pipe == ISA_PIPE_BARRIER) {
        step->kind = ISA_STEP_BARRIER;
    } else if (record.mask && inst->pipe == ISA_PIPE_FENCE) {
        step->kind = ISA_STEP_FENCE;
    }
    step->scope = inst->scope;
    if (inst->is_exit) {
        isa->live &= ~record.mask;
    }
    if (warp->pending) {
        return;
    }
    warp->mask = record.mask;
    warp->at = behind;
    look_ahead(warp);
}

static void warp_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    (void)self;
    (void)warp;
    (void)memop; /* values go nowhere */
}

/* ---- the launch ---- */

static bool same_head(const struct sass_header *a, const struct sass_header *b)
{
    return a->blocks == b->blocks && a->threads == b->threads && a->skip == b->skip &&
           a->generation == b->generation && a->grid.x == b->grid.x && a->grid.y == b->grid.y;
}

struct sass_launch *sass_launch_open(const struct sass_kernel *kernel, struct sass_input *in,
                                     struct isa_launch *out)
{
    struct sass_launch *launch = calloc(1, sizeof *launch);

    if (!launch) {
        sass_fail(in, "out of memory for the launch");
        return NULL;
    }
    if (sass_header_read(in, &launch->again) != 0 || !same_head(&launch->again, &kernel->header)) {
        sass_fail(in, "the file has changed since it was looked through; leave it alone");
        free(launch);
        return NULL;
    }
    /* Read only from here on: nothing is added to a program that was sealed. */
    union {
        const struct sass_program *in;
        struct sass_program *out;
    } program = {.in = &kernel->program};

    launch->kernel = kernel;
    launch->program = program.out;
    launch->reader = (struct sass_reader){
        .in = in, .header = &kernel->header, .program = program.out};
    *out = (struct isa_launch){.kernel = &kernel->isa,
                               .grid = kernel->header.grid,
                               .block = kernel->header.block,
                               .carries_values = false,
                               .warp_bytes = sizeof(struct warp),
                               .self = launch,
                               .warp_start = warp_start,
                               .step = warp_step,
                               .retire = warp_retire,
                               .warp_end = warp_finish};
    return launch;
}

void sass_launch_close(struct sass_launch *launch)
{
    if (!launch) {
        return;
    }
    if (launch->failed) { /* any other block was its warps' */
        forget(launch->newest);
    }
    free(launch);
}
