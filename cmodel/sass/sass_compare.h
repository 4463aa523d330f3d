/* sass_compare.h - where two traces of a kernel differ.
 *
 * Heads, blocks, warps and lines are compared, whatever form the files have; blanks at the end of a
 * line do not count.  Memory holds one block.  It must not know command lists.
 */
#ifndef WARPLOCK_SASS_COMPARE_H
#define WARPLOCK_SASS_COMPARE_H

#include "sass/sass_reader.h"

struct sass_difference {
    uint64_t blocks, lines; /* compared */
    uint64_t heads, blocks_differ, warps_differ, lines_differ;
    char first[640]; /* the first difference, in words; "" when there is none */
};

/* 0; or -1 and the error, when one of them cannot be read. */
int sass_compare(char a[SASS_PATH], char b[SASS_PATH], struct sass_difference *difference,
                 char *error, size_t n_error);

#endif
