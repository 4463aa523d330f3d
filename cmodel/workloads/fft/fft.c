/* fft.c - batched Fourier transforms of 512 complex points.
 *
 * Eight loads of 8 bytes per lane (2 requests, stride 8), 64 points apart, each
 * followed by the dependent store to shared memory; two warps per CTA.  No
 * divergence.  Twiddle factors come from constant memory at varying indices.
 *
 * The reference is the defining sum in double.  The tolerance is the norm-wise
 * bound of Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2:
 * ||error||_2 <= t eta / (1 - t eta) ||X||_2 with eta = u + gamma_4 (sqrt 2 + u),
 * for t levels that multiply by a rounded twiddle and add.  Nine levels of radix
 * 2 and the two passes of twiddles between the radix-8 passes make t = 11.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { POINTS = 512, BLOCK_THREADS = 64, LEVELS = 11 };

static const struct workload_param params[] = {
    {"ctas", WORKLOAD_NUMBER, 1, 65535, "transforms, one CTA each"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "ctas=8"},
    {"small", "ctas=128"},
    {"doc", "ctas=512"},
    {0},
};

#define LOAD(ordinal) \
    { \
        .kernel = "fft", .load = ordinal, .nreq = 2, .stride_bytes = 8, .what = "in[64*i + t]" \
    }
static const struct workload_expect expect[] = {
    LOAD(0), LOAD(1), LOAD(2), LOAD(3), LOAD(4), LOAD(5), LOAD(6), LOAD(7), {0},
};

struct complex64 {
    double re, im;
};

static void make_table(struct complex64 table[POINTS])
{
    for (int e = 0; e < POINTS; e++) {
        const double angle = -2 * M_PI * e / POINTS;
        table[e] = (struct complex64){.re = cos(angle), .im = sin(angle)};
    }
}

/* Interleaved real and imaginary parts; `want` gets value and bound of each. */
static void reference(const struct complex64 table[POINTS], const float *in, struct approx *want)
{
    const double gamma4 = 4 * APPROX_U / (1 - 4 * APPROX_U);
    const double eta = APPROX_U + gamma4 * (sqrt(2) + APPROX_U);
    double norm2 = 0;
    for (int i = 0; i < 2 * POINTS; i++) {
        norm2 += (double)in[i] * (double)in[i];
    }
    const double bound = LEVELS * eta / (1 - LEVELS * eta) * sqrt(POINTS * norm2);
    for (unsigned k = 0; k < POINTS; k++) {
        double re = 0, im = 0;
        for (unsigned n = 0; n < POINTS; n++) {
            const struct complex64 w = table[n * k % POINTS];
            re += (double)in[2 * n] * w.re - (double)in[2 * n + 1] * w.im;
            im += (double)in[2 * n] * w.im + (double)in[2 * n + 1] * w.re;
        }
        want[2 * k] = (struct approx){.value = re, .bound = bound};
        want[2 * k + 1] = (struct approx){.value = im, .bound = bound};
    }
}

static int run_fft(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "fft/fft.ptx");
    const uint32_t ctas = run_u32(&run, "ctas");
    const size_t n = (size_t)ctas * POINTS * 2, bytes = n * sizeof(float);
    const float *in = run_random_f32(&run, n);
    float *out = RUN_ARRAY(&run, float, n);
    struct approx *want = RUN_ARRAY(&run, struct approx, n);
    struct complex64 table[POINTS];
    float twiddle[2 * POINTS];
    if (run.failed) {
        return run_end(&run);
    }
    make_table(table);
    for (int e = 0; e < POINTS; e++) {
        twiddle[2 * e] = (float)table[e].re;
        twiddle[2 * e + 1] = (float)table[e].im;
    }

    run_write_symbol(&run, "fft_twiddle", twiddle, sizeof twiddle);
    gpu_ptr dev_in = run_upload(&run, "in", in, bytes), dev_out = run_alloc(&run, "out", bytes);
    RUN_LAUNCH(&run, "fft", dim1(ctas), dim1(BLOCK_THREADS), host_arg_u64(dev_in),
               host_arg_u64(dev_out));
    run_download(&run, out, dev_out, bytes);
    for (size_t i = 0; i < n; i += 2 * POINTS) {
        reference(table, in + i, want + i);
    }
    check_f32(result, "out", out, want, n);
    return run_end(&run);
}

const struct workload workload_fft = {
    .name = "fft",
    .title = "Fourier transforms of 512 points, radix 8",
    .source = "caps-prefetch section 6.1 (FFT)",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_fft,
};
