/* cmd_replay.c - `warplock replay FILE`: play a saved sequence, or vectors, again. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "tb/check.h"

enum { OPTION_WINDOW = 1000, OPTION_LAYOUT, OPTION_MARK, OPTION_INSIDE };

struct options {
    const char *file, *form, *test;
    struct wave_request wave;
    bool json;
};

static const struct argp_option option_table[] = {
    {"backend", 'b', "B", 0, "instead of the file's own (or lockstep)", 0},
    {"test", 't', "NAME", 0, "only the test of this name", 0},
    {"wave", 'w', "FILE", 0, "write an FST waveform of the last test", 0},
    {"wave-window", OPTION_WINDOW, "FROM:TO", 0, "of these steps only, counted from 0", 0},
    {"wave-inside", OPTION_INSIDE, NULL, 0, "show every wire of the RTL, too (builds it anew)", 0},
    {"layout", OPTION_LAYOUT, "FILE", 0, "write a GTKWave layout for the waveform, too", 0},
    {"mark", OPTION_MARK, "STEP,...", 0,
     "the layout's marker, and its markers A, B, ... (standard: the last step)", 0},
    {"json", 'j', NULL, 0, "print JSON", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse_marks(struct layout_steps *marks, char *text, struct argp_state *state)
{
    char *save = NULL;
    for (char *word = strtok_r(text, ",", &save); word != NULL; word = strtok_r(NULL, ",", &save)) {
        if (marks->n > LAYOUT_NAMED) {
            argp_error(state, "--mark: more than %d steps", 1 + LAYOUT_NAMED);
        }
        marks->step[marks->n++] = cli_number("mark", word, 0, UINT64_MAX / 20, state);
    }
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case 'b': options->form = arg; return 0;
    case 't': options->test = arg; return 0;
    case 'w': options->wave.path = arg; return 0;
    case OPTION_WINDOW: options->wave.window = cli_window("wave-window", arg, state); return 0;
    case OPTION_INSIDE: options->wave.inside = true; return 0;
    case OPTION_LAYOUT: options->wave.layout = arg; return 0;
    case OPTION_MARK: return parse_marks(&options->wave.marks, arg, state);
    case 'j': options->json = true; return 0;
    case ARGP_KEY_ARG:
        if (options->file != NULL) {
            argp_error(state, "one file at a time, '%s' is the second", arg);
        }
        options->file = arg;
        return 0;
    case ARGP_KEY_END:
        if (options->file == NULL) {
            argp_error(state, "name a sequence file");
        }
        if (options->wave.layout != NULL && options->wave.path == NULL) {
            argp_error(state, "--layout needs --wave FILE");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_replay(int argc, char **argv)
{
    struct options options = {.wave = {.window = WAVE_EVERYTHING}};
    const struct argp argp = {
        option_table,
        parse,
        "FILE",
        "Play a sequence of steps again: one that a failing check left, or a vector file.\v"
        "Exit status: 0 as expected, 1 mismatch, 2 bad use, 6 the unit does not build.",
        NULL,
        NULL,
        NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    struct library *library = library_new(NULL);
    struct failure failure;
    unsigned passed = 0, failed = 0;
    const enum verdict verdict = check_vectors(library, options.file, options.form, options.test,
                                               NULL, &options.wave, options.json ? stderr : stdout,
                                               &passed, &failed, &failure);
    if (failure.verdict != VERDICT_PASS) {
        cli_print_failure(&failure);
    } else if (options.json) {
        cli_print_json(json_pack("{s:s, s:s, s:i, s:i}", "verdict", verdict_word(verdict), "file",
                                 options.file, "passed", passed, "failed", failed));
    } else {
        printf("%s %s  %u tests passed, %u failed\n", verdict_word(verdict), options.file, passed,
               failed);
    }
    library_free(library);
    return (int)verdict;
}
