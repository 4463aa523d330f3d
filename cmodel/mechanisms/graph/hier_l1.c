/* hier_l1.c - inclusion at an L1D: the copy-back bit of each line, and the victim cache
 * (lakshminarayana2014 3.3.2, 3.4.4; l1_cb, vcache8).  The bytes of a victim are in the unit alone. */
#include <stdio.h>

#include "mechanisms/graph/hier.h"

/* ---- the policy around: what is filled, what goes ---- */

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    const struct hier_l1 *l1 = self;
    l1->inner.touch(l1->inner.self, set, way, access);
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct hier_l1 *l1 = self;
    const int way = l1->inner.victim(l1->inner.self, set, invalid, replaceable, access);
    if (way >= 0 && !(invalid >> way & 1)) {
        const struct cache_line *line = cache_line(core_l1d(l1->core), set, (uint32_t)way);
        l1->dirty += (line->dirty[0] | line->dirty[1]) != 0 &&
                     !l1->local[set * core_l1d(l1->core)->ways + (uint32_t)way];
    }
    return way;
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct hier_l1 *l1 = self;
    l1->inner.insert(l1->inner.self, set, way, access);
    *l1->bits.fill_valid = 1;
    *l1->bits.fill_line = set * core_l1d(l1->core)->ways + way;
    *l1->bits.fill_excl = access->answer & HIER_EXCLUSIVE;
    l1->exclusive[*l1->bits.fill_line] = access->answer & HIER_EXCLUSIVE;
    l1->local[*l1->bits.fill_line] = access->local;
    pins_seq(&l1->cb);
    *l1->bits.fill_valid = 0;
    if (l1->filled != NULL) {
        l1->filled(l1->self, access);
    }
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct hier_l1 *l1 = self;
    if (l1->inner.invalidate != NULL) {
        l1->inner.invalidate(l1->inner.self, set, way);
    }
    *l1->bits.inv_valid = 1;
    *l1->bits.inv_line = set * core_l1d(l1->core)->ways + way;
    pins_seq(&l1->cb);
    *l1->bits.inv_valid = 0;
}

static void flush(struct unit_pins *unit, uint64_t *port)
{
    *port = 1;
    pins_seq(unit);
    *port = 0;
}

static void kernel_start(void *self)
{
    struct hier_l1 *l1 = self;
    if (l1->inner.kernel_start != NULL) {
        l1->inner.kernel_start(l1->inner.self);
    }
    if (core_config(l1->core)->l1d_at_launch == AT_LAUNCH_EMPTIED) {
        flush(&l1->cb, l1->bits.flush);
    }
    if (l1->has_vc) {
        flush(&l1->vc, l1->victims.flush);
    }
}

/* ---- lines that leave ---- */

/* The bit of a line that leaves, as the fill that drives it out sees it. */
static bool leaving_bit(struct hier_l1 *l1, const struct cache_line *line)
{
    *l1->bits.fill_valid = 1;
    *l1->bits.fill_line = (uint64_t)(line - core_l1d(l1->core)->line);
    pins_comb(&l1->cb);
    *l1->bits.fill_valid = 0;
    l1->differences += !*l1->bits.evict_valid ||
                       *l1->bits.evict_cb != l1->exclusive[*l1->bits.fill_line];
    return *l1->bits.evict_cb;
}

static bool count_leaving(struct hier_l1 *l1, bool copied_back)
{
    ++*(copied_back ? &l1->sent : &l1->dropped);
    return copied_back;
}

static bool copy_back(void *self, uint64_t block, const struct cache_line *line)
{
    struct hier_l1 *l1 = self;
    const struct cache *cache = core_l1d(l1->core);
    const bool down = count_leaving(l1, leaving_bit(l1, line));
    if (down) {
        const uint8_t *bytes = &cache->data[(size_t)(line - cache->line) * BLOCK_BYTES];
        l1->differences += !hier_queue_pass(&l1->queue, block, bytes);
    }
    return down;
}

/* ---- the victim cache ---- */

static void offer(struct hier_l1 *l1, uint64_t block, bool cb, const uint8_t *bytes)
{
    *l1->victims.insert_valid = 1;
    *l1->victims.insert_addr = block / BLOCK_BYTES;
    *l1->victims.insert_cb = cb;
    memcpy(l1->victims.insert_data, bytes, BLOCK_BYTES);
}

static bool has(void *self, uint64_t block)
{
    struct hier_l1 *l1 = self;
    *l1->victims.probe_valid = 1;
    *l1->victims.probe_addr = block / BLOCK_BYTES;
    pins_comb(&l1->vc);
    *l1->victims.probe_valid = 0;
    return *l1->victims.hit;
}

static uint8_t swap(void *self, uint64_t block, uint8_t *bytes, uint64_t leaving,
                    const struct cache_line *line, const uint8_t *leaving_bytes)
{
    struct hier_l1 *l1 = self;
    if (line != NULL) {
        offer(l1, leaving, leaving_bit(l1, line), leaving_bytes);
        l1->vc_kept++;
    }
    *l1->victims.probe_valid = 1;
    *l1->victims.probe_addr = block / BLOCK_BYTES;
    pins_comb(&l1->vc);
    l1->differences += !*l1->victims.hit || *l1->victims.evict_valid;
    memcpy(bytes, l1->victims.out_data, BLOCK_BYTES);
    const uint8_t answer = *l1->victims.out_cb ? HIER_EXCLUSIVE : 0;
    pins_seq(&l1->vc);
    *l1->victims.probe_valid = *l1->victims.insert_valid = 0;
    l1->vc_hits++;
    return answer;
}

static bool keep(void *self, uint64_t *block, const struct cache_line *line, uint8_t *bytes)
{
    struct hier_l1 *l1 = self;
    offer(l1, *block, leaving_bit(l1, line), bytes);
    pins_comb(&l1->vc);
    const bool evicts = *l1->victims.evict_valid;
    const bool down = evicts && count_leaving(l1, *l1->victims.out_cb);
    if (evicts) {
        *block = *l1->victims.evict_addr * BLOCK_BYTES;
        memcpy(bytes, l1->victims.out_data, BLOCK_BYTES);
    }
    if (down && l1->copies_back) {
        l1->differences += !hier_queue_pass(&l1->queue, *block, bytes);
    }
    pins_seq(&l1->vc);
    *l1->victims.insert_valid = 0;
    l1->vc_kept++;
    return down;
}

static void forget(void *self, uint64_t block)
{
    struct hier_l1 *l1 = self;
    if (block == CACHE_NO_TAG) {
        flush(&l1->vc, l1->victims.flush);
        return;
    }
    *l1->victims.inv_valid = 1;
    *l1->victims.inv_addr = block / BLOCK_BYTES;
    pins_comb(&l1->vc);
    if (*l1->victims.invalidated) {
        pins_seq(&l1->vc);
    }
    *l1->victims.inv_valid = 0;
}

/* ---- attaching ---- */

static int open_bits(struct mechanism_context *context, struct hier_l1 *l1)
{
    const struct pin_name ports[] = {{&l1->bits.flush, "flush"},
                                     {&l1->bits.inv_valid, "inv_valid"},
                                     {&l1->bits.inv_line, "inv_line"},
                                     {&l1->bits.fill_valid, "fill_valid"},
                                     {&l1->bits.fill_line, "fill_line"},
                                     {&l1->bits.fill_excl, "fill_excl"},
                                     {&l1->bits.evict_valid, "evict_valid"},
                                     {&l1->bits.evict_cb, "evict_cb"}};
    const struct cache *cache = core_l1d(l1->core);
    char where[48], overrides[32];
    snprintf(where, sizeof where, "sm%u.l1d.cb", core_id(l1->core));
    snprintf(overrides, sizeof overrides, "LINES=%u", cache->sets * cache->ways);
    return pins_open(context, &l1->cb, "l1_cb", overrides, where) != 0
               ? -1
               : pins_all(context, &l1->cb, PINS(ports));
}

static int open_victims(struct mechanism_context *context, struct hier_l1 *l1)
{
    const struct pin_name ports[] = {{&l1->victims.flush, "flush"},
                                     {&l1->victims.probe_valid, "probe_valid"},
                                     {&l1->victims.probe_addr, "probe_addr"},
                                     {&l1->victims.inv_valid, "inv_valid"},
                                     {&l1->victims.inv_addr, "inv_addr"},
                                     {&l1->victims.insert_valid, "insert_valid"},
                                     {&l1->victims.insert_addr, "insert_addr"},
                                     {&l1->victims.insert_cb, "insert_cb"},
                                     {&l1->victims.insert_data, "insert_data"},
                                     {&l1->victims.hit, "hit"},
                                     {&l1->victims.evict_valid, "evict_valid"},
                                     {&l1->victims.evict_addr, "evict_addr"},
                                     {&l1->victims.out_cb, "out_cb"},
                                     {&l1->victims.out_data, "out_data"},
                                     {&l1->victims.invalidated, "invalidated"}};
    char where[48];
    snprintf(where, sizeof where, "sm%u.l1d.victims", core_id(l1->core));
    return pins_open(context, &l1->vc, "vcache8", "ADDR_W=33,WORDS=16", where) != 0
               ? -1
               : pins_all(context, &l1->vc, PINS(ports));
}

int hier_l1_attach(struct mechanism_context *context, struct core *core, struct hier_l1 *l1,
                   bool has_vc, bool copies_back)
{
    const struct policy_socket policy = {.self = l1,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .invalidate = invalidate,
                                         .kernel_start = kernel_start,
                                         .knows_kept = true};
    struct inclusion_l1_socket socket = {.self = l1};
    l1->core = core;
    l1->has_vc = has_vc;
    l1->copies_back = copies_back;
    socket.copy_back = copies_back ? copy_back : NULL;
    if (has_vc) {
        socket.has = has;
        socket.swap = swap;
        socket.keep = keep;
        socket.forget = forget;
    }
    l1->exclusive = mechanism_keep(context, (size_t)core_l1d(core)->sets * core_l1d(core)->ways);
    l1->local = mechanism_keep(context, (size_t)core_l1d(core)->sets * core_l1d(core)->ways *
                                            sizeof *l1->local);
    if (l1->exclusive == NULL || l1->local == NULL || open_bits(context, l1) != 0 ||
        (has_vc && open_victims(context, l1) != 0) ||
        (copies_back && hier_queue_open(context, core_id(core), &l1->queue) != 0) ||
        plug_around_policy(core, &context->plug, &policy, &l1->inner) != 0) {
        return -1;
    }
    return plug_inclusion(core, &context->plug, &socket);
}

bool hier_l1_fits(const struct gpu_config *config)
{
    return config->l1d_enable && config->l1d_sector_bytes == 0 &&
           config->l1d_allocate == ALLOCATE_ON_FILL && config->l1d_sets * config->l1d_ways <= 1024;
}
