/* balance_monitor - running numerator of the balance metric (wang2015 3.8, Eq 3.2).
 * The b-th access of a set adds b: 1 + 2 + ... + b = b (b + 1) / 2.  The division by
 * (m / 2n)(m + 2n - 1) is the reader's. */
#define UNIT_TABLE "units/index/balance_monitor/balance_monitor.ports.h"
#include "units/model.h"

/* Accesses of the addressed set so far. */
static uint64_t accesses(const struct state *s, const struct in *in)
{
    return s->seen[in->set_index] && !in->clear ? s->count[in->set_index] : 0;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->total = s->total_count;
    out->sum = s->sum_count;
    out->overflow = in->acc_valid && accesses(s, in) == unit_bits(UINT64_MAX, COUNT_W);
}

/* The counters need no reset: those not seen read 0. */
static void reset(struct state *s)
{
    memset(s->seen, 0, sizeof s->seen);
    s->total_count = 0;
    s->sum_count = 0;
}

static void seq(struct state *s, const struct in *in)
{
    struct out out;
    comb(s, in, &out);
    const uint64_t b = accesses(s, in) + 1;
    if (in->clear) {
        reset(s);
    }
    if (!in->acc_valid || out.overflow) {
        return;
    }
    s->seen[in->set_index] = 1;
    s->count[in->set_index] = (__typeof__(s->count[0]))b;
    s->total_count = (__typeof__(s->total_count))unit_bits(s->total_count + 1, TOTAL_W);
    s->sum_count = (__typeof__(s->sum_count))unit_bits(s->sum_count + b, SUM_W);
}

MODEL_SEQUENTIAL
