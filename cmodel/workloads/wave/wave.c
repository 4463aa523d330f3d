/* wave.c - a wave on a 2-D field with flags between CTAs instead of launches.
 *
 * Works after Tabbakh 2018 section 6.2 (STN): write the tile, fence, set the flag; the
 * neighbours spin.  Whole numbers, so the result is exact whatever the order.  All CTAs
 * must be resident together.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { WIDE = 32, HIGH = 4 };

static const struct workload_param params[] = {
    {"across", WORKLOAD_NUMBER, 1, 16, "tiles of 32 x 4 cells in a row"},
    {"down", WORKLOAD_NUMBER, 1, 16, "rows of tiles; at most 64 tiles in all"},
    {"steps", WORKLOAD_NUMBER, 1, 100000, "time steps"},
    {0},
};
static const struct workload_size sizes[] = {
    {"tiny", "across=2,down=12,steps=9"},
    {"small", "across=4,down=16,steps=24"},
    {"doc", "across=4,down=16,steps=200"},
    {0},
};

static uint32_t cell(const uint32_t *field, uint32_t width, uint32_t height, uint32_t x, uint32_t y)
{
    return x < width && y < height ? field[y * width + x] : 0;
}

static void step_reference(uint32_t *next, const uint32_t *now, const uint32_t *before,
                           uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t centre = now[y * width + x];
            uint32_t around = cell(now, width, height, x - 1, y) +
                              cell(now, width, height, x + 1, y) +
                              cell(now, width, height, x, y - 1) +
                              cell(now, width, height, x, y + 1);
            int32_t bend = (int32_t)(around - 4 * centre) >> 2;
            next[y * width + x] = 2 * centre - before[y * width + x] + (uint32_t)bend;
        }
    }
}

static int run_wave(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "wave/wave.ptx");
    const uint32_t across = run_u32(&run, "across"), down = run_u32(&run, "down");
    const uint32_t steps = run_u32(&run, "steps"), width = across * WIDE, height = down * HIGH;
    const size_t cells = (size_t)width * height;
    uint32_t *field = RUN_ARRAY(&run, uint32_t, 3 * cells);
    uint32_t *got = RUN_ARRAY(&run, uint32_t, 3 * cells);

    if (across * down > 64) {
        run_refuse(&run, "%u tiles cannot all be resident; lower across or down", across * down);
    }
    if (!run.failed) {
        for (size_t i = 0; i < cells; i++) {
            field[i] = field[2 * cells + i] = rng_u32(&run.rng) >> 12;
        }
        gpu_ptr dev = run_upload(&run, "field", field, 3 * cells * sizeof *field);
        gpu_ptr flags = run_alloc(&run, "flags", (size_t)across * down * 4);
        RUN_LAUNCH(&run, "wave", dim2(across, down), dim2(WIDE, HIGH), host_arg_u64(dev),
                   host_arg_u64(flags), host_arg_u32(steps));
        run_download(&run, got, dev, 3 * cells * sizeof *got);
        for (uint32_t step = 0; step < steps; step++) {
            step_reference(field + (step + 1) % 3 * cells, field + step % 3 * cells,
                           field + (step + 2) % 3 * cells, width, height);
        }
        check_u32(result, "field", got, field, 3 * cells);
    }
    return run_end(&run);
}

const struct workload workload_wave = {
    .name = "wave",
    .title = "2-D wave, CTAs in step by flags (STN)",
    .source = "Tabbakh 2018 section 6.2",
    .params = params,
    .sizes = sizes,
    .together = true,
    .run = run_wave,
};
