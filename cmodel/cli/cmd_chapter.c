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

/* The benchmarks of CAPS Table IV, in its order: CP LPS BPR HSP MRQ STE CNV HST JC1 FFT SCN
 * MM PVR CCL BFS KM.  PageViewRank's place is taken by the inverted index over the same kind
 * of text records. */
#define CAPS_WORKLOADS \
    {"cp", "laplace3d", "backprop", "hotspot", "mriq", "stencil3d", "convsep", "histogram", \
     "jacobi1d", "fft", "scan", "gemm", "invindex", "components", "bfs", "kmeans"}
#define CAPS_REMARK \
    "Inputs and grid sizes are this project's; the document gives none (caps-prefetch Q14)."
#define SCHEME(title_, mechanisms_, claimed_) \
    {.title = title_, .mechanisms = mechanisms_, .claimed = claimed_}
#define SCHEME_OF(title_, mechanisms_, claimed_, ...) \
    {.title = title_, .mechanisms = mechanisms_, .claimed = claimed_, .prefetch = {__VA_ARGS__}}
#define WITH_CTAS(title_, mechanisms_, ctas) \
    {.title = title_ " " #ctas, .mechanisms = mechanisms_, .set = "sm.ctas=" #ctas}
#define CTA_SWEEP(title, mechanism) \
    WITH_CTAS(title, mechanism, 1), WITH_CTAS(title, mechanism, 2), \
    WITH_CTAS(title, mechanism, 4), WITH_CTAS(title, mechanism, 8), \
    WITH_CTAS(title, mechanism, 16)

/* Table 2 of the ACI/IACM/BLPP dissertation, in its order: HS NW BLK CONV FWT 2DC 2MM SRAD SC
 * BFS KM II SPMV ATAX GSM SYRK BP BT NN OP. */
#define ACI_WORKLOADS \
    {"hotspot", "nw", "blackscholes", "convsep", "fwt", "conv2d", "mm2", "srad", \
     "streamcluster", "bfs", "kmeans", "invindex", "spmv", "atax", "gesummv", "syrk", \
     "backprop", "btree", "nn", "montecarlo"}
#define ACI_REMARK \
    "The document gives no inputs but ATAX's width, and runs longer kernels: adaptation (ADI), " \
    "which takes 6K accesses a bit, weighs more here; ADI 64 adapts with periods of 64, 64 and 4."
/* The index takes `extra` cycles more: the LD/ST latency is `total` instead of 1. */
#define MORE_LATENCY(extra, total, claimed_) \
    {.title = "+" #extra, .mechanisms = "pli", .claimed = claimed_, .set = "ldst.latency=" #total}

/* The divergent benchmarks of wang2015 Tables 4.2 and 5.2 in their order; no workload here is
 * PVC. */
#define WANG_DIVERGENT \
    "atax", "bicg", "mvt", "gesummv", "syrk", "syr2k", "kmeans", "streamcluster", "bfs", "spmv", \
    "invindex"
#define WANG_DACACHE_REMARK \
    "Not reproduced: the size of the gain, RRIP's last place, bypass ahead of Uncon and Stall.  " \
    "With 32 KB between lanes the Fermi hash uses 8 of 32 sets, so that two warps' loads fill " \
    "them, where Eq 4.1 expects one line a set and warp.  Runs are cut, PVC is left out."
#define WANG_OAWS_REMARK \
    "Not reproduced: SWL-Best below OAWS-Dyn, and CCWS so low.  Runs are cut (wang2015 D-WL-1): " \
    "ATAX, BICG and MVT keep little of the coherent kernels that a limit of one warp hurts.  " \
    "MASCAR is not modelled: it needs a re-execution queue inside the LD/ST unit."

static const struct chapter chapters[] = {
    {"wang2015-fup", "wang2015-fup", "set indexing of the L1D, associativity-sensitive group",
     "wang2015 5.2 (its 3.3.2), geometric mean of six",
     {"atax", "bicg", "mvt", "gesummv", "syrk", "syr2k"},
     {SCHEME("CONV", "conv", 1.0), SCHEME("BXOR", "bxor", 3.21),
      SCHEME("pDisp", "pdisp", 3.70), SCHEME("Fermi", "rxi", 0),
      SCHEME("FUP20", "fup20", 4.36), SCHEME("FUP28", "fup28", 4.36)},
     "Sizes are cut (wang2015 D-WL-1), so the matrices' second, coherent kernels weigh less than "
     "in the document.", false},
    {"wang2015-dacache", "wang2015-dacache", "management of the L1D, divergent group",
     "wang2015 5.3 (its 4.3.1), mean of twelve", {WANG_DIVERGENT},
     {SCHEME("LRU", "", 1.0), SCHEME("RRIP", "rrip", 1.0), SCHEME("DIP", "dip", 1.124),
      SCHEME("Uncon", "dacache-uncon", 1.259), SCHEME("Stall", "dacache-stall", 1.256),
      SCHEME("DaCache", "dacache", 1.404)},
     WANG_DACACHE_REMARK, false},
    {"wang2015-partition", "wang2015-dacache", "fixed partitions of DaCache, divergent group",
     "wang2015 5.3 (its 4.3.4-4.3.6): Static, then + Stall and + Bypass over it, mean of twelve",
     {WANG_DIVERGENT},
     {SCHEME("LRU", "", 1.0), SCHEME("Static0", "dacache-static0-uncon", .999),
      SCHEME("Static1", "dacache-static1-uncon", 1.23),
      SCHEME("Static2", "dacache-static2-uncon", 1.247),
      SCHEME("Static3", "dacache-static3-uncon", 1.219),
      SCHEME("S0+Stall", "dacache-static0-stall", .956),
      SCHEME("S1+Stall", "dacache-static1-stall", 1.188),
      SCHEME("S2+Stall", "dacache-static2-stall", 1.247),
      SCHEME("S3+Stall", "dacache-static3-stall", 1.135),
      SCHEME("S0+Bypass", "dacache-static0", 1.005),
      SCHEME("S1+Bypass", "dacache-static1", 1.169),
      SCHEME("S2+Bypass", "dacache-static2", 1.407),
      SCHEME("S3+Bypass", "dacache-static3", 1.358)},
     WANG_DACACHE_REMARK, false},
    {"wang2015-promotion", "wang2015-dacache", "promotion granularity of DaCache, divergent group",
     "wang2015 5.3 (its 4.3.7), mean of twelve; only 1 and 4 are printed", {WANG_DIVERGENT},
     {SCHEME("LRU", "", 1.0), SCHEME("Promo1", "dacache-promo1", 1.371),
      SCHEME("Promo2", "dacache-promo2", 0), SCHEME("Promo3", "dacache-promo3", 0),
      SCHEME("Promo4", "dacache", 1.404), SCHEME("Promo5", "dacache-promo5", 0),
      SCHEME("MRU", "dacache-promo-mru", 0)},
     WANG_DACACHE_REMARK, false},
    {"wang2015-oaws", "wang2015-oaws", "warp scheduling against memory occlusion, divergent group",
     "wang2015 5.4 (its 5.5.2), mean of twelve; SWL-Best is the best limit of each row: 1.60",
     {WANG_DIVERGENT, "pfilter"},
     {SCHEME("GTO", "", 1.0), SCHEME("CCWS", "ccws", 1.104), SCHEME("SWL 1", "swl-1", 0),
      SCHEME("SWL 2", "swl-2", 0), SCHEME("SWL 3", "swl-3", 0), SCHEME("SWL 4", "swl-4", 0),
      SCHEME("Static", "oaws-static", 1.353), SCHEME("FCW-Only", "fcw-only", 1.72),
      SCHEME("OAWS-Dyn", "oaws-dyn", 1.74)},
     WANG_OAWS_REMARK, false},
    {"wang2015-smr", "wang2015-oaws", "static miss rate of OAWS-Static",
     "wang2015 5.4 (its 5.5.6, Fig. 5.9): five benchmarks, not named; peak at 50 %, stable 35-90 %",
     {"atax", "gesummv", "kmeans", "bfs", "invindex"},
     {SCHEME("0 %", "oaws-static-0", 1.0), SCHEME("10 %", "oaws-static-10", 0),
      SCHEME("20 %", "oaws-static-20", 0), SCHEME("30 %", "oaws-static-30", 0),
      SCHEME("40 %", "oaws-static-40", 0), SCHEME("50 %", "oaws-static", 1.353),
      SCHEME("60 %", "oaws-static-60", 0), SCHEME("70 %", "oaws-static-70", 0),
      SCHEME("80 %", "oaws-static-80", 0), SCHEME("90 %", "oaws-static-90", 0),
      SCHEME("100 %", "oaws-static-100", 0)},
     WANG_OAWS_REMARK, false},
    {"caps", "caps", "CTA-aware prefetching against the compared prefetchers, all workloads",
     "CAPS VI-B, VI-C, VI-D, VI-E, means of its 16 benchmarks (their inputs are not given)",
     CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0), SCHEME("INTRA", "intra", 0),
      SCHEME("INTER", "inter", 0), SCHEME("INTER8", "inter-8", 0),
      SCHEME("MTA", "mta", 0), SCHEME("NLP", "nlp", 0),
      SCHEME("LAP", "lap", 1.01), SCHEME("ORCH", "orch", 1.01),
      SCHEME_OF("CAPS", "caps", 1.08, .18, .97, .0091, 172.7, 1.03)},
     CAPS_REMARK, true},
    {"caps-timeliness", "caps", "eager wake-up and host schedulers (Fig. 14)",
     "CAPS VI-E, means of its 16 benchmarks", CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0), SCHEME("RR", "rr", 0),
      SCHEME_OF("CAP+RR", "caps-rr", 0, 0, 0, 0, 64.3, 0),
      SCHEME_OF("CAP+TL", "caps-tl", 0, 0, 0, 0, 145.0, 0),
      SCHEME_OF("noWAKE", "caps-nowake", 0, 0, 0, .0116, 0, 0),
      SCHEME_OF("CAPS", "caps", 1.08, .18, .97, .0091, 172.7, 1.03)},
     CAPS_REMARK, true},
    {"caps-ctas", "caps", "concurrent CTAs of an SM, all over BASE with 8 (Fig. 11)",
     "CAPS VI-B: a chart only; at 1 CTA all are below BASE with 8 and CAPS adds nothing",
     CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0),
      CTA_SWEEP("BASE", "tl"), CTA_SWEEP("INTRA", "intra"), CTA_SWEEP("MTA", "mta"),
      CTA_SWEEP("CAPS", "caps-flush")},
     CAPS_REMARK " Strides go with the CTA that taught them (D5).", true},
    {"caps-entries", "caps", "entries of PerCTA and DIST (D15, Q17)",
     "CAPS V-B: replacement did not matter, 2 to 4 targeted loads are usual", CAPS_WORKLOADS,
     {SCHEME("BASE", "tl", 1.0), SCHEME("CAPS 2", "caps-2", 0),
      SCHEME_OF("CAPS 4", "caps", 1.08, .18, .97, .0091, 172.7, 1.03),
      SCHEME("CAPS 8", "caps-8", 0), SCHEME("CAPS 16", "caps-16", 0)},
     CAPS_REMARK, true},
    {"aci", "aci", "set indexing of the L1D, conventional indexing at the L2",
     "ACI/IACM/BLPP dissertation 3.4.2, geometric mean of 20", ACI_WORKLOADS,
     {SCHEME("CVI", "conv", 1.0), SCHEME("BXI", "bxor", 1.402), SCHEME("RXI", "rxi", 1.398),
      SCHEME("PLI", "pli", 1.470), SCHEME("PRI", "pmod", 1.458), SCHEME("ADI", "adi", 1.423),
      SCHEME("ADI 64", "adi-small", 0)},
     ACI_REMARK, false},
    {"aci-l2", "aci", "the same set indexing at the L1D and in every L2 bank",
     "ACI/IACM/BLPP dissertation 3.4.3, mean of 20", ACI_WORKLOADS,
     {SCHEME("CVI", "conv,l2-conv", 1.0), SCHEME("BXI", "bxor,l2-bxor", 1.571),
      SCHEME("PLI", "pli,l2-pli", 1.699), SCHEME("PRI", "pmod,l2-pmod", 1.657),
      SCHEME("ADI", "adi,l2-adi", 1.598), SCHEME("ADI 64", "adi-small,l2-adi-small", 0)},
     ACI_REMARK, false},
    {"aci-latency", "aci", "PLI at the L1D, with more cycles before every access",
     "ACI/IACM/BLPP dissertation 3.4.4, Fig. 20, mean of 20", ACI_WORKLOADS,
     {SCHEME("PLI", "pli", 1.0), MORE_LATENCY(1, 2, .991), MORE_LATENCY(2, 3, .987),
      MORE_LATENCY(3, 4, .972), MORE_LATENCY(4, 5, .943)},
     "The document gives no inputs but ATAX's width.", false},
};
enum { N_CHAPTERS = sizeof chapters / sizeof *chapters };

/* All chapters, those of coherence last; NULL past the end. */
static const struct chapter *chapter_at(size_t i)
{
    return i < N_CHAPTERS ? &chapters[i] : chapter_coherence_at(i - N_CHAPTERS);
}

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
    default:
        return ARGP_ERR_UNKNOWN;
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

static const char *workload_of(const struct table *table, size_t cell)
{
    return table->options->chapter->workloads[cell / table->result.n_schemes];
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
            execl("/proc/self/exe", "warplock", "run", "-w", workload_of(table, cell), "--size",
                  table->options->size, "-c", table->options->chapter->config, "-m",
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

static double requests_sent(const json_t *root)
{
    const json_t *kind;
    const char *key;
    double sum = 0;
    json_t *network = json_object_get(json_object_get(root, "statistics"), "request_network");
    json_object_foreach(network, key, kind) {
        sum += chapter_number(kind, "messages");
    }
    return sum;
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
        if (verdict != NULL && strcmp(verdict, "PASS") == 0) {
            cell->ipc = chapter_number(root, "statistics/derived/ipc");
            cell->coverage = chapter_number(root, "mechanisms/prefetch/coverage");
            cell->accuracy = chapter_number(root, "mechanisms/prefetch/accuracy");
            cell->late = chapter_number(root, "mechanisms/prefetch/late_ratio");
            cell->early = chapter_number(root, "mechanisms/prefetch/early_ratio");
            cell->distance = chapter_number(root, "mechanisms/prefetch/distance_cycles");
            cell->requests = requests_sent(root);
            cell->dram_reads = chapter_number(root, "statistics/dram/read_bytes");
            chapter_coherence_read(root, &cell->coherence);
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

static void print_text(const struct table *table)
{
    const struct chapter *chapter = table->options->chapter;
    if (chapter_is_coherence(chapter)) {
        chapter_coherence_text(&table->result);
        return;
    }
    printf("%s: %s\nIPC over %s, machine %s, size %s\n\n%-12s %10s", chapter->name, chapter->about,
           chapter->schemes[0].title, chapter->config, table->options->size, "", "IPC");
    for (size_t s = 1; s < table->result.n_schemes; s++) {
        printf(" %10s", chapter->schemes[s].title);
    }
    for (size_t w = 0; w < table->result.n_workloads; w++) {
        printf("\n%-12s %10.3f", chapter->workloads[w], table->result.cell[w][0].ipc);
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
    printf("\ndocument: %s\n%s\n", chapter->claim_source, chapter->remark);
}

/* Schemes that differ only in a configuration key go by their titles. */
static const char *scheme_key(const struct chapter *chapter, size_t s)
{
    const struct scheme *scheme = &chapter->schemes[s];
    return scheme->set != NULL ? scheme->title : scheme->mechanisms;
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
        json_object_set_new(rows, chapter->workloads[w], row);
    }
    for (size_t s = 1; s < table->result.n_schemes; s++) {
        json_object_set_new(means, scheme_key(chapter, s), json_real(mean_ratio(table, s)));
        if (chapter->schemes[s].claimed > 0) {
            json_object_set_new(claims, scheme_key(chapter, s),
                                json_real(chapter->schemes[s].claimed));
        }
    }
    json_t *root = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "chapter", chapter->name, "config",
                             chapter->config, "size", table->options->size, "ipc", rows,
                             "mean_over_baseline", means, "document", claims);
    if (chapter->prefetch) {
        json_object_set_new(root, "prefetch", chapter_prefetch_json(&table->result));
    }
    if (chapter_is_coherence(chapter)) {
        json_object_set_new(root, "coherence", chapter_coherence_json(&table->result));
    }
    cli_print_json(root);
}

int cmd_chapter(int argc, char **argv)
{
    struct options options = {NULL, "small", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), false};
    const struct argp argp = {option_table, parse, "NAME",
                              "Run every scheme of a document's chapter on its workloads and print "
                              "IPC over the baseline beside the document's figures.", NULL, NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct table table = {.options = &options, .folder = "/tmp/warplock-XXXXXX",
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
    rmdir(table.folder);
    (options.json ? print_json : print_text)(&table);
    for (size_t cell = 0; cell < table.result.n_workloads * table.result.n_schemes; cell++) {
        if (!(cell_of(&table, cell)->ipc > 0)) {
            const struct scheme *scheme = scheme_of(&table, cell);
            fprintf(stderr, "warplock: a run failed; run it alone to see why: warplock run -w %s "
                    "--size %s -c %s -m %s%s%s\n", workload_of(&table, cell), options.size,
                    options.chapter->config, scheme->mechanisms,
                    scheme->set != NULL ? " --set " : "", scheme->set != NULL ? scheme->set : "");
            return VERDICT_MISMATCH;
        }
    }
    return VERDICT_PASS;
}
