/* options.h - what the subcommands' option parsing has in common. */
#ifndef WARPLOCK_CLI_OPTIONS_H
#define WARPLOCK_CLI_OPTIONS_H

#include <argp.h>
#include <jansson.h>
#include <stdint.h>

#include "tb/backend.h"
#include "tb/wave.h"

/* Parameters given by --param, as "K=V,K=V". */
struct cli_params {
    char text[256];
};

/* Appends; refuses (argp_error) what does not fit. */
error_t cli_add_param(struct cli_params *params, const char *arg, struct argp_state *state);
/* A count such as 100000000 or 1e8; argp_error unless a whole number in [least, greatest]. */
uint64_t cli_number(const char *option, const char *arg, uint64_t least, uint64_t greatest,
                    struct argp_state *state);
/* The one experiment that a command takes; argp_error for a second. */
error_t cli_experiment(const char **name, const char *arg, struct argp_state *state);
/* FROM:TO, both included; either may be left out; argp_error unless FROM <= TO. */
struct wave_window cli_window(const char *option, const char *arg, struct argp_state *state);
/* One line on stderr, `warplock: ...`. */
void cli_print_failure(const struct failure *failure);
/* Pretty-prints to standard output and releases. */
void cli_print_json(json_t *json);

#endif
