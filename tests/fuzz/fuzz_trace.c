/* fuzz_trace.c - libFuzzer: no bytes make the trace front end misbehave.
 *
 * The bytes are read as a command list and as a kernel's trace, compressed or not.  A trace
 * that passes is run: every warp of every block to its end, by a machine that only follows
 * the interface.  Every error names file and line.
 *
 * Seeds: tests/traces, plain and compressed.
 */
#include <stdlib.h>
#include <string.h>

#include "sass/sass_launch.h"
#include "sass/sass_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_STEPS = 4096, MAX_LIST_LINES = 256 };

static void must_name_line(const char *error)
{
    if (strncmp(error, "fuzz.traceg:", 12) != 0) {
        abort();
    }
}

static void read_list(const uint8_t *data, size_t size)
{
    char error[256];
    struct sass_input in;
    struct sass_list_line line;
    int more = sass_input_memory(&in, "fuzz.traceg", data, size, error, sizeof error) + 1;

    /* A few bytes may unpack to millions of lines that a list ignores. */
    for (uint32_t n = 0; n < MAX_LIST_LINES && more > 0; n++) {
        more = sass_list_next(&in, &line);
    }
    if (error[0]) {
        must_name_line(error);
    }
    sass_input_close(&in);
}

/* Steps the warp to its end; the machine's promises to a front end are kept. */
static void run_warp(const struct isa_launch *isa, struct isa_warp *warp, struct isa_memop *memop)
{
    for (uint32_t s = 0; s < MAX_STEPS && !warp->done; s++) {
        struct isa_step step = {.kind = ISA_STEP_DONE};

        if (warp->pc >= isa->kernel->n_inst) {
            abort();
        }
        isa->step(isa->self, warp, s, &step, memop);
        if (step.kind == ISA_STEP_FAULT) {
            abort(); /* the first reading was to find it */
        }
        if (step.kind == ISA_STEP_MEMORY) {
            for (uint32_t left = memop->mask; left; left &= left - 1) {
                if (memop->addr[__builtin_ctz(left)] >> SASS_ADDRESS_BITS &&
                    memop->space == ISA_SPACE_GLOBAL) {
                    abort();
                }
            }
        }
    }
}

static void run_blocks(const struct isa_launch *isa, const struct sass_header *head)
{
    struct isa_warp *warp = calloc(head->warps, isa->warp_bytes);
    struct isa_memop memop;

    for (uint64_t b = 0; warp && b < head->blocks && b < 64; b++) {
        memset(warp, 0, head->warps * isa->warp_bytes);
        for (uint32_t w = 0; w < head->warps; w++) {
            struct isa_warp_place place = {.warp_in_cta = w};

            isa->warp_start(isa->self, (struct isa_warp *)((char *)warp + w * isa->warp_bytes),
                            &place);
        }
        for (uint32_t w = 0; w < head->warps; w++) {
            struct isa_warp *at = (struct isa_warp *)((char *)warp + w * isa->warp_bytes);

            run_warp(isa, at, &memop);
            isa->warp_end(isa->self, at);
        }
    }
    free(warp);
}

static void read_kernel(const uint8_t *data, size_t size)
{
    const struct sass_scan_options options = {.unknown_as_alu = size % 2};
    struct sass_kernel kernel = {.path = "fuzz.traceg"};
    struct sass_pages pages = {0};
    struct sass_launch *launch;
    struct isa_launch isa;
    struct sass_input in;
    char error[256];
    int result = sass_input_memory(&in, "fuzz.traceg", data, size, error, sizeof error);

    if (result == 0) {
        result = sass_kernel_scan(&kernel, &in, &pages, &options);
    }
    sass_input_close(&in);
    if (result != 0) {
        must_name_line(error);
    } else if (sass_input_memory(&in, "fuzz.traceg", data, size, error, sizeof error) == 0) {
        launch = sass_launch_open(&kernel, &in, &isa);
        if (!launch) {
            abort();
        }
        run_blocks(&isa, &kernel.header);
        sass_launch_close(launch);
        sass_input_close(&in);
    }
    sass_kernel_free(&kernel);
    sass_pages_free(&pages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_list(data, size);
    read_kernel(data, size);
    return 0;
}
