/* blpp_monitor - what page placement counts (aci 3.17.5). */
#define UNIT_TABLE "units/blpp/blpp_monitor/blpp_monitor.ports.h"
#include "units/model.h"

static uint64_t greatest(unsigned width)
{
    return unit_bits(UINT64_MAX, width);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->l1_accesses = s->l1_access;
    out->l1_misses = s->l1_miss;
    out->l2_accesses = s->l2_access;
    out->l2_misses = s->l2_miss;
    out->byte_count = s->bytes;
    out->saturated = s->l1_access == greatest(CW) || s->l1_miss == greatest(CW) ||
                     s->l2_access == greatest(CW) || s->l2_miss == greatest(CW) ||
                     s->bytes == greatest(BW);
}

static uint64_t count_on(uint64_t count, uint64_t more, unsigned width)
{
    return count + more > greatest(width) ? greatest(width) : count + more;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->sample) {
        memset(s, 0, sizeof *s);
    }
#define COUNT(field, more, width) \
    s->field = (__typeof__(s->field))count_on(s->field, in->more, (width))
    COUNT(l1_access, l1_access, CW);
    COUNT(l1_miss, l1_miss, CW);
    COUNT(l2_access, l2_access, CW);
    COUNT(l2_miss, l2_miss, CW);
    COUNT(bytes, bytes, BW);
#undef COUNT
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

MODEL_SEQUENTIAL
