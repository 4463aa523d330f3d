/* Stimulus of gto_sched.  Residency fills and drains in stretches; readiness is uniform
 * in most steps, and in the rest all warps or only a few are ready, so that the greedy
 * warp both stays and loses its turn.  Half of the exits are of the warp that issued last, whose
 * slot is often refilled at once.  Launches and exits sometimes name a slot past the last. */
#define UNIT_TABLE "units/sched/gto_sched/gto_sched.ports.h"
#include "tb/stimulus.h"

#include "units/sched/missing_slot.stimulus.h"

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)last_in;
    struct in *in = (struct in *)in_slots;
    const struct out *last = (const struct out *)last_out;
    bool filling = step / 128 % 3 != 0;
    in->warp_launch_valid = tb_random_below(random, filling ? 2 : 16) == 0;
    in->warp_exit_valid = tb_random_below(random, filling ? 24 : 4) == 0;
    switch (tb_random_below(random, 4)) {
    case 0:
        in->mask_dis = 0;
        in->mem_block = 0;
        break;
    case 1: in->ready &= in->is_mem; break;
    default: break;
    }
    if (tb_random_below(random, 2) == 0) {
        in->warp_exit_wid = last->grant_wid;
    }
    if (tb_random_below(random, 4) == 0) {
        in->warp_launch_wid = in->warp_exit_wid;
    }
    drive_missing_slot(random, &in->warp_launch_wid);
    drive_missing_slot(random, &in->warp_exit_wid);
}

enum bin {
    IDLE,
    GREEDY_NOT_OLDEST,
    LOSES_TURN,
    MEMORY_BLOCKED,
    GREEDY_EXITS,
    RETURNS_AFTER_IDLE,
    NO_SUCH_LAUNCH,
    NO_SUCH_EXIT,
    GREEDY_REFILLED
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    uint64_t candidates = s->resident & in->ready & ~in->mask_dis;
    hits[IDLE] += !out->grant_valid && s->resident != 0;
    hits[GREEDY_NOT_OLDEST] += out->greedy && s->rank[s->last_wid] != 0;
    hits[LOSES_TURN] += out->grant_valid && s->last_valid && !out->greedy;
    hits[MEMORY_BLOCKED] += in->mem_block && (candidates & in->is_mem) && out->grant_valid;
    hits[GREEDY_EXITS] += in->warp_exit_valid && s->last_valid && in->warp_exit_wid == s->last_wid;
    hits[RETURNS_AFTER_IDLE] += out->grant_valid && !s->last_valid;
    hits[NO_SUCH_LAUNCH] += in->warp_launch_valid && missing_slot(in->warp_launch_wid);
    hits[GREEDY_REFILLED] += in->warp_exit_valid && out->grant_valid &&
                             in->warp_exit_wid == out->grant_wid && in->warp_launch_valid &&
                             in->warp_launch_wid == in->warp_exit_wid;
    hits[NO_SUCH_EXIT] += in->warp_exit_valid && missing_slot(in->warp_exit_wid);
}

STIMULUS(5000, drive, observe, BIN("no warp qualifies"), BIN("greedy warp is not the oldest"),
         BIN("greedy warp loses its turn"), BIN("memory instruction blocked"),
         BIN("greedy warp exits"), BIN("grant without a greedy warp"),
         BIN_IF(MISSING_SLOTS > 0, "launch past the last slot"),
         BIN_IF(MISSING_SLOTS > 0, "exit past the last slot"),
         BIN("slot refilled as its warp issues and exits"))
