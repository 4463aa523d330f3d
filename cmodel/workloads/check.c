/* check.c - see check.h. */
#include "workloads/check.h"

#include <stdarg.h>
#include <stdio.h>

void check_that(struct workload_result *result, int right, const char *format, ...)
{
    result->checked++;
    if (right) {
        return;
    }
    if (result->wrong++ == 0) {
        va_list args;
        va_start(args, format);
        vsnprintf(result->message, sizeof result->message, format, args);
        va_end(args);
    }
}

void check_f32_part(struct workload_result *result, const char *name, size_t first,
                    const float *got, const struct approx *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double error = fabs((double)got[i] - want[i].value);
        /* the slack covers the double arithmetic of the reference itself */
        double bound = want[i].bound * (1 + 0x1p-20);
        check_that(result, error <= bound, "%s[%zu] is %.9g; the reference is %.9g within %.3g",
                   name, first + i, (double)got[i], want[i].value, bound);
    }
}

void check_f32(struct workload_result *result, const char *name, const float *got,
               const struct approx *want, size_t n)
{
    check_f32_part(result, name, 0, got, want, n);
}

void check_u32(struct workload_result *result, const char *name, const uint32_t *got,
               const uint32_t *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_that(result, got[i] == want[i], "%s[%zu] is %u; the reference is %u", name, i, got[i],
                   want[i]);
    }
}
