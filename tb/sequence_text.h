/* sequence_text.h - between the two readers of sequence files: lines and refusals. */
#ifndef WARPLOCK_TB_SEQUENCE_TEXT_H
#define WARPLOCK_TB_SEQUENCE_TEXT_H

#include "tb/sequence.h"

/* Copy the line at `at` without its comment and newline; `line` has room for longest_line and
 * a zero.  Returns the next line, or NULL after the last. */
const char *sequence_next_line(const char *at, char *line);

/* Writes "path:line: what" to `error`; false. */
bool sequence_refuse(char *error, size_t n_error, const char *path, unsigned line,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
