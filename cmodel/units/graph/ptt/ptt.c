/* ptt - how lines are reused, by the PC that brought them (lakshminarayana2014 3.5.4).  Knows
 * nothing of lines: who brought one is kept with it, as the number of an entry. */
#define UNIT_TABLE "units/graph/ptt/ptt.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { CTR_MAX = (1 << CTR_W) - 1, LAST = ENTRIES - 1 };
typedef __typeof__(((struct state *)0)->least) count_t;

static void count(count_t *value)
{
    *value = (count_t)(*value + (*value < CTR_MAX));
}

static unsigned hash_of(uint64_t pc)
{
    return (unsigned)((pc >> 2 ^ pc >> 6) & 15);
}

/* The entry that a look-up gives: that of the PC, else one that it may take, else none. */
struct place {
    unsigned entry;
    bool opens;
};
static struct place place_of(const struct state *s, const struct in *in)
{
    unsigned i = 0;
    while (i < ENTRIES && !(s->valid[i] && s->pc[i] == in->lk_pc)) {
        i++;
    }
    if (i < ENTRIES) {
        return (struct place){i, false};
    }
    for (i = 0; i < ENTRIES; i++) {
        const bool reserved = in->res_valid && in->res_id == i;
        if (!s->valid[i] && (!reserved || in->res_idx == hash_of(in->lk_pc))) {
            return (struct place){i, in->lk_valid && !in->kernel_start};
        }
    }
    return (struct place){ENTRIES, false};
}

static bool frees(const struct state *s, const struct in *in)
{
    bool all = s->phase == phase_FREE && !in->kernel_start;
    for (unsigned i = 0; i < ENTRIES; i++) {
        all &= s->valid[i];
    }
    return all && in->max_val > s->least;
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const bool is_entry = in->rd_id < ENTRIES;
    const unsigned i = is_entry ? (unsigned)in->rd_id : 0;
    const struct place to = place_of(s, in);
    out->lk_done = s->done;
    out->lk_id = s->id;
    out->lk_hash = s->hash;
    out->alloc = to.opens;
    out->take = to.opens && in->res_valid && in->res_id == to.entry;
    out->rd_known = is_entry && s->valid[i] && s->trained[i];
    out->rd_reuse = is_entry && s->reuse[i];
    out->update = s->phase == phase_FREE && !in->kernel_start;
    out->busy = s->phase != phase_IDLE;
    out->freed = frees(s, in);
    out->freed_id = s->where;
}

static void clear(struct state *s, unsigned i)
{
    s->trained[i] = s->reuse[i] = 0;
    s->acc[i] = s->hits[i] = 0;
}

static void halve(struct state *s, unsigned i)
{
    if (s->acc[i] == 0) {
        return;
    }
    s->acc[i] >>= 1;
    s->hits[i] >>= 1;
    s->reuse[i] = s->hits[i] > (unsigned)s->acc[i] >> THR_SHIFT || (!RECOMPUTE && s->reuse[i]);
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

static void reset(struct state *s)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->valid[i] = 0;
        clear(s, i);
    }
    s->done = s->id = s->hash = s->phase = s->at = s->where = 0;
    s->least = 0;
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        reset(s);
        return;
    }
    const struct place to = place_of(s, in);
    const unsigned freed = frees(s, in) ? s->where : ENTRIES;
    step_update(s, in);
    if (in->acc_valid && in->acc_id < ENTRIES && s->valid[in->acc_id]) {
        count(&s->acc[in->acc_id]);
    }
    if (in->hit_valid && in->hit_id < ENTRIES && s->valid[in->hit_id]) {
        count(&s->hits[in->hit_id]);
    }
    if (freed < ENTRIES) {
        s->valid[freed] = 0;
        clear(s, freed);
    }
    if (to.opens) {
        s->valid[to.entry] = 1;
        s->pc[to.entry] = (__typeof__(*s->pc))in->lk_pc;
        clear(s, to.entry);
    }
    s->done = (uint8_t)in->lk_valid;
    s->id = (uint8_t)to.entry;
    s->hash = (uint8_t)hash_of(in->lk_pc);
}

/* UPDATE is at an entry; flags and counts are those of entries in use; a PC is there once. */
static bool is_sound(const struct state *s)
{
    bool sound = s->at < ENTRIES && s->where < ENTRIES && s->phase <= phase_HALVE &&
                 ((s->phase != phase_IDLE && s->phase != phase_FREE) || s->at == 0) &&
                 (REPLACE || s->phase == phase_IDLE || s->phase == phase_HALVE);
    for (unsigned i = 0; i < ENTRIES; i++) {
        sound &= s->valid[i] || !(s->acc[i] || s->hits[i] || s->trained[i] || s->reuse[i]);
        for (unsigned j = 0; j < i; j++) {
            sound &= !(s->valid[i] && s->valid[j] && s->pc[i] == s->pc[j]);
        }
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
