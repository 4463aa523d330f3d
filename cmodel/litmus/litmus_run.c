/* litmus_run.c - litmus tests on the timed machine.
 *
 * A seed fixes everything that may differ between two runs of a test: which threads have
 * warm copies of which locations, how long each spins (both may be given instead), how far
 * apart the locations lie and how the machine delays messages (icnt.jitter_seed).  The launches of one bench follow
 * each other on one machine.  It must not know protocols or models.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/litmus.h"
#include "machine/gpu.h"
#include "ptx/ptx.h"
#include "workloads/rng.h"

enum {
    MOST_STRIDE_BYTES = 2048,
    MOST_PTX_BYTES = 8192,
    HOP_SPINS = 20, /* about as long as a message and its reply take */
    MOST_HOPS = 4,
    MOST_SPINS = 16,
    MOST_GIVEN_SPINS = 10000
};

struct litmus_bench {
    struct gpu *gpu;
    struct litmus_timing timing;
    uint64_t locations, results;
    uint32_t most_jitter_cycles; /* as the machine was configured */
};

/* The parameters of the kernel, as PTX lays them out. */
struct parameters {
    uint64_t locations, results;
    uint32_t offset[LITMUS_LOCATIONS - 1], warm, spin[LITMUS_THREADS];
};

bool litmus_timing_read(const char *text, struct litmus_timing *timing)
{
    *timing = (struct litmus_timing){.given = true};
    for (uint32_t t = 0; t < LITMUS_THREADS; t++) {
        char *end;
        const unsigned long turns = strtoul(text, &end, 10);

        if (text[0] < '0' || text[0] > '9' || turns > MOST_GIVEN_SPINS) {
            return false;
        }
        timing->spin[t] = (uint32_t)turns;
        for (; *end >= 'x' && *end <= 'z'; end++) {
            timing->warm |= 1u << (t * LITMUS_LOCATIONS + (uint32_t)(*end - 'x'));
        }
        if (*end != ',') {
            return *end == '\0';
        }
        text = end + 1;
    }
    return false;
}

struct litmus_bench *litmus_bench_new(struct gpu *gpu, const struct litmus_timing *timing)
{
    struct litmus_bench *bench = calloc(1, sizeof *bench);

    if (!bench) {
        return NULL;
    }
    bench->gpu = gpu;
    bench->timing = *timing;
    bench->most_jitter_cycles = gpu->config.icnt_jitter;
    bench->locations = memory_alloc(gpu->memory, "litmus locations",
                                    LITMUS_LOCATIONS * MOST_STRIDE_BYTES, 1 << 16);
    bench->results = memory_alloc(gpu->memory, "litmus results", 4 * LITMUS_REGISTERS, 1 << 16);
    if (!bench->locations || !bench->results) {
        free(bench);
        return NULL;
    }
    return bench;
}

void litmus_bench_free(struct litmus_bench *bench)
{
    free(bench);
}

/* Bytes from the first location to location `l`. */
static uint32_t offset_of(const struct parameters *p, uint32_t l)
{
    return l ? p->offset[l - 1] : 0;
}

static struct parameters draw(const struct litmus_bench *bench, uint32_t lines, struct rng *rng)
{
    static const uint32_t strides[] = {128, 256, 768, 1280};
    struct parameters p = {.locations = bench->locations, .results = bench->results};
    uint32_t stride_bytes;

    stride_bytes = lines == LITMUS_ONE_LINE ? 4 : strides[rng_below(rng, 4)];
    for (uint32_t l = 1; l < LITMUS_LOCATIONS; l++) {
        p.offset[l - 1] = lines == LITMUS_XY && l == 1 ? 4 : l * stride_bytes;
    }
    p.warm = rng_u32(rng);
    for (uint32_t t = 0; t < LITMUS_THREADS; t++) {
        p.spin[t] = HOP_SPINS * (uint32_t)rng_below(rng, MOST_HOPS) +
                    (uint32_t)rng_below(rng, MOST_SPINS);
    }
    if (bench->timing.given) {
        p.warm = bench->timing.warm;
        memcpy(p.spin, bench->timing.spin, sizeof p.spin);
    }
    return p;
}

/* A third of the seeds with little jitter, a third with some. */
static void shake(struct litmus_bench *bench, struct rng *rng)
{
    struct gpu_config *config = &bench->gpu->config;

    config->icnt_jitter = bench->most_jitter_cycles >> (3 * rng_below(rng, 3));
    config->icnt_jitter_seed = rng_u32(rng);
}

static uint32_t read_outcome(struct litmus_bench *bench, const struct litmus_test *test,
                             const struct parameters *p)
{
    uint32_t outcome = 0, value;

    for (uint32_t r = 0; r < test->n_registers; r++) {
        gpu_peek(bench->gpu, bench->results + 4 * r, &value, sizeof value);
        outcome |= (value & 3) << (2 * r);
    }
    for (uint32_t l = 0; l < test->n_locations; l++) {
        gpu_peek(bench->gpu, bench->locations + offset_of(p, l), &value, sizeof value);
        outcome |= (value & 3) << (2 * (LITMUS_REGISTERS + l));
    }
    return outcome;
}

static bool read_device(void *gpu, uint64_t address, void *to, size_t bytes)
{
    gpu_peek(gpu, address, to, bytes);
    return true;
}

/* One run; the outcome in *outcome. */
static int run_once(struct litmus_bench *bench, const struct ptx_module *module,
                    const struct litmus_test *test, const struct litmus_variant *variant,
                    uint32_t seed, uint32_t *outcome, char *error, size_t n_error)
{
    static const uint32_t zeros[LITMUS_REGISTERS];
    struct rng rng = rng_seeded(seed);
    struct parameters p = draw(bench, variant->lines, &rng);
    struct gpu *gpu = bench->gpu;
    const uint32_t together = litmus_together(test, variant);
    struct ptx_launch_config config = {.grid = {(test->n_threads + together - 1) / together, 1, 1},
                                       .block = {32 * together, 1, 1},
                                       .param_block = (const uint8_t *)&p,
                                       .n_param_block = offsetof(struct parameters, spin) +
                                                        sizeof p.spin,
                                       .n_sms = gpu->n_sms,
                                       .read = read_device,
                                       .read_context = gpu};
    struct isa_launch launch;
    int status;

    for (uint32_t l = 0; l < test->n_locations; l++) {
        gpu_poke(gpu, bench->locations + offset_of(&p, l), zeros, 4);
    }
    gpu_poke(gpu, bench->results, zeros, sizeof zeros);
    shake(bench, &rng);
    if (ptx_launch_init(&launch, module, ptx_kernel(module, "litmus"), &config, error, n_error)) {
        return GPU_FAULT;
    }
    status = (int)gpu_launch(gpu, &launch);
    ptx_launch_release(&launch);
    if (status != GPU_OK) {
        snprintf(error, n_error, "%s, seed %u: %s", test->name, seed, gpu->error);
    } else {
        *outcome = read_outcome(bench, test, &p);
    }
    return status;
}

int litmus_run(struct litmus_bench *bench, const struct litmus_test *test,
               const struct litmus_variant *variant, uint32_t n_seeds, uint64_t *histogram,
               char *error, size_t n_error)
{
    char text[MOST_PTX_BYTES];
    size_t length = litmus_ptx(test, variant, text, sizeof text);
    struct ptx_module *module = ptx_module_parse(test->name, text, length, error, n_error);
    int status = module ? GPU_OK : GPU_FAULT;
    uint32_t outcome;

    for (uint32_t seed = 1; seed <= n_seeds && status == GPU_OK; seed++) {
        status = run_once(bench, module, test, variant, seed, &outcome, error, n_error);
        if (status == GPU_OK) {
            histogram[outcome]++;
        }
    }
    ptx_module_free(module);
    return status;
}
