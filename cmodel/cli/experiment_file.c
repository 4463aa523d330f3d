/* experiment_file.c - see experiment_file.h. */
#include "cli/experiment_file.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/tree.h"

/* Beside the folders of the documents there are three with lists that experiments name. */
static bool is_list(const char *root, const char *path)
{
    const char *in = path + strlen(root) + strlen("/experiments/");
    return strncmp(in, "metrics/", 8) == 0 || strncmp(in, "workloads/", 10) == 0 ||
           strncmp(in, "causes/", 7) == 0;
}

static bool find_file(const char *name, char *path, size_t n)
{
    char root[PATH_MAX];
    glob_t found = {0};
    if (strchr(name, '/') != NULL || strchr(name, '.') != NULL) {
        snprintf(path, n, "%s", name);
        return true;
    }
    tree_root(root, sizeof root);
    snprintf(path, n, "%s/experiments/*/%s.json", root, name);
    const size_t paths = glob(path, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    bool there = false;
    for (size_t i = 0; i < paths && !there; i++) {
        there = !is_list(root, found.gl_pathv[i]);
        snprintf(path, n, "%s", found.gl_pathv[i]);
    }
    globfree(&found);
    return there;
}

struct experiment *experiment_named(const char *name)
{
    char path[PATH_MAX], error[1024];
    if (!find_file(name, path, sizeof path)) {
        fprintf(stderr,
                "warplock: no experiment named '%s'; `warplock list experiments` shows all, or "
                "give a file's path\n",
                name);
        return NULL;
    }
    struct experiment *experiment = experiment_read(path, error, sizeof error);
    if (experiment == NULL) {
        fprintf(stderr, "warplock: %s\n", error);
    }
    return experiment;
}

void experiment_each(void (*take)(void *context, struct experiment *one, const char *path,
                                  const char *error),
                     void *context)
{
    char root[PATH_MAX], pattern[PATH_MAX + 64], error[1024];
    glob_t found = {0};
    tree_root(root, sizeof root);
    snprintf(pattern, sizeof pattern, "%s/experiments/*/*.json", root);
    const size_t n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < n; i++) {
        const char *path = found.gl_pathv[i];
        if (!is_list(root, path)) {
            take(context, experiment_read(path, error, sizeof error), path, error);
        }
    }
    globfree(&found);
}
