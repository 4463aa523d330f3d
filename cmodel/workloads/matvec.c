/* matvec.c - see matvec.h. */
#include "workloads/matvec.h"

#include "workloads/check.h"
#include "workloads/first_column.h"
#include "workloads/matrix.h"

enum { BLOCK_THREADS = 256 };

const struct workload_param matvec_params[] = {
    {"n", WORKLOAD_NUMBER, 32, 16384, "the matrix width (stride), floats"},
    {"threads", WORKLOAD_NUMBER, 1, 16384, "rows, and columns, worked on; at most n"},
    {"trip", WORKLOAD_NUMBER, 1, 16384, "products summed per thread; at most threads"},
    {"skew", WORKLOAD_NUMBER, 0, 1024, "columns between the starts of neighbouring warps' rows"},
    {0},
};

const struct workload_size matvec_sizes[] = {
    {"tiny", "n=8192,threads=256,trip=32,skew=0"},
    {"small", "n=8192,threads=2048,trip=128,skew=0"},
    {"cut", "n=8192,threads=8192,trip=128,skew=0"},
    {"drift", "n=8192,threads=8192,trip=128,skew=32"},
    {"doc", "n=8192,threads=8192,trip=8192,skew=0"},
    {"drift4k", "n=4096,threads=4096,trip=128,skew=32"},
    {"doc4k", "n=4096,threads=4096,trip=4096,skew=0"}, /* Listing 1 of the ACI document */
    {0},
};

/* One of the two kernels, with what goes in and comes out. */
struct pass {
    const char *kernel, *name;
    bool by_column;
    uint32_t in_length;
    float *in;  /* random input, or NULL when chained */
    float *out; /* initial values, then the kernel's result */
    struct approx *want_in, *want;
    gpu_ptr dev_in, dev_out;
};

struct shape {
    uint32_t threads, trip, skew;
};

static void make_pass(struct run *run, struct pass *pass, const struct shape *shape,
                      const struct pass *before, bool accumulates)
{
    const uint32_t n = shape->threads;
    pass->in = before ? NULL : run_random_f32(run, pass->in_length);
    pass->out = accumulates ? run_random_f32(run, n) : RUN_ARRAY(run, float, n);
    pass->want = RUN_ARRAY(run, struct approx, n);
    pass->want_in = before ? before->want : RUN_ARRAY(run, struct approx, pass->in_length);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; pass->in && i < pass->in_length; i++) {
        pass->want_in[i] = approx_exact((double)pass->in[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        pass->want[i] = approx_exact((double)pass->out[i]);
    }
    pass->dev_in = before ? before->dev_out
                          : run_upload(run, "in", pass->in, pass->in_length * sizeof(float));
    pass->dev_out = run_upload(run, pass->name, pass->out, n * sizeof(float));
}

static void launch_pass(struct run *run, const struct pass *pass, const struct matrix *a,
                        const struct shape *shape)
{
    const struct host_arg args[] = {
        host_arg_u64(a->base),     host_arg_u64(pass->dev_in),   host_arg_u64(pass->dev_out),
        host_arg_u32(a->pitch),    host_arg_u32(shape->threads), host_arg_u32(shape->trip),
        host_arg_u32(shape->skew),
    };
    /* only the rows' kernel takes the skew */
    const size_t n_args = sizeof args / sizeof args[0] - (pass->by_column ? 1 : 0);
    run_launch(run, pass->kernel, dim1(cover(shape->threads, BLOCK_THREADS)), dim1(BLOCK_THREADS),
               args, n_args);
    run_download(run, pass->out, pass->dev_out, shape->threads * sizeof(float));
}

static void run_pass(struct run *run, struct pass *pass, const struct matrix *a,
                     const struct shape *shape)
{
    launch_pass(run, pass, a, shape);
    for (uint32_t t = 0; t < shape->threads; t++) {
        const uint32_t first = pass->by_column
                                   ? 0
                                   : FIRST_COLUMN(t, a->pitch, shape->trip, shape->skew);
        for (uint32_t k = first; k < first + shape->trip; k++) {
            float element = pass->by_column ? matrix_at(a, k, t) : matrix_at(a, t, k);
            pass->want[t] = approx_mad(approx_exact((double)element), pass->want_in[k],
                                       pass->want[t]);
        }
    }
    check_f32(run->result, pass->name, pass->out, pass->want, shape->threads);
}

/* What the two kernels read: of each row from its first column on, and the first rows whole. */
static void write_matrix(struct run *run, struct matrix *a, const struct shape *shape)
{
    float *line = RUN_ARRAY(run, float, shape->threads);
    if (run->failed) {
        return;
    }
    matrix_alloc(run, a, "a", shape->threads);
    for (uint32_t row = 0; row < shape->threads; row++) {
        const uint32_t first = FIRST_COLUMN(row, a->pitch, shape->trip, shape->skew);
        matrix_write_row(run, a, row, first, shape->trip, line);
    }
    matrix_write(run, a, shape->trip, shape->threads);
}

int matvec_run(const struct matvec *matvec, struct host *host, const struct workload_size *size,
               uint64_t seed, struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, matvec->module);
    struct shape shape = {
        .threads = run_u32(&run, "threads"),
        .trip = run_u32(&run, "trip"),
        .skew = run_u32(&run, "skew"),
    };
    struct matrix a = {.seed = rng_u64(&run.rng), .pitch = run_u32(&run, "n")};
    struct pass rows = {.kernel = matvec->rows_kernel, .name = "rows.out"};
    struct pass cols = {.kernel = matvec->cols_kernel, .name = "cols.out", .by_column = true};
    rows.in_length = a.pitch;
    cols.in_length = shape.threads;

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

    write_matrix(&run, &a, &shape);
    if (run.failed) {
        return run_end(&run);
    }
    run_pass(&run, &rows, &a, &shape);
    run_pass(&run, &cols, &a, &shape);
    return run_end(&run);
}
