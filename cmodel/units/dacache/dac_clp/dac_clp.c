/* dac_clp - class of each coherent load (wang2015 3.12.8).
 * Holds classes; the evidence for them is gathered by dac_vc and its user. */
#define UNIT_TABLE "units/dacache/dac_clp/dac_clp.ports.h"
#include "units/model.h"
#include "units/promises.h"

/* The entry of a PC, or ENTRIES. */
static unsigned find(const struct state *s, uint64_t pc)
{
    unsigned i = 0;
    while (i < ENTRIES && !((uint64_t)s->valid >> i & 1 && s->pc[i] == pc)) {
        i++;
    }
    return i;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->state = s->state;
    out->ins_new = in->ins_valid && !in->kernel_start && find(s, in->ins_pc) == ENTRIES;
    out->evict = out->ins_new && (uint64_t)s->valid >> s->ptr & 1;
}

static void insert(struct state *s, uint64_t pc, uint64_t flag)
{
    unsigned entry = find(s, pc);
    if (entry < ENTRIES) {
        s->flag[entry] = INS_UPDATES ? (uint8_t)flag : s->flag[entry];
        return;
    }
    s->pc[s->ptr] = (__typeof__(*s->pc))pc;
    s->flag[s->ptr] = (uint8_t)flag;
    s->valid |= (__typeof__(s->valid))(UINT64_C(1) << s->ptr);
    s->ptr = (uint8_t)((s->ptr + 1) % ENTRIES);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        s->valid = 0;
        s->ptr = 0;
        s->state = state_UNKNOWN;
        return;
    }
    if (in->lk_valid) {
        unsigned entry = find(s, in->lk_pc);
        s->state = entry == ENTRIES ? state_UNKNOWN : s->flag[entry] ? state_LOCALITY : state_NONE;
    }
    if (in->ins_valid) {
        insert(s, in->ins_pc, in->ins_flag);
    }
}

static void reset(struct state *s)
{
    s->valid = 0;
    s->ptr = 0;
    s->state = state_UNKNOWN;
}

/* A load has one entry. */
static bool loads_differ(const struct state *s)
{
    bool differ = true;
    for (unsigned i = 0; i < ENTRIES; i++) {
        for (unsigned j = 0; j < i; j++) {
            differ &= !((s->valid >> i & 1) && (s->valid >> j & 1) && s->pc[i] == s->pc[j]);
        }
    }
    return differ;
}
MODEL_INVARIANT(loads_differ)

MODEL_SEQUENTIAL
