/* sa_l1.c - sharing-aware management at an L1D: PF and DBF of its lines, the way that a fill takes
 * (tabbakh2018 3.2.3, sa_l1_victim). */
#include <stdio.h>

#include "mechanisms/sharing/lru_ranks.h"
#include "mechanisms/sharing/sa_mgt.h"

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct sa_l1 *l1 = self;
    struct sa_l1_line *line = &l1->line[set * l1->ways + way];
    (void)access;
    lru_ranks_touch(&l1->rank[set * l1->ways], l1->ways, way);
    l1->reused += line->dead;
    line->dead = line->dead && !l1->hit_clears;
}

/* DBF, as the unit said when it chose. */
static void declare_dead(struct sa_l1 *l1, uint32_t set)
{
    for (uint32_t way = 0; way < l1->ways; way++) {
        l1->declared += l1->declares >> way & 1;
        l1->line[set * l1->ways + way].dead |= l1->declares >> way & 1;
    }
    l1->declares = 0;
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct sa_l1 *l1 = self;
    const uint32_t all = (UINT32_C(1) << l1->ways) - 1, waiting = core_l1d(l1->core)->reserved[set];
    *l1->valid = all & ~invalid & ~waiting;
    *l1->reserved = waiting;
    *l1->held = *l1->valid & ~replaceable;
    *l1->cls = *l1->dbf = 0;
    for (uint32_t way = 0; way < l1->ways; way++) {
        const struct sa_l1_line *line = &l1->line[set * l1->ways + way];
        *l1->cls |= (uint64_t)line->is_private << way;
        *l1->dbf |= (uint64_t)line->dead << way;
        l1->lru_rank[way] = l1->rank[set * l1->ways + way];
    }
    *l1->in_shared = access->answer & 1;
    if (l1->shared_pass && *l1->in_shared) {
        block_table_at(&l1->shared, access->block);
    }
    pins_comb(&l1->victim);
    l1->chosen_set = set;
    l1->declares = *l1->dbf_set;
    l1->bypasses += *l1->bypass;
    if (*l1->bypass) { /* then nothing is inserted */
        declare_dead(l1, set);
    }
    return *l1->victim_ok ? (int)*l1->out_victim : *l1->bypass ? POLICY_BYPASS : POLICY_NONE;
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct sa_l1 *l1 = self;
    struct sa_l1_line *line = &l1->line[set * l1->ways];
    const bool shared = access->answer & 1;
    if (set == l1->chosen_set) {
        declare_dead(l1, set);
    }
    l1->declares = 0;
    /* P1: private data gives way to private, or (D-S7) is dead. */
    l1->differences += shared && line[way].is_private && !(l1->dead_to_shared && line[way].dead);
    l1->dead_replaced += line[way].dead;
    line[way] = (struct sa_l1_line){.is_private = !shared};
    ++*(shared ? &l1->shared_fills : &l1->private_fills);
    lru_ranks_touch(&l1->rank[set * l1->ways], l1->ways, way);
}

/* The other reading of D-S2: neither a line nor an MSHR entry.  What is shared is known of blocks
 * that came before. */
static bool passes(void *self, const struct access_info *access)
{
    const struct sa_l1 *l1 = self;
    return block_table_find(&l1->shared, access->block) != NULL;
}

/* An invalid way is of neither class. */
static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct sa_l1 *l1 = self;
    l1->line[set * l1->ways + way] = (struct sa_l1_line){.is_private = false};
}

static void kernel_start(void *self)
{
    struct sa_l1 *l1 = self;
    const struct cache *cache = core_l1d(l1->core);
    memset(l1->line, 0, (size_t)cache->sets * cache->ways * sizeof *l1->line);
    block_table_free(&l1->shared);
    block_table_init(&l1->shared, 1);
}

static void release(void *self)
{
    struct sa_l1 *l1 = self;
    block_table_free(&l1->shared);
}

/* D-S2, as the option says. */
static int open_passing(struct mechanism_context *context, struct sa_l1 *l1, struct core *core)
{
    const struct filter_socket socket = {.self = l1, .passes = passes};
    l1->shared_pass = mechanism_value(context, "mshr") == 0;
    block_table_init(&l1->shared, 1);
    if (!l1->shared_pass) {
        return 0;
    }
    return mechanism_at_end(context, release, l1) != 0 ? -1
                                                       : plug_filter(core, &context->plug, &socket);
}

static int open_unit(struct mechanism_context *context, struct sa_l1 *l1)
{
    const struct pin_name in[] = {{&l1->valid, "valid"},
                                  {&l1->reserved, "reserved"},
                                  {&l1->held, "held"},
                                  {&l1->cls, "cls"},
                                  {&l1->dbf, "dbf"},
                                  {&l1->lru_rank, "lru_rank"},
                                  {&l1->in_shared, "in_shared"}};
    const struct pin_name out[] = {{&l1->out_victim, "victim"},
                                   {&l1->victim_ok, "victim_ok"},
                                   {&l1->bypass, "bypass"},
                                   {&l1->dbf_set, "dbf_set"}};
    char where[48], overrides[16];
    snprintf(where, sizeof where, "sm%u.l1d.victim", core_id(l1->core));
    snprintf(overrides, sizeof overrides, "WAYS=%u", l1->ways);
    if (pins_open(context, &l1->victim, "sa_l1_victim", overrides, where) != 0) {
        return -1;
    }
    l1->dead_to_shared = pins_parameter(&l1->victim, "DEAD_TO_SHARED") != 0;
    return pins_wire(context, &l1->victim, PINS(in), PINS(out));
}

int sa_l1_attach(struct mechanism_context *context, struct core *core, void *instance)
{
    struct sa_l1 *l1 = instance;
    const struct cache *cache = core_l1d(core);
    const size_t lines = (size_t)cache->sets * cache->ways;
    const struct policy_socket socket = {.self = l1,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .invalidate = invalidate,
                                         .kernel_start = kernel_start};
    l1->core = core;
    l1->ways = cache->ways;
    l1->hit_clears = mechanism_value(context, "hit-clears") != 0;
    l1->line = mechanism_keep(context, lines * sizeof *l1->line);
    l1->rank = mechanism_keep(context, lines);
    if (l1->line == NULL || l1->rank == NULL || open_unit(context, l1) != 0 ||
        open_passing(context, l1, core) != 0) {
        return -1;
    }
    lru_ranks_reset(l1->rank, cache->sets, cache->ways);
    return plug_policy(core, &context->plug, &socket);
}
