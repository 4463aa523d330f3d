/* sass_launch.c - see sass_launch.h.  Blocks, warps, and the launch; a warp's steps are in
 * sass_launch_step.c.
 */
#include "sass/sass_launch_private.h"

#include <stdlib.h>
#include <string.h>

#include "sass/sass_async.h"
#include "sass/sass_shape.h"

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
    struct isa_async aside;
    int besides = sass_async_class(entry->class)
                      ? sass_async_of(kernel, entry, executed, &aside, NULL)
                      : 0;

    return sass_pack_line(launch->packing, entry, executed, besides > 0 ? &aside : NULL) == 0
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

/* What the first reading has kept goes in the order of the file, too. */
static int take_kept(struct sass_launch *launch)
{
    const struct sass_kept *kept = &launch->kernel->kept;

    launch->newest->kept = &kept->warp[launch->reader.block_number * kept->warps];
    launch->reader.block = kept->at[launch->reader.block_number++];
    return 0;
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
    result = launch->kernel->kept.n      ? take_kept(launch)
             : launch->reader.in->tracez ? find_block(launch, cta)
                                         : read_text(launch);
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

void sass_look_ahead(struct sass_launch *launch, struct warp *warp)
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
    __builtin_prefetch(warp->at + 64); /* its turn is some instructions of others away */
    mask = warp->mask;
    warp->isa.pc = launch->program->number_of[sass_pack_peek(warp->at, &mask)];
    warp->isa.active = mask;
}

static void take_lines(struct sass_launch *launch, struct warp *warp, uint32_t w)
{
    struct sass_input *in = launch->reader.in;
    const struct sass_kept_warp *kept = warp->block->kept;

    if (kept) {
        warp->at = launch->kernel->kept.packed.bytes + kept[w].begin;
        warp->end = launch->kernel->kept.packed.bytes + kept[w].end;
    } else if (in->tracez) {
        warp->failed = sass_tracez_begin(in->tracez, in, &warp->block->entry, w, &warp->cursor) !=
                       0;
    } else if (warp->block->packed.bytes) {
        warp->at = warp->block->packed.bytes + warp->block->begin[w];
        warp->end = warp->block->packed.bytes + warp->block->end[w];
    }
    if (!warp->failed) {
        sass_look_ahead(launch, warp);
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
                               .step = sass_warp_step,
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
