/* adopt_write.h - the files of a unit in a project, drafted from a module (cli/adopt_module.h). */
#ifndef WARPLOCK_CLI_ADOPT_WRITE_H
#define WARPLOCK_CLI_ADOPT_WRITE_H

#include "cli/adopt_module.h"

/* The files that the module came from; files[top] has it. */
struct adopt_sources {
    const char *const *files;
    size_t n_files, top;
};

/* Into the project that was entered, or into the new one `module->name`: the files as they are, that
 * with the module under its name, and what tb/templates/adopted has; prints what it writes.  The project's path to project[PATH_MAX].  0, or -1
 * with one line in `error`. */
int adopt_write(const struct adopt_module *module, const struct adopt_sources *sources,
                const char *family, char *project, char *error, size_t n_error);

#endif
