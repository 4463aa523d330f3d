/* test_ptx_compiled.c - kernels as clang and nvcc make them (tests/ptx), against the same
 * computations in C.  Run from the top folder.
 */
#include <math.h>

#include "test_ptx.h"

static struct test_gpu *gpu;

static int setup(void **state)
{
    (void)state;
    gpu = calloc(1, sizeof(*gpu));
    return gpu == NULL;
}

static int teardown(void **state)
{
    (void)state;
    free(gpu);
    return 0;
}

static struct ptx_module *open_module(const char *name)
{
    char path[256], error[512] = "";
    snprintf(path, sizeof(path), "tests/ptx/%s", name);
    struct ptx_module *module = ptx_module_load(path, error, sizeof(error));
    assert_string_equal(error, "");
    assert_non_null(module);
    memset(gpu, 0, sizeof(*gpu));
    test_place(gpu, module);
    return module;
}

static void launch(struct ptx_module *module, const char *kernel, struct isa_dim3 grid,
                   struct isa_dim3 block, uint32_t shared_bytes, const uint64_t *params, size_t n)
{
    if (test_run_module(gpu, module, kernel, grid, block, shared_bytes, params, n) != 0) {
        fail_msg("%s", gpu->error);
    }
}

enum { A = 0, B = 16384, OUT = 65536 };
static void *memory(size_t offset)
{
    return gpu->memory + offset;
}
static uint32_t random32(uint64_t *seed)
{
    return (uint32_t)(test_random(seed) >> 32);
}

/* Did the compiler contract a * b + c? */
static bool has_text(const char *name, const char *text)
{
    char path[256], line[512];
    bool found = false;
    snprintf(path, sizeof(path), "tests/ptx/%s", name);
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
        found = found || strstr(line, text) != NULL;
    }
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

static void multiply(const char *file)
{
    enum { N = 24 };
    bool fused = has_text(file, "fma.rn.f32");
    struct ptx_module *module = open_module(file);
    float *a = memory(A), *b = memory(B), *out = memory(OUT);
    uint64_t seed = 3, params[] = {TEST_BASE + A, TEST_BASE + B, TEST_BASE + OUT, N};
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(random32(&seed) % 1000) / 7.0f;
        b[i] = (float)(random32(&seed) % 1000) / 9.0f - 50.0f;
    }
    launch(module, "_Z8multiplyILi8EEvPKfS1_Pfx", (struct isa_dim3){3, 3, 1},
           (struct isa_dim3){8, 8, 1}, 0, params, 4);
    for (int r = 0; r < N; r++) {
        for (int c = 0; c < N; c++) {
            float sum = 0;
            for (int k = 0; k < N; k++) {
                volatile float product = a[r * N + k] * b[k * N + c];
                sum = fused ? fmaf(a[r * N + k], b[k * N + c], sum) : sum + product;
            }
            assert_true(out[r * N + c] == sum);
        }
    }
    ptx_module_free(module);
}

struct particle {
    double x, v;
    int id;
    short kind;
    char flag;
};

static void step_world(const char *file)
{
    enum { N = 100 };
    bool fused = has_text(file, "fma.rn.f64");
    struct ptx_module *module = open_module(file);
    struct particle expected[N], *all = memory(A);
    double dt = 0.37;
    uint64_t seed = 5, params[3] = {TEST_BASE + A, 0, N - 1};
    memcpy(&params[1], &dt, sizeof(dt));
    for (int i = 0; i < N; i++) {
        struct particle p = {.x = random32(&seed) / 3.0,
                             .v = random32(&seed) / 7.0,
                             .id = i * 5,
                             .kind = (short)(i % 6),
                             .flag = (char)(i * 3)};
        memcpy(&all[i], &p, sizeof(p));
        if (i < N - 1) {
            volatile double product = p.v * dt;
            p.x = fused ? fma(p.v, dt, p.x) : p.x + product;
            p.v = p.kind > 2 ? -p.v : p.v / 3.0;
            p.flag = (char)(p.flag + (p.id & 1));
        }
        expected[i] = p;
    }
    launch(module, "step_world", (struct isa_dim3){4, 1, 1}, (struct isa_dim3){32, 1, 1}, 0, params,
           3);
    for (int i = 0; i < N; i++) {
        assert_true(all[i].x == expected[i].x && all[i].v == expected[i].v);
        assert_true(all[i].id == expected[i].id && all[i].kind == expected[i].kind);
        assert_int_equal(all[i].flag, expected[i].flag);
    }
    ptx_module_free(module);
}

static void reduce(const char *file)
{
    enum { N = 3001 };
    struct ptx_module *module = open_module(file);
    int *in = memory(A), *out = memory(OUT), sum = 0;
    uint64_t seed = 7, params[] = {TEST_BASE + A, TEST_BASE + OUT, N};
    for (int i = 0; i < N; i++) {
        in[i] = (int)(random32(&seed) % 2000) - 1000;
        sum += in[i];
    }
    launch(module, "reduce", (struct isa_dim3){3, 1, 1}, (struct isa_dim3){160, 1, 1}, 0, params,
           3);
    assert_int_equal(out[0], sum);
    assert_int_equal(out[1], 16 + 2);
    ptx_module_free(module);
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int branch_result(int t)
{
    static const int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    int r = 0;
    uint32_t reversed = 0;
    switch (t % 11) {
    case 0: return fibonacci(t % 7 + 3);
    case 1: return t * 3;
    case 2: return (t ^ 0x55) + weights[t & 7];
    case 3: return weights[t & 7];
    case 4:
        for (int i = 0; i < t; i++) {
            r += i % 5 == 3 ? 0 : i;
            if (r > 500 && i % 5 != 3) {
                break;
            }
        }
        return r;
    case 5: return t == 0 ? 32 : __builtin_clz((unsigned)t);
    case 6:
        for (int i = 0; i < 32; i++) {
            reversed |= ((uint32_t)t >> i & 1) << (31 - i);
        }
        return (int)reversed;
    case 7: return t > 60 ? t / 7 : t % 7;
    case 8: return (int)lrintf(sqrtf((float)t) * 100.0f);
    case 9: return 0;
    default: return -t;
    }
}

static void branches(const char *file)
{
    enum { N = 150 };
    struct ptx_module *module = open_module(file);
    uint64_t params[] = {TEST_BASE + OUT};
    const int *out = memory(OUT);
    int counts[2] = {0, 0};
    launch(module, "branches", (struct isa_dim3){3, 1, 1}, (struct isa_dim3){50, 1, 1}, 0, params,
           1);
    for (int t = 0; t < N; t++) {
        assert_int_equal(out[t], branch_result(t));
        counts[t & 1] += t % 11 != 9;
    }
    for (size_t i = 0; i < ptx_variable_count(module); i++) {
        struct ptx_variable_info v = ptx_variable_get(module, i);
        if (strcmp(v.name, "counters") == 0) {
            const int *counters = memory(v.address - TEST_BASE);
            assert_int_equal(counters[1], counts[0]);
            assert_int_equal(counters[3], counts[1]);
        }
    }
    ptx_module_free(module);
}

static void histogram(const char *file)
{
    enum { N = 5000 };
    struct ptx_module *module = open_module(file);
    uint8_t *in = memory(A);
    int expected[16] = {0};
    uint64_t seed = 11, params[] = {TEST_BASE + A, TEST_BASE + OUT, N};
    for (int i = 0; i < N; i++) {
        in[i] = (uint8_t)(random32(&seed) >> 8);
        expected[in[i] & 15]++;
    }
    launch(module, "histogram", (struct isa_dim3){1, 1, 1}, (struct isa_dim3){70, 1, 1}, 0, params,
           3);
    assert_memory_equal(memory(OUT), expected, sizeof(expected));
    ptx_module_free(module);
}

static void scan(const char *file)
{
    enum { N = 200 };
    struct ptx_module *module = open_module(file);
    float *in = memory(A), sums[N];
    uint64_t seed = 13, params[] = {TEST_BASE + A, TEST_BASE + OUT};
    for (int i = 0; i < N; i++) {
        in[i] = (float)(random32(&seed) % 64); /* sums stay exact */
        sums[i] = in[i] + (i == 0 ? 0 : sums[i - 1]);
    }
    launch(module, "scan", (struct isa_dim3){1, 1, 1}, (struct isa_dim3){N, 1, 1}, N * 4, params,
           2);
    assert_memory_equal(memory(OUT), sums, sizeof(sums));
    ptx_module_free(module);
}

/* Small integers and 1.5: exact in half precision. */
static uint16_t half_of_small(int twice)
{
    double v = fabs(twice / 2.0);
    if (twice == 0) {
        return 0;
    }
    int exponent = ilogb(v);
    unsigned fraction = (unsigned)(ldexp(v, 10 - exponent)) & 0x3ff;
    return (uint16_t)((twice < 0 ? 0x8000u : 0) | (unsigned)(exponent + 15) << 10 | fraction);
}

static void halves(const char *file)
{
    struct ptx_module *module = open_module(file);
    uint16_t *a = memory(A), *b = memory(B), *out = memory(OUT);
    uint64_t params[] = {TEST_BASE + A, TEST_BASE + B, TEST_BASE + OUT};
    for (int i = 0; i < 64; i++) {
        a[i] = half_of_small(2 * (i - 20));
        b[i] = half_of_small(2 * (i % 9 - 4));
    }
    launch(module, "halves", (struct isa_dim3){1, 1, 1}, (struct isa_dim3){64, 1, 1}, 0, params, 3);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(out[i], half_of_small(2 * (i - 20) * (i % 9 - 4) + 3));
    }
    ptx_module_free(module);
}

static void nvcc_kernels(void **state)
{
    static const char *const files[] = {"kernels_nvcc_sm_80.ptx",
                                        "kernels_nvcc_unoptimised_sm_90.ptx"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        multiply(files[i]);
        step_world(files[i]);
        reduce(files[i]);
        branches(files[i]);
        histogram(files[i]);
        scan(files[i]);
        halves(files[i]);
    }
}

static void convolve(const char *file, bool fused)
{
    enum { N = 150 };
    static const float filter[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    struct ptx_module *module = open_module(file);
    float *in = memory(A), *out = memory(OUT);
    uint64_t seed = 17, params[] = {TEST_BASE + A, TEST_BASE + OUT, N};
    for (int i = 0; i < N; i++) {
        in[i] = (float)random32(&seed) / 1e6f;
    }
    launch(module, "convolve", (struct isa_dim3){3, 1, 1}, (struct isa_dim3){64, 1, 1}, 0, params,
           3);
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = 0; k < 5; k++) {
            float v = i + k < 2 || i + k >= N + 2 ? 0 : in[i + k - 2];
            volatile float product = v * filter[k];
            sum = fused ? fmaf(v, filter[k], sum) : sum + product;
        }
        assert_true(out[i] == sum);
    }
    ptx_module_free(module);
}

static void collatz(const char *file)
{
    enum { N = 90 };
    struct ptx_module *module = open_module(file);
    uint32_t *in = memory(A);
    uint64_t *out = memory(OUT), seed = 19, params[] = {TEST_BASE + A, TEST_BASE + OUT, N};
    for (int i = 0; i < N; i++) {
        in[i] = random32(&seed) % 100000;
    }
    launch(module, "collatz", (struct isa_dim3){2, 1, 1}, (struct isa_dim3){48, 1, 1}, 0, params,
           3);
    for (int i = 0; i < N; i++) {
        uint64_t v = in[i], steps = 0;
        for (; v > 1; steps++) {
            v = (v & 1) != 0 ? 3 * v + 1 : v / 2;
        }
        assert_int_equal(out[i], steps << 32 | in[i] / 7 * 3);
    }
    ptx_module_free(module);
}

static void clang_kernels(void **state)
{
    static const char *const files[] = {"kernels_clang_sm_20.ptx", "kernels_clang_sm_35.ptx"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        convolve(files[i], has_text(files[i], "fma.rn.f32"));
        collatz(files[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nvcc_kernels),
                                       cmocka_unit_test(clang_kernels)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
