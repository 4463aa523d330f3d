/* machine.c - see machine.h. */
#include "cli/machine.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/tree.h"

int cli_read_config_file(const char *name, struct gpu_config *config,
                         struct config_origins *origins, char *error, size_t n_error)
{
    char root[PATH_MAX], folder[PATH_MAX + 32], path[PATH_MAX + 256];

    tree_root(root, sizeof root);
    snprintf(folder, sizeof folder, "%s/cmodel/machine/configs", root);
    if (strpbrk(name, "/.")) {
        snprintf(path, sizeof path, "%s", name);
    } else {
        snprintf(path, sizeof path, "%s/%.100s.ini", folder, name);
    }
    config_defaults(config);
    return config_read(config, path, folder, origins, error, n_error);
}

int cli_read_config(const char *name, const char *const *set, size_t n_sets,
                    struct gpu_config *config, char *error, size_t n_error)
{
    if (cli_read_config_file(name, config, NULL, error, n_error) != 0) {
        return -1;
    }
    for (size_t s = 0; s < n_sets; s++) {
        if (config_set(config, set[s], error, n_error) != 0) {
            return -1;
        }
    }
    return config_check(config, error, n_error);
}
