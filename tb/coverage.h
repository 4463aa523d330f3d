/* coverage.h - functional coverage: every bit of every port and field seen at 0
 * and at 1, every named value seen, every guard open, every cross bin hit. */
#ifndef WARPLOCK_TB_COVERAGE_H
#define WARPLOCK_TB_COVERAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tb/stimulus.h"

struct coverage;

struct coverage *coverage_new(const struct unit_desc *desc, const struct unit_stimulus *stimulus);
void coverage_free(struct coverage *coverage);
/* One step; `state` before its edge, NULL when not visible. */
void coverage_sample(struct coverage *coverage, const uint64_t *in, const uint64_t *out,
                     const void *state);

struct coverage_totals {
    unsigned toggles, toggles_hit; /* two per bit */
    unsigned names, names_hit;
    unsigned bins, bins_hit;
};
void coverage_totals(const struct coverage *coverage, struct coverage_totals *totals);
/* Everything that was not hit, one line each, at most `limit` (0: all). */
void coverage_print_holes(const struct coverage *coverage, FILE *to, unsigned limit);
json_t *coverage_json(const struct coverage *coverage);

#endif
