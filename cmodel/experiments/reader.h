/* reader.h - values out of a JSON file, with one line of error for the first that is not as it
 * should be: file, line, what is wrong.
 *
 * A value is named by a pointer, as in json_file.h.  What is read is kept in a list that the caller
 * frees as one; after an error all functions go on and give something harmless. */
#ifndef WARPLOCK_EXPERIMENTS_READER_H
#define WARPLOCK_EXPERIMENTS_READER_H

#include <stdbool.h>

#include "base/digest.h"
#include "experiments/expression.h"
#include "experiments/json_file.h"

struct kept;

struct reader {
    struct json_file *file;
    struct kept *storage; /* all that has been kept */
    char *error;
    size_t n_error;
    bool failed;
    struct digest digest; /* of the texts read */
};

void *reader_keep(struct reader *r, size_t bytes);
const char *reader_keep_text(struct reader *r, const char *text);
void reader_free(struct kept *storage);

/* Says, the first time, what is wrong at `pointer`. */
void reader_wrong(struct reader *r, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "file:line" of what `pointer` names. */
const char *reader_place(struct reader *r, const char *pointer);

/* A pointer to member `key`, or element `i`, of what `pointer` names. */
struct place {
    char text[160];
};
struct place place_below(const char *pointer, const char *key);
struct place place_at(const char *pointer, size_t i);

/* The value at `pointer` must be an object with no other keys than those in "a b c". */
void reader_keys(struct reader *r, const char *pointer, const json_t *object, const char *known);
/* Member `key` of the object at `pointer`.  A text must be there where `standard` is NULL; a flag that is
 * not there is false. */
const char *reader_text(struct reader *r, const char *pointer, const json_t *object,
                        const char *key, const char *standard);
double reader_number(struct reader *r, const char *pointer, const json_t *object, const char *key,
                     double standard);
bool reader_flag(struct reader *r, const char *pointer, const json_t *object, const char *key);
/* A list of so many or more; NULL when there is none and none is needed. */
const json_t *reader_array(struct reader *r, const char *pointer, const json_t *object,
                           const char *key, size_t least);
const char **reader_texts(struct reader *r, const char *pointer, const json_t *object,
                          const char *key, size_t least, size_t *n);
/* The texts of the list at `pointer`; a list of NULL has none. */
const char **reader_list_texts(struct reader *r, const char *pointer, const json_t *list);
/* Reads on in the file `name`, beside this one, which must be a list of `what`: that list, or NULL
 * after an error.  Pointers and lines are the file's until reader_leave. */
struct included {
    struct json_file file, *outer;
};
const json_t *reader_include(struct reader *r, const char *pointer, const char *name,
                             const char *what, struct included *included);
void reader_leave(struct reader *r, struct included *included);
/* Calls `item` with each member of a list, up to an error.  A text among them stands for those of the
 * file that it names, beside this one: a list of `what`, without texts; with `counts` the digest is of
 * its text, too. */
typedef void reader_item(struct reader *r, void *self, const char *pointer, const json_t *one);
void reader_items(struct reader *r, const char *pointer, const json_t *list, const char *what,
                  bool counts, reader_item *item, void *self);
/* The `n` members of `array`, of `size` bytes, and an empty one behind them. */
void *reader_one_more(struct reader *r, const void *array, size_t n, size_t size);
struct expression *reader_expression(struct reader *r, const char *pointer, const json_t *object,
                                     const char *key);

#endif
