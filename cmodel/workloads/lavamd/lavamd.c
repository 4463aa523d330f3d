/* lavamd.c - short-range forces between particles in a grid of boxes.
 *
 * One vector load of 16 bytes per lane (4 requests at 32 particles, stride 16) per
 * neighbour box; a box's particles are used by up to 27 CTAs, so the second level
 * holds nearly all of them.  Long arithmetic loops on shared memory; the threads
 * beyond the box's particles idle.  With forces in memory an iteration of such a loop stores the
 * force, one component after the other, 4 requests each.
 *
 * form=rodinia is the suite's own kernel, in double precision with an exponential function: 32
 * bytes a particle and its charge in another array, loaded 8 bytes at a time, so that 8 lines are
 * asked for 4 times; both boxes lie in shared memory, in 7200 bytes.  A box is found by its
 * neighbour's number and its own offset, each loaded by all.  The sums are in global memory: with
 * in_memory=1 four of them are loaded and stored with each pair, as the source says; with 0 they
 * are in registers over a box, as nvcc 13 has it.  Which of them nvcc did when the suite was new
 * could not be found out.  Left out: exponents beyond 708, where the result is rounded to 0.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 128, NEIGHBOURS = 27 };
enum { RODINIA_PARTICLES = 100 }; /* room for these in its shared memory */

static const struct workload_param params[] = {
    {"side", WORKLOAD_NUMBER, 1, 16, "boxes along each side"},
    {"particles", WORKLOAD_NUMBER, 1, BLOCK_THREADS, "particles per box"},
    {"in_memory", WORKLOAD_NUMBER, 0, 1,
     "1: the force goes to global memory with each particle, as in Rodinia; 0: at the end"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia (at most 100 particles)"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "side=2,particles=32,in_memory=0,form=lean"},
    {"small", "side=2,particles=100,in_memory=0,form=lean"},
    {"doc", "side=3,particles=100,in_memory=0,form=lean"},
    /* the suite's run has side=10, ten times the pairs of boxes; too long with sums in memory */
    {"rodinia", "side=5,particles=100,in_memory=1,form=rodinia"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "lavamd",
     .load = 0,
     .nreq = 4,
     .nreq_max = 5,
     .stride_bytes = 16,
     .what = "particles[mine]"},
    {0},
};

struct box {
    int32_t count, neighbours[NEIGHBOURS];
};

struct lavamd {
    bool in_memory;
    int side;
    uint32_t n_boxes, per_box;
    size_t n;
    float alpha;
    struct box *boxes;
    float *particles; /* x, y, z, charge */
};

static void add_neighbours(const struct lavamd *l, struct box *box, int x, int y, int z)
{
    const int self = (z * l->side + y) * l->side + x;
    box->neighbours[box->count++] = self;
    for (int dz = -1; dz <= 1; dz++) {
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                const int nx = x + dx, ny = y + dy, nz = z + dz;
                const int other = (nz * l->side + ny) * l->side + nx;
                if (nx >= 0 && ny >= 0 && nz >= 0 && nx < l->side && ny < l->side && nz < l->side &&
                    other != self) {
                    box->neighbours[box->count++] = other;
                }
            }
        }
    }
}

static void make_boxes(struct run *run, struct lavamd *l)
{
    l->boxes = RUN_ARRAY(run, struct box, l->n_boxes);
    for (int i = 0; i < (int)l->n_boxes && !run->failed; i++) {
        add_neighbours(l, &l->boxes[i], i % l->side, i / l->side % l->side, i / l->side / l->side);
    }
}

static void make_particles(struct run *run, struct lavamd *l)
{
    l->particles = RUN_ARRAY(run, float, 4 * l->n);
    for (size_t i = 0; i < l->n && !run->failed; i++) {
        const int box = (int)(i / l->per_box);
        float *particle = &l->particles[4 * i];
        particle[0] = (float)(box % l->side) + rng_f32(&run->rng);
        particle[1] = (float)(box / l->side % l->side) + rng_f32(&run->rng);
        particle[2] = (float)(box / l->side / l->side) + rng_f32(&run->rng);
        particle[3] = rng_f32_signed(&run->rng);
    }
}

static void add_force(const struct lavamd *l, const float *self, const float *p,
                      struct approx force[4])
{
    struct approx d[3], r2 = approx_exact(0);
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = approx_sub(approx_exact((double)self[axis]), approx_exact((double)p[axis]));
        r2 = approx_mad(d[axis], d[axis], r2);
    }
    const struct approx exponent = approx_mul(approx_exact(-(double)l->alpha), r2);
    const struct approx weight = approx_mul(approx_exact((double)p[3]), approx_exp2(exponent));
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = approx_mad(weight, d[axis], force[axis]);
    }
    force[3] = approx_add(force[3], weight);
}

static void particle_reference(const struct lavamd *l, size_t particle, struct approx force[4])
{
    const struct box *box = &l->boxes[particle / l->per_box];
    for (int axis = 0; axis < 4; axis++) {
        force[axis] = approx_exact(0);
    }
    for (int k = 0; k < box->count; k++) {
        const float *p = l->particles + 4 * (size_t)box->neighbours[k] * l->per_box;
        for (uint32_t j = 0; j < l->per_box; j++) {
            add_force(l, l->particles + 4 * particle, p + 4 * j, force);
        }
    }
}

static void run_lean(struct run *run, struct lavamd *l)
{
    const size_t bytes = 4 * l->n * sizeof(float);
    make_particles(run, l);
    float *forces = RUN_ARRAY(run, float, 4 * l->n);
    struct approx *want = RUN_ARRAY(run, struct approx, 4 * l->n);
    if (run->failed) {
        return;
    }

    gpu_ptr boxes = run_upload(run, "boxes", l->boxes, l->n_boxes * sizeof *l->boxes);
    gpu_ptr particles = run_upload(run, "particles", l->particles, bytes);
    gpu_ptr dev_forces = run_alloc(run, "forces", bytes);
    const char *kernel = l->in_memory ? "lavamd_in_memory" : "lavamd";
    RUN_LAUNCH(run, kernel, dim1(l->n_boxes), dim1(BLOCK_THREADS), host_arg_u64(boxes),
               host_arg_u64(particles), host_arg_u64(dev_forces), host_arg_f32(l->alpha),
               host_arg_u32(l->per_box));
    run_download(run, forces, dev_forces, bytes);
    for (size_t i = 0; i < l->n; i++) {
        particle_reference(l, i, &want[4 * i]);
    }
    check_f32(run->result, "forces", forces, want, 4 * l->n);
}

/* As the kernel's struct home. */
struct home {
    int32_t x, y, z, number;
    int64_t offset;
    int32_t n_neighbours, pad;
    struct neighbour {
        int32_t x, y, z, number;
        int64_t offset;
    } neighbours[NEIGHBOURS - 1];
};
_Static_assert(sizeof(struct home) == 656, "as in Rodinia");

struct vector {
    double v, x, y, z;
};

struct rodinia {
    struct home *homes;
    struct vector *particles;
    double *charges;
};

static struct neighbour place(const struct lavamd *l, int box)
{
    return (struct neighbour){.x = box % l->side,
                              .y = box / l->side % l->side,
                              .z = box / l->side / l->side,
                              .number = box,
                              .offset = (int64_t)box * l->per_box};
}

/* One of 0.1, 0.2, …, 1.0, as the suite's input. */
static double tenths(struct run *run)
{
    return (1 + (double)rng_below(&run->rng, 10)) / 10;
}

static struct rodinia make_rodinia(struct run *run, const struct lavamd *l)
{
    const struct rodinia r = {.homes = RUN_ARRAY(run, struct home, l->n_boxes),
                              .particles = RUN_ARRAY(run, struct vector, l->n),
                              .charges = RUN_ARRAY(run, double, l->n)};
    for (uint32_t i = 0; i < l->n_boxes && !run->failed; i++) {
        const struct neighbour self = place(l, (int)i);
        struct home *home = &r.homes[i];
        *home = (struct home){.x = self.x, .y = self.y, .z = self.z, .number = self.number};
        home->offset = self.offset;
        home->n_neighbours = l->boxes[i].count - 1; /* the box itself is not in the list */
        for (int k = 0; k < home->n_neighbours; k++) {
            home->neighbours[k] = place(l, l->boxes[i].neighbours[k + 1]);
        }
    }
    for (size_t i = 0; i < l->n && !run->failed; i++) {
        r.particles[i].v = tenths(run);
        r.particles[i].x = tenths(run);
        r.particles[i].y = tenths(run);
        r.particles[i].z = tenths(run);
        r.charges[i] = tenths(run);
    }
    return r;
}

/* Adds the force of `b` to sum and its size to most. */
static void add_pair(double a2, const struct vector *a, const struct vector *b, double charge,
                     double sum[4], double most[4])
{
    const double r2 = a->v + b->v - (a->x * b->x + a->y * b->y + a->z * b->z);
    const double v = charge * exp(-a2 * r2);
    const double force[4] = {v, 2 * v * (a->x - b->x), 2 * v * (a->y - b->y),
                             2 * v * (a->z - b->z)};
    for (int axis = 0; axis < 4; axis++) {
        sum[axis] += force[axis];
        most[axis] += fabs(force[axis]);
    }
}

/* Both sides add in double precision: each of the terms may be off by the 2^-46 of the device's
 * e^x and a few roundings, and each addition by one of each side. */
static void check_rodinia(struct run *run, const struct lavamd *l, const struct rodinia *r,
                          size_t particle, const double got[4])
{
    const struct box *box = &l->boxes[particle / l->per_box];
    const double a2 = 2 * (double)l->alpha * (double)l->alpha;
    const double part = 0x1p-45 + (double)box->count * l->per_box * 0x1p-52;
    double sum[4] = {0}, most[4] = {0};
    for (int k = 0; k < box->count; k++) {
        const size_t first = (size_t)box->neighbours[k] * l->per_box;
        for (size_t j = first; j < first + l->per_box; j++) {
            add_pair(a2, &r->particles[particle], &r->particles[j], r->charges[j], sum, most);
        }
    }
    for (size_t axis = 0; axis < 4; axis++) {
        check_that(run->result, fabs(got[axis] - sum[axis]) <= part * most[axis],
                   "forces[%zu] is %.17g; the reference is %.17g, within %.3g", 4 * particle + axis,
                   got[axis], sum[axis], part * most[axis]);
    }
}

static void run_rodinia(struct run *run, const struct lavamd *l)
{
    const size_t bytes = l->n * sizeof(struct vector);
    const struct rodinia r = make_rodinia(run, l);
    double *forces = RUN_ARRAY(run, double, 4 * l->n);
    if (run->failed) {
        return;
    }
    gpu_ptr homes = run_upload(run, "boxes", r.homes, l->n_boxes * sizeof *r.homes);
    gpu_ptr particles = run_upload(run, "particles", r.particles, bytes);
    gpu_ptr charges = run_upload(run, "charges", r.charges, l->n * sizeof *r.charges);
    gpu_ptr dev_forces = run_alloc(run, "forces", bytes);
    RUN_LAUNCH(run, l->in_memory ? "lavamd_rodinia_in_memory" : "lavamd_rodinia", dim1(l->n_boxes),
               dim1(BLOCK_THREADS), host_arg_u64(homes), host_arg_u64(particles),
               host_arg_u64(charges), host_arg_u64(dev_forces), host_arg_f64((double)l->alpha),
               host_arg_u32(l->per_box));
    run_download(run, forces, dev_forces, bytes);
    for (size_t i = 0; i < l->n; i++) {
        check_rodinia(run, l, &r, i, &forces[4 * i]);
    }
}

static int run_lavamd(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "lavamd/lavamd.ptx");
    static const char *const forms[] = {"lean", "rodinia"};
    const bool is_lean = run_word(&run, "form", forms, 2) == 0;
    struct lavamd l = {.in_memory = run_u32(&run, "in_memory") != 0,
                       .side = (int)run_u32(&run, "side"),
                       .per_box = run_u32(&run, "particles"),
                       .alpha = 0.5f};
    l.n_boxes = (uint32_t)(l.side * l.side * l.side);
    l.n = (size_t)l.n_boxes * l.per_box;
    if (!is_lean && l.per_box > RODINIA_PARTICLES) {
        run_refuse(&run, "particles=%u; form=rodinia has room for %d", l.per_box,
                   RODINIA_PARTICLES);
    }
    make_boxes(&run, &l);
    if (is_lean) {
        run_lean(&run, &l);
    } else {
        run_rodinia(&run, &l);
    }
    return run_end(&run);
}

const struct workload workload_lavamd = {
    .name = "lavamd",
    .title = "forces between particles in boxes",
    .source = "aci-iacm-blpp section 6.2 (LM)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_lavamd,
};
