/* run_wave.h - the waveform of a simulation: chosen units, and the machine around them. */
#ifndef WARPLOCK_CLI_RUN_WAVE_H
#define WARPLOCK_CLI_RUN_WAVE_H

#include <stdio.h>

#include "machine/gpu.h"
#include "mechanisms/mechanism.h"
#include "tb/wave.h"

struct run_wave_request {
    const char *path;          /* of the FST; NULL: no waveform is asked for */
    const char *units;         /* names or patterns, separated by commas; NULL: see below */
    struct wave_window window; /* in core cycles */
    bool machine;              /* the machine's own signals, too */
    bool inside;               /* every wire of units on RTL, too */
};

struct run_wave;

/* Declares and watches from now on: the units named, or all when neither names nor the
 * machine were asked for.  The units of `set` must have been opened traced
 * (tb/traced.h).  NULL with one line in `error`. */
struct run_wave *run_wave_open(struct gpu *gpu, const struct mechanism_set *set,
                               const struct run_wave_request *request, char *error, size_t n_error);
/* Ends the file, writes its layout beside it and says on `out` how to open both; false,
 * with a line on stderr, when something could not be written. */
bool run_wave_close(struct run_wave *wave, FILE *out);

#endif
