/* sass_dump.h - writes what a front end executes as a SASS trace: a directory with
 * kernelslist.g and one kernel-N.traceg, or .tracez, for each launch.
 *
 * Works after the trace format, sections 1 to 4.  It stands between a host program and a
 * backend, and inside a launch between the machine and the front end, and changes nothing
 * that either sees.  It must not know which they are.
 */
#ifndef WARPLOCK_SASS_DUMP_H
#define WARPLOCK_SASS_DUMP_H

#include "machine/host/host_machine.h"

struct sass_dump;

/* Make the directory (it may be there, without a kernelslist.g) and start the list.  NULL and
 * one line in `error`. */
struct sass_dump *sass_dump_open(const char *directory, bool container, char *error,
                                 size_t n_error);
/* `inner` with every launch and every copy to the device written down.  Both must outlive it. */
struct host_backend sass_dump_backend(struct sass_dump *dump, const struct host_backend *inner);
/* Finish the list.  0, or -1 and one line in `error` when something could not be written. */
int sass_dump_close(struct sass_dump *dump, char *error, size_t n_error);

#endif
