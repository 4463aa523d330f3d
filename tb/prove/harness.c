/* harness.c - for CBMC: from any state and any inputs, C model and RTL give the same outputs
 * and the same next state, with and without reset.
 *
 * One step from every state is enough for all runs: both sides leave reset in the same
 * state, and what holds for one step holds for the next.  States and inputs are those that
 * the model promises (cmodel/units/promises.h); that a step keeps the promise is proven
 * here, too.  MODEL_FILE is the unit's C model, RTL_FILE what transition.c made of its RTL.
 * PROVE_PART of PROVE_PARTS: part 0 proves reset and invariant, every other one an equal share
 * of the outputs and of the next state. */
#include <stdbool.h>
#include <stdint.h>

#include "tb/prove/builtins.h"

#ifndef PROVE_PARTS
#define PROVE_PARTS 1
#define PROVE_PART 0
#endif
enum { PROVE_REST = PROVE_PART == 0 };

/* Is check `n` of outputs and next state, `of` in all, in this part? */
static bool of_this_part(unsigned n, unsigned of)
{
    return PROVE_PARTS == 1 || (int)(n * (PROVE_PARTS - 1u) / of) == PROVE_PART - 1;
}

/* Tentative: the model defines what it promises. */
bool (*const unit_invariant)(const void *);
bool (*const unit_accepts)(const void *, const uint64_t *);

#include MODEL_FILE
#include RTL_FILE

static void any_step(struct state *s, struct in *in)
{
    in_range(s, in);
    if (unit_invariant != NULL) {
        __CPROVER_assume(unit_invariant(s));
    }
    if (unit_accepts != NULL) {
        __CPROVER_assume(unit_accepts(s, (const uint64_t *)in));
    }
}

static void check_reset(const struct state *s, const struct in *in)
{
    struct state reset_a = *s, reset_b = *s;
    struct out ignored;
    reset(&reset_a);
    rtl(s, in, true, &ignored, &reset_b);
    same_state(&reset_a, &reset_b, true);
    if (unit_invariant != NULL) {
        __CPROVER_assert(unit_invariant(&reset_a), "the invariant after reset");
    }
}

static void check_step(const struct state *s, const struct in *in)
{
    struct state next_a = *s, next_b = *s;
    struct out a = {0}, b = {0};
    rtl(s, in, false, &b, &next_b);
    comb(s, in, &a);
    same_outputs(&a, &b);
#if PROVE_SEQUENTIAL
    seq(&next_a, in);
    same_state(&next_a, &next_b, false);
    if (PROVE_REST && unit_invariant != NULL) {
        __CPROVER_assert(unit_invariant(&next_a), "the invariant after a step");
    }
#endif
}

int main(void)
{
    struct state s;
    struct in in;
    any_step(&s, &in);
    check_step(&s, &in);
#if PROVE_SEQUENTIAL
    if (PROVE_REST) {
        struct state any;
        struct in with;
        in_range(&any, &with);
        check_reset(&any, &with);
    }
#endif
#ifdef PROVE_REACHES_END
    __CPROVER_assert(false, "the end is reached");
#endif
    return 0;
}
