/* reasons.c - written reasons for what a rung of the ladder leaves open. */
#include "tb/ladder/reasons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"mutant", "line", "toggle", "bin"};

/* "[7:4]" against "[5]": the pattern's and the name's rest, or false. */
static bool match_range(const char **pattern, const char **name)
{
    unsigned high, low, bit;
    int pattern_end = 0, name_end = 0;
    if (sscanf(*pattern, "[%u:%u]%n", &high, &low, &pattern_end) != 2 || pattern_end == 0 ||
        sscanf(*name, "[%u]%n", &bit, &name_end) != 1 || name_end == 0 || bit > high ||
        bit < low) {
        return false;
    }
    *pattern += pattern_end;
    *name += name_end;
    return true;
}

bool reasons_match(const char *pattern, const char *name)
{
    while (*pattern != '\0') {
        if (*pattern == '*') {
            for (pattern++;; name++) {
                if (reasons_match(pattern, name)) {
                    return true;
                }
                if (*name == '\0') {
                    return false;
                }
            }
        }
        if (*pattern == '[' && match_range(&pattern, &name)) {
            continue;
        }
        if (*pattern++ != *name++) {
            return false;
        }
    }
    return *name == '\0';
}

/* KIND PATTERN because REASON, in place. */
static const char *parse(char *line, struct reason *row)
{
    static const char word[] = " because ";
    char *because = strstr(line, word), *space = strchr(line, ' ');
    if (because == NULL || space == NULL || because <= space) {
        return "write KIND PATTERN because REASON";
    }
    *because = *space = '\0';
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        known |= strcmp(line, kinds[i]) == 0;
    }
    if (!known) {
        return "the kind is mutant, line, toggle or bin";
    }
    row->kind = strdup(line);
    row->pattern = strdup(space + 1 + strspn(space + 1, " "));
    row->words = strdup(because + strlen(word));
    return row->kind && row->pattern && row->words ? NULL : "out of memory";
}

bool reasons_read(struct reasons *reasons, const char *root, const char *unit, char *error,
                  size_t n_error)
{
    char *line = NULL;
    size_t cap = 0;
    memset(reasons, 0, sizeof *reasons);
    snprintf(reasons->path, sizeof reasons->path, "%s/tb/ladder/reasons/%s.list", root, unit);
    FILE *file = fopen(reasons->path, "r");
    const char *wrong = NULL;
    for (unsigned number = 1; file != NULL && wrong == NULL && getline(&line, &cap, file) >= 0;
         number++) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[strspn(line, " ")] == '\0') {
            continue;
        }
        struct reason *rows = realloc(reasons->rows, (reasons->n + 1) * sizeof *rows);
        if (rows == NULL) {
            wrong = "out of memory";
            break;
        }
        reasons->rows = rows;
        rows[reasons->n] = (struct reason){.line = number};
        wrong = parse(line, &rows[reasons->n]);
        reasons->n++;
        if (wrong != NULL) {
            snprintf(error, n_error, "%s:%u: %s", reasons->path, number, wrong);
        }
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return wrong == NULL;
}

void reasons_free(struct reasons *reasons)
{
    for (size_t i = 0; i < reasons->n; i++) {
        free(reasons->rows[i].kind);
        free(reasons->rows[i].pattern);
        free(reasons->rows[i].words);
        free(reasons->rows[i].reached);
    }
    free(reasons->rows);
}

static bool stands_for(const struct reason *row, const char *kind, const char *point)
{
    return strcmp(row->kind, kind) == 0 && reasons_match(row->pattern, point);
}

const char *reasons_of(struct reasons *reasons, const char *kind, const char *point)
{
    const char *words = NULL;
    for (size_t i = 0; i < reasons->n; i++) {
        if (stands_for(&reasons->rows[i], kind, point)) {
            reasons->rows[i].open++;
            words = reasons->rows[i].words;
        }
    }
    return words;
}

void reasons_reached(struct reasons *reasons, const char *kind, const char *point)
{
    for (size_t i = 0; i < reasons->n; i++) {
        struct reason *row = &reasons->rows[i];
        if (row->reached == NULL && stands_for(row, kind, point)) {
            row->reached = strdup(point);
        }
    }
}

bool reasons_wrong(const struct reasons *reasons, const char *kind, size_t i, char *error,
                   size_t n_error)
{
    const struct reason *row = &reasons->rows[i];
    if (strcmp(row->kind, kind) != 0 || (row->reached == NULL && row->open > 0)) {
        return false;
    }
    if (row->reached != NULL) {
        snprintf(error, n_error, "%s:%u: gives a reason for '%s', which was %s; take it out",
                 reasons->path, row->line, row->reached,
                 strcmp(kind, "mutant") == 0 ? "killed" : "covered");
    } else {
        snprintf(error, n_error, "%s:%u: stands for no open %s; take it out or correct it",
                 reasons->path, row->line, kind);
    }
    return true;
}
