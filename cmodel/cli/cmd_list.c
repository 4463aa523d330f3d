/* cmd_list.c - `warplock list [WHAT]`: what there is to name on the command line, and what a
 * configuration comes to. */
#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "mechanisms/mechanism.h"
#include "tb/backend.h"
#include "workloads/workload.h"

struct options {
    const char *what, *config;
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

/* "file:line" of a key, the file as seen from the tree. */
static void place_of(const struct config_origins *origins, size_t key, char *out, size_t n_out)
{
    const struct config_origin *origin = &origins->of[key];
    const char *file = origins->files[origin->file];
    char root[CONFIG_PATH];

    cli_tree_root(root, sizeof root);
    const size_t n = strlen(root);
    if (origin->line == 0) {
        snprintf(out, n_out, "default");
    } else {
        file += strncmp(file, root, n) == 0 && file[n] == '/' ? n + 1 : 0;
        snprintf(out, n_out, "%s:%u", file, origin->line);
    }
}

/* Every key of a configuration: its value and where it was written. */
static int list_config(const char *name, json_t *root)
{
    struct gpu_config config;
    struct config_origins origins;
    char error[1200];

    if (cli_read_config_file(name, &config, &origins, error, sizeof error) != 0 ||
        config_check(&config, error, sizeof error) != 0) {
        fprintf(stderr, "warplock: %s\n", error);
        return VERDICT_USAGE;
    }
    for (size_t k = 0; k < CONFIG_KEYS; k++) {
        char key[64], value[32], place[CONFIG_PATH + 16];
        config_key_name(k, key, sizeof key);
        config_key_value(&config, k, value, sizeof value);
        place_of(&origins, k, place, sizeof place);
        if (root != NULL) {
            json_object_set_new(root, key, json_pack("{s:s, s:s}", "value", value, "from", place));
        } else {
            printf("%-24s = %-16s %s\n", key, value, place);
        }
    }
    return VERDICT_PASS;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;
    const bool names_config = options->what != NULL && strcmp(options->what, "config") == 0;
    if (key == 'j') {
        options->json = true;
        return 0;
    }
    if (key == ARGP_KEY_END && names_config && options->config == NULL) {
        argp_error(state, "which one?  `warplock list configurations` shows all");
    }
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    if (names_config && options->config == NULL) {
        options->config = arg;
        return 0;
    }
    if (options->what == NULL && strcmp(arg, "config") == 0) {
        options->what = arg;
        return 0;
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

static void list_all(const char *what, json_t *root)
{
    for (size_t i = 0; i < N_LISTS; i++) {
        if (what != NULL && strcmp(what, lists[i].name) != 0) {
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
}

int cmd_list(int argc, char **argv)
{
    struct options options = {NULL, NULL, false};
    int verdict = VERDICT_PASS;
    const struct argp argp = {option_table,
                              parse,
                              "[WHAT]\nconfig NAME|FILE.ini",
                              "List what can be named on the command line: units, workloads, "
                              "configurations, mechanisms; or every key of one configuration, "
                              "its value and the line of the file that gives it.",
                              NULL,
                              NULL,
                              NULL};
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    json_t *root = options.json ? json_object() : NULL;
    if (options.config != NULL) {
        verdict = list_config(options.config, root);
    } else {
        list_all(options.what, root);
    }
    if (root != NULL && verdict == VERDICT_PASS) {
        cli_print_json(root);
    } else {
        json_decref(root);
    }
    return verdict;
}
