/* world.h - what a sweep has to know of the simulator, given from outside: whether a point can be
 * run, what determines its result, and how it is run. */
#ifndef WARPLOCK_SWEEP_WORLD_H
#define WARPLOCK_SWEEP_WORLD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One run, as `warplock run` takes it. */
struct run_point {
    const char *machine, *workload, *size, *mechanisms;
    const char *const *set; /* [n_set] KEY=VALUE */
    size_t n_set;
    unsigned long long seed;
    const char *timed; /* kernels that go through the machine, or "": all */
};

struct world {
    void *self;
    const char *program; /* the file to be started as a worker */
    const char *project; /* the folder of the user's project that it is started in; "" for none */
    /* Hash of all code that runs are made of: the program's sources, kernels, models of units, a project's
     * mechanisms and workloads. */
    const char *code;
    /* Every key of the machine, one a line; every parameter of the workload's size, and what its
     * inputs are made of.  They stay as long as the world.  NULL with one line in `error`. */
    const char *(*machine)(void *self, const struct run_point *point, char *error, size_t n_error);
    const char *(*workload)(void *self, const struct run_point *point, char *error, size_t n_error);
    /* The statistics of a run as they would be before its first cycle: which counters there are.
     * A new reference; NULL with one line in `error`, also where the mechanisms do not fit. */
    json_t *(*counters)(void *self, const struct run_point *point, char *error, size_t n_error);
    /* Runs it in this process, as `warplock run` with these arguments: the exit status. */
    int (*run)(int argc, char **argv);
};

#endif
