/* json_file.c - see json_file.h. */
#include "experiments/json_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t n = 0, cap = 0, got = 1;
    while (file != NULL && got > 0) {
        if (n + 4096 > cap) {
            char *more = realloc(text, cap += 65536);
            if (more == NULL) {
                free(text);
                fclose(file);
                return NULL;
            }
            text = more;
        }
        n += got = fread(text + n, 1, 4095, file);
        text[n] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

int json_file_parse(struct json_file *file, const char *path, char *text, char *error,
                    size_t n_error)
{
    json_error_t at;
    *file = (struct json_file){.path = path, .text = text};
    file->root = json_loads(file->text, JSON_REJECT_DUPLICATES, &at);
    if (file->root == NULL) {
        snprintf(error, n_error, "%s:%d: %s; write JSON", path, at.line, at.text);
        json_file_close(file);
        return -1;
    }
    return 0;
}

int json_file_open(struct json_file *file, const char *path, char *error, size_t n_error)
{
    char *text = read_text(path);
    *file = (struct json_file){.path = path};
    if (text == NULL) {
        snprintf(error, n_error, "%s: %s; name a readable file", path,
                 errno != 0 ? strerror(errno) : "out of memory");
        return -1;
    }
    return json_file_parse(file, path, text, error, n_error);
}

void json_file_close(struct json_file *file)
{
    json_decref(file->root);
    free(file->text);
    file->root = NULL;
    file->text = NULL;
}

/* ---- lines; the text is well formed ---- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        at += *at == '\\';
    }
    return at + 1;
}

/* Behind the value that begins at `at`. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (depth > 0 || (*at != '\0' && strchr(",]} \t\r\n", *at) == NULL));
    return at;
}

/* Where the member of that key or index begins inside the object or array at `at`; NULL when there
 * is none. */
static const char *member_at(const char *at, const char *key, size_t length)
{
    const bool object = *at == '{';
    size_t left = strtoul(key, NULL, 10);
    for (at = skip_blanks(at + 1); *at != '}' && *at != ']'; at = skip_blanks(at)) {
        bool wanted = !object && left-- == 0;
        if (object) {
            const char *end = skip_string(at);
            wanted = (size_t)(end - at) == length + 2 && strncmp(at + 1, key, length) == 0;
            at = skip_blanks(skip_blanks(end) + 1); /* the colon */
        }
        if (wanted) {
            return at;
        }
        at = skip_blanks(skip_value(at));
        at += *at == ',';
    }
    return NULL;
}

size_t json_file_line(const struct json_file *file, const char *pointer)
{
    const char *at = skip_blanks(file->text);
    size_t line = 1;
    while (*pointer == '/' && (*at == '{' || *at == '[')) {
        const size_t length = strcspn(pointer + 1, "/");
        const char *member = member_at(at, pointer + 1, length);
        if (member == NULL) {
            break;
        }
        at = member;
        pointer += length + 1;
    }
    for (const char *c = file->text; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}
