/* cmd_cost.c - `warplock cost UNIT|FAMILY|CLAIM...`: what hardware costs, and what was claimed. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "synth/cost_report.h"

enum { MAX_NAMES = 64 };

struct options {
    const char *names[MAX_NAMES];
    size_t n_names;
    const char *liberty[COST_MAX_LIBRARIES];
    size_t n_liberty;
    struct cli_params params;
    const char *json, *html, *claims;
    double node_nm;
    bool band, forms;
};

static const struct argp_option option_table[] = {
    {"liberty", 'l', "FILE", 0,
     "a Liberty file, or warplock45 (default), sky130, osu018; several times, or all; claims are "
     "judged with the first",
     0},
    {"node", 'n', "NM", 0, "node of SRAM figures in place of the claim's (22 to 90)", 0},
    {"param", 'p', "K=V", 0, "a parameter of the unit; may be given several times", 0},
    {"json", 'j', "FILE", 0, "write JSON, - for standard output", 0},
    {"html", 'h', "FILE", 0, "write a report with bars and schematics", 0},
    {"claims", 'c', "FILE|FOLDER", 0, "other claims than synth/claims", 0},
    {"band", 'b', NULL, 0, "how far area and path depend on the mapping, and what wires add", 0},
    {"forms", 'f', NULL, 0, "judge claims of restructured units as if all took one cycle, too", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'l':
        if (options->n_liberty == COST_MAX_LIBRARIES - 4) {
            argp_error(state, "more than %d libraries", COST_MAX_LIBRARIES - 4);
        }
        options->liberty[options->n_liberty++] = arg;
        return 0;
    case 'n': options->node_nm = (double)cli_number("node", arg, 22, 90, state); return 0;
    case 'p': return cli_add_param(&options->params, arg, state);
    case 'j': options->json = arg; return 0;
    case 'h': options->html = arg; return 0;
    case 'c': options->claims = arg; return 0;
    case 'b': options->band = true; return 0;
    case 'f': options->forms = true; return 0;
    case ARGP_KEY_ARG:
        if (options->n_names == MAX_NAMES) {
            argp_error(state, "more than %d names", MAX_NAMES);
        }
        options->names[options->n_names++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (options->n_names == 0) {
            argp_error(state, "name units, families, claims or all; see `warplock list units`");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* All that one run owns. */
struct session {
    const struct options *options;
    struct library *units;
    struct cost_bench *bench;
    struct cost_sram sram;
    struct cost_claims claims;
    struct cost_judge judge;
    struct cost_report report;
};

static int usage_error(const char *words)
{
    fprintf(stderr, "warplock: %s\n", words);
    return VERDICT_USAGE;
}

static bool unit_known(void *user, const char *unit)
{
    return cost_bench_unit(user, unit) != NULL;
}

static int load_data(struct session *s)
{
    char path[5000], error[1024];
    struct failure failure = {0};
    const char *root = library_root(s->units);
    s->bench = cost_bench_new(s->units, &failure);
    if (s->bench == NULL) {
        cli_print_failure(&failure);
        return (int)failure.verdict;
    }
    cost_bench_tell(s->bench, isatty(STDERR_FILENO) ? stderr : NULL);
    snprintf(path, sizeof path, "%s/synth/data/cacti7_sram.csv", root);
    if (!cost_sram_load(&s->sram, path, error, sizeof error)) {
        return usage_error(error);
    }
    const struct cost_known_units known = {s->bench, unit_known};
    const char *claims = s->options->claims;
    const size_t n = claims != NULL ? strlen(claims) : 0;
    snprintf(path, sizeof path, "%s/synth/claims", root);
    const bool loaded = n > 4 && strcmp(claims + n - 4, ".csv") == 0
                            ? cost_claims_load(&s->claims, claims, &known, error, sizeof error)
                            : cost_claims_load_folder(&s->claims, claims != NULL ? claims : path,
                                                      &known, error, sizeof error);
    return loaded ? VERDICT_PASS : usage_error(error);
}

static int open_library(struct session *s, const char *name)
{
    struct failure failure = {0};
    const struct cost_library *library = cost_bench_library(s->bench, name, &failure);
    if (library == NULL) {
        cli_print_failure(&failure);
        return (int)failure.verdict;
    }
    s->report.libraries[s->report.n_libraries++] = library;
    return VERDICT_PASS;
}

static int open_libraries(struct session *s)
{
    int status = VERDICT_PASS;
    const struct options *o = s->options;
    if (o->n_liberty == 0) {
        status = open_library(s, cost_bench_nth_library(s->bench, 0)->name);
    }
    const size_t n_listed = cost_bench_n_libraries(s->bench);
    for (size_t i = 0; status == VERDICT_PASS && i < o->n_liberty; i++) {
        const bool all = strcmp(o->liberty[i], "all") == 0;
        for (size_t k = 0; status == VERDICT_PASS && k < (all ? n_listed : 1); k++) {
            if (s->report.n_libraries == COST_MAX_LIBRARIES) {
                return usage_error("too many libraries; name each once");
            }
            const struct cost_library *listed = cost_bench_nth_library(s->bench, k);
            if (all && !cost_bench_has_library(s->bench, listed)) {
                fprintf(stderr, "library %s is left out: there is no %s\n", listed->name,
                        listed->source);
                continue;
            }
            status = open_library(s, all ? listed->name : o->liberty[i]);
        }
    }
    return status;
}

/* Is `full` (family/unit) asked for by `name`: itself, its unit, its family, all? */
static bool names_unit(const char *name, const char *full)
{
    const char *slash = strchr(full, '/');
    const size_t n = (size_t)(slash - full);
    return strcmp(name, "all") == 0 || strcmp(name, full) == 0 || strcmp(name, slash + 1) == 0 ||
           (strlen(name) == n && strncmp(name, full, n) == 0);
}

static bool names_claim(const char *name, const struct cost_claim *claim)
{
    const char *slash = strchr(name, '/');
    return strcmp(name, "all") == 0 || strcmp(name, claim->text[CLAIM_ID]) == 0 ||
           strcmp(name, claim->family) == 0 ||
           cost_claim_is_about(claim, slash != NULL ? slash + 1 : name);
}

/* Picks units and claims; USAGE for a name that is neither. */
static int select_parts(struct session *s)
{
    const struct options *o = s->options;
    const size_t n_units = library_n_units(s->units);
    s->report.units = calloc(n_units + 1, sizeof *s->report.units);
    s->report.outcomes = calloc(s->claims.n_claims + 1, sizeof *s->report.outcomes);
    bool found[MAX_NAMES] = {false};
    for (size_t u = 0; s->report.units != NULL && u < n_units; u++) {
        bool take = false;
        for (size_t i = 0; i < o->n_names; i++) {
            const bool hit = names_unit(o->names[i], library_unit(s->units, u));
            found[i] = found[i] || hit;
            take = take || hit;
        }
        if (take) {
            struct cost_unit_report *unit = &s->report.units[s->report.n_units++];
            unit->unit = library_unit(s->units, u);
            unit->set = o->params.text;
        }
    }
    for (size_t c = 0; s->report.outcomes != NULL && c < s->claims.n_claims; c++) {
        bool take = false;
        for (size_t i = 0; i < o->n_names; i++) {
            const bool hit = names_claim(o->names[i], &s->claims.claims[c]);
            found[i] = found[i] || hit;
            take = take || hit;
        }
        if (take) {
            s->report.outcomes[s->report.n_outcomes++].claim = &s->claims.claims[c];
        }
    }
    for (size_t i = 0; i < o->n_names; i++) {
        if (!found[i]) {
            fprintf(stderr,
                    "warplock: '%s' is no unit, family or claim; `warplock list units` "
                    "shows units, synth/claims/*.csv the claims\n",
                    o->names[i]);
            return VERDICT_USAGE;
        }
    }
    if (o->params.text[0] != '\0' && s->report.n_units != 1) {
        return usage_error("--param needs one unit by its name");
    }
    return VERDICT_PASS;
}

/* Measures and judges.  BUILD when something that was asked for could not be measured, MISMATCH
 * when a unit's port table and Yosys count different bits, or its file says otherwise of its clock
 * than its slack. */
static int work(struct session *s)
{
    int status = VERDICT_PASS;
    s->judge = (struct cost_judge){.bench = s->bench,
                                   .sram = &s->sram,
                                   .library = s->report.libraries[0],
                                   .others = s->report.libraries + 1,
                                   .n_others = s->report.n_libraries - 1,
                                   .node_nm = s->options->node_nm};
    s->report.node_nm = s->options->node_nm > 0 ? s->options->node_nm : 45;
    s->report.root = library_root(s->units);
    s->report.banded = s->options->band;
    cost_report_tools(&s->report);
    for (size_t i = 0; i < s->report.n_units; i++) {
        struct cost_unit_report *unit = &s->report.units[i];
        cost_report_measure(&s->report, &s->judge, unit);
        if (unit->trouble[0] != '\0') {
            fprintf(stderr, "warplock: %s: %s\n", unit->unit, unit->trouble);
            status = VERDICT_BUILD;
            continue;
        }
        if (unit->late_wrong != NULL) {
            fprintf(stderr, "warplock: %s %s\n", unit->unit, unit->late_wrong);
        }
        if ((unit->late_wrong != NULL || !cost_counts_agree(unit)) && status == VERDICT_PASS) {
            status = VERDICT_MISMATCH;
        }
    }
    for (size_t i = 0; i < s->report.n_outcomes; i++) {
        struct cost_outcome *o = &s->report.outcomes[i];
        cost_judge(&s->judge, o->claim, o);
        if (s->options->forms) {
            cost_judge_one_cycle(&s->judge, o);
        }
        if ((o->table.asked && !o->table.known) || (o->measured.asked && !o->measured.known)) {
            fprintf(stderr, "warplock: %s: not measured\n", o->claim->text[CLAIM_ID]);
            status = VERDICT_BUILD;
        }
    }
    cost_sram_held_out(&s->sram, &s->report.sram_error);
    return status;
}

static int write_files(const struct session *s)
{
    const struct options *o = s->options;
    char why[600];
    if (o->html != NULL && !cost_report_html(&s->report, o->html, why, sizeof why)) {
        return usage_error(why);
    }
    if (o->json == NULL || strcmp(o->json, "-") != 0) {
        cost_report_text(&s->report, stdout);
    }
    if (o->json == NULL) {
        return VERDICT_PASS;
    }
    json_t *json = cost_report_json(&s->report);
    if (strcmp(o->json, "-") == 0) {
        cli_print_json(json);
        return VERDICT_PASS;
    }
    const bool written = json_dump_file(json, o->json, JSON_INDENT(2)) == 0;
    json_decref(json);
    return written ? VERDICT_PASS : usage_error("the JSON file cannot be written; check its path");
}

int cmd_cost(int argc, char **argv)
{
    struct options options = {0};
    const struct argp argp = {option_table,
                              parse,
                              "UNIT|FAMILY|CLAIM...|all",
                              "Storage, gates, area, delay and leakage of units, and the "
                              "documents' claims recomputed and measured.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct session session = {.options = &options, .units = library_new(NULL)};
    int status = session.units != NULL ? load_data(&session) : VERDICT_LIMIT;
    if (status == VERDICT_PASS) {
        status = open_libraries(&session);
    }
    if (status == VERDICT_PASS) {
        status = select_parts(&session);
    }
    if (status == VERDICT_PASS) {
        const int worked = work(&session);
        status = write_files(&session);
        status = status != VERDICT_PASS ? status : worked;
    }
    free(session.report.units);
    free(session.report.outcomes);
    cost_claims_free(&session.claims);
    cost_sram_free(&session.sram);
    cost_bench_free(session.bench);
    library_free(session.units);
    return status;
}
