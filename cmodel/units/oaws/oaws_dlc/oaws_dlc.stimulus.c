/* Stimulus of oaws_dlc.  Occurrences, misses and look-ups come from one pool of twelve
 * PCs, so that they meet; every other stretch of steps uses a pool of one and a half
 * tables, so that the table fills and evicts.  Fully divergent loads are frequent, as
 * they overflow the access count; ageing is rare in most stretches and frequent in
 * some, so that entries both overflow and die.  In other stretches one load, another one
 * each time, misses in every cycle, so that its miss count reaches its access count.  PCs
 * are compared in full: now and then one is a bit away from a likely one, often the highest. */
#define UNIT_TABLE "units/oaws/oaws_dlc/oaws_dlc.ports.h"
#include "tb/stimulus.h"

/* Seldom a PC one bit away. */
static uint64_t near(struct tb_random *random, uint64_t pc)
{
    if (tb_random_below(random, 16)) {
        return pc;
    }
    uint64_t bit = tb_random_below(random, 2) ? PC_W - 1 : tb_random_below(random, PC_W);
    return pc ^ UINT64_C(1) << bit;
}

/* One load that misses always: fully divergent, or so little that its occurrences overflow
 * long before its accesses. */
static void drive_hot_load(struct tb_random *random, uint64_t pc, uint64_t nreq, struct in *in)
{
    in->age_tick = 0;
    in->kernel_start = 0;
    in->coal_pc = tb_random_below(random, 8) ? pc : tb_random_below(random, ENTRIES);
    in->coal_valid = tb_random_below(random, 24) == 0;
    in->coal_nreq = nreq;
    in->acc_pc = pc;
    in->acc_valid = 1;
    in->acc_miss = 1;
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
    (void)last_in, (void)last_out;
    struct in *in = (struct in *)in_slots;
    if (step / 512 % 2) {
        in->coal_pc = tb_random_below(random, ENTRIES + ENTRIES / 2);
        in->acc_pc = tb_random_below(random, ENTRIES + ENTRIES / 2);
        in->lk_pc = tb_random_below(random, ENTRIES + ENTRIES / 2);
    }
    if (tb_random_below(random, 2)) {
        in->acc_pc = in->coal_pc;
    }
    in->coal_pc = near(random, in->coal_pc);
    in->acc_pc = near(random, in->acc_pc);
    in->lk_pc = near(random, in->lk_pc);
    if (tb_random_below(random, 3) == 0) {
        in->coal_nreq = 32;
    }
    if (step / 2048 % 4 == 3) {
        in->age_tick = tb_random_below(random, 12) == 0;
    } else if (step / 1024 % 4 == 2) {
        uint64_t nreq = step / 8192 % 2 ? COH_MAX + 1 : 32;
        drive_hot_load(random, step / 4096 * 7 % ENTRIES, nreq, in);
    }
}

enum bin {
    UPDATE_AND_MISS,
    ALLOC_AND_MISS,
    EVICT_AND_MISS_OF_VICTIM,
    HALVE_AND_MISS,
    AGE_AND_UPDATE,
    AGE_FREES_AND_ALLOC,
    MISS_AT_ACCESSES,
    KCLEAR_AND_ALL,
    COHERENT_KNOWN,
    FULL_NEW,
    COAL_NEAR_KNOWN,
    ACC_NEAR_KNOWN,
    LK_NEAR_KNOWN
};

/* The entry of a PC, or ENTRIES. */
static unsigned find(const struct state *s, uint64_t pc)
{
    unsigned i = 0;
    while (i < ENTRIES && !(((uint64_t)s->valid >> i & 1) && s->pc[i] == pc)) {
        i++;
    }
    return i;
}

/* Only its highest bit tells the PC from that of a known load. */
static bool near_known(const struct state *s, uint64_t pc)
{
    return find(s, pc) == ENTRIES && find(s, pc ^ UINT64_C(1) << (PC_W - 1)) < ENTRIES;
}

static void observe(const uint64_t *in_slots, const uint64_t *out_slots, const void *state_,
                    uint64_t *hits)
{
    const struct in *in = (const struct in *)in_slots;
    const struct out *out = (const struct out *)out_slots;
    const struct state *s = state_;
    bool miss = in->acc_valid && in->acc_miss, same = in->acc_pc == in->coal_pc;
    unsigned coal = find(s, in->coal_pc), acc = find(s, in->acc_pc);
    bool known = coal<ENTRIES, divergent = in->coal_nreq> COH_MAX;
    bool full = __builtin_popcountll(s->valid) == ENTRIES;
    bool oldest = acc < ENTRIES && s->lru[acc] == ENTRIES - 1;
    hits[UPDATE_AND_MISS] += out->update && miss && same;
    hits[ALLOC_AND_MISS] += out->alloc && miss && same;
    hits[EVICT_AND_MISS_OF_VICTIM] += full && oldest && miss && in->coal_valid && divergent &&
                                      !known;
    hits[HALVE_AND_MISS] += out->halve && miss && same;
    hits[AGE_AND_UPDATE] += in->age_tick && out->update && miss;
    hits[AGE_FREES_AND_ALLOC] += in->age_tick && known && s->inst[coal] == 1 && in->coal_valid;
    hits[MISS_AT_ACCESSES] += miss && acc < ENTRIES && s->miss[acc] == s->acc[acc];
    hits[KCLEAR_AND_ALL] += in->kernel_start && in->coal_valid && divergent && miss;
    hits[COHERENT_KNOWN] += in->coal_valid && known && !divergent;
    hits[FULL_NEW] += full && in->coal_valid && !known && divergent;
    hits[COAL_NEAR_KNOWN] += in->coal_valid && divergent && near_known(s, in->coal_pc);
    hits[ACC_NEAR_KNOWN] += miss && near_known(s, in->acc_pc);
    hits[LK_NEAR_KNOWN] += near_known(s, in->lk_pc);
}

STIMULUS(150000, drive, observe, BIN("occurrence and miss of one load"),
         BIN("new load and its miss"), BIN("miss of the load that is evicted"),
         BIN("overflow and miss of one load"), BIN("ageing with occurrence and miss"),
         BIN("ageing frees the load that occurs"), BIN("miss beyond the accesses"),
         BIN("kernel launch with occurrence and miss"), BIN("coherent occurrence of a known load"),
         BIN("new load and no free entry"), BIN("new load whose highest bit alone is new"),
         BIN("miss of a load whose highest bit alone is unknown"),
         BIN("look-up of a load whose highest bit alone is unknown"))
