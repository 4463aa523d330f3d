/* stencil3d.c - seven-point stencil in three dimensions, marching along z.
 *
 * Five loads in the loop, all of stride 4: the plane ahead, then x+1 and x-1
 * (these straddle a line boundary: 2 requests), y+1 and y-1.  Each moves on by a
 * plane (131,072 bytes) per iteration.  Only lanes at the volume's sides diverge.
 * CTAs of 32 x 4; the volume is 512 x 64 x 30 between two fixed planes.  A launch a step, from one
 * of two volumes to the other; Parboil's takes a hundred.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

static const struct workload_param params[] = {
    {"nx", WORKLOAD_NUMBER, 32, 1024, "points along x (stride), floats"},
    {"ny", WORKLOAD_NUMBER, 1, 1024, "points along y"},
    {"nz", WORKLOAD_NUMBER, 1, 1024, "planes worked on: the trip count"},
    {"steps", WORKLOAD_NUMBER, 1, 100, "launches"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "nx=512,ny=8,nz=6,steps=1"},
    {"small", "nx=512,ny=32,nz=16,steps=1"},
    {"doc", "nx=512,ny=64,nz=30,steps=1"},
    {0},
};

#define LOAD(ordinal, requests, expression) \
    { \
        .kernel = "stencil3d", .load = ordinal, .nreq = requests, .stride_bytes = 4, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, 1, "a[0][y][x]"),   LOAD(1, 1, "a[-1][y][x]"),
    LOAD(2, 1, "a[z+1][y][x]"), LOAD(3, 2, "a[z][y][x+1]"),
    LOAD(4, 2, "a[z][y][x-1]"), LOAD(5, 1, "a[z][y+1][x]"),
    LOAD(6, 1, "a[z][y-1][x]"), {0},
};

struct volume {
    uint32_t nx, ny, nz;
    struct approx *a; /* nz + 2 planes */
    float c0, c1;
};

/* Point of plane z, counted with the fixed first plane. */
static struct approx at(const struct volume *v, uint32_t z, uint32_t y, uint32_t x)
{
    return v->a[(z * v->ny + y) * v->nx + x];
}

static struct approx point_reference(const struct volume *v, uint32_t z, uint32_t y, uint32_t x)
{
    struct approx sum = approx_add(at(v, z - 1, y, x), at(v, z + 1, y, x));
    if (x + 1 < v->nx) {
        sum = approx_add(sum, at(v, z, y, x + 1));
    }
    if (x > 0) {
        sum = approx_add(sum, at(v, z, y, x - 1));
    }
    if (y + 1 < v->ny) {
        sum = approx_add(sum, at(v, z, y + 1, x));
    }
    if (y > 0) {
        sum = approx_add(sum, at(v, z, y - 1, x));
    }
    return approx_sub(approx_mul(approx_exact((double)v->c1), sum),
                      approx_mul(approx_exact((double)v->c0), at(v, z, y, x)));
}

/* The volume after one more step, by way of `next`. */
static void step_reference(struct volume *v, struct approx *next)
{
    const size_t plane = (size_t)v->nx * v->ny;
    for (uint32_t z = 1; z <= v->nz; z++) {
        for (size_t i = 0; i < plane; i++) {
            next[z * plane + i] = point_reference(v, z, (uint32_t)(i / v->nx),
                                                  (uint32_t)(i % v->nx));
        }
    }
    memcpy(&v->a[plane], &next[plane], plane * v->nz * sizeof *next);
}

static int run_stencil3d(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "stencil3d/stencil3d.ptx");
    struct volume v = {
        .nx = run_u32(&run, "nx"),
        .ny = run_u32(&run, "ny"),
        .nz = run_u32(&run, "nz"),
    };
    v.c0 = rng_f32_signed(&run.rng);
    v.c1 = rng_f32_signed(&run.rng);
    const size_t plane = (size_t)v.nx * v.ny, n = plane * (v.nz + 2);
    float *volume = run_random_f32(&run, n);
    struct approx *next = RUN_ARRAY(&run, struct approx, n);
    v.a = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < n; i++) {
        v.a[i] = approx_exact((double)volume[i]);
    }

    gpu_ptr from = run_upload(&run, "a", volume, n * sizeof(float));
    gpu_ptr to = run_upload(&run, "b", volume, n * sizeof(float));
    const uint64_t second = plane * sizeof(float);
    for (uint32_t step = run_u32(&run, "steps"); step > 0; step--) {
        RUN_LAUNCH(&run, "stencil3d", dim2(cover(v.nx, 32), cover(v.ny, 4)), dim2(32, 4),
                   host_arg_u64(from + second), host_arg_u64(to + second), host_arg_u32(v.nx),
                   host_arg_u32(v.ny), host_arg_u32(v.nz), host_arg_f32(v.c0), host_arg_f32(v.c1));
        const gpu_ptr written = to;
        to = from;
        from = written;
        step_reference(&v, next);
    }
    run_download(&run, volume, from, n * sizeof(float));
    check_f32(result, "b", volume, v.a, n);
    return run_end(&run);
}

const struct workload workload_stencil3d = {
    .name = "stencil3d",
    .title = "seven-point stencil in three dimensions",
    .source = "caps-prefetch section 6.1 (STE)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_stencil3d,
};
