/* adopt_write.h - the files of a unit in a project, drafted from a module (cli/adopt_module.h). */
#ifndef WARPLOCK_CLI_ADOPT_WRITE_H
#define WARPLOCK_CLI_ADOPT_WRITE_H

#include "cli/adopt_module.h"

/* Into the project that was entered, or into the new one `module->name`: `file` as it is, and what
 * tb/templates/adopted has; prints what it writes.  The project's path to project[PATH_MAX].  0, or -1
 * with one line in `error`. */
int adopt_write(const struct adopt_module *module, const char *file, const char *family,
                char *project, char *error, size_t n_error);

#endif
