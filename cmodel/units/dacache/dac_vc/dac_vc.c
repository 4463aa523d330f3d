/* dac_vc - remembers the last missing accesses of the sampled coherent loads
 * (wang2015 3.12.8).  Detects; the verdict is stored in dac_clp by its user. */
#define UNIT_TABLE "units/dacache/dac_vc/dac_vc.ports.h"
#include "units/model.h"

static bool is_valid(const struct state *s, unsigned i)
{
    return (uint64_t)s->valid >> i & 1;
}

static bool invalidated(const struct state *s, const struct in *in, unsigned i)
{
    return in->inv_valid && is_valid(s, i) && s->pc[i] == in->inv_pc;
}

static bool taken(const struct state *s, const struct in *in, unsigned i)
{
    return is_valid(s, i) && !invalidated(s, in, i);
}

/* Where a push goes; invalidations of the same cycle come first. */
static unsigned push_entry(const struct state *s, const struct in *in)
{
    for (unsigned i = 0; FREE_FIRST && i < ENTRIES; i++) {
        if (!taken(s, in, i)) {
            return i;
        }
    }
    return s->ptr;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    unsigned entry = push_entry(s, in);
    out->hit = out->invalidated = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        bool same = is_valid(s, i) && s->pc[i] == in->pc && s->tag[i] == in->tag;
        out->hit |= in->acc_valid && same;
        out->invalidated |= invalidated(s, in, i);
    }
    out->disp_valid = in->push && taken(s, in, entry);
    out->disp_pc = s->pc[entry];
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        s->valid = 0;
        s->ptr = 0;
        return;
    }
    unsigned entry = push_entry(s, in);
    uint64_t valid = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        bool pushed = in->push && i == entry;
        valid |= (uint64_t)(taken(s, in, i) || pushed) << i;
    }
    if (in->push) {
        bool was_free = FREE_FIRST && !taken(s, in, entry);
        s->pc[entry] = (__typeof__(*s->pc))in->pc;
        s->tag[entry] = (__typeof__(*s->tag))in->tag;
        s->ptr = was_free ? s->ptr : (uint8_t)((s->ptr + 1) % ENTRIES);
    }
    s->valid = (__typeof__(s->valid))valid;
}

static void reset(struct state *s)
{
    s->valid = 0;
    s->ptr = 0;
}

MODEL_SEQUENTIAL
