/* caps_top_steps.h - a load of caps_top at an SM's clock (D-CAP-1): looked up in two cycles, judged in three
 * or more, then taken.  See caps_top_seen.h, which it includes. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_TOP_STEPS_H
#define WARPLOCK_UNITS_CAPS_CAPS_TOP_STEPS_H

#include "units/caps/caps_judge.h"
#include "units/caps/caps_lookup_steps.h"
#include "units/caps/caps_top_seen.h"
#include "units/caps/caps_walk_steps.h"

static bool is_judged(const struct state *s)
{
    return s->found && judge_done(s);
}

static struct seen see(const struct state *s, const struct in *in)
{
    struct seen seen = {.base = lookup_of_load(s, in->ld_cta),
                        .known = s->judge_hit,
                        .way = s->judge_way,
                        .near = judge_trains(s),
                        .stride = s->judge_amount,
                        .right = s->judge_same};
    seen.uniform = s->judge_same && (!STRICT_CNT || in->ld_n == seen.base.last + 1u);
    addresses(in, seen.addr);
    return seen;
}

static struct lookup_asks asks_of(const struct state *s, const struct in *in, bool taken)
{
    return (struct lookup_asks){.load = in->ld_valid,
                                .read = s->phase == phase_LOOKUP,
                                .taken = taken,
                                .flushing = flushing(in),
                                .load_cta = in->ld_cta,
                                .load_pc = tag_of(in),
                                .read_cta = walk_reads(s),
                                .read_pc = s->pc};
}

static struct walk_base read_base(const struct state *s, const struct in *in)
{
    const struct bases bases = bases_of(s);
    const struct lookup_asks asks = asks_of(s, in, false);
    const struct bases_answer answer = lookup_of_read(s, &bases, &asks);
    struct walk_base base = {
        lookup_answers_read(s, &asks), answer.hit, answer.lead, answer.last, {0}};
    memcpy(base.base, answer.base, sizeof base.base);
    return base;
}

static void reset_steps(struct state *s)
{
    lookup_reset(s);
    judge_reset(s);
}

/* The next stage of the load that PerCTA has looked up. */
static void clock_judge(struct state *s, const struct in *in)
{
    const struct bases_answer base = lookup_of_load(s, in->ld_cta);
    const bool trails = s->found && in->ld_valid && base.hit && in->ld_wic != base.lead &&
                        in->ld_affine && in->ld_n >= 1 && in->ld_n <= LANES;
    struct judge_load load = {.wic = (unsigned)in->ld_wic,
                              .lead = (unsigned)base.lead,
                              .common = common_requests(in, &base),
                              .stride = s->dist_stride[s->judge_way],
                              .checks = trails && s->judge_hit,
                              .trailing = trails && !s->judge_hit};
    load.hit = dist_lookup(s, tag_of(in), &load.way);
    addresses(in, load.addr);
    for (unsigned lane = 0; lane < LANES; lane++) {
        load.base[lane] = (uint32_t)base.base[lane];
    }
    judge_edge(s, &load, flushing(in) || !in->ld_valid || !s->found);
}

/* The edge of look-ups and judgement, before the tables change; `taken`: the load is. */
static void clock_steps(struct state *s, const struct in *in, bool taken)
{
    const struct bases bases = bases_of(s);
    const struct lookup_asks asks = asks_of(s, in, taken);
    clock_judge(s, in);
    lookup_edge(s, &bases, &asks);
}

#endif
