/* cmd_check.c - `warplock check UNIT`: vectors, then random steps, on a backend. */
#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "tb/check_open.h"
#include "tb/report.h"

enum { OPTION_WINDOW = 1000, WAVE_STEPS = 2000 };

struct options {
    struct check_options check;
    struct cli_params params;
    bool json, holes;
};

static const struct argp_option option_table[] = {
    {"backend", 'b', "B", 0,
     "c, rtl, netlist, cxxrtl, golden, lockstep (= c+rtl, standard) or a pair A+B", 0},
    {"steps", 'n', "N", 0, "random steps after the vectors (standard 1000000)", 0},
    {"seed", 's', "N", 0, "seed of the random steps (standard 1)", 0},
    {"param", 'p', "K=V", 0, "a parameter; may be given several times", 0},
    {"wave", 'w', "FILE", 0, "write an FST waveform: of the difference, else of the random steps",
     0},
    {"wave-window", OPTION_WINDOW, "FROM:TO", 0, "of these steps (standard 0:1999)", 0},
    {"holes", 'H', NULL, 0, "list every point that was not covered", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'b': options->check.form = arg; return 0;
    case 'n':
        options->check.steps = cli_number("steps", arg, 0, UINT64_C(1) << 50, state);
        return 0;
    case 's': options->check.seed = cli_number("seed", arg, 0, UINT64_MAX, state); return 0;
    case 'p': return cli_add_param(&options->params, arg, state);
    case 'w': options->check.wave.path = arg; return 0;
    case OPTION_WINDOW:
        options->check.wave.window = cli_window("wave-window", arg, state);
        return 0;
    case 'H': options->holes = true; return 0;
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->check.unit != NULL) {
            argp_error(state, "one unit at a time, '%s' is the second", arg);
        }
        options->check.unit = arg;
        return 0;
    case ARGP_KEY_END:
        if (options->check.unit == NULL) {
            argp_error(state, "name a unit; `warplock list units` shows all");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static double steps_per_second(const struct check_result *result)
{
    return result->seconds > 0 ? (double)result->steps / result->seconds : 0;
}

/* "OPEN" for a check that found no difference, but did not reach all that it must. */
static const char *word_of(const struct check_result *result, const struct check_open *open)
{
    return result->failure.verdict == VERDICT_PASS && json_array_size(open->faults) > 0
               ? "OPEN"
               : verdict_word(result->failure.verdict);
}

static void print_open(const struct check_open *open)
{
    size_t i;
    json_t *one;
    json_array_foreach(open->faults, i, one)
    {
        printf("  open: %s\n", json_string_value(one));
    }
    json_array_foreach(open->few, i, one)
    {
        printf("  open, %s: %s\n", open->why_few, json_string_value(one));
    }
}

static void print_coverage(const struct check_result *result, bool all_holes)
{
    struct coverage_totals totals;
    coverage_totals(result->coverage, &totals);
    printf("coverage ");
    for (int kind = 0; kind < COVERAGE_KINDS; kind++) {
        printf(" %ss %u/%u%s", coverage_words[kind], totals.hit[kind], totals.points[kind],
               kind + 1 < COVERAGE_KINDS ? "," : "");
    }
    if (totals.not_applicable > 0) {
        printf(" and %u not applicable", totals.not_applicable);
    }
    printf("\n");
    coverage_print_holes(result->coverage, stdout, all_holes ? 0 : 8);
}

/* The same requests, answered alike by the form of one cycle. */
static void print_forms(const struct check_result *result)
{
    if (result->forms_differ.verdict == VERDICT_MISMATCH) {
        printf("forms     differ: %s\n", result->forms_differ.words);
    } else if (result->forms.compared) {
        printf("forms     %" PRIu64 " requests answered as in one cycle, in %.2f cycles each\n",
               result->forms.requests,
               (double)result->forms.cycles /
                   (double)(result->forms.requests ? result->forms.requests : 1));
    }
}

static void print_summary(const struct check_result *result, const struct check_open *open,
                          const struct options *options)
{
    const struct unit_desc *desc = result->backend->desc;
    printf("%s %s  %s  ", word_of(result, open), desc->name, result->backend->name);
    report_params(stdout, desc);
    printf("  seed %" PRIu64 "\n", result->seed);
    if (strcmp(options->check.form, "lockstep") == 0 &&
        strcmp(result->backend->name, "c+rtl") != 0) {
        printf("no C model: RTL and netlist are compared; mutation and proof are left out\n");
    }
    printf("vectors   %u passed, %u failed\n", result->vectors_passed, result->vectors_failed);
    if (result->coverage == NULL) {
        return;
    }
    printf("random    %" PRIu64 " steps", result->steps);
    if (result->report.steps > 0) {
        printf(", %" PRIu64 " values compared", result->report.values);
    } else {
        printf(", nothing to compare with: use a pair of backends");
    }
    printf(", %.1f M steps/s\n", 1e-6 * steps_per_second(result));
    print_forms(result);
    print_coverage(result, options->holes);
    print_open(open);
}

static void print_mismatch(const struct check_result *result)
{
    const struct report_context context = {
        result->seed, result->record.replay[0] != '\0' ? result->record.replay : NULL,
        result->record.wave[0] != '\0' ? result->record.wave : NULL};
    report_mismatch(stdout, result->backend->desc, &result->report, &context);
    if (result->shrunk_steps > 0) {
        printf("the replay is the shortest found: %zu steps\n", result->shrunk_steps);
    } else {
        printf("not reproduced from its last two resets: it depends on what came before them, "
               "so the whole run is repeated\n");
    }
}

static void print_json(const struct check_result *result, const struct check_open *open)
{
    const struct unit_desc *desc = result->backend->desc;
    json_t *params = json_object();
    for (unsigned i = 0; i < desc->n_params; i++) {
        json_object_set_new(params, desc->params[i].name,
                            json_integer((json_int_t)desc->params[i].value));
    }
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:o, s:I, s:{s:i, s:i}, s:{s:I, s:I, s:f, s:f}}", "verdict",
        word_of(result, open), "unit", desc->name, "backend", result->backend->name, "params",
        params, "seed", (json_int_t)result->seed, "vectors", "passed", result->vectors_passed,
        "failed", result->vectors_failed, "random", "steps", (json_int_t)result->steps, "values",
        (json_int_t)result->report.values, "seconds", result->seconds, "steps_per_second",
        steps_per_second(result));
    if (result->forms.compared) {
        json_object_set_new(
            root, "forms",
            json_pack("{s:I, s:I, s:s}", "requests", (json_int_t)result->forms.requests, "cycles",
                      (json_int_t)result->forms.cycles, "differ", result->forms_differ.words));
    }
    if (result->coverage != NULL) {
        json_object_set_new(root, "coverage", coverage_json(result->coverage));
        json_object_set(root, "open", open->faults);
        json_object_set(root, "open_so_far", open->few);
    }
    if (result->mismatch) {
        const struct report_context context = {result->seed, result->record.replay,
                                               result->record.wave};
        json_object_set_new(root, "mismatch",
                            report_mismatch_json(desc, &result->report, &context));
    }
    cli_print_json(root);
}

int cmd_check(int argc, char **argv)
{
    struct options options = {.check = {.overrides = "",
                                        .form = "lockstep",
                                        .steps = 1000000,
                                        .seed = 1,
                                        .progress = true,
                                        .wave = {.window = {0, WAVE_STEPS - 1}}}};
    const struct argp argp = {
        option_table,
        parse,
        "UNIT",
        "Play the unit's vectors and then constrained random steps on a backend, and compare "
        "every output in every step and all state after every edge.\v"
        "Exit status: 0 match, 1 mismatch, or a bin or guard was not reached, 2 bad use, 6 the unit "
        "does not build.",
        NULL,
        NULL,
        NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    options.check.overrides = options.params.text;
    struct library *library = library_new(NULL);
    struct check_result result;
    struct check_open open = {NULL, NULL, NULL};
    check_run(library, &options.check, options.json ? stderr : stdout, &result);
    const bool ran = result.backend != NULL && (result.failure.verdict == VERDICT_PASS ||
                                                result.failure.verdict == VERDICT_MISMATCH);
    if (!ran || !check_open(library, &result, &open, &result.failure)) {
        cli_print_failure(&result.failure);
    } else if (options.json) {
        print_json(&result, &open);
    } else {
        if (result.mismatch) {
            print_mismatch(&result);
        }
        print_summary(&result, &open, &options);
    }
    const int status = result.failure.verdict == VERDICT_PASS && json_array_size(open.faults) > 0
                           ? VERDICT_MISMATCH
                           : (int)result.failure.verdict;
    check_open_end(&open);
    check_end(&result);
    library_free(library);
    return status;
}
