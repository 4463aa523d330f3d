/* machine.h - the machine a subcommand runs on: its configuration by name, with changes. */
#ifndef WARPLOCK_CLI_MACHINE_H
#define WARPLOCK_CLI_MACHINE_H

#include <stddef.h>

#include "machine/config/config_file.h"

/* `name`: a configuration of the tree, or an INI file, with all that it rests on; `origins` may
 * be NULL.  Returns 0, or -1 with one line in `error`. */
int cli_read_config_file(const char *name, struct gpu_config *config,
                         struct config_origins *origins, char *error, size_t n_error);
/* The same; then `n_sets` assignments key=value.
 * Returns 0, or -1 with one line in `error`. */
int cli_read_config(const char *name, const char *const *set, size_t n_sets,
                    struct gpu_config *config, char *error, size_t n_error);

#endif
