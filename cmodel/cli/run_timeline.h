/* run_timeline.h - what the machine does, cycle by cycle, as trace events: the JSON that Perfetto
 * and Chrome's tracing read ("Trace Event Format").
 *
 * A microsecond of the file is a core cycle.  Each SM, L2 bank and DRAM channel is a process; warps,
 * schedulers and DRAM banks are its threads, with a slice for each state; queues, MSHRs and counts
 * are counters.  A mechanism's counters are sampled. */
#ifndef WARPLOCK_CLI_RUN_TIMELINE_H
#define WARPLOCK_CLI_RUN_TIMELINE_H

#include <stdbool.h>
#include <stdio.h>

#include "machine/gpu.h"
#include "tb/wave.h"

struct run_units;

struct run_timeline_request {
    const char *path;          /* NULL: none is asked for */
    struct wave_window window; /* in core cycles */
};

struct run_timeline;

/* Watches `gpu`, which must step every cycle, from now on; NULL with one line in `error`. */
struct run_timeline *run_timeline_open(struct gpu *gpu, const struct run_units *units,
                                       const struct run_timeline_request *request, char *error,
                                       size_t n_error);
/* Ends the file and says on `out` what is in it; false, with a line on stderr, when something could
 * not be written. */
bool run_timeline_close(struct run_timeline *timeline, FILE *out);

#endif
