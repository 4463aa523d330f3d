/* bypass_cache.c - a cache that asks about each line that comes (lakshminarayana2014 3.5, 3.5.7): what
 * happens to its lines, the decision, and that it stands until the line has come or passed. */
#include <stdio.h>

#include "mechanisms/graph/bypass.h"

static bool is_decided_on(const struct access_info *access)
{
    return access->kind == ACCESS_LOAD && !access->local && !access->past_l1d;
}

static void look_up(struct bypass_cache *c, uint32_t set, int way, uint64_t block)
{
    if (c->rules->access != NULL) {
        c->rules->access(c, set, way, block);
    }
}

/* ---- the policy around ---- */

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct bypass_cache *c = self;
    c->inner.touch(c->inner.self, set, way, access);
    if (is_decided_on(access)) {
        c->touched = true;
        look_up(c, set, (int)way, access->block);
    }
}

static bool decide(struct bypass_cache *c, uint32_t set, uint32_t way,
                   const struct access_info *access)
{
    c->decided++;
    c->pending = (struct bypass_pending){
        .is_there = true,
        .looked_up = c->is_l2,
        .block = access->block,
        .way = way,
        .byp = c->rules->decide(c, set, way, access, c->leaving.block)};
    return c->pending.byp;
}

/* The L2 decides as a fetch begins, which may be tried several times: the first answer stands.  A
 * read that joins a fetch gets a line only if the first one was not bypassed (D-BYP-1). */
static bool passes_l2(struct bypass_cache *c, uint32_t set, uint32_t way,
                      const struct access_info *access)
{
    const int at = mshr_find(c->mshrs, access->block);
    if (at >= 0) {
        return c->passed[at] == access->block;
    }
    if (c->pending.is_there && c->pending.block == access->block) {
        return c->pending.byp;
    }
    look_up(c, set, -1, access->block);
    return decide(c, set, way, access);
}

static bool is_settled(const struct bypass_fetch *fetch, const struct access_info *access)
{
    return fetch->block == access->block && fetch->cycle == access->cycle;
}

/* The L1D decides as a block comes, once: sectors that follow go the same way (D-BYP-4). */
static bool passes_l1(struct bypass_cache *c, uint32_t set, uint32_t way, uint32_t at,
                      const struct access_info *access)
{
    struct bypass_fetch *fetch = &c->fetch[at];
    if (!is_settled(fetch, access)) {
        *fetch = (struct bypass_fetch){
            .block = access->block, .cycle = access->cycle, .passes = decide(c, set, way, access)};
        c->bypassed += fetch->passes;
    }
    c->pending.is_there = c->pending.is_there && !fetch->passes;
    return fetch->passes;
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct bypass_cache *c = self;
    const int way = c->inner.victim(c->inner.self, set, invalid, replaceable, access);
    const int at = c->is_l2 ? 0 : mshr_find(c->mshrs, access->block);
    c->leaving = (struct bypass_victim){.block = CACHE_NO_TAG, .set = set, .way = way};
    if (way < 0 || invalid >> way & 1) {
        return way;
    }
    c->leaving.block = cache_tag(c->cache, set, (uint32_t)way);
    if (at < 0 || !is_decided_on(access)) {
        return way;
    }
    return (c->is_l2 ? passes_l2(c, set, (uint32_t)way, access)
                     : passes_l1(c, set, (uint32_t)way, (uint32_t)at, access))
               ? POLICY_BYPASS
               : way;
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct bypass_cache *c = self;
    const bool decided = c->pending.is_there && c->pending.block == access->block;
    const bool known = c->leaving.set == set && c->leaving.way == (int)way;
    c->inner.insert(c->inner.self, set, way, access);
    c->inserted++;
    if (c->rules->inserted != NULL) {
        c->rules->inserted(c, set, way, access, decided && c->pending.way == way,
                           known ? c->leaving.block : CACHE_NO_TAG);
    }
    if (decided && !c->is_l2) {
        c->pending.is_there = false;
    }
    c->leaving.way = -1;
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct bypass_cache *c = self;
    if (c->inner.invalidate != NULL) {
        c->inner.invalidate(c->inner.self, set, way);
    }
    if (c->rules->dropped != NULL) {
        c->rules->dropped(c, set, way);
    }
}

static void kernel_start(void *self)
{
    struct bypass_cache *c = self;
    if (c->inner.kernel_start != NULL) {
        c->inner.kernel_start(c->inner.self);
    }
    if (c->emptied && c->rules->emptied != NULL) {
        c->rules->emptied(c);
    }
}

/* ---- what accesses came to ---- */

/* The way of a line that has some of the block, though not what the access needs, or -1. */
static int partly(const struct bypass_cache *c, uint32_t set, uint64_t block)
{
    const int way = cache_find(c->cache, set, block);
    const struct cache_line *line = way < 0 ? NULL : cache_line(c->cache, set, (uint32_t)way);
    return line != NULL && (line->valid[0] | line->valid[1]) != 0 ? way : -1;
}

/* Sectors that a line lacks are fetched into it; nothing is decided, should it leave meanwhile. */
static void settle_l1(struct bypass_cache *c, const struct access_info *access)
{
    const int at = mshr_find(c->mshrs, access->block);
    if (at >= 0 && c->mshrs->entry[at].first.cycle == access->cycle) {
        c->fetch[at] = (struct bypass_fetch){.block = access->block, .cycle = access->cycle};
    }
}

static void settle_l2(struct bypass_cache *c, const struct access_info *access,
                      enum access_result result)
{
    const int at = mshr_find(c->mshrs, access->block);
    const bool ours = c->pending.is_there && c->pending.block == access->block;
    const bool passes = result == RESULT_BYPASS && ours && c->pending.byp;
    if (at >= 0) {
        c->passed[at] = passes ? access->block : CACHE_NO_TAG;
    }
    c->bypassed += passes;
    c->pending.is_there = c->pending.is_there && !ours;
}

static void acc_result(void *self, uint32_t owner, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct bypass_cache *c = self;
    const bool touched = c->touched; /* a line that has some of what the access waits for */
    (void)owner;
    c->touched = false;
    if (!touched && result == RESULT_HIT_RESERVED && is_decided_on(access) &&
        c->rules->merged != NULL) {
        c->rules->merged(c, access->block);
    }
    if (result != RESULT_MISS && result != RESULT_BYPASS) {
        return;
    }
    const bool looked_up = c->pending.is_there && c->pending.block == access->block &&
                           c->pending.looked_up;
    const int way = partly(c, set, access->block);
    if (is_decided_on(access) && !looked_up && !touched) {
        look_up(c, set, way, access->block);
    }
    if (c->is_l2) {
        settle_l2(c, access, result);
    } else if (way >= 0) {
        settle_l1(c, access);
    }
}

/* ---- attaching ---- */

static struct policy_socket policy_of(struct bypass_cache *c)
{
    return (struct policy_socket){.self = c,
                                  .touch = touch,
                                  .victim = victim,
                                  .insert = insert,
                                  .invalidate = invalidate,
                                  .kernel_start = kernel_start,
                                  .knows_kept = true};
}

static int open_rules(struct mechanism_context *context, struct bypass_cache *c, const char *where)
{
    const size_t lines = (size_t)c->cache->sets * c->cache->ways;
    c->rules = bypass_rules((enum bypass_policy)mechanism_value(context, "policy"));
    c->check = mechanism_value(context, "check") != 0;
    c->leaving.way = -1;
    c->sig = mechanism_keep(context, lines);
    return c->sig == NULL ? -1 : c->rules->open(context, c, where);
}

int bypass_at_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct bypass_cache *c = instance;
    const struct policy_socket policy = policy_of(c);
    const struct observer observer = {.self = c, .acc_result = acc_result};
    char where[48];
    snprintf(where, sizeof where, "sm%u.l1d.bypass", core_id(core));
    c->emptied = core_config(core)->l1d_at_launch == AT_LAUNCH_EMPTIED;
    c->cache = core_l1d(core);
    c->mshrs = core_mshrs(core);
    c->fetch = mechanism_keep(context, c->mshrs->n * sizeof *c->fetch);
    if (c->fetch == NULL) {
        return -1;
    }
    for (uint32_t at = 0; at < c->mshrs->n; at++) {
        c->fetch[at].block = CACHE_NO_TAG;
    }
    return open_rules(context, c, where) != 0 ||
                   plug_around_policy(core, &context->plug, &policy, &c->inner) != 0
               ? -1
               : plug_observer(core, &context->plug, &observer);
}

int bypass_at_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct bypass_cache *c = instance;
    const struct policy_socket policy = policy_of(c);
    const struct observer observer = {.self = c, .acc_result = acc_result};
    char where[48];
    snprintf(where, sizeof where, "bank%u.bypass", bank_id(bank));
    c->is_l2 = true;
    c->cache = bank_cache(bank);
    c->mshrs = bank_mshrs(bank);
    c->passed = mechanism_keep(context, c->mshrs->n * sizeof *c->passed);
    if (c->passed == NULL) {
        return -1;
    }
    for (uint32_t at = 0; at < c->mshrs->n; at++) {
        c->passed[at] = CACHE_NO_TAG;
    }
    if (open_rules(context, c, where) != 0) {
        return -1;
    }
    plug_around_bank_policy(bank, &policy, &c->inner);
    return plug_bank_observer(bank, &context->plug, &observer);
}
