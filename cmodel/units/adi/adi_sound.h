/* adi_sound.h - what holds of adi_engine in all states that it can be in: the invariant of its proof.
 * For adi_engine.c alone. */
#ifndef WARPLOCK_UNITS_ADI_ADI_SOUND_H
#define WARPLOCK_UNITS_ADI_ADI_SOUND_H

#include "units/adi/adi_scan.h"

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
    bool looked_for = s->phase == phase_FLUSH;
#if UNIT_SET_ADI_DEC_CYC > 1
    looked_for |= s->phase == phase_NEW_BIT && s->dec_cyc != 0;
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
    const bool scans = s->phase == phase_VICTIM || s->phase == phase_NEW_BIT;
    const bool walks = s->phase == phase_NEW_BIT && s->dec_cyc != 0;
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
    const bool counts = s->phase == phase_SEL || s->phase == phase_NEW_BIT;
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
    return s->phase <= phase_HOME && selectors_differ(s) && s->vic_pos < S && new_bit_is_free(s) &&
           scan_in_range(s) && retained_stayed(s);
}

#endif
