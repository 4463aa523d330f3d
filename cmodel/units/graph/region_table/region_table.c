/* region_table - in which allocation does an address lie (lakshminarayana2014 3.4.4)?  Knows nothing
 * of what is counted by region. */
#define UNIT_TABLE "units/graph/region_table/region_table.ports.h"
#include "units/model.h"

static bool has(const struct state *s, unsigned i, uint64_t addr)
{
    return s->valid[i] && addr >= s->base[i] && addr < s->limit[i];
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        n += has(s, i, in->lk_addr);
    }
    out->lk_done = s->done;
    out->rid = s->rid[0];
    out->several = in->lk_valid && n > 1;
}

static void seq(struct state *s, const struct in *in)
{
    unsigned rid = 0;
    while (rid < ENTRIES && !has(s, rid, in->lk_addr)) {
        rid++;
    }
    s->rid[0] = (uint8_t)rid;
    s->done = (uint8_t)in->lk_valid;
    if (in->cfg_valid && in->cfg_idx < ENTRIES) {
        s->valid[in->cfg_idx] = (uint8_t)in->cfg_used;
        s->base[in->cfg_idx] = (__typeof__(*s->base))in->cfg_base;
        s->limit[in->cfg_idx] = (__typeof__(*s->limit))in->cfg_limit;
    }
}

static void reset(struct state *s)
{
    memset(s->valid, 0, sizeof s->valid);
    s->done = 0;
    s->rid[0] = 0;
}

MODEL_SEQUENTIAL
