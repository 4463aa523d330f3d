/* lbm.c - lattice Boltzmann method, 19 directions, one launch per step.
 *
 * Nineteen loads and nineteen stores per cell and no reuse.  Lanes run along x:
 * loads of directions without an x component are one line (1 request), the others
 * straddle a line boundary (2 requests) and wrap at the box's sides.  The nineteen
 * arrays lie powers of two apart.  No branch divergence; write-heavy.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { DIRECTIONS = 19 };

static const struct workload_param params[] = {
    {"nx", WORKLOAD_POWER2, 32, 128, "cells along x: threads of a CTA"},
    {"ny", WORKLOAD_POWER2, 1, 128, "cells along y"},
    {"nz", WORKLOAD_POWER2, 1, 128, "cells along z"},
    {"steps", WORKLOAD_NUMBER, 1, 100, "launches"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "nx=128,ny=4,nz=4,steps=2"},
    {"small", "nx=128,ny=16,nz=16,steps=2"},
    {"doc", "nx=128,ny=64,nz=32,steps=2"},
    {0},
};

#define LOAD(ordinal, expression) \
    { \
        .kernel = "lbm", .load = ordinal, .nreq = 1, .stride_bytes = 4, .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, "in[rest]"), LOAD(3, "in[+y]"), LOAD(4, "in[-y]"),
    LOAD(5, "in[+z]"),   LOAD(6, "in[-z]"), {0},
};

/* The order of directions is the storage order. */
static const struct {
    int8_t x, y, z;
} lattice[DIRECTIONS] = {
    {0, 0, 0},   {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {1, 0, 1},   {-1, 0, 1}, {1, 0, -1},
    {-1, 0, -1}, {0, 1, 1},  {0, -1, 1}, {0, 1, -1},  {0, -1, -1},
};

struct box {
    uint32_t nx, ny, nz, cells;
    float omega;
};

/* 1/3, 1/18, 1/36 for none, one, two components. */
static struct approx weight(int q)
{
    const int moves = (lattice[q].x != 0) + (lattice[q].y != 0) + (lattice[q].z != 0);
    const float weights[3] = {1.0f / 3, 1.0f / 18, 1.0f / 36};
    return approx_exact((double)weights[moves]);
}

/* sum + sign * a, where a sign of zero leaves the sum as it is */
static struct approx add_signed(struct approx sum, int sign, struct approx a)
{
    if (sign == 0) {
        return sum;
    }
    return sign > 0 ? approx_add(sum, a) : approx_sub(sum, a);
}

/* The place one step (-1, 0, 1) behind `at` on a ring of `side`. */
static uint32_t behind(uint32_t at, int step, uint32_t side)
{
    return (uint32_t)(((int64_t)at + side - step) % side);
}

static void gather(const struct box *box, const struct approx *in, uint32_t cell,
                   struct approx f[DIRECTIONS])
{
    const uint32_t x = cell % box->nx, y = cell / box->nx % box->ny, z = cell / box->nx / box->ny;
    for (int q = 0; q < DIRECTIONS; q++) {
        const uint32_t from_x = behind(x, lattice[q].x, box->nx);
        const uint32_t from_y = behind(y, lattice[q].y, box->ny);
        const uint32_t from_z = behind(z, lattice[q].z, box->nz);
        f[q] = in[(uint32_t)q * box->cells + (from_z * box->ny + from_y) * box->nx + from_x];
    }
}

static void cell_reference(const struct box *box, const struct approx *in, struct approx *out,
                           uint32_t cell)
{
    const struct approx zero = approx_exact(0), one = approx_exact(1);
    struct approx f[DIRECTIONS], density = zero, u[3] = {zero, zero, zero}, speed2 = zero;
    gather(box, in, cell, f);
    for (int q = 0; q < DIRECTIONS; q++) {
        density = approx_add(density, f[q]);
        u[0] = add_signed(u[0], lattice[q].x, f[q]);
        u[1] = add_signed(u[1], lattice[q].y, f[q]);
        u[2] = add_signed(u[2], lattice[q].z, f[q]);
    }
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = approx_div(u[axis], density);
        speed2 = approx_mad(u[axis], u[axis], speed2);
    }
    speed2 = approx_mul(approx_exact(1.5), speed2);
    for (int q = 0; q < DIRECTIONS; q++) {
        struct approx along = add_signed(zero, lattice[q].x, u[0]);
        along = add_signed(along, lattice[q].y, u[1]);
        along = add_signed(along, lattice[q].z, u[2]);
        along = approx_mul(approx_exact(3), along);
        const struct approx square = approx_mul(approx_mul(approx_exact(0.5), along), along);
        const struct approx shape = approx_sub(approx_add(approx_add(one, along), square), speed2);
        const struct approx rest = approx_mul(approx_mul(weight(q), density), shape);
        const struct approx change = approx_mul(approx_exact((double)box->omega),
                                                approx_sub(rest, f[q]));
        out[(uint32_t)q * box->cells + cell] = approx_add(f[q], change);
    }
}

static int run_lbm(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "lbm/lbm.ptx");
    struct box box = {.nx = run_u32(&run, "nx"),
                      .ny = run_u32(&run, "ny"),
                      .nz = run_u32(&run, "nz"),
                      .omega = 0.75f};
    const uint32_t steps = run_u32(&run, "steps");
    box.cells = box.nx * box.ny * box.nz;
    const size_t n = (size_t)DIRECTIONS * box.cells, bytes = n * sizeof(float);
    float *f = RUN_ARRAY(&run, float, n);
    struct approx *want[2] = {RUN_ARRAY(&run, struct approx, n), RUN_ARRAY(&run, struct approx, n)};
    if (run.failed) {
        return run_end(&run);
    }
    for (size_t i = 0; i < n; i++) {
        /* near equilibrium at rest, so that velocities stay small */
        const float w = (float)weight((int)(i / box.cells)).value;
        f[i] = w * (1 + 0.1f * rng_f32_signed(&run.rng));
        want[0][i] = approx_exact((double)f[i]);
    }

    gpu_ptr dev[2] = {run_upload(&run, "f0", f, bytes), run_alloc(&run, "f1", bytes)};
    for (uint32_t step = 0; step < steps; step++) {
        RUN_LAUNCH(&run, "lbm", dim2(box.ny, box.nz), dim1(box.nx), host_arg_u64(dev[step % 2]),
                   host_arg_u64(dev[(step + 1) % 2]), host_arg_u32(box.nx), host_arg_u32(box.ny),
                   host_arg_u32(box.nz), host_arg_f32(box.omega));
        for (uint32_t cell = 0; cell < box.cells; cell++) {
            cell_reference(&box, want[step % 2], want[(step + 1) % 2], cell);
        }
    }
    run_download(&run, f, dev[steps % 2], bytes);
    check_f32(result, "f", f, want[steps % 2], n);
    return run_end(&run);
}

const struct workload workload_lbm = {
    .name = "lbm",
    .title = "lattice Boltzmann method, D3Q19",
    .source = "wang2015-divergence section 6 (LBM), tabbakh2018-coherence section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_lbm,
};
