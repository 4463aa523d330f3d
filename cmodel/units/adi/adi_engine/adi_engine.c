/* adi_engine - adaptive cache indexing: which block-address bits make the set index
 * (aci 3.7 algorithm and decisions, 3.11 inside IACM).
 *
 * A round is VIC (find the least useful index bit), SEL (find the unused bit that changes
 * most) and IDLE.  Knows nothing of the cache: it sees accepted accesses, asks for a flush
 * and says which bits make the index. */
#define UNIT_TABLE "units/adi/adi_engine/adi_engine.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum {
    VIC = phase_VIC,
    SEL = phase_SEL,
    IDLE = phase_IDLE,
    VICTIM = phase_VICTIM,
    NEW_BIT = phase_NEW_BIT,
    FLUSH = phase_FLUSH,
    HOME = phase_HOME
};

/* What the access or the cycle of this step does. */
struct step {
    bool sample; /* it enters the counters */
    bool tick;   /* it counts in IDLE */
    bool close;  /* it ends the sub-phase */
};

/* The running decision.  Counters are compared in a fixed order, some in each cycle. */
struct scan {
    uint64_t low_e, low_u, top_tog;
    unsigned low_e_pos, low_u_pos, new_bit;
};

static bool goes_home(const struct in *in)
{
    return ADI_RESET_ON_KERNEL && in->kernel_start;
}

/* A decision or a flush: sub-phase 3. */
static bool is_busy(const struct state *s)
{
    return s->phase > IDLE;
}

static bool is_flushing(const struct state *s)
{
    return s->phase == FLUSH || s->phase == HOME;
}

static unsigned block_bit(const struct in *in, unsigned k)
{
    return (unsigned)unit_field(in->acc_blk, k, 1);
}

/* The block-address bit that stands at an index position; position < S but for states
 * that cannot be reached. */
static unsigned selector_at(const struct state *s, unsigned position)
{
    return position < S ? s->sel[position] : 0;
}

static struct step idle_step(const struct state *s, const struct in *in, bool accepted)
{
    bool tick = IDLE_IN_CYCLES ? in->enable && !in->restart && !in->kernel_start : accepted;
    unsigned last = IDLE_IN_CYCLES || !CLOSE_BY_NEXT ? NI - 1 : NI;
    return (struct step){.tick = tick, .close = tick && s->cnt == last};
}

/* The event filter (3.7.4).  With CLOSE_BY_NEXT a full period is closed by the next
 * visible access, which need not be a miss and is not sampled (3.7.5). */
static struct step look(const struct state *s, const struct in *in)
{
    bool accepted = in->enable && in->acc_valid && !in->restart && !goes_home(in);
    bool visible = accepted && !in->acc_gwrite;
    bool wanted = visible && (s->phase == SEL || in->acc_miss);
    unsigned period = s->phase == SEL ? NS : NV;
    if (is_busy(s)) {
        return (struct step){.sample = false};
    }
    if (s->phase == IDLE) {
        return idle_step(s, in, accepted);
    }
    if (CLOSE_BY_NEXT && s->cnt == period) {
        return (struct step){.close = visible};
    }
    return (struct step){.sample = wanted,
                         .close = wanted && !CLOSE_BY_NEXT && s->cnt == period - 1};
}

/* VIC: count ones per index bit, differences per pair. */
static void sample_vic(struct state *s, const struct in *in)
{
    unsigned pair = 0;
    for (unsigned a = 0; a < S; a++) {
        unsigned bit_a = block_bit(in, s->sel[a]);
        s->ce[a] = (UNIT_WORD(M))unit_bits((uint64_t)s->ce[a] + bit_a, M);
        for (unsigned b = a + 1; b < S; b++, pair++) {
            uint64_t differ = bit_a ^ block_bit(in, s->sel[b]);
            s->cx[pair] = (UNIT_WORD(M))unit_bits(s->cx[pair] + differ, M);
        }
    }
}

/* The block-address bits that stay in the index whatever is selected. */
static uint64_t retained_bits(const struct state *s)
{
    uint64_t retained = 0;
    for (unsigned i = 0; i < S; i++) {
        if (i != s->vic_pos) {
            retained |= UINT64_C(1) << s->sel[i];
        }
    }
    return unit_bits(retained, CAND_BITS);
}

/* Candidates among the lowest `n` block-address bits. */
static unsigned candidates_below(uint64_t retained, unsigned n)
{
    unsigned bits = n < CAND_BITS ? n : CAND_BITS;
    return COMPACT ? bits - (unsigned)__builtin_popcountll(unit_bits(retained, bits)) : bits;
}

/* Which counter belongs to a block-address bit; CANDS when none. */
static unsigned slot_of(uint64_t retained, unsigned k)
{
    if (k >= CAND_BITS) {
        return CANDS;
    }
    if (!COMPACT) {
        return k;
    }
    unsigned slot = candidates_below(retained, k);
    return (retained >> k & 1) || slot >= CANDS ? CANDS : slot;
}

/* The retained index bits of the access, in position order: its cluster. */
static unsigned cluster_of(const struct state *s, const struct in *in)
{
    unsigned cluster = 0, place = 0;
    for (unsigned i = 0; i < S && place < S - 1; i++) {
        if (i != s->vic_pos) {
            cluster |= block_bit(in, s->sel[i]) << place++;
        }
    }
    return cluster;
}

/* SEL: count, per candidate, changes against the last access of the same cluster. */
static void sample_sel(struct state *s, const struct in *in)
{
    uint64_t retained = retained_bits(s), candidates = 0;
    for (unsigned k = 0; k < CAND_BITS; k++) {
        unsigned slot = slot_of(retained, k);
        if (slot < CANDS) {
            candidates |= (uint64_t)block_bit(in, k) << slot;
        }
    }
    unsigned cluster = cluster_of(s, in);
    bool valid = s->tag_valid >> cluster & 1;
    for (unsigned slot = 0; valid && slot < CANDS; slot++) {
        uint64_t changed = (s->tag[cluster] ^ candidates) >> slot & 1;
        s->tog[slot] = (UNIT_WORD(M))unit_bits(s->tog[slot] + changed, M);
    }
    s->tag[cluster] = (UNIT_WORD(CANDS))candidates;
    s->tag_valid = (UNIT_WORD(CLUSTERS))(s->tag_valid | UINT64_C(1) << cluster);
}

/* MIN(c, T - c): entropy of a bit, usefulness of a pair.  A counter of T = 2^M has
 * wrapped to 0, which folds to the same. */
static uint64_t fold(uint64_t count)
{
    uint64_t rest = unit_bits(NV - count, M + 1);
    return unit_bits(count < rest ? count : rest, M);
}

static struct scan scan_begin(const struct state *s)
{
    return (struct scan){.low_e = unit_bits(UINT64_MAX, M),
                         .low_u = unit_bits(UINT64_MAX, M),
                         .new_bit = selector_at(s, s->vic_pos)};
}

static struct scan scan_load(const struct state *s)
{
#if UNIT_SET_ADI_DEC_CYC > 1
    if (s->dec_cyc != 0) {
        return (struct scan){.low_e = s->low_e,
                             .low_u = s->low_u,
                             .top_tog = s->top_tog,
                             .low_e_pos = s->low_e_pos,
                             .low_u_pos = s->low_u_pos,
                             .new_bit = s->new_bit};
    }
#endif
    return scan_begin(s);
}

/* Entropies first, then pairs (0,1), (0,2) .. (1,2) ..: items `from` to below `to`.  Of a pair the
 * position of lower entropy is the candidate. */
static void scan_victim(struct scan *scan, const struct state *s, unsigned from, unsigned to)
{
    unsigned item = 0;
    for (; item < S; item++) {
        if (item >= from && item < to && fold(s->ce[item]) < scan->low_e) {
            scan->low_e = fold(s->ce[item]);
            scan->low_e_pos = item;
        }
    }
    for (unsigned a = 0; a < S; a++) {
        for (unsigned b = a + 1; b < S; b++, item++) {
            if (item >= from && item < to && fold(s->cx[item - S]) < scan->low_u) {
                scan->low_u = fold(s->cx[item - S]);
                scan->low_u_pos = fold(s->ce[b]) < fold(s->ce[a]) ? b : a;
            }
        }
    }
}

/* Most toggles; the victim's own bit wins a tie, then the lowest bit. */
static void scan_new_bit(struct scan *scan, const struct state *s, unsigned from, unsigned to)
{
    uint64_t retained = retained_bits(s);
    unsigned victim_bit = selector_at(s, s->vic_pos);
    for (unsigned k = 0; k < CAND_BITS; k++) {
        unsigned slot = slot_of(retained, k);
        if (k < from || k >= to || slot == CANDS) {
            continue;
        }
        uint64_t toggles = s->tog[slot];
        if (toggles > scan->top_tog || (toggles == scan->top_tog && k == victim_bit)) {
            scan->top_tog = toggles;
            scan->new_bit = k;
        }
    }
}

/* select_victim() of 3.7.5. */
static unsigned victim_of(const struct scan *scan)
{
    return scan->low_e < scan->low_u ? scan->low_e_pos : scan->low_u_pos;
}

enum verdict { UNDECIDED, VICTIM_CHOSEN, BIT_CHANGED, BIT_KEPT };

/* The counters of this cycle's part of the decision are compared; `s` already holds the
 * access of this step. */
static enum verdict scan_cycle(struct scan *scan, const struct state *s, bool for_victim)
{
    unsigned cycle = 0;
#if UNIT_SET_ADI_DEC_CYC > 1
    cycle = s->dec_cyc;
#endif
    *scan = scan_load(s);
    if (for_victim) {
        scan_victim(scan, s, cycle * VIC_STEP, (cycle + 1) * VIC_STEP);
    } else {
        scan_new_bit(scan, s, cycle * NEW_STEP, (cycle + 1) * NEW_STEP);
    }
    if (cycle != DEC_CYC - 1) {
        return UNDECIDED;
    }
    if (for_victim) {
        return VICTIM_CHOSEN;
    }
    return scan->new_bit == selector_at(s, s->vic_pos) ? BIT_KEPT : BIT_CHANGED;
}

static void scan_store(struct state *s, const struct scan *scan, bool for_victim, bool goes_on)
{
#if UNIT_SET_ADI_DEC_CYC > 1
    const unsigned cycle = s->dec_cyc;
    s->dec_cyc = (UNIT_WORD(DEC_W))(goes_on ? cycle + 1 : 0);
    if (for_victim) {
        s->low_e = (UNIT_WORD(M))scan->low_e;
        s->low_e_pos = (UNIT_WORD(POS_W))scan->low_e_pos;
        s->low_u = (UNIT_WORD(M))scan->low_u;
        s->low_u_pos = (UNIT_WORD(POS_W))scan->low_u_pos;
    } else {
        s->top_tog = (UNIT_WORD(M))scan->top_tog;
        s->slot = (UNIT_WORD(SLOT_W))candidates_below(retained_bits(s), (cycle + 1) * NEW_STEP);
    }
#else
    (void)goes_on;
#endif
    if (!for_victim) {
        s->new_bit = (UNIT_WORD(SEL_W))scan->new_bit;
    }
}

static void begin_vic(struct state *s)
{
    s->phase = VIC;
    s->cnt = 0;
    s->again = 0;
    memset(s->ce, 0, sizeof s->ce);
    memset(s->cx, 0, sizeof s->cx);
}

static void set_home(struct state *s)
{
    for (unsigned i = 0; i < S; i++) {
        s->sel[i] = (UNIT_WORD(SEL_W))i;
    }
}

/* A decision or flush has ended; a restart that waited for it takes place. */
static void go_on(struct state *s, unsigned phase, const struct in *in)
{
    s->phase = (UNIT_WORD(3))phase;
    if (s->again || in->restart) {
        begin_vic(s);
    }
}

static void apply(struct state *s, enum verdict verdict, const struct scan *scan,
                  const struct in *in)
{
    switch (verdict) {
    case VICTIM_CHOSEN:
        s->vic_pos = (UNIT_WORD(POS_W))victim_of(scan);
        s->tag_valid = 0;
        memset(s->tog, 0, sizeof s->tog);
        go_on(s, SEL, in);
        break;
    case BIT_CHANGED: s->phase = FLUSH; break;
    case BIT_KEPT: go_on(s, IDLE, in); break;
    case UNDECIDED: break;
    }
}

/* Part of a decision: in sub-phase 3, or at once in the step that closes a period. */
static void decide(struct state *s, const struct in *in, bool for_victim)
{
    struct scan scan;
    enum verdict verdict = scan_cycle(&scan, s, for_victim);
    bool given_up = goes_home(in);
    scan_store(s, &scan, for_victim, verdict == UNDECIDED && !given_up);
    if (!given_up) {
        apply(s, verdict, &scan, in);
    }
}

/* VIC or SEL: a period's last access has been seen. */
static void close_period(struct state *s, const struct in *in)
{
    bool for_victim = s->phase == VIC;
    s->cnt = 0;
    s->phase = for_victim ? VICTIM : NEW_BIT;
    if (ADI_DEC_CYC == 0) {
        decide(s, in, for_victim);
    }
}

static void end_flush(struct state *s, const struct in *in)
{
    if (s->phase == HOME || goes_home(in)) {
        set_home(s);
        begin_vic(s);
        return;
    }
    if (s->vic_pos < S) {
        s->sel[s->vic_pos] = s->new_bit;
    }
    go_on(s, IDLE, in);
}

static void seq_busy(struct state *s, const struct in *in)
{
    if (is_flushing(s)) {
        if (in->flush_done) {
            end_flush(s, in);
            return;
        }
    } else {
        decide(s, in, s->phase == VICTIM);
    }
    if (is_busy(s) && in->restart) {
        s->again = 1;
    }
}

/* A kernel launch brings the conventional selectors back, by a flush if they differ. */
static void go_home(struct state *s)
{
    bool at_home = true;
    for (unsigned i = 0; i < S; i++) {
        at_home = at_home && s->sel[i] == i;
    }
    if (at_home && !is_flushing(s)) {
        begin_vic(s);
    } else {
        s->phase = HOME;
    }
}

static void seq_idle(struct state *s, const struct in *in, struct step step)
{
    if (step.tick) {
        s->cnt = (UNIT_WORD(CNT_W))unit_bits((uint64_t)s->cnt + 1, CNT_W);
    }
    if (step.close || (IDLE_IN_CYCLES && in->kernel_start)) {
        s->cnt = 0;
    }
    if (step.close && !in->stay_idle) {
        begin_vic(s);
    }
}

static void seq(struct state *s, const struct in *in)
{
    struct step step = look(s, in);
    bool was_busy = is_busy(s), flush_ends = is_flushing(s) && in->flush_done;
    if (was_busy) {
        seq_busy(s, in);
    } else if (s->phase == IDLE) {
        seq_idle(s, in, step);
    } else {
        if (step.sample) {
            (s->phase == VIC ? sample_vic : sample_sel)(s, in);
            s->cnt = (UNIT_WORD(CNT_W))unit_bits((uint64_t)s->cnt + 1, CNT_W);
        }
        if (step.close) {
            close_period(s, in);
        }
    }
    if (goes_home(in)) {
        if (!flush_ends) {
            go_home(s);
        }
    } else if (in->restart && !was_busy) {
        begin_vic(s);
    }
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    struct step step = look(s, in);
    bool scans = is_busy(s) ? !is_flushing(s) : step.close && s->phase != IDLE;
    enum verdict verdict = UNDECIDED;
    for (unsigned i = 0; i < S; i++) {
        out->idx_sel[i] = s->sel[i];
    }
    if (scans && !goes_home(in) && (ADI_DEC_CYC == 0) == !is_busy(s)) {
        struct state then = *s;
        struct scan scan;
        bool for_victim = s->phase == VIC || s->phase == VICTIM;
        if (step.sample) {
            (for_victim ? sample_vic : sample_sel)(&then, in);
        }
        verdict = scan_cycle(&scan, &then, for_victim);
    }
    out->flush_req = is_flushing(s);
    out->sub_phase = is_busy(s) ? (uint64_t)sub_phase_BUSY : s->phase;
    out->idle_done = s->phase == IDLE && step.close;
    out->vic_sample = s->phase == VIC && step.sample;
    out->sel_sample = s->phase == SEL && step.sample;
    out->victim_chosen = verdict == VICTIM_CHOSEN;
    out->bit_changed = verdict == BIT_CHANGED;
    out->bit_kept = verdict == BIT_KEPT;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
    set_home(s);
}

/* The selectors name different candidates. */
static bool selectors_differ(const struct state *s)
{
    for (unsigned a = 0; a < S; a++) {
        for (unsigned b = 0; b < a; b++) {
            if (s->sel[a] == s->sel[b]) {
                return false;
            }
        }
        if (s->sel[a] >= CAND_BITS) {
            return false;
        }
    }
    return true;
}

/* The new bit, once looked for, is the victim's own or no index bit. */
static bool new_bit_is_free(const struct state *s)
{
    bool looked_for = s->phase == FLUSH;
#if UNIT_SET_ADI_DEC_CYC > 1
    looked_for |= s->phase == NEW_BIT && s->dec_cyc != 0;
#endif
    for (unsigned i = 0; looked_for && i < S; i++) {
        if (i != s->vic_pos && s->sel[i] == s->new_bit) {
            return false;
        }
    }
    return !looked_for || s->new_bit < CAND_BITS;
}

static bool scan_in_range(const struct state *s)
{
#if UNIT_SET_ADI_DEC_CYC > 1
    const bool scans = s->phase == VICTIM || s->phase == NEW_BIT;
    const bool walks = s->phase == NEW_BIT && s->dec_cyc != 0;
    return s->dec_cyc < (scans ? DEC_CYC : 1) && s->low_e_pos < S && s->low_u_pos < S &&
           (!walks || s->slot == candidates_below(retained_bits(s), s->dec_cyc * NEW_STEP));
#else
    (void)s;
    return true;
#endif
}

/* A retained bit is the same in all accesses of a cluster, so that one that has a counter
 * never changed. */
static bool retained_stayed(const struct state *s)
{
    const bool counts = s->phase == SEL || s->phase == NEW_BIT;
    unsigned place = 0;
    for (unsigned i = 0; !COMPACT && counts && i < S; i++) {
        if (i == s->vic_pos || place == S - 1) {
            continue;
        }
        for (unsigned cluster = 0; cluster < CLUSTERS; cluster++) {
            const bool valid = s->tag_valid >> cluster & 1;
            if (valid && (s->tag[cluster] >> s->sel[i] & 1) != (cluster >> place & 1)) {
                return false;
            }
        }
        if (s->tog[s->sel[i] % CANDS] != 0) {
            return false;
        }
        place++;
    }
    return true;
}

static bool selection_is_sound(const struct state *s)
{
    return s->phase <= HOME && selectors_differ(s) && s->vic_pos < S && new_bit_is_free(s) &&
           scan_in_range(s) && retained_stayed(s);
}
MODEL_INVARIANT(selection_is_sound)

MODEL_SEQUENTIAL
