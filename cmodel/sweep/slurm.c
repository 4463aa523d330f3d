/* slurm.c - a sweep on a cluster: job arrays of Slurm, whose tasks leave results in the work folder.
 *
 * A job's name tells the sweep, so that a later collector knows what is queued, whoever was killed.
 * Scheduling, limits of a site and restarts are Slurm's: this submits, waits and collects. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/seconds.h"
#include "sweep/shell.h"
#include "sweep/sweep.h"

/* Slurm's standard MaxArraySize is 1001. */
enum { MOST_TASKS = 1000, MOST_ROUNDS = 3, POLL_MS = 500, ASK_SECONDS = 2 };

struct cluster {
    struct sweep *sweep;
    char folder[PATH_MAX], prefix[48]; /* of the names of this sweep's jobs */
    bool *queued;                      /* [n_runs] in a task that waits or runs */
    size_t n_queued, round;
};

/* ---- what is queued ---- */

static void mark_queued(struct cluster *c, const char *job, const char *task)
{
    char name[160], path[PATH_MAX], *line = NULL;
    size_t cap = 0;
    snprintf(name, sizeof name, "%s.%s", job, task);
    folder_path(&c->sweep->folder, "jobs", name, path, sizeof path);
    FILE *file = fopen(path, "r");
    while (file != NULL && getline(&line, &cap, file) > 0) {
        json_t *point = json_loads(line, 0, NULL);
        const char *key = json_string_value(json_object_get(point, "key"));
        const long run = key != NULL ? keys_find(&c->sweep->known, key) : -1;
        if (run >= 0 && !c->queued[run]) {
            c->queued[run] = true;
            c->n_queued++;
        }
        json_decref(point);
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
}

/* False when Slurm gives no answer: it may be restarting, and nothing is known then. */
static bool ask_queue(struct cluster *c)
{
    char line[256], job[128], task[32];
    FILE *answer = popen("squeue --noheader --array --me --format='%j %K' 2>/dev/null", "r");
    if (answer == NULL) {
        return false;
    }
    memset(c->queued, 0, c->sweep->n_runs * sizeof *c->queued);
    c->n_queued = 0;
    while (fgets(line, sizeof line, answer) != NULL) {
        if (sscanf(line, "%127s %31s", job, task) == 2 &&
            strncmp(job, c->prefix, strlen(c->prefix)) == 0) {
            mark_queued(c, job, task);
        }
    }
    return pclose(answer) == 0;
}

/* ---- submitting ---- */

static int write_script(const struct cluster *c, const char *job, char *path, size_t n)
{
    char name[160];
    snprintf(name, sizeof name, "%s.sh", job);
    folder_path(&c->sweep->folder, "jobs", name, path, n);
    FILE *script = fopen(path, "w");
    if (script == NULL) {
        return -1;
    }
    fputs("#!/bin/sh\nexec ", script);
    sweep_worker_words(c->sweep->world, c->folder, script);
    fprintf(script, " %s.\"$SLURM_ARRAY_TASK_ID\"\n", job);
    return fclose(script);
}

static char *sbatch_command(const struct cluster *c, const char *job, const char *script,
                            size_t n_tasks)
{
    const struct sweep_options *options = c->sweep->options;
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (out == NULL) {
        return NULL;
    }
    fprintf(out, "sbatch --parsable --job-name=%s --array=0-%zu", job, n_tasks - 1);
    if (options->jobs > 0) {
        fprintf(out, "%%%u", options->jobs);
    }
    fputs(" --output=", out);
    shell_word(out, "/dev/null");
    fprintf(out, " %s ", options->sbatch != NULL ? options->sbatch : "");
    shell_word(out, script);
    fputs(" 2>&1", out);
    fclose(out);
    return text;
}

static int submit_job(struct cluster *c, const char *job, size_t n_tasks, char *error,
                      size_t n_error)
{
    char script[PATH_MAX], said[256] = "", line[256];
    if (write_script(c, job, script, sizeof script) != 0) {
        snprintf(error, n_error, "%s: %s", script, strerror(errno));
        return -1;
    }
    char *command = sbatch_command(c, job, script, n_tasks);
    FILE *answer = command != NULL ? popen(command, "r") : NULL;
    while (answer != NULL && fgets(line, sizeof line, answer) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(said, sizeof said, "%s", line);
    }
    free(command);
    if (answer == NULL || pclose(answer) != 0) {
        snprintf(error, n_error, "sbatch: %s; is Slurm here, and are its options right?",
                 *said != '\0' ? said : "it cannot be started");
        return -1;
    }
    if (!c->sweep->options->quiet) {
        fprintf(stderr, "submitted %zu points as job %s, %zu tasks\n", c->sweep->n_todo, said,
                n_tasks);
    }
    return 0;
}

/* What is neither there nor queued. */
static int submit(struct cluster *c, char *error, size_t n_error)
{
    struct sweep *sweep = c->sweep;
    char job[96];
    size_t n = 0;
    for (size_t i = 0; i < sweep->n_todo; i++) {
        if (!c->queued[sweep->todo[i]]) {
            sweep->todo[n++] = sweep->todo[i];
        }
    }
    sweep->n_todo = n;
    if (n == 0) {
        return 0;
    }
    snprintf(job, sizeof job, "%s%ld-%zu", c->prefix, (long)getpid(), c->round++);
    const size_t chunk = (n + MOST_TASKS - 1) / MOST_TASKS;
    const size_t tasks = sweep_write_jobs(sweep, job, chunk, error, n_error);
    return tasks > 0 ? submit_job(c, job, tasks, error, n_error) : -1;
}

/* ---- waiting ---- */

/* Until nothing of this sweep is queued any more; what has come is collected meanwhile. */
static int wait_for_queue(struct cluster *c, char *error, size_t n_error)
{
    double asked = seconds_now();
    while (!sweep_interrupted()) {
        usleep(POLL_MS * 1000);
        if (sweep_collect(c->sweep, error, n_error) != 0) {
            return -1;
        }
        sweep_progress(c->sweep, c->n_queued, false);
        if (seconds_now() - asked < ASK_SECONDS) {
            continue;
        }
        asked = seconds_now();
        if (ask_queue(c) && c->n_queued == 0) {
            return sweep_collect(c->sweep, error, n_error);
        }
    }
    return 0;
}

static int run_rounds(struct cluster *c, char *error, size_t n_error)
{
    struct sweep *sweep = c->sweep;
    if (!ask_queue(c)) {
        snprintf(error, n_error, "squeue gives no answer; is Slurm here?  --on local runs without");
        return -1;
    }
    while (c->round < MOST_ROUNDS && !sweep_interrupted()) {
        if (sweep->n_todo == 0 && c->n_queued == 0) {
            return 0;
        }
        if (submit(c, error, n_error) != 0) {
            return -1;
        }
        if (sweep->options->no_wait) {
            return 0;
        }
        if (wait_for_queue(c, error, n_error) != 0 || sweep_refresh(sweep, error, n_error) != 0) {
            return -1;
        }
    }
    if (sweep->n_todo > 0 && !sweep_interrupted()) {
        snprintf(error, n_error,
                 "%zu points came to no end in %d submissions; `sacct` or Slurm's "
                 "log may say why, the same command tries again",
                 sweep->n_todo, MOST_ROUNDS);
        return -1;
    }
    return 0;
}

int sweep_slurm(struct sweep *sweep, char *error, size_t n_error)
{
    struct cluster c = {.sweep = sweep};
    struct digest digest;
    char digits[DIGEST_DIGITS + 1];
    if (realpath(sweep->folder.path, c.folder) == NULL) {
        snprintf(error, n_error, "%s: %s", sweep->folder.path, strerror(errno));
        return -1;
    }
    digest_begin(&digest);
    digest_text(&digest, c.folder);
    digest_end(&digest, digits);
    snprintf(c.prefix, sizeof c.prefix, "warplock-%.12s-", digits);
    c.queued = calloc(sweep->n_runs + 1, sizeof *c.queued);
    int status = -1;
    if (c.queued != NULL) {
        status = run_rounds(&c, error, n_error);
    } else {
        snprintf(error, n_error, "out of memory");
    }
    free(c.queued);
    if (status == 0) {
        sweep_progress(sweep, 0, true);
    }
    return status;
}
