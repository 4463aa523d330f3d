/* vcache8 - the victim cache of an L1 (lakshminarayana2014 3.3.2).  Knows nothing of sets and
 * policies: what leaves it is shown, and its user copies it back or not. */
#define UNIT_TABLE "units/graph/vcache8/vcache8.ports.h"
#include "units/model.h"
#include "units/promises.h"

static unsigned find(const struct state *s, uint64_t addr)
{
    unsigned i = 0;
    while (i < ENTRIES && !(s->valid[i] && s->addr[i] == addr)) {
        i++;
    }
    return i;
}

/* Does entry `i` stay, after the probe and the store? */
static bool stays(const struct state *s, const struct in *in, unsigned i)
{
    const bool probed = in->probe_valid && s->addr[i] == in->probe_addr;
    const bool stored = in->inv_valid && s->addr[i] == in->inv_addr;
    return s->valid[i] && !probed && !stored;
}

/* Where an insertion goes: to its own block, a free entry, or the oldest. */
struct place {
    unsigned entry;
    bool evicts;
};
static struct place place_of(const struct state *s, const struct in *in)
{
    const unsigned own = find(s, in->insert_addr);
    unsigned oldest = 0;
    if (own < ENTRIES && stays(s, in, own)) {
        return (struct place){own, false};
    }
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (!stays(s, in, i)) {
            return (struct place){i, false};
        }
        oldest = s->rank[i] == ENTRIES - 1 ? i : oldest;
    }
    return (struct place){oldest, true};
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const unsigned found = in->probe_valid ? find(s, in->probe_addr) : ENTRIES;
    const unsigned stored = in->inv_valid ? find(s, in->inv_addr) : ENTRIES;
    const struct place to = place_of(s, in);
    const unsigned from = found < ENTRIES ? found : to.entry;
    out->hit = found < ENTRIES;
    out->evict_valid = in->insert_valid && to.evicts && !in->flush;
    out->evict_addr = s->addr[to.entry];
    out->leaves = out->hit || out->evict_valid;
    out->out_cb = s->cb[from];
    memcpy(out->out_data, &s->data[from * WORDS], sizeof out->out_data);
    out->invalidated = stored < ENTRIES && stored != found;
}

static void insert(struct state *s, const struct in *in, unsigned entry)
{
    const unsigned rank = s->rank[entry];
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->rank[i] = (uint8_t)(s->rank[i] + (s->rank[i] < rank));
    }
    s->rank[entry] = 0;
    s->valid[entry] = 1;
    s->cb[entry] = (uint8_t)in->insert_cb;
    s->addr[entry] = (__typeof__(*s->addr))in->insert_addr;
    memcpy(&s->data[entry * WORDS], in->insert_data, sizeof in->insert_data);
}

static void seq(struct state *s, const struct in *in)
{
    const struct place to = place_of(s, in);
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->valid[i] = stays(s, in, i) && !in->flush;
    }
    if (in->insert_valid && !in->flush) {
        insert(s, in, to.entry);
    }
}

static void reset(struct state *s)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->valid[i] = 0;
        s->rank[i] = (uint8_t)i;
    }
}

/* Ranks are an order; no line is here twice. */
static bool is_sound(const struct state *s)
{
    uint64_t ranks = 0;
    bool once = true;
    for (unsigned i = 0; i < ENTRIES; i++) {
        ranks |= UINT64_C(1) << s->rank[i];
        for (unsigned j = 0; j < i; j++) {
            once &= !(s->valid[i] && s->valid[j] && s->addr[i] == s->addr[j]);
        }
    }
    return once && ranks == (UINT64_C(1) << ENTRIES) - 1;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
