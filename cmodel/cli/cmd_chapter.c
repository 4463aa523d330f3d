/* cmd_chapter.c - `warplock chapter NAME`: an experiment, run here and now.
 *
 * Runs every scheme of an experiment's file on every workload of it, each point one `warplock run`
 * in a process of its own, and prints the metrics beside what the document says.  What is measured
 * and compared is said in the file alone. */
#include <argp.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "experiments/results.h"

struct options {
    const char *name, *size;
    uint64_t jobs;
    bool json;
};

static const struct argp_option option_table[] = {
    {"size", 's', "SIZE", 0, "of every workload (standard: as the file says)", 0},
    {"jobs", 'J', "N", 0, "runs at a time (standard: one per core)", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 's': options->size = arg; return 0;
    case 'J': options->jobs = cli_number("jobs", arg, 1, 256, state); return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->name != NULL) {
            argp_error(state, "one experiment at a time, '%s' or '%s'", options->name, arg);
        }
        options->name = arg;
        return 0;
    case ARGP_KEY_END:
        if (options->name == NULL) {
            argp_error(state,
                       "name an experiment, or a file; `warplock list experiments` shows all");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- finding the file ---- */

/* A name with a slash or an ending is a file; else one of the tree's.  0, or -1 with a line. */
static int find_file(const char *name, char *path, size_t n, char *error, size_t n_error)
{
    char root[PATH_MAX];
    glob_t found;
    if (strchr(name, '/') != NULL || strchr(name, '.') != NULL) {
        snprintf(path, n, "%s", name);
        return 0;
    }
    tree_root(root, sizeof root);
    snprintf(path, n, "%s/cmodel/experiments/*/%s.json", root, name);
    const int status = glob(path, 0, NULL, &found);
    if (status == 0) {
        snprintf(path, n, "%s", found.gl_pathv[0]);
        globfree(&found);
        return 0;
    }
    snprintf(
        error, n_error,
        "no experiment named '%s'; `warplock list experiments` shows all, or give a file's path",
        name);
    return -1;
}

/* ---- running the points ---- */

struct session {
    const struct options *options;
    const struct experiment *experiment;
    char folder[64];
    struct results results;
    size_t failed; /* the first point that gave nothing, or the number of points */
};

static size_t n_points(const struct session *session)
{
    return session->experiment->n_workloads * session->experiment->n_schemes;
}

static const struct scheme *scheme_of(const struct session *session, size_t point)
{
    return &session->experiment->schemes[point % session->experiment->n_schemes];
}

static struct experiment_row row_of(const struct session *session, size_t point)
{
    struct experiment_row row = experiment_row(session->experiment,
                                               point / session->experiment->n_schemes);
    row.size = session->options->size != NULL ? session->options->size : row.size;
    return row;
}

static void point_path(const struct session *session, size_t point, char *path, size_t n)
{
    snprintf(path, n, "%s/%zu.json", session->folder, point);
}

static void run_point(const struct session *session, size_t point)
{
    const struct scheme *scheme = scheme_of(session, point);
    const struct experiment_row row = row_of(session, point);
    const char **arguments = calloc(16 + 2 * scheme->n_set, sizeof *arguments);
    char path[128];
    size_t n = 0;
    if (arguments == NULL || freopen("/dev/null", "w", stdout) == NULL) {
        return;
    }
    point_path(session, point, path, sizeof path);
    const char *const fixed[] = {"warplock", "run",
                                 "-w",       row.workload,
                                 "--size",   row.size,
                                 "-c",       session->experiment->machine,
                                 "-m",       scheme->mechanisms,
                                 "--json",   path};
    for (; n < sizeof fixed / sizeof *fixed; n++) {
        arguments[n] = fixed[n];
    }
    for (size_t s = 0; s < scheme->n_set; s++) {
        arguments[n++] = "--set";
        arguments[n++] = scheme->set[s];
    }
    execv("/proc/self/exe", (char **)(void *)arguments);
}

static pid_t start(const struct session *session, size_t point)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        run_point(session, point);
        _exit(VERDICT_BUILD);
    }
    return child;
}

static void run_points(const struct session *session)
{
    size_t started = 0, running = 0;
    while (started < n_points(session) || running > 0) {
        if (started < n_points(session) && scheme_of(session, started)->n_best_of > 0) {
            started++;
        } else if (started < n_points(session) && running < session->options->jobs) {
            running += start(session, started++) > 0;
            if (isatty(2)) {
                fprintf(stderr, "\r%zu of %zu runs started", started, n_points(session));
            }
        } else {
            int status;
            running -= wait(&status) > 0;
        }
    }
    if (isatty(2)) {
        fputs("\r\033[K", stderr);
    }
}

/* Is the run good?  One without coherence may compute wrong values, where the file says so. */
static bool is_good(const struct scheme *scheme, const json_t *run)
{
    const char *verdict = json_string_value(json_object_get(run, "verdict"));
    return verdict != NULL && (strcmp(verdict, "PASS") == 0 ||
                               (scheme->wrong_values && strcmp(verdict, "MISMATCH") == 0));
}

/* False with one line in `error` when a metric names a counter that a run does not have. */
static bool read_points(struct session *session, char *error, size_t n_error)
{
    bool good = true;
    session->failed = n_points(session);
    for (size_t point = 0; point < n_points(session); point++) {
        const size_t schemes = session->experiment->n_schemes;
        char path[128];
        if (scheme_of(session, point)->n_best_of > 0) {
            continue;
        }
        point_path(session, point, path, sizeof path);
        json_t *run = json_load_file(path, 0, NULL);
        if (is_good(scheme_of(session, point), run)) {
            good = good && results_add(&session->results, point / schemes, point % schemes, run,
                                       error, n_error);
        } else if (session->failed == n_points(session)) {
            session->failed = point;
        }
        json_decref(run);
        unlink(path);
    }
    return good;
}

static void say_failed(const struct session *session)
{
    const struct scheme *scheme = scheme_of(session, session->failed);
    const struct experiment_row row = row_of(session, session->failed);
    fprintf(stderr,
            "warplock: a run failed; run it alone to see why: warplock run -w %s --size %s -c %s "
            "-m '%s'",
            row.workload, row.size, session->experiment->machine, scheme->mechanisms);
    for (size_t s = 0; s < scheme->n_set; s++) {
        fprintf(stderr, " --set %s", scheme->set[s]);
    }
    fputc('\n', stderr);
}

static int run_session(struct session *session)
{
    char error[512];
    if (!results_new(&session->results, session->experiment)) {
        fputs("warplock: out of memory\n", stderr);
        return VERDICT_LIMIT;
    }
    session->results.size = session->options->size;
    if (mkdtemp(session->folder) == NULL) {
        fprintf(stderr, "warplock: /tmp: %s; make it writable\n", strerror(errno));
        return VERDICT_LIMIT;
    }
    run_points(session);
    const bool good = read_points(session, error, sizeof error);
    rmdir(session->folder);
    if (!good) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    results_take_best(&session->results);
    if (session->options->json) {
        cli_print_json(results_json(&session->results));
    } else {
        results_print(&session->results, stdout);
    }
    if (session->failed < n_points(session)) {
        say_failed(session);
        return VERDICT_MISMATCH;
    }
    return VERDICT_PASS;
}

int cmd_chapter(int argc, char **argv)
{
    struct options options = {.jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN)};
    const struct argp argp = {option_table,
                              parse,
                              "NAME|FILE",
                              "Run an experiment: every scheme on every workload of its file, and "
                              "print the metrics and what becomes of the document's figures.",
                              NULL,
                              NULL,
                              NULL};
    char path[PATH_MAX], error[1024];
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct session session = {.options = &options, .folder = "/tmp/warplock-XXXXXX"};
    struct experiment *experiment = NULL;
    if (find_file(options.name, path, sizeof path, error, sizeof error) != 0 ||
        (experiment = experiment_read(path, error, sizeof error)) == NULL) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    session.experiment = experiment;
    const int status = run_session(&session);
    results_free(&session.results);
    experiment_free(experiment);
    return status;
}
