/* cmd_chapter.c - `warplock chapter NAME`: a document's comparison, run again.
 *
 * Runs every scheme of a chapter on every workload of it, on the chapter's machine,
 * and prints IPC over the baseline beside the document's figures.  Each cell is one
 * `warplock run` in a process of its own; the machine is the same for all. */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "tb/verdict.h"

enum { MAX_WORKLOADS = 16, MAX_SCHEMES = 12 };

/* One column: what is plugged in, and the document's mean of IPC over the baseline
 * (0: not printed there). */
struct scheme {
    const char *title, *mechanisms;
    double claimed;
};
struct chapter {
    const char *name, *config, *about, *claim_source;
    const char *workloads[MAX_WORKLOADS];
    struct scheme schemes[MAX_SCHEMES]; /* the first is the baseline */
    const char *remark;
};

static const struct chapter chapters[] = {
    {"wang2015-fup", "wang2015-fup", "set indexing of the L1D, associativity-sensitive group",
     "wang2015 5.2 (its 3.3.2), geometric mean of six",
     {"atax", "bicg", "mvt", "gesummv", "syrk", "syr2k"},
     {{"CONV", "conv", 1.0}, {"BXOR", "bxor", 3.21}, {"pDisp", "pdisp", 3.70},
      {"Fermi", "rxi", 0}, {"FUP20", "fup20", 4.36}, {"FUP28", "fup28", 4.36}},
     "Sizes are cut (wang2015 D-WL-1), so the matrices' second, coherent kernels weigh less than "
     "in the document."},
};
enum { N_CHAPTERS = sizeof chapters / sizeof *chapters };

struct options {
    const struct chapter *chapter;
    const char *size;
    uint64_t jobs;
    bool json;
};

static const struct argp_option option_table[] = {
    {"size", 's', "SIZE", 0, "of every workload (standard: small)", 0},
    {"jobs", 'J', "N", 0, "runs at a time (standard: one per core)", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 's':
        options->size = arg;
        return 0;
    case 'J':
        options->jobs = cli_number("jobs", arg, 1, 256, state);
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        for (size_t i = 0; i < N_CHAPTERS; i++) {
            if (strcmp(arg, chapters[i].name) == 0) {
                options->chapter = &chapters[i];
                return 0;
            }
        }
        argp_error(state, "no chapter '%s'; there is: %s", arg, chapters[0].name);
        return EINVAL;
    case ARGP_KEY_END:
        if (options->chapter == NULL) {
            argp_error(state, "name a chapter: %s", chapters[0].name);
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* All cells of a chapter. */
struct table {
    const struct options *options;
    char folder[64];
    size_t n_workloads, n_schemes;
    double ipc[MAX_WORKLOADS][MAX_SCHEMES]; /* 0: the run failed */
};

static void cell_path(const struct table *table, size_t cell, char *path, size_t n)
{
    snprintf(path, n, "%s/%zu.json", table->folder, cell);
}

static pid_t start(const struct table *table, size_t cell)
{
    const struct chapter *chapter = table->options->chapter;
    char path[128];
    cell_path(table, cell, path, sizeof path);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL) {
            execl("/proc/self/exe", "warplock", "run", "-w",
                  chapter->workloads[cell / table->n_schemes], "--size", table->options->size,
                  "-c", chapter->config, "-m",
                  chapter->schemes[cell % table->n_schemes].mechanisms, "--json", path,
                  (char *)NULL);
        }
        _exit(VERDICT_BUILD);
    }
    return child;
}

static void run_cells(struct table *table)
{
    const size_t cells = table->n_workloads * table->n_schemes;
    size_t started = 0, running = 0;
    while (started < cells || running > 0) {
        if (started < cells && running < table->options->jobs) {
            running += start(table, started++) > 0;
            if (isatty(2)) {
                fprintf(stderr, "\r%zu of %zu runs started", started, cells);
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

static void read_cells(struct table *table)
{
    for (size_t cell = 0; cell < table->n_workloads * table->n_schemes; cell++) {
        char path[128];
        json_error_t error;
        cell_path(table, cell, path, sizeof path);
        json_t *root = json_load_file(path, 0, &error);
        const json_t *ipc = json_object_get(
            json_object_get(json_object_get(root, "statistics"), "derived"), "ipc");
        const char *verdict = json_string_value(json_object_get(root, "verdict"));
        if (verdict != NULL && strcmp(verdict, "PASS") == 0) {
            table->ipc[cell / table->n_schemes][cell % table->n_schemes] = json_number_value(ipc);
        }
        json_decref(root);
        unlink(path);
    }
}

/* Geometric mean of a scheme's IPC over the baseline; 0 when a run is missing. */
static double mean_ratio(const struct table *table, size_t scheme)
{
    double sum = 0;
    for (size_t w = 0; w < table->n_workloads; w++) {
        if (!(table->ipc[w][scheme] > 0) || !(table->ipc[w][0] > 0)) {
            return 0;
        }
        sum += log(table->ipc[w][scheme] / table->ipc[w][0]);
    }
    return exp(sum / (double)table->n_workloads);
}

static void print_ratio(double ratio)
{
    if (ratio > 0) {
        printf(" %9.2fx", ratio);
    } else {
        printf(" %10s", "-");
    }
}

static void print_text(const struct table *table)
{
    const struct chapter *chapter = table->options->chapter;
    printf("%s: %s\nIPC over %s, machine %s, size %s\n\n%-12s %10s", chapter->name, chapter->about,
           chapter->schemes[0].title, chapter->config, table->options->size, "", "IPC");
    for (size_t s = 1; s < table->n_schemes; s++) {
        printf(" %10s", chapter->schemes[s].title);
    }
    for (size_t w = 0; w < table->n_workloads; w++) {
        printf("\n%-12s %10.3f", chapter->workloads[w], table->ipc[w][0]);
        for (size_t s = 1; s < table->n_schemes; s++) {
            print_ratio(table->ipc[w][0] > 0 ? table->ipc[w][s] / table->ipc[w][0] : 0);
        }
    }
    printf("\n%-12s %10s", "mean", "");
    for (size_t s = 1; s < table->n_schemes; s++) {
        print_ratio(mean_ratio(table, s));
    }
    printf("\n%-12s %10s", "document", "");
    for (size_t s = 1; s < table->n_schemes; s++) {
        print_ratio(chapter->schemes[s].claimed);
    }
    printf("\n\ndocument: %s\n%s\n", chapter->claim_source, chapter->remark);
}

static void print_json(const struct table *table)
{
    const struct chapter *chapter = table->options->chapter;
    json_t *rows = json_object(), *means = json_object(), *claims = json_object();
    for (size_t w = 0; w < table->n_workloads; w++) {
        json_t *row = json_object();
        for (size_t s = 0; s < table->n_schemes; s++) {
            json_object_set_new(row, chapter->schemes[s].mechanisms, json_real(table->ipc[w][s]));
        }
        json_object_set_new(rows, chapter->workloads[w], row);
    }
    for (size_t s = 1; s < table->n_schemes; s++) {
        json_object_set_new(means, chapter->schemes[s].mechanisms, json_real(mean_ratio(table, s)));
        if (chapter->schemes[s].claimed > 0) {
            json_object_set_new(claims, chapter->schemes[s].mechanisms,
                                json_real(chapter->schemes[s].claimed));
        }
    }
    cli_print_json(json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "chapter", chapter->name, "config",
                             chapter->config, "size", table->options->size, "ipc", rows,
                             "mean_over_baseline", means, "document", claims));
}

int cmd_chapter(int argc, char **argv)
{
    struct options options = {NULL, "small", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), false};
    const struct argp argp = {option_table, parse, "NAME",
                              "Run every scheme of a document's chapter on its workloads and print "
                              "IPC over the baseline beside the document's figures.", NULL, NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct table table = {.options = &options, .folder = "/tmp/warplock-XXXXXX"};
    if (mkdtemp(table.folder) == NULL) {
        fprintf(stderr, "warplock: /tmp: %s; make it writable\n", strerror(errno));
        return VERDICT_LIMIT;
    }
    while (table.n_workloads < MAX_WORKLOADS &&
           options.chapter->workloads[table.n_workloads] != NULL) {
        table.n_workloads++;
    }
    while (table.n_schemes < MAX_SCHEMES && options.chapter->schemes[table.n_schemes].title != NULL) {
        table.n_schemes++;
    }
    run_cells(&table);
    read_cells(&table);
    rmdir(table.folder);
    (options.json ? print_json : print_text)(&table);
    for (size_t cell = 0; cell < table.n_workloads * table.n_schemes; cell++) {
        if (!(table.ipc[cell / table.n_schemes][cell % table.n_schemes] > 0)) {
            fprintf(stderr, "warplock: a run failed; run it alone to see why: warplock run -w %s "
                    "--size %s -c %s -m %s\n", options.chapter->workloads[cell / table.n_schemes],
                    options.size, options.chapter->config,
                    options.chapter->schemes[cell % table.n_schemes].mechanisms);
            return VERDICT_MISMATCH;
        }
    }
    return VERDICT_PASS;
}
