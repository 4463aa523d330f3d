/* avu_queue - speculative loads of one SM until they are validated (tabbakh2018 3.7.6, D-R7,
 * D-R8, D-R17, D-R18, D-R21).  Knows what may leave and what must be done again; values and
 * registers are elsewhere. */
#define UNIT_TABLE "units/rdu/avu_queue/avu_queue.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/rdu/avu_queue_work.h"
#include "units/rdu/bloom.h"

static bool pending(const struct state *s, uint64_t warp)
{
    for (unsigned i = 0; i < s->count; i++) {
        if (s->entry_warp[i] == warp) {
            return true;
        }
    }
    return false;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    memset(out, 0, sizeof *out);
    const struct work work = work_of(s, in);
    out->full = s->count == ENTRIES;
    out->pending = pending(s, in->warp);
    out->ready = is_ready(s, in, &work);
    out->entry_failed = verdict_of(&work, in).fails;
#if !UNIT_SET_ONE_CYCLE
    out->sig_at = walk_word(s, 0);
#endif
    if (work.head != NOWHERE) {
        out->head_valid = work.head_shown;
        out->head_fail = work.head_fails;
        out->head_warp = s->entry_warp[work.head];
        out->head_pc = s->entry_pc[work.head];
        out->head_id = s->entry_id[work.head];
        out->entry_committed = in->op == op_TAKE && work.acts && !work.head_fails &&
                               !in->kernel_start;
    }
}

static void push(struct state *s, const struct in *in)
{
    const unsigned i = s->count;
    if (i == ENTRIES) {
        return;
    }
    s->count++;
    s->block[i] = (uint32_t)(in->addr / BLOOM_BLOCK_BYTES);
    for (unsigned g = 0; g < GRANULES; g++) {
        const uint64_t touched = bloom_touches(in->mask, g, SHIFT);
        s->granules[i * MASK_N + g / MASK_W] |= (__typeof__(*s->granules))(touched << g % MASK_W);
    }
    s->entry_warp[i] = (uint8_t)in->warp;
    s->entry_pc[i] = (uint32_t)in->pc;
    s->entry_id[i] = (uint8_t)in->id;
    s->left[i] = (uint8_t)in->outstanding;
    s->value[i] = (uint8_t)in->has_value;
    s->bound[i] = (uint8_t)in->has_value;
}

/* Take entry `at` out; the younger ones move down, the freed one reads 0. */
static void take_out(struct state *s, unsigned at)
{
#define MOVE_DOWN(field, n) \
    for (unsigned i = 0; i < ENTRIES * (n); i++) { \
        if (i >= at * (n)) { \
            s->field[i] = i < (ENTRIES - 1) * (n) ? s->field[i + (n)] : 0; \
        } \
    }
    MOVE_DOWN(block, 1);
    MOVE_DOWN(granules, MASK_N);
    MOVE_DOWN(entry_warp, 1);
    MOVE_DOWN(entry_pc, 1);
    MOVE_DOWN(entry_id, 1);
    MOVE_DOWN(left, 1);
    MOVE_DOWN(value, 1);
    MOVE_DOWN(bound, 1);
    MOVE_DOWN(failed, 1);
    MOVE_DOWN(redo, 1);
#undef MOVE_DOWN
    s->count--;
}

static bool is_meant(const struct work *work, unsigned i)
{
    return work->sel >> i & 1;
}

static void answer(struct state *s, const struct in *in, const struct work *work)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->left[i] = (uint8_t)(s->left[i] - (s->left[i] > 0 && !in->early));
        if (in->binds && is_meant(work, i)) {
            s->bound[i] = 1;
        }
    }
}

static void signature(struct state *s, const struct in *in, const struct work *work)
{
    const struct verdict v = verdict_of(work, in);
    const unsigned under_test = (unsigned)place_of(work->sel);
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->failed[i] |= v.fails && is_meant(work, i);
    }
    if (v.ends) {
        s->from = 0;
    } else if (v.fails || v.passes) {
        s->from = (__typeof__(s->from))unit_bits(under_test + UINT64_C(1), AT_W);
    }
#if UNIT_SET_SHIFT < 7
    if (v.judged && !v.fails && !v.passes) {
        s->granule = (__typeof__(s->granule))unit_bits(work->after, POS_W);
    } else if (v.judged || v.ends) {
        s->granule = 0;
    }
#endif
}

static void fill(struct state *s, const struct work *work)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (is_meant(work, i)) {
            s->value[i] = 1;
            s->bound[i] = 1;
        }
    }
}

static void own_store(struct state *s, const struct work *work)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (is_meant(work, i)) {
            s->failed[i] = 1;
        }
    }
}

static void take(struct state *s, const struct work *work)
{
    if (work->head == NOWHERE) {
        return;
    }
    if (!work->head_fails) {
        take_out(s, (unsigned)work->head);
        return;
    }
    s->value[work->head] = 0;
    s->bound[work->head] = 0;
    s->failed[work->head] = 0;
    s->redo[work->head] = 1;
}

static void operate(struct state *s, const struct in *in, const struct work *work)
{
    switch (in->op) {
    case op_PUSH: push(s, in); break;
    case op_ANSWER: answer(s, in, work); break;
    case op_SIGNATURE: signature(s, in, work); break;
    case op_FILL: fill(s, work); break;
    case op_STORE: own_store(s, work); break;
    case op_TAKE: take(s, work); break;
    case op_REDONE:
        if (work->sel != 0) {
            take_out(s, (unsigned)place_of(work->sel));
        }
        break;
    default: break;
    }
#if UNIT_SET_SHIFT < 7
    if (in->op != op_SIGNATURE && is_ready(s, in, work)) {
        s->granule = 0;
    }
#endif
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
#if !UNIT_SET_ONE_CYCLE
    s->all_found = 1;
#endif
}

#if UNIT_SET_ONE_CYCLE
static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        reset(s);
        return;
    }
    const struct work work = work_of(s, in);
    operate(s, in, &work);
}
#else
/* What is known from the next step on: `was` is the state of this one. */
static void look(struct state *s, const struct state *was, const struct in *in)
{
    const struct test test = next_test(was, in);
    if (was->acts) {
        return;
    }
    s->sel = (__typeof__(s->sel))selected(was, in, &test);
    s->key = key_of(was, &test);
    s->any = test.granules > 0;
    s->last = test.granules <= 1;
    s->others = test.entries > 1;
#if UNIT_SET_SHIFT < 7
    s->after = (__typeof__(s->after))unit_bits(test.granule + UINT64_C(1), POS_W);
#endif
}

/* The walk over the bits of the granule's key. */
static void walk(struct state *s, const struct state *was, const struct in *in)
{
    const bool goes_on = in->op == op_SIGNATURE && was->acts && !in->kernel_start && was->sel &&
                         was->any;
    const unsigned at = walk_bit(was);
    if (was->walk_step == 0) {
        s->all_found = 1;
    } else if (walk_tests(was)) {
        s->all_found = was->all_found && (in->sig[at / 64] >> at % 64 & 1);
    }
    s->known = walk_ends(was) && goes_on;
    walk_seq(s, !goes_on, goes_on && !was->known, was->key);
}

static void seq(struct state *s, const struct in *in)
{
    const struct state was = *s;
    const struct work work = work_of(&was, in);
    const bool ready = is_ready(&was, in, &work);
    look(s, &was, in);
    walk(s, &was, in);
    if (in->kernel_start) {
        const struct state now = *s;
        reset(s);
        s->sel = now.sel;
        s->key = now.key;
        s->any = now.any;
        s->last = now.last;
        s->others = now.others;
        s->known = now.known;
        s->all_found = now.all_found;
        memcpy(s->walk_idx, now.walk_idx, sizeof s->walk_idx);
        s->walk_step = now.walk_step;
        s->walk_kept = now.walk_kept;
#if UNIT_SET_SHIFT < 7
        s->after = now.after;
#endif
        return;
    }
    const int head = takeable(&was);
    const struct verdict v = verdict_of(&work, in);
    if (work.acts || in->op == op_PUSH || in->op == op_NONE) {
        operate(s, in, &work);
    }
    s->head = (__typeof__(s->head))(head == NOWHERE ? 0 : UINT64_C(1) << head);
    s->head_failed = head != NOWHERE && was.failed[head];
    s->moved = in->op != op_NONE && ready;
    s->acts = was.acts ? in->op == op_SIGNATURE && !v.ends && !v.judged
                       : in->op != op_NONE && in->op != op_PUSH;
}
#endif

/* What is not in use reads 0. */
static bool unused_are_empty(const struct state *s)
{
    bool empty = s->count <= ENTRIES;
    for (unsigned i = 0; i < ENTRIES; i++) {
        uint64_t held = s->block[i] | s->entry_warp[i] | s->entry_pc[i] | s->entry_id[i];
        held |= s->left[i] | s->value[i] | s->bound[i] | s->failed[i] | s->redo[i];
        for (unsigned word = 0; word < MASK_N; word++) {
            held |= s->granules[i * MASK_N + word];
        }
        empty &= i < s->count || held == 0;
    }
    return empty;
}

#if !UNIT_SET_ONE_CYCLE
/* What is looked for is among what is there; one entry is to be taken at most. */
static bool seen_are_used(const struct state *s)
{
    const unsigned count = s->count < ENTRIES ? s->count : ENTRIES;
    const uint64_t used = count == 0 ? 0 : UINT64_MAX >> (64 - count);
    const bool within = ((s->head | s->sel) & ~used) == 0;
    return !(s->acts && s->moved) && (s->head & (s->head - 1u)) == 0 && (!s->acts || within);
}
#endif

static bool reachable(const struct state *s)
{
    bool holds = unused_are_empty(s);
#if !UNIT_SET_ONE_CYCLE
    holds &= seen_are_used(s);
#endif
    return holds;
}
MODEL_INVARIANT(reachable)

MODEL_SEQUENTIAL
