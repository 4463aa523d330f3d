/* ini_text.h - INI text to (section, key, value, line), errors with line numbers.
 *
 * A thin layer over inih, which as packaged does not hand out line numbers.
 * A value may be of any length, which inih alone does not allow: it reads the start of a long line.
 * It must not know which sections or keys exist.
 */
#ifndef WARPLOCK_GPU_INI_TEXT_H
#define WARPLOCK_GPU_INI_TEXT_H

#include <stddef.h>

/* Takes one entry.  Returns 0, or -1 with the reason (without file and line) in `why`. */
typedef int (*ini_entry)(void *user, const char *section, const char *name, const char *value,
                         unsigned line, char *why, size_t n_why);

/* Parse `text`, calling `entry` for each key.  Returns 0; else -1 and
 * `file:line: what; remedy` in `error`. */
int ini_text_parse(const char *file, const char *text, ini_entry entry, void *user, char *error,
                   size_t n_error);

/* The whole file as a zero-terminated string to be freed by the caller, or NULL and `error`.
 * Files with a zero byte or above 1 MiB are refused: no INI file is like that. */
char *ini_text_load(const char *path, char *error, size_t n_error);

#endif
