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

/* ---- open and close ---- */

int sweep_refresh(struct sweep *sweep, char *error, size_t n_error)
{
    const struct plan *plan = &sweep->plan;
    if (database_states(&sweep->database, plan, sweep->states, error, n_error) != 0) {
        return -1;
    }
    sweep->n_todo = sweep->n_there = 0;
    for (size_t r = 0; r < plan->n_runs; r++) {
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
    return collect(&sweep->database, &sweep->folder, &sweep->writer, &sweep->collected, error,
                   n_error);
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
    if (database_put_plan(&sweep->database, &sweep->plan, error, n_error) != 0 ||
        metric_writer_open(&sweep->writer, &sweep->database, sweep->plan.experiment, error,
                           n_error) != 0 ||
        metric_writer_put_missing(&sweep->writer, error, n_error) != 0) {
        return -1;
    }
    sweep->states = calloc(sweep->plan.n_runs + 1, sizeof *sweep->states);
    sweep->todo = calloc(sweep->plan.n_runs + 1, sizeof *sweep->todo);
    if (sweep->states == NULL || sweep->todo == NULL) {
        snprintf(error, n_error, "out of memory");
        return -1;
    }
    if (sweep_collect(sweep, error, n_error) != 0) {
        return -1;
    }
    return sweep_refresh(sweep, error, n_error);
}

int sweep_open(struct sweep *sweep, const struct experiment *experiment, const struct world *world,
               const struct sweep_options *options, char *error, size_t n_error)
{
    *sweep = (struct sweep){.options = options, .world = world, .folder = {.lock = -1}};
    if (plan_new(&sweep->plan, experiment, world, options->size, error, n_error) != 0) {
        return -1;
    }
    if (plan_check(&sweep->plan, error, n_error) != 0 || open_all(sweep, error, n_error) != 0) {
        sweep_close(sweep);
        return -1;
    }
    sweep->started = seconds_now();
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
    metric_writer_close(&sweep->writer);
    database_close(&sweep->database);
    folder_close(&sweep->folder);
    plan_free(&sweep->plan);
    free(sweep->states);
    free(sweep->todo);
    sweep->states = NULL;
    sweep->todo = NULL;
}

/* ---- progress ---- */

void sweep_progress(struct sweep *sweep, size_t running, bool last)
{
    const double now = seconds_now(), spent = now - sweep->started;
    const size_t here = sweep->collected.done + sweep->collected.failed;
    const size_t done = sweep->n_there + here;
    const bool terminal = isatty(2) != 0;
    if (sweep->options->quiet || (!last && now - sweep->shown < (terminal ? .2 : 10))) {
        return;
    }
    sweep->shown = now;
    const size_t left = sweep->n_todo > here ? sweep->n_todo - here : 0;
    fprintf(stderr, "%s%zu of %zu points, %zu running, %zu failed", terminal ? "\r" : "", done,
            sweep->plan.n_runs, running, sweep->collected.failed);
    if (here > 0 && left > 0) {
        const double rest = spent / (double)here * (double)left;
        fprintf(stderr, ", %.0f:%02.0f:%02.0f left", (double)((long)rest / 3600),
                (double)((long)rest / 60 % 60), (double)((long)rest % 60));
    }
    fprintf(stderr, "%s", terminal ? last ? "\033[K\n" : "\033[K" : "\n");
}

/* ---- lines for workers ---- */

char *sweep_line(const struct sweep *sweep, size_t run)
{
    json_t *point = plan_run_json(&sweep->plan, &sweep->plan.runs[run]);
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
