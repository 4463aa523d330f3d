/* reasons.c - written reasons for what tests leave open. */
#include "tb/reasons.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"mutant", "line", "toggle", "name", "guard", "bin"};

/* A pattern as fnmatch(3) takes it: [7:4] becomes any of the bits, `*` stays, all else stands
 * for itself.  NULL when memory is out. */
static char *glob_of(const char *pattern)
{
    char *glob = NULL;
    size_t size;
    FILE *to = open_memstream(&glob, &size);
    while (to != NULL && *pattern != '\0') {
        unsigned high, low;
        int end = 0;
        if (sscanf(pattern, "[%u:%u]%n", &high, &low, &end) == 2 && end > 0 && low <= high) {
            fprintf(to, "\\[@(%u", low);
            while (low++ < high) {
                fprintf(to, "|%u", low);
            }
            fputs(")\\]", to);
            pattern += end;
            continue;
        }
        if (*pattern != '*' && !isalnum((unsigned char)*pattern)) {
            fputc('\\', to);
        }
        fputc(*pattern++, to);
    }
    if (to != NULL) {
        fclose(to);
    }
    return glob;
}

/* How many points a pattern without `*` stands for: the bits of its ranges. */
static unsigned points_of(const char *pattern)
{
    unsigned high, low, points = 1;
    for (const char *at = pattern; (at = strchr(at, '[')) != NULL; at++) {
        if (sscanf(at, "[%u:%u]", &high, &low) == 2 && high >= low) {
            points *= high - low + 1;
        }
    }
    return points;
}

static bool known_kind(const char *kind)
{
    bool known = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        known |= strcmp(kind, kinds[i]) == 0;
    }
    return known;
}

/* KIND [N of] PATTERN because REASON, in place. */
static const char *parse(char *line, struct reason *row)
{
    static const char word[] = " because ";
    char *because = strstr(line, word), *pattern = strchr(line, ' ');
    int after = 0;
    unsigned n = 0;
    if (because == NULL || pattern == NULL || because <= pattern) {
        return "write KIND PATTERN because REASON";
    }
    *because = *pattern = '\0';
    pattern += 1 + strspn(pattern + 1, " ");
    if (!known_kind(line)) {
        return "the kind is mutant, line, toggle, name, guard or bin";
    }
    const bool is_mutant = strcmp(line, "mutant") == 0;
    if (sscanf(pattern, "%u of %n", &n, &after) == 1 && after > 0) {
        pattern += after;
    } else if (!is_mutant && strchr(pattern, '*') != NULL) {
        return "a pattern with * says for how many points it stands; write KIND N of PATTERN";
    }
    row->kind = strdup(line);
    row->glob = glob_of(pattern);
    row->words = strdup(because + strlen(word));
    row->expected = is_mutant                     ? 0
                    : after > 0                   ? n
                    : strcmp(line, "toggle") == 0 ? points_of(pattern)
                                                  : 1;
    return row->kind && row->glob && row->words ? NULL : "out of memory";
}

/* One more row, from a line of `path`; what is wrong with it, or NULL. */
static const char *add(struct reasons *reasons, const char *path, unsigned number, char *line)
{
    struct reason *rows = realloc(reasons->rows, (reasons->n + 1) * sizeof *rows);
    if (rows == NULL) {
        return "out of memory";
    }
    reasons->rows = rows;
    rows[reasons->n] = (struct reason){.line = number, .file = strdup(path)};
    return rows[reasons->n++].file == NULL ? "out of memory" : parse(line, &rows[reasons->n - 1]);
}

bool reasons_read(struct reasons *reasons, const char *path, char *error, size_t n_error)
{
    char *line = NULL;
    size_t cap = 0;
    FILE *file = fopen(path, "r");
    const char *wrong = NULL;
    for (unsigned number = 1; file != NULL && wrong == NULL && getline(&line, &cap, file) >= 0;
         number++) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[strspn(line, " ")] == '\0') {
            continue;
        }
        wrong = add(reasons, path, number, line);
        if (wrong != NULL) {
            snprintf(error, n_error, "%s:%u: %s", path, number, wrong);
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
        free(reasons->rows[i].glob);
        free(reasons->rows[i].words);
        free(reasons->rows[i].file);
        free(reasons->rows[i].reached);
    }
    free(reasons->rows);
}

static bool stands_for(const struct reason *row, const char *kind, const char *point)
{
    return strcmp(row->kind, kind) == 0 && fnmatch(row->glob, point, FNM_EXTMATCH) == 0;
}

const char *reasons_of(const struct reasons *reasons, const char *kind, const char *point)
{
    const char *words = NULL;
    for (size_t i = 0; i < reasons->n; i++) {
        if (stands_for(&reasons->rows[i], kind, point)) {
            words = reasons->rows[i].words;
        }
    }
    return words;
}

const char *reasons_open(struct reasons *reasons, const char *kind, const char *point)
{
    for (size_t i = 0; i < reasons->n; i++) {
        reasons->rows[i].open += stands_for(&reasons->rows[i], kind, point);
    }
    return reasons_of(reasons, kind, point);
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

bool reasons_wrong(const struct reasons *reasons, const char *kind, size_t i, bool all, char *error,
                   size_t n_error)
{
    const struct reason *row = &reasons->rows[i];
    const bool other_number = row->expected > 0 ? row->open != row->expected : row->open == 0;
    if (strcmp(row->kind, kind) != 0 || (row->reached == NULL && !(all && other_number))) {
        return false;
    }
    if (row->reached != NULL) {
        snprintf(error, n_error, "%s:%u: gives a reason for '%s', which was %s; take it out",
                 row->file, row->line, row->reached,
                 strcmp(kind, "mutant") == 0 ? "killed" : "covered");
    } else if (row->open == 0) {
        snprintf(error, n_error, "%s:%u: stands for no open %s; take it out or correct it",
                 row->file, row->line, kind);
    } else {
        snprintf(error, n_error, "%s:%u: stands for %u open points and not for %u; correct it",
                 row->file, row->line, row->open, row->expected);
    }
    return true;
}
