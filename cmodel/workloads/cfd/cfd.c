/* cfd.c - finite-volume residual on an unstructured mesh.
 *
 * Affine loads of the element's own five variables, its four neighbours and
 * weights (1 request each, stride 4), and an indirect gather of the neighbours'
 * five variables: neighbours lie within 64 elements, so a warp's gather touches a
 * handful of lines that were just used.  Faces at the far field gather from one small
 * array instead.
 *
 * form=rodinia is the suite's own solver (cfd_rodinia.c).
 */
#include "workloads/cfd/cfd_rodinia.h"
#include "workloads/check.h"
#include "workloads/run.h"

enum { FACES = CFD_FACES, VARIABLES = 5, BLOCK_THREADS = 192 };

static const struct workload_param params[] = {
    {"n", WORKLOAD_NUMBER, 32, 1 << 20, "elements; if form=lean a multiple of 32"},
    {"steps", WORKLOAD_NUMBER, 1, 1000, "launches; if form=rodinia iterations of seven"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "n=4096,steps=1,form=lean"},
    {"small", "n=97056,steps=2,form=lean"},
    {"doc", "n=97056,steps=6,form=lean"},
    /* fvcorr.domn.097K's elements; the suite has 2000 iterations, each like these */
    {"rodinia", "n=97046,steps=3,form=rodinia"},
    {0},
};

#define LOAD(ordinal, expression) \
    { \
        .kernel = "cfd", .load = ordinal, .nreq = 1, .stride_bytes = 4, .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, "variables[0*n + i]"), LOAD(1, "variables[1*n + i]"),
    LOAD(2, "variables[2*n + i]"), LOAD(3, "variables[3*n + i]"),
    LOAD(4, "variables[4*n + i]"), LOAD(10, "neighbours[f*n + i]"),
    LOAD(11, "weights[f*n + i]"),  {0},
};

struct mesh {
    uint32_t n;
    int32_t *neighbours;
    float *weights, *variables, far[VARIABLES];
    struct approx *want;
};

static void make_mesh(struct run *run, struct mesh *mesh)
{
    const size_t faces = (size_t)FACES * mesh->n;
    mesh->weights = run_random_f32(run, faces);
    mesh->variables = run_random_f32(run, (size_t)VARIABLES * mesh->n);
    mesh->neighbours = RUN_ARRAY(run, int32_t, faces);
    mesh->want = RUN_ARRAY(run, struct approx, (size_t)VARIABLES * mesh->n);
    for (int v = 0; v < VARIABLES; v++) {
        mesh->far[v] = rng_f32_signed(&run->rng);
    }
    for (size_t f = 0; !run->failed && f < faces; f++) {
        mesh->neighbours[f] = cfd_neighbour(&run->rng, mesh->n, (uint32_t)(f % mesh->n));
    }
}

static struct approx element_reference(const struct mesh *mesh, uint32_t v, uint32_t i)
{
    const float *values = mesh->variables + (size_t)v * mesh->n;
    struct approx sum = approx_exact(0);
    for (uint32_t f = 0; f < FACES; f++) {
        const size_t face = (size_t)f * mesh->n + i;
        const int32_t neighbour = mesh->neighbours[face];
        const float other = neighbour >= 0 ? values[neighbour] : mesh->far[v];
        const struct approx difference = approx_sub(approx_exact((double)other),
                                                    approx_exact((double)values[i]));
        sum = approx_mad(approx_exact((double)mesh->weights[face]), difference, sum);
    }
    return sum;
}

static void run_lean(struct run *run, uint32_t n, uint32_t steps)
{
    struct mesh mesh = {.n = n};
    const size_t n_values = (size_t)VARIABLES * n, n_faces = (size_t)FACES * n;
    if (n % ISA_LANES) {
        run_refuse(run, "n=%u; must be a multiple of %d", n, ISA_LANES);
    }
    make_mesh(run, &mesh);
    float *residual = RUN_ARRAY(run, float, n_values);
    if (run->failed) {
        return;
    }

    gpu_ptr neighbours = run_upload(run, "neighbours", mesh.neighbours, n_faces * sizeof(int32_t));
    gpu_ptr weights = run_upload(run, "weights", mesh.weights, n_faces * sizeof(float));
    gpu_ptr variables = run_upload(run, "variables", mesh.variables, n_values * sizeof(float));
    gpu_ptr far = run_upload(run, "far", mesh.far, sizeof mesh.far);
    gpu_ptr dev_residual = run_alloc(run, "residual", n_values * sizeof(float));
    for (uint32_t step = 0; step < steps; step++) {
        RUN_LAUNCH(run, "cfd", dim1(cover(n, BLOCK_THREADS)), dim1(BLOCK_THREADS),
                   host_arg_u64(neighbours), host_arg_u64(weights), host_arg_u64(variables),
                   host_arg_u64(far), host_arg_u64(dev_residual), host_arg_u32(n));
    }
    run_download(run, residual, dev_residual, n_values * sizeof(float));

    for (size_t i = 0; i < n_values; i++) {
        mesh.want[i] = element_reference(&mesh, (uint32_t)(i / n), (uint32_t)(i % n));
    }
    check_f32(run->result, "residual", residual, mesh.want, n_values);
}

static int run_cfd(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "cfd/cfd.ptx");
    static const char *const forms[] = {"lean", "rodinia"};
    const bool is_lean = run_word(&run, "form", forms, 2) == 0;
    const uint32_t n = run_u32(&run, "n"), steps = run_u32(&run, "steps");
    if (is_lean) {
        run_lean(&run, n, steps);
    } else {
        cfd_rodinia(&run, n, steps);
    }
    return run_end(&run);
}

const struct workload workload_cfd = {
    .name = "cfd",
    .title = "finite-volume residual on an unstructured mesh",
    .source = "aci-iacm-blpp section 6.2 (CFD)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_cfd,
};
