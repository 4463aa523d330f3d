/* view.h - a user's project laid over the tree, as a folder of links.
 *
 * A project has the rooms of the tree that it adds to (rtl, cmodel, synth, waves, experiments), and in them its own
 * files alone.  Its view is a folder in which both are there under their usual paths, so that every
 * program and script that works from the root of a tree works from there.  Nothing is copied but
 * units.list, which is joined.  Knows nothing of what the files mean. */
#ifndef WARPLOCK_BASE_VIEW_H
#define WARPLOCK_BASE_VIEW_H

#include <stddef.h>

/* The rooms, ended by NULL. */
extern const char *const view_rooms[];

/* Make or refresh the folder `view`: the tree at `tree` with the project at `project` (NULL: none)
 * over it, and `build` as the folder of what is built.  All are absolute paths.  What stands in the
 * view and in neither is removed.  0, or -1 with one line in `error`: a file that both have, a
 * path that cannot be written. */
int view_make(const char *view, const char *tree, const char *project, const char *build,
              char *error, size_t n_error);

#endif
