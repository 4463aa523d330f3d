/* cost_figures.h - what the names and functions of a claim's expressions stand for
 * (cost_judge.h lists them).  `user` of all three is a struct cost_scope. */
#ifndef WARPLOCK_SYNTH_COST_FIGURES_H
#define WARPLOCK_SYNTH_COST_FIGURES_H

#include "synth/cost_expr.h"
#include "synth/cost_judge.h"

struct cost_scope {
    const struct cost_judge *judge;
    const struct cost_claim *claim;
    double node_nm;             /* of SRAM figures */
    struct cost_outcome *parts; /* figures of units are noted there; may be NULL */
    bool hardware;              /* set when a figure of a unit or of an SRAM was asked for */
    bool one_cycle;             /* set when a unit was priced in the form of one cycle instead */
};

bool cost_unit_figure(void *user, const struct cost_reference *reference, double *value, char *why,
                      size_t n_why);
/* Of cost_sram_functions. */
bool cost_number_figure(void *user, const char *function, const double *arg, size_t n_arg,
                        double *value, char *why, size_t n_why);
bool cost_name_figure(void *user, const char *name, double *value, char *why, size_t n_why);

#endif
