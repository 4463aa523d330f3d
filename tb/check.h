/* check.h - vectors, then constrained random steps, on one unit and backend. */
#ifndef WARPLOCK_TB_CHECK_H
#define WARPLOCK_TB_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tb/backend.h"
#include "tb/coverage.h"
#include "tb/failure_record.h"
#include "tb/forms.h"
#include "tb/layout_unit.h"
#include "tb/player.h"

/* A waveform that was asked for: which steps, into which file, and a layout for it; both
 * paths NULL for none. */
struct wave_request {
    const char *path;
    struct wave_window window;
    bool inside; /* of the RTL, too: it is built anew for that */
    const char *layout;
    struct layout_steps marks;
};

/* A unit's bins and guards must be reached in so many steps (tb/check_open.h).  Steps are a
 * function of the seed: with one that reached them, they always do. */
enum { CHECK_ENOUGH_STEPS = 200000 };

struct check_options {
    const char *unit;      /* as in units.list, or without the family */
    const char *overrides; /* "K=V,K=V" */
    const char *form;      /* backend */
    uint64_t steps, seed;
    struct wave_request wave; /* of the random steps in its window, or of the failure */
    bool progress;            /* a line on stderr now and then */
};

struct check_result {
    struct failure failure; /* USAGE or BUILD: nothing else is valid */
    const struct unit_backend *backend;
    unsigned vectors_passed, vectors_failed;
    struct lockstep_report report; /* of the random steps, when a pair */
    void *instance;
    uint64_t steps;
    double seconds;
    struct coverage *coverage;
    struct forms_result forms;   /* against the one-cycle form, of a unit that has one */
    struct failure forms_differ; /* how they differ */
    bool mismatch;               /* in the random steps */
    uint64_t seed;
    size_t shrunk_steps;          /* 0: could not be reproduced from its last resets */
    struct failure_record record; /* commands; "" for none */
};

/* Runs; differing vectors are reported on `report_to` (NULL: nowhere) as they
 * fail.  The verdict is in result->failure.verdict; check_end releases the rest. */
void check_run(struct library *library, const struct check_options *options, FILE *report_to,
               struct check_result *result);
void check_end(struct check_result *result);

/* Plays one vector or replay file: all tests, or the one named `test`, or (only !=
 * NULL) those whose parameters equal `only`'s.  form NULL: each test's own, or
 * lockstep.  `wave` may be NULL. */
enum verdict check_vectors(struct library *library, const char *path, const char *form,
                           const char *test, const struct unit_desc *only,
                           const struct wave_request *wave, FILE *report_to, unsigned *passed,
                           unsigned *failed, struct failure *failure);

#endif
