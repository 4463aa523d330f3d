/* sass_dump_launch.c - see sass_dump_launch.h.
 *
 * Each warp collects its lines; when the last warp of a block has ended the block is
 * written, once all blocks launched before it are.  Warps of different SMs may run on
 * different threads: what they share is behind a lock.
 */
#include "sass/sass_dump_launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sass/sass_header.h"
#include "sass/sass_text.h"

struct lines {
    char *text;
    size_t n, max;
    uint64_t count;
};

struct block {
    struct block *next; /* launched after it */
    struct isa_dim3 at;
    uint32_t live_warps;
    struct lines warp[]; /* [warps of a block] */
};

struct sass_dump_launch {
    const struct isa_launch *inner;
    struct sass_text text;
    struct sass_writer *writer;
    uint32_t warps;
    size_t trailer;             /* offset of struct trailer in a warp object */
    struct block *first, *last; /* launched and not yet written, in order */
    uint64_t written, blocks;
    bool failed; /* out of memory */
    pthread_mutex_t lock;
};

/* Behind the front end's own warp object. */
struct trailer {
    struct block *block;
    struct lines *lines;
};

static struct trailer *trailer_of(const struct sass_dump_launch *launch, struct isa_warp *warp)
{
    return (struct trailer *)(void *)((char *)warp + launch->trailer);
}

/* ---- blocks ---- */

static void free_block(struct block *block, uint32_t warps)
{
    for (uint32_t w = 0; w < warps; w++) {
        free(block->warp[w].text);
    }
    free(block);
}

static void write_block(struct sass_dump_launch *launch, const struct block *block)
{
    struct sass_writer *writer = launch->writer;
    const struct sass_cluster none = {0};

    sass_writer_block(writer, block->at, &none);
    for (uint32_t w = 0; w < launch->warps; w++) {
        const struct lines *lines = &block->warp[w];
        const char *at = lines->text;

        sass_writer_warp(writer, w, lines->count);
        for (uint64_t l = 0; l < lines->count; l++) {
            const char *end = memchr(at, '\n', (size_t)(lines->text + lines->n - at));

            sass_writer_line(writer, at, end);
            at = end + 1;
        }
        sass_writer_warp_end(writer);
    }
    sass_writer_block_end(writer);
}

static void write_ended(struct sass_dump_launch *launch)
{
    while (launch->first && launch->first->live_warps == 0) {
        struct block *block = launch->first;

        launch->first = block->next;
        if (!launch->first) {
            launch->last = NULL;
        }
        write_block(launch, block);
        free_block(block, launch->warps);
        launch->written++;
    }
}

static void new_block(struct sass_dump_launch *launch, struct isa_dim3 at)
{
    struct block *block = calloc(1, sizeof *block + launch->warps * sizeof(struct lines));

    if (!block) {
        launch->failed = true;
        return;
    }
    block->at = at;
    block->live_warps = launch->warps;
    if (launch->last) {
        launch->last->next = block;
    } else {
        launch->first = block;
    }
    launch->last = block;
}

/* ---- the launch's functions ---- */

static void warp_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place)
{
    struct sass_dump_launch *launch = self;
    struct trailer *trailer = trailer_of(launch, warp);

    launch->inner->warp_start(launch->inner->self, warp, place);
    if (place->warp_in_cta == 0) {
        new_block(launch, place->ctaid);
    }
    if (launch->failed) {
        return;
    }
    trailer->block = launch->last;
    trailer->lines = &launch->last->warp[place->warp_in_cta];
}

static bool reserve(struct lines *lines)
{
    size_t max = 2 * lines->max + 4 * SASS_TEXT_LINE;
    char *more;

    if (lines->max - lines->n >= SASS_TEXT_LINE) {
        return true;
    }
    more = realloc(lines->text, max);
    if (!more) {
        return false;
    }
    lines->text = more;
    lines->max = max;
    return true;
}

/* Barriers of a part of a block, or without waiting, are beyond the format. */
static bool expressible(struct isa_step *step)
{
    if (step->kind != ISA_STEP_BARRIER ||
        (step->barrier == 0 && step->barrier_threads == 0 && !step->barrier_arrive_only)) {
        return true;
    }
    step->kind = ISA_STEP_FAULT;
    snprintf(step->fault, sizeof step->fault,
             "a trace has barriers of whole blocks only, not barrier %u of %u threads; run it "
             "without --dump-trace",
             step->barrier, step->barrier_threads);
    return false;
}

static void warp_step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                      struct isa_memop *memop)
{
    struct sass_dump_launch *launch = self;
    struct lines *lines = trailer_of(launch, warp)->lines;
    uint32_t pc = warp->pc;

    launch->inner->step(launch->inner->self, warp, cycle, step, memop);
    if (step->kind == ISA_STEP_FAULT || !expressible(step)) {
        return;
    }
    if (!lines || !reserve(lines)) {
        launch->failed = true; /* only ever set: no order matters */
        return;
    }
    lines->n += sass_text_line(&launch->text, pc, step, memop, lines->text + lines->n);
    lines->count++;
}

static void warp_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    struct sass_dump_launch *launch = self;

    launch->inner->retire(launch->inner->self, warp, memop);
}

static uint64_t warp_digest(void *self, const struct isa_warp *warp)
{
    const struct sass_dump_launch *launch = self;

    return launch->inner->digest(launch->inner->self, warp);
}

static void warp_end(void *self, struct isa_warp *warp)
{
    struct sass_dump_launch *launch = self;
    struct block *block = trailer_of(launch, warp)->block;
    bool ended = warp->done;

    launch->inner->warp_end(launch->inner->self, warp);
    if (!block || !ended) {
        return;
    }
    pthread_mutex_lock(&launch->lock);
    block->live_warps--;
    write_ended(launch);
    pthread_mutex_unlock(&launch->lock);
}

/* ---- begin and end ---- */

void sass_dump_head(const struct isa_launch *launch, FILE *file)
{
    const struct isa_kernel *kernel = launch->kernel;

    fprintf(file, "-kernel name = %s\n-kernel id = 1\n", kernel->name);
    fprintf(file, "-grid dim = (%u,%u,%u)\n", launch->grid.x, launch->grid.y, launch->grid.z);
    fprintf(file, "-block dim = (%u,%u,%u)\n", launch->block.x, launch->block.y, launch->block.z);
    fprintf(file, "-shmem = %u\n-nregs = %u\n", kernel->shared_bytes + launch->dynamic_shared_bytes,
            kernel->registers_per_thread);
    fprintf(file, "-binary version = %d\n-cuda stream id = 0\n", SASS_TEXT_VERSION);
    fprintf(file, "-shmem base_addr = 0x%llx\n", (unsigned long long)SASS_TEXT_SHARED_BASE);
    fprintf(file, "-local mem base_addr = 0x%llx\n", (unsigned long long)SASS_TEXT_LOCAL_BASE);
    if (kernel->local_bytes && launch->local_base) {
        fprintf(file,
                "-warplock local base = 0x%llx\n-warplock local bytes = %u\n"
                "-warplock local granule = %u\n",
                (unsigned long long)launch->local_base, kernel->local_bytes,
                launch->local_granule_bytes);
    }
    fprintf(file, "-accelsim tracer version = 3\n\n");
    fprintf(file, "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
                  "mem_width [address_mode] [mem_addresses]\n");
}

struct sass_dump_launch *sass_dump_launch_begin(const struct isa_launch *inner,
                                                struct sass_writer *writer, struct isa_launch *out,
                                                char *error, size_t n_error)
{
    struct sass_dump_launch *launch = calloc(1, sizeof *launch);
    uint64_t threads = (uint64_t)inner->block.x * inner->block.y * inner->block.z;

    if (!launch) {
        snprintf(error, n_error, "out of memory for dumping kernel %s", inner->kernel->name);
        return NULL;
    }
    launch->inner = inner;
    launch->writer = writer;
    launch->warps = (uint32_t)((threads + ISA_LANES - 1) / ISA_LANES);
    launch->trailer = (inner->warp_bytes + 15) & ~(size_t)15;
    launch->blocks = (uint64_t)inner->grid.x * inner->grid.y * inner->grid.z;
    pthread_mutex_init(&launch->lock, NULL);
    if (sass_text_init(&launch->text, inner, error, n_error) != 0) {
        sass_dump_launch_end(launch);
        return NULL;
    }
    *out = *inner;
    out->self = launch;
    out->warp_bytes = launch->trailer + sizeof(struct trailer);
    out->warp_start = warp_start;
    out->step = warp_step;
    out->retire = warp_retire;
    out->digest = inner->digest ? warp_digest : NULL;
    out->warp_end = warp_end;
    return launch;
}

int sass_dump_launch_end(struct sass_dump_launch *launch)
{
    int result = !launch->failed && launch->written == launch->blocks ? 0 : -1;

    while (launch->first) {
        struct block *next = launch->first->next;

        free_block(launch->first, launch->warps);
        launch->first = next;
    }
    sass_text_free(&launch->text);
    pthread_mutex_destroy(&launch->lock);
    free(launch);
    return result;
}
