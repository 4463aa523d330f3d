/* tree.c - see tree.h. */
#include "base/tree.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void tree_root(char *out, size_t n_out)
{
    ssize_t length = readlink("/proc/self/exe", out, n_out - 1);
    char *build = NULL;

    out[length > 0 ? length : 0] = '\0';
    for (char *next = strstr(out, "/build/"); next; next = strstr(next + 1, "/build/")) {
        build = next;
    }
    if (build) {
        *build = '\0';
    } else {
        snprintf(out, n_out, ".");
    }
}
