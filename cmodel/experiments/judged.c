/* judged.c - see judged.h. */
#include "experiments/judged.h"

#include <math.h>

const char *const judged_names[N_JUDGED_KINDS] = {"value", "near", "direction", "neither", "open"};

static enum judged_kind kind_of(const struct experiment *e, const struct claim *claim,
                                unsigned percent, double ours)
{
    struct claim wide = *claim;
    wide.tolerance = percent / 100.;
    switch (claim_verdict(e, &wide, ours)) {
    case CLAIM_AGREES: return JUDGED_VALUE;
    case CLAIM_DIRECTION: return JUDGED_DIRECTION;
    case CLAIM_DIFFERS:
        return claim->bound == BOUND_NONE && fabs(ours / claim->value - 1) <= wide.tolerance
                   ? JUDGED_NEAR
                   : JUDGED_NEITHER;
    default: return JUDGED_OPEN;
    }
}

/* Printed values of one figure can be put in an order: the same metric, over the same scheme if at all. */
static bool one_figure(const struct experiment *e, const struct claim *a, const struct claim *b)
{
    const bool ratio = claim_is_ratio(e, a);
    return !a->words && !b->words && a->metric == b->metric && a->bound == BOUND_NONE &&
           b->bound == BOUND_NONE && claim_is_ratio(e, b) == ratio &&
           (!ratio || claim_base(e, a) == claim_base(e, b));
}

static bool set_apart(const struct claim *a, const struct claim *b)
{
    return fmax(a->value, b->value) > (1 + JUDGED_APART_PERCENT / 100.) * fmin(a->value, b->value);
}

static void put_in_order(const struct experiment *e, struct judged *out)
{
    for (size_t a = 0; a < e->n_claims; a++) {
        for (size_t b = 0; b < a; b++) {
            if (out[a].kind == JUDGED_OPEN || out[b].kind == JUDGED_OPEN ||
                !one_figure(e, &e->claims[a], &e->claims[b]) ||
                !set_apart(&e->claims[a], &e->claims[b])) {
                continue;
            }
            const bool there = e->claims[a].value > e->claims[b].value;
            const bool here = there ? out[a].ours > out[b].ours : out[a].ours < out[b].ours;
            out[a].n_pairs++;
            out[b].n_pairs++;
            out[a].n_in_order += here;
            out[b].n_in_order += here;
        }
    }
}

void judge_claims(const struct experiment *e, const double *ours, unsigned percent,
                  struct judged *out)
{
    for (size_t c = 0; c < e->n_claims; c++) {
        const struct claim *claim = &e->claims[c];
        out[c] = (struct judged){.kind = kind_of(e, claim, percent, ours[c]),
                                 .ours = ours[c],
                                 .directed = claim->bound != BOUND_NONE ||
                                             claim_is_ratio(e, claim)};
    }
    put_in_order(e, out);
}
