/* laplace3d.c - one Jacobi step of Laplace's equation on an n^3 volume.
 *
 * form=lean: two pairs of loads: the point's own column (once, then n - 1 times a plane
 * further) and the halo of the CTA's 32 x 4 tile.  Rows of 4n bytes are no
 * multiple of a line (400 bytes at n = 100): 1 or 2 requests per row of lanes.
 * The halo load runs in three warps: two of full rows, one of 12 lanes along the
 * side columns.  Two barriers per plane.  Lanes beyond the volume diverge.
 *
 * form=ispass is the kernel of ISPASS 2009's suite (LPS): the same loads, but each goes straight
 * to shared memory, so that a warp waits for the point before it asks for the halo; three planes
 * are there and move down, 16 accesses a plane in a warp with halo in place of 6.  Rows are not
 * padded, as GPGPU-Sim's cudaMallocPitch leaves them.  One launch, the suite's default.  Left out:
 * 24-bit multiplications of indices, and the suite's input, which is 0 but for the faces.
 */
#include "workloads/check.h"
#include "workloads/run.h"

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 3, 512, "points along each side"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or ispass"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=36,form=lean"},
    {"small", "n=68,form=lean"},
    {"doc", "n=100,form=lean"},
    {"ispass", "n=100,form=ispass"}, /* the suite's run */
    {0},
};

/* Rows of lanes start anywhere in a line, so a full warp needs one or two. */
#define LOAD(ordinal, expression) \
    { \
        .kernel = "laplace3d", .load = ordinal, .nreq = 1, .nreq_max = 2, .stride_bytes = 4, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, "u[0][y][x]"),
    LOAD(1, "u[0][halo]"),
    LOAD(2, "u[k+1][y][x]"),
    LOAD(3, "u[k+1][halo]"),
    {0},
};

static struct approx point_reference(const float *u, uint32_t n, size_t i)
{
    const size_t row = n, plane = (size_t)n * n;
    const size_t around[6] = {i - 1, i + 1, i - row, i + row, i - plane, i + plane};
    struct approx sum = approx_exact((double)u[around[0]]);
    for (int side = 1; side < 6; side++) {
        sum = approx_add(sum, approx_exact((double)u[around[side]]));
    }
    return approx_mul(approx_exact((double)(1.0f / 6.0f)), sum);
}

static bool on_face(uint32_t n, size_t i)
{
    const size_t x = i % n, y = i / n % n, z = i / n / n, last = n - 1;
    return x == 0 || y == 0 || z == 0 || x == last || y == last || z == last;
}

static int run_laplace3d(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "laplace3d/laplace3d.ptx");
    static const char *const forms[] = {"lean", "ispass"};
    const bool is_lean = run_word(&run, "form", forms, 2) == 0;
    const uint32_t n = run_u32(&run, "n");
    const size_t points = (size_t)n * n * n, bytes = points * sizeof(float);
    const float *u = run_random_f32(&run, points);
    float *out = RUN_ARRAY(&run, float, points);
    struct approx *want = RUN_ARRAY(&run, struct approx, points);
    if (run.failed) {
        return run_end(&run);
    }

    gpu_ptr dev_u = run_upload(&run, "u", u, bytes), dev_out = run_alloc(&run, "out", bytes);
    RUN_LAUNCH(&run, is_lean ? "laplace3d" : "laplace3d_ispass", dim2(cover(n, 32), cover(n, 4)),
               dim2(32, 4), host_arg_u64(dev_u), host_arg_u64(dev_out), host_arg_u32(n));
    run_download(&run, out, dev_out, bytes);

    for (size_t i = 0; i < points; i++) {
        want[i] = on_face(n, i) ? approx_exact((double)u[i]) : point_reference(u, n, i);
    }
    check_f32(result, "out", out, want, points);
    return run_end(&run);
}

const struct workload workload_laplace3d = {
    .name = "laplace3d",
    .title = "Laplace's equation in three dimensions, one Jacobi step",
    .source = "caps-prefetch section 6.1 (LPS)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_laplace3d,
};
