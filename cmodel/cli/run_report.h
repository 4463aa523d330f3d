/* run_report.h - what a simulation says while it runs and when it has ended. */
#ifndef WARPLOCK_CLI_RUN_REPORT_H
#define WARPLOCK_CLI_RUN_REPORT_H

#include <jansson.h>

#include "base/verdict.h"
#include "cli/run_options.h"
#include "cli/run_units.h"
#include "machine/gpu.h"

struct run_progress {
    double start, last; /* seconds */
    bool terminal, shown;
};

/* The machine that `options` make shows on stderr how far it is, now and then. */
void run_progress_start(struct run_progress *progress, struct gpu_options *options);
void run_progress_end(const struct run_progress *progress);

/* Statistics, mechanisms and units as text on `out`, and as JSON where asked for; the waveform is
 * ended.  `trace`: what was run instead of a program, or NULL; taken over.  Returns `verdict`, or
 * what is wrong if it was PASS. */
enum verdict run_report(const struct run_options *options, struct gpu *gpu, struct run_units *units,
                        json_t *trace, enum verdict verdict, FILE *out);

#endif
