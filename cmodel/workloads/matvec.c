/* matvec.c - see matvec.h. */
#include "workloads/matvec.h"

#include "workloads/check.h"
#include "workloads/matrix.h"

enum { BLOCK_THREADS = 256 };

const struct workload_param matvec_params[] = {
    {"n", WORKLOAD_NUMBER, 32, 16384, "the matrix width (stride), floats"},
    {"threads", WORKLOAD_NUMBER, 1, 16384, "rows, and columns, worked on; at most n"},
    {"trip", WORKLOAD_NUMBER, 1, 16384, "products summed per thread; at most threads"},
    {0},
};

const struct workload_size matvec_sizes[] = {
    {"tiny", "n=8192,threads=256,trip=32"},
    {"small", "n=8192,threads=2048,trip=128"},
    {"doc", "n=8192,threads=8192,trip=128"},
    {"doc4k", "n=4096,threads=4096,trip=128"}, /* Listing 1 of the ACI document: NY = 4096 */
    {0},
};

/* One of the two kernels, with what goes in and comes out. */
struct pass {
    const char *kernel, *name;
    bool by_column;
    float *in;  /* random input, or NULL when chained */
    float *out; /* initial values, then the kernel's result */
    struct approx *want_in, *want;
    gpu_ptr dev_in, dev_out;
};

struct shape {
    uint32_t threads, trip;
};

static void make_pass(struct run *run, struct pass *pass, const struct shape *shape,
                      const struct pass *before, bool accumulates)
{
    const uint32_t n = shape->threads;
    pass->in = before ? NULL : run_random_f32(run, n);
    pass->out = accumulates ? run_random_f32(run, n) : RUN_ARRAY(run, float, n);
    pass->want = RUN_ARRAY(run, struct approx, n);
    pass->want_in = before ? before->want : RUN_ARRAY(run, struct approx, n);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; pass->in && i < n; i++) {
        pass->want_in[i] = approx_exact((double)pass->in[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        pass->want[i] = approx_exact((double)pass->out[i]);
    }
    pass->dev_in = before ? before->dev_out : run_upload(run, "in", pass->in, n * sizeof(float));
    pass->dev_out = run_upload(run, pass->name, pass->out, n * sizeof(float));
}

static void run_pass(struct run *run, struct pass *pass, const struct matrix *a,
                     const struct shape *shape)
{
    RUN_LAUNCH(run, pass->kernel, dim1(cover(shape->threads, BLOCK_THREADS)), dim1(BLOCK_THREADS),
               host_arg_u64(a->base), host_arg_u64(pass->dev_in), host_arg_u64(pass->dev_out),
               host_arg_u32(a->pitch), host_arg_u32(shape->threads), host_arg_u32(shape->trip));
    run_download(run, pass->out, pass->dev_out, shape->threads * sizeof(float));

    for (uint32_t t = 0; t < shape->threads; t++) {
        for (uint32_t k = 0; k < shape->trip; k++) {
            float element = pass->by_column ? matrix_at(a, k, t) : matrix_at(a, t, k);
            pass->want[t] = approx_mad(approx_exact((double)element), pass->want_in[k],
                                       pass->want[t]);
        }
    }
    check_f32(run->result, pass->name, pass->out, pass->want, shape->threads);
}

int matvec_run(const struct matvec *matvec, struct host *host, const struct workload_size *size,
               uint64_t seed, struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, matvec->module);
    struct shape shape = {.threads = run_u32(&run, "threads"), .trip = run_u32(&run, "trip")};
    struct matrix a = {.seed = rng_u64(&run.rng), .pitch = run_u32(&run, "n")};
    struct pass rows = {.kernel = matvec->rows_kernel, .name = "rows.out"};
    struct pass cols = {.kernel = matvec->cols_kernel, .name = "cols.out", .by_column = true};

    if (shape.threads > a.pitch || shape.trip > shape.threads) {
        run_refuse(&run, "n=%u, threads=%u, trip=%u; needs trip <= threads <= n", a.pitch,
                   shape.threads, shape.trip);
    }
    if (!run.failed) {
        make_pass(&run, &rows, &shape, NULL, matvec->accumulates);
    }
    if (!run.failed) {
        make_pass(&run, &cols, &shape, matvec->chained ? &rows : NULL, matvec->accumulates);
    }
    if (run.failed) {
        return run_end(&run);
    }

    matrix_alloc(&run, &a, "a", shape.threads);
    matrix_write(&run, &a, shape.threads, shape.trip);
    matrix_write(&run, &a, shape.trip, shape.threads);
    run_pass(&run, &rows, &a, &shape);
    run_pass(&run, &cols, &a, &shape);
    return run_end(&run);
}
