/* pas_sched - prefetch-aware two-level warp scheduler with eager wake-up
 * (caps-prefetch 3.3, 3.4, 3.5).  A launch without markers makes it the plain two-level
 * scheduler.  Knows warps by slot number only: not CTAs, not addresses, not prefetches.
 *
 * Residents and markers are here, a cycle (comb, seq) is in the file of the form. */
#define UNIT_TABLE "units/caps/pas_sched/pas_sched.ports.h"
#include "units/model.h"
#include "units/promises.h"

typedef UNIT_WORD(WARPS) warps; /* one bit per warp slot */

/* Events: sets of no or one warp. */
struct events {
    uint64_t exits, clears, launched;
    bool launched_lead;
};

static bool bit(uint64_t vector, unsigned wid)
{
    return unit_field(vector, wid, 1);
}

static uint64_t only(uint64_t valid, uint64_t wid)
{
    return valid ? unit_bits(UINT64_C(1) << wid, WARPS) : 0;
}

static struct events events_of(const struct in *in)
{
    return (struct events){.exits = only(in->warp_exit_valid, in->warp_exit_wid),
                           .clears = LEAD_CLEAR ? only(in->base_valid, in->base_wid) : 0,
                           .launched = only(in->warp_launch_valid, in->warp_launch_wid),
                           .launched_lead = in->warp_launch_lead != 0};
}

/* Exit, marker clear, launch; the launches that are taken. */
static uint64_t change_residents(struct state *s, const struct events *events)
{
    const uint64_t remain = s->live & ~events->exits, launches = events->launched & ~remain;
    s->live = (warps)(remain | launches);
    s->marked = (warps)((s->marked & ~events->exits & ~events->clears) |
                        (events->launched_lead ? launches : 0));
    return launches;
}

#if UNIT_SET_ONE_CYCLE
#include "units/caps/pas_lists.h"
#else
#include "units/caps/pas_moves.h"
#endif

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static bool warps_stand_once(const struct state *s)
{
    return queues_sound(s) && !(s->marked & ~s->live);
}
MODEL_INVARIANT(warps_stand_once)

MODEL_SEQUENTIAL
