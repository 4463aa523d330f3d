/* run_units.h - the hardware units of a simulation: where they come from, and
 * whether those in lockstep stayed equal. */
#ifndef WARPLOCK_CLI_RUN_UNITS_H
#define WARPLOCK_CLI_RUN_UNITS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/run_timeline.h"
#include "cli/run_wave.h"
#include "machine/gpu.h"

struct library;
struct run_units;

struct run_units_options {
    const char *names, *backends; /* see mechanisms/mechanism.h; both may be NULL */
    uint64_t past_steps;          /* kept of each pair in lockstep (tb/past.h) */
    struct run_wave_request wave;
    struct run_timeline_request timeline;
    struct library *library; /* which opens them (tb/backend.h); NULL: one of this run */
};

/* Attach mechanisms and, if asked for, begin their waveform.  NULL with one line in
 * `error`. */
struct run_units *run_units_open(struct gpu *gpu, const struct run_units_options *options,
                                 char *error, size_t n_error);
/* The same with neither a past nor a waveform. */
struct run_units *run_units_attach(struct gpu *gpu, const char *names, const char *backends,
                                   char *error, size_t n_error);
/* End waveform and timeline, if there are such, and say where they are; false when one is not whole. */
bool run_units_end_wave(struct run_units *units, FILE *out);
void run_units_detach(struct run_units *units);

/* What the mechanisms have counted, by mechanism; a new reference. */
json_t *run_units_json(const struct run_units *units);

/* The mechanisms' counters; then one line per kind of unit: how many, on which backend,
 * how much was compared.  A unit that differed is reported in full.  False when one did,
 * or when a mechanism found its units to differ from the machine. */
bool run_units_report(const struct run_units *units, FILE *out);

#endif
