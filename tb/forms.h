/* forms.h - a unit that takes several cycles against its form that takes one.
 *
 * A unit with the parameter ONE_CYCLE has two forms: the document's, which answers in the cycle of
 * the request, and the circuit that meets the clock.  Requests that the first takes in random steps
 * are given to the second, one after another or as fast as it takes them, those of one step in the
 * order of the rows where it arbitrates; its answers, at the latency of its TIMING rows, and the
 * state that both have and that is not PACED, must be the same.  The C models stand for both:
 * lockstep holds the RTL against them.  A unit without TIMING rows answers no requests: what its
 * forms have in common is said by its header, and by a test of its own. */
#ifndef WARPLOCK_TB_FORMS_H
#define WARPLOCK_TB_FORMS_H

#include <stdint.h>

#include "tb/backend.h"

struct forms_result {
    bool compared;     /* false: one form only, the one-cycle form, or no requests */
    uint64_t requests; /* taken by both */
    uint64_t cycles;   /* of the pipelined form, for them */
};

/* Compares over `steps` steps of the one-cycle form.  The verdict is PASS, MISMATCH with the first
 * difference in `failure`, or what prevented the comparison. */
void forms_compare(struct library *library, const char *unit, const char *overrides, uint64_t steps,
                   uint64_t seed, struct forms_result *result, struct failure *failure);

#endif
