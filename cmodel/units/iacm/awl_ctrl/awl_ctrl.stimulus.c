/* Stimulus of awl_ctrl.  A search takes its way by comparisons of whole periods, so that IPCs drawn at
 * random end it soon.  Of four stretches of eight periods three therefore have a peak, the nearer the
 * count, the more instructions: between a half and all of the warps after a launch; at few warps, with a
 * launch that comes amid the search before; at many, from the few that were chosen.  The fourth draws
 * uniformly, issues nothing, or as much as is possible, so that counts saturate, under launches some of
 * which have one warp.  Eight of sixteen stretches give every period an IPC of its own.  The phase is left
 * now and then.  The small periods run thousands of searches, the document's goes through the first four
 * stretches once. */
#define UNIT_TABLE "units/iacm/awl_ctrl/awl_ctrl.ports.h"
#include "tb/stimulus.h"

enum { PERIOD = LAST + 1, STRETCH = 8 * PERIOD, TOP = (1 << WCW) - 1 };
enum kind { HIGH_PEAK, LOW_PEAK, FROM_LOW, WILD };

static uint64_t mixed(uint64_t x)
{
    x *= UINT64_C(0x9E3779B97F4A7C15);
    return x ^ x >> 32;
}

static uint64_t issued(struct tb_random *random, uint64_t step, uint64_t nc)
{
    const uint64_t stretch = step / STRETCH;
    const uint64_t peak = stretch % 4 == LOW_PEAK    ? 1 + mixed(stretch) % 4
                          : stretch % 4 == HIGH_PEAK ? TOP / 2 + mixed(stretch) % (TOP / 4)
                                                     : TOP;
    const uint64_t away = nc > peak ? nc - peak : peak - nc;
    if (stretch % 16 > 7) {
        return mixed(step / PERIOD + 1) % 4
                   ? mixed(step / PERIOD) % 120 + tb_random_below(random, 2)
                   : 0;
    }
    if (stretch % 4 != WILD) {
        return away < 40 ? 127 - 3 * away : 1;
    }
    switch (mixed(stretch) % 4) {
    case 0: return tb_random_below(random, 128);
    case 1: return 0;
    default: return 127;
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    const uint64_t nc = ((const struct out *)last_out)->nc, stretch = step / STRETCH;
    const bool wild = stretch % 4 == WILD;
    (void)last_in;
    in->kernel_start = (step % STRETCH == 1 && stretch % 4 != FROM_LOW) ||
                       (wild && tb_random_below(random, 2 * PERIOD) == 0);
    in->nt = !wild      ? TOP - mixed(stretch) % (TOP / 4)
             : step % 2 ? tb_random_below(random, 3)
                        : in->nt;
    in->phase_awl = in->phase_awl || step % 64 != 0;
    in->insn_inc = issued(random, step, nc);
}

enum bin {
    DOUBLES,
    STEPS_UP,
    STEPS_DOWN,
    TURNS,
    SATURATES,
    ENDS_TO_IDLE,
    ENDS_TO_ADI,
    ONE_WARP,
    LAUNCH_IN_SEARCH
};

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    const bool on = out->better && !out->done;
    hits[DOUBLES] += on && !s->linear && s->up;
    hits[STEPS_UP] += on && s->linear && s->up;
    hits[STEPS_DOWN] += on && s->linear && !s->up;
    hits[TURNS] += out->worse && !s->up && !out->done;
    hits[SATURATES] += in->phase_awl && !s->init &&
                       (uint64_t)s->ipc + 127 >= (UINT64_C(1) << IPC_W);
    hits[ENDS_TO_IDLE] += out->done && out->goto_idle && s->nt > 1;
    hits[ENDS_TO_ADI] += out->done && !out->goto_idle;
    hits[ONE_WARP] += out->done && s->nt == 1;
    hits[LAUNCH_IN_SEARCH] += in->kernel_start && !s->init;
}

STIMULUS(40 * STRETCH, drive, observe, BIN("the count doubles"), BIN("one warp more"),
         BIN("one warp fewer"), BIN("the direction turns"),
         BIN_IF(PERIOD *INT64_C(127) >= (INT64_C(1) << IPC_W), "a count reaches its greatest"),
         BIN("ends near the last search"), BIN("ends far from it"), BIN("nothing to search"),
         BIN("a kernel starts amid a search"))
