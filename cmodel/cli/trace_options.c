/* trace_options.c - see trace_options.h. */
#include "cli/trace_options.h"

#include <string.h>
#include <unistd.h>

#include "base/seconds.h"

enum { OPTION_OPCODES = 2000, OPTION_UNKNOWN, OPTION_AS_ALU, OPTION_STREAMS, OPTION_ALLOCATIONS };

static const struct argp_option OPTIONS[] = {
    {"allocations", OPTION_ALLOCATIONS, "FILE", 0,
     "run: rows 'BASE,BYTES', what the program had allocated, which a trace does not say: the regions "
     "of rex and bc (default: one, of all addresses)",
     0},
    {"opcodes", OPTION_OPCODES, "FILE", 0,
     "rows 'OPCODE,CLASS,version version ...' for the opcode table; may be repeated", 0},
    {"unknown-opcodes", OPTION_UNKNOWN, "HOW", 0,
     "an opcode that is in no table: error, alu (it counts as an integer instruction), or list (all "
     "of them, with number and first place; default: error)",
     0},
    {"streams", OPTION_STREAMS, "at-once|in-turn", 0,
     "run: kernels of different streams run at once, or in the order of the list (default: at-once)",
     0},
    {"unknown-opcodes-as-alu", OPTION_AS_ALU, 0, OPTION_HIDDEN, "the same as =alu", 0},
    {0}};

static int take_unknown(struct trace_options *o, const char *arg)
{
    o->list_unknown = strcmp(arg, "list") == 0;
    o->unknown = strcmp(arg, "error") == 0 ? SASS_UNKNOWN_ERROR : SASS_UNKNOWN_ALU;
    return strcmp(arg, "error") != 0 && strcmp(arg, "alu") != 0 && !o->list_unknown ? -1 : 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct trace_options *o = state->input;
    char error[512];

    switch (key) {
    case ARGP_KEY_INIT:
        o->opcodes = sass_opcodes_new();
        if (!o->opcodes) {
            argp_failure(state, argp_err_exit_status, 0, "out of memory for the table of opcodes");
        }
        return 0;
    case OPTION_OPCODES:
        if (sass_opcodes_add(o->opcodes, arg, error, sizeof error) != 0) {
            argp_failure(state, argp_err_exit_status, 0, "%s", error);
        }
        return 0;
    case OPTION_ALLOCATIONS:
        allocations_free(&o->allocations);
        if (allocations_read(&o->allocations, arg, error, sizeof error) != 0) {
            argp_failure(state, argp_err_exit_status, 0, "%s", error);
        }
        return 0;
    case OPTION_UNKNOWN:
        if (take_unknown(o, arg) != 0) {
            argp_error(state, "--unknown-opcodes=%s: write error, alu or list", arg);
        }
        return 0;
    case OPTION_STREAMS:
        o->streams_in_turn = strcmp(arg, "in-turn") == 0;
        if (!o->streams_in_turn && strcmp(arg, "at-once") != 0) {
            argp_error(state, "--streams=%s: write at-once or in-turn", arg);
        }
        return 0;
    case OPTION_AS_ALU: return take_unknown(o, "alu");
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp trace_options_argp = {OPTIONS, parse, NULL, NULL, NULL, NULL, NULL};

void trace_options_free(struct trace_options *options)
{
    sass_opcodes_free(options->opcodes);
    options->opcodes = NULL;
    allocations_free(&options->allocations);
}

uint32_t trace_print_unknown(const struct sass_kernel *kernel, FILE *out)
{
    const struct sass_program *program = &kernel->program;
    uint32_t n = 0;

    for (uint32_t e = 0; e < program->n; e++) {
        const char *opcode = sass_program_opcode(program, &program->entry[e]);
        uint64_t count = 0;
        bool before = false;

        for (uint32_t other = 0; other < program->n && program->entry[e].unknown; other++) {
            const struct sass_entry *entry = &program->entry[other];
            const bool same = entry->unknown &&
                              strcmp(sass_program_opcode(program, entry), opcode) == 0;

            before |= same && other < e;
            count += same ? entry->executions : 0;
        }
        if (program->entry[e].unknown && !before) {
            n++;
            fprintf(out, "opcode %-24s %12llu times, first in %s:%u\n", opcode,
                    (unsigned long long)count, kernel->path, program->entry[e].inst.line);
        }
    }
    return n;
}

void trace_print_oddities(const struct sass_oddities *odd, FILE *out)
{
    const struct {
        uint64_t n;
        const char *text;
    } LINES[] = {
        {odd->lanes, "instructions with lanes that are not there or have exited; without those"},
        {odd->exits, "warps that end before all lanes have executed an EXIT"},
        {odd->foreign, "instructions out of the opcode tables of other binary versions"},
        {odd->no_address, "memory instructions without addresses; no access"},
        {odd->no_values, "mbarrier instructions without values; they block nobody"},
        {odd->no_mbarrier, "bulk loads that do not say which mbarrier counts them"},
        {odd->clusters,
         "kernel or more without its clusters: they contradict each other, or are not in a row (in a text; convert it)"},
    };

    for (size_t l = 0; l < sizeof LINES / sizeof LINES[0]; l++) {
        if (LINES[l].n) {
            fprintf(out, "note           %llu %s\n", (unsigned long long)LINES[l].n, LINES[l].text);
        }
    }
}

void trace_show_progress(void *last, const char *path, uint64_t bytes, uint64_t total)
{
    const double now = seconds_now();
    double *shown = last;
    bool terminal = isatty(STDERR_FILENO);

    if (*shown == 0) {
        *shown = now;
    }
    if (now - *shown < (terminal ? 1 : 10)) {
        return;
    }
    *shown = now;
    fprintf(stderr, "%slooking through %s: %llu%%%s", terminal ? "\r" : "", path,
            (unsigned long long)(total ? 100 * bytes / total : 0), terminal ? "  " : "\n");
}
