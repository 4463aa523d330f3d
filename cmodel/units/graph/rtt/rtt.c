/* rtt - how regions are reused (lakshminarayana2014 3.4.4).  Knows regions by number alone. */
#define UNIT_TABLE "units/graph/rtt/rtt.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { CTR_MAX = (1 << CTR_W) - 1, LAST = ENTRIES - 1 };
typedef __typeof__(((struct state *)0)->untracked) count_t;

static void count(count_t *value, bool one)
{
    *value = (count_t)(*value + (one && *value < CTR_MAX));
}

static bool frees(const struct state *s, const struct in *in)
{
    bool all = s->phase == phase_FREE && !in->kernel_start;
    for (unsigned i = 0; i < ENTRIES; i++) {
        all &= s->valid[i];
    }
    return all && s->untracked > s->least;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const bool is_entry = in->lk_rid < ENTRIES;
    const unsigned i = is_entry ? (unsigned)in->lk_rid : 0;
    out->lk_known = is_entry && s->valid[i] && s->trained[i];
    out->lk_shared = is_entry && s->shared_reuse[i];
    out->lk_private = is_entry && s->pvt_reuse[i];
    out->lk_excl = out->lk_known && out->lk_private && !out->lk_shared;
    out->busy = s->phase != phase_IDLE;
    out->freed = frees(s, in);
    out->freed_rid = s->where;
}

static void clear(struct state *s, unsigned i)
{
    s->trained[i] = s->shared_reuse[i] = s->pvt_reuse[i] = 0;
    s->acc[i] = s->shd[i] = s->pvt[i] = 0;
}

static void halve(struct state *s, unsigned i)
{
    if (s->acc[i] == 0) {
        return;
    }
    s->acc[i] >>= 1;
    s->shd[i] >>= 1;
    s->pvt[i] >>= 1;
    const unsigned threshold = (unsigned)s->acc[i] >> THR_SHIFT;
    s->shared_reuse[i] = s->shd[i] > threshold || (!RECOMPUTE && s->shared_reuse[i]);
    s->pvt_reuse[i] = s->pvt[i] > threshold || (!RECOMPUTE && s->pvt_reuse[i]);
    s->trained[i] = 1;
}

static void step_update(struct state *s, const struct in *in)
{
    if (s->phase == phase_IDLE) {
        s->phase = in->tick ? REPLACE ? phase_SEEK : phase_HALVE : phase_IDLE;
        return;
    }
    if (s->phase == phase_FREE) {
        s->phase = phase_HALVE;
        return;
    }
    const bool seeks = s->phase == phase_SEEK, ends = s->at == LAST;
    if (!seeks) {
        halve(s, s->at);
    } else if (s->at == 0 || s->acc[s->at] < s->least) {
        s->least = s->acc[s->at];
        s->where = s->at;
    }
    s->at = ends ? 0 : (uint8_t)(s->at + 1);
    s->phase = !ends ? s->phase : seeks ? phase_FREE : phase_IDLE;
}

static void count_fill(struct state *s, const struct in *in)
{
    const unsigned i = (unsigned)in->fill_rid;
    if (i >= ENTRIES || !s->valid[i]) {
        count(&s->untracked, true);
        return;
    }
    count(&s->acc[i], true);
    count(&s->shd[i], in->fill_sr);
    count(&s->pvt[i], in->fill_pr);
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
    const bool restarts = s->phase == phase_HALVE && s->at == LAST;
    const unsigned freed = frees(s, in) ? s->where : ENTRIES;
    step_update(s, in);
    if (freed < ENTRIES) {
        s->valid[freed] = 0;
        clear(s, freed);
    }
    s->untracked = restarts ? 0 : s->untracked;
    if (in->fill_valid) {
        count_fill(s, in);
    }
    if (in->open_valid && in->open_rid < ENTRIES) {
        s->valid[in->open_rid] = 1;
        clear(s, (unsigned)in->open_rid);
    }
}

/* UPDATE is at an entry; flags and counts are those of entries in use. */
static bool is_sound(const struct state *s)
{
    bool sound = s->at < ENTRIES && s->where < ENTRIES && s->phase <= phase_HALVE &&
                 ((s->phase != phase_IDLE && s->phase != phase_FREE) || s->at == 0) &&
                 (REPLACE || s->phase == phase_IDLE || s->phase == phase_HALVE);
    for (unsigned i = 0; i < ENTRIES; i++) {
        const bool counts = s->acc[i] | s->shd[i] | s->pvt[i];
        sound &= s->valid[i] || !(counts || s->trained[i] || s->shared_reuse[i] || s->pvt_reuse[i]);
        sound &= s->shd[i] <= s->acc[i] && s->pvt[i] <= s->acc[i];
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
