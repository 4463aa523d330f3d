/* avu - the access validation unit of one SM (tabbakh2018 3.7.2, 3.7.5, 3.7.7): which copies
 * in the L1 may still be used.  Knows lines by number; data and tags are the cache's. */
#define UNIT_TABLE "units/rdu/avu/avu.ports.h"
#include "units/model.h"
#include "units/promises.h"
#include "units/rdu/bloom.h"
#if !UNIT_SET_ONE_CYCLE
#include "units/rdu/signature_words.h"
#endif

enum { EPOCHS = 1 << EPOCH_W, BY_AGE = TAGS == 0, DROPS = TAGS == 1, DROPPED = 1 << EPOCH_W };

/* A tag as it stands after the epoch `now` began. */
static unsigned next_epoch(unsigned tag, unsigned now)
{
    if (BY_AGE) {
        return tag < 2 ? tag + 1 : 2;
    }
    return DROPS && tag % EPOCHS == now ? tag | DROPPED : tag;
}

/* The tag of something fetched in epoch `now`. */
static unsigned fresh_tag(unsigned now)
{
    return BY_AGE ? 0 : now;
}

/* Epochs since then: 0, 1, or 2 for more. */
static unsigned age_of(unsigned tag, unsigned now)
{
    if (BY_AGE) {
        return tag;
    }
    const unsigned age = (now - tag) % EPOCHS;
    return (DROPS && tag >= DROPPED) || age > 2 ? 2 : age;
}

enum verdict { NONE, HIT, AVU_MISS, EXPIRED, NEED_RCHK, UNDER_WAY };

struct check {
    enum verdict verdict;
    unsigned granule; /* UNDER_WAY: in work */
    bool tested;      /* ... and done in this step */
    bool validated;   /* its granules were tested against the signature */
    bool looks_up;    /* granule is to be looked up */
};

static bool tested(const struct state *s, unsigned g)
{
#if UNIT_SET_SHIFT < 7
    return g < s->granule;
#else
    (void)s, (void)g;
    return false;
#endif
}

/* Is it known in this step whether the granule is in the signature, and is it? */
static bool look_up(const struct state *s, uint32_t key, bool *found)
{
#if UNIT_SET_ONE_CYCLE
    *found = bloom_found(s->asig, key, M);
    return true;
#else
    (void)key;
    *found = s->all_found;
    return s->looked_up;
#endif
}

/* Test the next granule of an access to a line of the previous epoch. */
static struct check validate(const struct state *s, const struct in *in)
{
    struct check check = {.verdict = HIT, .validated = true};
    unsigned left = 0;
    for (unsigned g = GRANULES; g-- > 0;) {
        if (bloom_touches(in->chk_mask, g, SHIFT) && !tested(s, g)) {
            check.granule = g;
            left++;
        }
    }
    if (left == 0) {
        return check;
    }
    bool found;
    check.looks_up = true;
    check.tested = look_up(s, bloom_key((uint32_t)in->chk_addr, check.granule, SHIFT), &found);
    if (check.tested && found) {
        check.verdict = AVU_MISS;
    } else if (!check.tested || left > 1) {
        check.verdict = UNDER_WAY;
    }
    return check;
}

/* No check is answered. */
static bool stopped(const struct state *s, const struct in *in)
{
    return in->sig_valid || s->loading || in->kernel_start;
}

static struct check check_of(const struct state *s, const struct in *in)
{
    struct check check = {.verdict = NONE};
    if (!in->chk_valid || stopped(s, in)) {
        return check;
    }
    switch (age_of(s->tag[in->chk_line], s->epoch_now)) {
    case 0: check.verdict = HIT; break;
    case 1: check = validate(s, in); break;
    default: check.verdict = EXPIRED; break;
    }
    if (check.verdict == HIT && s->hcnt[in->chk_line] == HITMAX && !in->chk_again) {
        check.verdict = NEED_RCHK;
    }
    return check;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct check check = check_of(s, in);
    out->chk_done = check.verdict != NONE && check.verdict != UNDER_WAY;
    out->hit = check.verdict == HIT;
    out->avu_miss = check.verdict == AVU_MISS;
    out->expired = check.verdict == EXPIRED;
    out->need_rchk = check.verdict == NEED_RCHK;
    out->epoch = s->epoch_now;
}

static bool all_granules(const struct in *in)
{
    for (unsigned g = 0; g < GRANULES; g++) {
        if (!bloom_touches(in->chk_mask, g, SHIFT)) {
            return false;
        }
    }
    return true;
}

static void note_tested(struct state *s, const struct check *check)
{
#if UNIT_SET_SHIFT < 7
    if (check->verdict == UNDER_WAY && check->tested) {
        s->granule = (uint8_t)(check->granule + 1);
    } else if (check->verdict != UNDER_WAY) {
        s->granule = 0;
    }
#else
    (void)s, (void)check;
#endif
}

static void finish_check(struct state *s, const struct in *in, const struct check *check)
{
    note_tested(s, check);
    if (check->verdict == NEED_RCHK) {
        s->hcnt[in->chk_line] = 0;
    } else if (check->verdict == HIT) {
        if (!in->chk_again) {
            s->hcnt[in->chk_line]++;
        }
        if (RETAG && check->validated && all_granules(in)) {
            s->tag[in->chk_line] = (__typeof__(*s->tag))fresh_tag(s->epoch_now);
        }
    }
}

static void begin_epoch(struct state *s)
{
    s->epoch_now = (uint8_t)unit_bits(s->epoch_now + UINT64_C(1), EPOCH_W);
    for (unsigned line = 0; line < LINES; line++) {
        s->tag[line] = (__typeof__(*s->tag))next_epoch(s->tag[line], s->epoch_now);
    }
    for (unsigned mshr = 0; mshr < MSHRS; mshr++) {
        s->mshr_tag[mshr] = (__typeof__(*s->mshr_tag))next_epoch(s->mshr_tag[mshr], s->epoch_now);
    }
}

/* A word of a signature comes, or one is read. */
static void signature(struct state *s, const struct in *in)
{
#if UNIT_SET_ONE_CYCLE
    if (in->kernel_start) {
        memset(s->asig, 0, sizeof s->asig);
    } else if (in->sig_valid) {
        memcpy(&s->asig[in->sig_at * (ROW / 64)], in->sig, sizeof in->sig);
    }
#else
    const struct check check = check_of(s, in);
    struct memory_edge edge = {.clear = in->kernel_start != 0,
                               .read_at = walk_word(s, 0),
                               .write = in->sig_valid && !in->kernel_start,
                               .write_at = (unsigned)in->sig_at};
    memcpy(edge.data, in->sig, sizeof edge.data);
    if (s->walk_step == 0) {
        s->all_found = 1;
    } else if (walk_tests(s)) {
        s->all_found = s->all_found && walk_found(s, 0);
    }
    const bool starts = check.looks_up && !s->looked_up;
    s->looked_up = walk_ends(s) && check.looks_up;
    memory_seq(s, s->asig, &edge);
    walk_seq(s, !check.looks_up, starts, bloom_key((uint32_t)in->chk_addr, check.granule, SHIFT));
#endif
}

/* All but the signature. */
static void forget(struct state *s)
{
    const unsigned old = BY_AGE ? 2 : EPOCHS - 2;
    for (unsigned line = 0; line < LINES; line++) {
        s->tag[line] = (__typeof__(*s->tag))old;
    }
    for (unsigned mshr = 0; mshr < MSHRS; mshr++) {
        s->mshr_tag[mshr] = (__typeof__(*s->mshr_tag))old;
    }
    memset(s->hcnt, 0, sizeof s->hcnt);
    s->epoch_now = 0;
    s->loading = 0;
#if UNIT_SET_SHIFT < 7
    s->granule = 0;
#endif
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
#if !UNIT_SET_ONE_CYCLE
    s->all_found = 1;
#endif
    forget(s);
}

static void seq(struct state *s, const struct in *in)
{
    const struct check check = check_of(s, in);
    signature(s, in);
    if (in->kernel_start) {
        forget(s);
        return;
    }
    finish_check(s, in, &check);
    if (in->sig_valid) {
        s->loading = in->sig_at != WORDS - 1;
        if (!s->loading) {
            begin_epoch(s);
        }
    }
    if (in->rsp_valid) {
        s->mshr_tag[in->rsp_mshr] = (__typeof__(*s->mshr_tag))fresh_tag(s->epoch_now);
    }
    if (in->fill_valid) {
        s->tag[in->fill_line] = s->mshr_tag[in->fill_mshr];
        s->hcnt[in->fill_line] = 0;
    }
}

/* No age is above "two or more", no line was hit more often than is allowed. */
static bool in_bounds(const struct state *s)
{
    bool holds = true;
    for (unsigned line = 0; line < LINES; line++) {
        holds &= s->hcnt[line] <= HITMAX && (!BY_AGE || s->tag[line] <= 2);
    }
    for (unsigned mshr = 0; mshr < MSHRS; mshr++) {
        holds &= !BY_AGE || s->mshr_tag[mshr] <= 2;
    }
    return holds;
}

MODEL_INVARIANT(in_bounds)
MODEL_SEQUENTIAL

/* There is no other word. */
static bool of_a_word(const struct state *s, const struct in *in)
{
    (void)s;
    return in->sig_at < WORDS;
}

MODEL_ACCEPTS(of_a_word)
