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

#include "cli/chapter.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "tb/verdict.h"

struct options {
    const struct chapter *chapter;
    const char *size;
    uint64_t jobs;
    bool json;
};

static const struct argp_option option_table[] = {
    {"size", 's', "SIZE", 0, "of every workload (standard: the chapter's, or small)", 0},
    {"jobs", 'J', "N", 0, "runs at a time (standard: one per core)", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static void chapter_names(char *out, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; chapter_at(i) != NULL && used < n; i++) {
        used += (size_t)snprintf(out + used, n - used, "%s%s", i > 0 ? ", " : "",
                                 chapter_at(i)->name);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    char names[512];
    switch (key) {
    case 's': options->size = arg; return 0;
    case 'J': options->jobs = cli_number("jobs", arg, 1, 256, state); return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        for (size_t i = 0; chapter_at(i) != NULL; i++) {
            if (strcmp(arg, chapter_at(i)->name) == 0) {
                options->chapter = chapter_at(i);
                return 0;
            }
        }
        chapter_names(names, sizeof names);
        argp_error(state, "no chapter '%s'; there is: %s", arg, names);
        return EINVAL;
    case ARGP_KEY_END:
        if (options->chapter == NULL) {
            chapter_names(names, sizeof names);
            argp_error(state, "name a chapter: %s", names);
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* All cells of a chapter. */
struct table {
    const struct options *options;
    char folder[64];
    struct chapter_table result;
};

static const struct scheme *scheme_of(const struct table *table, size_t cell)
{
    return &table->options->chapter->schemes[cell % table->result.n_schemes];
}

struct chapter_name chapter_row(const struct chapter *chapter, size_t w)
{
    struct chapter_name name;
    const char *row = chapter->workloads[w];
    snprintf(name.text, sizeof name.text, "%.*s", (int)strcspn(row, ":"), row);
    return name;
}

static struct chapter_name workload_of(const struct table *table, size_t cell)
{
    return chapter_row(table->options->chapter, cell / table->result.n_schemes);
}

/* The size asked for, or the chapter's for this workload, or small. */
static const char *size_of(const struct table *table, size_t cell)
{
    const char *row = table->options->chapter->workloads[cell / table->result.n_schemes];
    const char *colon = strchr(row, ':');
    const char *standard = colon != NULL ? colon + 1 : "small";
    return table->options->size != NULL ? table->options->size : standard;
}

static struct cell *cell_of(struct table *table, size_t cell)
{
    return &table->result.cell[cell / table->result.n_schemes][cell % table->result.n_schemes];
}

static void cell_path(const struct table *table, size_t cell, char *path, size_t n)
{
    snprintf(path, n, "%s/%zu.json", table->folder, cell);
}

static pid_t start(const struct table *table, size_t cell)
{
    char path[128];
    cell_path(table, cell, path, sizeof path);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL) {
            const struct scheme *scheme = scheme_of(table, cell);
            const struct chapter_name workload = workload_of(table, cell);
            execl("/proc/self/exe", "warplock", "run", "-w", workload.text, "--size",
                  size_of(table, cell), "-c", table->options->chapter->config, "-m",
                  scheme->mechanisms, "--json", path, scheme->set != NULL ? "--set" : NULL,
                  scheme->set, (char *)NULL);
        }
        _exit(VERDICT_BUILD);
    }
    return child;
}

static void run_cells(struct table *table)
{
    const size_t cells = table->result.n_workloads * table->result.n_schemes;
    size_t started = 0, running = 0;
    while (started < cells || running > 0) {
        if (started < cells && scheme_of(table, started)->best_of != NULL) {
            started++;
        } else if (started < cells && running < table->options->jobs) {
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

double chapter_number(const json_t *root, const char *path)
{
    while (path != NULL && root != NULL) {
        char key[64];
        const char *slash = strchr(path, '/');
        const int length = slash != NULL ? (int)(slash - path) : (int)strlen(path);
        snprintf(key, sizeof key, "%.*s", length, path);
        root = json_object_get(root, key);
        path = slash != NULL ? slash + 1 : NULL;
    }
    return json_number_value(root);
}

static double share_at(const json_t *root, const char *path, double whole)
{
    return whole > 0 ? chapter_number(root, path) / whole : 0;
}

static double requests_sent(const json_t *root)
{
    const json_t *kind;
    const char *key;
    double sum = 0;
    json_t *network = json_object_get(json_object_get(root, "statistics"), "request_network");
    json_object_foreach(network, key, kind)
    {
        sum += chapter_number(kind, "messages");
    }
    return sum;
}

/* Is the run good?  A baseline without coherence may compute wrong values. */
static bool counts(const struct table *table, size_t cell, const char *verdict)
{
    const bool wrong_values = chapter_is_race(table->options->chapter) &&
                              cell % table->result.n_schemes == 0;
    return verdict != NULL &&
           (strcmp(verdict, "PASS") == 0 || (wrong_values && strcmp(verdict, "MISMATCH") == 0));
}

static void read_cells(struct table *table)
{
    for (size_t at = 0; at < table->result.n_workloads * table->result.n_schemes; at++) {
        struct cell *cell = cell_of(table, at);
        char path[128];
        json_error_t error;
        cell_path(table, at, path, sizeof path);
        json_t *root = json_load_file(path, 0, &error);
        const char *verdict = json_string_value(json_object_get(root, "verdict"));
        if (counts(table, at, verdict)) {
            cell->ipc = chapter_number(root, "statistics/derived/ipc");
            cell->coverage = chapter_number(root, "mechanisms/prefetch/coverage");
            cell->accuracy = chapter_number(root, "mechanisms/prefetch/accuracy");
            cell->late = chapter_number(root, "mechanisms/prefetch/late_ratio");
            cell->early = chapter_number(root, "mechanisms/prefetch/early_ratio");
            const double issued = chapter_number(root, "statistics/sm_total/prefetch_issued");
            cell->issued = issued;
            cell->stale = share_at(root, "mechanisms/prefetch/unused_stale", issued);
            cell->gone = share_at(root, "mechanisms/prefetch/unused_early", issued);
            cell->wrong = share_at(root, "mechanisms/prefetch/unused_wrong", issued);
            cell->distance = chapter_number(root, "mechanisms/prefetch/distance_cycles");
            cell->requests = requests_sent(root);
            cell->dram_reads = chapter_number(root, "statistics/dram/read_bytes");
            chapter_memory_read(cell, json_object_get(root, "statistics"));
            chapter_coherence_read(root, &cell->coherence);
            chapter_race_read(root, &cell->race);
        }
        json_decref(root);
        unlink(path);
    }
}

/* Geometric mean of a scheme's IPC over the baseline; 0 when a run is missing. */
static double mean_ratio(const struct table *table, size_t scheme)
{
    double sum = 0;
    for (size_t w = 0; w < table->result.n_workloads; w++) {
        if (!(table->result.cell[w][scheme].ipc > 0) || !(table->result.cell[w][0].ipc > 0)) {
            return 0;
        }
        sum += log(table->result.cell[w][scheme].ipc / table->result.cell[w][0].ipc);
    }
    return exp(sum / (double)table->result.n_workloads);
}

static void print_ratio(double ratio)
{
    if (ratio > 0) {
        printf(" %9.2fx", ratio);
    } else {
        printf(" %10s", "-");
    }
}

static const char *size_words(const struct table *table)
{
    bool named = false;
    for (size_t w = 0; w < table->result.n_workloads; w++) {
        named |= strchr(table->options->chapter->workloads[w], ':') != NULL;
    }
    return table->options->size != NULL ? table->options->size : named ? "by workload" : "small";
}

/* The rows that are not small. */
static void print_sizes(const struct table *table)
{
    const char *const *rows = table->options->chapter->workloads;
    if (strcmp(size_words(table), "by workload") != 0) {
        return;
    }
    printf("\nsizes:");
    for (size_t w = 0; w < table->result.n_workloads; w++) {
        if (strchr(rows[w], ':') != NULL) {
            printf(" %s;", rows[w]);
        }
    }
    puts(" others small");
}

static void print_text(const struct table *table)
{
    const struct chapter *chapter = table->options->chapter;
    if (chapter_is_coherence(chapter)) {
        chapter_coherence_text(&table->result);
        return;
    }
    if (chapter_is_race(chapter)) {
        chapter_race_text(&table->result);
        return;
    }
    printf("%s: %s\nIPC over %s, machine %s, size %s\n\n%-12s %10s", chapter->name, chapter->about,
           chapter->schemes[0].title, chapter->config, size_words(table), "", "IPC");
    for (size_t s = 1; s < table->result.n_schemes; s++) {
        printf(" %10s", chapter->schemes[s].title);
    }
    for (size_t w = 0; w < table->result.n_workloads; w++) {
        printf("\n%-12s %10.3f", chapter_row(chapter, w).text, table->result.cell[w][0].ipc);
        for (size_t s = 1; s < table->result.n_schemes; s++) {
            const struct cell *row = table->result.cell[w];
            print_ratio(row[0].ipc > 0 ? row[s].ipc / row[0].ipc : 0);
        }
    }
    printf("\n%-12s %10s", "mean", "");
    for (size_t s = 1; s < table->result.n_schemes; s++) {
        print_ratio(mean_ratio(table, s));
    }
    printf("\n%-12s %10s", "document", "");
    for (size_t s = 1; s < table->result.n_schemes; s++) {
        print_ratio(chapter->schemes[s].claimed);
    }
    putchar('\n');
    if (chapter->prefetch) {
        chapter_prefetch_text(&table->result);
    }
    chapter_best_text(&table->result);
    if (chapter_memory_wanted(chapter)) {
        chapter_memory_text(&table->result);
    }
    print_sizes(table);
    printf("\ndocument: %s\n%s\n", chapter->claim_source, chapter->remark);
}

/* Schemes that differ only in a configuration key go by their titles. */
static const char *scheme_key(const struct chapter *chapter, size_t s)
{
    const struct scheme *scheme = &chapter->schemes[s];
    return scheme->set != NULL || scheme->best_of != NULL ? scheme->title : scheme->mechanisms;
}

static void print_json(const struct table *table)
{
    const struct chapter *chapter = table->options->chapter;
    json_t *rows = json_object(), *means = json_object(), *claims = json_object();
    for (size_t w = 0; w < table->result.n_workloads; w++) {
        json_t *row = json_object();
        for (size_t s = 0; s < table->result.n_schemes; s++) {
            json_object_set_new(row, scheme_key(chapter, s),
                                json_real(table->result.cell[w][s].ipc));
        }
        json_object_set_new(rows, chapter_row(chapter, w).text, row);
    }
    for (size_t s = 1; s < table->result.n_schemes; s++) {
        json_object_set_new(means, scheme_key(chapter, s), json_real(mean_ratio(table, s)));
        if (chapter->schemes[s].claimed > 0) {
            json_object_set_new(claims, scheme_key(chapter, s),
                                json_real(chapter->schemes[s].claimed));
        }
    }
    json_t *root = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "chapter", chapter->name, "config",
                             chapter->config, "size", size_words(table), "ipc", rows,
                             "mean_over_baseline", means, "document", claims);
    if (chapter->prefetch) {
        json_object_set_new(root, "prefetch", chapter_prefetch_json(&table->result));
    }
    if (chapter_memory_wanted(chapter)) {
        json_object_set_new(root, "memory", chapter_memory_json(&table->result));
    }
    if (chapter_is_race(chapter)) {
        json_object_set_new(root, "race", chapter_race_json(&table->result));
    }
    if (chapter_is_coherence(chapter)) {
        json_object_set_new(root, "coherence", chapter_coherence_json(&table->result));
    }
    cli_print_json(root);
}

int cmd_chapter(int argc, char **argv)
{
    struct options options = {NULL, NULL, (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), false};
    const struct argp argp = {option_table,
                              parse,
                              "NAME",
                              "Run every scheme of a document's chapter on its workloads and print "
                              "IPC over the baseline beside the document's figures.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct table table = {.options = &options,
                          .folder = "/tmp/warplock-XXXXXX",
                          .result = {.chapter = options.chapter}};
    if (mkdtemp(table.folder) == NULL) {
        fprintf(stderr, "warplock: /tmp: %s; make it writable\n", strerror(errno));
        return VERDICT_LIMIT;
    }
    while (table.result.n_workloads < CHAPTER_WORKLOADS &&
           options.chapter->workloads[table.result.n_workloads] != NULL) {
        table.result.n_workloads++;
    }
    while (table.result.n_schemes < CHAPTER_SCHEMES &&
           options.chapter->schemes[table.result.n_schemes].title != NULL) {
        table.result.n_schemes++;
    }
    run_cells(&table);
    read_cells(&table);
    chapter_take_best(&table.result);
    rmdir(table.folder);
    (options.json ? print_json : print_text)(&table);
    for (size_t cell = 0; cell < table.result.n_workloads * table.result.n_schemes; cell++) {
        if (!(cell_of(&table, cell)->ipc > 0) && scheme_of(&table, cell)->best_of == NULL) {
            const struct scheme *scheme = scheme_of(&table, cell);
            fprintf(stderr,
                    "warplock: a run failed; run it alone to see why: warplock run -w %s "
                    "--size %s -c %s -m %s%s%s\n",
                    workload_of(&table, cell).text, size_of(&table, cell), options.chapter->config,
                    scheme->mechanisms, scheme->set != NULL ? " --set " : "",
                    scheme->set != NULL ? scheme->set : "");
            return VERDICT_MISMATCH;
        }
    }
    return VERDICT_PASS;
}
