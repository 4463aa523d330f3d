/* dac_victim - the way that a missing block takes (wang2015 3.12.6).
 * Knows one set: its stack and line states, nothing of tags or loads. */
#define UNIT_TABLE "units/dacache/dac_victim/dac_victim.ports.h"
#include "units/model.h"
#include "units/promises.h"

/* A code of no way at all, possible when ASSO is no power of two, is never free. */
static bool replaceable(const struct in *in, uint64_t way)
{
    return way < ASSO && !(in->reserved >> way & 1);
}

static bool invalid(const struct in *in, uint64_t way)
{
    return replaceable(in, way) && !(in->valid >> way & 1);
}

static void choose(struct out *out, const struct in *in, unsigned position)
{
    out->found = 1;
    out->vpos = position;
    out->vway = in->stack_i[position];
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    out->found = out->vpos = out->vway = 0;
    if (PREF_INVALID) {
        for (unsigned i = 0; i < ASSO; i++) {
            bool first = !out->found || in->stack_i[i] < out->vway;
            if (invalid(in, in->stack_i[i]) && first) {
                choose(out, in, i);
            }
        }
    }
    bool negative = in->p_eff >> WAY_W;
    uint64_t region_begin = in->uncon || negative ? 0 : in->p_eff + 1;
    for (unsigned i = ASSO; !out->found && i-- > region_begin;) {
        if (replaceable(in, in->stack_i[i])) {
            choose(out, in, i);
        }
    }
}

/* The stack names every way once. */
static bool stack_is_permutation(const struct state *s, const struct in *in)
{
    (void)s;
    uint64_t ways = 0;
    for (unsigned i = 0; i < ASSO; i++) {
        ways |= UINT64_C(1) << in->stack_i[i];
    }
    return ways == unit_bits(UINT64_MAX, ASSO);
}
MODEL_ACCEPTS(stack_is_permutation)

MODEL_COMBINATIONAL
