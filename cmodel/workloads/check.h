/* check.h - comparing results with a CPU reference and wording the first mismatch. */
#ifndef WARPLOCK_WORKLOADS_CHECK_H
#define WARPLOCK_WORKLOADS_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "workloads/approx.h"
#include "workloads/workload.h"

/* Count n checked values of array `name`; keep the first mismatch in words.
 * Floats pass within the bound that the reference carries; a NaN never passes. */
void check_f32(struct workload_result *result, const char *name, const float *got,
               const struct approx *want, size_t n);
/* The same for a part of an array whose first element is number `first`. */
void check_f32_part(struct workload_result *result, const char *name, size_t first,
                    const float *got, const struct approx *want, size_t n);
/* Bit for bit. */
void check_u32(struct workload_result *result, const char *name, const uint32_t *got,
               const uint32_t *want, size_t n);

/* Count one checked value, wrong unless `right`; `format` words it when it is the first. */
__attribute__((format(printf, 3, 4))) void check_that(struct workload_result *result, int right,
                                                      const char *format, ...);

#endif
