/* vectors.c - plays the tests of a vector or replay file on a backend. */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/project.h"
#include "tb/check.h"
#include "tb/report.h"

struct vectors {
    struct library *library;
    const struct sequence_file *file;
    const char *form, *test;
    const struct wave_request *wave;
    FILE *to;
    unsigned *passed, *failed;
    struct failure *failure;
};

static bool same_params(const struct unit_desc *a, const struct unit_desc *b)
{
    for (unsigned i = 0; i < a->n_params; i++) {
        if (a->params[i].value != b->params[i].value) {
            return false;
        }
    }
    return true;
}

__attribute__((format(printf, 2, 3))) static void refuse(struct vectors *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    v->failure->verdict = VERDICT_USAGE;
    vsnprintf(v->failure->words, sizeof v->failure->words, format, args);
    va_end(args);
}

/* The marks that were asked for, else the last step: where something differs, if it does. */
static bool write_layout(const struct wave_request *wave, const struct unit_backend *backend,
                         const struct play_result *played)
{
    struct layout_steps marks = wave->marks;
    if (marks.n == 0 && played->steps > 0) {
        marks = (struct layout_steps){{played->steps - 1}, 1, 0};
    }
    marks.played = played->steps;
    return layout_steps(wave->layout, wave->path, backend, &marks,
                        played->mismatch ? &played->report : NULL);
}

static void judge(struct vectors *v, const struct unit_backend *backend,
                  const struct sequence *sequence)
{
    struct play_result result;
    struct wave_steps wave = {NULL, NULL};
    if (v->wave != NULL && !wave_steps_open(&wave, v->wave->path, v->wave->window, backend)) {
        refuse(v, "%s: cannot be written; give a path in an existing folder", v->wave->path);
        return;
    }
    play(backend, sequence, &wave, &result);
    wave_steps_close(&wave);
    if (result.cannot_load || result.out_of_memory) {
        refuse(v,
               result.cannot_load ? "%s: starts from a state (`load`), which %s cannot be put "
                                    "into; use c, rtl or c+rtl"
                                  : "%s: out of memory on %s",
               v->file->path, backend->name);
        play_end(backend, &result);
        return;
    }
    if (v->wave != NULL && v->wave->layout != NULL && !write_layout(v->wave, backend, &result)) {
        refuse(v, "%s: cannot be written; give a path in an existing folder", v->wave->layout);
    }
    const bool good = !result.unexpected && !result.mismatch;
    *(good ? v->passed : v->failed) += 1;
    char command[PATH_MAX], again[PATH_MAX + 8400];
    project_command(command, sizeof command);
    snprintf(again, sizeof again, "%s replay %s --test %s --backend %s", command, v->file->path,
             sequence->test, backend->name);
    if (result.unexpected && v->to != NULL) {
        report_unexpected(v->to, backend, v->file->path, sequence->test, &result);
        fprintf(v->to, "again: %s\n", again);
    }
    if (result.mismatch && v->to != NULL) {
        const struct report_context context = {sequence->seed, again, NULL};
        fprintf(v->to, "%s: test %s\n", v->file->path, sequence->test);
        report_mismatch(v->to, backend->desc, &result.report, &context);
    }
    play_end(backend, &result);
}

/* One test; false when it could not be run at all. */
static bool run_test(struct vectors *v, size_t i, const struct unit_desc *only)
{
    char error[512];
    struct sequence sequence;
    const struct sequence_head *test = &v->file->tests[i];
    struct failure why = {VERDICT_PASS, ""};
    if (v->test != NULL && strcmp(v->test, test->test) != 0) {
        return true;
    }
    const struct unit_desc *desc = library_desc(v->library, v->file->unit, test->overrides, &why);
    if (desc == NULL) {
        v->failure->verdict = why.verdict;
        snprintf(v->failure->words, sizeof v->failure->words, "%s:%u: %s", v->file->path,
                 test->line, why.words);
        return false;
    }
    if (only != NULL && !same_params(only, desc)) {
        return true;
    }
    if (!sequence_parse(&sequence, v->file, i, desc, error, sizeof error)) {
        v->failure->verdict = VERDICT_USAGE;
        snprintf(v->failure->words, sizeof v->failure->words, "%s", error);
        return false;
    }
    const char *form = v->form != NULL               ? v->form
                       : sequence.backend[0] != '\0' ? sequence.backend
                                                     : "lockstep";
    const struct unit_backend *backend = library_open(v->library, v->file->unit, test->overrides,
                                                      form, v->failure);
    if (backend != NULL && v->wave != NULL && v->wave->inside) {
        backend = library_open_inside(v->library, backend, v->failure);
    }
    if (backend != NULL) {
        judge(v, backend, &sequence);
    }
    sequence_free(&sequence);
    return v->failure->verdict == VERDICT_PASS;
}

enum verdict check_vectors(struct library *library, const char *path, const char *form,
                           const char *test, const struct unit_desc *only,
                           const struct wave_request *wave, FILE *report_to, unsigned *passed,
                           unsigned *failed, struct failure *failure)
{
    struct sequence_file file;
    failure->verdict = VERDICT_PASS;
    if (!sequence_file_open(&file, path, failure->words, sizeof failure->words)) {
        return failure->verdict = VERDICT_USAGE;
    }
    struct vectors v = {library, &file, form, test, wave, report_to, passed, failed, failure};
    for (size_t i = 0; i < file.n_tests && run_test(&v, i, only); i++) {
    }
    if (failure->verdict == VERDICT_PASS && test != NULL && *passed + *failed == 0) {
        failure->verdict = VERDICT_USAGE;
        snprintf(failure->words, sizeof failure->words, "%s: no test '%s' in it", path, test);
    }
    sequence_file_close(&file);
    return failure->verdict != VERDICT_PASS ? failure->verdict
                                            : (*failed > 0 ? VERDICT_MISMATCH : VERDICT_PASS);
}
