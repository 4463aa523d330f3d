/* plug_refuse.h - between the files of the registry of seams: what is refused, and in which words.
 * See plug.h.  Knows no seam. */
#ifndef WARPLOCK_PLUG_PLUG_REFUSE_H
#define WARPLOCK_PLUG_PLUG_REFUSE_H

#include <stdio.h>

#include "machine/plug/plug.h"

static inline int refuse(const struct plugger *by, const char *what, const char *owner)
{
    snprintf(by->error, by->n_error, "%s and %s both replace %s; leave one of them out", owner,
             by->name, what);
    return -1;
}

static inline int refuse_more(const struct plugger *by, const char *what, unsigned most)
{
    snprintf(by->error, by->n_error, "%s: more than %u mechanisms %s; leave some out", by->name,
             most, what);
    return -1;
}

/* An index that moves blocks while the machine runs and who keeps leases, locks or sectors by
 * line exclude each other, whichever comes first. */
static inline int keep_still(const struct plugger *by, const struct still *still, const char *where)
{
    if (still->moved_by == NULL || still->needed_by == NULL) {
        return 0;
    }
    snprintf(by->error, by->n_error,
             "%s moves the blocks of %s, of whose lines %s keeps account; leave one of them out",
             still->moved_by, where, still->needed_by);
    return -1;
}

#endif
