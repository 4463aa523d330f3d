/* test_clock.c - clock domains against their definition: ticks and core cycles by division. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"

static uint64_t state = 1;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void check(const struct clock_domain *domain, uint64_t at)
{
    assert_int_equal(clock_ticks(domain, at), at * domain->num / domain->den);
    assert_int_equal(clock_core(domain, at),
                     ((at + 1) * domain->den + domain->num - 1) / domain->num - 1);
}

/* The machines' clocks, and any: at the beginning, around multiples of both, and up to 2^40. */
static void by_division(void **unused)
{
    (void)unused;
    for (unsigned pair = 0; pair < 3000; pair++) {
        const uint32_t khz = pair == 0 ? 924000 : (uint32_t)(random64() % 2000000) + 1;
        const uint32_t core_khz = pair == 0 ? 700000 : (uint32_t)(random64() % 2000000) + 1;
        const struct clock_domain domain = clock_ratio(khz, core_khz);
        assert_int_equal(domain.num * core_khz, domain.den * khz);
        for (uint64_t at = 0; at < 40; at++) {
            check(&domain, at);
            check(&domain, random64() >> 24);
            const uint64_t multiple = (random64() >> 44) * domain.num * domain.den >> 1;
            check(&domain, multiple % (UINT64_C(1) << 40));
            check(&domain, multiple % (UINT64_C(1) << 40) + 1);
        }
    }
}

/* A core cycle has the ticks from T(c) to before T(c + 1): each tick is in one, and that one. */
static void each_in_one(void **unused)
{
    (void)unused;
    const struct clock_domain domain = clock_ratio(924000, 700000);
    for (uint64_t core = 0; core < 100000; core++) {
        for (uint64_t tick = clock_ticks(&domain, core); tick < clock_ticks(&domain, core + 1);
             tick++) {
            assert_int_equal(clock_core(&domain, tick), core);
        }
    }
    assert_int_equal(clock_ticks(&domain, 100000), 132000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_division),
                                       cmocka_unit_test(each_in_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
