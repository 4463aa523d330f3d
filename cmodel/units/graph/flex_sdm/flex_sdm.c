/* flex_sdm - which policy misses less (lakshminarayana2014 3.3.3).  Knows the sets that miss, and no
 * more of the caches. */
#define UNIT_TABLE "units/graph/flex_sdm/flex_sdm.ports.h"
#include "units/graph/flex_leader.h"
#include "units/model.h"

enum { PSEL_MAX = (1 << PSEL_W) - 1, PSEL_HALF = 1 << (PSEL_W - 1) };

static int next_psel(const struct state *s, const struct in *in)
{
    int psel = s->psel;
    for (unsigned slice = 0; slice < SLICES && FREEZE == 0; slice++) {
        const bool missed = in->miss_valid >> slice & 1;
        const uint64_t set = in->miss_set[slice];
        psel += missed && flex_leader(set, 0, LEADERS, SETS, SDM_SETS);
        psel -= missed && flex_leader(set, 1, LEADERS, SETS, SDM_SETS);
    }
    return psel < 0 ? 0 : psel > PSEL_MAX ? PSEL_MAX : psel;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->psel = s->psel;
    out->mode_follow = s->psel >= PSEL_HALF;
    out->mode_changes = (next_psel(s, in) >= PSEL_HALF) != out->mode_follow;
}

static void seq(struct state *s, const struct in *in)
{
    s->psel = (__typeof__(s->psel))next_psel(s, in);
}

static void reset(struct state *s)
{
    s->psel = FREEZE == 1 ? 0 : FREEZE == 2 ? PSEL_MAX : PSEL_HALF - 1;
}

MODEL_SEQUENTIAL
