/* avu_queue - speculative loads of one SM until they are validated (tabbakh2018 3.7.6, D-R7,
 * D-R8, D-R17, D-R18, D-R21).  Knows what may leave and what must be done again; values and
 * registers are elsewhere. */
#define UNIT_TABLE "units/rdu/avu_queue/avu_queue.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/rdu/bloom.h"

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

/* What one step of SIGNATURE does: to which entry, and is the walk over? */
struct test {
    int entry;
    unsigned granule;
    bool fails, passes, ends;
};

static struct test test_of(const struct state *s, const struct in *in)
{
    struct test test = {.entry = NOWHERE, .ends = true};
    unsigned targets = 0, granules = 0;
    for (unsigned i = s->count; i-- > 0;) {
        if (is_target(s, i)) {
            test.entry = (int)i;
            targets++;
        }
    }
    if (targets == 0 || (in->forced && !FORCED_FAILS)) {
        test.entry = NOWHERE;
        return test;
    }
    const unsigned entry = (unsigned)test.entry;
    for (unsigned g = GRANULES; g-- > 0;) {
        const bool has = s->granules[entry * MASK_N + g / MASK_W] >> g % MASK_W & 1;
        if (has && !tested(s, g)) {
            test.granule = g;
            granules++;
        }
    }
    const uint32_t key = bloom_key((uint32_t)s->block[entry] << 7, test.granule, SHIFT);
    test.fails = granules > 0 && bloom_found(in->sig, key, M);
    test.passes = !test.fails && granules <= 1;
    test.ends = (test.fails || test.passes) && targets == 1;
    return test;
}

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
    const int head = takeable(s);
    out->full = s->count == ENTRIES;
    out->pending = pending(s, in->warp);
    out->ready = !in->kernel_start && !(in->op == op_PUSH && out->full);
    if (in->op == op_SIGNATURE && !in->kernel_start) {
        const struct test test = test_of(s, in);
        out->ready = test.ends;
        out->entry_failed = test.fails;
    }
    if (head != NOWHERE) {
        out->head_valid = 1;
        out->head_fail = s->failed[head];
        out->head_warp = s->entry_warp[head];
        out->head_pc = s->entry_pc[head];
        out->head_id = s->entry_id[head];
        out->entry_committed = in->op == op_TAKE && !out->head_fail && !in->kernel_start;
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

static void answer(struct state *s, const struct in *in)
{
    for (unsigned i = 0; i < s->count; i++) {
        s->left[i] = (uint8_t)(s->left[i] - (s->left[i] > 0 && !in->early));
        if (in->binds && waits_for(s, i, in)) {
            s->bound[i] = 1;
        }
    }
}

static void signature(struct state *s, const struct in *in)
{
    const struct test test = test_of(s, in);
    if (test.fails) {
        s->failed[test.entry] = 1;
    }
    if (test.ends) {
        s->from = 0;
    } else if (test.fails || test.passes) {
        s->from = (uint8_t)(test.entry + 1);
    }
#if UNIT_SET_SHIFT < 7
    if (test.entry == NOWHERE || test.fails || test.passes) {
        s->granule = 0;
    } else {
        s->granule = (uint8_t)(test.granule + 1);
    }
#endif
}

static void fill(struct state *s, const struct in *in)
{
    for (unsigned i = 0; i < s->count; i++) {
        if (waits_for(s, i, in)) {
            s->value[i] = 1;
            s->bound[i] = 1;
        }
    }
}

static void own_store(struct state *s, const struct in *in)
{
    for (unsigned i = 0; i < s->count && OWN_STORE_FAILS; i++) {
        if (s->block[i] == in->addr / BLOOM_BLOCK_BYTES && !is_head(s, i) && !s->redo[i]) {
            s->failed[i] = 1;
        }
    }
}

static void take(struct state *s)
{
    const int head = takeable(s);
    if (head == NOWHERE) {
        return;
    }
    if (!s->failed[head]) {
        take_out(s, (unsigned)head);
        return;
    }
    s->value[head] = 0;
    s->bound[head] = 0;
    s->failed[head] = 0;
    s->redo[head] = 1;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        reset(s);
        return;
    }
    switch (in->op) {
    case op_PUSH: push(s, in); break;
    case op_ANSWER: answer(s, in); break;
    case op_SIGNATURE: signature(s, in); break;
    case op_FILL: fill(s, in); break;
    case op_STORE: own_store(s, in); break;
    case op_TAKE: take(s); break;
    case op_REDONE:
        if (redoing(s, in) != NOWHERE) {
            take_out(s, (unsigned)redoing(s, in));
        }
        break;
    default: break;
    }
}

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
MODEL_INVARIANT(unused_are_empty)

MODEL_SEQUENTIAL
