/* main.c - the `ladder` command: one level of verification for one unit. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tb/ladder/ladder.h"

enum { OPTION_PROOF = 1000, OPTION_GOAL, OPTION_LIST_SEED, OPTION_STANDARD };

static unsigned long number(const char *name, const char *text, unsigned long most,
                            struct argp_state *state)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || value < 0 || value > (double)most) {
        argp_error(state, "--%s takes a number from 0 to %lu, not '%s'", name, most, text);
    }
    return (unsigned long)value;
}

/* The one argument of a level. */
static error_t parse_unit(int key, const char *arg, const char **unit, struct argp_state *state)
{
    if (key == ARGP_KEY_ARG && *unit != NULL) {
        argp_error(state, "one unit at a time, '%s' is the second", arg);
    } else if (key == ARGP_KEY_END && *unit == NULL) {
        argp_error(state, "name a unit; `warplock list units` shows all");
    }
    if (key == ARGP_KEY_ARG) {
        *unit = arg;
    }
    return 0;
}

static const struct argp_option mutate_table[] = {
    {"param", 'p', "K=V,K=V", 0, "parameters (standard: the table's)", 0},
    {"count", 'c', "N", 0, "mutants (standard 200)", 0},
    {"steps", 'n', "N", 0, "random steps of a mutant that lives (standard 400000)", 0},
    {"seeds", 's', "N", 0, "shared out over so many seeds (standard 2)", 0},
    {"jobs", 'j', "N", 0, "mutants at a time (standard: every core)", 0},
    {"list-seed", OPTION_LIST_SEED, "N", 0, "which mutants are drawn (standard 1)", 0},
    {"proof", OPTION_PROOF, "SECONDS", 0,
     "for the proof that a mutant which lives is no change "
     "(standard 20; 0: none)",
     0},
    {"goal", OPTION_GOAL, "PERCENT", 0, "that must be killed (standard 95)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_mutate(int key, char *arg, struct argp_state *state)
{
    struct mutate_options *o = state->input;
    switch (key) {
    case 'p': o->point = arg; return 0;
    case 'c': o->count = (unsigned)number("count", arg, 4000, state); return 0;
    case 'n': o->effort.steps = number("steps", arg, 1000000000000, state); return 0;
    case 's': o->effort.seeds = (unsigned)number("seeds", arg, 1000, state); break;
    case 'j': o->effort.jobs = (unsigned)number("jobs", arg, 64, state); break;
    case OPTION_LIST_SEED:
        o->list_seed = (unsigned)number("list-seed", arg, 1000000, state);
        return 0;
    case OPTION_PROOF: o->proof_seconds = (unsigned)number("proof", arg, 86400, state); return 0;
    case OPTION_GOAL: o->goal = (double)number("goal", arg, 100, state); return 0;
    case ARGP_KEY_ARG:
    case ARGP_KEY_END: return parse_unit(key, arg, &o->unit, state);
    default: return ARGP_ERR_UNKNOWN;
    }
    if (o->effort.seeds == 0 || o->effort.jobs == 0) {
        argp_error(state, "--seeds and --jobs are at least 1");
    }
    return 0;
}

static enum verdict mutate(int argc, char **argv, struct library *library, struct failure *failure)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct mutate_options options = {.point = "",
                                     .count = 200,
                                     .list_seed = 1,
                                     .proof_seconds = 20,
                                     .goal = 95,
                                     .effort = {.steps = 400000,
                                                .seeds = 2,
                                                .jobs = cores > 0 ? (unsigned)cores : 1,
                                                .limit_seconds = 120}};
    const struct argp argp = {mutate_table,
                              parse_mutate,
                              "UNIT",
                              "Change the unit's RTL one bit at a time and see whether its "
                              "vectors and random steps notice.\v"
                              "What is killed, or proven to be no change, stands when it is "
                              "run again with more steps.\n"
                              "Exit status: 0 enough are killed, 1 too few, 2 bad use or a wrong "
                              "reason, 6 it does not build.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    return ladder_mutate(library, &options, failure);
}

static const struct argp_option cover_table[] = {
    {"steps", 'n', "N", 0, "random steps of each seed (standard 200000)", 0},
    {"seeds", 's', "N", 0, "seeds (standard 3)", 0},
    {"standard", OPTION_STANDARD, NULL, 0, "the standard parameters alone", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_cover(int key, char *arg, struct argp_state *state)
{
    struct cover_options *o = state->input;
    switch (key) {
    case 'n': o->effort.steps = number("steps", arg, 1000000000000, state); return 0;
    case 's': o->effort.seeds = (unsigned)number("seeds", arg, 1000, state); return 0;
    case OPTION_STANDARD: o->standard_only = true; return 0;
    case ARGP_KEY_ARG:
    case ARGP_KEY_END: return parse_unit(key, arg, &o->unit, state);
    default: return ARGP_ERR_UNKNOWN;
    }
}

static enum verdict coverage(int argc, char **argv, struct library *library,
                             struct failure *failure)
{
    struct cover_options options = {.effort = {.steps = 200000, .seeds = 3}};
    const struct argp argp = {cover_table,
                              parse_cover,
                              "UNIT",
                              "Play the unit's vectors and random steps at every listed "
                              "parameter set, and list what none of them reached.\v"
                              "Exit status: 0 all is reached or has a reason, 1 some has none, 2 "
                              "bad use or a wrong reason, 6 it does not build.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    return ladder_cover(library, &options, failure);
}

static enum verdict report(int argc, char **argv, struct library *library, struct failure *failure)
{
    int first;
    const struct argp argp = {NULL,
                              NULL,
                              "[UNIT...]",
                              "What every level has found so far, unit by unit; also in "
                              "build/equiv/report.json and report.html.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, &first, NULL);
    return ladder_report(library, argv + first, failure);
}

static const struct {
    const char *name, *what;
    enum verdict (*run)(int argc, char **argv, struct library *library, struct failure *failure);
} commands[] = {{"mutate", "mutants of a unit's RTL against its tests", mutate},
                {"coverage", "lines, toggles and bins that a unit's tests never reach", coverage},
                {"report", "what every level has found so far, unit by unit", report}};

static int usage(FILE *to)
{
    fprintf(to, "Usage: ladder COMMAND [UNIT] [OPTION...]; each COMMAND has --help\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].what);
    }
    return to == stdout ? 0 : 2;
}

int main(int argc, char **argv)
{
    argp_err_exit_status = VERDICT_USAGE;
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        return usage(argc < 2 ? stderr : stdout);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            char name[64];
            struct failure failure = {VERDICT_PASS, ""};
            struct library *library = library_new(NULL);
            snprintf(name, sizeof name, "ladder %s", argv[1]);
            argv[1] = name;
            const enum verdict verdict = commands[i].run(argc - 1, argv + 1, library, &failure);
            if (failure.verdict != VERDICT_PASS) {
                fprintf(stderr, "%s: %s\n", name, failure.words);
            }
            library_free(library);
            return (int)verdict;
        }
    }
    return usage(stderr);
}
