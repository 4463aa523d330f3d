/* cmd_new.c - `warplock new KIND NAME`: a unit, mechanism or workload of the user's own, outside the
 * tree, that builds and passes as it stands (tb/templates). */
#include <argp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/abi.h"
#include "base/project.h"
#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/project_files.h"
#include "cli/template.h"
#include "mechanisms/mechanism.h"
#include "workloads/workload.h"

struct options {
    const char *kind, *name, *family, *unit;
};

static const struct argp_option option_table[] = {
    {"family", 'f', "F", 0, "folder that it belongs to (standard: mine)", 0},
    {"unit", 'u', "UNIT", 0,
     "of a mechanism: the unit in front of every L1D (standard: the "
     "project's first)",
     0},
    {NULL, 0, NULL, 0, NULL, 0}};

/* Verilator has no module with a port of its own name, and the unit that is written has these. */
static bool is_port(const char *name, char *error, size_t n_error)
{
    static const char *const ports[] = {"clk", "rst", "hit", "clear", "hot"};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        if (strcmp(name, ports[i]) == 0) {
            snprintf(error, n_error, "'%s' is a port of the unit that is written; use another name",
                     name);
            return true;
        }
    }
    return false;
}

static bool is_kind(const char *text)
{
    return strcmp(text, "unit") == 0 || strcmp(text, "mechanism") == 0 ||
           strcmp(text, "workload") == 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'f': o->family = arg; break;
    case 'u': o->unit = arg; break;
    case ARGP_KEY_ARG:
        if (o->kind == NULL) {
            o->kind = arg;
            return 0;
        }
        if (o->name != NULL) {
            argp_error(state, "one at a time, '%s' is the second name", arg);
        }
        o->name = arg;
        break;
    case ARGP_KEY_END:
        if (o->name == NULL) {
            argp_error(state, "write unit, mechanism or workload, and its name");
        }
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int fail(const char *error)
{
    fprintf(stderr, "warplock: %s\n", error);
    return VERDICT_USAGE;
}

/* The first unit that units.list of the project names, without its family. */
static bool first_unit(const char *project, char *unit, size_t n)
{
    char path[PATH_MAX + 32], line[128];
    snprintf(path, sizeof path, "%s/cmodel/units/units.list", project);
    FILE *list = fopen(path, "r");
    bool found = false;
    while (list != NULL && !found && fgets(line, sizeof line, list) != NULL) {
        const char *slash = strchr(line, '/');
        line[strcspn(line, "#\n")] = '\0';
        found = slash != NULL && snprintf(unit, n, "%s", slash + 1) > 0;
    }
    if (list != NULL) {
        fclose(list);
    }
    return found;
}

/* Every name that was given, and the kind; one line in `error`. */
static bool can_be(const struct options *o, char *error, size_t n_error)
{
    const char *const names[] = {o->name, o->family, o->unit};
    if (!is_kind(o->kind)) {
        snprintf(error, n_error,
                 "'%s' is nothing that can be begun; write unit, mechanism or workload", o->kind);
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i] != NULL && !project_is_name(names[i], error, n_error)) {
            return false;
        }
    }
    return strcmp(o->kind, "unit") != 0 || !is_port(o->name, error, n_error);
}

/* Is the name taken?  One line in `error`. */
static bool is_taken(const struct options *o, char *error, size_t n_error)
{
    if (strcmp(o->kind, "unit") == 0) {
        return project_has_unit(o->name, error, n_error);
    }
    const bool taken = strcmp(o->kind, "mechanism") == 0 ? mechanism_find(o->name) != NULL
                                                         : workload_find(o->name) != NULL;
    if (taken) {
        snprintf(error, n_error, "there is a %s named %s; choose another name", o->kind, o->name);
    }
    return taken;
}

/* Write the files; what is missing in `options` is filled in. */
static int begin(struct options *o, char *error, size_t n_error)
{
    char root[PATH_MAX], templates[PATH_MAX], from[PATH_MAX + 64], project[PATH_MAX], abi[16];
    char unit[64] = "";
    tree_root(root, sizeof root);
    snprintf(templates, sizeof templates, "%.4000s/tb/templates", root);
    project_folder(project, sizeof project);
    const bool mechanism = strcmp(o->kind, "mechanism") == 0;
    if (!can_be(o, error, n_error) || is_taken(o, error, n_error)) {
        return -1;
    }
    if (mechanism && o->unit == NULL) {
        if (!first_unit(project, unit, sizeof unit)) {
            snprintf(error, n_error,
                     "a mechanism needs a unit: begin one by `warplock new unit`, "
                     "or name one with --unit");
            return -1;
        }
        o->unit = unit;
    }
    snprintf(abi, sizeof abi, "%d", WARPLOCK_ABI);
    const struct template_word words[] = {
        {"name", o->name}, {"family", o->family}, {"unit", mechanism ? o->unit : ""}, {"abi", abi}};
    const size_t n_words = sizeof words / sizeof *words;
    if (project_begin(o->name, words, n_words, project, error, n_error) != 0) {
        return -1;
    }
    snprintf(from, sizeof from, "%s/%s", templates, o->kind);
    if (template_write(from, project, words, n_words, error, n_error) != 0) {
        return -1;
    }
    if (strcmp(o->kind, "unit") == 0 &&
        project_add_unit(project, o->family, o->name, error, n_error) != 0) {
        return -1;
    }
    printf("in %s; %s/README.md says what to do next\n", project, project);
    return 0;
}

int cmd_new(int argc, char **argv)
{
    struct options options = {.family = "mine"};
    char error[2 * PATH_MAX];
    const struct argp argp = {option_table,
                              parse,
                              "unit|mechanism|workload NAME",
                              "Begin a unit, a mechanism or a workload of your own, in the project "
                              "of the current folder (or of --project); without one, the folder "
                              "NAME becomes a project.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    return begin(&options, error, sizeof error) != 0 ? fail(error) : VERDICT_PASS;
}
