/* lbm.c - lattice Boltzmann method, 19 directions, one launch per step.
 *
 * form=pull: nineteen loads and nineteen stores per cell and no reuse.  Lanes run along x:
 * loads of directions without an x component are one line (1 request), the others
 * straddle a line boundary (2 requests) and wrap at the box's sides.  The nineteen
 * arrays lie powers of two apart.  No branch divergence; write-heavy.
 * form=parboil: the suite's own kernel (2.5), a driven cavity.  A cell is 20 words, so a load has
 * lanes 80 bytes apart and asks for 20 lines, which the other 19 loads ask for again; stores go to
 * the neighbours, 80 bytes apart too.  The box's sides are obstacles, where a warp diverges.  Left
 * out: the file of further obstacles (the one at hand, of 100 x 100 x 130, has none).  The fluid
 * starts near rest, not at rest, so that every density is checked; kept are the rows' padding of
 * eight cells and the planes around the box that its outermost cells store to.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { DIRECTIONS = 19 };
enum { CELL_WORDS = DIRECTIONS + 1, PADDING = 8, MARGIN = 2 }; /* Parboil's, in x and planes */
enum { OBSTACLE = 1, DRIVEN = 2 };                             /* its flags */
enum form { PULL, PARBOIL };

static const struct workload_param params[] = {
    {"nx", WORKLOAD_NUMBER, 32, 128, "cells along x: threads of a CTA"},
    {"ny", WORKLOAD_NUMBER, 1, 128, "cells along y"},
    {"nz", WORKLOAD_NUMBER, 1, 150, "cells along z"},
    {"steps", WORKLOAD_NUMBER, 1, 100, "launches"},
    {"form", WORKLOAD_TEXT, 0, 0, "pull (sides of powers of two) or parboil"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "nx=128,ny=4,nz=4,steps=2,form=pull"},
    {"small", "nx=128,ny=16,nz=16,steps=2,form=pull"},
    {"doc", "nx=128,ny=64,nz=32,steps=2,form=pull"},
    /* 12 of its 150 planes and one of its 100 steps: the whole box takes 60 million cycles. */
    {"parboil", "nx=120,ny=120,nz=12,steps=1,form=parboil"},
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

struct step {
    int8_t x, y, z;
};

/* The order of directions is the storage order. */
static const struct step lattice[DIRECTIONS] = {
    {0, 0, 0},   {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {1, 0, 1},   {-1, 0, 1}, {1, 0, -1},
    {-1, 0, -1}, {0, 1, 1},  {0, -1, 1}, {0, 1, -1},  {0, -1, -1},
};
static const struct step parboil_lattice[DIRECTIONS] = {
    {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},   {0, 1, -1}, {0, -1, 1},
    {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

struct box {
    enum form form;
    uint32_t nx, ny, nz, cells;
    float omega;
    size_t n, start;          /* words of a grid, and before its cell 0 */
    int64_t pitch_y, pitch_z; /* of Parboil's, in words */
};

/* 1/3, 1/18, 1/36 for none, one, two components. */
static struct approx weight(struct step d)
{
    const int moves = (d.x != 0) + (d.y != 0) + (d.z != 0);
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

struct flow {
    struct approx density, u[3];
};

static struct flow flow_of(const struct step *directions, const struct approx f[DIRECTIONS])
{
    const struct approx zero = approx_exact(0);
    struct flow flow = {zero, {zero, zero, zero}};
    for (int q = 0; q < DIRECTIONS; q++) {
        flow.density = approx_add(flow.density, f[q]);
        flow.u[0] = add_signed(flow.u[0], directions[q].x, f[q]);
        flow.u[1] = add_signed(flow.u[1], directions[q].y, f[q]);
        flow.u[2] = add_signed(flow.u[2], directions[q].z, f[q]);
    }
    for (int axis = 0; axis < 3; axis++) {
        flow.u[axis] = approx_div(flow.u[axis], flow.density);
    }
    return flow;
}

/* 1.5 u^2 */
static struct approx speed2_of(const struct flow *flow)
{
    struct approx sum = approx_exact(0);
    for (int axis = 0; axis < 3; axis++) {
        sum = approx_mad(flow->u[axis], flow->u[axis], sum);
    }
    return approx_mul(approx_exact(1.5), sum);
}

static struct approx speed_along(const struct flow *flow, struct step d)
{
    struct approx along = add_signed(approx_exact(0), d.x, flow->u[0]);
    along = add_signed(along, d.y, flow->u[1]);
    return add_signed(along, d.z, flow->u[2]);
}

static void cell_reference(const struct box *box, const struct approx *in, struct approx *out,
                           uint32_t cell)
{
    const struct approx one = approx_exact(1);
    struct approx f[DIRECTIONS];
    gather(box, in, cell, f);
    const struct flow flow = flow_of(lattice, f);
    const struct approx speed2 = speed2_of(&flow);
    for (int q = 0; q < DIRECTIONS; q++) {
        const struct approx along = approx_mul(approx_exact(3), speed_along(&flow, lattice[q]));
        const struct approx square = approx_mul(approx_mul(approx_exact(0.5), along), along);
        const struct approx shape = approx_sub(approx_add(approx_add(one, along), square), speed2);
        const struct approx rest = approx_mul(approx_mul(weight(lattice[q]), flow.density), shape);
        const struct approx change = approx_mul(approx_exact((double)box->omega),
                                                approx_sub(rest, f[q]));
        out[(uint32_t)q * box->cells + cell] = approx_add(f[q], change);
    }
}

/* The sides are obstacles; next to the first and the last plane the fluid is driven. */
static uint32_t flags_of(const struct box *box, uint32_t x, uint32_t y, uint32_t z)
{
    if (x == 0 || y == 0 || z == 0 || x == box->nx - 1 || y == box->ny - 1 || z == box->nz - 1) {
        return OBSTACLE;
    }
    const bool is_next = z == 1 || z == box->nz - 2;
    const bool is_inner = x > 1 && y > 1 && x < box->nx - 2 && y < box->ny - 2;
    return is_next && is_inner ? DRIVEN : 0;
}

static void collide(const struct box *box, const struct approx f[DIRECTIONS], bool is_driven,
                    struct approx next[DIRECTIONS])
{
    struct flow flow = flow_of(parboil_lattice, f);
    if (is_driven) {
        flow.u[0] = approx_exact((double)0.005f);
        flow.u[1] = approx_exact((double)0.002f);
        flow.u[2] = approx_exact(0);
    }
    const struct approx speed2 = approx_sub(speed2_of(&flow), approx_exact(1));
    const struct approx base = approx_mul(approx_exact((double)box->omega), flow.density);
    const struct approx kept = approx_exact((double)(1 - box->omega));
    for (int q = 0; q < DIRECTIONS; q++) {
        const struct approx along = speed_along(&flow, parboil_lattice[q]);
        const struct approx slope = approx_mad(approx_exact(4.5), along, approx_exact(3));
        const struct approx shape = approx_sub(approx_mul(along, slope), speed2);
        const struct approx rest = approx_mul(approx_mul(weight(parboil_lattice[q]), base), shape);
        next[q] = approx_mad(kept, f[q], rest);
    }
}

/* The direction that leads back. */
static int back_of(int q)
{
    const struct step d = parboil_lattice[q];
    for (int back = 0; back < DIRECTIONS; back++) {
        const struct step b = parboil_lattice[back];
        if (b.x == -d.x && b.y == -d.y && b.z == -d.z) {
            return back;
        }
    }
    return q;
}

/* The word of a grid where a cell starts. */
static size_t parboil_at(const struct box *box, uint32_t x, uint32_t y, uint32_t z)
{
    return box->start + (size_t)x * CELL_WORDS + y * (size_t)box->pitch_y +
           z * (size_t)box->pitch_z;
}

static void parboil_reference(const struct box *box, const struct approx *in, struct approx *out,
                              uint32_t cell)
{
    const uint32_t x = cell % box->nx, y = cell / box->nx % box->ny, z = cell / box->nx / box->ny;
    const uint32_t flags = flags_of(box, x, y, z);
    const size_t at = parboil_at(box, x, y, z);
    struct approx next[DIRECTIONS];
    if (flags & OBSTACLE) {
        for (int q = 0; q < DIRECTIONS; q++) {
            next[q] = in[at + (size_t)back_of(q)];
        }
    } else {
        collide(box, in + at, flags & DRIVEN, next);
    }
    for (int q = 0; q < DIRECTIONS; q++) {
        const struct step d = parboil_lattice[q];
        const int64_t by = d.x * CELL_WORDS + d.y * box->pitch_y + d.z * box->pitch_z;
        out[(int64_t)at + by + q] = next[q];
    }
}

static struct box make_box(struct run *run)
{
    static const char *const forms[] = {"pull", "parboil"};
    struct box box = {.form = (enum form)run_word(run, "form", forms, 2),
                      .nx = run_u32(run, "nx"),
                      .ny = run_u32(run, "ny"),
                      .nz = run_u32(run, "nz")};
    const bool is_power = !(box.nx & (box.nx - 1) || box.ny & (box.ny - 1) ||
                            box.nz & (box.nz - 1));
    box.cells = box.nx * box.ny * box.nz;
    if (box.form == PULL) {
        box.omega = 0.75f;
        box.n = (size_t)DIRECTIONS * box.cells;
        if (!is_power) {
            run_refuse(run, "nx=%u, ny=%u, nz=%u; use powers of two, or form=parboil", box.nx,
                       box.ny, box.nz);
        }
        return box;
    }
    box.omega = 1.95f;
    box.pitch_y = (box.nx + PADDING) * CELL_WORDS;
    box.pitch_z = box.pitch_y * box.ny;
    box.start = MARGIN * (size_t)box.pitch_z;
    box.n = (box.nz + 4 * MARGIN) * (size_t)box.pitch_z;
    return box;
}

/* Near equilibrium at rest, so that velocities stay small. */
static float draw(struct run *run, struct step d)
{
    const float w = (float)weight(d).value;
    return w * (1 + 0.1f * rng_f32_signed(&run->rng));
}

static void fill(struct run *run, const struct box *box, float *f)
{
    for (size_t i = 0; i < box->n && box->form == PULL; i++) {
        f[i] = draw(run, lattice[i / box->cells]);
    }
    for (uint32_t cell = 0; cell < box->cells && box->form == PARBOIL; cell++) {
        const uint32_t x = cell % box->nx, y = cell / box->nx % box->ny,
                       z = cell / box->nx / box->ny, flags = flags_of(box, x, y, z);
        float *const words = f + parboil_at(box, x, y, z);
        for (int q = 0; q < DIRECTIONS; q++) {
            words[q] = draw(run, parboil_lattice[q]);
        }
        memcpy(&words[DIRECTIONS], &flags, sizeof flags);
    }
}

static void launch(struct run *run, const struct box *box, gpu_ptr in, gpu_ptr out)
{
    const struct isa_dim3 grid = dim2(box->ny, box->nz), block = dim1(box->nx);
    if (box->form == PULL) {
        RUN_LAUNCH(run, "lbm", grid, block, host_arg_u64(in), host_arg_u64(out),
                   host_arg_u32(box->nx), host_arg_u32(box->ny), host_arg_u32(box->nz),
                   host_arg_f32(box->omega));
        return;
    }
    const uint64_t start = box->start * sizeof(float);
    RUN_LAUNCH(run, "lbm_parboil", grid, block, host_arg_u64(in + start), host_arg_u64(out + start),
               host_arg_u64((uint64_t)box->pitch_y), host_arg_u64((uint64_t)box->pitch_z));
}

static void step(struct run *run, const struct box *box, const gpu_ptr dev[2],
                 struct approx *const want[2], uint32_t number)
{
    const uint32_t from = number % 2, to = 1 - from;
    launch(run, box, dev[from], dev[to]);
    for (uint32_t cell = 0; cell < box->cells; cell++) {
        if (box->form == PULL) {
            cell_reference(box, want[from], want[to], cell);
        } else {
            parboil_reference(box, want[from], want[to], cell);
        }
    }
}

static int run_lbm(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "lbm/lbm.ptx");
    const struct box box = make_box(&run);
    const uint32_t steps = run_u32(&run, "steps");
    const size_t n = box.n, bytes = n * sizeof(float);
    float *f = RUN_ARRAY(&run, float, n);
    struct approx *want[2] = {RUN_ARRAY(&run, struct approx, n), RUN_ARRAY(&run, struct approx, n)};
    if (run.failed) {
        return run_end(&run);
    }
    fill(&run, &box, f);
    for (size_t i = 0; i < n; i++) {
        want[0][i] = want[1][i] = approx_exact((double)f[i]);
    }
    /* Parboil's second grid needs its flags, and what no cell stores stays as it is. */
    const gpu_ptr first = run_upload(&run, "f0", f, bytes);
    const gpu_ptr dev[2] = {first, box.form == PULL ? run_alloc(&run, "f1", bytes)
                                                    : run_upload(&run, "f1", f, bytes)};
    for (uint32_t number = 0; number < steps; number++) {
        step(&run, &box, dev, want, number);
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
