/* made.h - remembers what make has found up to date of a unit, so that opening it again starts no
 * make, which takes longer than many a run.
 *
 * A record holds the unit's folder and the names of all that its objects depend on, as make gave
 * them (tb/variant.mk, `where`), folders with files by wildcard among them.  It stands while each
 * of those is older than the record and the object is there: whatever make would look at, and
 * more.  Times are compared with that of a file made beside the record, never with this
 * computer's clock.  Knows nothing of units but their names. */
#ifndef WARPLOCK_TB_MADE_H
#define WARPLOCK_TB_MADE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct made {
    char path[PATH_MAX];
    struct timespec begun; /* before make looked */
    bool known;            /* there can be a record */
};

/* The record of an object <target> of family/unit at `set`, in the tree at `root`. */
struct made made_of(const char *root, const char *unit, const char *set, const char *target);

/* Whether it stands; then the unit's folder, relative to `root`, is in where[n]. */
bool made_stands(const struct made *made, const char *root, const char *target, char *where,
                 size_t n);

/* Before make runs; and after it said: its folder and inputs, words between blanks.  A record
 * that cannot be written is none. */
void made_begin(struct made *made);
void made_finish(const struct made *made, const char *where, const char *inputs);
#endif
