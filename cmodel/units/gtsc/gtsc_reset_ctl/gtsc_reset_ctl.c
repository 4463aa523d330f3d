/* gtsc_reset_ctl - when all timestamps of the machine begin anew (tabbakh2018 3.6.8).
 * Knows no timestamp: only who overflowed, who is drained, who has adopted. */
#define UNIT_TABLE "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
#include "units/model.h"
#include "units/promises.h"

static uint64_t ones(unsigned n)
{
    return unit_bits(UINT64_MAX, n);
}

/* An overflow that may be answered, once the last reset has reached every SM. */
static bool held_up(const struct state *s, const struct in *in)
{
    return s->phase == phase_RUN && in->overflow && s->seen != ones(SMS);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    *out = (struct out){.stop = s->phase != phase_RUN,
                        .flash = s->phase == phase_FLASH,
                        .epoch = s->own_epoch,
                        .held_up = held_up(s, in)};
    if (RESET_MODE == 1) {
        out->probe = out->flash ? ones(SMS) : 0;
    } else {
        out->probe = out->held_up ? ~(uint64_t)s->seen & ones(SMS) : 0;
    }
}

static void seq(struct state *s, const struct in *in)
{
    const bool waits = held_up(s, in);
    s->seen = (__typeof__(s->seen))(s->seen | in->adopted);
    if (s->phase == phase_RUN) {
        s->phase = in->overflow && !waits ? phase_DRAIN : phase_RUN;
    } else if (s->phase == phase_DRAIN) {
        s->phase = in->drained == ones(BANKS) ? phase_FLASH : phase_DRAIN;
    } else {
        s->phase = phase_RUN;
        s->own_epoch = (__typeof__(s->own_epoch))unit_bits(s->own_epoch + UINT64_C(1), EPOCH_BITS);
        s->seen = (__typeof__(s->seen))(RESET_MODE == 1 ? ones(SMS) : 0);
    }
}

static void reset(struct state *s)
{
    s->phase = phase_RUN;
    s->seen = (__typeof__(s->seen))ones(SMS);
    s->own_epoch = 0;
}

static bool phase_is_known(const struct state *s)
{
    return s->phase <= phase_FLASH;
}
MODEL_INVARIANT(phase_is_known)

MODEL_SEQUENTIAL
