/* rpd.c - see rpd.h.
 *
 * The unit is stepped when its event occurs: a fill, an invalidation, an accepted access.  The machine
 * serves a reply before the access of the same cycle, as the unit does.  A bypassed load needs no MSHR
 * entry here, but waits while there is none (3.13.3); two of one block are two requests.
 * Limit: allocate-on-miss only. */
#include "mechanisms/iacm/rpd.h"

#include <stdio.h>

#include "mechanisms/sharing/lru_ranks.h"

enum { INVALID, RESERVED, VALID, DOOMED };

/* The set as the access of now finds it; nothing has hit. */
static void show(struct rpd *rpd, uint32_t set)
{
    const struct cache *cache = core_l1d(rpd->core);
    *rpd->req_valid = 1;
    *rpd->req_set = set;
    *rpd->hit = *rpd->hit_rsv = *rpd->hit_pend = 0;
    for (uint32_t way = 0; way < rpd->ways; way++) {
        const struct cache_line *line = cache_line(cache, set, way);
        rpd->line_state[way] = line->state == LINE_VALID      ? VALID
                               : line->state == LINE_RESERVED ? (line->doomed ? DOOMED : RESERVED)
                                                              : INVALID;
        rpd->lru_rank[way] = rpd->rank[set * rpd->ways + way];
    }
}

/* An edge; the inputs that are pulses fall. */
static void edge(struct rpd *rpd)
{
    pins_comb(&rpd->unit);
    pins_seq(&rpd->unit);
    *rpd->req_valid = *rpd->req_accept = *rpd->fill_valid = *rpd->inv_valid = 0;
    *rpd->hit = *rpd->hit_rsv = *rpd->hit_pend = 0;
}

static bool is_reserved(const struct rpd *rpd, uint32_t way)
{
    return rpd->line_state[way] == RESERVED || rpd->line_state[way] == DOOMED;
}

/* ---- the policy socket ---- */

/* Lines that a protocol keeps count as reserved: they cannot be given away either. */
static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct rpd *rpd = self;
    const struct mshr_file *mshrs = core_mshrs(rpd->core);
    (void)invalid;
    show(rpd, set);
    for (uint32_t way = 0; way < rpd->ways; way++) {
        if (rpd->line_state[way] == VALID && !(replaceable >> way & 1)) {
            rpd->line_state[way] = RESERVED;
        }
    }
    pins_comb(&rpd->unit);
    *rpd->req_valid = 0; /* a probe alone, until it is accepted */
    if (*rpd->victim_valid) {
        return (int)*rpd->victim_way;
    }
    return access->kind == ACCESS_LOAD && !mshr_full(mshrs) ? POLICY_BYPASS : POLICY_NONE;
}

static void accept(struct rpd *rpd)
{
    *rpd->req_valid = *rpd->req_accept = 1;
    edge(rpd);
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct rpd *rpd = self;
    (void)access;
    accept(rpd); /* the probe of victim() */
    lru_ranks_touch(&rpd->rank[set * rpd->ways], rpd->ways, way);
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct rpd *rpd = self;
    (void)access;
    show(rpd, set);
    *rpd->hit = rpd->line_state[way] == VALID;
    *rpd->hit_rsv = is_reserved(rpd, way);
    *rpd->hit_way = way;
    accept(rpd);
    lru_ranks_touch(&rpd->rank[set * rpd->ways], rpd->ways, way);
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct rpd *rpd = self;
    *rpd->inv_valid = 1;
    *rpd->inv_set = set;
    *rpd->inv_mask = UINT64_C(1) << way;
    edge(rpd);
}

/* The L1D is empty. */
static void kernel_start(void *self)
{
    struct rpd *rpd = self;
    rpd->unit.backend->seq(rpd->unit.instance, rpd->unit.in, true);
}

/* ---- what the policy is not told ---- */

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct rpd *rpd = self;
    (void)sm;
    if (result == RESULT_BYPASS && !access->past_l1d) {
        bool all = true;
        for (uint32_t way = 0; way < rpd->ways; way++) {
            all &= is_reserved(rpd, way);
        }
        ++*(all ? &rpd->bypasses_reserved : &rpd->bypasses_protected);
        accept(rpd); /* the probe of victim() */
    } else if (result == RESULT_HIT_RESERVED &&
               cache_find(core_l1d(rpd->core), set, access->block) < 0) {
        show(rpd, set); /* it joined a request whose line is doomed */
        *rpd->hit_pend = 1;
        accept(rpd);
    }
}

static void line_changed(void *self, uint32_t sm, uint32_t set, uint32_t way, enum line_event event,
                         bool dirty)
{
    struct rpd *rpd = self;
    (void)sm, (void)dirty;
    if (event == LINE_FILL) { /* one that does not stay is invalidated next */
        *rpd->fill_valid = 1;
        *rpd->fill_set = set;
        *rpd->fill_way = way;
        edge(rpd);
    }
}

/* ---- attaching ---- */

static int open_unit(struct mechanism_context *context, struct rpd *rpd)
{
    const struct pin_name in[] = {{&rpd->req_valid, "req_valid"}, {&rpd->req_accept, "req_accept"},
                                  {&rpd->req_set, "req_set"},     {&rpd->hit, "hit"},
                                  {&rpd->hit_rsv, "hit_rsv"},     {&rpd->hit_pend, "hit_pend"},
                                  {&rpd->hit_way, "hit_way"},     {&rpd->line_state, "line_state"},
                                  {&rpd->lru_rank, "lru_rank"},   {&rpd->fill_valid, "fill_valid"},
                                  {&rpd->fill_set, "fill_set"},   {&rpd->fill_way, "fill_way"},
                                  {&rpd->inv_valid, "inv_valid"}, {&rpd->inv_set, "inv_set"},
                                  {&rpd->inv_mask, "inv_mask"}};
    const struct pin_name out[] = {{&rpd->bypass, "bypass"},
                                   {&rpd->victim_valid, "victim_valid"},
                                   {&rpd->victim_way, "victim_way"}};
    const struct cache *cache = core_l1d(rpd->core);
    char where[48], overrides[32];
    snprintf(where, sizeof where, "sm%u.l1d.rpd", core_id(rpd->core));
    snprintf(overrides, sizeof overrides, "SETS=%u,WAYS=%u", cache->sets, cache->ways);
    return pins_open(context, &rpd->unit, "rpd_bypass", overrides, where) != 0
               ? -1
               : pins_wire(context, &rpd->unit, PINS(in), PINS(out));
}

int rpd_join(struct mechanism_context *context, struct core *core, struct rpd *rpd)
{
    const struct cache *cache = core_l1d(core);
    const struct policy_socket policy = {.self = rpd,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .invalidate = invalidate,
                                         .kernel_start = kernel_start};
    const struct observer observer = {.self = rpd, .acc_result = acc_result, .line = line_changed};
    rpd->core = core;
    rpd->ways = cache->ways;
    rpd->rank = mechanism_keep(context, (size_t)cache->sets * cache->ways);
    if (rpd->rank == NULL || open_unit(context, rpd) != 0 ||
        plug_policy(core, &context->plug, &policy) != 0) {
        return -1;
    }
    lru_ranks_reset(rpd->rank, cache->sets, cache->ways);
    return plug_observer(core, &context->plug, &observer);
}
