/* rtt - how regions are reused (lakshminarayana2014 3.4.4).  Knows regions by number alone. */
#define UNIT_TABLE "units/graph/rtt/rtt.ports.h"
#include "units/model.h"
#include "units/promises.h"

#include "units/graph/reuse_table.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const bool is_entry = in->lk_rid < ENTRIES;
    const unsigned i = is_entry ? (unsigned)in->lk_rid : 0;
    out->lk_known = is_entry && s->valid[i] && s->trained[i];
    out->lk_shared = is_entry && s->reuse[i];
    out->lk_private = is_entry && s->reuse[ENTRIES + i];
    out->lk_excl = out->lk_known && out->lk_private && !out->lk_shared;
    out->busy = s->phase != phase_IDLE;
    out->freed = reuse_freed(s, in->kernel_start, s->untracked) < ENTRIES;
    out->freed_rid = s->where;
}

static void count_fill(struct state *s, const struct in *in)
{
    const unsigned i = (unsigned)in->fill_rid;
    if (i >= ENTRIES || !s->valid[i]) {
        reuse_add(&s->untracked, true);
        return;
    }
    reuse_add(&s->acc[i], true);
    reuse_add(&s->hits[i], in->fill_sr);
    reuse_add(&s->hits[ENTRIES + i], in->fill_pr);
}

static void reset(struct state *s)
{
    memset(s, 0, sizeof *s);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        reset(s);
        return;
    }
    const bool restarts = reuse_is_last(s);
    const unsigned freed = reuse_freed(s, false, s->untracked);
    reuse_update(s, in->tick);
    if (freed < ENTRIES) {
        reuse_clear(s, freed, false);
    }
    s->untracked = restarts ? 0 : s->untracked;
    if (in->fill_valid) {
        count_fill(s, in);
    }
    if (in->open_valid && in->open_rid < ENTRIES) {
        reuse_clear(s, (unsigned)in->open_rid, true);
    }
}

/* Hits are fills. */
static bool is_sound(const struct state *s)
{
    bool sound = reuse_is_sound(s);
    for (unsigned h = 0; h < COLUMNS * ENTRIES; h++) {
        sound &= s->hits[h] <= s->acc[h % ENTRIES];
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
