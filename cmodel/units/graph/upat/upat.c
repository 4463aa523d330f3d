/* upat - accesses by PCs that are not tracked (lakshminarayana2014 3.5.4).  Knows PCs by their hash
 * alone, and nothing of the table but the number of an entry. */
#define UNIT_TABLE "units/graph/upat/upat.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { CTR_MAX = (1 << CTR_W) - 1 };

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->max_val = s->max;
    out->max_idx = s->max_at;
    out->res_valid = s->res_valid;
    out->res_id = s->res_id;
    out->res_idx = s->res_idx;
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void count(struct state *s, unsigned idx)
{
    const unsigned n = s->ctr[idx] < CTR_MAX ? s->ctr[idx] + 1u : CTR_MAX;
    s->ctr[idx] = (__typeof__(*s->ctr))n;
    if (n > s->max || (n == s->max && idx < s->max_at)) {
        s->max = (__typeof__(s->max))n;
        s->max_at = (uint8_t)idx;
    }
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        reset(s);
        return;
    }
    if (in->update) {
        s->res_valid = (uint8_t)in->reserve;
        s->res_id = (uint8_t)in->reserve_id;
        s->res_idx = s->max_at;
        memset(s->ctr, 0, sizeof s->ctr);
        s->max = 0;
        s->max_at = 0;
    } else if (in->take) {
        s->res_valid = 0;
    }
    if (in->inc_valid) {
        count(s, (unsigned)in->inc_idx);
    }
}

/* The greatest is one of the counts, the lowest of those, and no count is above it. */
static bool is_sound(const struct state *s)
{
    bool sound = s->ctr[s->max_at] == s->max;
    for (unsigned i = 0; i < ENTRIES; i++) {
        sound &= s->ctr[i] < s->max || (s->ctr[i] == s->max && i >= s->max_at);
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
