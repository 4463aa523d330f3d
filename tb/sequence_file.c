/* sequence_file.c - sequence files as text: reading one, finding its tests (format:
 * sequence.h).  Knows nothing of units and steps. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tb/sequence_text.h"

enum { MAX_FILE_BYTES = 256 << 20 };

bool sequence_refuse(char *error, size_t n_error, const char *path, unsigned line,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int used = snprintf(error, n_error, "%s:%u: ", path, line);
    if (used > 0 && (size_t)used < n_error) {
        vsnprintf(error + used, n_error - (size_t)used, format, args);
    }
    va_end(args);
    return false;
}
static char *read_text(const char *path, char *error, size_t n_error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error, n_error, "%s: %s; give a readable sequence file", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t length = 0, capacity = 0;
    for (size_t got = 1; got > 0 && length < MAX_FILE_BYTES; length += got) {
        if (length + 4096 > capacity) {
            capacity = capacity * 2 + 8192;
            char *more = realloc(text, capacity + 1);
            if (more == NULL) {
                break;
            }
            text = more;
        }
        got = fread(text + length, 1, 4096, file);
    }
    const bool bad = ferror(file) != 0 || text == NULL || length >= MAX_FILE_BYTES;
    fclose(file);
    if (bad || memchr(text, '\0', length) != NULL) {
        snprintf(error, n_error, "%s: not a text file of at most %d MiB", path,
                 MAX_FILE_BYTES >> 20);
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

const char *sequence_next_line(const char *at, char *line)
{
    const size_t length = strcspn(at, "\n");
    memcpy(line, at, length);
    line[length] = '\0';
    line[strcspn(line, "#\r")] = '\0';
    return at[length] == '\n' ? at + length + 1 : NULL;
}

static bool add_test(struct sequence_file *file, const char *words, unsigned line, size_t body)
{
    struct sequence_head *more = realloc(file->tests, (file->n_tests + 1) * sizeof *file->tests);
    if (more == NULL) {
        return false;
    }
    file->tests = more;
    struct sequence_head *test = &file->tests[file->n_tests++];
    memset(test, 0, sizeof *test);
    test->line = line;
    test->body = body;
    int end = 0;
    sscanf(words, "%63s %n", test->test, &end);
    snprintf(test->overrides, sizeof test->overrides, "%s", words + end);
    return true;
}

/* One line of the text, followed by what lies at `body`. */
static bool look_at(struct sequence_file *file, const char *line, unsigned number, size_t body,
                    char *error, size_t n_error)
{
    char word[16] = "", rest[64] = "";
    int end = 0;
    if (sscanf(line, "%15s %n", word, &end) != 1) {
        return true;
    }
    if (file->unit[0] == '\0') {
        if (strcmp(word, "unit") != 0 || sscanf(line + end, "%63s", rest) != 1) {
            return sequence_refuse(error, n_error, file->path, number,
                                   "the first line must be `unit NAME`");
        }
        memcpy(file->unit, rest, sizeof rest);
        return true;
    }
    if (strcmp(word, "test") == 0) {
        if (line[end] == '\0') {
            return sequence_refuse(error, n_error, file->path, number, "`test` needs a name");
        }
        return add_test(file, line + end, number, body) ||
               sequence_refuse(error, n_error, file->path, number, "out of memory");
    }
    return file->n_tests > 0 || sequence_refuse(error, n_error, file->path, number,
                                                "'%s' before the first `test NAME`", word);
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (const char *at = text; *at != '\0'; at += *at == '\n') {
        const size_t length = strcspn(at, "\n");
        longest = length > longest ? length : longest;
        at += length;
    }
    return longest;
}

/* Find the tests of file->text. */
static bool find_tests(struct sequence_file *file, char *error, size_t n_error)
{
    file->longest_line = longest_line(file->text);
    char *line = malloc(file->longest_line + 1);
    bool good = line != NULL || sequence_refuse(error, n_error, file->path, 0, "out of memory");
    unsigned number = 0;
    for (const char *at = file->text; good && at != NULL;) {
        at = sequence_next_line(at, line);
        number++;
        good = look_at(file, line, number,
                       at == NULL ? strlen(file->text) : (size_t)(at - file->text), error, n_error);
    }
    free(line);
    return good && (file->n_tests > 0 ||
                    sequence_refuse(error, n_error, file->path, number, "no `test NAME` line"));
}

/* Takes over `text`, which may be NULL: the reason is in `error` already. */
static bool open_text(struct sequence_file *file, const char *path, char *text, char *error,
                      size_t n_error)
{
    *file = (struct sequence_file){.path = strdup(path), .text = text};
    if (file->path == NULL) {
        snprintf(error, n_error, "%s: out of memory", path);
    } else if (text != NULL && find_tests(file, error, n_error)) {
        return true;
    }
    sequence_file_close(file);
    return false;
}

bool sequence_file_open(struct sequence_file *file, const char *path, char *error, size_t n_error)
{
    return open_text(file, path, read_text(path, error, n_error), error, n_error);
}

bool sequence_text_open(struct sequence_file *file, const char *path, const char *text, char *error,
                        size_t n_error)
{
    return open_text(file, path, strdup(text), error, n_error);
}

void sequence_file_close(struct sequence_file *file)
{
    free(file->path);
    free(file->text);
    free(file->tests);
    memset(file, 0, sizeof *file);
}
