/* cost_expr.h - evaluates the formulae of a claim.
 *
 *   2*(TSW*SMS*L1L) + claimed(caps_percta[CTAS=16])     numbers, names, functions
 *   ^  * / %  + -  < <= > >= == !=  &&  ||              in this order of binding
 *   log2 ceil floor min max abs sqrt                    the functions of its own
 *   fn(unit), fn(unit[K=V,K=V]), fn(unit.member)        a figure of a hardware unit
 *
 * All values are doubles; a comparison gives 1 or 0.  What the names and unit
 * figures stand for is the caller's; it must not know any unit.
 */
#ifndef WARPLOCK_SYNTH_COST_EXPR_H
#define WARPLOCK_SYNTH_COST_EXPR_H

#include <stdbool.h>
#include <stddef.h>

/* A figure of a unit: function, unit, "K=V,K=V" or "", member or "". */
struct cost_reference {
    char function[32];
    char unit[64];
    char set[160];
    char member[48];
};

/* Each returns false with the reason in `why` when there is no such thing. */
struct cost_names {
    void *user;
    bool (*name)(void *user, const char *name, double *value, char *why, size_t n_why);
    bool (*unit)(void *user, const struct cost_reference *reference, double *value, char *why,
                 size_t n_why);
    /* Functions of numbers beside its own: their names, ended by NULL, and what they give. */
    const char *const *functions;
    bool (*call)(void *user, const char *function, const double *arg, size_t n_arg, double *value,
                 char *why, size_t n_why);
};

/* False with the reason (and the column) in `why`. */
bool cost_expr(const char *text, const struct cost_names *names, double *value, char *why,
               size_t n_why);

#endif
