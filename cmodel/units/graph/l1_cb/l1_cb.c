/* l1_cb - the copy-back bit of each L1 line (lakshminarayana2014 3.4.4).  Knows lines by number. */
#define UNIT_TABLE "units/graph/l1_cb/l1_cb.ports.h"
#include "units/model.h"
#include "units/promises.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const bool taken = in->inv_valid && in->inv_line == in->fill_line;
    out->evict_valid = in->fill_valid && !in->flush && s->valid[in->fill_line] && !taken;
    out->evict_cb = out->evict_valid && s->cb[in->fill_line];
}

static void seq(struct state *s, const struct in *in)
{
    if (in->flush) {
        memset(s->valid, 0, sizeof s->valid);
        return;
    }
    if (in->inv_valid) {
        s->valid[in->inv_line] = 0;
    }
    if (in->fill_valid) {
        s->valid[in->fill_line] = 1;
        s->cb[in->fill_line] = (uint8_t)in->fill_excl;
    }
}

static void reset(struct state *s)
{
    memset(s->valid, 0, sizeof s->valid);
}

static bool are_lines(const struct state *s, const struct in *in)
{
    (void)s;
    return in->inv_line < LINES && in->fill_line < LINES;
}
MODEL_ACCEPTS(are_lines)

MODEL_SEQUENTIAL
