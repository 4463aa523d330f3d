/* ptt - how lines are reused, by the PC that brought them (lakshminarayana2014 3.5.4).  Knows
 * nothing of lines: who brought one is kept with it, as the number of an entry. */
#define UNIT_TABLE "units/graph/ptt/ptt.ports.h"
#include "units/model.h"
#include "units/promises.h"

#include "units/graph/reuse_table.h"

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
    out->freed = reuse_freed(s, in->kernel_start, in->max_val) < ENTRIES;
    out->freed_id = s->where;
}

static void reset(struct state *s)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        reuse_clear(s, i, false);
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
    const unsigned freed = reuse_freed(s, false, in->max_val);
    reuse_update(s, in->tick);
    if (in->acc_valid && in->acc_id < ENTRIES) {
        reuse_add(&s->acc[in->acc_id], s->valid[in->acc_id]);
    }
    if (in->hit_valid && in->hit_id < ENTRIES) {
        reuse_add(&s->hits[in->hit_id], s->valid[in->hit_id]);
    }
    if (freed < ENTRIES) {
        reuse_clear(s, freed, false);
    }
    if (to.opens) {
        s->pc[to.entry] = (__typeof__(*s->pc))in->lk_pc;
        reuse_clear(s, to.entry, true);
    }
    s->done = (uint8_t)in->lk_valid;
    s->id = (uint8_t)to.entry;
    s->hash = (uint8_t)hash_of(in->lk_pc);
}

/* A PC is there once. */
static bool is_sound(const struct state *s)
{
    bool sound = reuse_is_sound(s);
    for (unsigned i = 0; i < ENTRIES; i++) {
        for (unsigned j = 0; j < i; j++) {
            sound &= !(s->valid[i] && s->valid[j] && s->pc[i] == s->pc[j]);
        }
    }
    return sound;
}
MODEL_INVARIANT(is_sound)

MODEL_SEQUENTIAL
