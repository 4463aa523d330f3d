/* json_file.h - a JSON file that knows on which line each of its values stands.
 *
 * Jansson reads and checks the file; it keeps no positions of values, so that the line of one is
 * found by walking the text again, when an error has to name it. */
#ifndef WARPLOCK_EXPERIMENTS_JSON_FILE_H
#define WARPLOCK_EXPERIMENTS_JSON_FILE_H

#include <jansson.h>
#include <stddef.h>

struct json_file {
    const char *path;
    char *text;
    json_t *root;
};

/* 0, or -1 with one line in `error` (file, line, what is wrong); the root is an object or array, a
 * key that stands twice in an object is refused. */
int json_file_open(struct json_file *file, const char *path, char *error, size_t n_error);
/* The same from `text`, on the heap, which the file keeps; `path` is for messages. */
int json_file_parse(struct json_file *file, const char *path, char *text, char *error,
                    size_t n_error);
void json_file_close(struct json_file *file);

/* The line, from 1, of the value at `pointer`: keys and indexes, each after a '/': "/schemes/3/set";
 * "" is the whole.  Of what is not there: of the nearest thing around it. */
size_t json_file_line(const struct json_file *file, const char *pointer);

#endif
