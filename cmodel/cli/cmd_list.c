/* cmd_list.c - `warplock list [WHAT [NAME]]`: what there is to name on the command line; what one
 * mechanism can be told; what one configuration comes to. */
#include <argp.h>
#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/experiment_file.h"
#include "cli/list_config.h"
#include "cli/list_mechanism.h"
#include "cli/options.h"
#include "mechanisms/mechanism.h"
#include "tb/backend.h"
#include "workloads/workload.h"

struct options {
    const char *what, *name;
    bool json;
};

static const struct argp_option option_table[] = {{"json", 'j', NULL, 0, "print JSON", 0},
                                                  {NULL, 0, NULL, 0, NULL, 0}};

/* Its clock, behind its name; JSON has it as a number. */
static void unit_row(json_t *list, const char *name, unsigned mhz, const char *about)
{
    if (list != NULL) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "name", name, "about", about,
                                              "clock_mhz", (int)mhz));
    } else {
        printf("  %-22s %4u MHz  %s\n", name, mhz, about);
    }
}

/* One row: name, and a word or two about it. */
static void row(json_t *list, const char *name, const char *about)
{
    if (list != NULL) {
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "about", about));
    } else {
        printf("  %-22s %s\n", name, about);
    }
}

static void list_units(json_t *list)
{
    struct library *library = library_new(NULL);
    for (size_t i = 0; i < library_n_units(library); i++) {
        struct failure failure;
        struct unit_file file = {0};
        library_unit_file(library, library_unit(library, i), &file, &failure);
        const struct unit_desc *desc = library_desc(library, library_unit(library, i), "",
                                                    &failure);
        const char *slash = strrchr(library_unit(library, i), '/');
        unit_row(list, slash != NULL ? slash + 1 : library_unit(library, i), file.clock_mhz,
                 desc != NULL ? desc->title : "does not build; `warplock check` says why");
    }
    library_free(library);
}

static void list_workloads(json_t *list)
{
    const struct workload *const *all[] = {workload_list(), workload_project_list()};
    for (size_t l = 0; l < sizeof all / sizeof *all; l++) {
        for (size_t i = 0; all[l][i] != NULL; i++) {
            row(list, all[l][i]->name, all[l][i]->title);
        }
    }
}

/* The first comment line of each configuration says what it is. */
static void list_configurations(json_t *list)
{
    char root[PATH_MAX], folder[PATH_MAX + 64], path[PATH_MAX + 400], line[256];
    tree_root(root, sizeof root);
    snprintf(folder, sizeof folder, "%s/cmodel/machine/configs", root);
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char *dot = strstr(entries[i]->d_name, ".ini");
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        FILE *file = dot != NULL ? fopen(path, "r") : NULL;
        if (file != NULL && fgets(line, sizeof line, file) != NULL) {
            line[strcspn(line, "\n")] = '\0';
            *dot = '\0';
            row(list, entries[i]->d_name, line + strspn(line, ";# "));
        }
        if (file != NULL) {
            fclose(file);
        }
        free(entries[i]);
    }
    free(entries);
}

static void list_experiment(void *list, struct experiment *one, const char *path, const char *error)
{
    row(list, one != NULL ? one->name : path, one != NULL ? one->title : error);
    experiment_free(one);
}

static void list_experiments(json_t *list)
{
    experiment_each(list_experiment, list);
}

static void list_mechanisms(json_t *list)
{
    const struct mechanism *mechanism;
    for (size_t i = 0; (mechanism = mechanism_at(i)) != NULL; i++) {
        row(list, mechanism->name, mechanism->title);
    }
}

static const struct {
    const char *name;
    void (*list)(json_t *list);
} lists[] = {{"units", list_units},
             {"workloads", list_workloads},
             {"configurations", list_configurations},
             {"experiments", list_experiments},
             {"mechanisms", list_mechanisms}};
enum { N_LISTS = sizeof lists / sizeof *lists };

/* `list mechanisms NAME` and `list config NAME` are about one thing. */
static error_t parse_name(char *arg, struct options *options, struct argp_state *state)
{
    if (strcmp(options->what, "config") != 0 &&
        (strcmp(options->what, "mechanisms") != 0 || mechanism_find(arg) == NULL)) {
        argp_error(state, "no mechanism named '%s'; `warplock list mechanisms` shows all", arg);
    }
    options->name = arg;
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    bool known = false;
    if (key == 'j') {
        options->json = true;
        return 0;
    }
    if (key == ARGP_KEY_END && options->what != NULL && strcmp(options->what, "config") == 0 &&
        options->name == NULL) {
        argp_error(state, "which one?  `warplock list configurations` shows all");
    }
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    if (options->what != NULL) {
        return parse_name(arg, options, state);
    }
    for (size_t i = 0; i < N_LISTS; i++) {
        known |= strcmp(arg, lists[i].name) == 0;
    }
    if (!known && strcmp(arg, "config") != 0) {
        argp_error(state, "nothing called '%s' to list; leave it out to list everything", arg);
    }
    options->what = arg;
    return 0;
}

static json_t *list_all(const struct options *options)
{
    json_t *root = options->json ? json_object() : NULL;
    for (size_t i = 0; i < N_LISTS; i++) {
        if (options->what != NULL && strcmp(options->what, lists[i].name) != 0) {
            continue;
        }
        json_t *list = root != NULL ? json_array() : NULL;
        if (root == NULL) {
            printf("%s\n", lists[i].name);
        }
        lists[i].list(list);
        if (root != NULL) {
            json_object_set_new(root, lists[i].name, list);
        }
    }
    return root;
}

int cmd_list(int argc, char **argv)
{
    struct options options = {NULL, NULL, false};
    const struct argp argp = {
        option_table,
        parse,
        "[WHAT]\nmechanisms NAME\nconfig NAME|FILE.ini",
        "List what can be named on the command line: units, workloads, configurations, "
        "experiments, mechanisms; or the options of one mechanism and the parameters of its "
        "units; or every key of one configuration, with the file and line that give it.",
        NULL,
        NULL,
        NULL};
    int status = VERDICT_PASS;
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    json_t *root = NULL;
    if (options.name == NULL) {
        root = list_all(&options);
    } else if (strcmp(options.what, "config") == 0) {
        root = options.json ? json_object() : NULL;
        status = list_config(options.name, root);
    } else {
        root = list_mechanism(mechanism_find(options.name), options.json);
    }
    if (root != NULL) {
        cli_print_json(root);
    }
    return status;
}
