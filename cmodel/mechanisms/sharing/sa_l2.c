/* sa_l2.c - sharing-aware management at an L2 bank: ownerId and SF of its lines, the bit in its
 * answers, the way that a miss takes (tabbakh2018 3.2.3; sa_l2_track, sa_l2_victim).
 *
 * SF is checked against the SMs that asked for the line since it came: the two differ only where
 * the parameters say that some do not count. */
#include <stdio.h>

#include "mechanisms/sharing/lru_ranks.h"
#include "mechanisms/sharing/sa_mgt.h"

enum tracked { TRACK_HIT, TRACK_MISS, TRACK_ANSWER };

/* The unit looks at a request of the line; the line's bits change as it says.  Its answer. */
static bool track(struct sa_l2 *l2, struct sa_l2_line *line, uint16_t sm, bool store, bool local,
                  enum tracked what)
{
    *l2->req_valid = 1;
    *l2->req_sm = sm;
    *l2->req_store = store;
    *l2->req_local = local;
    *l2->req_answer = what == TRACK_ANSWER;
    *l2->hit = what != TRACK_MISS;
    *l2->miss_alloc = what == TRACK_MISS;
    *l2->owner = line->owner;
    *l2->sf = line->shared;
    pins_comb(&l2->track);
    l2->shared_lines += *l2->becomes_shared;
    if (*l2->we) {
        line->owner = (uint8_t)*l2->owner_next;
        line->shared = *l2->sf_next;
    }
    return *l2->resp_sf;
}

static bool is_store(uint8_t kind)
{
    return kind == ACCESS_STORE || kind == ACCESS_ATOMIC;
}

/* Who asked is remembered beside the unit, and must say the same. */
static void check(struct sa_l2 *l2, struct sa_l2_line *line, const struct access_info *access)
{
    const bool counts = (!is_store(access->kind) || l2->stores_share) &&
                        (!access->local || l2->local_shares);
    line->askers |= counts ? UINT64_C(1) << access->sm : 0;
    l2->differences += line->shared != ((line->askers & (line->askers - 1)) != 0);
}

static void wait(struct sa_l2_line *line, const struct access_info *access)
{
    if (!access->local && line->n_waiting < 64) {
        line->waiting |= (uint64_t)line->shared << line->n_waiting++;
    }
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct sa_l2 *l2 = self;
    struct sa_l2_line *line = &l2->line[set * l2->ways + way];
    lru_ranks_touch(&l2->rank[set * l2->ways], l2->ways, way);
    track(l2, line, access->sm, is_store(access->kind), access->local, TRACK_HIT);
    check(l2, line, access);
}

/* A request that waits for a line which is on its way. */
static void acc_result(void *self, uint32_t bank, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct sa_l2 *l2 = self;
    const int way = cache_find(bank_cache(l2->bank), set, access->block);
    (void)bank;
    if (result == RESULT_HIT_RESERVED && way >= 0) {
        struct sa_l2_line *line = &l2->line[set * l2->ways + (uint32_t)way];
        track(l2, line, access->sm, is_store(access->kind), access->local, TRACK_HIT);
        check(l2, line, access);
        wait(line, access);
    }
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct sa_l2 *l2 = self;
    const uint32_t all = (UINT32_C(1) << l2->ways) - 1,
                   waiting = bank_cache(l2->bank)->reserved[set];
    if (access->local && access->kind == ACCESS_LOAD) {
        return POLICY_BYPASS; /* private by definition: its place is the L1D */
    }
    *l2->valid = all & ~invalid & ~waiting;
    *l2->reserved = waiting;
    *l2->held = *l2->valid & ~replaceable;
    *l2->cls = 0;
    for (uint32_t way = 0; way < l2->ways; way++) {
        *l2->cls |= (uint64_t)l2->line[set * l2->ways + way].shared << way;
        l2->lru_rank[way] = l2->rank[set * l2->ways + way];
    }
    pins_comb(&l2->victim);
    return *l2->victim_ok ? (int)*l2->out_victim : POLICY_NONE;
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct sa_l2 *l2 = self;
    struct sa_l2_line *line = &l2->line[set * l2->ways + way];
    l2->shared_replaced += line->shared;
    *line = (struct sa_l2_line){.owner = (uint8_t)access->sm};
    lru_ranks_touch(&l2->rank[set * l2->ways], l2->ways, way);
    track(l2, line, access->sm, is_store(access->kind), access->local, TRACK_MISS);
    line->askers = UINT64_C(1) << access->sm;
    wait(line, access);
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct sa_l2 *l2 = self;
    l2->line[set * l2->ways + way] = (struct sa_l2_line){.shared = false};
}

/* The answer leaves with its bit. */
static void performed(void *self, const struct request *request, struct reply *reply,
                      struct cache_line *copy, uint64_t cycle)
{
    struct sa_l2 *l2 = self;
    const struct cache *cache = bank_cache(l2->bank);
    const bool store = request->packet.type == MSG_WRITE || request->packet.type == MSG_ATOMIC;
    const size_t number = (size_t)(copy - cache->line);
    (void)cycle;
    if (copy < cache->line || number >= (size_t)cache->sets * cache->ways) {
        reply->proto[0] = 0; /* it passes the L2 without a line */
        return;
    }
    struct sa_l2_line *line = &l2->line[number];
    bool shared = track(l2, line, request->packet.source, store, false, TRACK_ANSWER);
    if (line->n_waiting > 0) {
        shared = l2->answer == SA_ANSWER_ASKED ? line->waiting & 1 : shared;
        line->waiting >>= 1;
        line->n_waiting--;
    }
    reply->proto[0] = shared;
    ++*(shared ? &l2->shared_answers : &l2->private_answers);
    /* Of a line that no other SM has asked for, only the owner can have asked. */
    l2->differences += !shared && l2->answer == SA_ANSWER_NOW && !store &&
                       request->packet.source != line->owner;
}

static int open_units(struct mechanism_context *context, struct sa_l2 *l2)
{
    const struct pin_name track_in[] = {{&l2->req_valid, "req_valid"},
                                        {&l2->req_sm, "req_sm"},
                                        {&l2->req_store, "req_store"},
                                        {&l2->req_local, "req_local"},
                                        {&l2->req_answer, "req_answer"},
                                        {&l2->hit, "hit"},
                                        {&l2->miss_alloc, "miss_alloc"},
                                        {&l2->owner, "owner"},
                                        {&l2->sf, "sf"}};
    const struct pin_name track_out[] = {{&l2->we, "we"},
                                         {&l2->owner_next, "owner_next"},
                                         {&l2->sf_next, "sf_next"},
                                         {&l2->resp_sf, "resp_sf"},
                                         {&l2->becomes_shared, "becomes_shared"}};
    const struct pin_name in[] = {{&l2->valid, "valid"},
                                  {&l2->reserved, "reserved"},
                                  {&l2->held, "held"},
                                  {&l2->cls, "cls"},
                                  {&l2->lru_rank, "lru_rank"}};
    const struct pin_name out[] = {{&l2->out_victim, "victim"},
                                   {&l2->victim_ok, "victim_ok"},
                                   {&l2->takes_shared, "takes_shared"}};
    const uint32_t sms = machine_cores(context->machine);
    char where[48], overrides[16];
    snprintf(where, sizeof where, "bank%u.track", bank_id(l2->bank));
    snprintf(overrides, sizeof overrides, "SM_W=%d", sms < 3 ? 1 : 32 - __builtin_clz(sms - 1));
    if (pins_open(context, &l2->track, "sa_l2_track", overrides, where) != 0 ||
        pins_wire(context, &l2->track, PINS(track_in), PINS(track_out)) != 0) {
        return -1;
    }
    l2->stores_share = pins_parameter(&l2->track, "STORE_SHARES");
    l2->local_shares = pins_parameter(&l2->track, "LOCAL_SHARES");
    snprintf(where, sizeof where, "bank%u.victim", bank_id(l2->bank));
    snprintf(overrides, sizeof overrides, "WAYS=%u", l2->ways);
    return pins_open(context, &l2->victim, "sa_l2_victim", overrides, where) != 0
               ? -1
               : pins_wire(context, &l2->victim, PINS(in), PINS(out));
}

int sa_l2_attach(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct sa_l2 *l2 = instance;
    const struct cache *cache = bank_cache(bank);
    const size_t lines = (size_t)cache->sets * cache->ways;
    const struct policy_socket policy = {
        .self = l2, .touch = touch, .victim = victim, .insert = insert, .invalidate = invalidate};
    const struct coherence_l2_socket answers = {.self = l2, .performed = performed};
    const struct observer observer = {.self = l2, .acc_result = acc_result};
    l2->bank = bank;
    l2->ways = cache->ways;
    l2->answer = (enum sa_answer)mechanism_value(context, "answer");
    l2->line = mechanism_keep(context, lines * sizeof *l2->line);
    l2->rank = mechanism_keep(context, lines);
    if (l2->line == NULL || l2->rank == NULL || open_units(context, l2) != 0) {
        return -1;
    }
    lru_ranks_reset(l2->rank, cache->sets, cache->ways);
    if (plug_bank_policy(bank, &context->plug, &policy, NULL) != 0 ||
        plug_bank_observer(bank, &context->plug, &observer) != 0) {
        return -1;
    }
    return plug_bank_coherence(bank, &context->plug, &answers);
}
