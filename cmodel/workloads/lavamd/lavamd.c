/* lavamd.c - short-range forces between particles in a grid of boxes.
 *
 * One vector load of 16 bytes per lane (4 requests at 32 particles, stride 16) per
 * neighbour box; a box's particles are used by up to 27 CTAs, so the second level
 * holds nearly all of them.  Long arithmetic loops on shared memory; the threads
 * beyond the box's particles idle.  With forces in memory an iteration of such a loop stores the
 * force, one component after the other, 4 requests each.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK_THREADS = 128, NEIGHBOURS = 27 };

static const struct workload_param params[] = {
    {"side", WORKLOAD_NUMBER, 1, 16, "boxes along each side"},
    {"particles", WORKLOAD_NUMBER, 1, BLOCK_THREADS, "particles per box"},
    {"in_memory", WORKLOAD_NUMBER, 0, 1,
     "1: the force goes to global memory with each particle, as in Rodinia; 0: at the end"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "side=2,particles=32,in_memory=0"},
    {"small", "side=2,particles=100,in_memory=0"},
    {"doc", "side=3,particles=100,in_memory=0"},
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
    l->particles = RUN_ARRAY(run, float, 4 * l->n);
    if (run->failed) {
        return;
    }
    for (int i = 0; i < (int)l->n_boxes; i++) {
        const int x = i % l->side, y = i / l->side % l->side, z = i / l->side / l->side;
        add_neighbours(l, &l->boxes[i], x, y, z);
        for (uint32_t p = 0; p < l->per_box; p++) {
            float *particle = &l->particles[4 * ((uint32_t)i * l->per_box + p)];
            particle[0] = (float)x + rng_f32(&run->rng);
            particle[1] = (float)y + rng_f32(&run->rng);
            particle[2] = (float)z + rng_f32(&run->rng);
            particle[3] = rng_f32_signed(&run->rng);
        }
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

static int run_lavamd(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "lavamd/lavamd.ptx");
    struct lavamd l = {
        .side = (int)run_u32(&run, "side"), .per_box = run_u32(&run, "particles"), .alpha = 0.5f};
    l.n_boxes = (uint32_t)(l.side * l.side * l.side);
    l.n = (size_t)l.n_boxes * l.per_box;
    const size_t bytes = 4 * l.n * sizeof(float);
    make_boxes(&run, &l);
    float *forces = RUN_ARRAY(&run, float, 4 * l.n);
    struct approx *want = RUN_ARRAY(&run, struct approx, 4 * l.n);
    if (run.failed) {
        return run_end(&run);
    }

    gpu_ptr boxes = run_upload(&run, "boxes", l.boxes, l.n_boxes * sizeof *l.boxes);
    gpu_ptr particles = run_upload(&run, "particles", l.particles, bytes);
    gpu_ptr dev_forces = run_alloc(&run, "forces", bytes);
    const char *kernel = run_u32(&run, "in_memory") ? "lavamd_in_memory" : "lavamd";
    RUN_LAUNCH(&run, kernel, dim1(l.n_boxes), dim1(BLOCK_THREADS), host_arg_u64(boxes),
               host_arg_u64(particles), host_arg_u64(dev_forces), host_arg_f32(l.alpha),
               host_arg_u32(l.per_box));
    run_download(&run, forces, dev_forces, bytes);
    for (size_t i = 0; i < l.n; i++) {
        particle_reference(&l, i, &want[4 * i]);
    }
    check_f32(result, "forces", forces, want, 4 * l.n);
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
