/* test_workloads_approx_math.c - the error bounds of reciprocal root, sine and cosine.
 *
 * Float computations, pushed by the whole error that the PTX ISA manual allows the
 * instruction, must stay within the bound, and the bound within a small multiple of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "workloads/approx_math.h"
#include "workloads/rng.h"

enum { TRIES = 20000 };

static void assert_within(double got, struct approx want, double most)
{
    double error = fabs(got - want.value);
    if (!(error <= want.bound) || want.bound > most) {
        fail_msg("%.12g is %g from %.12g; the bound is %g, of at most %g", got, error, want.value,
                 want.bound, most);
    }
}

static void rsqrt_bounds_hold(void **state)
{
    (void)state;
    struct rng rng = rng_seeded(1);
    for (int i = 0; i < TRIES; i++) {
        double x = (double)(1 + rng_f32(&rng)) * exp2((double)rng_below(&rng, 40) - 20);
        double slack = x * (double)rng_f32(&rng) * 0x1p-10; /* carried by the operand */
        double root = 1 / sqrt(x), unit = exp2(-22.4);
        struct approx a = approx_rsqrt((struct approx){.value = x, .bound = slack});
        double low = 1 / sqrt(x + slack) * (1 - unit), high = 1 / sqrt(x - slack) * (1 + unit);
        double most = 1.01 * (unit + slack / (2 * x)) * root;
        assert_within(low, a, most);
        /* the slack that check_f32 grants for double arithmetic */
        a.bound *= 1 + 0x1p-20;
        assert_within(high, a, most);
    }
}

/* The kernels' own expression in floats, for turns that are off by the carried error. */
static float angle_of(float turns)
{
    return (turns - rintf(turns)) * 6.2831853071795864769f;
}

static void sine_and_cosine_of_turns_hold(void **state)
{
    (void)state;
    struct rng rng = rng_seeded(2);
    const double unit = exp2(-20.5);
    for (int i = 0; i < TRIES; i++) {
        float turns = 12 * rng_f32_signed(&rng), off = turns + 0x1p-18f * rng_f32_signed(&rng);
        struct approx carried = {.value = (double)turns, .bound = fabs((double)(off - turns))};
        struct approx angle = approx_angle(carried);
        double device = (double)angle_of(off);
        /* a turn more or less leaves sine and cosine: reduce the difference */
        double reduced = device - 2 * APPROX_PI * rint((device - angle.value) / (2 * APPROX_PI));
        double most = 7 * carried.bound + 4e-6;
        assert_within(reduced, angle, most);
        assert_within(sin(device) + unit, approx_sin(angle), most);
        assert_within(cos(device) - unit, approx_cos(angle), most);
        assert_true(fabs(approx_sin(angle).value - sin(2 * APPROX_PI * (double)turns)) < 1e-12);
    }
}

/* Half a turn rounds to either neighbour: the worst case of the reduction. */
static void half_turns_hold(void **state)
{
    (void)state;
    for (int k = -20; k <= 20; k++) {
        float half = (float)k + 0.5f;
        for (int side = -1; side <= 1; side++) {
            float off = half + (float)side * 0x1p-18f;
            struct approx carried = {.value = (double)half, .bound = 0x1p-18};
            double device = (double)angle_of(off);
            assert_within(cos(device), approx_cos(approx_angle(carried)), 4e-5);
            assert_within(sin(device), approx_sin(approx_angle(carried)), 4e-5);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rsqrt_bounds_hold),
        cmocka_unit_test(sine_and_cosine_of_turns_hold),
        cmocka_unit_test(half_turns_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
