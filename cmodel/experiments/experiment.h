/* experiment.h - a comparison as data: schemes on workloads, what is measured of each run, what a
 * document says of it.
 *
 * An experiment is a JSON file (docs/experiments.md).  This reads and checks it; it knows neither
 * how points are run nor how results are shown. */
#ifndef WARPLOCK_EXPERIMENTS_EXPERIMENT_H
#define WARPLOCK_EXPERIMENTS_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/expression.h"
#include "experiments/mean.h"
#include "experiments/parameters.h"

/* One column: what is plugged into the machine, keys of the configuration that it changes.  Or, not
 * run: of every row another column's, the best by a metric or the one that the file chooses. */
struct scheme {
    const char *name, *mechanisms;
    const char **set; /* [n_set] "KEY=VALUE" */
    size_t n_set;
    size_t *best_of; /* [n_best_of] columns before this one; the greatest `by` is taken */
    size_t n_best_of, by;
    size_t *chosen;    /* [n_workloads] columns before this one, or NULL */
    const char *place; /* "file:line" */
    bool wrong_values; /* its results may be wrong: it keeps no coherence */
};

/* What is measured of a run, or of each launch of the kernels `launches` in it; values over the
 * baseline's where `over_baseline` is set. */
struct metric {
    const char *name, *title, *place;
    struct expression *of, *weight; /* weight: of MEAN_WEIGHTED, else NULL */
    struct expression *where;       /* where it is not above 0 there is no value; or NULL */
    const char **launches;
    size_t n_launches; /* 0: a value of the run */
    bool over_baseline;
    enum mean_kind mean;
    double scale;
    int digits;
};

/* A document's figure, or one that a cause names: the mean of a metric for a scheme, perhaps over
 * another's, or its value for one workload.  It may be a bound only: ours is to be below or above. */
enum claim_bound { BOUND_NONE, BOUND_BELOW, BOUND_ABOVE };
struct claim {
    size_t metric, scheme;
    size_t over;     /* a scheme, or n_schemes: as the metric is */
    size_t workload; /* a row, or n_workloads: the mean of all */
    double value;
    enum claim_bound bound;
    size_t setting;               /* of the sweep: "at" names the values */
    double tolerance;             /* relative; on either side; 0.1 if the file says nothing */
    const char *tolerance_reason; /* of one above 0.1, else "" */
    const char *section;
    const char *again; /* the experiment that this printed value counts in, or "": here */
    bool words;        /* the document says so in words and prints no number */
};

/* Why ours differs, the command that shows it, of which metrics (numbers; none: of all), and what its
 * text says of the results themselves, which a run may contradict. */
struct cause {
    const char *text, *run;
    size_t *of, n_of;
    struct claim *figures;
    size_t n_figures;
};

/* A figure of the report. */
enum plot_kind { PLOT_BARS, PLOT_LINES, PLOT_SLOTS, PLOT_MISSES, PLOT_HEAT };
struct plot {
    enum plot_kind kind;
    const char *title;
    size_t metric; /* of bars, lines and heat maps */
    size_t x, y;   /* parameters: of lines x, of heat maps both */
    size_t scheme; /* of heat maps */
};

/* What a run may take; 0: anything. */
struct limits {
    double seconds, memory_mb;
};

struct kept;
struct experiment {
    const char *name; /* the file's, without folder and ending */
    const char *title, *document, *source, *machine, *size, *note;
    char digest[64]; /* of what runs and values depend on, included files too */
    struct parameters parameters;
    const char **set; /* [n_set] of every scheme, before its own */
    size_t n_set;
    uint64_t *seeds;
    size_t n_seeds; /* 1 or more */
    struct limits limits;
    const char **timed; /* kernels that go through the machine, as NAME or NAME/N (warplock run
                           --timed); others take no time */
    size_t n_timed;     /* 0: all go */
    struct plot *plots;
    size_t n_plots;
    const char *machine_place;
    const char **workloads, **workload_places; /* [n_workloads] "name" or "name:size" */
    size_t n_workloads;
    struct scheme *schemes;
    size_t n_schemes, baseline;
    struct metric *metrics;
    size_t n_metrics;
    struct claim *claims;
    size_t n_claims;
    struct claim *joint; /* looked at in each setting; their `setting` is 0 */
    size_t n_joint;
    struct cause *causes;
    size_t n_causes;
    struct kept *storage; /* all that the pointers lead to */
};

/* The experiment in the file at `path`.  NULL with one line in `error`: file, line, what is wrong,
 * the remedy. */
struct experiment *experiment_read(const char *path, char *error, size_t n_error);
/* The same from a text; `path` is for messages, and files that it names are beside it. */
struct experiment *experiment_read_text(const char *path, const char *text, char *error,
                                        size_t n_error);
void experiment_free(struct experiment *experiment);

/* Not taken from other columns. */
bool scheme_is_run(const struct scheme *scheme);

/* How tables name a row: its workload, and where several rows have that one the items of its size
 * that tell it from them ("sssp form=warp").  Parameters have their values of `setting`; from
 * n_settings on their names stand. */
enum { ROW_NAME = 256 };
void experiment_row_name(const struct experiment *experiment, size_t setting, size_t workload,
                         char out[ROW_NAME]);

#endif
