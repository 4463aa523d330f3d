/* run_options.h - what `warplock run` and `warplock cuda` are told of the machine and of what to
 * write about it: one parser for both. */
#ifndef WARPLOCK_CLI_RUN_OPTIONS_H
#define WARPLOCK_CLI_RUN_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/run_timeline.h"
#include "cli/run_wave.h"

enum { RUN_MAX_SETS = 64 };

struct run_options {
    const char *config, *mechanisms, *backends, *json, *kernels, *timed, *dump;
    const char *set[RUN_MAX_SETS];
    uint32_t n_sets;
    uint64_t cycles;
    uint32_t threads;
    unsigned checks; /* mask of CHECKER_*: what kernels are looked at for */
    bool every_cycle, keys, counters, containers;
    struct run_wave_request wave;
    struct run_timeline_request timeline;
    uint64_t past_steps;
};

/* Before parsing. */
void run_options_init(struct run_options *options);

/* The parser, as a child of a command's own; its input is a struct run_options. */
extern const struct argp run_options_argp;

/* What only all options together show; false, with a line on stderr, when something is wrong. */
bool run_options_check(const struct run_options *options);

/* Threads for the SMs: one where the order of their steps is looked at. */
uint32_t run_options_threads(const struct run_options *options);

/* The configuration's name. */
const char *run_options_config(const struct run_options *options);

#endif
