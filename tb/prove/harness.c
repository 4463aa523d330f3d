/* harness.c - for CBMC: from any state and any inputs, C model and RTL give the same outputs
 * and the same next state, with and without reset.
 *
 * One step from every state is enough for all runs: both sides leave reset in the same
 * state, and what holds for one step holds for the next.  MODEL_FILE is the unit's C model,
 * RTL_FILE what transition.c made of its RTL. */
#include <stdbool.h>
#include <stdint.h>

/* CBMC has no parity; this is what the builtin means. */
static int parity(uint64_t value)
{
    for (unsigned step = 1; step < 64; step *= 2)
        value ^= value >> step;
    return (int)(value & 1);
}
#define __builtin_parityll(value) parity(value)
#define __builtin_parity(value) parity(value)

#include MODEL_FILE
#include RTL_FILE

int main(void)
{
    struct state s, next_a, next_b;
    struct in in;
    struct out a = {0}, b = {0};
    in_range(&s, &in);
#ifdef MODEL_INVARIANT
    __CPROVER_assume(MODEL_INVARIANT(&s));
#endif
#ifdef MODEL_ACCEPTS
    __CPROVER_assume(MODEL_ACCEPTS(&s, &in));
#endif
    next_a = s;
    next_b = s;
    comb(&s, &in, &a);
    rtl(&s, &in, false, &b, &next_b);
    same_outputs(&a, &b);
#if PROVE_SEQUENTIAL
    struct state reset_a = s, reset_b = s;
    struct out ignored;
    seq(&next_a, &in);
    same_state(&next_a, &next_b);
    reset(&reset_a);
    rtl(&s, &in, true, &ignored, &reset_b);
    same_state(&reset_a, &reset_b);
#ifdef MODEL_INVARIANT
    __CPROVER_assert(MODEL_INVARIANT(&next_a), "the invariant after a step");
    __CPROVER_assert(MODEL_INVARIANT(&reset_a), "the invariant after reset");
#endif
#endif
#ifdef PROVE_REACHES_END
    __CPROVER_assert(false, "the end is reached");
#endif
    return 0;
}
