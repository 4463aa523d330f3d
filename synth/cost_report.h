/* cost_report.h - a cost check as text, JSON and HTML.
 *
 * A report is the claims judged, the units measured (in one or several libraries, against the
 * clocks of their documents; in both forms, where the table has the parameter ONE_CYCLE) and the
 * SRAM estimator's error.  The writers only print; they must not measure or judge.
 */
#ifndef WARPLOCK_SYNTH_COST_REPORT_H
#define WARPLOCK_SYNTH_COST_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "synth/cost_band.h"
#include "synth/cost_judge.h"

enum { COST_CLOCKS_TEXT = 1024, COST_MISSED_TEXT = 4096, COST_FORMS = 2 }; /* lines on clocks */

/* A unit at one value of ONE_CYCLE: 0, in as many cycles as its table says, or 1, in the one cycle
 * that its document draws. */
struct cost_form {
    char set[256];
    const struct unit_desc *desc; /* its timings; NULL: not measured */
    const struct cost_mapping *mapping[COST_MAX_LIBRARIES];
};

struct cost_unit_report {
    const char *unit;   /* family/unit */
    const char *set;    /* "K=V,K=V" */
    unsigned clock_mhz; /* to be met: the clock row of its file */
    char clock_words[UNIT_FILE_WORDS];
    char late_words[UNIT_FILE_WORDS]; /* why it misses the clock: the late row of its file, or "" */
    const char *late_wrong;           /* what that row says against the slack, or NULL */
    uint64_t claimed_bits, extra_bits;
    const struct cost_counts *counts;                       /* NULL: `trouble` says why */
    const struct cost_mapping *mapping[COST_MAX_LIBRARIES]; /* by report library; NULL: not known */
    struct cost_memory_form memory;                         /* at the report's node */
    struct cost_memory_form memory_at[COST_MAX_LIBRARIES];  /* at each library's */
    struct cost_form forms[COST_FORMS];                     /* by the value of ONE_CYCLE */
    size_t n_forms;                                         /* 0 without that parameter */
    struct cost_band band[COST_MAX_LIBRARIES]; /* by library; of no variant unless asked for */
    struct cost_placement placement;
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
    double node_nm; /* of SRAM figures of units, where no library says another */
    const char *root;
    bool banded;     /* units with their bands */
    char tools[256]; /* versions of what measured */
};

/* Measures `unit` in every library of the report. */
void cost_report_measure(struct cost_report *report, const struct cost_judge *judge,
                         struct cost_unit_report *unit);
/* Versions of Yosys, ABC and OpenSTA, and of qflow where it is installed. */
void cost_report_tools(struct cost_report *report);
/* Bits of the port table and of Yosys are the same. */
bool cost_counts_agree(const struct cost_unit_report *unit);
/* A clock in MHz for a path in ps; 0 for none. */
double cost_clock_mhz(double delay_ps);
/* The period of the unit's clock in ns; 0 without a clock. */
double cost_period_ns(const struct cost_unit_report *unit);
/* The unit's period minus the path of one of its mappings, in ns: negative when the clock is not
 * met.  False when there is no path. */
bool cost_slack_ns(const struct cost_unit_report *unit, const struct cost_mapping *mapping,
                   double *slack);
/* How many units meet their clock, of those that have a path, in each library. */
void cost_report_clocks(const struct cost_report *report, char *out, size_t n_out);
/* The units that do not meet their clock in library `i`, each with its slack; "" for none. */
void cost_report_missed(const struct cost_report *report, size_t i, char *out, size_t n_out);
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
