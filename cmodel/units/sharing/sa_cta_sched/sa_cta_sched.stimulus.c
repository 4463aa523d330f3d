/* Stimulus of sa_cta_sched.  Launches are drawn whole: most kernels have few CTAs for each SM, so
 * that groups, the change to the pool and the end come often, with ragged last groups; the others
 * have many, or none.  Slots are free by stretches: all, few, or one SM alone, so that an SM ends its
 * group long before others and is served twice in a row.  For a quarter of the time launches come
 * early, of kernels whose pool opens soon, so that some meet the one cycle in which it does.  The
 * numbers are sampled; all policies, and the change of each SM's state, come by chance at least some
 * hundred times. */
#define UNIT_TABLE "units/sharing/sa_cta_sched/sa_cta_sched.ports.h"
#include "tb/stimulus.h"

static const uint64_t most = UINT64_MAX >> (64 - CTAW);

static void draw_launch(struct tb_random *random, bool early, struct in *in)
{
    uint64_t kind = tb_random_below(random, 16);
    in->launch_total = kind == 0   ? 0
                       : kind == 1 ? most - tb_random_below(random, 40)
                                   : tb_random_below(random, kind < 8 ? 127 : 3 * NSM);
    in->launch_group = 1 + tb_random_below(random, kind == 2 ? 100 : 9);
    in->launch_limit = tb_random_below(random, 10);
    in->launch_policy = tb_random_below(random, 32) == 0 ? 4 + tb_random_below(random, 4)
                                                         : tb_random_below(random, 4);
    if (kind == 3) {
        in->launch_limit = tb_random_below(random, 64);
    }
    if (kind == 1 && tb_random_below(random, 2)) {
        in->launch_group = in->launch_total / (1 + tb_random_below(random, NSM + 3));
    }
    if (early && kind > 5) {
        in->launch_policy = launch_policy_ADAPTIVE;
        in->launch_group = 1 + tb_random_below(random, 2);
        in->launch_total = in->launch_group * (NSM + tb_random_below(random, 4));
    }
    in->launch_groups = (in->launch_total + in->launch_group - 1) / in->launch_group;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    struct in *in = (struct in *)in_slots;
    (void)last_in;
    const struct out *last = (const struct out *)last_out;
    const bool early = step / 1024 % 4 == 3;
    in->launch_valid = tb_random_below(random, last->all_issued ? 6 : early ? 4 * NSM : 256) == 0;
    draw_launch(random, early, in);
    switch (step / 64 % 4) {
    case 0: in->sm_free = in->sm_free2 = most & ((UINT64_C(1) << NSM) - 1); break;
    case 1: in->sm_free &= in->sm_free2; break;
    case 2: in->sm_free = UINT64_C(1) << tb_random_below(random, 2) * (NSM - 1); break;
    default: break;
    }
    in->sm_free2 &= in->sm_free;
}

enum bin {
    LAST_OF_GROUP,
    TAKES_GROUP,
    RAGGED,
    OPENS_POOL,
    OPENS_IN_WALK,
    POOL_BESIDE_GROUP,
    AT_ONCE,
    FEW_GROUPS,
    PAIR_WAITS,
    ONE_LEFT,
    LAUNCH_OVER,
    LAUNCH_AT_OPENING,
    SERVED_WAITS
};

/* The pool would open in this cycle: an SM without a group is served when few groups are left. */
static bool opening(const struct state *s)
{
#if UNIT_SET_ONE_CYCLE
    (void)s;
    return false;
#else
    const unsigned sm = s->chosen ? (unsigned)__builtin_ctzll(s->chosen) : 0;
    return s->chosen && s->cur[sm] == s->end[sm] && s->policy == launch_policy_ADAPTIVE &&
           s->rem < NSM && !s->pool;
#endif
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state;
    const bool passed = ONE_CYCLE; /* the pointer of what is issued has moved behind it */
    bool own = out->issue_valid && s->cur[s->last] + !passed == s->end[s->last] &&
               s->end[s->last] == s->cta + 1u;
    bool adaptive = in->launch_policy == launch_policy_ADAPTIVE;
    hits[LAST_OF_GROUP] += own;
    hits[TAKES_GROUP] += out->group_taken && !s->walk;
    hits[RAGGED] += out->group_taken && s->ahead == s->total && s->ahead - s->next < s->step;
    hits[OPENS_POOL] += out->pool_opened && !s->walk;
    hits[OPENS_IN_WALK] += out->pool_opened && s->walk;
    hits[POOL_BESIDE_GROUP] += s->pool && out->issue_valid && s->policy == launch_policy_ADAPTIVE &&
                               s->cta + passed != s->next;
    hits[AT_ONCE] += in->launch_valid && adaptive && in->launch_groups < NSM;
    hits[FEW_GROUPS] += s->walk && s->next == s->total;
    bool bcs = s->policy == launch_policy_BCS && !s->walk && !s->prime && s->next != s->total;
    for (unsigned sm = 0; sm < NSM && bcs; sm++) {
        bool one = (in->sm_free & ~in->sm_free2) >> sm & 1;
        hits[PAIR_WAITS] += one && s->cur[sm] == s->end[sm] && !s->single;
        hits[ONE_LEFT] += one && s->cur[sm] == s->end[sm] && s->single && s->pairs;
    }
    hits[LAUNCH_OVER] += in->launch_valid && !out->all_issued;
    hits[LAUNCH_AT_OPENING] += in->launch_valid && opening(s);
    hits[SERVED_WAITS] += out->issue_valid && in->sm_free == UINT64_C(1) << out->issue_sm;
}

STIMULUS(20000, drive, observe, BIN("last CTA of a group"),
         BIN("an SM takes a group after its first"), BIN("ragged last group"),
         BIN("the pool opens"), BIN_IF(!EXEMPT, "the pool opens before every SM had a group"),
         BIN("an SM goes on with its group beside the pool"),
         BIN("adaptive, fewer groups than SMs"), BIN("an SM gets no first group"),
         BIN("BCS: a pair waits for a second slot"), BIN("BCS: the last CTA needs no second slot"),
         BIN("launch before all is issued"),
         BIN_IF(!ONE_CYCLE, "launch in the cycle in which the pool would open"),
         BIN("the SM just served is the only one with a slot"))
