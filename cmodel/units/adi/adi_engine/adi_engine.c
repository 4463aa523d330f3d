/* adi_engine - adaptive cache indexing: which block-address bits make the set index
 * (aci 3.7 algorithm and decisions, 3.11 inside IACM).
 *
 * A round is VIC (find the least useful index bit), SEL (find the unused bit that changes
 * most) and IDLE.  Knows nothing of the cache: it sees accepted accesses, asks for a flush
 * and says which bits make the index. */
#define UNIT_TABLE "units/adi/adi_engine/adi_engine.ports.h"
#include "units/model.h"
#include "units/promises.h"

#include "units/adi/adi_scan.h"
#include "units/adi/adi_sound.h"

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

MODEL_INVARIANT(selection_is_sound)

MODEL_SEQUENTIAL
