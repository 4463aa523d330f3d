/* sass_launch.c - see sass_launch.h. */
#include "sass/sass_launch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sass/sass_async.h"
#include "sass/sass_pack.h"
#include "sass/sass_shape.h"

/* A resident thread block: of text all its lines, of a container where they are. */
struct block {
    struct sass_packed packed;
    struct sass_tracez_block entry;
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
    /* Warps of different SMs may come to the end of a sub-chunk at once. */
    pthread_mutex_t lock;
    struct sass_packed *packing; /* what is being read goes there */
};

struct warp {
    struct isa_warp isa; /* first: the machine sees only this */
    struct block *block;
    const uint8_t *at, *end;
    uint32_t mask;                        /* of the record before `at` */
    uint32_t pending;                     /* lanes of a generic access still to do; 0: none */
    uint64_t number;                      /* in the grid */
    uint64_t local_threads, local_thread; /* as the machine said; none: by the grid */
    /* Of a container: the sub-chunk at hand and the one before, of which the last instruction
     * may still be at work; how far they go. */
    struct sass_packed chunk[2];
    uint32_t turn;
    bool failed;
    struct sass_tracez_cursor cursor;
};

/* ---- reading lines ---- */

static int warp_begin(void *self, struct sass_input *in, uint32_t warp, uint64_t lines)
{
    struct sass_launch *launch = self;
    struct block *block = launch->newest;

    (void)in;
    (void)lines;
    launch->packing = &block->packed;
    sass_pack_begin(&block->packed);
    block->begin[warp] = block->packed.n;
    return 0;
}

static int executed(void *self, struct sass_input *in, const struct sass_executed *executed)
{
    struct sass_launch *launch = self;
    const struct sass_kernel *kernel = launch->kernel;
    const struct sass_entry *entry = &launch->program->entry[executed->entry];
    bool addressed = executed->addressed && entry->inst.access != ISA_ACCESS_NONE;
    struct isa_async aside;
    int besides = sass_async_class(entry->class)
                      ? sass_async_of(kernel, entry, executed, &aside, NULL)
                      : 0;

    for (uint32_t a = 0; besides > 0 && a < aside.n; a++) { /* the reader's, and its last use */
        executed->bulk.address[a] &= SASS_ADDRESS_MASK;
    }
    return sass_pack(launch->packing, entry->index, executed->mask,
                     addressed ? &executed->addresses : NULL, besides > 0 ? &aside : NULL) == 0
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

static int changed(struct sass_launch *launch)
{
    return sass_fail(launch->reader.in, "the file has changed since it was looked through; leave "
                                        "it alone while it runs");
}

static int read_text(struct sass_launch *launch)
{
    const struct sass_sink sink = {
        .self = launch, .warp_begin = warp_begin, .executed = executed, .warp_end = warp_end};
    int more = sass_read_block(&launch->reader, &sink);

    if (more == 0) {
        return changed(launch);
    }
    trim(&launch->newest->packed);
    return more < 0 ? -1 : 0;
}

/* The blocks of a file go in its order, whatever CTA the machine asks for; but those of clusters
 * that are not one after the other in the file, by where they are in the grid. */
static int find_block(struct sass_launch *launch, uint64_t cta)
{
    struct sass_input *in = launch->reader.in;
    const struct sass_cluster_shape *cluster = &launch->kernel->cluster;
    uint64_t number = launch->reader.block_number++;

    if (cluster->blocks > 1) {
        number = cluster->consecutive ? cta
                                      : sass_shape_block(cluster, launch->kernel->header.grid, cta);
    }
    if (number >= sass_tracez_blocks(in->tracez)) {
        return changed(launch);
    }
    if (sass_tracez_block(in->tracez, in, number, &launch->newest->entry) != 0) {
        return -1;
    }
    launch->reader.block = launch->newest->entry.at;
    return launch->newest->entry.n_warps == launch->kernel->header.warps ? 0 : changed(launch);
}

static int read_block(struct sass_launch *launch, uint64_t cta)
{
    const struct sass_header *head = &launch->kernel->header;
    const struct isa_dim3 *at = &launch->reader.block;
    int result;

    launch->newest = calloc(1, sizeof *launch->newest);
    if (!launch->newest) {
        return sass_fail(launch->reader.in, "out of memory for a thread block");
    }
    launch->newest->live_warps = head->warps;
    result = launch->reader.in->tracez ? find_block(launch, cta) : read_text(launch);
    launch->newest->first_warp = (((uint64_t)at->z * head->grid.y + at->y) * head->grid.x + at->x) *
                                 head->warps;
    return result;
}

static void forget(struct block *block)
{
    if (block) {
        free(block->packed.bytes);
        sass_tracez_block_free(&block->entry);
    }
    free(block);
}

/* ---- a warp's life ---- */

/* The next sub-chunk that has instructions: 1, 0 at the warp's end, -1. */
static int read_chunk(struct sass_launch *launch, struct warp *warp)
{
    const struct sass_sink sink = {.self = launch, .executed = executed};
    struct sass_input *in = launch->reader.in;
    struct sass_packed *packed = &warp->chunk[warp->turn ^= 1];
    const char *from, *to;
    uint32_t lines;
    int more;

    packed->n = 0;
    sass_pack_begin(packed);
    launch->packing = packed;
    do {
        more = sass_tracez_next(in->tracez, in, &warp->cursor, &from, &to, &lines);
        sass_reader_begin_warp(&launch->reader); /* a replay region is never cut */
        if (more > 0 && (sass_read_chunk(&launch->reader, &sink, from, to, lines) != 0 ||
                         sass_reader_end_warp(&launch->reader, &sink) != 0)) {
            more = -1;
        }
    } while (more > 0 && packed->n == 0);
    warp->at = packed->bytes;
    warp->end = packed->bytes ? packed->bytes + packed->n : NULL;
    warp->mask = 0;
    return more;
}

static void refill(struct sass_launch *launch, struct warp *warp)
{
    pthread_mutex_lock(&launch->lock);
    warp->failed = launch->failed || read_chunk(launch, warp) < 0;
    pthread_mutex_unlock(&launch->lock);
}

/* What comes next, or the end. */
static void look_ahead(struct sass_launch *launch, struct warp *warp)
{
    uint32_t mask;

    if (warp->at == warp->end && launch->reader.in->tracez) {
        refill(launch, warp);
    }
    warp->isa.done = warp->at == warp->end && !warp->failed;
    if (warp->at == warp->end) {
        warp->isa.active = 0;
        return;
    }
    mask = warp->mask;
    warp->isa.pc = sass_pack_peek(warp->at, &mask);
    warp->isa.active = mask;
}

static void take_lines(struct sass_launch *launch, struct warp *warp, uint32_t w)
{
    struct sass_input *in = launch->reader.in;

    if (in->tracez) {
        warp->failed = sass_tracez_begin(in->tracez, in, &warp->block->entry, w, &warp->cursor) !=
                       0;
    } else if (warp->block->packed.bytes) {
        warp->at = warp->block->packed.bytes + warp->block->begin[w];
        warp->end = warp->block->packed.bytes + warp->block->end[w];
    }
    if (!warp->failed) {
        look_ahead(launch, warp);
    }
}

static void warp_start(void *self, struct isa_warp *isa, const struct isa_warp_place *place)
{
    struct sass_launch *launch = self;
    struct warp *warp = (struct warp *)isa;
    uint32_t w = place->warp_in_cta;

    *warp = (struct warp){0}; /* the machine hands on what the slot held before */
    isa->live = sass_header_lanes(&launch->kernel->header, w);
    pthread_mutex_lock(&launch->lock); /* warps of other SMs may be reading */
    if (w == 0 && !launch->failed) {
        launch->failed = read_block(launch, place->cta) != 0;
    }
    pthread_mutex_unlock(&launch->lock);
    if (launch->failed) {
        return; /* pc 0: the first step is the fault */
    }
    warp->block = launch->newest;
    warp->number = warp->block->first_warp + w;
    if (place->local_threads * launch->kernel->local_bytes <= launch->kernel->local_room) {
        warp->local_threads = place->local_threads;
        warp->local_thread = place->local_thread;
    }
    take_lines(launch, warp, w);
}

static void warp_finish(void *self, struct isa_warp *isa)
{
    struct warp *warp = (struct warp *)isa;

    (void)self;
    free(warp->chunk[0].bytes);
    free(warp->chunk[1].bytes);
    warp->chunk[0].bytes = warp->chunk[1].bytes = NULL;
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

static void warp_step(void *self, struct isa_warp *isa, uint64_t cycle, struct isa_step *step,
                      struct isa_memop *memop)
{
    struct sass_launch *launch = self;
    struct warp *warp = (struct warp *)isa;
    struct sass_record record = {.mask = warp->mask};
    const struct isa_inst *inst;
    const uint8_t *behind;

    (void)cycle;
    if (!warp->block || warp->failed) {
        fault(launch, step);
        return;
    }
    behind = sass_unpack(warp->at, &record);
    inst = &launch->kernel->isa.inst[record.index];
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
    look_ahead(launch, warp);
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
           a->table == b->table && a->modern == b->modern && a->grid.x == b->grid.x &&
           a->grid.y == b->grid.y;
}

struct sass_launch *sass_launch_open(const struct sass_kernel *kernel, struct sass_input *in,
                                     struct isa_launch *out)
{
    struct sass_launch *launch = calloc(1, sizeof *launch);

    if (!launch) {
        sass_fail(in, "out of memory for the launch");
        return NULL;
    }
    if (sass_header_read(in, &launch->again) != 0 || !same_head(&launch->again, &kernel->header) ||
        (in->tracez && sass_tracez_blocks(in->tracez) != kernel->blocks)) {
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
    pthread_mutex_init(&launch->lock, NULL);
    *out = (struct isa_launch){.kernel = &kernel->isa,
                               .grid = sass_kernel_grid(kernel),
                               .block = kernel->header.block,
                               .carries_values = false,
                               .cluster_ctas = kernel->cluster.blocks,
                               .asynchronous = kernel->asynchronous,
                               .exited_arrive = true,
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
    pthread_mutex_destroy(&launch->lock);
    sass_reader_free(&launch->reader);
    free(launch);
}
