/* difference.c - a unit that differed inside a simulation. */
#include "tb/difference.h"

#include <inttypes.h>
#include <string.h>

#include "tb/failure_record.h"
#include "tb/report.h"
#include "tb/shrink.h"

enum { SHRINK_SECONDS = 5, MAX_NAME = 160 };

/* Says in one line why there is nothing to play. */
static void say_lost(enum past_found found, const struct unit_backend *backend, uint64_t step,
                     FILE *out)
{
    if (found == PAST_NO_MEMORY) {
        fputs("not recorded: out of memory\n", out);
    } else if (backend->load == NULL) {
        fprintf(
            out,
            "not recorded: %s cannot be put into a state, so only a past back to its creation can "
            "be replayed; run again with --past %" PRIu64 "\n",
            backend->name, step + 1);
    } else {
        fputs("not recorded: run without --past 0 for a replay and a waveform\n", out);
    }
}

static void record_short(struct library *library, const struct unit_backend *backend,
                         struct sequence *sequence, const char *name, FILE *out)
{
    char short_name[MAX_NAME + 8];
    struct failure_record record;
    snprintf(short_name, sizeof short_name, "%s-short", name);
    if (shrink(backend, sequence, SHRINK_SECONDS) &&
        failure_record_write(library, backend, sequence, short_name, NULL, &record)) {
        fprintf(out, "short: %s (%zu steps, some of which the machine may never take)\n",
                record.replay, sequence->n_steps);
    }
}

void difference_report(struct library *library, const struct unit_backend *backend,
                       const void *instance, const char *where, FILE *out)
{
    char name[MAX_NAME];
    struct lockstep_report report;
    struct sequence sequence;
    struct failure_record record = {"", ""};
    struct report_context context = {0, NULL, NULL};
    uint64_t first;
    snprintf(name, sizeof name, "%s-%s", backend->desc->name, where);
    lockstep_get(instance, &report);
    const enum past_found found = lockstep_past(instance, &sequence, &first);
    bool again = false;
    if (found == PAST_FOUND) {
        snprintf(sequence.test, sizeof sequence.test, "%.63s", where);
        again = failure_record_write(library, backend, &sequence, name, NULL, &record);
    }
    context.replay = again ? record.replay : NULL;
    context.wave = again && record.wave[0] != '\0' ? record.wave : NULL;
    fprintf(out, "%s:\n", where);
    report_mismatch(out, backend->desc, &report, &context);
    if (found != PAST_FOUND) {
        say_lost(found, backend, report.mismatch_step, out);
        return;
    }
    if (again) {
        fprintf(out, "the replay's step 0 is step %" PRIu64 " of the run\n", first);
        record_short(library, backend, &sequence, name, out);
    } else {
        fprintf(out,
                "not reproduced from step %" PRIu64 ": it depends on more than the table's "
                "state, or on steps before; --past N keeps more\n",
                first);
    }
    sequence_free(&sequence);
}
