/* mriq.c - MRI-Q: what each voxel gets from every k-space sample.
 *
 * Works after CAPS section 6.1 (MRQ); the kernel is Parboil's.  Loads: x, y, z, Qr and Qi
 * once each, coalesced, one line per warp, 128 bytes from warp to warp; then a loop over
 * constant memory.  No divergence.  Parboil's has a launch for each 1024 samples, which adds to what
 * the one before has left in Qr and Qi.
 */
#include "workloads/approx_math.h"
#include "workloads/check.h"
#include "workloads/run.h"

enum { BLOCK = 256, MAX_SAMPLES = 2048 };

static const struct workload_param params[] = {
    {"voxels", WORKLOAD_NUMBER, BLOCK, 1 << 20, "number of voxels, a multiple of 256"},
    {"samples", WORKLOAD_NUMBER, 1, MAX_SAMPLES,
     "k-space samples, the loop's trip count in all launches"},
    {"launches", WORKLOAD_NUMBER, 1, 64, "launches, which share the samples"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "voxels=512,samples=16,launches=1"},
    {"small", "voxels=8192,samples=128,launches=1"},
    {"doc", "voxels=32768,samples=256,launches=1"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "mriq", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "q_real[t]"},
    {.kernel = "mriq", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "q_imaginary[t]"},
    {.kernel = "mriq", .load = 2, .nreq = 1, .stride_bytes = 4, .what = "x[t]"},
    {.kernel = "mriq", .load = 3, .nreq = 1, .stride_bytes = 4, .what = "y[t]"},
    {.kernel = "mriq", .load = 4, .nreq = 1, .stride_bytes = 4, .what = "z[t]"},
    {0},
};

/* As the kernel's struct sample. */
struct sample {
    float place[3], phi;
};

struct problem {
    uint32_t n_voxels, n_samples, launches;
    struct sample *samples;
    float *place[3]; /* x, y, z of every voxel */
    float *q[2];     /* real and imaginary part */
};

static struct problem make(struct run *run)
{
    struct problem p = {.n_voxels = run_u32(run, "voxels"),
                        .n_samples = run_u32(run, "samples"),
                        .launches = run_u32(run, "launches")};
    if (p.launches > p.n_samples) {
        run_refuse(run, "%u launches have not a sample each of %u; use fewer", p.launches,
                   p.n_samples);
    }
    if (p.n_voxels % BLOCK) {
        run_refuse(run, "voxels=%u is no multiple of %d; use %u", p.n_voxels, BLOCK,
                   p.n_voxels / BLOCK * BLOCK);
    }
    p.samples = RUN_ARRAY(run, struct sample, p.n_samples);
    for (int k = 0; k < 3; k++) {
        p.place[k] = run_random_f32(run, p.n_voxels);
    }
    for (int k = 0; k < 2; k++) {
        p.q[k] = run_random_f32(run, p.n_voxels);
    }
    for (uint32_t i = 0; !run->failed && i < p.n_samples; i++) {
        for (int k = 0; k < 3; k++) {
            p.samples[i].place[k] = 4 * rng_f32_signed(&run->rng);
        }
        p.samples[i].phi = rng_f32(&run->rng);
    }
    return p;
}

/* Both parts of one voxel's Q. */
static void expect_voxel(const struct problem *p, uint32_t voxel, struct approx *real,
                         struct approx *imaginary)
{
    *real = approx_exact((double)p->q[0][voxel]);
    *imaginary = approx_exact((double)p->q[1][voxel]);
    for (uint32_t i = 0; i < p->n_samples; i++) {
        const struct sample *sample = &p->samples[i];
        struct approx magnitude = approx_exact((double)sample->phi);
        struct approx turns = approx_exact(0);
        for (int k = 0; k < 3; k++) {
            turns = approx_mad(approx_exact((double)sample->place[k]),
                               approx_exact((double)p->place[k][voxel]), turns);
        }
        struct approx angle = approx_angle(turns);
        *real = approx_mad(magnitude, approx_cos(angle), *real);
        *imaginary = approx_mad(magnitude, approx_sin(angle), *imaginary);
    }
}

static void compute(struct run *run, const struct problem *p)
{
    const size_t bytes = p->n_voxels * sizeof(float);
    gpu_ptr x = run_upload(run, "x", p->place[0], bytes);
    gpu_ptr y = run_upload(run, "y", p->place[1], bytes);
    gpu_ptr z = run_upload(run, "z", p->place[2], bytes);
    gpu_ptr real = run_upload(run, "q_real", p->q[0], bytes);
    gpu_ptr imaginary = run_upload(run, "q_imaginary", p->q[1], bytes);
    for (uint32_t launch = 0; launch < p->launches; launch++) {
        const uint32_t first = (uint32_t)((uint64_t)p->n_samples * launch / p->launches);
        const uint32_t end = (uint32_t)((uint64_t)p->n_samples * (launch + 1) / p->launches);
        run_write_symbol(run, "samples", &p->samples[first], (end - first) * sizeof *p->samples);
        RUN_LAUNCH(run, "mriq", dim1(p->n_voxels / BLOCK), dim1(BLOCK), host_arg_u64(x),
                   host_arg_u64(y), host_arg_u64(z), host_arg_u64(real), host_arg_u64(imaginary),
                   host_arg_u32(end - first));
    }
    run_download(run, p->q[0], real, bytes);
    run_download(run, p->q[1], imaginary, bytes);
}

static int run_mriq(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "mriq/mriq.ptx");
    struct problem p = make(&run);
    struct approx *real = RUN_ARRAY(&run, struct approx, p.n_voxels);
    struct approx *imaginary = RUN_ARRAY(&run, struct approx, p.n_voxels);
    if (run.failed) {
        return run_end(&run);
    }
    for (uint32_t i = 0; i < p.n_voxels; i++) {
        expect_voxel(&p, i, &real[i], &imaginary[i]);
    }
    compute(&run, &p);
    check_f32(result, "q_real", p.q[0], real, p.n_voxels);
    check_f32(result, "q_imaginary", p.q[1], imaginary, p.n_voxels);
    return run_end(&run);
}

const struct workload workload_mriq = {
    .name = "mriq",
    .title = "MRI-Q: voxels against k-space samples",
    .source = "CAPS section 6.1",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_mriq,
};
