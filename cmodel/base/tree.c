/* tree.c - see tree.h. */
#include "base/tree.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that this code is in: the program, or the library that another program has loaded. */
static void own_file(char *out, size_t n_out)
{
    Dl_info info;
    const char *name = dladdr((const void *)own_file, &info) != 0 ? info.dli_fname : "";
    char *whole = strstr(name, ".so") != NULL ? realpath(name, NULL) : NULL;
    const ssize_t length = whole != NULL ? -1 : readlink("/proc/self/exe", out, n_out - 1);
    if (whole != NULL) {
        snprintf(out, n_out, "%s", whole);
    } else {
        out[length > 0 ? length : 0] = '\0';
    }
    free(whole);
}

void tree_own(char *out, size_t n_out)
{
    char *build = NULL, *name;

    own_file(out, n_out);
    for (char *next = strstr(out, "/build/"); next; next = strstr(next + 1, "/build/")) {
        build = next;
    }
    name = strrchr(out, '/');
    if (build) {
        *build = '\0';
    } else if (name != NULL && strstr(name, ".so") != NULL) {
        snprintf(name, n_out - (size_t)(name - out), "/warplock");
    } else {
        snprintf(out, n_out, ".");
    }
}

void tree_root(char *out, size_t n_out)
{
    const char *chosen = getenv(TREE_VARIABLE);

    if (chosen != NULL && *chosen != '\0') {
        snprintf(out, n_out, "%s", chosen);
    } else {
        tree_own(out, n_out);
    }
}
