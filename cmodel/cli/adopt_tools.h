/* adopt_tools.h - a file of Verilog or SystemVerilog as Yosys and Verilator read it, for `warplock
 * adopt`.  Both read a copy in a folder of its own, so that any name of the file will do. */
#ifndef WARPLOCK_CLI_ADOPT_TOOLS_H
#define WARPLOCK_CLI_ADOPT_TOOLS_H

#include "cli/adopt_module.h"

/* `file` ends in .v or .sv; its module is name[ADOPT_NAME], or, when that is "", the one that no other
 * instantiates, which is then written there.  0, or -1 with one line in `error`: what a tool says of
 * which line.  adopt_tools_free in any case. */
int adopt_tools_read(const char *file, char *name, struct adopt_found *found, char *error,
                     size_t n_error);
void adopt_tools_free(struct adopt_found *found);

/* Is it SystemVerilog, by the name of the file? */
bool adopt_tools_is_sv(const char *file);

#endif
