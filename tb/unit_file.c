/* unit_file.c - clock, reason for missing it, and parameter sets of a unit's file (cmodel/units/unit_file.md). */
#include "tb/unit_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n";

static bool known_kind(const char *word)
{
    static const char *const kinds[] = {"clock", "late",  "foreign",  "set",    "mutate",
                                        "gates", "prove", "property", "system", "wave"};
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

static const char *take_set(struct unit_file *file, char **rest)
{
    const char *set = strtok_r(NULL, blanks, rest);
    if (set == NULL || !is_set(set) || strtok_r(NULL, blanks, rest) != NULL) {
        return "write set K=V,K=V, one parameter set a row";
    }
    if (file->n_sets == UNIT_FILE_MAX_SETS || strlen(set) >= UNIT_FILE_SET_TEXT) {
        return "more or longer sets than UNIT_FILE_MAX_SETS and UNIT_FILE_SET_TEXT allow";
    }
    strcpy(file->sets[file->n_sets++], set);
    return NULL;
}

/* The rest of a row, which is not empty, without the blanks at its end. */
static const char *keep_words(char kept[UNIT_FILE_WORDS], const char *words)
{
    size_t n = strlen(words);
    while (strchr(blanks, words[n - 1]) != NULL) {
        n--;
    }
    if (n >= UNIT_FILE_WORDS) {
        return "more words than UNIT_FILE_WORDS allows; put the rest into a comment";
    }
    snprintf(kept, UNIT_FILE_WORDS, "%.*s", (int)n, words);
    return NULL;
}

static const char *take_clock(struct unit_file *file, char **rest)
{
    const char *mhz = strtok_r(NULL, blanks, rest);
    const size_t digits = mhz != NULL ? strspn(mhz, "0123456789") : 0;
    if (file->clock_mhz != 0) {
        return "a second clock row; a unit has one";
    }
    const char *words = *rest + strspn(*rest, blanks);
    if (digits < 1 || digits > 4 || mhz[digits] != '\0' || mhz[0] == '0' || *words == '\0') {
        return "write clock MHZ and the table or section that gives it; "
               "MHZ is a whole number of 1 to 9999";
    }
    file->clock_mhz = (unsigned)strtoul(mhz, NULL, 10);
    return keep_words(file->clock_words, words);
}

static const char *take_late(struct unit_file *file, const char *rest)
{
    const char *words = rest + strspn(rest, blanks);
    if (file->late_words[0] != '\0') {
        return "a second late row; a unit has one";
    }
    return *words != '\0' ? keep_words(file->late_words, words)
                          : "write late and why the unit does not meet its clock";
}

/* What is wrong with a line and the word that it is about; NULL for nothing. */
static const char *take(struct unit_file *file, char *line, const char **word)
{
    char *rest = line; /* after strtok_r: what follows the word */
    line[strcspn(line, "#")] = '\0';
    const char *kind = strtok_r(line, blanks, &rest);
    if (kind == NULL) {
        return NULL;
    }
    if (!known_kind(kind)) {
        *word = kind;
        return " is no kind of row; write clock, late, foreign, set, mutate, gates, prove, property, system or wave";
    }
    if (strcmp(kind, "clock") == 0) {
        return take_clock(file, &rest);
    }
    if (strcmp(kind, "late") == 0) {
        return take_late(file, rest);
    }
    return strcmp(kind, "set") == 0 ? take_set(file, &rest) : NULL;
}

bool unit_file_read(struct unit_file *file, const char *path, char *error, size_t n_error)
{
    char *line = NULL;
    size_t cap = 0;
    const char *wrong = NULL;
    FILE *from = fopen(path, "r");
    *file = (struct unit_file){0};
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
