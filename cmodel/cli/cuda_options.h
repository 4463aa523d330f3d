/* cuda_options.h - what `warplock cuda` is told, and how it reaches the library inside the program:
 * through one variable of the environment.
 */
#ifndef WARPLOCK_CLI_CUDA_OPTIONS_H
#define WARPLOCK_CLI_CUDA_OPTIONS_H

#include "cli/run_options.h"

#define CUDA_OPTIONS_VARIABLE "WARPLOCK_CUDA"

struct cuda_options {
    struct run_options run;
    uint32_t capability;   /* 75: compute capability 7.5 */
    uint64_t memory_bytes; /* that programs may allocate */
    bool lockstep_warps;   /* lanes of a warp wait for each other, as before Volta */
    bool untimed;          /* no machine: results alone */
    bool quiet;            /* no statistics on stderr */
    char **program;        /* NULL-terminated: what follows the options */
    int n_options;         /* arguments before it */
};

/* Parse; exits with a message on bad use (argp). */
void cuda_options_parse(struct cuda_options *options, int argc, char **argv);
/* The arguments before the program as one text, for the environment; false: too long. */
bool cuda_options_to_environment(const struct cuda_options *options, char **argv);
void cuda_options_from_environment(struct cuda_options *options);

/* What only all options together show; false, with a line on stderr, when something is wrong. */
bool cuda_options_check(const struct cuda_options *options);

const char *cuda_options_config(const struct cuda_options *options);

#endif
