/* oaws_dlc - which loads are divergent, and how often they miss (wang2015 3.16.1).
 * Keeps counts; the rate is formed by oaws_pred. */
#define UNIT_TABLE "units/oaws/oaws_dlc/oaws_dlc.ports.h"
#include "units/model.h"
#include "units/promises.h"

enum { INST_MAX = (1 << INST_W) - 1, ACC_MAX = (1 << ACC_W) - 1, DIV_MAX = (1 << DIV_W) - 1 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Entry `i` is in use, after ageing if `age` is 1. */
static bool live(const struct state *s, unsigned i, uint64_t age)
{
    bool freed = AGE_FREES && age && s->inst[i] <= 1;
    return ((uint64_t)s->valid >> i & 1) && !freed;
}

/* The entry of a PC, or ENTRIES. */
static unsigned find(const struct state *s, uint64_t pc, uint64_t age)
{
    unsigned i = 0;
    while (i < ENTRIES && !(s->pc[i] == pc && live(s, i, age))) {
        i++;
    }
    return i;
}

/* The entry for a new load: a free one, else the least recent. */
static unsigned victim(const struct state *s, uint64_t age)
{
    unsigned oldest = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (!live(s, i, age)) {
            return i;
        }
        oldest = s->lru[i] == ENTRIES - 1 ? i : oldest;
    }
    return oldest;
}

static bool overflows(const struct state *s, unsigned i, const struct in *in, uint64_t age)
{
    uint64_t accesses = (uint64_t)s->acc[i] >> age;
    return s->inst[i] >> age == INST_MAX || accesses + in->coal_nreq > ACC_MAX;
}

/* What a coalesced load does to the table. */
struct effect {
    bool update, alloc, evict;
    unsigned entry;
};

static struct effect effect_of(const struct state *s, const struct in *in, uint64_t age)
{
    bool divergent = in->coal_nreq > COH_MAX;
    if (!in->coal_valid || in->kernel_start || !(divergent || COUNT_COHERENT)) {
        return (struct effect){.entry = 0};
    }
    unsigned entry = find(s, in->coal_pc, age);
    if (entry < ENTRIES) {
        return (struct effect){.update = true, .entry = entry};
    }
    entry = victim(s, age);
    bool full = live(s, entry, age);
    bool alloc = divergent && (EVICT_LRU || !full);
    return (struct effect){.alloc = alloc, .evict = alloc && full, .entry = entry};
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    unsigned known = find(s, in->lk_pc, 0);
    out->lk_hit = known < ENTRIES;
    out->lk_miss = known < ENTRIES ? s->miss[known] : 0;
    out->lk_acc = known < ENTRIES ? s->acc[known] : 0;
    out->lk_div = known < ENTRIES ? s->div[known] : 0;

    struct effect effect = effect_of(s, in, in->age_tick);
    out->update = effect.update;
    out->alloc = effect.alloc;
    out->evict = effect.evict;
    out->halve = effect.update && overflows(s, effect.entry, in, in->age_tick);
}

static void halve(struct state *s, unsigned i)
{
    s->inst[i] = (__typeof__(*s->inst))(s->inst[i] >> 1);
    s->acc[i] = (__typeof__(*s->acc))(s->acc[i] >> 1);
    s->miss[i] = (__typeof__(*s->miss))(s->miss[i] >> 1);
}

static void age_all(struct state *s)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        halve(s, i);
        if (AGE_FREES && s->inst[i] == 0) {
            s->valid &= (__typeof__(s->valid))~(UINT64_C(1) << i);
        }
    }
}

static void touch(struct state *s, unsigned entry)
{
    const unsigned rank = s->lru[entry];
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->lru[i] = (uint8_t)(s->lru[i] + (s->lru[i] < rank));
    }
    s->lru[entry] = 0;
}

static void count_occurrence(struct state *s, const struct in *in, const struct effect *effect)
{
    const unsigned i = effect->entry;
    if (effect->alloc) {
        s->valid |= (__typeof__(s->valid))(UINT64_C(1) << i);
        s->pc[i] = (__typeof__(*s->pc))in->coal_pc;
        s->inst[i] = 0;
        s->acc[i] = 0;
        s->miss[i] = 0;
    } else if (!SATURATE && overflows(s, i, in, 0)) {
        halve(s, i);
    }
    s->inst[i] = (__typeof__(*s->inst))least((uint64_t)s->inst[i] + 1, INST_MAX);
    s->acc[i] = (__typeof__(*s->acc))least(s->acc[i] + in->coal_nreq, ACC_MAX);
    s->div[i] = (uint8_t)(DIV_MINUS_1 ? unit_bits(in->coal_nreq - 1, DIV_W)
                                      : least(in->coal_nreq, DIV_MAX));
    touch(s, i);
}

static void seq(struct state *s, const struct in *in)
{
    if (in->kernel_start) {
        s->valid = 0;
        return;
    }
    if (in->age_tick) {
        age_all(s);
    }
    struct effect effect = effect_of(s, in, 0);
    if (effect.update || effect.alloc) {
        count_occurrence(s, in, &effect);
    }
    unsigned missed = in->acc_valid && in->acc_miss ? find(s, in->acc_pc, 0) : ENTRIES;
    if (missed < ENTRIES && s->miss[missed] < s->acc[missed]) {
        s->miss[missed]++;
    }
}

static void reset(struct state *s)
{
    s->valid = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->lru[i] = (uint8_t)i;
    }
}

/* A load has one entry, and no two entries were last used at once. */
static bool entries_differ(const struct state *s)
{
    bool differ = true;
    for (unsigned i = 0; i < ENTRIES; i++) {
        for (unsigned j = 0; j < i; j++) {
            differ &= s->lru[i] != s->lru[j];
            differ &= !(live(s, i, 0) && live(s, j, 0) && s->pc[i] == s->pc[j]);
        }
    }
    return differ;
}
MODEL_INVARIANT(entries_differ)

MODEL_SEQUENTIAL
