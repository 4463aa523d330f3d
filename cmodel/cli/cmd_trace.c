/* cmd_trace.c - `warplock trace`: what is in SASS traces, whether they are sound; written again in
 * the other form or in part; where two differ.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/trace_commands.h"

enum { OPTION_JSON = 1000, OPTION_TO, OPTION_KERNELS, OPTION_BLOCKS };

static const struct argp_option OPTIONS[] = {
    {"json", OPTION_JSON, "FILE", 0, "write the result there as JSON; - is standard output", 0},
    {"to", OPTION_TO, "traceg|tracez", 0, "convert, cut: the form of kernels to be written", 0},
    {"kernels", OPTION_KERNELS, "FROM:TO", 0, "cut: these kernels of the list, counted from 1", 0},
    {"blocks", OPTION_BLOCKS, "FROM:TO", 0,
     "cut: these thread blocks of each kernel, in the order of its file, counted from 0", 0},
    {0}};

static const struct {
    const char *name;
    uint32_t paths;
    enum verdict (*run)(const struct trace_command *command);
} COMMANDS[] = {
    {"info", 1, trace_info}, {"check", 1, trace_check}, {"convert", 2, trace_convert},
    {"cut", 2, trace_cut},   {"diff", 2, trace_diff},   {"classes", 0, trace_classes},
};

static struct trace_range range(const char *option, const char *arg, struct argp_state *state)
{
    const struct wave_window window = cli_window(option, arg, state);

    return (struct trace_range){window.from, window.to};
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct trace_command *c = state->input;

    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &c->options; return 0;
    case OPTION_JSON: c->json = arg; return 0;
    case OPTION_TO:
        if (strcmp(arg, "traceg") != 0 && strcmp(arg, "tracez") != 0) {
            argp_error(state, "--to %s: write traceg or tracez", arg);
        }
        c->to = arg;
        return 0;
    case OPTION_KERNELS: c->kernels = range("kernels", arg, state); return 0;
    case OPTION_BLOCKS: c->blocks = range("blocks", arg, state); return 0;
    case ARGP_KEY_ARG:
        if (!c->name) {
            c->name = arg;
        } else if (c->n_paths == 2) {
            argp_error(state, "%s: one path too many", arg);
        } else {
            c->path[c->n_paths++] = arg;
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const char DOC[] =
    "info, check LIST: what is in a trace; whether all of it is sound\n"
    "convert LIST DIR --to=traceg|tracez: the same trace in the other form, as a new folder\n"
    "cut LIST DIR [--kernels A:B] [--blocks A:B]: a part of it\n"
    "diff LIST LIST: where two traces differ\n"
    "classes: the classes that an opcode table may name\v"
    "LIST is a kernelslist.g or the file of one kernel; of a kernel, convert and cut write a file, "
    "whose name says the form.\n"
    "Examples:\n  warplock trace info traces/kernelslist.g --json -\n"
    "  warplock trace convert traces/kernelslist.g packed --to=tracez\n"
    "  warplock trace cut traces/kernelslist.g part --kernels 2:2 --blocks 0:99\n"
    "Exit status: 0 sound or equal, 1 different, 2 bad use or a trace that is refused.";

int cmd_trace(int argc, char **argv)
{
    static const struct argp_child children[] = {{&trace_options_argp, 0, "", 0}, {0}};
    static const struct argp argp = {OPTIONS, parse, "COMMAND [PATH...]", DOC, children,
                                     NULL,    NULL};
    struct trace_command c = {.kernels = {1, UINT64_MAX}, .blocks = {0, UINT64_MAX}};
    enum verdict verdict = VERDICT_USAGE;

    argp_parse(&argp, argc, argv, 0, NULL, &c);
    for (size_t n = 0; c.name && n < sizeof COMMANDS / sizeof COMMANDS[0]; n++) {
        if (strcmp(COMMANDS[n].name, c.name) != 0) {
            continue;
        }
        if (c.n_paths != COMMANDS[n].paths) {
            fprintf(stderr,
                    "warplock: trace %s takes %u paths; `warplock trace --help` shows them\n",
                    c.name, COMMANDS[n].paths);
        } else {
            verdict = COMMANDS[n].run(&c);
        }
        trace_options_free(&c.options);
        return (int)verdict;
    }
    fprintf(stderr, "warplock: trace %s; write info, check, convert, cut, diff or classes\n",
            c.name ? c.name : "without a command");
    trace_options_free(&c.options);
    return VERDICT_USAGE;
}
