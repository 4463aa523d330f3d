/* Stimulus of pas_sched.  The state is three ordered queues; what matters is each move's
 * source position, whether the ready queue is empty, full or has room, and which moves
 * fall into one cycle.  Blocks of 128 steps alternate between many launches and many
 * exits; within them blocked warps change a few at a time, in blocks of 64 steps towards
 * all and towards none, at the end of a launch block all at once; every other launch block
 * ends with every slot resident.  A period opens with held launches, as a kernel does.
 * Wake-ups mostly name a warp that moved just before.  Which warp is where is sampled, short
 * queues and few slots (a parameter set of its own) make collisions frequent. */
#define UNIT_TABLE "units/caps/pas_sched/pas_sched.ports.h"
#include "tb/stimulus.h"

enum { HELD_STEPS = 12 };

static uint64_t few_bits(struct tb_random *random)
{
    return tb_random_next(random) & tb_random_next(random) & tb_random_next(random) &
           tb_random_next(random);
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in_slots,
                  const uint64_t *last_out_slots, uint64_t *in_slots)
{
    struct in *in = (struct in *)(void *)in_slots;
    const struct in *last_in = (const struct in *)(const void *)last_in_slots;
    const struct out *last_out = (const struct out *)(const void *)last_out_slots;
    const uint64_t all = ~UINT64_C(0) >> (64 - WARPS);
    if (step < HELD_STEPS) {
        in->hold = in->warp_launch_valid = 1;
        in->warp_exit_valid = 0;
    } else if (step >> 7 & 1) {
        in->warp_launch_valid = in->warp_launch_valid && tb_random_below(random, 8) == 0;
        in->warp_exit_valid |= tb_random_below(random, 3) == 0;
    } else {
        in->warp_launch_valid |= tb_random_below(random, 8) != 0;
        in->warp_exit_valid = in->warp_exit_valid && tb_random_below(random, 16) == 0;
    }
    const bool fills = (step & 0x1c0) == 0x40;
    if (fills || tb_random_below(random, 4) != 0) {
        in->warp_launch_wid = (last_in->warp_launch_wid + 1) % WARPS;
    }
    if (fills) { /* until every slot is resident; then some exit */
        in->warp_launch_valid = 1;
        in->warp_exit_valid &= (step & 0x3f) >= 0x38;
    }
    const uint64_t block = few_bits(random) & all, wake = few_bits(random) & all;
    in->blocked = step >> 6 & 1 ? (last_in->blocked | block) & ~(wake & tb_random_next(random))
                                : (last_in->blocked & ~wake) | (block & tb_random_next(random));
    if ((step & 0xe0) == 0x60) {
        in->blocked = all; /* every resident warp ends up pending */
    }
    if (tb_random_below(random, 4) == 0 && last_out->wake_evict_valid) {
        in->wake_wid = last_out->wake_evict_wid;
        in->wake_valid = 1;
    }
    if (tb_random_below(random, 32) == 0) { /* numbers past WARPS too */
        in->warp_exit_wid = tb_random_below(random, 1 << WID_W);
        in->wake_wid = tb_random_below(random, 1 << WID_W);
        in->warp_launch_wid = tb_random_below(random, 1 << WID_W);
    }
    if (tb_random_below(random, 8) == 0) {
        in->warp_exit_wid = tb_random_below(random, 2) ? last_in->warp_launch_wid
                                                       : in->warp_launch_wid;
        in->wake_wid = tb_random_below(random, 2) ? in->warp_launch_wid : in->wake_wid;
    }
}

static unsigned count(uint64_t warps)
{
    return (unsigned)__builtin_popcountll(warps);
}

/* The events that act in this cycle: sets of no or one warp. */
struct acting {
    uint64_t exits, launched, wakes;
};

static struct acting acting_in(const struct in *in, const struct state *s)
{
#if UNIT_SET_ONE_CYCLE
    (void)s;
    return (struct acting){in->warp_exit_valid << in->warp_exit_wid,
                           in->warp_launch_valid << in->warp_launch_wid,
                           in->wake_valid << in->wake_wid};
#else
    (void)in;
    return (struct acting){s->exits, s->launched, s->wakes};
#endif
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)(const void *)in_slots;
    const struct out *out = (const struct out *)(const void *)out_slots;
    const struct state *s = state;
    const struct acting now = acting_in(in, s);
    const uint64_t ready = out->rq_vec, leading = ready & out->lead_vec, pending = s->live & ~ready;
    const uint64_t exits = now.exits & s->live, resident = now.launched & s->live;
    const bool full = count(ready) >= RQ, trailing_too = leading != ready;
    const bool spared = out->woken && !out->wake_evict_valid && full;
    hits[0] += out->wake_evict_valid && !trailing_too;
    hits[1] += out->wake_evict_valid && leading == 0;
    hits[2] += out->wake_evict_valid && (now.wakes & s->marked) && leading != 0 && trailing_too;
    hits[3] += out->woken && !out->wake_evict_valid && out->promoted;
    hits[4] += !out->woken && (ready & now.wakes);
    hits[5] += out->demoted && out->promoted && full;
    hits[6] += (now.launched & now.exits & s->live) != 0;
    hits[7] += (resident & ~now.exits) != 0;
    hits[8] += (exits & leading) != 0;
    hits[9] += (exits & ready & ~leading) != 0;
    hits[10] += (exits & pending) != 0;
    hits[11] += now.exits != exits;
    hits[12] += in->hold && now.wakes && pending;
    hits[13] += in->hold && out->demoted;
    hits[14] += count(s->live) == WARPS;
    hits[15] += full && now.launched && !resident;
    hits[16] += out->issue_valid && !in->issue_ready;
    hits[17] += full && (in->blocked & ready) == ready;
    hits[18] += out->woken && (in->blocked & now.wakes);
    hits[19] += in->base_valid && (s->marked >> in->base_wid & 1);
    hits[20] += out->demoted && out->promoted;
    hits[21] += count(in->blocked & ready) > 1;
    hits[22] += spared && out->demoted;
    hits[23] += spared && (exits & ready) && !out->demoted;
    hits[24] += out->demoted && now.launched && !resident;
    hits[25] += now.wakes && !in->hold && !out->woken && !out->promoted && !full && !exits &&
                (pending & ~in->blocked);
}

STIMULUS(1500, drive, observe, BIN_IF(WAKE, "wake-up evicts from a full leading queue"),
         BIN_IF(WAKE, "wake-up evicts from a full trailing queue"),
         BIN_IF(WAKE, "a marked warp displaces a trailing one"),
         BIN_IF(WAKE &&ONE_CYCLE, "wake-up and promotion at once"),
         BIN_IF(WAKE || ONE_CYCLE, "wake-up of a ready warp"),
         BIN_IF(ONE_CYCLE, "demotion makes room"), BIN("launch into the slot that exits"),
         BIN("launch of a resident warp is ignored"), BIN("exit from the leading queue"),
         BIN("exit from the trailing queue"), BIN("exit from the pending queue"),
         BIN("exit of an absent warp"), BIN_IF(WAKE || ONE_CYCLE, "held wake-up"),
         BIN("demotion while held"), BIN("all slots resident"),
         BIN("launch behind a full ready queue"), BIN("issue refused"),
         BIN("whole ready queue blocks"), BIN_IF(WAKE_ALWAYS, "blocked warp woken"),
         BIN("base address of a marked warp"), BIN("demotion and promotion at once"),
         BIN("more than one ready warp blocks"),
         BIN_IF(WAKE, "a demotion spares the ready warps a wake-up"),
         BIN_IF(WAKE, "an exit spares the ready warps a wake-up"),
         BIN("launch and demotion at once"),
         BIN_IF(WAKE && !ONE_CYCLE, "a wake-up without effect delays a promotion"),
         GUARD_IF(WAKE, "wake_evict_wid"))
