/* caps_lookup_steps.h - the C model of PerCTA's look-ups in two cycles (caps-prefetch 3.2.2; D-CAP-1), for
 * the units that hold that state: caps_percta, and caps_top, which has a table of its own beside it.
 *
 * Included after units/caps/lru_rank.h and units/model.h; the unit's table has the constant ENTRIES and
 * the state fields loads, reads, match, found and found_*.  It knows neither what a load does nor
 * who reads. */
#ifndef WARPLOCK_UNITS_CAPS_CAPS_LOOKUP_STEPS_H
#define WARPLOCK_UNITS_CAPS_CAPS_LOOKUP_STEPS_H

#include "units/caps/caps_bases.h"

/* What is looked up in this cycle, by PC tags; `taken`: the load is. */
struct lookup_asks {
    bool load, read, taken, flushing;
    uint64_t load_cta, load_pc, read_cta, read_pc;
};

/* The lowest entry of a look-up in its second cycle. */
static unsigned lookup_entry(const struct state *s)
{
    return s->match != 0 ? (unsigned)__builtin_ctz(s->match) : 0;
}

/* The answer that the look-up of the load, of slot `cta`, has left. */
static struct bases_answer lookup_of_load(const struct state *s, uint64_t cta)
{
    struct bases_answer answer = {
        s->found_hit, (unsigned)cta * ENTRIES + s->found_way, s->found_lead, s->found_last, {0}};
    for (unsigned i = 0; i < 4; i++) {
        answer.base[i] = s->found_base[i];
    }
    return answer;
}

static bool lookup_answers_read(const struct state *s, const struct lookup_asks *asks)
{
    return asks->read && s->reads && !asks->flushing;
}

/* The answer of the look-up that is in its second cycle. */
static struct bases_answer lookup_of_read(const struct state *s, const struct bases *bases,
                                          const struct lookup_asks *asks)
{
    const uint64_t cta = s->loads ? asks->load_cta : asks->read_cta;
    return bases_answer(bases, s->match != 0, (unsigned)cta * ENTRIES + lookup_entry(s));
}

static void lookup_reset(struct state *s)
{
    s->loads = s->reads = s->found = 0;
    s->match = 0;
    s->found_hit = s->found_way = s->found_lead = s->found_last = 0;
    memset(s->found_base, 0, sizeof s->found_base);
}

/* The load's look-up, in its second cycle, leaves its answer. */
static void lookup_keep(struct state *s, const struct bases *bases, uint64_t cta)
{
    const unsigned first = (unsigned)cta * ENTRIES;
    const bool hit = s->match != 0;
    const struct bases_answer answer = bases_answer(bases, hit, first + lookup_entry(s));
    s->found_hit = hit;
    s->found_way = (uint8_t)(hit ? lookup_entry(s) : bases_victim(bases, cta) - first);
    if (!hit) {
        return;
    }
    s->found_lead = (uint8_t)answer.lead;
    s->found_last = (uint8_t)answer.last;
    for (unsigned i = 0; i < 4; i++) {
        s->found_base[i] = (uint32_t)answer.base[i];
    }
}

/* One clock edge of both look-ups, before the tables change. */
static void lookup_edge(struct state *s, const struct bases *bases, const struct lookup_asks *asks)
{
    const bool load_first = asks->load && !s->loads && !s->found;
    const bool reads = asks->read && !s->reads && !load_first && !asks->taken;
    const uint64_t cta = load_first ? asks->load_cta : asks->read_cta;
    const uint64_t tag = load_first ? asks->load_pc : asks->read_pc;
    if (s->loads) {
        lookup_keep(s, bases, asks->load_cta);
    }
    s->found = !asks->flushing && (s->found || s->loads) && asks->load && !asks->taken;
    s->loads = !asks->flushing && load_first;
    s->reads = !asks->flushing && reads;
    s->match = 0;
    for (unsigned entry = 0; entry < ENTRIES; entry++) {
        const uint64_t row = cta * ENTRIES + entry;
        const bool same = bases->valid[row] && bases->pc[row] == tag;
        s->match |= (__typeof__(s->match))(same << entry);
    }
}

#endif
