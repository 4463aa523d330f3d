/* fuzz_kernel.h - bytes read as the trace of a kernel and, when they pass, run: every warp of every
 * block to its end, by a machine that only follows the interface.
 */
#ifndef WARPLOCK_FUZZ_KERNEL_H
#define WARPLOCK_FUZZ_KERNEL_H

#include <stdlib.h>
#include <string.h>

#include "sass/sass_launch.h"

enum { MAX_STEPS = 4096 };

static volatile uint64_t fuzz_sink;

/* Every error names the file and a place in it. */
static inline void must_name_place(const char *name, const char *error)
{
    const size_t n = strlen(name);

    if (strncmp(error, name, n) != 0 || error[n] != ':') {
        abort();
    }
}

/* Made once: it never changes. */
static inline const struct sass_opcodes *fuzz_opcodes(void)
{
    static struct sass_opcodes *opcodes;

    if (!opcodes) {
        opcodes = sass_opcodes_new();
    }
    return opcodes;
}

/* The machine copies them before the warp's next step. */
static inline void read_addresses(const struct isa_step *step)
{
    uint64_t sum = 0, address;

    for (uint32_t a = 0; step->kind == ISA_STEP_ASYNC && a < step->async.n; a++) {
        memcpy(&address, (const char *)step->async.address + a * sizeof address, sizeof address);
        sum += address;
    }
    fuzz_sink = sum;
}

/* Steps the warp to its end; the machine's promises to a front end are kept. */
static inline void run_warp(const struct isa_launch *isa, struct isa_warp *warp,
                            struct isa_memop *memop)
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
        read_addresses(&step);
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

static inline void run_blocks(const struct isa_launch *isa, const struct sass_kernel *kernel)
{
    struct isa_warp *warp = calloc(kernel->header.warps, isa->warp_bytes);
    struct isa_memop memop;

    for (uint64_t b = 0; warp && b < kernel->blocks && b < 64; b++) {
        memset(warp, 0, kernel->header.warps * isa->warp_bytes);
        for (uint32_t w = 0; w < kernel->header.warps; w++) {
            struct isa_warp_place place = {.warp_in_cta = w, .cta = b};

            isa->warp_start(isa->self, (struct isa_warp *)((char *)warp + w * isa->warp_bytes),
                            &place);
        }
        for (uint32_t w = 0; w < kernel->header.warps; w++) {
            struct isa_warp *at = (struct isa_warp *)((char *)warp + w * isa->warp_bytes);

            run_warp(isa, at, &memop);
            isa->warp_end(isa->self, at);
        }
    }
    free(warp);
}

static inline void read_kernel(const char *name, const uint8_t *data, size_t size)
{
    const struct sass_scan_options options = {
        .opcodes = fuzz_opcodes(), .unknown = size % 2 ? SASS_UNKNOWN_ALU : SASS_UNKNOWN_ERROR};
    struct sass_kernel kernel = {.path = name};
    struct sass_pages pages = {0};
    struct sass_launch *launch;
    struct isa_launch isa;
    struct sass_input in;
    char error[256];
    int result = sass_input_memory(&in, name, data, size, error, sizeof error);

    if (result == 0) {
        result = sass_kernel_scan(&kernel, &in, &pages, &options);
    }
    sass_input_close(&in);
    if (result != 0) {
        must_name_place(name, error);
    } else if (sass_input_memory(&in, name, data, size, error, sizeof error) == 0) {
        launch = sass_launch_open(&kernel, &in, &isa);
        if (!launch) {
            abort();
        }
        run_blocks(&isa, &kernel);
        sass_launch_close(launch);
        sass_input_close(&in);
    }
    sass_kernel_free(&kernel);
    sass_pages_free(&pages);
}

#endif
