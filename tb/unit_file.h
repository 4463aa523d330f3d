/* unit_file.h - the parameter sets in a unit's file of rows (cmodel/units/unit_file.md).
 *
 * Of the rows only `set` matters to programs; the others belong to tb/rows.sh.  Knows
 * nothing of what a parameter means. */
#ifndef WARPLOCK_TB_UNIT_FILE_H
#define WARPLOCK_TB_UNIT_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { UNIT_FILE_SET_TEXT = 256, UNIT_FILE_MAX_SETS = 64 };

struct unit_file {
    char sets[UNIT_FILE_MAX_SETS][UNIT_FILE_SET_TEXT]; /* "K=V,K=V" */
    unsigned n_sets;
};

/* False with "file:line: what; remedy" for a file that is not there, and for a row that
 * tb/rows.sh would refuse by its kind, or as a set. */
bool unit_file_read(struct unit_file *file, const char *path, char *error, size_t n_error);

#endif
