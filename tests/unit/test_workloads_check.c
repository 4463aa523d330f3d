/* test_workloads_check.c - a GPU that does nothing, or fails, is noticed by every workload.
 *
 * The program brings a host of its own: memory works, launches change nothing.
 * No workload may call such results right.  Also the checking tools themselves:
 * error bounds, comparisons, random numbers.
 */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workloads/check.h"
#include "workloads/rng.h"
#include "workloads/workload.h"

enum { HOST_BYTES = 1 << 28, HOST_BASE = 1 << 20, MAX_LAUNCHES = 100000 };

struct host {
    uint8_t *memory;
    uint64_t used;
    unsigned launches;
    unsigned fail_at; /* the launch that fails; 0: none */
    const char *error;
};

gpu_ptr host_alloc(struct host *host, const char *name, size_t bytes, size_t align_bytes)
{
    (void)name;
    assert_true(align_bytes >= 256 && (align_bytes & (align_bytes - 1)) == 0);
    uint64_t at = (host->used + align_bytes - 1) & ~(uint64_t)(align_bytes - 1);
    assert_true(bytes <= HOST_BYTES && at + bytes <= HOST_BYTES);
    host->used = at + bytes;
    return at;
}

static uint8_t *memory_at(struct host *host, gpu_ptr at, size_t bytes)
{
    assert_true(at >= HOST_BASE && bytes <= host->used && at + bytes <= host->used);
    return host->memory + at;
}

void host_write(struct host *host, gpu_ptr to, const void *from, size_t bytes)
{
    if (!host->error && bytes) {
        memcpy(memory_at(host, to, bytes), from, bytes);
    }
}

void host_read(struct host *host, void *to, gpu_ptr from, size_t bytes)
{
    if (!host->error && bytes) {
        memcpy(to, memory_at(host, from, bytes), bytes);
    }
}

struct host_arg host_arg_u32(uint32_t value)
{
    (void)value;
    return (struct host_arg){.bytes = 4};
}
struct host_arg host_arg_f32(float value)
{
    (void)value;
    return (struct host_arg){.bytes = 4};
}
struct host_arg host_arg_u64(uint64_t value)
{
    (void)value;
    return (struct host_arg){.bytes = 8};
}
struct host_arg host_arg_f64(double value)
{
    (void)value;
    return (struct host_arg){.bytes = 8};
}

void host_launch(struct host *host, const char *module, const char *kernel, struct isa_dim3 grid,
                 struct isa_dim3 block, uint32_t dynamic_shared_bytes, const struct host_arg *args,
                 size_t n_args)
{
    (void)dynamic_shared_bytes;
    assert_non_null(module);
    assert_non_null(kernel);
    assert_true(grid.x > 0 && grid.y > 0 && grid.z > 0);
    assert_true(block.x * block.y * block.z > 0 && block.x * block.y * block.z <= 1024);
    assert_true(n_args == 0 || args != NULL);
    if (++host->launches == host->fail_at) {
        host->error = "planted error";
    }
    if (host->launches > MAX_LAUNCHES) {
        host->error = "too many launches";
    }
}

gpu_ptr host_symbol(struct host *host, const char *module, const char *name)
{
    (void)module;
    return host_alloc(host, name, 65536, 256);
}

const char *host_error(const struct host *host)
{
    return host->error;
}

static int run_tiny(const struct workload *workload, unsigned fail_at,
                    struct workload_result *result)
{
    struct host host = {.memory = calloc(1, HOST_BYTES), .used = HOST_BASE, .fail_at = fail_at};
    struct workload_size size;
    char error[200] = "";
    assert_non_null(host.memory);
    workload_size_parse(workload, "tiny", &size, error, sizeof error);
    assert_string_equal(error, "");
    int status = workload->run(&host, &size, 1, result);
    workload_size_free(&size);
    free(host.memory);
    return status;
}

static void kernels_that_do_nothing_are_noticed(void **state)
{
    (void)state;
    for (const struct workload *const *w = workload_list(); *w; w++) {
        struct workload_result result;
        int status = run_tiny(*w, 0, &result);
        print_message("%s: %s\n", (*w)->name, result.message);
        /* a search that waits for a change may also give up with an error */
        assert_int_not_equal(status, WORKLOAD_OK);
        assert_int_not_equal(result.message[0], '\0');
        if (status == WORKLOAD_WRONG) {
            assert_true(result.wrong > 0 && result.wrong <= result.checked);
        }
    }
}

static void errors_of_the_host_are_passed_on(void **state)
{
    (void)state;
    for (const struct workload *const *w = workload_list(); *w; w++) {
        struct workload_result result;
        assert_int_equal(run_tiny(*w, 1, &result), WORKLOAD_ERROR);
        assert_non_null(strstr(result.message, "planted error"));
    }
}

/* Seed 1234567: the first outputs of the generator's published test. */
static void splitmix64_gives_its_published_numbers(void **state)
{
    (void)state;
    struct rng rng = rng_seeded(1234567);
    assert_true(rng_u64(&rng) == UINT64_C(6457827717110365317));
    assert_true(rng_u64(&rng) == UINT64_C(3203168211198807973));
    assert_true(rng_u64(&rng) == UINT64_C(9817491932198370423));
    assert_true(rng_u64(&rng) == UINT64_C(4593380528125082431));
}

static void draws_stay_in_their_ranges(void **state)
{
    (void)state;
    struct rng rng = rng_seeded(0);
    unsigned seen[7] = {0};
    for (int i = 0; i < 70000; i++) {
        float f = rng_f32(&rng), s = rng_f32_signed(&rng);
        assert_true(f >= 0 && f < 1 && s >= -1 && s < 1);
        seen[rng_below(&rng, 7)]++;
    }
    for (int i = 0; i < 7; i++) { /* 10000 expected, standard deviation 93 */
        assert_in_range(seen[i], 9500, 10500);
    }
}

/* Float arithmetic, fused or not, stays within the bound; the bound stays small. */
static void bounds_hold_for_float_arithmetic(void **state)
{
    (void)state;
    struct rng rng = rng_seeded(7);
    for (int round = 0; round < 20000; round++) {
        volatile float plain = rng_f32_signed(&rng), fused = plain;
        struct approx a = approx_exact((double)plain);
        double magnitude = fabs((double)plain);
        for (int i = 0; i < 20; i++) {
            float x = rng_f32_signed(&rng), y = rng_f32_signed(&rng);
            volatile float product = x * y;
            plain = product + plain;
            fused = fmaf(x, y, fused);
            a = approx_mad(approx_exact((double)x), approx_exact((double)y), a);
            magnitude += fabs((double)x * (double)y);
        }
        assert_true(fabs((double)plain - a.value) <= a.bound);
        assert_true(fabs((double)fused - a.value) <= a.bound);
        assert_true(a.bound <= 41 * APPROX_U * magnitude * 1.001 + 41 * APPROX_TINY);
    }
}

static void bounds_hold_for_subtraction_and_division(void **state)
{
    (void)state;
    struct rng rng = rng_seeded(8);
    for (int round = 0; round < 100000; round++) {
        float x = rng_f32_signed(&rng), y = rng_f32_signed(&rng), z = 1 + rng_f32(&rng);
        volatile float difference = x - y, denominator = z + y * 0.25f;
        volatile float quotient = difference / denominator;
        struct approx d = approx_sub(approx_exact((double)x), approx_exact((double)y));
        struct approx n = approx_mad(approx_exact((double)y), approx_exact(0.25),
                                     approx_exact((double)z));
        struct approx q = approx_div(d, n);
        assert_true(fabs((double)quotient - q.value) <= q.bound);
    }
}

static void checks_word_the_first_mismatch(void **state)
{
    (void)state;
    struct workload_result result = {0};
    const float got[3] = {1, 2, NAN};
    const struct approx want[3] = {{1, 0}, {2.5, 0.25}, {3, DBL_MAX}};
    check_f32(&result, "v", got, want, 3);
    assert_true(result.checked == 3 && result.wrong == 2);
    assert_string_equal(result.message, "v[1] is 2; the reference is 2.5 within 0.25");

    const uint32_t bits[2] = {5, 6}, right[2] = {5, 7};
    result = (struct workload_result){0};
    check_u32(&result, "w", bits, right, 2);
    assert_true(result.checked == 2 && result.wrong == 1);
    assert_string_equal(result.message, "w[1] is 6; the reference is 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_do_nothing_are_noticed),
        cmocka_unit_test(errors_of_the_host_are_passed_on),
        cmocka_unit_test(splitmix64_gives_its_published_numbers),
        cmocka_unit_test(draws_stay_in_their_ranges),
        cmocka_unit_test(bounds_hold_for_float_arithmetic),
        cmocka_unit_test(bounds_hold_for_subtraction_and_division),
        cmocka_unit_test(checks_word_the_first_mismatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
