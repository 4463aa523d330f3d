/* project_files.h - what begins a user's project and adds a unit to it: names that may be given, the
 * folder, the line of units.list.  For `warplock new` and `warplock adopt`. */
#ifndef WARPLOCK_CLI_PROJECT_FILES_H
#define WARPLOCK_CLI_PROJECT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/template.h"

/* A name that C, Verilog, make and a shell can all read; else false, with one line in `error`. */
bool project_is_name(const char *text, char *error, size_t n_error);
/* Is there a unit of the name, in the tree or in the project?  Then one line in `error`. */
bool project_has_unit(const char *name, char *error, size_t n_error);

/* Into project[PATH_MAX] the project that was entered, absolute; without one, the folder `name` becomes
 * one (tb/templates/project), of which `words` are told.  0, or -1 with one line in `error`. */
int project_begin(const char *name, const struct template_word *words, size_t n_words,
                  char *project, char *error, size_t n_error);
/* family/name becomes the last line of the project's units.list.  0, or -1 as above. */
int project_add_unit(const char *project, const char *family, const char *name, char *error,
                     size_t n_error);

#endif
