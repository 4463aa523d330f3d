/* nap - which neighbours of a sector come with it (lakshminarayana2014 3.6.4).  Knows nothing of
 * lines but what they are handed back with. */
#define UNIT_TABLE "units/graph/nap/nap.ports.h"
#include "units/model.h"

enum { CTR_MAX = (1 << CTR_W) - 1, SECTORS = 4 };
typedef __typeof__(*((struct state *)0)->row) row_t;

/* Where in a row the counter of another sector stands. */
static unsigned place(unsigned sector, unsigned first)
{
    return (sector + 3 - first - (sector > first)) * CTR_W;
}

static unsigned counter(uint64_t row, unsigned sector, unsigned first)
{
    return (unsigned)unit_field(row, place(sector, first), CTR_W);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    (void)in;
    out->done = s->done;
    out->mask = s->need[0];
    for (unsigned j = 0; j < SECTORS; j++) {
        if (j != s->f[0] && counter(s->found[0], j, s->f[0]) > THRESHOLD) {
            out->mask |= UINT64_C(1) << j;
        }
    }
    out->idx = s->idx[0];
    out->f = s->f[0];
}

static row_t train(row_t row, unsigned first, unsigned used)
{
    for (unsigned j = 0; j < SECTORS; j++) {
        if (j == first) {
            continue;
        }
        const unsigned ctr = counter(row, j, first), low = place(j, first);
        if (used >> j & 1 && ctr < CTR_MAX) {
            row = (row_t)(row + (UINT64_C(1) << low));
        } else if (!(used >> j & 1) && ctr > 0) {
            row = (row_t)(row - (UINT64_C(1) << low));
        }
    }
    return row;
}

static void seq(struct state *s, const struct in *in)
{
    s->done = (uint8_t)in->miss_valid;
    if (in->miss_valid) {
        s->idx[0] = (uint8_t)unit_bits(in->miss_pc >> 2 ^ in->miss_pc >> (2 + IDX_W), IDX_W);
        s->found[0] = s->row[s->idx[0]];
        s->f[0] = (uint8_t)in->miss_f;
        s->need[0] = (uint8_t)in->miss_need;
    }
    if (in->evict_valid) {
        s->row[in->evict_idx] = train(s->row[in->evict_idx], (unsigned)in->evict_f,
                                      (unsigned)in->evict_used);
    }
}

static void reset(struct state *s)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->row[i] = 0;
        for (unsigned c = 0; c < 6; c++) {
            s->row[i] = (row_t)(s->row[i] | (uint64_t)INIT << c * CTR_W);
        }
    }
    s->done = 0;
}

MODEL_SEQUENTIAL
