/* icm_monitor - accesses and distinct sets of each load (wang2015 3.8, A.2).
 * Knows nothing of loads but their last access; the division is its reader's. */
#define UNIT_TABLE "units/index/icm_monitor/icm_monitor.ports.h"
#include "units/model.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    out->load_valid = s->done;
    out->nacc = s->nacc_count;
    out->nsets = s->nsets_count;
    out->overrun = in->acc_valid && !s->done && s->nacc_count >= LANES;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void seq(struct state *s, const struct in *in)
{
    if (s->done) {
        reset(s);
    }
    if (!in->acc_valid) {
        return;
    }
    if (!s->touched[in->set_index]) {
        s->nsets_count = (__typeof__(s->nsets_count))unit_bits(s->nsets_count + 1u, LOGN + 1);
    }
    s->touched[in->set_index] = 1;
    if (s->nacc_count < NACC_MAX) {
        s->nacc_count++;
    }
    s->done = in->last != 0;
}

MODEL_SEQUENTIAL
