/* Stimulus of age_rank.  Launches and exits are uniform over the slots, in stretches that
 * fill, at last without any exit, and stretches that drain, so that the SM is sometimes full
 * and sometimes empty; ids that need refusing come by themselves, but for those past the last
 * slot. */
#define UNIT_TABLE "units/sched/age_rank/age_rank.ports.h"
#include "tb/stimulus.h"

#include "units/sched/missing_slot.stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)last_in, (void)last_out;
    struct in *in = (struct in *)in_slots;
    bool filling = step / 512 % 2 == 0, fills_up = filling && step / 1024 % 2;
    in->warp_launch_valid = tb_random_below(random, filling ? 2 : 16) == 0;
    in->warp_exit_valid = !fills_up && tb_random_below(random, filling ? 16 : 2) == 0;
    if (tb_random_below(random, 4) == 0) {
        in->warp_exit_wid = in->warp_launch_wid;
    }
    drive_missing_slot(random, &in->warp_launch_wid);
    drive_missing_slot(random, &in->warp_exit_wid);
}

enum bin {
    REFILL,
    REFUSED_LAUNCH,
    REFUSED_EXIT,
    OLDEST_EXITS,
    YOUNGEST_EXITS,
    FULL,
    EMPTY,
    NO_SUCH_LAUNCH,
    NO_SUCH_EXIT
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct state *s = state_;
    (void)out_slots;
    bool exits = in->warp_exit_valid && ((uint64_t)s->resident >> in->warp_exit_wid & 1);
    bool busy = (uint64_t)s->resident >> in->warp_launch_wid & 1;
    unsigned population = (unsigned)__builtin_popcountll(s->resident);
    hits[REFILL] += exits && in->warp_launch_valid && in->warp_launch_wid == in->warp_exit_wid;
    hits[REFUSED_LAUNCH] += in->warp_launch_valid && busy &&
                            !(exits && in->warp_launch_wid == in->warp_exit_wid);
    hits[REFUSED_EXIT] += in->warp_exit_valid && !exits;
    hits[OLDEST_EXITS] += exits && population > 1 && s->rank[in->warp_exit_wid] == 0;
    hits[YOUNGEST_EXITS] += exits && population > 1 && s->rank[in->warp_exit_wid] == population - 1;
    hits[FULL] += population == WARPS;
    hits[EMPTY] += population == 0;
    hits[NO_SUCH_LAUNCH] += in->warp_launch_valid && missing_slot(in->warp_launch_wid);
    hits[NO_SUCH_EXIT] += in->warp_exit_valid && missing_slot(in->warp_exit_wid);
}

STIMULUS(10000, drive, observe, BIN("slot refilled in the cycle of its exit"),
         BIN("launch refused"), BIN("exit refused"), BIN("oldest warp exits"),
         BIN("youngest warp exits"), BIN("all slots in use"), BIN("no slot in use"),
         BIN_IF(MISSING_SLOTS > 0, "launch past the last slot"),
         BIN_IF(MISSING_SLOTS > 0, "exit past the last slot"))
