/* experiment_file.h - the experiment that a subcommand names: of the tree, or a file anywhere. */
#ifndef WARPLOCK_CLI_EXPERIMENT_FILE_H
#define WARPLOCK_CLI_EXPERIMENT_FILE_H

#include "experiments/experiment.h"

/* A name with a slash or an ending is a file; else one of the tree's.  NULL after one line on
 * standard error. */
struct experiment *experiment_named(const char *name);

/* Each experiment of the tree, in the order of their files: `take` gets it, and frees it; or NULL
 * where the file is refused, and the line that says why. */
void experiment_each(void (*take)(void *context, struct experiment *one, const char *path,
                                  const char *error),
                     void *context);

/* Where results go if nobody says otherwise: in the current folder. */
#define STANDARD_DATABASE "warplock.db"

#endif
