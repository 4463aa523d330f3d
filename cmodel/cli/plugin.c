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

/* Compile by tb/plugin.mk; what the compiler says is passed on as it is. */
static int compile(const char *view, char *error, size_t n_error)
{
    char command[PATH_MAX + 128];
    fflush(NULL);
    snprintf(command, sizeof command,
             "MAKEFLAGS= MAKELEVEL= make -s --no-print-directory -C '%s' -f tb/plugin.mk 1>&2",
             view);
    if (system(command) != 0) {
        snprintf(error, n_error,
                 "the project's mechanisms and workloads do not compile, see above");
        return -1;
    }
    return 0;
}

int plugin_load(char *error, size_t n_error)
{
    char project[PATH_MAX], view[PATH_MAX], path[PATH_MAX + 64];
    project_folder(project, sizeof project);
    if (project[0] == '\0' ||
        (!has(project, "cmodel/mechanisms/*/*.c") && !has(project, "cmodel/workloads/*/*.c"))) {
        return 0;
    }
    tree_root(view, sizeof view);
    if (compile(view, error, n_error) != 0) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/build/plugin/project.so", view);
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
    return 0;
}
