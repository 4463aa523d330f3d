/* cmd_script.c - commands that are scripts of the tree: levels of verification, and waveforms.
 *
 * They run at the root of the tree or of the project's view, as `make` runs them; units are named as
 * everywhere, and results lie in build/ there. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/tree.h"
#include "base/verdict.h"
#include "cli/commands.h"
#include "cli/script.h"

static void print_help(const char *command, const char *usage, const char *doc)
{
    printf("Usage: %s %s\n%s\n", command, usage, doc);
}

int script_become(const char *script, const char *first, int argc, char **argv)
{
    enum { MOST = 64 };
    char root[PATH_MAX], path[PATH_MAX + 128], *arguments[MOST];
    int n = 0;
    tree_root(root, sizeof root);
    snprintf(path, sizeof path, "%s/%s", root, script);
    arguments[n++] = path;
    if (first != NULL) {
        arguments[n++] = (char *)first;
    }
    for (int i = 1; i < argc && n + 1 < MOST; i++) {
        arguments[n++] = argv[i];
    }
    arguments[n] = NULL;
    if (chdir(root) == 0) {
        execv(path, arguments);
    }
    fprintf(stderr, "warplock: %s: %s\n", path, strerror(errno));
    return VERDICT_BUILD;
}

static int run(const char *script, const char *first, const char *usage, const char *doc, int argc,
               char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        print_help(argv[0], usage, doc);
        return VERDICT_PASS;
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            fprintf(stderr, "warplock: no option '%s' here; `%s --help` says what there is\n",
                    argv[i], argv[0]);
            return VERDICT_USAGE;
        }
    }
    return script_become(script, first, argc, argv);
}

int cmd_properties(int argc, char **argv)
{
    return run(
        "tb/prove/properties.sh", NULL, "[UNIT...]",
        "Prove the assertions of the units' .props.v, from reset on: the `property` rows of\n"
        "the units' files.  Exit status: 0 all hold, 1 one fails, 5 some open.",
        argc, argv);
}

int cmd_fuzz(int argc, char **argv)
{
    return run("tb/ladder/fuzz.sh", NULL, "UNIT [SECONDS]",
               "Let libFuzzer look for inputs on which C model and RTL of a unit differ.\n"
               "Exit status: 0 none found, 1 a difference, 6 it does not build.",
               argc, argv);
}

int cmd_waves(int argc, char **argv)
{
    return run(
        "waves/waves.sh", "show", "[UNIT]",
        "Record a unit's worked example and open GTKWave; without a display, or without UNIT\n"
        "(then for all), make pictures: build/waves/UNIT.png.",
        argc, argv);
}

int cmd_mutate(int argc, char **argv)
{
    return script_become("build/ladder", "mutate", argc, argv);
}

int cmd_coverage(int argc, char **argv)
{
    return script_become("build/ladder", "coverage", argc, argv);
}
