/* cmd_prove.c - `warplock prove`: C model = RTL for all inputs and states, of units, or of three files
 * that lie anywhere. */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/script.h"

enum { MOST_WORDS = 60 };

struct options {
    struct cli_params params;
    char seconds[24], unwind[24]; /* "" unless given */
    char *words[MOST_WORDS];
    int n_words;
};

static const struct argp_option option_table[] = {
    {"param", 'p', "K=V", 0, "of files: a parameter; may be given several times", 0},
    {"seconds", 's', "N", 0, "of files: processor time (standard 60)", 0},
    {"unwind", 'u', "N", 0, "of files: how often a loop of the model may run (standard 66)", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'p': return cli_add_param(&o->params, arg, state);
    case 's':
        snprintf(o->seconds, sizeof o->seconds, "%lu",
                 (unsigned long)cli_number("seconds", arg, 1, 1000000, state));
        return 0;
    case 'u':
        snprintf(o->unwind, sizeof o->unwind, "%lu",
                 (unsigned long)cli_number("unwind", arg, 1, 1000000, state));
        return 0;
    case ARGP_KEY_ARG:
        if (o->n_words == MOST_WORDS) {
            argp_error(state, "more than %d units; without any, all are proven", MOST_WORDS);
        }
        o->words[o->n_words++] = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Names of units have no dot. */
static bool are_files(const struct options *o)
{
    for (int i = 0; i < o->n_words; i++) {
        if (strchr(o->words[i], '.') != NULL) {
            return true;
        }
    }
    return false;
}

static int prove_files(const struct options *o)
{
    char *words[MOST_WORDS + 8] = {(char *)"prove"}, paths[MOST_WORDS][PATH_MAX];
    int n = 1;
    const char *const given[][2] = {
        {"--param", o->params.text}, {"--seconds", o->seconds}, {"--unwind", o->unwind}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i][1][0] != '\0') {
            words[n++] = (char *)given[i][0];
            words[n++] = (char *)given[i][1];
        }
    }
    for (int i = 0; i < o->n_words; i++) {
        if (realpath(o->words[i], paths[i]) == NULL) {
            fprintf(stderr, "warplock: %s: %s\n", o->words[i], strerror(errno));
            return VERDICT_USAGE;
        }
        words[n++] = paths[i];
    }
    return script_become("tb/prove/files.sh", NULL, n, words);
}

int cmd_prove(int argc, char **argv)
{
    struct options options = {0};
    const struct argp argp = {
        option_table,
        parse,
        "[UNIT...]\nRTL.v MODEL.c TABLE.ports.h",
        "Prove that C model and RTL are the same, for all inputs from all states, by CBMC: the `prove` "
        "rows of the units' files; or of a module, a C model and a table outside any project.\v"
        "Exit status: 0 all proven, 1 refuted, 2 bad use, 5 some open, 6 something does not build.",
        NULL,
        NULL,
        NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    if (are_files(&options)) {
        return prove_files(&options);
    }
    if (options.params.text[0] != '\0' || options.seconds[0] != '\0' || options.unwind[0] != '\0') {
        fputs("warplock: of a unit, parameters and time are in the `prove` rows of its file\n",
              stderr);
        return VERDICT_USAGE;
    }
    memmove(options.words + 1, options.words, (MOST_WORDS - 1) * sizeof *options.words);
    return script_become("tb/prove/prove.sh", NULL, options.n_words + 1, options.words);
}
