/* template.h - a folder of texts with names to fill in, written out as a user's own files. */
#ifndef WARPLOCK_CLI_TEMPLATE_H
#define WARPLOCK_CLI_TEMPLATE_H

#include <stddef.h>

/* "@key@" stands for `value`, in texts and in paths. */
struct template_word {
    const char *key, *value;
};

/* Write every file below `from` to the same path below `to`, with the words filled in; prints each
 * path, relative to `to`.  A file that is there is left alone and refused before any is written.
 * 0, or -1 with one line in `error`. */
int template_write(const char *from, const char *to, const struct template_word *words,
                   size_t n_words, char *error, size_t n_error);

#endif
