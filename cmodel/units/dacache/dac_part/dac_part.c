/* dac_part - trains the number of warps whose divergent loads can be cached whole
 * (wang2015 3.12.9 for DaCache, 3.18 for OAWS).  Sees retired loads only. */
#define UNIT_TABLE "units/dacache/dac_part/dac_part.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { C_MAX = 1 << CNT_W, TOP = CNT_HOLDS_CMAX ? C_MAX : C_MAX - 1 };

struct trained {
    uint64_t cnt, fcw;
    bool grow, shrink;
};

static struct trained fully_cached(uint64_t cnt, uint64_t fcw)
{
    if (cnt + 1 >= C_MAX && fcw < W_MAX) {
        return (struct trained){.cnt = HALF, .fcw = fcw + 1, .grow = true};
    }
    return (struct trained){.cnt = cnt < TOP ? cnt + 1 : TOP, .fcw = fcw};
}

/* The older the warp that missed, the heavier its vote for a smaller partition. */
static struct trained partially_cached(uint64_t cnt, uint64_t fcw, uint64_t gprio)
{
    uint64_t vote = gprio < fcw ? fcw - gprio : 1;
    cnt = cnt > vote ? cnt - vote : 0;
    if (cnt == 0 && fcw > W_MIN) {
        return (struct trained){.cnt = RELOAD_DOWN ? HALF : 0, .fcw = fcw - 1, .shrink = true};
    }
    return (struct trained){.cnt = cnt, .fcw = fcw};
}

static struct trained next(const struct state *s, const struct in *in)
{
    if (in->kernel_start && KERNEL_START_CLEARS) {
        return (struct trained){.cnt = HALF, .fcw = FCW_INIT};
    }
    if (!in->retire_valid || in->nreq <= COH_MAX) {
        return (struct trained){.cnt = s->cnt, .fcw = s->fcw};
    }
    return in->miss_seen ? partially_cached(s->cnt, s->fcw, in->gprio)
                         : fully_cached(s->cnt, s->fcw);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    struct trained to = next(s, in);
    out->fcw = s->fcw;
    out->cnt = s->cnt;
    out->grow = to.grow;
    out->shrink = to.shrink;
}

static void seq(struct state *s, const struct in *in)
{
    struct trained to = next(s, in);
    s->cnt = (__typeof__(s->cnt))to.cnt;
    s->fcw = (__typeof__(s->fcw))to.fcw;
}

static void reset(struct state *s)
{
    s->cnt = HALF;
    s->fcw = FCW_INIT;
}

static bool within_limits(const struct state *s)
{
    return s->fcw >= W_MIN && s->fcw <= W_MAX && s->cnt <= TOP;
}
MODEL_INVARIANT(within_limits)

MODEL_SEQUENTIAL
