/* Stimulus of oaws_dlc.  Occurrences, misses and look-ups come from one pool of twelve
 * PCs, so that they meet; every other stretch of steps uses a pool of one and a half
 * tables, so that the table fills and evicts.  Fully divergent loads are frequent, as
 * they overflow the access count; ageing is rare in most stretches and frequent in
 * some, so that entries both overflow and die.  In other stretches one load, another one
 * each time, misses in every cycle, so that its miss count reaches its access count.  PCs
 * are compared in full: now and then one is a bit away from a likely one, often the highest.  Where
 * requests have to wait, there are stretches with few of them, so that each kind has its turn. */
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

/* A request that was not taken is held. */
static void hold(const struct in *last, const struct out *answer, struct in *in)
{
    if (last->lk_valid && !answer->lk_ready) {
        in->lk_pc = last->lk_pc;
    }
    if (last->age_tick && !answer->age_ready) {
        in->age_tick = 1;
    }
    if (last->coal_valid && !answer->coal_ready) {
        in->coal_valid = 1;
        in->coal_pc = last->coal_pc;
        in->coal_nreq = last->coal_nreq;
    }
    if (last->acc_valid && !answer->acc_ready) {
        in->acc_valid = 1;
        in->acc_pc = last->acc_pc;
        in->acc_miss = last->acc_miss;
    }
}

static void drive(struct tb_random *random, uint64_t step, const uint64_t *last_in,
                  const uint64_t *last_out, uint64_t *in_slots)
{
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
    if (!ONE_CYCLE && step / 128 % 2) {
        in->coal_valid &= tb_random_below(random, 6) == 0;
        in->acc_valid &= tb_random_below(random, 3) == 0;
    }
    if (step / 2048 % 4 == 3) {
        in->age_tick = tb_random_below(random, 12) == 0;
        if (!ONE_CYCLE && in->age_tick) {
            in->lk_valid = in->coal_valid = in->acc_valid = in->acc_miss = 1;
        }
    } else if (step / 1024 % 4 == 2) {
        uint64_t nreq = step / 8192 % 2 ? COH_MAX + 1 : 32;
        drive_hot_load(random, step / 4096 * 7 % ENTRIES, nreq, in);
    }
    if (!ONE_CYCLE &&
        step / 4096 % 8 == 7) { /* so many misses of one load that ageing fills the run */
        drive_hot_load(random, step / 4096 * 7 % ENTRIES, 32, in);
        in->age_tick = tb_random_below(random, 100) == 0;
    }
    hold((const struct in *)last_in, (const struct out *)last_out, in);
}

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

#if UNIT_SET_ONE_CYCLE
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
#else
enum bin {
    ALL_AT_ONCE,
    MISS_AND_ITS_OCCURRENCE,
    MISS_JOINS,
    MISS_OF_ANOTHER,
    MISS_BEHIND_OCCURRENCE,
    MISS_BEHIND_AGEING,
    RUN_FULL,
    RUN_GOES_AND_JOINS,
    COHERENT_BESIDE,
    HIT_BESIDE,
    START_IN_READ,
    START_IN_COUNT,
    START_IN_WRITE,
    MISSES_BEYOND,
    MISSES_OF_UNKNOWN,
    AGED_AWAY,
    KNOWN_COHERENT,
    FULL_NEW,
    COAL_NEAR_KNOWN,
    MISS_NEAR_KNOWN,
    LK_NEAR_KNOWN
};

static void observe_requests(const struct in *in, const struct out *out, const struct state *s,
                             uint64_t *hits)
{
    const bool miss = in->acc_valid && in->acc_miss, joins = miss && out->acc_ready;
    const bool counts = in->coal_nreq > COH_MAX || COUNT_COHERENT;
    const bool going = s->step != step_MATCH;
    hits[ALL_AT_ONCE] += in->lk_valid && in->age_tick && in->coal_valid && miss && out->age_ready;
    hits[MISS_AND_ITS_OCCURRENCE] += in->coal_valid && counts && out->coal_ready && joins &&
                                     in->acc_pc == in->coal_pc;
    hits[MISS_JOINS] += joins && s->run > 0;
    hits[MISS_OF_ANOTHER] += miss && !joins && s->run > 0 && in->acc_pc != s->run_pc;
    hits[MISS_BEHIND_OCCURRENCE] += miss && !joins && in->coal_valid && !out->coal_ready;
    hits[MISS_BEHIND_AGEING] += miss && !joins && in->age_tick && !out->age_ready;
    hits[RUN_FULL] += miss && !joins && s->run == 63;
    hits[RUN_GOES_AND_JOINS] += joins && !going && s->run > 0;
    hits[COHERENT_BESIDE] += in->coal_valid && !counts && out->coal_ready && going;
    hits[HIT_BESIDE] += in->acc_valid && !in->acc_miss && out->acc_ready && going;
}

static void observe_operation(const struct in *in, const struct out *out, const struct state *s,
                              uint64_t *hits)
{
    hits[START_IN_READ] += in->kernel_start && s->step == step_READ;
    hits[START_IN_COUNT] += in->kernel_start && s->step == step_COUNT && s->op == op_OCCUR;
    hits[START_IN_WRITE] += in->kernel_start && s->step == step_WRITE && s->known;
    const bool misses = s->op == op_MISSES;
    hits[MISSES_BEYOND] += misses && s->step == step_WRITE && s->known && s->the_miss > s->the_acc;
    hits[MISSES_OF_UNKNOWN] += misses && s->step == step_WRITE && !s->known;
    hits[AGED_AWAY] += s->op == op_AGE && s->step == step_WRITE && s->known && s->the_inst == 0 &&
                       AGE_FREES;
    hits[KNOWN_COHERENT] += in->coal_valid && out->coal_ready && in->coal_nreq <= COH_MAX &&
                            find(s, in->coal_pc) < ENTRIES;
    hits[FULL_NEW] += s->step == step_COUNT && s->op == op_OCCUR && !s->known && s->full;
    const bool taken = s->step == step_READ;
    hits[COAL_NEAR_KNOWN] += taken && s->op == op_OCCUR && near_known(s, s->load);
    hits[MISS_NEAR_KNOWN] += taken && misses && near_known(s, s->load);
    hits[LK_NEAR_KNOWN] += taken && s->op == op_LOOK_UP && near_known(s, s->load);
}

static void observe(const uint64_t *in, const uint64_t *out, const void *state, uint64_t *hits)
{
    observe_requests((const struct in *)in, (const struct out *)out, state, hits);
    observe_operation((const struct in *)in, (const struct out *)out, state, hits);
}

STIMULUS(150000, drive, observe, BIN("look-up, ageing, occurrence and miss at once"),
         BIN("occurrence and miss of one load"), BIN("a miss joins a run"),
         BIN("a miss of another load than the run's waits"), BIN("a miss waits for an occurrence"),
         BIN("a miss waits for an ageing"), BIN_IF(ENTRIES >= 32, "the run is full"),
         BIN("a miss joins as the run goes"),
         BIN_IF(!COUNT_COHERENT, "a coherent occurrence beside an operation"),
         BIN("a hit beside an operation"), BIN("kernel launch in READ"),
         BIN("kernel launch in COUNT of an occurrence"), BIN("kernel launch in WRITE"),
         BIN("misses beyond the accesses"), BIN("misses of a load that is unknown"),
         BIN_IF(AGE_FREES, "ageing frees an entry"), BIN("coherent occurrence of a known load"),
         BIN("new load and no free entry"), BIN("new load whose highest bit alone is new"),
         BIN("misses of a load whose highest bit alone is unknown"),
         BIN("look-up of a load whose highest bit alone is unknown"))
#endif
