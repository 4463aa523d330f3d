/* dac_gauge - insertion position of a missing block and the class of its warp
 * (wang2015 3.12.2, 3.12.3, 3.12.5).  Knows no stack: it names a position only. */
#define UNIT_TABLE "units/dacache/dac_gauge/dac_gauge.ports.h"
#include "units/model.h"

enum { MRU = 0, LRU = WAYS - 1 };

/* Eq 4.1: the lines which older warps, and their twins in the other schedulers,
 * are expected to need in each set. */
static uint64_t gauged_position(uint64_t prio)
{
    uint64_t lines = prio * N_SCHED * WIDTH;
    uint64_t per_set = ROUND_UP ? (lines + SETS - 1) / SETS : lines / SETS;
    return per_set < LRU ? per_set : LRU;
}

static bool thrashes(uint64_t prio, uint64_t fcw)
{
    uint64_t warps_older = prio * N_SCHED;
    return THRASH_STRICT ? warps_older > fcw : warps_older >= fcw;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)s;
    bool thrash = thrashes(in->prio, in->fcw);
    out->thrash = in->enable && thrash;
    if (!in->enable) {
        out->insert_pos = MRU;
    } else if (in->nreq <= COH_MAX) {
        bool no_reuse = in->clp == clp_NONE || (in->clp == clp_UNKNOWN && !UNKNOWN_MRU);
        out->insert_pos = no_reuse ? LRU : MRU;
    } else if (in->nreq <= SMALL_MAX && (SMALL_THRASH_MRU || !thrash)) {
        out->insert_pos = MRU;
    } else {
        out->insert_pos = thrash ? LRU : gauged_position(in->prio);
    }
}

MODEL_COMBINATIONAL
