/* project_files.c - see project_files.h. */
#include "cli/project_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/project.h"
#include "base/tree.h"
#include "tb/backend.h"

bool project_is_name(const char *text, char *error, size_t n_error)
{
    static const char *const taken[] = {
        "module", "reg",      "wire",    "input",    "output", "begin", "end",    "case",
        "always", "assign",   "initial", "int",      "char",   "for",   "if",     "else",
        "while",  "do",       "void",    "struct",   "static", "const", "break",  "return",
        "switch", "default",  "double",  "float",    "long",   "short", "signed", "unsigned",
        "inline", "register", "integer", "function", "task",   "common"};
    bool good = strlen(text) < 32 && text[0] >= 'a' && text[0] <= 'z' &&
                strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(text);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        good = good && strcmp(text, taken[i]) != 0;
    }
    if (!good) {
        snprintf(error, n_error,
                 "'%s' cannot be a name; use at most 31 of a-z, 0-9 and _, a letter first, and "
                 "no word of C or Verilog",
                 text);
    }
    return good;
}

bool project_has_unit(const char *name, char *error, size_t n_error)
{
    struct library *units = library_new(NULL);
    bool taken = false;
    for (size_t i = 0; units != NULL && i < library_n_units(units); i++) {
        taken |= strcmp(strrchr(library_unit(units, i), '/') + 1, name) == 0;
    }
    library_free(units);
    if (taken) {
        snprintf(error, n_error, "there is a unit named %s; choose another name", name);
    }
    return taken;
}

int project_begin(const char *name, const struct template_word *words, size_t n_words,
                  char *project, char *error, size_t n_error)
{
    char root[PATH_MAX], from[PATH_MAX + 64];
    project_folder(project, PATH_MAX);
    if (project[0] != '\0') {
        return 0;
    }
    if (mkdir(name, 0777) != 0 && errno != EEXIST) {
        snprintf(error, n_error, "%s: %s", name, strerror(errno));
        return -1;
    }
    char *absolute = realpath(name, NULL);
    snprintf(project, PATH_MAX, "%s", absolute != NULL ? absolute : name);
    free(absolute);
    tree_root(root, sizeof root);
    snprintf(from, sizeof from, "%s/tb/templates/project", root);
    return template_write(from, project, words, n_words, error, n_error);
}

int project_add_unit(const char *project, const char *family, const char *name, char *error,
                     size_t n_error)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/cmodel/units/units.list", project);
    FILE *list = fopen(path, "a");
    const bool written = list != NULL && fprintf(list, "%s/%s\n", family, name) > 0;
    if (list == NULL || fclose(list) != 0 || !written) {
        snprintf(error, n_error, "%s: %s", path, strerror(errno));
        return -1;
    }
    return 0;
}
