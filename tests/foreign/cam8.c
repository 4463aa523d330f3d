/* cam8 - a model of tests/foreign/cam8.v, whose eight entries are registers of their own. */
#define UNIT_TABLE "units/mine/cam8/cam8.ports.h"
#include "units/model.h"

static bool matches(const struct in *in, unsigned valid, unsigned key)
{
    return valid && key == in->KEY;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->HIT = s->hit_r;
    out->HITADDR = s->addr_r;
    out->MULTI = s->multi_r;
}

#define ENTRY(n) \
    match |= (unsigned)matches(in, s->entry_##n##_vld, s->entry_##n##_key) << n; \
    if (in->WE && in->WADDR == n) { \
        s->entry_##n##_vld = !in->INV; \
        s->entry_##n##_key = (uint16_t)in->WKEY; \
    }

static void seq(struct state *s, const struct in *in)
{
    unsigned match = 0;
    ENTRY(0) ENTRY(1) ENTRY(2) ENTRY(3) ENTRY(4) ENTRY(5) ENTRY(6) ENTRY(7) s->hit_r = match != 0;
    s->multi_r = (match & (match - 1)) != 0;
    s->addr_r = 0;
    for (unsigned i = 8; i-- > 0;) {
        s->addr_r = match >> i & 1 ? (uint8_t)i : s->addr_r;
    }
}

static void reset(struct state *s)
{
    *s = (struct state){0};
}

MODEL_SEQUENTIAL
