/* sectors.c - sectors at an L1D or an L2 bank: what a miss fetches, what is there, what was read, what
 * a line that leaves teaches the predictor (lakshminarayana2014 3.6.1, 3.6.7; sect_tag). */
#include "mechanisms/graph/sectors.h"

#include <stdio.h>

static uint32_t number(const struct sectors *s, uint32_t set, uint32_t way)
{
    return set * s->ways + way;
}

/* ---- what the cache asks and says ---- */

/* The answer of sect_tag to a request. */
static void look_up(struct sectors *s, uint32_t set, int way, uint8_t need)
{
    *s->at.lk_valid = 1;
    *s->at.lk_present = way >= 0;
    *s->at.lk_line = way < 0 ? 0 : number(s, set, (uint32_t)way);
    *s->at.lk_need = need;
    pins_seq(&s->tag);
    *s->at.lk_valid = 0;
    pins_comb(&s->tag);
}

static uint8_t choose(void *self, const struct access_info *access, uint8_t needed, uint32_t set,
                      int way, uint8_t there, uint8_t *note)
{
    struct sectors *s = self;
    const uint8_t missing = needed & (uint8_t)~there;
    look_up(s, set, way, needed);
    s->differences += *s->at.miss_mask != missing || *s->at.blk_miss != (way < 0);
    s->needed += (uint64_t)__builtin_popcount(missing);
    if (way >= 0) {
        s->sector_misses++;
        return s->policy == SECTORS_COARSE ? (1u << SECTORS) - 1 : 0;
    }
    s->block_misses++;
    if (access->kind != ACCESS_LOAD) {
        return s->policy == SECTORS_COARSE ? (1u << SECTORS) - 1 : 0;
    }
    const uint8_t mask = predict(s, access, needed, note);
    s->added += (uint64_t)__builtin_popcount(mask & (uint8_t)~needed);
    return mask;
}

static void filled(void *self, uint32_t set, uint32_t way, uint8_t there)
{
    struct sectors *s = self;
    *s->at.fill_valid = 1;
    *s->at.fill_new = 0;
    *s->at.fill_line = number(s, set, way);
    *s->at.fill_mask = there;
    pins_seq(&s->tag);
    *s->at.fill_valid = 0;
}

static void was_read(void *self, uint32_t set, uint32_t way, uint8_t taken)
{
    struct sectors *s = self;
    if (taken == 0) {
        return; /* it left before it was read */
    }
    *s->at.read_valid = 1;
    *s->at.read_line = number(s, set, way);
    *s->at.read_mask = taken;
    look_up(s, set, (int)way, taken);
    *s->at.read_valid = 0;
    s->differences += !*s->at.hit;
}

/* ---- the policy around: which line gets which block ---- */

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct sectors *s = self;
    const bool own = s->line[number(s, set, way)].sm == access->sm;
    s->inner.touch(s->inner.self, set, way, access);
    if (access->kind == ACCESS_LOAD) {
        ++*(own ? &s->private_hits : &s->shared_hits);
    }
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    const struct sectors *s = self;
    return s->inner.victim(s->inner.self, set, invalid, replaceable, access);
}

/* What was in the line leaves; sectors of the block are still to come. */
static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct sectors *s = self;
    struct sectors_line *line = &s->line[number(s, set, way)];
    s->inner.insert(s->inner.self, set, way, access);
    *s->at.fill_valid = *s->at.fill_new = 1;
    *s->at.fill_line = number(s, set, way);
    *s->at.fill_mask = 0;
    pins_comb(&s->tag);
    if (*s->at.evict_valid && line->trains) {
        const uint8_t used = (uint8_t)*s->at.evict_used;
        s->evicted[__builtin_popcount(used)]++;
        s->unused += (uint64_t)__builtin_popcountll(*s->at.evict_unused);
        predict_train(s, line, used);
    }
    pins_seq(&s->tag);
    *s->at.fill_valid = 0;
    s->insertions++;
    *line = (struct sectors_line){
        .block = access->block,
        .sm = access->sm,
        .note = access->note,
        .first = (uint8_t)(access->sectors ? __builtin_ctz(access->sectors) : 0),
        .trains = access->kind == ACCESS_LOAD && !access->local};
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct sectors *s = self;
    if (s->inner.invalidate != NULL) {
        s->inner.invalidate(s->inner.self, set, way);
    }
    *s->at.inv_valid = 1;
    *s->at.inv_line = number(s, set, way);
    pins_seq(&s->tag);
    *s->at.inv_valid = 0;
}

static void kernel_start(void *self)
{
    struct sectors *s = self;
    if (s->inner.kernel_start != NULL) {
        s->inner.kernel_start(s->inner.self);
    }
    if (s->emptied) {
        *s->at.flush = 1;
        pins_seq(&s->tag);
        *s->at.flush = 0;
    }
}

/* ---- attaching ---- */

static int open_tag(struct mechanism_context *context, struct sectors *s, uint32_t lines)
{
    const struct pin_name ports[] = {{&s->at.flush, "flush"},
                                     {&s->at.lk_valid, "lk_valid"},
                                     {&s->at.lk_present, "lk_present"},
                                     {&s->at.lk_line, "lk_line"},
                                     {&s->at.lk_need, "lk_need"},
                                     {&s->at.inv_valid, "inv_valid"},
                                     {&s->at.inv_line, "inv_line"},
                                     {&s->at.fill_valid, "fill_valid"},
                                     {&s->at.fill_new, "fill_new"},
                                     {&s->at.fill_line, "fill_line"},
                                     {&s->at.fill_mask, "fill_mask"},
                                     {&s->at.read_valid, "read_valid"},
                                     {&s->at.read_line, "read_line"},
                                     {&s->at.read_mask, "read_mask"},
                                     {&s->at.hit, "hit"},
                                     {&s->at.blk_miss, "blk_miss"},
                                     {&s->at.miss_mask, "miss_mask"},
                                     {&s->at.evict_valid, "evict_valid"},
                                     {&s->at.evict_used, "evict_used"},
                                     {&s->at.evict_unused, "evict_unused"}};
    char where[48], overrides[32];
    snprintf(where, sizeof where, "%s.sectors", s->level);
    snprintf(overrides, sizeof overrides, "LINES=%u", lines);
    return pins_open(context, &s->tag, "sect_tag", overrides, where) != 0
               ? -1
               : pins_all(context, &s->tag, PINS(ports));
}

/* Its own predictor only at the levels that have one. */
static enum sectors_policy policy_at(const struct mechanism_context *context, bool l1)
{
    enum { LEVEL_L1, LEVEL_L2 };
    const enum sectors_policy policy = (enum sectors_policy)mechanism_value(context, "policy");
    const int64_t not_here = l1 ? LEVEL_L2 : LEVEL_L1;
    return policy > SECTORS_PLAIN && mechanism_value(context, "level") == not_here ? SECTORS_PLAIN
                                                                                   : policy;
}

static int open_units(struct mechanism_context *context, struct sectors *s, bool l1, uint32_t of,
                      const struct cache *cache)
{
    char *level = mechanism_keep(context, 16);
    if (level == NULL) {
        return -1;
    }
    snprintf(level, 16, l1 ? "sm%u.l1d" : "bank%u", of);
    s->level = level;
    s->at_l1 = l1;
    s->ways = cache->ways;
    s->policy = policy_at(context, l1);
    s->line = mechanism_keep(context, (size_t)cache->sets * cache->ways * sizeof *s->line);
    return s->line == NULL || open_tag(context, s, cache->sets * cache->ways) != 0
               ? -1
               : predict_open(context, s);
}

static struct policy_socket policy_of(struct sectors *s)
{
    return (struct policy_socket){.self = s,
                                  .touch = touch,
                                  .victim = victim,
                                  .insert = insert,
                                  .invalidate = invalidate,
                                  .kernel_start = kernel_start,
                                  .knows_kept = true};
}

static struct granularity_socket granularity_of(struct sectors *s)
{
    return (struct granularity_socket){
        .self = s, .sectors = choose, .filled = filled, .read = was_read};
}

int sectors_at_core(struct mechanism_context *context, struct core *core, void *sectors)
{
    struct sectors *s = sectors;
    const struct policy_socket policy = policy_of(s);
    const struct granularity_socket granularity = granularity_of(s);
    s->emptied = core_config(core)->l1d_at_launch == AT_LAUNCH_EMPTIED;
    if (open_units(context, s, true, core_id(core), core_l1d(core)) != 0 ||
        plug_around_policy(core, &context->plug, &policy, &s->inner) != 0) {
        return -1;
    }
    return plug_granularity(core, &context->plug, &granularity);
}

int sectors_at_bank(struct mechanism_context *context, struct bank *bank, void *sectors)
{
    struct sectors *s = sectors;
    const struct policy_socket policy = policy_of(s);
    const struct granularity_socket granularity = granularity_of(s);
    if (open_units(context, s, false, bank_id(bank), bank_cache(bank)) != 0) {
        return -1;
    }
    plug_around_bank_policy(bank, &policy, &s->inner);
    return plug_bank_granularity(bank, &context->plug, &granularity);
}
