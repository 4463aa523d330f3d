/* reader.c - see reader.h. */
#include "experiments/reader.h"

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kept {
    struct kept *next;
    struct expression *expression;
    max_align_t bytes[];
};

void *reader_keep(struct reader *r, size_t bytes)
{
    struct kept *kept = calloc(1, sizeof *kept + bytes);
    if (kept == NULL) {
        abort(); /* some kilobytes: nothing else would work either */
    }
    kept->next = r->storage;
    r->storage = kept;
    return kept->bytes;
}

const char *reader_keep_text(struct reader *r, const char *text)
{
    char *copy = reader_keep(r, strlen(text) + 1);
    return strcpy(copy, text);
}

/* The first thing wrong, with the line of the value at `pointer`. */
void reader_wrong(struct reader *r, const char *pointer, const char *format, ...)
{
    char what[512];
    va_list more;
    if (r->failed) {
        return;
    }
    va_start(more, format);
    vsnprintf(what, sizeof what, format, more);
    va_end(more);
    r->failed = true;
    snprintf(r->error, r->n_error, "%s:%zu: %s", r->file->path, json_file_line(r->file, pointer),
             what);
}

const char *reader_place(struct reader *r, const char *pointer)
{
    char text[600];
    snprintf(text, sizeof text, "%.500s:%zu", r->file->path, json_file_line(r->file, pointer));
    return reader_keep_text(r, text);
}

/* ---- values ---- */

struct place place_below(const char *pointer, const char *key)
{
    struct place place;
    snprintf(place.text, sizeof place.text, "%.100s/%.50s", pointer, key);
    return place;
}
struct place place_at(const char *pointer, size_t i)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", i);
    return place_below(pointer, number);
}

/* Every key of the object is one of "a b c". */
void reader_keys(struct reader *r, const char *pointer, const json_t *object, const char *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        reader_wrong(r, pointer, "this must be an object with: %s", known);
        return;
    }
    json_object_foreach((json_t *)object, key, value)
    {
        char padded[80], all[300];
        snprintf(padded, sizeof padded, " %.70s ", key);
        snprintf(all, sizeof all, " %s ", known);
        if (strchr(key, ' ') != NULL || strstr(all, padded) == NULL) {
            reader_wrong(r, place_below(pointer, key).text,
                         "'%.60s' is not known here; there is: %s", key, known);
        }
    }
}

const char *reader_text(struct reader *r, const char *pointer, const json_t *object,
                        const char *key, const char *standard)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value)) {
        return reader_keep_text(r, json_string_value(value));
    }
    if (value != NULL || standard == NULL) {
        reader_wrong(r, place_below(pointer, key).text, "'%s' must be there, a text", key);
        return "";
    }
    return standard;
}

double reader_number(struct reader *r, const char *pointer, const json_t *object, const char *key,
                     double standard)
{
    const json_t *value = json_object_get(object, key);
    if (value != NULL && !json_is_number(value)) {
        reader_wrong(r, place_below(pointer, key).text, "'%s' must be a number", key);
    }
    return value != NULL ? json_number_value(value) : standard;
}

bool reader_flag(struct reader *r, const char *pointer, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value != NULL && !json_is_boolean(value)) {
        reader_wrong(r, place_below(pointer, key).text, "'%s' is true or false", key);
    }
    return json_is_true(value);
}

const json_t *reader_array(struct reader *r, const char *pointer, const json_t *object,
                           const char *key, size_t least)
{
    const json_t *value = json_object_get(object, key);
    if ((value != NULL || least > 0) && (!json_is_array(value) || json_array_size(value) < least)) {
        reader_wrong(r, place_below(pointer, key).text, "'%s' must be a list of %zu or more", key,
                     least);
        return NULL;
    }
    return value;
}

const char **reader_list_texts(struct reader *r, const char *pointer, const json_t *list)
{
    const char **texts = reader_keep(r, (json_array_size(list) + 1) * sizeof *texts);
    const json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (!json_is_string(one)) {
            reader_wrong(r, place_at(pointer, i).text, "this must be a text");
        }
        texts[i] = reader_keep_text(r, json_is_string(one) ? json_string_value(one) : "");
    }
    return texts;
}

const char **reader_texts(struct reader *r, const char *pointer, const json_t *object,
                          const char *key, size_t least, size_t *n)
{
    const json_t *list = reader_array(r, pointer, object, key, least);
    *n = json_array_size(list);
    return reader_list_texts(r, place_below(pointer, key).text, list);
}

const json_t *reader_include(struct reader *r, const char *pointer, const char *name,
                             const char *what, struct included *included)
{
    char path[PATH_MAX], error[512];
    const char *slash = strrchr(r->file->path, '/');
    const int folder = slash != NULL && *name != '/' ? (int)(slash - r->file->path + 1) : 0;
    snprintf(path, sizeof path, "%.*s%s", folder, r->file->path, name);
    included->outer = NULL;
    if (json_file_open(&included->file, path, error, sizeof error) != 0) {
        reader_wrong(r, pointer, "%s", error);
        return NULL;
    }
    included->outer = r->file;
    r->file = &included->file;
    r->file->path = reader_keep_text(r, path);
    if (!json_is_array(r->file->root)) {
        reader_wrong(r, "", "this must be a list of %s", what);
        return NULL;
    }
    return r->file->root;
}

void reader_leave(struct reader *r, struct included *included)
{
    if (included->outer != NULL) {
        r->file = included->outer;
        json_file_close(&included->file);
    }
}

static void each(struct reader *r, const char *pointer, const json_t *list, reader_item *item,
                 void *self)
{
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (!r->failed) {
            item(r, self, place_at(pointer, i).text, one);
        }
    }
}

void reader_items(struct reader *r, const char *pointer, const json_t *list, const char *what,
                  bool counts, reader_item *item, void *self)
{
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        const struct place place = place_at(pointer, i);
        if (!json_is_string(one)) {
            item(r, self, place.text, one);
        } else {
            struct included included;
            const json_t *more = reader_include(r, place.text, json_string_value(one), what,
                                                &included);
            if (more != NULL && counts) {
                digest_text(&r->digest, included.file.text);
            }
            each(r, "", more, item, self);
            reader_leave(r, &included);
        }
        if (r->failed) {
            return;
        }
    }
}

void *reader_one_more(struct reader *r, const void *array, size_t n, size_t size)
{
    void *more = reader_keep(r, (n + 1) * size);
    if (n > 0) {
        memcpy(more, array, n * size);
    }
    return more;
}

struct expression *reader_expression(struct reader *r, const char *pointer, const json_t *object,
                                     const char *key)
{
    char error[400];
    const char *text = json_string_value(json_object_get(object, key));
    struct expression *expression = expression_new(text != NULL ? text : "", error, sizeof error);
    if (expression == NULL) {
        reader_wrong(r, place_below(pointer, key).text, "'%s': %s", key, error);
        return NULL;
    }
    reader_keep(r, 0);
    r->storage->expression = expression;
    return expression;
}

void reader_free(struct kept *storage)
{
    while (storage != NULL) {
        struct kept *next = storage->next;
        expression_free(storage->expression);
        free(storage);
        storage = next;
    }
}
