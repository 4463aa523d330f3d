/* reasons.h - written reasons for what tests leave open, as data.
 *
 * cmodel/units/<family>/<unit>/<unit>.reasons, a line each (# comments):
 *
 *   KIND PATTERN because REASON
 *   KIND N of PATTERN because REASON
 *
 * KIND is mutant, line, toggle, or one of tb/coverage.h: name, guard (the name is that of the
 * output) or bin.  PATTERN stands for the whole name of a point as the
 * level prints it; in it `*` is any text and, in toggles, [7:4] each of the bits 7 to 4.  A
 * coverage reason stands for exactly N points: as many as its bits, else one, and with a `*`
 * in it N must be there.  A reason for a point that was reached, or for another number of
 * points, is an error; which mutants are drawn depends on Yosys, so that one may stand for
 * none.  tb/ladder/modules/<module>.list is the same for a module that several units have
 * inside; it is read for each of them. */
#ifndef WARPLOCK_TB_REASONS_H
#define WARPLOCK_TB_REASONS_H

#include <stdbool.h>
#include <stddef.h>

struct reason {
    char *kind, *glob, *words, *file;
    unsigned line;
    unsigned expected; /* points it must stand for; mutants: 0, any number */
    unsigned open;     /* open points it stands for, counted by reasons_open */
    char *reached;     /* a point it stands for that was reached; NULL for none */
};
/* Zero before the first reading. */
struct reasons {
    struct reason *rows;
    size_t n;
};

/* Adds the reasons of `list`, "<unit>" or "modules/<module>"; a file that is not there holds
 * none.  False with "file:line: what; remedy". */
bool reasons_read(struct reasons *reasons, const char *path, char *error, size_t n_error);
void reasons_free(struct reasons *reasons);

/* The reason of a point, NULL for none. */
const char *reasons_of(const struct reasons *reasons, const char *kind, const char *point);
/* To be told once of each point: it is open, and its reason is returned; or it was reached,
 * and no reason may stand for it. */
const char *reasons_open(struct reasons *reasons, const char *kind, const char *point);
void reasons_reached(struct reasons *reasons, const char *kind, const char *point);
/* After all points of `kind`: "file:line: what; remedy" of row `i` when it is wrong; false
 * when it is not.  `all`: every point was told of, so that those it stands for are counted. */
bool reasons_wrong(const struct reasons *reasons, const char *kind, size_t i, bool all, char *error,
                   size_t n_error);

#endif
