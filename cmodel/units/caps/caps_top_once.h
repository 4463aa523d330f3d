/* caps_top_once.h - a load of caps_top as caps-prefetch 3.2.3 draws it: looked up, compared and taken in one
 * cycle.  See caps_top_seen.h, which it includes. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_TOP_ONCE_H
#define WARPLOCK_UNITS_CAPS_CAPS_TOP_ONCE_H

#include "units/caps/caps_top_seen.h"
#include "units/caps/caps_walk_once.h"

static bool is_judged(const struct state *s)
{
    (void)s;
    return true;
}

/* The stride of a neighbour of the leading warp. */
static void compare_as_teacher(const struct in *in, struct seen *seen)
{
    const bool above = in->ld_wic == seen->base.lead + 1u;
    seen->near = above || in->ld_wic + 1 == seen->base.lead;
    seen->uniform = !STRICT_CNT || in->ld_n == seen->base.last + 1u;
    for (unsigned i = 0; i < common_requests(in, &seen->base); i++) {
        const uint32_t up = seen->addr[i] - (uint32_t)seen->base.base[i];
        const uint32_t stride = above ? up : 0u - up;
        seen->uniform = seen->uniform && (i == 0 || stride == seen->stride);
        seen->stride = i == 0 ? stride : seen->stride;
    }
}

/* Are the lines those that the stride predicts? */
static void compare_as_predicted(const struct state *s, const struct in *in, struct seen *seen)
{
    const uint32_t offset = UNIT_PRODUCT(uint32_t, in->ld_wic - seen->base.lead,
                                         s->dist_stride[seen->way]);
    seen->right = true;
    for (unsigned i = 0; i < common_requests(in, &seen->base); i++) {
        const uint32_t predicted = (uint32_t)seen->base.base[i] + offset;
        seen->right = seen->right && predicted / LINE_BYTES == seen->addr[i] / LINE_BYTES;
    }
}

static struct seen see(const struct state *s, const struct in *in)
{
    const struct bases bases = bases_of(s);
    const int row = bases_find(&bases, in->ld_cta, tag_of(in));
    struct seen seen = {0};
    seen.base = bases_answer(&bases, row != NO_ROW,
                             row != NO_ROW ? (unsigned)row : bases_victim(&bases, in->ld_cta));
    seen.known = dist_lookup(s, tag_of(in), &seen.way);
    addresses(in, seen.addr);
    compare_as_teacher(in, &seen);
    compare_as_predicted(s, in, &seen);
    return seen;
}

/* What PerCTA answers to the walk. */
static struct walk_base read_base(const struct state *s, const struct in *in)
{
    const struct bases bases = bases_of(s);
    const int row = bases_find(&bases, walk_reads(s), s->pc);
    const struct bases_answer answer = bases_answer(&bases, row != NO_ROW,
                                                    row != NO_ROW ? (unsigned)row : 0);
    struct walk_base base = {!flushing(in), answer.hit, answer.lead, answer.last, {0}};
    memcpy(base.base, answer.base, sizeof base.base);
    return base;
}

static void reset_steps(struct state *s)
{
    (void)s;
}

static void clock_steps(struct state *s, const struct in *in, bool taken)
{
    (void)s, (void)in, (void)taken;
}

#endif
