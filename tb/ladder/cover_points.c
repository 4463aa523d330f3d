/* cover_points.c - points of line, toggle and functional coverage, merged over runs. */
#include "tb/ladder/cover_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "tb/ladder/source.h"

struct entry {
    struct cover_point point;
    char *key; /* kind, file, line, column and what Verilator calls it */
    UT_hash_handle hh;
};
struct cover_points {
    struct entry *entries;
    const struct cover_point **sorted;
};

struct cover_points *cover_points_new(void)
{
    return calloc(1, sizeof(struct cover_points));
}

void cover_points_free(struct cover_points *points)
{
    struct entry *entry, *next;
    if (points == NULL) {
        return;
    }
    HASH_ITER(hh, points->entries, entry, next)
    {
        HASH_DEL(points->entries, entry);
        free(entry->key);
        free(entry->point.name);
        free(entry->point.signal);
        free(entry);
    }
    free(points->sorted);
    free(points);
}

/* The entry of `key`; `*fresh` when it was made and has no name yet.  NULL: out of memory. */
static struct entry *entry_of(struct cover_points *points, const char *key, bool *fresh)
{
    struct entry *entry;
    HASH_FIND_STR(points->entries, key, entry);
    *fresh = entry == NULL;
    if (entry != NULL) {
        return entry;
    }
    entry = calloc(1, sizeof *entry);
    if (entry == NULL || (entry->key = strdup(key)) == NULL) {
        free(entry);
        return NULL;
    }
    HASH_ADD_KEYPTR(hh, points->entries, entry->key, strlen(entry->key), entry);
    return entry;
}

static bool name(struct entry *entry, const char *kind, const char *words)
{
    const char *bracket = strrchr(words, '[');
    const size_t length = strlen(words);
    const bool is_bit = strcmp(kind, "toggle") == 0 && bracket != NULL && words[length - 1] == ']';
    entry->point.kind = kind;
    entry->point.name = strdup(words);
    entry->point.signal = strndup(words, is_bit ? (size_t)(bracket - words) : length);
    entry->point.bit = is_bit ? strtol(bracket + 1, NULL, 10) : -1;
    return entry->point.name != NULL && entry->point.signal != NULL;
}

/* A field of one line: \1 KEY \2 VALUE. */
static bool field(const char *line, const char *key, char *value, size_t n)
{
    char start[24];
    snprintf(start, sizeof start, "\1%s\2", key);
    const char *at = strstr(line, start);
    value[0] = '\0';
    if (at != NULL) {
        at += strlen(start);
        snprintf(value, n, "%.*s", (int)strcspn(at, "\1'"), at);
    }
    return at != NULL;
}

static bool add_line(struct cover_points *points, const char *line, const char *root,
                     bool lines_alone)
{
    char file[160], number[16], column[16], page[96], what[160], key[512];
    const char *end = strrchr(line, '\'');
    if (end == NULL || !field(line, "f", file, sizeof file) ||
        !field(line, "l", number, sizeof number) || !field(line, "n", column, sizeof column) ||
        !field(line, "page", page, sizeof page) || !field(line, "o", what, sizeof what)) {
        return false;
    }
    const bool toggle = strncmp(page, "v_toggle", 8) == 0;
    if (toggle && strncmp(what, "unused", 6) == 0) {
        return true;
    }
    bool fresh;
    snprintf(key, sizeof key, "%s:%s:%s %d %s", file, number, column, toggle, what);
    struct entry *entry = entry_of(points, key, &fresh);
    if (entry == NULL) {
        return false;
    }
    entry->point.applies = true;
    entry->point.count += toggle && lines_alone ? 0 : strtoull(end + 1, NULL, 10);
    if (!fresh) {
        return true;
    }
    char words[512], text[SOURCE_TEXT] = "";
    const char *slash = strrchr(file, '/');
    if (!toggle) {
        source_text(root, file, (unsigned)strtoul(number, NULL, 10), text);
    }
    snprintf(words, sizeof words, "%s %s%s%s", slash != NULL ? slash + 1 : file, what,
             toggle ? "" : ": ", text);
    return name(entry, toggle ? "toggle" : "line", words);
}

bool cover_points_read(struct cover_points *points, const char *path, const char *root,
                       bool lines_alone)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0;
    bool good = file != NULL;
    while (good && getline(&line, &cap, file) >= 0) {
        good = line[0] != 'C' || add_line(points, line, root, lines_alone);
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return good;
}

bool cover_points_functional(struct cover_points *points, const char *kind, const char *words,
                             bool applies, uint64_t count)
{
    bool fresh;
    char key[512];
    snprintf(key, sizeof key, "%s %s", kind, words);
    struct entry *entry = entry_of(points, key, &fresh);
    if (entry == NULL) {
        return false;
    }
    entry->point.count += applies ? count : 0;
    entry->point.applies |= applies;
    return !fresh || name(entry, kind, words);
}

static int by_name(const void *a_, const void *b_)
{
    const struct cover_point *a = *(const struct cover_point *const *)a_;
    const struct cover_point *b = *(const struct cover_point *const *)b_;
    const int kind = strcmp(a->kind, b->kind), signal = strcmp(a->signal, b->signal);
    return kind != 0 ? kind : signal != 0 ? signal : (a->bit > b->bit) - (a->bit < b->bit);
}

const struct cover_point *const *cover_points_sorted(struct cover_points *points, size_t *n)
{
    struct entry *entry, *next;
    free(points->sorted);
    points->sorted = calloc(HASH_COUNT(points->entries) + 1, sizeof *points->sorted);
    *n = 0;
    if (points->sorted != NULL) {
        HASH_ITER(hh, points->entries, entry, next)
        {
            points->sorted[(*n)++] = &entry->point;
        }
        qsort(points->sorted, *n, sizeof *points->sorted, by_name);
    }
    return points->sorted;
}
