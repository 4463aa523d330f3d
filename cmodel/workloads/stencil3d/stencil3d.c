/* stencil3d.c - seven-point stencil in three dimensions, marching along z.
 *
 * form=plain: five loads in the loop, all of stride 4: the plane ahead, then x+1 and x-1
 * (these straddle a line boundary: 2 requests), y+1 and y-1.  Each moves on by a
 * plane (131,072 bytes) per iteration.  Only lanes at the volume's sides diverge.
 * CTAs of 32 x 4; the volume is 512 x 64 x 30 between two fixed planes.  A launch a step, from one
 * of two volumes to the other.
 *
 * form=parboil is the suite's own kernel (2.5): 32 x 4 threads work on 64 x 4 points of a plane in
 * shared memory.  Each loads its two points of the plane ahead; only the first and last row of a
 * CTA load y-1 and y+1, and only its outermost lanes x-1 and x+1.  Two barriers a plane.  Points on
 * the sides of the volume keep their values.  The input is random, not the suite's file.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

static const struct workload_param params[] = {
    {"nx", WORKLOAD_NUMBER, 32, 1024, "points along x (stride), floats"},
    {"ny", WORKLOAD_NUMBER, 1, 1024, "points along y"},
    {"nz", WORKLOAD_NUMBER, 1, 1024, "planes worked on: the trip count"},
    {"steps", WORKLOAD_NUMBER, 1, 100, "launches"},
    {"form", WORKLOAD_TEXT, 0, 0, "plain or parboil"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "nx=512,ny=8,nz=6,steps=1,form=plain"},
    {"small", "nx=512,ny=32,nz=16,steps=1,form=plain"},
    {"doc", "nx=512,ny=64,nz=30,steps=1,form=plain"},
    /* its default volume, one of its 100 steps, which take 350 million cycles */
    {"parboil", "nx=512,ny=512,nz=62,steps=1,form=parboil"},
    {"parboil-small", "nx=128,ny=128,nz=30,steps=100,form=parboil"}, /* its small input */
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

enum form { PLAIN, PARBOIL };

struct volume {
    enum form form;
    uint32_t nx, ny, nz;
    struct approx *a; /* nz + 2 planes */
    float c0, c1;
};

/* Point of plane z, counted with the fixed first plane. */
static struct approx at(const struct volume *v, uint32_t z, uint32_t y, uint32_t x)
{
    return v->a[(z * v->ny + y) * v->nx + x];
}

static struct approx weighted(const struct volume *v, struct approx sum, struct approx centre)
{
    return approx_sub(approx_mul(approx_exact((double)v->c1), sum),
                      approx_mul(approx_exact((double)v->c0), centre));
}

static struct approx parboil_reference(const struct volume *v, uint32_t z, uint32_t y, uint32_t x)
{
    if (x == 0 || x + 1 == v->nx || y == 0 || y + 1 == v->ny) {
        return at(v, z, y, x);
    }
    struct approx sum = approx_add(at(v, z + 1, y, x), at(v, z - 1, y, x));
    sum = approx_add(sum, at(v, z, y + 1, x));
    sum = approx_add(sum, at(v, z, y - 1, x));
    sum = approx_add(sum, at(v, z, y, x + 1));
    sum = approx_add(sum, at(v, z, y, x - 1));
    return weighted(v, sum, at(v, z, y, x));
}

static struct approx plain_reference(const struct volume *v, uint32_t z, uint32_t y, uint32_t x)
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
    return weighted(v, sum, at(v, z, y, x));
}

/* The volume after one more step, by way of `next`. */
static void step_reference(struct volume *v, struct approx *next)
{
    const size_t plane = (size_t)v->nx * v->ny;
    for (uint32_t z = 1; z <= v->nz; z++) {
        for (size_t i = 0; i < plane; i++) {
            const uint32_t y = (uint32_t)(i / v->nx), x = (uint32_t)(i % v->nx);
            next[z * plane + i] = v->form == PLAIN ? plain_reference(v, z, y, x)
                                                   : parboil_reference(v, z, y, x);
        }
    }
    memcpy(&v->a[plane], &next[plane], plane * v->nz * sizeof *next);
}

/* Random weights; Parboil's are constants, small enough for its hundred steps. */
static struct volume make_volume(struct run *run)
{
    static const char *const forms[] = {"plain", "parboil"};
    struct volume v = {
        .form = (enum form)run_word(run, "form", forms, 2),
        .nx = run_u32(run, "nx"),
        .ny = run_u32(run, "ny"),
        .nz = run_u32(run, "nz"),
        .c0 = 1.0f / 6.0f,
        .c1 = 1.0f / 6.0f / 6.0f,
    };
    if (v.form == PLAIN) {
        v.c0 = rng_f32_signed(&run->rng);
        v.c1 = rng_f32_signed(&run->rng);
    }
    return v;
}

static void launch(struct run *run, const struct volume *v, gpu_ptr from, gpu_ptr to)
{
    const struct host_arg nx = host_arg_u32(v->nx), ny = host_arg_u32(v->ny);
    const struct host_arg c0 = host_arg_f32(v->c0), c1 = host_arg_f32(v->c1);
    if (v->form == PLAIN) {
        const uint64_t second = (uint64_t)v->nx * v->ny * sizeof(float);
        RUN_LAUNCH(run, "stencil3d", dim2(cover(v->nx, 32), cover(v->ny, 4)), dim2(32, 4),
                   host_arg_u64(from + second), host_arg_u64(to + second), nx, ny,
                   host_arg_u32(v->nz), c0, c1);
        return;
    }
    RUN_LAUNCH(run, "stencil3d_parboil", dim2(cover(v->nx, 64), cover(v->ny, 4)), dim2(32, 4),
               host_arg_u64(from), host_arg_u64(to), nx, ny, host_arg_u32(v->nz + 2), c0, c1);
}

static int run_stencil3d(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "stencil3d/stencil3d.ptx");
    struct volume v = make_volume(&run);
    const size_t n = (size_t)v.nx * v.ny * (v.nz + 2);
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
    for (uint32_t step = run_u32(&run, "steps"); step > 0; step--) {
        launch(&run, &v, from, to);
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
