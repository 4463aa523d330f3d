/* cp.c - Coulombic potential: the energy of every point of a plane from given atoms.
 *
 * Works after CAPS section 6.1 (CP); the kernel is that of the ISPASS-2009 suite.  CTAs
 * of 16 x 8 threads, eight points of a row per thread.  Loads: atoms from constant memory
 * in the loop, then eight loads energy[y * W + x + 16 * k], each once: a warp covers two
 * rows, so two half lines W * 4 bytes apart.  No divergence.
 */
#include "workloads/approx_math.h"
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_X = 16, BLOCK_Y = 8, POINTS = 8, TILE_X = BLOCK_X * POINTS, MAX_ATOMS = 4000 };

static const float spacing = 0.25f;

static const struct workload_param params[] = {
    {"width", WORKLOAD_NUMBER, TILE_X, 4096, "points per row, a multiple of 128"},
    {"height", WORKLOAD_NUMBER, BLOCK_Y, 4096, "rows, a multiple of 8"},
    {"atoms", WORKLOAD_NUMBER, 1, MAX_ATOMS, "number of atoms, the trip count of the loop"},
    {0},
};

/* The document's loop is 200 operations long: about five atoms. */
static const struct workload_size sizes[] = {
    {"tiny", "width=256,height=16,atoms=5"},
    {"small", "width=4096,height=64,atoms=16"},
    {"doc", "width=4096,height=512,atoms=5"},
    {0},
};

#define POINT(k) \
    { \
        .kernel = "cp", .load = k, .nreq = 2, .stride_bytes = 4, \
        .what = "energy[y * width + x + 16 * " #k "]; two rows of half a line" \
    }
static const struct workload_expect expect[] = {
    POINT(0), POINT(1), POINT(2), POINT(3), POINT(4), POINT(5), POINT(6), POINT(7), {0},
};

/* As the kernel's struct atom. */
struct atom {
    float x, y, z2, charge;
};

struct problem {
    uint32_t width, height, n_atoms;
    struct atom *atoms;
    float *energy;
};

static struct problem make(struct run *run)
{
    struct problem p = {.width = run_u32(run, "width"),
                        .height = run_u32(run, "height"),
                        .n_atoms = run_u32(run, "atoms")};
    if (p.width % TILE_X || p.height % BLOCK_Y) {
        run_refuse(run, "a plane of %u x %u is not made of %d x %d tiles; use multiples", p.width,
                   p.height, TILE_X, BLOCK_Y);
    }
    p.atoms = RUN_ARRAY(run, struct atom, p.n_atoms);
    p.energy = run_random_f32(run, (size_t)p.width * p.height);
    for (uint32_t a = 0; !run->failed && a < p.n_atoms; a++) {
        float z = 0.5f + rng_f32(&run->rng); /* above the plane: no point lies in an atom */
        p.atoms[a] = (struct atom){
            .x = spacing * (float)p.width * rng_f32(&run->rng),
            .y = spacing * (float)p.height * rng_f32(&run->rng),
            .z2 = z * z,
            .charge = rng_f32_signed(&run->rng),
        };
    }
    return p;
}

static struct approx square_plus(struct approx a, struct approx b)
{
    return approx_mad(a, a, b);
}

/* One point's new energy.  The device reaches its k-th point in k steps of one CTA
 * width, whose roundings the bound must have. */
static struct approx expect_point(const struct problem *p, uint32_t x, uint32_t y)
{
    const uint32_t k = x % TILE_X / BLOCK_X, first_x = x - k * BLOCK_X;
    const struct approx space = approx_exact((double)spacing);
    const struct approx step = approx_mul(space, approx_exact(BLOCK_X));
    const struct approx at_x = approx_mul(space, approx_exact(first_x));
    const struct approx at_y = approx_mul(space, approx_exact(y));
    struct approx sum = approx_exact(0);
    for (uint32_t a = 0; a < p->n_atoms; a++) {
        const struct atom *atom = &p->atoms[a];
        struct approx dx = approx_sub(at_x, approx_exact((double)atom->x));
        struct approx dy = approx_sub(at_y, approx_exact((double)atom->y));
        for (uint32_t i = 0; i < k; i++) {
            dx = approx_add(dx, step);
        }
        struct approx r2 = square_plus(dx, square_plus(dy, approx_exact((double)atom->z2)));
        sum = approx_mad(approx_exact((double)atom->charge), approx_rsqrt(r2), sum);
    }
    return approx_add(approx_exact((double)p->energy[(size_t)y * p->width + x]), sum);
}

static int run_cp(struct host *host, const struct workload_size *size, uint64_t seed,
                  struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "cp/cp.ptx");
    struct problem p = make(&run);
    const size_t n_points = (size_t)p.width * p.height, bytes = n_points * sizeof(float);
    float *got = RUN_ARRAY(&run, float, n_points);
    struct approx *want = RUN_ARRAY(&run, struct approx, n_points);
    if (run.failed) {
        return run_end(&run);
    }
    run_write_symbol(&run, "atoms", p.atoms, p.n_atoms * sizeof *p.atoms);
    gpu_ptr energy = run_upload(&run, "energy", p.energy, bytes);
    RUN_LAUNCH(&run, "cp", dim2(p.width / TILE_X, p.height / BLOCK_Y), dim2(BLOCK_X, BLOCK_Y),
               host_arg_u64(energy), host_arg_u32(p.width), host_arg_u32(p.n_atoms),
               host_arg_f32(spacing));
    run_download(&run, got, energy, bytes);
    for (size_t i = 0; i < n_points; i++) {
        want[i] = expect_point(&p, (uint32_t)(i % p.width), (uint32_t)(i / p.width));
    }
    check_f32(result, "energy", got, want, n_points);
    return run_end(&run);
}

const struct workload workload_cp = {
    .name = "cp",
    .title = "Coulombic potential on a plane",
    .source = "CAPS section 6.1",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_cp,
};
