/* dac_victim - the way that a missing block takes (wang2015 3.12.6).
 * Knows one set: its stack and line states, nothing of tags or loads. */
#define UNIT_TABLE "units/dacache/dac_victim/dac_victim.ports.h"
#include "units/model.h"
#include "units/promises.h"

/* A code of no way at all, possible when WAYS is no power of two, is never free. */
static bool replaceable(const struct in *in, uint64_t way)
{
    return way < WAYS && !(in->reserved >> way & 1);
}

static bool invalid(const struct in *in, uint64_t way)
{
    return replaceable(in, way) && !(in->valid >> way & 1);
}

static void choose(struct out *out, const struct in *in, unsigned position)
{
    out->found = 1;
    out->vpos = position;
    out->vway = in->lru_stack[position];
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    out->found = out->vpos = out->vway = 0;
    if (PREF_INVALID) {
        for (unsigned i = 0; i < WAYS; i++) {
            bool first = !out->found || in->lru_stack[i] < out->vway;
            if (invalid(in, in->lru_stack[i]) && first) {
                choose(out, in, i);
            }
        }
    }
    bool negative = in->p_eff >> WAY_W;
    uint64_t region_begin = in->uncon || negative ? 0 : in->p_eff + 1;
    for (unsigned i = WAYS; !out->found && i-- > region_begin;) {
        if (replaceable(in, in->lru_stack[i])) {
            choose(out, in, i);
        }
    }
}

/* The stack names every way once. */
static bool stack_is_permutation(const struct state *s, const struct in *in)
{
    (void)s;
    uint64_t ways = 0;
    for (unsigned i = 0; i < WAYS; i++) {
        ways |= UINT64_C(1) << in->lru_stack[i];
    }
    return ways == unit_bits(UINT64_MAX, WAYS);
}
MODEL_ACCEPTS(stack_is_permutation)

MODEL_COMBINATIONAL
