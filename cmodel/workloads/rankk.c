/* rankk.c - see rankk.h. */
#include "workloads/rankk.h"

#include "workloads/check.h"
#include "workloads/matrix.h"

const struct workload_param rankk_params[] = {
    {"n", WORKLOAD_NUMBER, 32, 4096, "the matrix width (stride) and columns of C, floats"},
    {"rows", WORKLOAD_NUMBER, 1, 4096, "rows of C worked on; at most n"},
    {"trip", WORKLOAD_NUMBER, 1, 4096, "products summed per thread; at most n"},
    {0},
};

struct rankk {
    bool two;
    struct matrix a, b;
    float alpha, beta;
    uint32_t rows, trip;
};

/* alpha * p[i][k] * q[j][k] */
static struct approx product(const struct rankk *r, const struct matrix *p, const struct matrix *q,
                             uint32_t i, uint32_t j, uint32_t k)
{
    struct approx left = approx_mul(approx_exact((double)r->alpha),
                                    approx_exact((double)matrix_at(p, i, k)));
    return approx_mul(left, approx_exact((double)matrix_at(q, j, k)));
}

static struct approx element_reference(const struct rankk *r, float initial, uint32_t i, uint32_t j)
{
    struct approx c = approx_mul(approx_exact((double)initial), approx_exact((double)r->beta));
    for (uint32_t k = 0; k < r->trip; k++) {
        struct approx term = product(r, &r->a, r->two ? &r->b : &r->a, i, j, k);
        if (r->two) {
            term = approx_add(term, product(r, &r->b, &r->a, i, j, k));
        }
        c = approx_add(c, term);
    }
    return c;
}

static void launch(struct run *run, const char *kernel, const struct rankk *r, gpu_ptr c)
{
    const struct host_arg args[] = {
        host_arg_u64(r->a.base), host_arg_u64(r->b.base), host_arg_u64(c),
        host_arg_f32(r->alpha),  host_arg_f32(r->beta),   host_arg_u32(r->a.pitch),
        host_arg_u32(r->rows),   host_arg_u32(r->trip),
    };
    enum { N_ARGS = sizeof args / sizeof args[0] };
    struct host_arg used[N_ARGS];
    size_t n_used = 0;
    for (size_t i = 0; i < N_ARGS; i++) {
        if (i != 1 || r->two) {
            used[n_used++] = args[i];
        }
    }
    run_launch(run, kernel, dim2(cover(r->a.pitch, 32), cover(r->rows, 8)), dim2(32, 8), used,
               n_used);
}

int rankk_run(const char *module, const char *kernel, bool two, struct host *host,
              const struct workload_size *size, uint64_t seed, struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, module);
    const uint32_t n = run_u32(&run, "n");
    struct rankk r = {.two = two, .rows = run_u32(&run, "rows"), .trip = run_u32(&run, "trip")};
    const size_t count = (size_t)n * r.rows;
    r.a = (struct matrix){.seed = rng_u64(&run.rng), .pitch = n};
    r.b = (struct matrix){.seed = rng_u64(&run.rng), .pitch = n};
    r.alpha = rng_f32_signed(&run.rng);
    r.beta = rng_f32_signed(&run.rng);
    float *c = run_random_f32(&run, count);
    struct approx *want = RUN_ARRAY(&run, struct approx, count);
    if (r.rows > n || r.trip > n) {
        run_refuse(&run, "n=%u, rows=%u, trip=%u; needs rows <= n and trip <= n", n, r.rows,
                   r.trip);
    }
    if (run.failed) {
        return run_end(&run);
    }

    matrix_alloc(&run, &r.a, "a", n);
    matrix_write(&run, &r.a, n, r.trip);
    if (two) {
        matrix_alloc(&run, &r.b, "b", n);
        matrix_write(&run, &r.b, n, r.trip);
    }
    for (size_t i = 0; i < count; i++) {
        want[i] = element_reference(&r, c[i], (uint32_t)(i / n), (uint32_t)(i % n));
    }
    gpu_ptr dev_c = run_upload(&run, "c", c, count * sizeof(float));
    launch(&run, kernel, &r, dev_c);
    run_download(&run, c, dev_c, count * sizeof(float));
    check_f32(result, "c", c, want, count);
    return run_end(&run);
}
