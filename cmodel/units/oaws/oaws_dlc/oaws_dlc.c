/* oaws_dlc - which loads are divergent, and how often they miss (wang2015 3.16.1).
 * Keeps counts; the rate is formed by oaws_pred. */
#define UNIT_TABLE "units/oaws/oaws_dlc/oaws_dlc.ports.h"
#include "units/model.h"
#include "units/promises.h"

#include "units/oaws/oaws_dlc_entries.h"
#include "units/oaws/oaws_dlc_sound.h"

enum { INST_MAX = (1 << INST_W) - 1, ACC_MAX = (1 << ACC_W) - 1, DIV_MAX = (1 << DIV_W) - 1 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The counts of one load. */
struct counts {
    uint64_t inst, acc, miss, div;
};

static bool overflows(const struct counts *c, uint64_t nreq)
{
    return c->inst == INST_MAX || c->acc + nreq > ACC_MAX;
}

static void halve(struct counts *c)
{
    c->inst >>= 1;
    c->acc >>= 1;
    c->miss >>= 1;
}

static void count(struct counts *c, uint64_t nreq)
{
    if (!SATURATE && overflows(c, nreq)) {
        halve(c);
    }
    c->inst = least(c->inst + 1, INST_MAX);
    c->acc = least(c->acc + nreq, ACC_MAX);
    c->div = DIV_MINUS_1 ? unit_bits(nreq - 1, DIV_W) : least(nreq, DIV_MAX);
}

static struct counts read(const struct state *s, unsigned i)
{
    return (struct counts){s->inst[i], s->acc[i], s->miss[i], s->div[i]};
}

static void write(struct state *s, unsigned i, const struct counts *c)
{
    s->inst[i] = (__typeof__(*s->inst))c->inst;
    s->acc[i] = (__typeof__(*s->acc))c->acc;
    s->miss[i] = (__typeof__(*s->miss))c->miss;
    s->div[i] = (uint8_t)c->div;
}

/* Entry `entry`, of rank `rank`, is the most recent. */
static void touch(struct state *s, unsigned entry, unsigned rank)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->lru[i] = (uint8_t)(s->lru[i] + (s->lru[i] < rank));
    }
    s->lru[entry] = 0;
}

static void set_valid(struct state *s, unsigned i, bool valid)
{
    const uint64_t bit = UINT64_C(1) << i;
    s->valid = (__typeof__(s->valid))(valid ? s->valid | bit : s->valid & ~bit);
}

static void order_entries(struct state *s)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        s->lru[i] = (uint8_t)i;
    }
}

#if UNIT_SET_ONE_CYCLE

/* ---- all in one cycle ---- */

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
    out->lk_ready = out->age_ready = out->coal_ready = out->acc_ready = !in->kernel_start;
    out->lk_done = in->lk_valid && !in->kernel_start;
    out->lk_hit = known < ENTRIES;
    out->lk_miss = known < ENTRIES ? s->miss[known] : 0;
    out->lk_acc = known < ENTRIES ? s->acc[known] : 0;
    out->lk_div = known < ENTRIES ? s->div[known] : 0;

    struct effect effect = effect_of(s, in, in->age_tick);
    struct counts aged = read(s, effect.entry);
    if (in->age_tick) {
        halve(&aged);
    }
    out->update = effect.update;
    out->alloc = effect.alloc;
    out->evict = effect.evict;
    out->halve = effect.update && overflows(&aged, in->coal_nreq);
}

static void age_all(struct state *s)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        struct counts counts = read(s, i);
        halve(&counts);
        write(s, i, &counts);
        set_valid(s, i, live(s, i, 0) && !(AGE_FREES && s->inst[i] == 0));
    }
}

static void count_occurrence(struct state *s, const struct in *in, const struct effect *effect)
{
    const unsigned i = effect->entry;
    struct counts counts = {.inst = 0};
    if (effect->alloc) {
        set_valid(s, i, true);
        s->pc[i] = (__typeof__(*s->pc))in->coal_pc;
    } else {
        counts = read(s, i);
    }
    count(&counts, in->coal_nreq);
    write(s, i, &counts);
    touch(s, i, s->lru[i]);
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
    order_entries(s);
}

#else

/* ---- one operation at a time ---- */

enum { RUN_MAX = 63 };

/* An occurrence that counts. */
static bool coal_wants(const struct in *in)
{
    return in->coal_valid && (in->coal_nreq > COH_MAX || COUNT_COHERENT);
}

/* Who is taken in a cycle; `joins`: a miss, into the run. */
struct taken {
    bool run, age, coal, look_up, joins;
    bool lk_ready, age_ready, coal_ready, acc_ready;
};

static struct taken taken(const struct state *s, const struct in *in)
{
    const bool match = s->step == step_MATCH && !in->kernel_start;
    const bool others = match && s->run == 0;
    const bool counts = in->coal_nreq > COH_MAX || COUNT_COHERENT;
    struct taken t = {.run = match && s->run != 0, .age_ready = others};
    t.coal_ready = !in->kernel_start && (!counts || (others && !in->age_tick));
    t.lk_ready = others && !in->age_tick && !coal_wants(in);
    t.age = in->age_tick && others;
    t.coal = coal_wants(in) && others && !in->age_tick;
    t.look_up = in->lk_valid && t.lk_ready;

    const bool waiting = (in->age_tick && !others) || (in->coal_valid && !t.coal_ready);
    const bool same_load = s->run == 0 || in->acc_pc == s->run_pc;
    const bool joinable = same_load && s->run != RUN_MAX && !waiting && !in->kernel_start;
    t.acc_ready = !in->kernel_start && (!in->acc_miss || joinable);
    t.joins = in->acc_valid && in->acc_miss && joinable;
    return t;
}

static bool counting(const struct state *s, const struct in *in, unsigned op)
{
    return s->step == step_COUNT && s->op == op && !in->kernel_start;
}

static bool enters(const struct state *s, const struct in *in)
{
    return counting(s, in, op_OCCUR) && !s->known && s->amount > COH_MAX && (!s->full || EVICT_LRU);
}

static void comb(const struct state *s, const struct in *in, struct out *out)
{
    const struct taken t = taken(s, in);
    const struct counts the = {s->the_inst, s->the_acc, s->the_miss, s->the_div};
    out->lk_ready = t.lk_ready;
    out->age_ready = t.age_ready;
    out->coal_ready = t.coal_ready;
    out->acc_ready = t.acc_ready;
    out->lk_done = counting(s, in, op_LOOK_UP);
    out->lk_hit = s->known;
    out->lk_miss = s->the_miss;
    out->lk_acc = s->the_acc;
    out->lk_div = s->the_div;
    out->update = counting(s, in, op_OCCUR) && s->known;
    out->alloc = enters(s, in);
    out->evict = out->alloc && s->full;
    out->halve = out->update && overflows(&the, s->amount);
}

static void set_counts(struct state *s, const struct counts *c)
{
    s->the_inst = (__typeof__(s->the_inst))c->inst;
    s->the_acc = (__typeof__(s->the_acc))c->acc;
    s->the_miss = (__typeof__(s->the_miss))c->miss;
    s->the_div = (uint8_t)c->div;
}

/* MATCH.  The registers follow the inputs, taken or not. */
static void match(struct state *s, const struct in *in, const struct taken *t)
{
    const unsigned op = s->run != 0      ? op_MISSES
                        : in->age_tick   ? op_AGE
                        : coal_wants(in) ? op_OCCUR
                                         : op_LOOK_UP;
    const uint64_t load = op == op_MISSES ? s->run_pc : op == op_OCCUR ? in->coal_pc : in->lk_pc;
    const unsigned entry = find(s, load, 0);
    s->spare = (__typeof__(s->spare))(UINT64_C(1) << victim(s, 0));
    s->full = live(s, victim(s, 0), 0);
    s->pick = (__typeof__(s->pick))(t->age ? 1 : entry < ENTRIES ? UINT64_C(1) << entry : 0);
    s->op = (uint8_t)op;
    s->load = (__typeof__(s->load))load;
    s->amount = (uint8_t)(op == op_MISSES ? s->run : in->coal_nreq);
    if (t->run || t->age || t->coal || t->look_up) {
        s->step = step_READ;
    }
}

/* READ.  Ageing halves at once. */
static void fetch(struct state *s)
{
    struct counts counts = {.inst = 0};
    const uint64_t found = (uint64_t)s->pick & (uint64_t)s->valid;
    s->known = found != 0;
    s->rank = s->spare == 0 ? 0 : s->lru[__builtin_ctzll(s->spare)];
    if (s->known) {
        counts = read(s, (unsigned)__builtin_ctzll(found));
        s->rank = s->lru[__builtin_ctzll(found)];
    }
    if (s->op == op_AGE) {
        halve(&counts);
    }
    if (s->op == op_OCCUR && !s->known) {
        s->pick = s->spare;
    }
    set_counts(s, &counts);
    s->step = s->op == op_AGE ? step_WRITE : step_COUNT;
}

static void add(struct state *s, const struct in *in)
{
    struct counts counts = {s->the_inst, s->the_acc, s->the_miss, s->the_div};
    if (s->op == op_OCCUR) {
        count(&counts, s->amount);
    } else if (s->op == op_MISSES) {
        counts.miss = least(counts.miss + s->amount, ACC_MAX);
    }
    s->known = s->known || enters(s, in);
    set_counts(s, &counts);
    s->step = s->op == op_LOOK_UP ? step_MATCH : step_WRITE;
}

static void put_back(struct state *s)
{
    struct counts counts = {s->the_inst, s->the_acc, least(s->the_miss, s->the_acc), s->the_div};
    const unsigned entry = s->pick == 0 ? 0 : (unsigned)__builtin_ctzll(s->pick);
    const bool last = s->pick >> (ENTRIES - 1) & 1;
    if (s->known) {
        write(s, entry, &counts);
    }
    if (s->known && s->op == op_OCCUR) {
        set_valid(s, entry, true);
        s->pc[entry] = s->load;
        touch(s, entry, s->rank);
    }
    if (s->known && s->op == op_AGE && AGE_FREES && s->the_inst == 0) {
        set_valid(s, entry, false);
    }
    s->pick = (__typeof__(s->pick))unit_bits((uint64_t)s->pick << 1, ENTRIES);
    s->step = s->op == op_AGE && !last ? step_READ : step_MATCH;
}

static void seq(struct state *s, const struct in *in)
{
    const struct taken t = taken(s, in);
    const uint64_t left = t.run ? 0 : s->run;
    switch (s->step) {
    case step_MATCH: match(s, in, &t); break;
    case step_READ: fetch(s); break;
    case step_COUNT: add(s, in); break;
    default: put_back(s); break;
    }
    s->run = (uint8_t)(left + t.joins);
    if (t.joins) {
        s->run_pc = (__typeof__(s->run_pc))in->acc_pc;
    }
    if (in->kernel_start) {
        s->valid = 0;
        s->run = 0;
        s->step = step_MATCH;
    }
}

static void reset(struct state *s)
{
    s->valid = 0;
    order_entries(s);
    s->step = step_MATCH;
    s->op = op_LOOK_UP;
    s->load = 0;
    s->amount = 0;
    s->pick = s->spare = 0;
    s->known = s->full = 0;
    s->rank = 0;
    set_counts(s, &(struct counts){.inst = 0});
    s->run_pc = 0;
    s->run = 0;
}

#endif

#if UNIT_SET_ONE_CYCLE
MODEL_INVARIANT(entries_differ)
#else
MODEL_INVARIANT(sound)
#endif

MODEL_SEQUENTIAL
