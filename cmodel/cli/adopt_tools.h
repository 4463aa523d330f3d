/* adopt_tools.h - files of Verilog or SystemVerilog as Yosys and Verilator read them, for `warplock
 * adopt`.  Both read copies in a folder of their own, so that any names of the files will do. */
#ifndef WARPLOCK_CLI_ADOPT_TOOLS_H
#define WARPLOCK_CLI_ADOPT_TOOLS_H

#include "cli/adopt_module.h"

enum { ADOPT_FILES = 32 };

/* `files` end in .v or .sv; their module is name[ADOPT_NAME], or, when that is "", the one that no
 * other instantiates, which is then written there, and in which of the files it is to *top.  0, or -1
 * with one line in `error`: what a tool says of which line.  adopt_tools_free in any case. */
int adopt_tools_read(const char *const *files, size_t n_files, char *name, size_t *top,
                     struct adopt_found *found, char *error, size_t n_error);
void adopt_tools_free(struct adopt_found *found);

/* Is it SystemVerilog, by the name of the file? */
bool adopt_tools_is_sv(const char *file);

#endif
