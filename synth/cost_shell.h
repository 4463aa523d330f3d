/* cost_shell.h - runs commands in the project's folder, and tells of them.
 *
 * It must not know what they make.
 */
#ifndef WARPLOCK_SYNTH_COST_SHELL_H
#define WARPLOCK_SYNTH_COST_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tb/backend.h"

enum { COST_SHELL_COMMAND = 4096 }; /* bytes of the longest command */

struct cost_shell {
    const char *root; /* the project's folder */
    FILE *tell;       /* a terminal, or NULL */
};

/* Runs a command; its last line goes to `last`.  False, with the command's first words in `failure`,
 * when it ends otherwise than with status 0.  With `step`, what it does, that is told while it runs,
 * and stays, with its time, when it took a second or more. */
bool cost_shell_run(const struct cost_shell *shell, const char *command, const char *step,
                    char *last, size_t n_last, struct failure *failure);

#endif
