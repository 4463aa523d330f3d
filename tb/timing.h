/* timing.h - does a unit answer when its table says so?
 *
 * The rows TIMING of the table (units/unit.h), held against every step: no answer without a
 * request so many cycles before, no request taken sooner than the interval after the last. */
#ifndef WARPLOCK_TB_TIMING_H
#define WARPLOCK_TB_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "units/unit.h"

/* Latencies of answers and intervals are below this, what is without an answer below the other. */
enum { TIMING_ROWS = 16, TIMING_CYCLES = 64, TIMING_SILENT_CYCLES = 4096 };

/* Where the signals of a row are. */
struct timing_slots {
    unsigned request, ready, answer;
    bool always_ready, silent; /* silent: no answer */
};
/* False when the row names a port that is not there, or is not one bit wide, or is too long. */
bool timing_slots(const struct unit_desc *desc, const struct unit_timing *row,
                  struct timing_slots *slots);

struct timing {
    const struct unit_desc *desc;
    struct timing_slots slots[TIMING_ROWS];
    uint64_t taken[TIMING_ROWS]; /* bit i: a request was taken i steps before the last one */
};

/* Of a unit whose rows are sound (tb/portcheck.c holds it of every unit that is built). */
void timing_begin(struct timing *timing, const struct unit_desc *desc);
/* One step's inputs and outputs, or a reset.  False, with what was wrong in `words`, when they
 * break a row. */
bool timing_step(struct timing *timing, const uint64_t *in, const uint64_t *out, bool rst,
                 char *words, size_t n_words);

#endif
