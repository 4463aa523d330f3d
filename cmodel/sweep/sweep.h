/* sweep.h - runs every point of some experiments once: what the database has is not run again.
 *
 * Three ways: processes of this machine, a Slurm cluster's job arrays, a list of commands for any
 * other engine.  Each leaves results in the work folder; this collects them. */
#ifndef WARPLOCK_SWEEP_SWEEP_H
#define WARPLOCK_SWEEP_SWEEP_H

#include "sweep/collect.h"
#include "sweep/keys.h"

struct sweep_options {
    const char *database; /* its path; the work folder is beside it */
    const char *size;     /* of every workload; NULL: as the file says */
    unsigned jobs;        /* at a time */
    bool retry;           /* failed points, too */
    bool quiet;           /* no progress */
    const char *sbatch;   /* more options for Slurm, separated by blanks; or NULL */
    bool no_wait;         /* Slurm: submit, and end */
};

/* A run, and the first plan that asks for it. */
struct sweep_run {
    const struct plan *plan;
    const struct run *run;
};

struct sweep {
    const struct sweep_options *options;
    const struct world *world;
    struct plan *plans;            /* [n_plans], an experiment each */
    struct metric_writer *writers; /* [n_plans] */
    size_t n_plans;
    struct sweep_run *runs; /* of all plans, each key once */
    const char **keys;      /* [n_runs] */
    size_t n_runs;
    struct keys known; /* a run by its key */
    struct database database;
    struct folder folder;
    struct collected collected;
    enum point_state *states;          /* [n_runs] */
    size_t *todo;                      /* [n_todo] runs that are still to be run */
    size_t n_todo, n_there, n_counted; /* n_there has this many of the collected */
    double started, shown;             /* seconds */
};

/* Plans, opens, collects what was left.  Nothing is opened where an experiment is wrong.  0, or -1
 * with one line in `error`. */
int sweep_open(struct sweep *sweep, struct experiment *const *experiments, size_t n_experiments,
               const struct world *world, const struct sweep_options *options, char *error,
               size_t n_error);
void sweep_close(struct sweep *sweep);

/* Takes in what lies in the work folder. */
int sweep_collect(struct sweep *sweep, char *error, size_t n_error);
/* What is to be run now, by the database. */
int sweep_refresh(struct sweep *sweep, char *error, size_t n_error);
/* One line for people: done, running, failed, time left; now and then, or at last. */
void sweep_progress(struct sweep *sweep, size_t running, bool last);
/* The line that describes a run to a worker, with its end of line; the caller frees. */
char *sweep_line(const struct sweep *sweep, size_t run);

/* The words that start a worker, with the project, up to and with those of `folder`. */
void sweep_worker_words(const struct world *world, const char *folder, FILE *out);

/* Set when the user asks for an end: what is there is collected, and the rest left. */
bool sweep_interrupted(void);

int sweep_local(struct sweep *sweep, char *error, size_t n_error);
int sweep_slurm(struct sweep *sweep, char *error, size_t n_error);
/* Commands on `out`; their results are collected by the next sweep. */
int sweep_list(struct sweep *sweep, FILE *out, char *error, size_t n_error);

/* Files of at most `chunk` points each in the work folder, as the todo says: "jobs/NAME.I", I from
 * 0.  How many; 0 with one line in `error`. */
size_t sweep_write_jobs(const struct sweep *sweep, const char *name, size_t chunk, char *error,
                        size_t n_error);

#endif
