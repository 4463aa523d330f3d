/* cutcp.c - Coulombic potential of a lattice from the atoms within a cutoff distance.
 *
 * Works after Tabbakh 2018 section 6.3 (CutCP, Parboil; CCP of 6.2).  Kept: regions of 8 x 8 x 8
 * points, bins of eight atoms in a region's size with a margin of empty ones, the list of
 * neighbouring bins in constant memory, four bins at a time through shared memory, the smooth
 * cutoff.  Left out: atoms that a full bin has no place for, which the suite gives to the CPU: here
 * none is full.  Loads: one word per lane of a bin's 128 bytes, each bin by all regions around it.
 * form=lean: one launch; a lattice in rows.
 * form=parboil: the suite's own kernel.  A launch for each plane of regions; 32 bins at a time, of
 * which a half warp fetches four, a bin's line by two loads of 64 bytes, the second after the
 * first is in shared memory; a longer list of neighbours (335 for 311 at cutoff 12), its
 * length in constant memory; a region's points lie together.
 */
#include "workloads/approx_math.h"
#include "workloads/check.h"
#include "workloads/run.h"

enum form { LEAN, PARBOIL };
enum {
    REGION = 8,
    ROWS = 2,
    DEPTH = 8,
    BIN_LENGTH = 4,
    MOST_BINS = 343,
    MOST_REGIONS = 64,
    MOST_ATOMS = 7
};

static const float spacing = 0.5f; /* eight points in a bin's length */

static const struct workload_param params[] = {
    {"x", WORKLOAD_NUMBER, 1, MOST_REGIONS, "regions of 8 points along x"},
    {"y", WORKLOAD_NUMBER, 1, MOST_REGIONS, "regions of 8 points along y"},
    {"z", WORKLOAD_NUMBER, 1, MOST_REGIONS, "regions of 8 points along z"},
    {"atoms", WORKLOAD_NUMBER, 1, 1 << 20, "number of atoms, at most seven for each region"},
    {"cutoff", WORKLOAD_NUMBER, 1, 3 * BIN_LENGTH, "cutoff distance; a region's edge is 4"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or parboil"},
    {0},
};

/* The suite's cutoff is 12. */
static const struct workload_size sizes[] = {
    {"tiny", "x=3,y=2,z=2,atoms=40,cutoff=3,form=lean"},
    {"small", "x=4,y=4,z=4,atoms=256,cutoff=8,form=lean"},
    {"doc", "x=6,y=6,z=6,atoms=1000,cutoff=12,form=lean"},
    /* A box of 40, taken for its small input, whose file is not at hand.  Atoms are as dense as the
     * suite expects, 6.4 a bin; here the outermost bins are as full as the others. */
    {"parboil", "x=11,y=11,z=11,atoms=8518,cutoff=12,form=parboil"},
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
    enum form form;
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

/* Can a bin have an atom within the cutoff of a point in a region's own?  Parboil's answer goes by
 * the bins' middles and says yes of more. */
static bool is_near(const struct problem *p, int32_t x, int32_t y, int32_t z)
{
    if (p->form == LEAN) {
        return gap(x) * gap(x) + gap(y) * gap(y) + gap(z) * gap(z) <
               (int32_t)(p->cutoff * p->cutoff);
    }
    const float reach = (float)p->cutoff + sqrtf(3) * (float)BIN_LENGTH;
    return (float)((x * x + y * y + z * z) * BIN_LENGTH * BIN_LENGTH) < reach * reach;
}

static void find_near(struct problem *p)
{
    const int32_t most = (int32_t)p->margin;
    for (int32_t z = -most; z <= most; z++) {
        for (int32_t y = -most; y <= most; y++) {
            for (int32_t x = -most; x <= most; x++) {
                if (is_near(p, x, y, z)) {
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
    static const char *const forms[] = {"lean", "parboil"};
    struct problem p = {.form = (enum form)run_word(run, "form", forms, 2),
                        .regions = {run_u32(run, "x"), run_u32(run, "y"), run_u32(run, "z")},
                        .n_atoms = run_u32(run, "atoms"),
                        .cutoff = run_u32(run, "cutoff")};
    const uint32_t n_regions = p.regions[0] * p.regions[1] * p.regions[2];
    if (p.n_atoms > MOST_ATOMS * n_regions) {
        run_refuse(run, "%u atoms are more than seven for each of %u regions; use at most %u",
                   p.n_atoms, n_regions, MOST_ATOMS * n_regions);
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

/* Parboil's threads step from their first point, which is in the first two rows, to the others. */
static struct approx distance_y(const struct problem *p, uint32_t y, float atom)
{
    const uint32_t steps = p->form == PARBOIL ? y % REGION / ROWS : 0;
    struct approx dy = distance(y - steps * ROWS, atom);
    for (uint32_t i = 0; i < steps; i++) {
        dy = approx_sub(dy, approx_exact((double)(ROWS * spacing)));
    }
    return dy;
}

/* Is the atom so far that no rounding brings it near?  Most are. */
static bool is_far(const struct atom *atom, uint32_t x, uint32_t y, uint32_t z, double cutoff2)
{
    const double dx = (double)(atom->x - spacing * (float)x);
    const double dy = (double)(atom->y - spacing * (float)y);
    const double dz = (double)(atom->z - spacing * (float)z);
    return dx * dx + dy * dy + dz * dz > 1.01 * cutoff2;
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
        if (is_far(atom, x, y, z, cutoff2)) {
            continue;
        }
        const struct approx dx = distance(x, atom->x), dy = distance_y(p, y, atom->y);
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

/* The point whose energy is word i. */
static struct offset point_of(const struct problem *p, uint32_t i)
{
    const uint32_t rx = p->regions[0], ry = p->regions[1];
    uint32_t x = i % (rx * REGION), y = i / (rx * REGION) % (ry * REGION);
    uint32_t z = i / (rx * REGION) / (ry * REGION);
    if (p->form == PARBOIL) {
        const uint32_t region = i / (REGION * REGION * REGION);
        x = region % rx * REGION + i % REGION;
        y = region / rx % ry * REGION + i / REGION % REGION;
        z = region / rx / ry * REGION + i / (REGION * REGION) % REGION;
    }
    return (struct offset){(int32_t)x, (int32_t)y, (int32_t)z};
}

static void check(const struct problem *p, struct run *run, const float *got, struct approx *want,
                  size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct offset at = point_of(p, (uint32_t)i);
        want[i] = expect_point(p, (uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z);
    }
    check_f32(run->result, "energy", got, want, n);
}

static void launch_lean(struct run *run, const struct problem *p, gpu_ptr bins, gpu_ptr energy)
{
    const struct isa_dim3 grid = {.x = p->regions[0], .y = p->regions[1], .z = p->regions[2]};
    const struct isa_dim3 block = {.x = REGION, .y = ROWS, .z = REGION};
    const float cutoff2 = (float)(p->cutoff * p->cutoff);
    RUN_LAUNCH(run, "cutcp", grid, block, host_arg_u64(bins), host_arg_u64(energy),
               host_arg_u32(p->bins[0]), host_arg_u32(p->bins[1]), host_arg_u32(p->margin),
               host_arg_u32(p->n_near), host_arg_f32(spacing), host_arg_f32(cutoff2),
               host_arg_f32(1 / cutoff2));
}

static void launch_parboil(struct run *run, const struct problem *p, gpu_ptr bins, gpu_ptr energy)
{
    const struct isa_dim3 grid = dim2(p->regions[0], p->regions[1]);
    const struct isa_dim3 block = {.x = REGION, .y = ROWS, .z = REGION};
    const float cutoff2 = (float)(p->cutoff * p->cutoff);
    const size_t bin = ((size_t)p->margin * p->bins[1] + p->margin) * p->bins[0] + p->margin;
    const gpu_ptr first = bins + bin * DEPTH * sizeof(struct atom); /* region (0, 0, 0)'s */
    run_write_symbol(run, "near_length", &p->n_near, sizeof p->n_near);
    for (uint32_t plane = 0; plane < p->regions[2]; plane++) {
        RUN_LAUNCH(run, "cutcp_parboil", grid, block, host_arg_u32(p->bins[0]),
                   host_arg_u32(p->bins[1]), host_arg_u64(first), host_arg_f32(spacing),
                   host_arg_f32(cutoff2), host_arg_f32(1 / cutoff2), host_arg_u64(energy),
                   host_arg_u32(plane));
    }
}

static int run_cutcp(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "cutcp/cutcp.ptx");
    const struct problem p = make(&run);
    const size_t n_regions = (size_t)p.regions[0] * p.regions[1] * p.regions[2];
    const size_t n = n_regions * REGION * REGION * REGION;
    const size_t n_binned = (size_t)p.bins[0] * p.bins[1] * p.bins[2] * DEPTH;
    float *got = RUN_ARRAY(&run, float, n);
    struct approx *want = RUN_ARRAY(&run, struct approx, n);
    if (run.failed) {
        return run_end(&run);
    }
    run_write_symbol(&run, "near", p.near, p.n_near * sizeof *p.near);
    const gpu_ptr bins = run_upload(&run, "bins", p.binned, n_binned * sizeof *p.binned);
    const gpu_ptr energy = run_alloc(&run, "energy", n * sizeof *got);
    if (p.form == LEAN) {
        launch_lean(&run, &p, bins, energy);
    } else {
        launch_parboil(&run, &p, bins, energy);
    }
    run_download(&run, got, energy, n * sizeof *got);
    check(&p, &run, got, want, n);
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
