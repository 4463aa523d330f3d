/* tree.c - see tree.h. */
#include "base/tree.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tree_own(char *out, size_t n_out)
{
    ssize_t length = readlink("/proc/self/exe", out, n_out - 1);
    char *build = NULL;
    Dl_info self;

    out[length > 0 ? length : 0] = '\0';
    if (dladdr((const void *)tree_root, &self) != 0 && self.dli_fname[0] == '/') {
        snprintf(out, n_out, "%s", self.dli_fname); /* part of a library in another's program */
    }
    for (char *next = strstr(out, "/build/"); next; next = strstr(next + 1, "/build/")) {
        build = next;
    }
    if (build) {
        *build = '\0';
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
