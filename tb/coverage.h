/* coverage.h - functional coverage: every bit of every port and field seen at 0
 * and at 1, every named value seen, every guard open, every cross bin hit that applies
 * at the unit's parameters. */
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

enum coverage_kind { COVERAGE_TOGGLE, COVERAGE_NAME, COVERAGE_GUARD, COVERAGE_BIN, COVERAGE_KINDS };
extern const char *const coverage_words[COVERAGE_KINDS]; /* "toggle", ... */

struct coverage_point {
    enum coverage_kind kind;
    const char *name; /* "a[3] bit 2 never 1", "op is LOAD", the guarded output, the bin */
    bool applies;
    uint64_t hits; /* toggles and names: 1 for any number */
};
typedef void coverage_visitor(void *context, const struct coverage_point *point);
void coverage_visit(const struct coverage *coverage, coverage_visitor *visit, void *context);

/* Toggles: two per bit.  A point that does not apply is no point. */
struct coverage_totals {
    unsigned points[COVERAGE_KINDS], hit[COVERAGE_KINDS];
    unsigned not_applicable; /* bins and guards */
};
void coverage_totals(const struct coverage *coverage, struct coverage_totals *totals);
/* Toggles and names that were not hit, one line each, at most `limit` (0: all). */
void coverage_print_holes(const struct coverage *coverage, FILE *to, unsigned limit);
json_t *coverage_json(const struct coverage *coverage);

#endif
