/* cost_report.h - a cost check as text, JSON and HTML.
 *
 * A report is the claims judged, the units measured (in one or several libraries, against the
 * clocks of their documents) and the SRAM estimator's error.  The writers only print; they must
 * not measure or judge.
 */
#ifndef WARPLOCK_SYNTH_COST_REPORT_H
#define WARPLOCK_SYNTH_COST_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "synth/cost_judge.h"

enum { COST_CLOCKS_TEXT = 1024 }; /* the line on clocks */

struct cost_unit_report {
    const char *unit;   /* family/unit */
    const char *set;    /* "K=V,K=V" */
    unsigned clock_mhz; /* to be met: the clock row of its file */
    char clock_words[UNIT_FILE_CLOCK_WORDS];
    uint64_t claimed_bits, extra_bits;
    const struct cost_counts *counts;                       /* NULL: `trouble` says why */
    const struct cost_mapping *mapping[COST_MAX_LIBRARIES]; /* by report library; NULL: not known */
    struct cost_memory_form memory;
    char trouble[1400];
};

struct cost_report {
    const struct cost_library *libraries[COST_MAX_LIBRARIES];
    size_t n_libraries;
    struct cost_unit_report *units;
    size_t n_units;
    struct cost_outcome *outcomes;
    size_t n_outcomes;
    struct cost_sram_error sram_error;
    double node_nm; /* of SRAM figures of units */
    const char *root;
};

/* Measures `unit` in every library of the report. */
void cost_report_measure(struct cost_report *report, const struct cost_judge *judge,
                         struct cost_unit_report *unit);
/* Bits of the port table and of Yosys are the same. */
bool cost_counts_agree(const struct cost_unit_report *unit);
/* A clock in MHz for a path in ps; 0 for none. */
double cost_clock_mhz(double delay_ps);
/* The period of the unit's clock in ns; 0 without a clock. */
double cost_period_ns(const struct cost_unit_report *unit);
/* Period minus path in library `i` of the report, in ns: negative when the clock is not met.  False
 * when the unit has no path there. */
bool cost_slack_ns(const struct cost_unit_report *unit, size_t i, double *slack);
/* How many units meet their clock, of those that have a path, in each library. */
void cost_report_clocks(const struct cost_report *report, char *out, size_t n_out);
/* Outcomes of a class with a verdict; of all its verdicts for COST_VERDICTS. */
size_t cost_report_count(const struct cost_report *report, enum cost_class class,
                         enum cost_verdict verdict);
/* The headline: what was measured, with its verdicts, and beside it what was not. */
void cost_report_headline(const struct cost_report *report, char *out, size_t n_out);

void cost_report_text(const struct cost_report *report, FILE *to);
json_t *cost_report_json(const struct cost_report *report);
/* A page without outside references; schematics of small units with yosys and dot.
 * False with the reason when the file cannot be written. */
bool cost_report_html(const struct cost_report *report, const char *path, char *why, size_t n_why);

#endif
