/* plugin.h - the mechanisms and workloads of a user's project, compiled and loaded. */
#ifndef WARPLOCK_CLI_PLUGIN_H
#define WARPLOCK_CLI_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

/* Load the mechanisms and workloads of the project that was entered, if it has any, and compile them
 * before, if `fresh`; they are then found beside the program's own.  0, or -1 with one line in
 * `error`. */
int plugin_load(bool fresh, char *error, size_t n_error);

/* The shared object that is loaded; "" where the project that was entered, if any, has neither
 * mechanisms nor workloads. */
void plugin_path(char *out, size_t n_out);

#endif
