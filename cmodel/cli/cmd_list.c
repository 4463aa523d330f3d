/* cmd_list.c - `warplock list [WHAT]`: what there is to name on the command line. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "mechanisms/mechanism.h"
#include "tb/backend.h"
#include "workloads/workload.h"

struct options {
    const char *what;
    bool json;
};

static const struct argp_option option_table[] = {{"json", 'j', NULL, 0, "print JSON", 0},
                                                  {NULL, 0, NULL, 0, NULL, 0}};

/* One row: name, and a word or two about it. */
static void row(json_t *list, const char *name, const char *about)
{
    if (list != NULL) {
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", name, "about", about));
    } else {
        printf("  %-18s %s\n", name, about);
    }
}

static void list_units(json_t *list)
{
    struct library *library = library_new(NULL);
    for (size_t i = 0; i < library_n_units(library); i++) {
        struct failure failure;
        const struct unit_backend *model = library_open(library, library_unit(library, i), "", "c",
                                                        &failure);
        const char *slash = strrchr(library_unit(library, i), '/');
        row(list, slash != NULL ? slash + 1 : library_unit(library, i),
            model != NULL ? model->desc->title : "does not build; `warplock check` says why");
    }
    library_free(library);
}

static void list_workloads(json_t *list)
{
    const struct workload *const *workloads = workload_list();
    for (size_t i = 0; workloads[i] != NULL; i++) {
        row(list, workloads[i]->name, workloads[i]->title);
    }
}

/* The first comment line of each configuration says what it is. */
static void list_configurations(json_t *list)
{
    struct library *library = library_new(NULL);
    char folder[4200], path[4600], line[256];
    snprintf(folder, sizeof folder, "%s/cmodel/machine/configs", library_root(library));
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
    library_free(library);
}

static void list_mechanisms(json_t *list)
{
    for (size_t i = 0; mechanism_name(i) != NULL; i++) {
        row(list, mechanism_name(i), mechanism_about(i));
    }
}

static const struct {
    const char *name;
    void (*list)(json_t *list);
} lists[] = {{"units", list_units},
             {"workloads", list_workloads},
             {"configurations", list_configurations},
             {"mechanisms", list_mechanisms}};
enum { N_LISTS = sizeof lists / sizeof *lists };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == 'j') {
        options->json = true;
        return 0;
    }
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    for (size_t i = 0; i < N_LISTS; i++) {
        if (strcmp(arg, lists[i].name) == 0) {
            options->what = arg;
            return 0;
        }
    }
    argp_error(state, "nothing called '%s' to list; leave it out to list everything", arg);
    return EINVAL;
}

int cmd_list(int argc, char **argv)
{
    struct options options = {NULL, false};
    const struct argp argp = {
        option_table, parse, "[WHAT]", "List what can be named on the command line.",
        NULL,         NULL,  NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    json_t *root = options.json ? json_object() : NULL;
    for (size_t i = 0; i < N_LISTS; i++) {
        if (options.what != NULL && strcmp(options.what, lists[i].name) != 0) {
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
    if (root != NULL) {
        cli_print_json(root);
    }
    return VERDICT_PASS;
}
