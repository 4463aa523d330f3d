/* ini_text.c - see ini_text.h. */
#include "machine/config/ini_text.h"

#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INI_TEXT_MAX_BYTES = 1 << 20, INI_TEXT_LINE_BYTES = 190 };

struct ini_text {
    const char *file, *at;
    unsigned line;
    bool too_long;
    const char *whole; /* the value of a line that is longer than inih takes, else NULL */
    size_t n_whole;
    ini_entry entry;
    void *user;
    char *error;
    size_t n_error;
};

/* Of a long line `key = value` inih gets the key and the value's first character: handle() has the
 * rest.  False when it is no such line. */
static bool shorten(struct ini_text *text, const char *line, size_t length, char *out)
{
    size_t key = strcspn(line, "=\n"), value = key + 1;

    value += key < length ? strspn(line + value, " \t") : 0;
    if (value >= length || value + 2 > INI_TEXT_LINE_BYTES || line[0] == ' ' || line[0] == '[') {
        return false;
    }
    text->whole = line + value;
    text->n_whole = length - value;
    memcpy(out, line, value + 1);
    out[value + 1] = '\0';
    return true;
}

/* inih asks for lines here, which is how the current line number is known. */
static char *next_line(char *out, int n_out, void *stream)
{
    struct ini_text *text = stream;
    size_t length = strcspn(text->at, "\n");

    if (!*text->at) {
        return NULL;
    }
    text->line++;
    text->whole = NULL;
    if (length < INI_TEXT_LINE_BYTES && length + 2 <= (size_t)n_out) {
        memcpy(out, text->at, length);
        out[length] = '\0';
    } else if (n_out < INI_TEXT_LINE_BYTES || !shorten(text, text->at, length, out)) {
        text->too_long = true;
        return NULL;
    }
    text->at += length + (text->at[length] == '\n');
    return out;
}

/* The long value up to a comment and without blanks at its end, to be freed. */
static char *whole_value(const struct ini_text *text)
{
    size_t n = text->n_whole;

    for (size_t at = 1; at < n; at++) {
        if (text->whole[at] == ';' && strchr(" \t", text->whole[at - 1])) {
            n = at;
        }
    }
    while (n && strchr(" \t\r", text->whole[n - 1])) {
        n--;
    }
    return strndup(text->whole, n);
}

static int handle(void *user, const char *section, const char *name, const char *value)
{
    struct ini_text *text = user;
    char why[256] = "", *whole;
    int result;

    if (text->error[0]) {
        return 0;
    }
    whole = text->whole ? whole_value(text) : NULL;
    result = text->entry(text->user, section, name,
                         whole   ? whole
                         : value ? value
                                 : "",
                         text->line, why, sizeof why);
    free(whole);
    if (result == 0) {
        return 1;
    }
    snprintf(text->error, text->n_error, "%s:%u: %s", text->file, text->line, why);
    return 0;
}

int ini_text_parse(const char *file, const char *content, ini_entry entry, void *user, char *error,
                   size_t n_error)
{
    struct ini_text text = {.file = file,
                            .at = content,
                            .entry = entry,
                            .user = user,
                            .error = error,
                            .n_error = n_error};
    int bad_line;

    error[0] = '\0';
    bad_line = ini_parse_stream(next_line, &text, handle, &text);
    if (error[0]) {
        return -1;
    }
    if (text.too_long) {
        snprintf(error, n_error, "%s:%u: line longer than %d characters; shorten it", file,
                 text.line, INI_TEXT_LINE_BYTES - 1);
        return -1;
    }
    if (bad_line != 0) {
        snprintf(error, n_error,
                 "%s:%d: neither [section] nor key = value; write one of these, or "
                 "start the line with ; for a comment",
                 file, bad_line);
        return -1;
    }
    return 0;
}

char *ini_text_load(const char *path, char *error, size_t n_error)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t got;

    if (!in) {
        snprintf(error, n_error, "%s:0: cannot open: %s; check the name", path, strerror(errno));
        return NULL;
    }
    text = malloc(INI_TEXT_MAX_BYTES + 1);
    got = text ? fread(text, 1, INI_TEXT_MAX_BYTES + 1, in) : 0;
    if (!text || ferror(in) || got > INI_TEXT_MAX_BYTES || (got && memchr(text, 0, got))) {
        snprintf(error, n_error, "%s:0: not a readable text file below 1 MiB; check the name",
                 path);
        free(text);
        fclose(in);
        return NULL;
    }
    text[got] = '\0';
    fclose(in);
    return text;
}
