/* sweep.c - see sweep.h. */
#include "sweep/sweep.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/seconds.h"
#include "sweep/shell.h"

/* ---- the user's wish to end ---- */

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

bool sweep_interrupted(void)
{
    return interrupted != 0;
}

/* ---- progress ---- */

/* True where it is time for a line. */
static bool begin_line(struct sweep *sweep, bool last)
{
    const double now = seconds_now();
    if (sweep->options->quiet || (!last && now - sweep->shown < (isatty(2) ? .2 : 10))) {
        return false;
    }
    sweep->shown = now;
    fputs(isatty(2) ? "\r" : "", stderr);
    return true;
}

static void end_line(bool last)
{
    fprintf(stderr, "%s", !isatty(2) ? "\n" : last ? "\033[K\n" : "\033[K");
}

static void show_planned(struct sweep *sweep, size_t n_experiments)
{
    if (n_experiments > 1 && begin_line(sweep, false)) {
        fprintf(stderr, "%zu of %zu experiments planned", sweep->n_plans + 1, n_experiments);
        end_line(false);
    }
}

void sweep_progress(struct sweep *sweep, size_t running, bool last)
{
    const size_t here = sweep->collected.done + sweep->collected.failed - sweep->n_counted;
    const size_t left = sweep->n_todo > here ? sweep->n_todo - here : 0;
    if (!begin_line(sweep, last)) {
        return;
    }
    fprintf(stderr, "%zu of %zu points, %zu running, %zu failed", sweep->n_there + here,
            sweep->n_runs, running, sweep->collected.failed);
    if (here > 0 && left > 0) {
        const double rest = (sweep->shown - sweep->started) / (double)here * (double)left;
        fprintf(stderr, ", %.0f:%02.0f:%02.0f left", (double)((long)rest / 3600),
                (double)((long)rest / 60 % 60), (double)((long)rest % 60));
    }
    end_line(last);
}

/* ---- open and close ---- */

static size_t greatest_divisor(size_t a, size_t b)
{
    while (b != 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A stride through `n` runs that takes each once and neighbours, which are alike, far from each
 * other: those that have run tell how long the rest will take. */
static size_t spreading(size_t n)
{
    size_t stride = (size_t)(.618 * (double)n) + 1;
    while (greatest_divisor(n, stride) != 1) {
        stride++;
    }
    return stride;
}

int sweep_refresh(struct sweep *sweep, char *error, size_t n_error)
{
    if (database_states(&sweep->database, sweep->keys, sweep->n_runs, sweep->states, error,
                        n_error) != 0) {
        return -1;
    }
    const size_t stride = spreading(sweep->n_runs);
    sweep->n_todo = sweep->n_there = 0;
    sweep->n_counted = sweep->collected.done + sweep->collected.failed;
    for (size_t i = 0, r = 0; i < sweep->n_runs; i++, r = (r + stride) % sweep->n_runs) {
        const bool again = sweep->options->retry && sweep->states[r] == POINT_FAILED;
        if (sweep->states[r] == POINT_MISSING || again) {
            sweep->todo[sweep->n_todo++] = r;
        } else {
            sweep->n_there++;
        }
    }
    return 0;
}

int sweep_collect(struct sweep *sweep, char *error, size_t n_error)
{
    return collect(&sweep->database, &sweep->folder, sweep->writers, sweep->n_plans,
                   &sweep->collected, error, n_error);
}

static int plan_all(struct sweep *sweep, struct experiment *const *experiments, size_t n,
                    char *error, size_t n_error)
{
    sweep->plans = calloc(n, sizeof *sweep->plans);
    sweep->writers = calloc(n, sizeof *sweep->writers);
    if (sweep->plans == NULL || sweep->writers == NULL) {
        snprintf(error, n_error, "out of memory");
        return -1;
    }
    for (; sweep->n_plans < n; sweep->n_plans++) {
        struct plan *plan = &sweep->plans[sweep->n_plans];
        if (plan_new(plan, experiments[sweep->n_plans], sweep->world, sweep->options->size, error,
                     n_error) != 0) {
            return -1;
        }
        if (plan_check(plan, error, n_error) != 0) {
            plan_free(plan);
            return -1;
        }
        show_planned(sweep, n);
    }
    return 0;
}

/* The runs of all plans, each once. */
static int join_plans(struct sweep *sweep, char *error, size_t n_error)
{
    size_t most = 1;
    for (size_t p = 0; p < sweep->n_plans; p++) {
        most += sweep->plans[p].n_runs;
    }
    sweep->runs = calloc(most, sizeof *sweep->runs);
    sweep->keys = calloc(most, sizeof *sweep->keys);
    sweep->states = calloc(most, sizeof *sweep->states);
    sweep->todo = calloc(most, sizeof *sweep->todo);
    const bool there = keys_new(&sweep->known, most) && sweep->runs != NULL &&
                       sweep->keys != NULL && sweep->states != NULL && sweep->todo != NULL;
    for (size_t p = 0; there && p < sweep->n_plans; p++) {
        const struct plan *plan = &sweep->plans[p];
        for (size_t r = 0; r < plan->n_runs; r++) {
            const char *key = plan->runs[r].key;
            if (keys_add(&sweep->known, key) == sweep->n_runs) {
                sweep->keys[sweep->n_runs] = key;
                sweep->runs[sweep->n_runs++] = (struct sweep_run){plan, &plan->runs[r]};
            }
        }
    }
    if (!there) {
        snprintf(error, n_error, "out of memory for %zu points", most - 1);
    }
    return there ? 0 : -1;
}

static int open_all(struct sweep *sweep, char *error, size_t n_error)
{
    char folder[PATH_MAX];
    const struct sweep_options *options = sweep->options;
    snprintf(folder, sizeof folder, "%s.work", options->database);
    if (folder_open(&sweep->folder, folder, error, n_error) != 0 ||
        folder_lock(&sweep->folder, error, n_error) != 0 ||
        database_open(&sweep->database, options->database, true, error, n_error) != 0) {
        return -1;
    }
    folder_sweep_out(&sweep->folder);
    for (size_t p = 0; p < sweep->n_plans; p++) {
        struct metric_writer *writer = &sweep->writers[p];
        if (database_put_plan(&sweep->database, &sweep->plans[p], error, n_error) != 0 ||
            metric_writer_open(writer, &sweep->database, sweep->plans[p].experiment, error,
                               n_error) != 0 ||
            metric_writer_put_missing(writer, error, n_error) != 0) {
            return -1;
        }
    }
    if (sweep_collect(sweep, error, n_error) != 0) {
        return -1;
    }
    return sweep_refresh(sweep, error, n_error);
}

int sweep_open(struct sweep *sweep, struct experiment *const *experiments, size_t n_experiments,
               const struct world *world, const struct sweep_options *options, char *error,
               size_t n_error)
{
    *sweep = (struct sweep){.options = options, .world = world, .folder = {.lock = -1}};
    if (plan_all(sweep, experiments, n_experiments, error, n_error) != 0 ||
        join_plans(sweep, error, n_error) != 0 || open_all(sweep, error, n_error) != 0) {
        if (sweep->shown > 0 && isatty(2)) {
            fputc('\n', stderr);
        }
        sweep_close(sweep);
        return -1;
    }
    sweep->started = seconds_now();
    sweep->shown = 0;
    interrupted = 0;
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return 0;
}

void sweep_close(struct sweep *sweep)
{
    if (sweep->folder.lock >= 0) {
        folder_sweep_out(&sweep->folder); /* what dies with its collector dies a little later */
    }
    for (size_t p = 0; p < sweep->n_plans; p++) {
        metric_writer_close(&sweep->writers[p]);
        plan_free(&sweep->plans[p]);
    }
    database_close(&sweep->database);
    folder_close(&sweep->folder);
    free(sweep->writers);
    free(sweep->plans);
    free(sweep->runs);
    free(sweep->keys);
    keys_free(&sweep->known);
    free(sweep->states);
    free(sweep->todo);
}

/* ---- lines for workers ---- */

char *sweep_line(const struct sweep *sweep, size_t run)
{
    json_t *point = plan_run_json(sweep->runs[run].plan, sweep->runs[run].run);
    char *text = point != NULL ? json_dumps(point, JSON_COMPACT) : NULL;
    const size_t n = text != NULL ? strlen(text) : 0;
    char *line = text != NULL ? malloc(n + 2) : NULL;
    if (line != NULL) {
        memcpy(line, text, n);
        strcpy(line + n, "\n");
    }
    free(text);
    json_decref(point);
    return line;
}

size_t sweep_write_jobs(const struct sweep *sweep, const char *name, size_t chunk, char *error,
                        size_t n_error)
{
    size_t files = 0;
    for (size_t from = 0; from < sweep->n_todo; from += chunk, files++) {
        char file_name[96], path[PATH_MAX];
        snprintf(file_name, sizeof file_name, "%s.%zu", name, files);
        folder_path(&sweep->folder, "jobs", file_name, path, sizeof path);
        FILE *file = fopen(path, "w");
        bool good = file != NULL;
        for (size_t i = from; good && i < from + chunk && i < sweep->n_todo; i++) {
            char *line = sweep_line(sweep, sweep->todo[i]);
            good = line != NULL && fputs(line, file) != EOF;
            free(line);
        }
        if ((file != NULL && fclose(file) != 0) || !good) {
            snprintf(error, n_error, "%s: %s", path, strerror(errno));
            return 0;
        }
    }
    return files;
}

void sweep_worker_words(const struct world *world, const char *folder, FILE *out)
{
    shell_word(out, world->program);
    if (*world->project != '\0') {
        fputs(" --project ", out);
        shell_word(out, world->project);
    }
    fputs(" work ", out);
    shell_word(out, folder);
}

int sweep_list(struct sweep *sweep, FILE *out, char *error, size_t n_error)
{
    enum { CHUNK = 100 };
    char folder[PATH_MAX];
    if (sweep->n_todo == 0) {
        return 0;
    }
    if (realpath(sweep->folder.path, folder) == NULL ||
        sweep_write_jobs(sweep, "list", CHUNK, error, n_error) == 0) {
        return -1;
    }
    for (size_t i = 0; i < sweep->n_todo; i++) {
        sweep_worker_words(sweep->world, folder, out);
        fprintf(out, " list.%zu %zu\n", i / CHUNK, i % CHUNK + 1);
    }
    return 0;
}
