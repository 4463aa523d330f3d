/* sect_tag - which sectors of a line are there, and which were read (lakshminarayana2014 3.6.1).
 * Knows lines by number. */
#define UNIT_TABLE "units/graph/sect_tag/sect_tag.ports.h"
#include "units/model.h"
#include "units/promises.h"

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const unsigned fill = (unsigned)in->fill_line;
    const bool taken = in->inv_valid && in->inv_line == in->fill_line;
    out->done = s->done;
    out->miss_mask = (uint64_t)(s->need[0] & ~(s->present[0] ? s->held[0] : 0));
    out->hit = s->done && s->present[0] && !out->miss_mask;
    out->sec_miss = s->done && s->present[0] && out->miss_mask;
    out->blk_miss = s->done && !s->present[0];
    out->evict_valid = in->fill_valid && in->fill_new && s->there[fill] && !taken && !in->flush;
    out->evict_used = s->used[fill];
    out->evict_unused = (uint64_t)(s->there[fill] & ~s->used[fill]);
}

static void clear(struct state *s, uint64_t line)
{
    s->there[line] = s->used[line] = 0;
}

static void seq(struct state *s, const struct in *in)
{
    s->done = (uint8_t)in->lk_valid;
    if (in->lk_valid) {
        s->present[0] = (uint8_t)in->lk_present;
        s->held[0] = s->there[in->lk_line];
        s->need[0] = (uint8_t)in->lk_need;
    }
    if (in->flush) {
        memset(s->there, 0, sizeof s->there);
        memset(s->used, 0, sizeof s->used);
        return;
    }
    if (in->inv_valid) {
        clear(s, in->inv_line);
    }
    if (in->fill_valid && in->fill_new) {
        clear(s, in->fill_line);
    }
    if (in->fill_valid) {
        s->there[in->fill_line] |= (uint8_t)in->fill_mask;
    }
    if (in->read_valid) {
        s->used[in->read_line] |= (uint8_t)in->read_mask;
    }
}

static void reset(struct state *s)
{
    memset(s->there, 0, sizeof s->there);
    memset(s->used, 0, sizeof s->used);
    s->done = 0;
}

/* Only sectors that are there, or come in this cycle, are read; and lines are lines. */
static bool are_there(const struct state *s, const struct in *in)
{
    if (in->lk_line >= LINES || in->inv_line >= LINES || in->fill_line >= LINES ||
        in->read_line >= LINES) {
        return false;
    }
    const bool filled = in->fill_valid && in->fill_line == in->read_line;
    const bool kept = !(in->inv_valid && in->inv_line == in->read_line) &&
                      !(filled && in->fill_new);
    const uint64_t there = (kept ? s->there[in->read_line] : 0u) | (filled ? in->fill_mask : 0u);
    return !in->read_valid || !(in->read_mask & ~there);
}
MODEL_ACCEPTS(are_there)

static bool is_sound(const struct state *s)
{
    bool sound = true;
    for (unsigned i = 0; i < LINES; i++) {
        sound &= !(s->used[i] & ~s->there[i]);
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
