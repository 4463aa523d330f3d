/* promises.h - what a model knows of its states and asks of its inputs, beyond the widths of
 * its table.  A model includes this after model.h and says, where it applies:
 *
 *   MODEL_INVARIANT(function)  bool function(const struct state *): true after reset, and
 *                              after every step from a state in which it was true
 *   MODEL_ACCEPTS(function)    bool function(const struct state *, const struct in *): inputs
 *                              that the unit's contract allows in that state; what happens on
 *                              others is undefined
 *
 * The random tester checks both at every step; the proofs (tb/prove) assume them before a
 * step and prove the invariant after it.  Both are looked up by name. */
#ifndef WARPLOCK_UNITS_PROMISES_H
#define WARPLOCK_UNITS_PROMISES_H

#include <stdbool.h>
#include <stdint.h>

/* a * b modulo 2^(bits of type); proofs may put an unknown function of a and b in its place,
 * on both sides (tb/prove/builtins.h). */
#ifndef UNIT_PRODUCT
#define UNIT_PRODUCT(type, a, b) ((type)((type)(a) * (type)(b)))
#endif

#define MODEL_INVARIANT(function) \
    static bool unit_invariant_holds(const void *state) \
    { \
        return function((const struct state *)state); \
    } \
    __attribute__((visibility("default"))) bool (*const unit_invariant)( \
        const void *) = unit_invariant_holds;

#define MODEL_ACCEPTS(function) \
    static bool unit_inputs_accepted(const void *state, const uint64_t *in) \
    { \
        return function((const struct state *)state, (const struct in *)(const void *)in); \
    } \
    __attribute__((visibility("default"))) bool (*const unit_accepts)( \
        const void *, const uint64_t *) = unit_inputs_accepted;

#endif
