/* machine.c - see machine.h. */
#include "cli/machine.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cli_tree_root(char *out, size_t n_out)
{
#ifdef WARPLOCK_ROOT
    snprintf(out, n_out, "%s", WARPLOCK_ROOT);
#else
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    self[n > 0 ? n : 0] = '\0';
    for (int up = 0; up < 2 && strrchr(self, '/'); up++) {
        *strrchr(self, '/') = '\0';
    }
    snprintf(out, n_out, "%s", self[0] ? self : ".");
#endif
}

int cli_read_config(const char *name, const char *const *set, size_t n_sets,
                    struct gpu_config *config, char *error, size_t n_error)
{
    char root[PATH_MAX], path[PATH_MAX + 64];

    cli_tree_root(root, sizeof root);
    if (strchr(name, '/') || strchr(name, '.')) {
        snprintf(path, sizeof path, "%s", name);
    } else {
        snprintf(path, sizeof path, "%s/cmodel/machine/configs/%s.ini", root, name);
    }
    config_defaults(config);
    if (config_read(config, path, error, n_error) != 0) {
        return -1;
    }
    for (size_t s = 0; s < n_sets; s++) {
        if (config_set(config, set[s], error, n_error) != 0) {
            return -1;
        }
    }
    return config_check(config, error, n_error);
}
