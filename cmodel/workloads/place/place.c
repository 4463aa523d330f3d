/* place.c - placement by swaps of blocks, cells protected by version words.
 *
 * Works after Tabbakh 2018 section 6.2 (VPR).  Which swaps happen depends on the order of
 * the warps; checked is what must hold for any: every block is somewhere once, the sum of
 * wire lengths kept during the run is that of the final placement, no cell is still taken.
 */
#include "workloads/check.h"
#include "workloads/run.h"

static const struct workload_param params[] = {
    {"width", WORKLOAD_NUMBER, 2, 1024, "cells in a row of the square"},
    {"tries", WORKLOAD_NUMBER, 1, 100000, "pairs of cells that each warp looks at"},
    {"ctas", WORKLOAD_NUMBER, 1, 120, "CTAs of four warps"},
    {0},
};
static const struct workload_size sizes[] = {
    {"tiny", "width=16,tries=12,ctas=16"},
    {"small", "width=32,tries=40,ctas=32"},
    {"doc", "width=64,tries=200,ctas=64"},
    {0},
};

static int32_t wire(uint32_t cell, uint32_t block, uint32_t width)
{
    const uint32_t to = block * 2654435761u % (width * width);
    const int32_t dx = (int32_t)(cell % width) - (int32_t)(to % width);
    const int32_t dy = (int32_t)(cell / width) - (int32_t)(to / width);
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

static uint32_t total(const uint32_t *block, uint32_t width)
{
    uint32_t sum = 0;
    for (uint32_t c = 0; c < width * width; c++) {
        sum += (uint32_t)wire(c, block[c], width);
    }
    return sum;
}

static void check_placement(struct run *run, const uint32_t *block, const uint32_t *version,
                            uint32_t length, uint32_t width)
{
    const uint32_t cells = width * width, want = total(block, width);
    uint32_t *times = RUN_ARRAY(run, uint32_t, cells);
    for (uint32_t c = 0; times && c < cells; c++) {
        if (block[c] < cells) {
            times[block[c]]++;
        }
    }
    for (uint32_t c = 0; times && c < cells; c++) {
        check_that(run->result, times[c] == 1, "block %u is in %u cells", c, times[c]);
        check_that(run->result, version[c] % 2 == 0, "cell %u is still taken", c);
    }
    check_that(run->result, length == want, "length: got %u, the placement has %u", length, want);
}

static int run_place(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "place/place.ptx");
    const uint32_t width = run_u32(&run, "width"), cells = width * width;
    uint32_t *block = RUN_ARRAY(&run, uint32_t, cells), *version = RUN_ARRAY(&run, uint32_t, cells);

    if (!run.failed) {
        for (uint32_t c = 0; c < cells; c++) {
            block[c] = c;
        }
        const uint32_t start = total(block, width);
        uint32_t length = start;
        gpu_ptr dev_block = run_upload(&run, "block", block, cells * sizeof *block);
        gpu_ptr dev_version = run_alloc(&run, "version", cells * sizeof *version);
        gpu_ptr dev_length = run_upload(&run, "length", &length, sizeof length);
        RUN_LAUNCH(&run, "place", dim1(run_u32(&run, "ctas")), dim1(128), host_arg_u64(dev_version),
                   host_arg_u64(dev_block), host_arg_u64(dev_length), host_arg_u32(width),
                   host_arg_u32(run_u32(&run, "tries")), host_arg_u32(rng_u32(&run.rng)));
        run_download(&run, block, dev_block, cells * sizeof *block);
        run_download(&run, version, dev_version, cells * sizeof *version);
        run_download(&run, &length, dev_length, sizeof length);
        check_placement(&run, block, version, length, width);
        check_that(result, length < start, "length: got %u, it started with %u", length, start);
    }
    return run_end(&run);
}

const struct workload workload_place = {
    .name = "place",
    .title = "placement by swaps, cells with version words (VPR)",
    .source = "Tabbakh 2018 section 6.2",
    .params = params,
    .sizes = sizes,
    .together = true,
    .run = run_place,
};
