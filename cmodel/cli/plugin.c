/* plugin.c - see plugin.h. */
#include "cli/plugin.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/abi.h"
#include "base/project.h"
#include "base/tree.h"
#include "mechanisms/mechanism.h"
#include "workloads/workload.h"

/* Has the project C files in one of these places? */
static bool has(const char *project, const char *pattern)
{
    char path[PATH_MAX + 64];
    glob_t found = {0};
    snprintf(path, sizeof path, "%s/%s", project, pattern);
    const bool any = glob(path, 0, NULL, &found) == 0;
    globfree(&found);
    return any;
}

void plugin_path(char *out, size_t n_out)
{
    char project[PATH_MAX], view[PATH_MAX];
    project_folder(project, sizeof project);
    tree_root(view, sizeof view);
    out[0] = '\0';
    if (project[0] != '\0' &&
        (has(project, "cmodel/mechanisms/*/*.c") || has(project, "cmodel/workloads/*/*.c"))) {
        snprintf(out, n_out, "%s/build/plugin/project.so", view);
    }
}

/* Compile by tb/plugin.mk, one program at a time; what the compiler says is passed on as it is. */
static int compile(char *error, size_t n_error)
{
    char view[PATH_MAX], command[PATH_MAX + 160];
    fflush(NULL);
    tree_root(view, sizeof view);
    snprintf(command, sizeof command,
             "MAKEFLAGS= MAKELEVEL= flock '%s/build' make -s --no-print-directory -C '%s' "
             "-f tb/plugin.mk 1>&2",
             view, view);
    if (system(command) != 0) {
        snprintf(error, n_error,
                 "the project's mechanisms and workloads do not compile, see above");
        return -1;
    }
    return 0;
}

/* A name is the tree's or the project's, once. */
static int refuse_twin(const char *kind, const char *name, bool twice, char *error, size_t n_error)
{
    if (twice) {
        snprintf(error, n_error, "two %ss are named %s, one of them the project's; rename that",
                 kind, name);
    }
    return twice ? -1 : 0;
}

static int check_names(char *error, size_t n_error)
{
    const struct workload *const *workloads = workload_project_list();
    int status = 0;
    for (size_t i = 0; status == 0 && mechanism_at(i) != NULL; i++) {
        const char *name = mechanism_at(i)->name;
        status = refuse_twin("mechanism", name, mechanism_find(name) != mechanism_at(i), error,
                             n_error);
    }
    for (size_t i = 0; status == 0 && workloads[i] != NULL; i++) {
        const char *name = workloads[i]->name;
        status = refuse_twin("workload", name, workload_find(name) != workloads[i], error, n_error);
    }
    return status;
}

int plugin_load(bool fresh, char *error, size_t n_error)
{
    char path[PATH_MAX + 64];
    plugin_path(path, sizeof path);
    if (path[0] == '\0') {
        return 0;
    }
    if (fresh && compile(error, n_error) != 0) {
        return -1;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const unsigned *abi = handle != NULL ? dlsym(handle, "project_abi") : NULL;
    if (handle == NULL || abi == NULL) {
        snprintf(error, n_error, "%s", dlerror());
        return -1;
    }
    if (*abi != WARPLOCK_ABI) {
        snprintf(error, n_error,
                 "%s: compiled for version %u of the interface, this warplock has %d; remove it, "
                 "it is then made anew",
                 path, *abi, WARPLOCK_ABI);
        return -1;
    }
    return check_names(error, n_error);
}
