/* plugin.h - the mechanisms and workloads of a user's project, compiled and loaded. */
#ifndef WARPLOCK_CLI_PLUGIN_H
#define WARPLOCK_CLI_PLUGIN_H

#include <stddef.h>

/* Compile and load the mechanisms and workloads of the project that was entered, if it has any; they
 * are then found beside the program's own.  0, or -1 with one line in `error`. */
int plugin_load(char *error, size_t n_error);

#endif
