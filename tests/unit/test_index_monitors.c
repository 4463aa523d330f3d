/* test_index_monitors - the metrics of wang2015 3.8 as a reader forms them from the
 * monitors: concentration (Eq 3.1) behind an index unit, balance (Eq 3.2). */
#include "test_index.h"

#include <math.h>

#include "tb/random.h"

enum { LANES = 32, SETS = 32 };

static void edge(struct pins *pins, bool rst)
{
    pins->backend->comb(pins->self, pins->in, pins->out);
    pins->backend->seq(pins->self, pins->in, rst);
}

/* N_acc / N_sets of one load of 32 lanes through `index`, as the monitor reports it. */
static double concentration(struct pins *monitor, struct pins *index, uint64_t stride_bytes)
{
    for (uint64_t lane = 0; lane < LANES; lane++) {
        pin_set(monitor, "acc_valid", 1);
        pin_set(monitor, "set_index", set_of(index, lane * stride_bytes));
        pin_set(monitor, "last", lane == LANES - 1);
        edge(monitor, false);
        assert_int_equal(pin_get(monitor, "load_valid"), 0);
    }
    pin_set(monitor, "acc_valid", 0);
    edge(monitor, false);
    assert_int_equal(pin_get(monitor, "load_valid"), 1);
    return (double)pin_get(monitor, "nacc") / (double)pin_get(monitor, "nsets");
}

static void icm_of_the_benchmarks_strides(void **state)
{
    static const struct {
        const char *index;
        uint64_t stride_bytes;
        double ratio;
    } rows[] = {
        {"index/conv", 32 << 10, 32}, {"index/conv", 2 << 10, 16},
        {"index/conv", 1 << 10, 8},   {"index/bxor", 32 << 10, 8},
        {"index/bxor", 16 << 10, 4},  {"index/pdisp", 32 << 10, 32.0 / 31},
        {"index/fup20", 32 << 10, 1}, {"index/fup28", 16 << 10, 1},
    };
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct pins monitor, index;
        pins_open(&monitor, state, "index/icm_monitor", "", forms[form]);
        edge(&monitor, true);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            pins_open(&index, state, rows[i].index, "", forms[form]);
            const double ratio = concentration(&monitor, &index, rows[i].stride_bytes);
            assert_true(fabs(ratio - rows[i].ratio) < 1e-9);
            pins_close(&index);
        }
        pins_close(&monitor);
    }
}

/* Eq 3.2 from what the monitor shows. */
static double balance(const struct pins *monitor)
{
    const double m = (double)pin_get(monitor, "total");
    return (double)pin_get(monitor, "sum") / (m / (2 * SETS) * (m + 2 * SETS - 1));
}

/* The balance of `per_set` accesses to each of the first `used` sets, in turn. */
static double balance_of(struct pins *monitor, unsigned per_set, unsigned used)
{
    pin_set(monitor, "acc_valid", 1);
    for (unsigned i = 0; i < per_set * used; i++) {
        pin_set(monitor, "clear", i == 0);
        pin_set(monitor, "set_index", i % used);
        edge(monitor, false);
    }
    pin_set(monitor, "acc_valid", 0);
    edge(monitor, false);
    return balance(monitor);
}

static void bal_values(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct pins monitor;
        pins_open(&monitor, state, "index/balance_monitor", "", forms[form]);
        edge(&monitor, true);
        assert_true(fabs(balance_of(&monitor, 1, 32) - 0.673684) < 5e-7);
        assert_true(fabs(balance_of(&monitor, 32, 1) - 11.115789) < 5e-7);
        assert_true(fabs(balance_of(&monitor, 1000, 32) - 0.999033) < 5e-7);
        assert_true(fabs(balance_of(&monitor, 1000, 31) - 1.031195) < 5e-7);
        pins_close(&monitor);
    }
}

/* The running sum equals the closed form, however the accesses are mixed; a full
 * counter takes no further access. */
static void bal_is_the_closed_form(void **state)
{
    for (unsigned form = 0; form < N_FORMS; form++) {
        struct pins monitor;
        struct tb_random random;
        uint64_t b[64] = {0}, total = 0, sum = 0, overflows = 0;
        tb_random_seed(&random, 9);
        pins_open(&monitor, state, "index/balance_monitor", "SETS=64,COUNT_W=4", forms[form]);
        edge(&monitor, true);
        pin_set(&monitor, "acc_valid", 1);
        for (unsigned i = 0; i < 1000; i++) {
            const uint64_t set = tb_random_below(&random, 8) * 9 % 64;
            pin_set(&monitor, "set_index", set);
            edge(&monitor, false);
            assert_int_equal(pin_get(&monitor, "overflow"), b[set] == 15);
            overflows += b[set] == 15;
            b[set] += b[set] < 15;
        }
        pin_set(&monitor, "acc_valid", 0);
        edge(&monitor, false);
        for (unsigned set = 0; set < 64; set++) {
            total += b[set];
            sum += b[set] * (b[set] + 1) / 2;
        }
        assert_true(overflows > 0);
        assert_int_equal(pin_get(&monitor, "total"), total);
        assert_int_equal(pin_get(&monitor, "sum"), sum);
        pins_close(&monitor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(icm_of_the_benchmarks_strides),
        cmocka_unit_test(bal_values),
        cmocka_unit_test(bal_is_the_closed_form),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
