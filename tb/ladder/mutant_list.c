/* mutant_list.c - the mutants of a unit as Yosys lists them. */
#include "tb/ladder/mutant_list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/ladder/source.h"

/* What the words of one line say. */
struct words {
    char mode[8], operator[40], port[16], wire[96], source[96];
    int bit, wire_bit;
};

/* "$flatten\u_x.$ne$rtl/f.v:34$17" -> "ne". */
static void operator_of(const char *cell, char *operator, size_t n)
{
    const char *dollar = strrchr(cell, '$');
    const char *at = cell;
    for (const char *next = cell; (next = strchr(next, '$')) != NULL && next != dollar; next++) {
        if (strncmp(next, "$flatten", 8) != 0 && strncmp(next, "$rtl/", 5) != 0 &&
            strncmp(next, "$auto", 5) != 0) {
            at = next + 1;
            break;
        }
    }
    snprintf(operator, n, "%.*s", (int)strcspn(at, "$"), at);
    const char *colon = strrchr(operator, ':'); /* "file.cc:278:simplemap_mux" of Yosys */
    if (colon != NULL) {
        memmove(operator, colon + 1, strlen(colon));
    }
}

/* "$flatten\u_x.$ne$rtl/f.v:34$17" was written at rtl/f.v:34, wherever its module stands. */
static void note_cell(struct words *words, const char *cell)
{
    const char *end = strrchr(cell, '$'), *at = end, *line = end;
    while (line != NULL && line > cell && isdigit((unsigned char)line[-1])) {
        line--;
    }
    while (at != NULL && at > cell && at[-1] != '$') {
        at--;
    }
    if (line != end && line - at > 1 && line[-1] == ':' && at[0] != '/') {
        snprintf(words->source, sizeof words->source, "%.*s", (int)(end - at), at);
    }
}

/* Of a cell whose name does not say it: the last place with a line number is the innermost. */
static void note_source(struct words *words, const char *place)
{
    const char *colon = strrchr(place, ':');
    if (colon != NULL && place[0] != '/' && strtoul(colon + 1, NULL, 10) > 0) {
        snprintf(words->source, sizeof words->source, "%.*s%lu", (int)(colon - place + 1), place,
                 strtoul(colon + 1, NULL, 10));
    }
}

static void read_words(char *line, struct words *words)
{
    memset(words, 0, sizeof *words);
    words->wire_bit = -1;
    char *rest = NULL;
    bool named = false;
    for (char *key = strtok_r(line, " \n", &rest); key != NULL;
         key = strtok_r(NULL, " \n", &rest)) {
        const char *value = strtok_r(NULL, " \n", &rest);
        if (value == NULL) {
            return;
        }
        if (strcmp(key, "-mode") == 0) {
            snprintf(words->mode, sizeof words->mode, "%s", value);
        } else if (strcmp(key, "-cell") == 0) {
            operator_of(value, words->operator, sizeof words->operator);
            note_cell(words, value);
            named = words->source[0] != '\0';
        } else if (strcmp(key, "-port") == 0) {
            snprintf(words->port, sizeof words->port, "%s", value + (value[0] == '\\'));
        } else if (strcmp(key, "-portbit") == 0) {
            words->bit = atoi(value);
        } else if (strcmp(key, "-wire") == 0) {
            snprintf(words->wire, sizeof words->wire, "%s", value + (value[0] == '\\'));
        } else if (strcmp(key, "-wirebit") == 0) {
            words->wire_bit = atoi(value);
        } else if (strcmp(key, "-src") == 0 && !named) {
            note_source(words, value);
        }
    }
}

static void name_mutant(struct mutant *mutant, const struct words *words, const char *root)
{
    char text[SOURCE_TEXT] = "", wire[128] = "", file[96] = "";
    const char *colon = strrchr(words->source, ':'), *slash = strrchr(words->source, '/');
    snprintf(mutant->mode, sizeof mutant->mode, "%s", words->mode);
    snprintf(mutant->source, sizeof mutant->source, "%s", words->source);
    if (colon != NULL) {
        char path[96];
        snprintf(path, sizeof path, "%.*s", (int)(colon - words->source), words->source);
        snprintf(file, sizeof file, "%.*s", (int)(colon - slash - 1), slash + 1);
        source_text(root, path, (unsigned)strtoul(colon + 1, NULL, 10), text);
    }
    if (words->wire[0] != '\0') {
        snprintf(wire, sizeof wire, " %s[%d]", words->wire, words->wire_bit);
    }
    snprintf(mutant->name, sizeof mutant->name, "%s %s %s.%s[%d]%s: %s", file, words->mode,
             words->operator, words->port, words->bit, wire, text);
}

bool mutant_list_read(struct mutant_list *list, const char *path, const char *root)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0;
    memset(list, 0, sizeof *list);
    bool good = file != NULL;
    while (good && getline(&line, &cap, file) >= 0) {
        struct mutant *more = realloc(list->mutants, (list->n + 1) * sizeof *more);
        good = more != NULL;
        if (good) {
            struct words words;
            list->mutants = more;
            read_words(line, &words);
            name_mutant(&more[list->n++], &words, root);
        }
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    return good;
}

void mutant_list_free(struct mutant_list *list)
{
    free(list->mutants);
}
