/* list_config.c - see list_config.h. */
#include "cli/list_config.h"

#include <stdio.h>
#include <string.h>

#include "base/tree.h"
#include "base/verdict.h"
#include "cli/machine.h"

/* "file:line" of a key, the file as seen from the tree. */
static void place_of(const struct config_origins *origins, size_t key, char *out, size_t n_out)
{
    const struct config_origin *origin = &origins->of[key];
    const char *file = origins->files[origin->file];
    char root[CONFIG_PATH];

    tree_root(root, sizeof root);
    const size_t n = strlen(root);
    if (origin->line == 0) {
        snprintf(out, n_out, "default");
    } else {
        file += strncmp(file, root, n) == 0 && file[n] == '/' ? n + 1 : 0;
        snprintf(out, n_out, "%s:%u", file, origin->line);
    }
}

int list_config(const char *name, json_t *root)
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
