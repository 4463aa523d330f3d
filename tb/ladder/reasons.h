/* reasons.h - written reasons for what a rung of the ladder leaves open, as data.
 *
 * tb/ladder/reasons/<unit>.list, a line each (# comments):
 *
 *   KIND PATTERN because REASON
 *
 * KIND is mutant, line, toggle or bin.  PATTERN stands for the whole name of a point as the
 * rung prints it; in it `*` is any text and [7:4] any of the bits 7 to 4.  A reason for a
 * point that was reached, or for none at all, is an error. */
#ifndef WARPLOCK_TB_LADDER_REASONS_H
#define WARPLOCK_TB_LADDER_REASONS_H

#include <stdbool.h>
#include <stddef.h>

struct reason {
    char *kind, *pattern, *words;
    unsigned line;
    unsigned open;   /* points it stands for that are open */
    char *reached;   /* a point it stands for that was reached; NULL for none */
};
struct reasons {
    char path[4300];
    struct reason *rows;
    size_t n;
};

/* A file that is not there holds no reasons.  False with "file:line: what; remedy". */
bool reasons_read(struct reasons *reasons, const char *root, const char *unit, char *error,
                  size_t n_error);
void reasons_free(struct reasons *reasons);

/* The reason of an open point, NULL for none. */
const char *reasons_of(struct reasons *reasons, const char *kind, const char *point);
/* A point that was reached: no reason may stand for it. */
void reasons_reached(struct reasons *reasons, const char *kind, const char *point);
/* After all points of `kind`: "file:line: what; remedy" of row `i` when it is wrong; false
 * when it is not. */
bool reasons_wrong(const struct reasons *reasons, const char *kind, size_t i, char *error,
                   size_t n_error);

bool reasons_match(const char *pattern, const char *name);

#endif
