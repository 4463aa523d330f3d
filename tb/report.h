/* report.h - the one place where a difference is put into words. */
#ifndef WARPLOCK_TB_REPORT_H
#define WARPLOCK_TB_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "tb/player.h"

/* What surrounds a difference; strings may be NULL. */
struct report_context {
    uint64_t seed;
    const char *replay; /* the command that runs it again */
    const char *wave;   /* the command that opens its waveform */
};

/* "ADDR_W=40 SETS=32" */
void report_params(FILE *to, const struct unit_desc *desc);
/* Two sides differ. */
void report_mismatch(FILE *to, const struct unit_desc *desc, const struct lockstep_report *report,
                     const struct report_context *context);
json_t *report_mismatch_json(const struct unit_desc *desc, const struct lockstep_report *report,
                             const struct report_context *context);
/* A vector's expectation failed on one backend. */
void report_unexpected(FILE *to, const struct unit_backend *backend, const char *path,
                       const char *test, const struct play_result *result);
/* The guards that never opened: holes, not passes.  Returns how many. */
unsigned report_closed_guards(FILE *to, const struct unit_desc *desc,
                              const struct lockstep_report *report);

#endif
