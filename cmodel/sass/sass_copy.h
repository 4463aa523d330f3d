/* sass_copy.h - one kernel's trace written again: in the other form, or a part of it.
 *
 * Lines are copied as they are, byte for byte.  It must not know command lists.
 */
#ifndef WARPLOCK_SASS_COPY_H
#define WARPLOCK_SASS_COPY_H

#include "sass/sass_kernel.h"

/* Blocks [first, last] in the order of the file. */
struct sass_copy_range {
    uint64_t first, last;
};

struct sass_copied {
    uint64_t blocks, lines, bytes_in, bytes_out;
};

/* `from` (found as sass_input_open finds it) to the new file `to`, whose name decides the form;
 * the source is checked whole before.  0, or -1 and the error. */
int sass_copy(char from[SASS_PATH], const char *to, const struct sass_scan_options *options,
              struct sass_copy_range range, struct sass_copied *copied, char *error,
              size_t n_error);

#endif
