/* cutcp.c - Coulombic potential of a lattice from the atoms within a cutoff distance.
 *
 * Works after Tabbakh 2018 section 6.3 (CutCP, Parboil; CCP of 6.2).  Kept: regions of 8 x 8 x 8
 * points, bins of eight atoms in a region's size with a margin of empty ones, the list of
 * neighbouring bins in constant memory, four bins at a time through shared memory, the smooth
 * cutoff.  Left out: atoms that a full bin has no place for, which the suite gives to the CPU: here
 * none is full.  Loads: one word per lane of a bin's 128 bytes, each bin by all regions around it.
 */
#include "workloads/approx_math.h"
#include "workloads/check.h"
#include "workloads/run.h"

enum { REGION = 8, ROWS = 2, DEPTH = 8, BIN_LENGTH = 4, MOST_BINS = 343, MOST_REGIONS = 64 };

static const float spacing = 0.5f; /* eight points in a bin's length */

static const struct workload_param params[] = {
    {"x", WORKLOAD_NUMBER, 1, MOST_REGIONS, "regions of 8 points along x"},
    {"y", WORKLOAD_NUMBER, 1, MOST_REGIONS, "regions of 8 points along y"},
    {"z", WORKLOAD_NUMBER, 1, MOST_REGIONS, "regions of 8 points along z"},
    {"atoms", WORKLOAD_NUMBER, 1, 1 << 20, "number of atoms, at most six for each region"},
    {"cutoff", WORKLOAD_NUMBER, 1, 3 * BIN_LENGTH, "cutoff distance; a region's edge is 4"},
    {0},
};

/* The suite's cutoff is 12. */
static const struct workload_size sizes[] = {
    {"tiny", "x=3,y=2,z=2,atoms=40,cutoff=3"},
    {"small", "x=4,y=4,z=4,atoms=256,cutoff=8"},
    {"doc", "x=6,y=6,z=6,atoms=1000,cutoff=12"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "cutcp", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "bins[at * 32 + word]"},
    {0},
};

/* As the kernel's. */
struct atom {
    float x, y, z, charge;
};
struct offset {
    int32_t x, y, z;
};

struct problem {
    uint32_t regions[3], n_atoms, cutoff;
    uint32_t margin, bins[3]; /* empty bins on each side; with them */
    struct atom *atom;
    struct atom *binned; /* DEPTH for each bin */
    struct offset near[MOST_BINS];
    uint32_t n_near;
};

/* Length of what lies between two bins that are `by` apart. */
static int32_t gap(int32_t by)
{
    return by == 0 ? 0 : ((by < 0 ? -by : by) - 1) * BIN_LENGTH;
}

static void find_near(struct problem *p)
{
    const int32_t most = (int32_t)p->margin, cutoff2 = (int32_t)(p->cutoff * p->cutoff);
    for (int32_t z = -most; z <= most; z++) {
        for (int32_t y = -most; y <= most; y++) {
            for (int32_t x = -most; x <= most; x++) {
                if (gap(x) * gap(x) + gap(y) * gap(y) + gap(z) * gap(z) < cutoff2) {
                    p->near[p->n_near++] = (struct offset){x, y, z};
                }
            }
        }
    }
}

/* Between two lattice points: no atom lies on one. */
static float place(struct rng *rng, uint32_t region)
{
    const uint32_t cell = (uint32_t)rng_below(rng, REGION);
    return spacing * ((float)(region * REGION + cell) + 0.25f + 0.5f * rng_f32(rng));
}

/* An atom in a bin that still has room for it. */
static void add_atom(struct run *run, struct problem *p, struct atom *atom)
{
    uint32_t at[3], used = DEPTH;
    struct atom *bin = NULL;
    while (used == DEPTH) {
        for (int d = 0; d < 3; d++) {
            at[d] = (uint32_t)rng_below(&run->rng, p->regions[d]);
        }
        bin = p->binned +
              (((size_t)at[2] + p->margin) * p->bins[1] + at[1] + p->margin) * p->bins[0] * DEPTH +
              ((size_t)at[0] + p->margin) * DEPTH;
        for (used = 0; used < DEPTH && bin[used].charge != 0; used++) {
        }
    }
    atom->x = place(&run->rng, at[0]);
    atom->y = place(&run->rng, at[1]);
    atom->z = place(&run->rng, at[2]);
    atom->charge = 0.5f + 0.5f * rng_f32(&run->rng);
    atom->charge = rng_below(&run->rng, 2) ? -atom->charge : atom->charge;
    bin[used] = *atom;
}

static struct problem make(struct run *run)
{
    struct problem p = {.regions = {run_u32(run, "x"), run_u32(run, "y"), run_u32(run, "z")},
                        .n_atoms = run_u32(run, "atoms"),
                        .cutoff = run_u32(run, "cutoff")};
    const uint32_t n_regions = p.regions[0] * p.regions[1] * p.regions[2];
    if (p.n_atoms > 6 * n_regions) {
        run_refuse(run, "%u atoms are more than six for each of %u regions; use at most %u",
                   p.n_atoms, n_regions, 6 * n_regions);
        return p;
    }
    p.margin = cover(p.cutoff, BIN_LENGTH);
    for (int d = 0; d < 3; d++) {
        p.bins[d] = p.regions[d] + 2 * p.margin;
    }
    find_near(&p);
    p.atom = RUN_ARRAY(run, struct atom, p.n_atoms);
    p.binned = RUN_ARRAY(run, struct atom, (size_t)p.bins[0] * p.bins[1] * p.bins[2] * DEPTH);
    for (uint32_t a = 0; !run->failed && a < p.n_atoms; a++) {
        add_atom(run, &p, &p.atom[a]);
    }
    return p;
}

static struct approx distance(uint32_t point, float atom)
{
    return approx_sub(approx_exact((double)atom),
                      approx_mul(approx_exact((double)spacing), approx_exact(point)));
}

/* One point's energy by all atoms, whatever the order that they are added in: the sum of n terms is
 * within n * u of the sum of their absolute values (Higham, section 4.2). */
static struct approx expect_point(const struct problem *p, uint32_t x, uint32_t y, uint32_t z)
{
    const double cutoff2 = p->cutoff * p->cutoff;
    const struct approx per_cutoff2 = approx_exact((double)(1 / (float)cutoff2));
    struct approx sum = approx_exact(0);
    double absolute = 0, n = 1;
    for (uint32_t a = 0; a < p->n_atoms; a++) {
        const struct atom *atom = &p->atom[a];
        const struct approx dx = distance(x, atom->x), dy = distance(y, atom->y);
        const struct approx dz = distance(z, atom->z);
        const struct approx r2 = approx_mad(dy, dy, approx_mad(dx, dx, approx_mul(dz, dz)));
        if (r2.value - r2.bound > cutoff2) {
            continue;
        }
        const struct approx s = approx_sub(approx_exact(1), approx_mul(r2, per_cutoff2));
        const struct approx pull = approx_mul(approx_exact((double)atom->charge), approx_rsqrt(r2));
        struct approx term = approx_mul(approx_mul(pull, s), s);
        if (r2.value + r2.bound >= cutoff2) { /* it may be left out */
            term.bound += fabs(term.value);
        }
        sum.value += term.value;
        sum.bound += term.bound;
        absolute += fabs(term.value) + term.bound;
        n++;
    }
    sum.bound += 1.01 * n * APPROX_U * absolute + APPROX_TINY;
    return sum;
}

static void check(const struct problem *p, struct run *run, const float *got, struct approx *want)
{
    const uint32_t nx = p->regions[0] * REGION, ny = p->regions[1] * REGION;
    const size_t n = (size_t)nx * ny * p->regions[2] * REGION;
    for (size_t i = 0; i < n; i++) {
        want[i] = expect_point(p, (uint32_t)(i % nx), (uint32_t)(i / nx % ny),
                               (uint32_t)(i / nx / ny));
    }
    check_f32(run->result, "energy", got, want, n);
}

static int run_cutcp(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "cutcp/cutcp.ptx");
    const struct problem p = make(&run);
    const struct isa_dim3 grid = {.x = p.regions[0], .y = p.regions[1], .z = p.regions[2]};
    const struct isa_dim3 block = {.x = REGION, .y = ROWS, .z = REGION};
    const size_t n = (size_t)grid.x * grid.y * grid.z * REGION * REGION * REGION;
    const float cutoff2 = (float)(p.cutoff * p.cutoff);
    float *got = RUN_ARRAY(&run, float, n);
    struct approx *want = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }
    host_write(host, host_symbol(host, run.module, "near"), p.near, p.n_near * sizeof *p.near);
    const gpu_ptr bins = run_upload(
        &run, "bins", p.binned, (size_t)p.bins[0] * p.bins[1] * p.bins[2] * DEPTH * sizeof *p.atom);
    const gpu_ptr energy = run_alloc(&run, "energy", n * sizeof *got);
    RUN_LAUNCH(&run, "cutcp", grid, block, host_arg_u64(bins), host_arg_u64(energy),
               host_arg_u32(p.bins[0]), host_arg_u32(p.bins[1]), host_arg_u32(p.margin),
               host_arg_u32(p.n_near), host_arg_f32(spacing), host_arg_f32(cutoff2),
               host_arg_f32(1 / cutoff2));
    run_download(&run, got, energy, n * sizeof *got);
    check(&p, &run, got, want);
    return run_end(&run);
}

const struct workload workload_cutcp = {
    .name = "cutcp",
    .title = "Coulombic potential within a cutoff, atoms in bins",
    .source = "Tabbakh 2018 sections 6.2 and 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_cutcp,
};
