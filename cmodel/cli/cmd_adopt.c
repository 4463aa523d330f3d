/* cmd_adopt.c - `warplock adopt FILE`: Verilog or SystemVerilog that others wrote, as a unit of a
 * project; says what the user has to decide. */
#include <argp.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/verdict.h"
#include "cli/adopt_module.h"
#include "cli/adopt_tools.h"
#include "cli/adopt_write.h"
#include "cli/commands.h"
#include "cli/project_files.h"

enum { OPTION_RESET = 1000 };

struct options {
    const char *files[ADOPT_FILES], *top, *family, *reset;
    size_t n_files;
};

static const struct argp_option option_table[] = {
    {"top", 't', "NAME", 0, "the module (standard: the one that no other instantiates)", 0},
    {"family", 'f', "F", 0, "folder that it belongs to (standard: mine)", 0},
    {"reset", OPTION_RESET, "PORT", 0, "the input that resets it, where that cannot be seen", 0},
    {NULL, 0, NULL, 0, NULL, 0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 't': o->top = arg; return 0;
    case 'f': o->family = arg; return 0;
    case OPTION_RESET: o->reset = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->n_files == ADOPT_FILES) {
            argp_error(state, "more than %d files; adopt its parts", ADOPT_FILES);
        }
        o->files[o->n_files++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->n_files == 0) {
            argp_error(state, "name a file of Verilog or SystemVerilog");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* A name that Yosys' script and this program's arrays can hold. */
static bool is_identifier(const char *text)
{
    return strlen(text) < ADOPT_NAME &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               strlen(text);
}

static void print_unreset(const struct adopt_module *m)
{
    const char *before = "  guards      not reset: ";
    for (size_t i = 0; i < m->n_state; i++) {
        if (!m->state[i].is_reset) {
            printf("%s%s", before, m->state[i].path);
            before = ", ";
        }
    }
    if (strcmp(before, ", ") == 0) {
        printf("; an output that may show what was never written needs a guard in place of ALWAYS, "
               "the output that says when it counts\n");
    }
}

static void print_decisions(const struct adopt_module *m, const char *family)
{
    printf("to decide, in cmodel/units/%s/%s/%s.ports.h:\n", family, m->name, m->name);
    if (m->by_name) {
        printf("  RESET       %s is active-%s by its name alone\n", m->reset,
               m->low ? "low" : "high");
    }
    if (m->n_params > 0) {
        printf(
            "  parameters  their ranges (least, greatest; now the standard value alone), and widths "
            "that follow from them, as expressions\n");
    }
    if (m->n_other_params > 0) {
        printf(
            "  parameters  %zu more are no numbers of at most 64 bits, and stay at their standard\n",
            m->n_other_params);
    }
    print_unreset(m);
    printf("  draws       how often each input is set (ANY: half of the time), and what it is, in "
           "words\n");
    printf(
        "and in %s.unit its clock, in %s.vec what it must answer; a C model, %s.c, for lockstep, "
        "mutation and proof\n",
        m->name, m->name, m->name);
}

static void print_found(const struct adopt_module *m)
{
    size_t outputs = 0;
    for (size_t i = 0; i < m->n_ports; i++) {
        outputs += m->ports[i].output;
    }
    printf("%s: %zu inputs, %zu outputs, %zu parameters, %" PRIu64 " bits of state", m->name,
           m->n_ports - outputs, outputs, m->n_params, m->bits);
    if (m->n_state > 0) {
        printf("; clock %s, %s; reset %s, active-%s, %s", m->clock,
               m->falling ? "falling" : "rising", m->reset, m->low ? "low" : "high",
               m->asynchronous ? "asynchronous" : "synchronous");
    }
    printf("\n");
}

static int adopt(const struct options *o, struct adopt_module *m, struct adopt_found *found,
                 char *error, size_t n_error)
{
    char project[PATH_MAX], why[PATH_MAX];
    if (!project_is_name(o->family, error, n_error)) {
        return -1;
    }
    if ((o->top != NULL && !is_identifier(o->top)) ||
        (o->reset != NULL && !is_identifier(o->reset))) {
        snprintf(error, n_error, "'%s' is no name of Verilog", o->top != NULL ? o->top : o->reset);
        return -1;
    }
    snprintf(m->name, sizeof m->name, "%s", o->top != NULL ? o->top : "");
    snprintf(m->reset, sizeof m->reset, "%s", o->reset != NULL ? o->reset : "");
    size_t top = 0;
    if (adopt_tools_read(o->files, o->n_files, m->name, &top, found, error, n_error) != 0) {
        return -1;
    }
    if (!project_is_name(m->name, why, sizeof why)) {
        snprintf(error, n_error, "%s: module %s; write a module of another name around it",
                 o->files[top], why);
        return -1;
    }
    if (project_has_unit(m->name, error, n_error)) {
        return -1;
    }
    if (adopt_module_read(m, found, why, sizeof why) != 0) {
        snprintf(error, n_error, "%s: %s: %s", o->files[top], m->name, why);
        return -1;
    }
    const struct adopt_sources sources = {o->files, o->n_files, top};
    if (adopt_write(m, &sources, o->family, project, error, n_error) != 0) {
        return -1;
    }
    printf("in %s\n", project);
    print_found(m);
    print_decisions(m, o->family);
    return 0;
}

int cmd_adopt(int argc, char **argv)
{
    struct options options = {.family = "mine"};
    struct adopt_module module = {0};
    struct adopt_found found = {0};
    char error[3 * PATH_MAX];
    const struct argp argp = {
        option_table,
        parse,
        "FILE...",
        "Make a unit of Verilog or SystemVerilog that others wrote, in the project of the current folder "
        "(or of --project); without one, a folder of the module's name becomes a project.  The RTL "
        "stays as it is; the table is drafted from its ports and registers.",
        NULL,
        NULL,
        NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    const int status = adopt(&options, &module, &found, error, sizeof error);
    if (status != 0) {
        fprintf(stderr, "warplock: %s\n", error);
    }
    adopt_module_free(&module);
    adopt_tools_free(&found);
    return status != 0 ? VERDICT_USAGE : VERDICT_PASS;
}
