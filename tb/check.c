/* check.c - vectors, then constrained random steps, on one unit and backend. */
#include "tb/check.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/project.h"
#include "base/seconds.h"
#include "tb/drive.h"
#include "tb/shrink.h"
#include "tb/timing.h"

enum { LOOK_EVERY = 1 << 20, FORM_STEPS = 200000 };

/* The random run in progress. */
struct run {
    const struct check_options *options;
    struct check_result *result;
    const struct unit_desc *desc;
    const struct unit_stimulus *stimulus;
    struct promises promises;
    struct driver *driver;
    struct timing timing;
    uint64_t *out;
    struct sequence now, before; /* inputs since the last reset, and of the period before */
    struct wave_steps wave;
    double started;
};

static void give_up(struct check_result *result, enum verdict verdict, const char *words)
{
    result->failure.verdict = verdict;
    snprintf(result->failure.words, sizeof result->failure.words, "%s", words);
}

static void record(struct run *run, const uint64_t *in, bool rst)
{
    if (run->desc->kind == UNIT_COMBINATIONAL || rst) {
        struct sequence swap = run->before;
        run->before = run->now;
        run->now = swap;
        run->now.n_steps = run->now.n_inputs = 0;
    }
    if (!sequence_add(&run->now, run->desc, in, rst)) {
        give_up(run->result, VERDICT_LIMIT, "out of memory");
    }
}

/* The state before a step and its inputs, against what the model promises. */
static void check_promises(struct run *run, const void *state, const uint64_t *in, bool rst)
{
    const bool reachable = run->promises.invariant == NULL || state == NULL ||
                           run->promises.invariant(state);
    const bool accepted = rst || run->promises.accepts == NULL ||
                          (state == NULL && run->desc->n_state > 0) ||
                          run->promises.accepts(state, in);
    if (!reachable || !accepted) {
        char words[160];
        snprintf(words, sizeof words,
                 "step %" PRIu64 ": %s; the same seed and --steps %" PRIu64 " lead there",
                 run->result->steps,
                 reachable ? "the stimulus gives inputs that the model does not accept"
                           : "the state breaks the model's invariant",
                 run->result->steps + 1);
        give_up(run->result, VERDICT_ASSERT, words);
    }
}

/* The step against the table's rows of TIMING. */
static void check_timing(struct run *run, const uint64_t *in, bool rst)
{
    char broken[96], words[160];
    if (!timing_step(&run->timing, in, run->out, rst, broken, sizeof broken)) {
        snprintf(words, sizeof words,
                 "step %" PRIu64 ": %s; the same seed and --steps %" PRIu64 " lead there",
                 run->result->steps, broken, run->result->steps + 1);
        give_up(run->result, VERDICT_ASSERT, words);
    }
}

static void one_step(struct run *run, bool defined)
{
    const struct unit_backend *backend = run->result->backend;
    void *self = run->result->instance;
    bool rst;
    const uint64_t *in = driver_next(run->driver, &rst);
    if (run->desc->kind == UNIT_SEQUENTIAL) {
        record(run, in, rst);
    }
    if (defined) {
        const void *state = backend->state != NULL && run->desc->n_state > 0 ? backend->state(self)
                                                                             : NULL;
        backend->comb(self, in, run->out);
        coverage_sample(run->result->coverage, in, run->out, state);
        check_promises(run, state, in, rst);
        check_timing(run, in, rst);
        wave_steps_comb(&run->wave, self, run->result->steps, rst, in, run->out);
    }
    backend->seq(self, in, rst);
    wave_steps_seq(&run->wave, self, run->result->steps, rst, in);
    driver_answer(run->driver, run->out, rst);
    run->result->steps++;
}

static void show_progress(const struct run *run)
{
    const double spent = seconds_now() - run->started;
    fprintf(stderr, "%s%s %s: %" PRIu64 " of %" PRIu64 " steps, %.1f M steps/s%s",
            isatty(2) ? "\r\033[K" : "", run->desc->name, run->result->backend->name,
            run->result->steps, run->options->steps,
            1e-6 * (double)run->result->steps / (spent > 0 ? spent : 1), isatty(2) ? "" : "\n");
}

/* Runs up to the asked step or the first difference. */
static void random_steps(struct run *run)
{
    struct check_result *result = run->result;
    const bool pair = lockstep_is(result->backend);
    bool defined = run->desc->kind == UNIT_COMBINATIONAL;
    double shown = run->started;
    while (result->steps < run->options->steps && !result->mismatch &&
           result->failure.verdict == VERDICT_PASS) {
        one_step(run, defined);
        defined = true;
        if (pair && lockstep_mismatch(result->instance)) {
            result->mismatch = true;
        }
        if (result->steps % LOOK_EVERY == 0 && run->options->progress &&
            seconds_now() - shown > 5) {
            shown = seconds_now();
            show_progress(run);
        }
    }
    if (run->options->progress && shown > run->started && isatty(2)) {
        fputs("\r\033[K", stderr);
    }
}

static bool join(struct sequence *to, const struct sequence *from, const struct unit_desc *desc)
{
    for (size_t i = 0; i < from->n_steps; i++) {
        if (!sequence_add(to, desc, from->inputs + from->steps[i].in, from->steps[i].rst)) {
            return false;
        }
    }
    return true;
}

/* A sequence that fails, as short as can be found: from the last reset on, else
 * from the one before.  False when the difference comes from further back. */
static bool failing_sequence(struct run *run, struct sequence *sequence)
{
    const struct unit_backend *backend = run->result->backend;
    for (int periods = 1; periods <= 2; periods++) {
        memset(sequence, 0, sizeof *sequence);
        snprintf(sequence->test, sizeof sequence->test, "random-seed-%" PRIu64, run->options->seed);
        snprintf(sequence->backend, sizeof sequence->backend, "%s", backend->name);
        sequence->seed = run->options->seed;
        if ((periods == 1 || join(sequence, &run->before, run->desc)) &&
            join(sequence, &run->now, run->desc) && shrink(backend, sequence, 10)) {
            return true;
        }
        sequence_free(sequence);
    }
    return false;
}

static void explain(struct run *run, struct library *library)
{
    struct check_result *result = run->result;
    struct sequence sequence;
    if (run->desc->kind == UNIT_COMBINATIONAL) {
        struct lockstep_report report;
        lockstep_get(result->instance, &report);
        record(run, report.history_in[report.n_history - 1], false);
        run->before.n_steps = 0;
    }
    if (failing_sequence(run, &sequence)) {
        result->shrunk_steps = sequence.n_steps;
        char name[128];
        snprintf(name, sizeof name, "%s-seed%" PRIu64, run->desc->name, run->options->seed);
        failure_record_write(library, result->backend, &sequence, name, run->options->wave.path,
                             &result->record);
        sequence_free(&sequence);
    } else {
        char *replay = result->record.replay, command[PATH_MAX];
        project_command(command, sizeof command);
        snprintf(replay, sizeof result->record.replay,
                 "%s check %s --seed %" PRIu64 " --steps %" PRIu64 " --backend %s", command,
                 run->desc->name, run->options->seed, result->steps, result->backend->name);
        for (unsigned i = 0; i < run->desc->n_params; i++) {
            const size_t used = strlen(replay);
            snprintf(replay + used, sizeof result->record.replay - used, " --param %s=%" PRId64,
                     run->desc->params[i].name, run->desc->params[i].value);
        }
    }
}

static void run_vectors(struct library *library, const struct check_options *options,
                        FILE *report_to, struct check_result *result)
{
    char path[PATH_MAX];
    if (!library_file(library, result->backend->desc->name, ".vec", path, sizeof path) ||
        access(path, R_OK) != 0) {
        return;
    }
    const struct unit_desc *only = options->overrides[0] != '\0' ? result->backend->desc : NULL;
    const enum verdict verdict = check_vectors(library, path, options->form, NULL, only, NULL,
                                               report_to, &result->vectors_passed,
                                               &result->vectors_failed, &result->failure);
    result->failure.verdict = verdict;
}

static void run_random(struct library *library, const struct check_options *options,
                       struct check_result *result)
{
    const struct unit_backend *backend = result->backend;
    struct run run = {.options = options, .result = result, .desc = backend->desc};
    run.stimulus = library_stimulus(library, options->unit, options->overrides, &result->failure);
    if (run.stimulus == NULL) {
        return;
    }
    run.promises = library_promises(library, options->unit, options->overrides);
    run.driver = driver_new(run.desc, run.stimulus, options->seed);
    run.out = calloc(run.desc->out_slots + 1, sizeof *run.out);
    result->coverage = coverage_new(run.desc, run.stimulus);
    result->instance = backend->create(backend->context, options->seed);
    if (run.driver == NULL || run.out == NULL || result->coverage == NULL ||
        result->instance == NULL) {
        give_up(result, VERDICT_LIMIT, "out of memory");
    } else if (!wave_steps_open(&run.wave, options->wave.path, options->wave.window, backend)) {
        give_up(result, VERDICT_USAGE,
                "the wave file cannot be written; give a path in an existing folder");
    } else {
        timing_begin(&run.timing, run.desc);
        run.started = seconds_now();
        random_steps(&run);
        result->seconds = seconds_now() - run.started;
        wave_steps_close(&run.wave);
        if (result->mismatch) {
            explain(&run, library);
        }
    }
    if (run.driver != NULL) {
        driver_free(run.driver);
    }
    free(run.out);
    sequence_free(&run.now);
    sequence_free(&run.before);
}

static void run_forms(struct library *library, const struct check_options *options,
                      struct check_result *result)
{
    const uint64_t steps = options->steps < FORM_STEPS ? options->steps : FORM_STEPS;
    forms_compare(library, options->unit, options->overrides, steps, options->seed, &result->forms,
                  &result->forms_differ);
    if (result->forms_differ.verdict != VERDICT_PASS) {
        result->failure.verdict = result->forms_differ.verdict;
        snprintf(result->failure.words, sizeof result->failure.words, "%s",
                 result->forms_differ.words);
    }
}

void check_run(struct library *library, const struct check_options *options, FILE *report_to,
               struct check_result *result)
{
    memset(result, 0, sizeof *result);
    result->seed = options->seed;
    result->backend = library_open(library, options->unit, options->overrides, options->form,
                                   &result->failure);
    if (result->backend == NULL) {
        return;
    }
    run_vectors(library, options, report_to, result);
    const bool vectors_differ = result->failure.verdict == VERDICT_MISMATCH;
    if (vectors_differ) {
        result->failure.verdict = VERDICT_PASS; /* the random steps give a shorter replay */
    }
    if (result->failure.verdict == VERDICT_PASS && options->steps > 0) {
        run_random(library, options, result);
    }
    if (result->failure.verdict == VERDICT_PASS && !result->mismatch && options->steps > 0) {
        run_forms(library, options, result);
    }
    if (result->instance != NULL && lockstep_is(result->backend)) {
        lockstep_get(result->instance, &result->report);
    }
    if (result->failure.verdict == VERDICT_PASS && (result->mismatch || vectors_differ)) {
        result->failure.verdict = VERDICT_MISMATCH;
    }
}

void check_end(struct check_result *result)
{
    if (result->instance != NULL) {
        result->backend->destroy(result->instance);
    }
    if (result->coverage != NULL) {
        coverage_free(result->coverage);
    }
}
