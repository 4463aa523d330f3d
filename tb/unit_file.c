/* unit_file.c - the parameter sets in a unit's file of rows (cmodel/units/unit_file.md). */
#include "tb/unit_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool known_kind(const char *word)
{
    static const char *const kinds[] = {"set",      "mutate", "gates", "prove",
                                        "property", "system", "wave"};
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        known |= strcmp(kinds[i], word) == 0;
    }
    return known;
}

/* K=V,K=V. */
static bool is_set(const char *text)
{
    for (;;) {
        char *end;
        const size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                         "0123456789_");
        if (!isalpha((unsigned char)text[0]) || text[name] != '=') {
            return false;
        }
        const char *value = text + name + 1;
        strtoll(value, &end, 10);
        if (end == value || value[0] == '+' || isspace((unsigned char)value[0])) {
            return false;
        }
        if (*end == '\0') {
            return true;
        }
        if (*end != ',') {
            return false;
        }
        text = end + 1;
    }
}

/* What is wrong with a line and the word that it is about; NULL for nothing. */
static const char *take(struct unit_file *file, char *line, const char **word)
{
    static const char blanks[] = " \t\n";
    char *rest = NULL;
    line[strcspn(line, "#")] = '\0';
    const char *kind = strtok_r(line, blanks, &rest);
    if (kind == NULL) {
        return NULL;
    }
    if (!known_kind(kind)) {
        *word = kind;
        return " is no kind of row; write set, mutate, gates, prove, property, system or wave";
    }
    if (strcmp(kind, "set") != 0) {
        return NULL;
    }
    const char *set = strtok_r(NULL, blanks, &rest);
    if (set == NULL || !is_set(set) || strtok_r(NULL, blanks, &rest) != NULL) {
        return "write set K=V,K=V, one parameter set a row";
    }
    if (file->n_sets == UNIT_FILE_MAX_SETS || strlen(set) >= UNIT_FILE_SET_TEXT) {
        return "more or longer sets than UNIT_FILE_MAX_SETS and UNIT_FILE_SET_TEXT allow";
    }
    strcpy(file->sets[file->n_sets++], set);
    return NULL;
}

bool unit_file_read(struct unit_file *file, const char *path, char *error, size_t n_error)
{
    char *line = NULL;
    size_t cap = 0;
    const char *wrong = NULL;
    FILE *from = fopen(path, "r");
    file->n_sets = 0;
    if (from == NULL) {
        snprintf(error, n_error, "%s: %s; a unit has one, see cmodel/units/unit_file.md", path,
                 strerror(errno));
        return false;
    }
    for (unsigned number = 1; wrong == NULL && getline(&line, &cap, from) >= 0; number++) {
        const char *word = NULL;
        wrong = take(file, line, &word);
        if (wrong != NULL) {
            const char *quote = word != NULL ? "'" : "";
            snprintf(error, n_error, "%s:%u: %s%s%s%s", path, number, quote,
                     word != NULL ? word : "", quote, wrong);
        }
    }
    free(line);
    fclose(from);
    return wrong == NULL;
}
