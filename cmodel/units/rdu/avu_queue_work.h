/* avu_queue_work.h - what an operation of avu_queue means: to which entries, and whether that is known
 * in this step (tabbakh2018 3.7.6, D-R17, D-R18, D-R21).  Changes nothing; for avu_queue.c alone. */
#ifndef WARPLOCK_UNITS_RDU_AVU_QUEUE_WORK_H
#define WARPLOCK_UNITS_RDU_AVU_QUEUE_WORK_H

#include "units/rdu/bloom.h"
#if !UNIT_SET_ONE_CYCLE
#include "units/rdu/signature_walk.h"
#endif

enum { NOWHERE = -1 };

/* Warps with an entry older than `i`, a bit each. */
static uint64_t warps_before(const struct state *s, unsigned i)
{
    uint64_t warps = 0;
    for (unsigned older = 0; older < i; older++) {
        warps |= UINT64_C(1) << s->entry_warp[older];
    }
    return warps;
}

/* Has no older entry its warp? */
static bool is_head(const struct state *s, unsigned i)
{
    return !(warps_before(s, i) >> s->entry_warp[i] & 1);
}

/* The oldest entry that can be committed or must be re-executed now, or NOWHERE. */
static int takeable(const struct state *s)
{
    uint64_t before = 0; /* warps_before(s, i) */
    for (unsigned i = 0; i < s->count; i++) {
        const bool resolved = s->value[i] && s->left[i] == 0 && !s->redo[i];
        if (resolved && (!IN_ORDER || !(before >> s->entry_warp[i] & 1))) {
            return (int)i;
        }
        before |= UINT64_C(1) << s->entry_warp[i];
    }
    return NOWHERE;
}

static bool waits_for(const struct state *s, unsigned i, const struct in *in)
{
    return !s->value[i] && !s->redo[i] && s->entry_id[i] == in->id;
}

/* The oldest entry that load `id` re-executes, or NOWHERE. */
static int redoing(const struct state *s, const struct in *in)
{
    for (unsigned i = 0; i < s->count; i++) {
        if (s->redo[i] && s->entry_id[i] == in->id) {
            return (int)i;
        }
    }
    return NOWHERE;
}

static bool tested(const struct state *s, unsigned g)
{
#if UNIT_SET_SHIFT < 7
    return g < s->granule;
#else
    (void)s, (void)g;
    return false;
#endif
}

static bool is_target(const struct state *s, unsigned i)
{
    return i >= s->from && s->bound[i] && !s->redo[i] && !s->failed[i];
}

/* What SIGNATURE is to test next: an entry's granule. */
struct test {
    int entry; /* NOWHERE: none is left */
    unsigned granule;
    unsigned granules, entries; /* still to be tested: of the entry; this one and others */
};

static struct test next_test(const struct state *s, const struct in *in)
{
    struct test test = {.entry = NOWHERE};
    for (unsigned i = s->count; i-- > 0 && !(in->forced && !FORCED_FAILS);) {
        if (is_target(s, i)) {
            test.entry = (int)i;
            test.entries++;
        }
    }
    for (unsigned g = GRANULES; g-- > 0 && test.entry != NOWHERE;) {
        const unsigned word = (unsigned)test.entry * MASK_N + g / MASK_W;
        if ((s->granules[word] >> g % MASK_W & 1) && !tested(s, g)) {
            test.granule = g;
            test.granules++;
        }
    }
    return test;
}

static uint32_t key_of(const struct state *s, const struct test *test)
{
    const uint32_t addr = test->entry == NOWHERE ? 0 : (uint32_t)s->block[test->entry] << 7;
    return bloom_key(addr, test->granule, SHIFT);
}

/* What an operation means, and whether that is known in this step. */
struct work {
    bool acts;
    uint64_t sel; /* of ANSWER, FILL, STORE, REDONE, SIGNATURE: a bit each entry */
    int head;
    bool head_shown, head_fails;
    bool any, last, others, known, found; /* of SIGNATURE's granule */
    unsigned after;
};

static uint64_t selected(const struct state *s, const struct in *in, const struct test *test)
{
    uint64_t sel = 0;
    const int redone = redoing(s, in);
    for (unsigned i = 0; i < s->count; i++) {
        bool meant = false;
        switch (in->op) {
        case op_ANSWER: meant = in->binds && waits_for(s, i, in); break;
        case op_FILL: meant = waits_for(s, i, in); break;
        case op_STORE:
            meant = OWN_STORE_FAILS && s->block[i] == in->addr / BLOOM_BLOCK_BYTES &&
                    !is_head(s, i) && !s->redo[i];
            break;
        case op_REDONE: meant = redone == (int)i; break;
        case op_SIGNATURE: meant = test->entry == (int)i; break;
        default: break;
        }
        sel |= (uint64_t)meant << i;
    }
    return sel;
}

static int place_of(uint64_t one_hot)
{
    return one_hot == 0 ? NOWHERE : __builtin_ctzll(one_hot);
}

#if UNIT_SET_ONE_CYCLE
static struct work work_of(const struct state *s, const struct in *in)
{
    const struct test test = next_test(s, in);
    const int head = takeable(s);
    return (struct work){.acts = true,
                         .sel = selected(s, in, &test),
                         .head = head,
                         .head_shown = true,
                         .head_fails = head != NOWHERE && s->failed[head],
                         .any = test.granules > 0,
                         .last = test.granules <= 1,
                         .others = test.entries > 1,
                         .known = true,
                         .found = bloom_found(in->sig, key_of(s, &test), M),
                         .after = test.granule + 1};
}
#else
static struct work work_of(const struct state *s, const struct in *in)
{
    (void)in;
    return (struct work)
    {
        .acts = s->acts, .sel = s->sel, .head = place_of(s->head), .head_shown = !s->moved,
        .head_fails = s->head_failed, .any = s->any, .last = s->last, .others = s->others,
        .known = s->known, .found = s->all_found,
#if UNIT_SET_SHIFT < 7
        .after = s->after
#endif
    };
}
#endif

/* What a step of SIGNATURE comes to. */
struct verdict {
    bool judged, fails, passes, ends;
};

static struct verdict verdict_of(const struct work *work, const struct in *in)
{
    struct verdict v = {.judged = false};
    const bool tests = in->op == op_SIGNATURE && work->acts && !in->kernel_start && work->sel;
    v.judged = tests && (!work->any || work->known);
    v.fails = v.judged && work->any && work->found;
    v.passes = v.judged && !v.fails && work->last;
    v.ends = work->acts && (!work->sel || ((v.fails || v.passes) && !work->others));
    return v;
}

static bool is_ready(const struct state *s, const struct in *in, const struct work *work)
{
    if (in->kernel_start) {
        return false;
    }
    switch (in->op) {
    case op_NONE: return true;
    case op_PUSH: return s->count != ENTRIES;
    case op_SIGNATURE: return verdict_of(work, in).ends;
    default: return work->acts;
    }
}

#endif
