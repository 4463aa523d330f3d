/* sa_cta_sched - which CTA of a kernel goes to which SM (tabbakh2018 3.1.2 to 3.1.4).
 * Knows linear CTA ids and which SMs have free slots; nothing of grids or of what fills a slot. */
#define UNIT_TABLE "units/sharing/sa_cta_sched/sa_cta_sched.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { NO_SM = NSM };
typedef UNIT_WORD(CTAW) cta_word;

static cta_word masked(uint64_t cta)
{
    return (cta_word)unit_bits(cta, CTAW);
}

static bool more(const struct state *s)
{
    return s->next != s->total;
}

static bool run(const struct state *s)
{
    return !s->prime && !s->walk;
}

static bool has(const struct state *s, unsigned sm)
{
    return s->cur[sm] != s->end[sm];
}

/* Adaptive: too few groups are left for all SMs. */
static bool few(const struct state *s)
{
    return s->policy == launch_policy_ADAPTIVE && s->rem < NSM;
}

static bool wants(const struct state *s, const struct in *in, unsigned sm)
{
    bool served = ONE_CYCLE && s->valid && s->last == sm;
    bool slots = s->policy != launch_policy_BCS || s->single || (in->sm_free2 >> sm & 1);
    return (in->sm_free >> sm & 1) && !served && (has(s, sm) || (more(s) && slots));
}

static unsigned choose(const struct state *s, const struct in *in)
{
    unsigned first = ROTATE ? s->last + 1u : 0;
    for (unsigned i = 0; i < NSM; i++) {
        unsigned sm = (first + i) % NSM;
        if (wants(s, in, sm)) {
            return sm;
        }
    }
    return NO_SM;
}

#if UNIT_SET_ONE_CYCLE
static unsigned served(const struct state *s, const struct in *in)
{
    return run(s) ? choose(s, in) : NO_SM;
}
#else
static unsigned served(const struct state *s, const struct in *in)
{
    (void)in;
    return s->chosen ? (unsigned)__builtin_ctzll(s->chosen) : NO_SM;
}
#endif

/* What happens at the edge, but for a launch. */
struct step {
    unsigned sm;  /* served, or NO_SM */
    bool own;     /* out of its group */
    bool to_pool; /* else: out of the pool, not of a new group */
    bool deals, opens;
};

static struct step decide(const struct state *s, const struct in *in)
{
    bool closed = few(s) && !EXEMPT;
    struct step d = {.sm = served(s, in), .to_pool = s->pool || few(s)};
    d.own = d.sm != NO_SM && has(s, d.sm);
    d.deals = s->walk && more(s) && !closed;
    d.opens = s->walk && more(s) && closed;
    return d;
}

static bool takes(const struct step *d)
{
    return d->sm != NO_SM && !d->own;
}

static bool hands(const struct step *d)
{
    return d->deals || (takes(d) && !d->to_pool);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    struct step d = decide(s, in);
    bool all = run(s) && !more(s);
    for (unsigned sm = 0; sm < NSM; sm++) {
        all = all && !has(s, sm);
    }
    out->issue_valid = s->valid;
    out->issue_sm = s->last;
    out->issue_cta = s->cta;
    out->busy = !run(s);
    out->all_issued = all;
    out->group_taken = hands(&d) && !in->launch_valid;
    out->pool_opened = !in->launch_valid && !s->pool && (d.opens || (takes(&d) && d.to_pool));
}

/* The end of the group behind the one that is handed out. */
static void advance(struct state *s)
{
    const uint64_t step = s->step;
    bool rest = s->after <= step;
    s->single = s->after == 1 || step == 1;
    s->ahead = masked(rest ? s->total : s->ahead + step);
    s->after = masked(rest ? 0 : s->after - step);
}

static void launch(struct state *s, const struct in *in)
{
    unsigned policy = (unsigned)in->launch_policy;
    bool adaptive = policy == launch_policy_ADAPTIVE;
    bool grouped = adaptive || policy == launch_policy_GROUP || policy == launch_policy_BCS;
    uint64_t first = in->launch_limit < 2 ? 1 : BCS_INITIAL ? in->launch_limit & ~UINT64_C(1) : 2;
    const struct state was = *s;
    memset(s, 0, sizeof *s);
    s->cta = was.cta; /* and what goes with it: shown, though nothing is issued */
#if !UNIT_SET_ONE_CYCLE
    s->pooled = was.pooled;
    s->carry = was.carry;
#endif
    s->policy = (uint8_t)policy;
    s->total = s->after = (cta_word)in->launch_total;
    s->step = (cta_word)(policy == launch_policy_BCS ? first : in->launch_group);
    s->pairs = in->launch_limit >= 2;
    s->rem = (cta_word)in->launch_groups;
    s->pool = !grouped || (adaptive && POOL_FIRST && in->launch_groups < NSM);
    s->prime = !s->pool;
    s->last = NSM - 1;
}

/* The pointer that a CTA was taken from moves behind it. */
static void pass(struct state *s, unsigned sm, bool pooled)
{
    if (pooled) {
        s->next = masked(s->cta + UINT64_C(1));
    } else {
        s->cur[sm] = masked(s->cta + UINT64_C(1));
    }
}

#if UNIT_SET_ONE_CYCLE
static void choose_next(struct state *s, const struct in *in)
{
    (void)s, (void)in;
}
static void pass_later(struct state *s)
{
    (void)s;
}
static void taken_from(struct state *s, unsigned sm, bool pooled)
{
    pass(s, sm, pooled);
}
#else
static void choose_next(struct state *s, const struct in *in)
{
    unsigned sm = run(s) && !s->valid && !s->chosen ? choose(s, in) : NO_SM;
    s->chosen = (UNIT_WORD(NSM))(sm == NO_SM ? 0 : UINT64_C(1) << sm);
}
static void pass_later(struct state *s)
{
    if (s->valid) {
        pass(s, s->last, s->pooled);
    }
}
static void taken_from(struct state *s, unsigned sm, bool pooled)
{
    (void)sm;
    s->pooled = pooled;
    s->carry = unit_bits(~(uint64_t)s->cta, CTAW / 2) == 0;
}
#endif

static void serve(struct state *s, const struct step *d)
{
    s->valid = d->sm != NO_SM;
    if (!s->valid) {
        return;
    }
    s->last = (uint8_t)d->sm;
    s->pool |= takes(d) && d->to_pool;
    s->cta = d->own ? s->cur[d->sm] : s->next;
    if (takes(d) && !d->to_pool) {
        s->cur[d->sm] = s->next;
        s->end[d->sm] = s->next = s->ahead;
    }
    taken_from(s, d->sm, takes(d) && d->to_pool);
}

/* The next SM gets its first group. */
static void deal(struct state *s, const struct step *d)
{
    unsigned sm = (s->last + 1u) % NSM;
    if (d->deals) {
        s->cur[sm] = s->next;
        s->end[sm] = s->next = s->ahead;
    }
    s->pool |= d->opens;
    s->walk = sm != NSM - 1 && !d->opens;
    s->last = d->opens ? NSM - 1 : (uint8_t)sm;
    s->valid = 0;
}

static void seq(struct state *s, const struct in *in)
{
    const struct step d = decide(s, in);
    if (in->launch_valid) {
        launch(s, in);
        return;
    }
    choose_next(s, in);
    pass_later(s);
    const bool moves = s->prime || hands(&d);
    const bool pairs_follow = s->policy == launch_policy_BCS && s->walk &&
                              (s->last + 1u) % NSM == NSM - 2;
    if (s->walk) {
        deal(s, &d);
    } else {
        serve(s, &d);
        s->walk = s->prime;
    }
    s->prime = 0;
    if (moves) {
        advance(s);
    }
    if (pairs_follow) {
        s->step = s->pairs ? 2 : 1;
    }
    if (hands(&d)) {
        s->rem = masked(s->rem - UINT64_C(1));
    }
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    s->last = NSM - 1;
}

static bool one_at_a_time(const struct state *s)
{
#if UNIT_SET_ONE_CYCLE
    bool one = true;
#else
    bool one = (s->chosen & (s->chosen - 1u)) == 0 && !(s->chosen && (s->valid || !run(s)));
#endif
    return one && s->last < NSM && !(s->prime && s->walk) && !(s->valid && !run(s));
}
static bool carry_is_of_cta(const struct state *s)
{
#if UNIT_SET_ONE_CYCLE
    (void)s;
    return true;
#else
    return s->carry == (unit_bits(~(uint64_t)s->cta, CTAW / 2) == 0);
#endif
}
static bool reachable(const struct state *s)
{
    return one_at_a_time(s) && carry_is_of_cta(s);
}
MODEL_INVARIANT(reachable)

static bool groups_have_ctas(const struct state *s, const struct in *in)
{
    (void)s;
    return !in->launch_valid || in->launch_group > 0;
}
MODEL_ACCEPTS(groups_have_ctas)

MODEL_SEQUENTIAL
