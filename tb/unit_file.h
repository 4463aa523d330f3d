/* unit_file.h - clock, reason for missing it, and parameter sets of a unit's file (cmodel/units/unit_file.md).
 *
 * Of the rows only `set`, `clock` and `late` matter to programs; the others belong to tb/rows.sh.  Knows
 * nothing of what a parameter means. */
#ifndef WARPLOCK_TB_UNIT_FILE_H
#define WARPLOCK_TB_UNIT_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { UNIT_FILE_SET_TEXT = 256, UNIT_FILE_MAX_SETS = 64, UNIT_FILE_WORDS = 256 };

struct unit_file {
    char sets[UNIT_FILE_MAX_SETS][UNIT_FILE_SET_TEXT]; /* "K=V,K=V" */
    unsigned n_sets;
    unsigned clock_mhz;                /* 0: no row */
    char clock_words[UNIT_FILE_WORDS]; /* the table or section that gives it */
    char late_words[UNIT_FILE_WORDS];  /* why it does not meet the clock; "": no row */
};

/* False with "file:line: what; remedy" for a file that is not there, and for a row that
 * tb/rows.sh would refuse by its kind, as a set, as a clock or as a reason. */
bool unit_file_read(struct unit_file *file, const char *path, char *error, size_t n_error);

#endif
