/* cover_points.h - points of line, toggle and functional coverage, merged over runs. */
#ifndef WARPLOCK_TB_LADDER_COVER_POINTS_H
#define WARPLOCK_TB_LADDER_COVER_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cover_point {
    const char *kind; /* line, toggle, name, guard or bin */
    char *name;       /* "file.v signal[3]", "file.v if: source line", "name of a bin" */
    char *signal;     /* toggles: the name without its bit, else the name */
    long bit;         /* toggles of vectors: which bit, else -1 */
    bool applies;     /* at one parameter set at least */
    uint64_t count;   /* how often it was reached where it applies */
};
struct cover_points;

struct cover_points *cover_points_new(void);
void cover_points_free(struct cover_points *points);

/* Adds what Verilator wrote (verilated_cov); points that are there add up.  Source lines
 * come from below `root`.  Signals named unused are left out: they take what nothing reads
 * to a constant.  `lines_alone`: toggles do not count.  False when it cannot be read, or
 * memory is out. */
bool cover_points_read(struct cover_points *points, const char *path, const char *root,
                       bool lines_alone);
/* Adds `count` to a functional point of tb/coverage.h, of one parameter set. */
bool cover_points_functional(struct cover_points *points, const char *kind, const char *name,
                             bool applies, uint64_t count);
/* All points by kind, name and bit; the array lives until the next point is added. */
const struct cover_point *const *cover_points_sorted(struct cover_points *points, size_t *n);

#endif
