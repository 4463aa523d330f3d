/* adi_scan.h - the counters of adi_engine and its decisions: what an access adds to them, and the
 * comparison of all of them, some in each cycle (aci 3.7).  Knows neither phases nor flushes; for
 * adi_engine.c alone. */
#ifndef WARPLOCK_UNITS_ADI_ADI_SCAN_H
#define WARPLOCK_UNITS_ADI_ADI_SCAN_H

/* The running decision.  Counters are compared in a fixed order, some in each cycle. */
struct scan {
    uint64_t low_e, low_u, top_tog;
    unsigned low_e_pos, low_u_pos, new_bit;
};

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

#endif
