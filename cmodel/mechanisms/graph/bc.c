/* bc.c - Bypass + Copyback: allocations decide what the L2 keeps, loads what the L1D keeps
 * (lakshminarayana2014 3.5.4; ptt, upat, bc_decide, and R-Exclusion's: regions.h, hier.h). */
#include <stddef.h>
#include <stdio.h>

#include "mechanisms/graph/hier.h"
#include "mechanisms/graph/pcs.h"
#include "mechanisms/graph/regions.h"

enum force { FORCE_NONE, FORCE_CACHE };
enum level { LEVEL_L1 = 1, LEVEL_L2 = 2, LEVEL_BOTH = 3 };

/* What a primary miss leaves for its fill. */
struct bc_miss {
    uint8_t id; /* of its load in the table of PCs */
    bool passes;
};

struct bc_core {
    struct hier_l1 l1; /* first: instances are those of hier.h, too */
    struct regions regions;
    struct pcs pcs;
    struct unit_pins decide;
    struct {
        uint64_t *l1_known, *l1_reuse, *rg_known, *rg_shared, *rg_private, *draw;
        uint64_t *byp_l1, *byp_l2, *cb, *sampled;
    } at;
    struct policy_socket inner;
    const struct cache *cache;
    const struct mshr_file *mshrs;
    uint8_t *line_id; /* of each line: who brought it */
    struct bc_miss *miss;
    enum force force;
    uint16_t lfsr;
    uint64_t asked, byp_l1, byp_l2, copied_back, sampled, fills_passed, fills_kept;
};

/* ---- requests ---- */

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct bc_core *bc = self;
    uint32_t fetcher = bc->pcs.none;
    (void)sm;
    if (access->kind != ACCESS_LOAD || access->local || access->past_l1d) {
        return;
    }
    if (result == RESULT_HIT) {
        const int way = cache_find(bc->cache, set, access->block);
        fetcher = way < 0 ? fetcher : bc->line_id[set * bc->cache->ways + (uint32_t)way];
    }
    pcs_count(&bc->pcs, access->pc, fetcher);
}

/* Table 12, about a miss of the load with entry `id`. */
static void decide(struct bc_core *bc, uint32_t id, uint64_t block)
{
    const struct region_flags region = regions_ask(&bc->regions, block);
    bool known, reuse;
    pcs_ask(&bc->pcs, id, &known, &reuse);
    const bool forced = bc->force == FORCE_CACHE;
    bc->lfsr = (uint16_t)(bc->lfsr >> 1 ^ (bc->lfsr & 1 ? 0xB400 : 0));
    *bc->at.l1_known = known || forced;
    *bc->at.l1_reuse = reuse || forced;
    *bc->at.rg_known = region.known || forced;
    *bc->at.rg_shared = region.shared || forced;
    *bc->at.rg_private = region.private;
    *bc->at.draw = bc->lfsr & 31;
    pins_comb(&bc->decide);
}

/* A primary miss leaves. */
static void send(void *self, struct request *request, struct cache_line *line)
{
    struct bc_core *bc = self;
    (void)line;
    if (request->ticket.to != TO_MSHR) {
        return;
    }
    struct bc_miss *miss = &bc->miss[request->ticket.number];
    *miss = (struct bc_miss){.id = (uint8_t)bc->pcs.none};
    if (request->packet.type != MSG_READ) {
        return;
    }
    const uint32_t id = pcs_find(&bc->pcs, request->pc);
    decide(bc, id, request->packet.block);
    *miss = (struct bc_miss){.id = (uint8_t)id, .passes = *bc->at.byp_l1};
    bc->asked++;
    bc->byp_l1 += *bc->at.byp_l1;
    bc->byp_l2 += *bc->at.byp_l2;
    bc->copied_back += *bc->at.cb;
    bc->sampled += *bc->at.sampled;
    request->proto[2] = (*bc->at.byp_l2 ? HIER_PASSES : 0u) | (*bc->at.cb ? HIER_EXCLUSIVE : 0u);
}

/* ---- fills ---- */

static bool is_tracked(const struct access_info *access)
{
    return access->kind == ACCESS_LOAD && !access->local;
}

/* Every answer counts at its region, whether its line is kept or not (D-BC-6). */
static void filled(void *self, const struct access_info *access)
{
    struct bc_core *bc = self;
    if (is_tracked(access)) {
        regions_filled(&bc->regions, access->block, (access->answer & HIER_SHARED) != 0,
                       (access->answer & HIER_PRIVATE) != 0);
    }
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    const struct bc_core *bc = self;
    bc->inner.touch(bc->inner.self, set, way, access);
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct bc_core *bc = self;
    const int at = mshr_find(bc->mshrs, access->block);
    if (at >= 0 && is_tracked(access) && bc->miss[at].passes) {
        bc->fills_passed++;
        filled(bc, access);
        return POLICY_BYPASS;
    }
    return bc->inner.victim(bc->inner.self, set, invalid, replaceable, access);
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct bc_core *bc = self;
    const int at = mshr_find(bc->mshrs, access->block);
    const bool known = at >= 0 && is_tracked(access);
    bc->inner.insert(bc->inner.self, set, way, access);
    bc->line_id[set * bc->cache->ways + way] = known ? bc->miss[at].id : (uint8_t)bc->pcs.none;
    bc->fills_kept += known;
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    const struct bc_core *bc = self;
    if (bc->inner.invalidate != NULL) {
        bc->inner.invalidate(bc->inner.self, set, way);
    }
}

static void policy_kernel_start(void *self)
{
    const struct bc_core *bc = self;
    if (bc->inner.kernel_start != NULL) {
        bc->inner.kernel_start(bc->inner.self);
    }
}

static void kernel_start(void *self)
{
    struct bc_core *bc = self;
    regions_kernel_start(&bc->regions);
    pcs_kernel_start(&bc->pcs);
}

/* ---- attaching ---- */

static int open_decide(struct mechanism_context *context, struct bc_core *bc)
{
    const struct pin_name ports[] = {{&bc->at.l1_known, "l1_known"},
                                     {&bc->at.l1_reuse, "l1_reuse"},
                                     {&bc->at.rg_known, "rg_known"},
                                     {&bc->at.rg_shared, "rg_shared"},
                                     {&bc->at.rg_private, "rg_private"},
                                     {&bc->at.draw, "draw"},
                                     {&bc->at.byp_l1, "byp_l1"},
                                     {&bc->at.byp_l2, "byp_l2"},
                                     {&bc->at.cb, "cb"},
                                     {&bc->at.sampled, "sampled"}};
    char where[48], overrides[16];
    snprintf(where, sizeof where, "sm%u.bc", core_id(bc->l1.core));
    snprintf(overrides, sizeof overrides, "LEVELS=%d", (int)mechanism_value(context, "level") + 1);
    return pins_open(context, &bc->decide, "bc_decide", overrides, where) != 0
               ? -1
               : pins_all(context, &bc->decide, PINS(ports));
}

static int plug_in(struct mechanism_context *context, struct core *core, struct bc_core *bc)
{
    const struct policy_socket policy = {.self = bc,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .invalidate = invalidate,
                                         .kernel_start = policy_kernel_start,
                                         .knows_kept = true};
    const struct coherence_l1_socket asks = {
        .self = bc, .send = send, .kernel_start = kernel_start};
    const struct observer observer = {.self = bc, .acc_result = acc_result};
    return plug_around_policy(core, &context->plug, &policy, &bc->inner) != 0 ||
                   plug_observer(core, &context->plug, &observer) != 0
               ? -1
               : plug_coherence(core, &context->plug, &asks);
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct bc_core *bc = instance;
    const bool copies_back = mechanism_value(context, "level") + 1 != LEVEL_L1 &&
                             mechanism_value(context, "force") != FORCE_CACHE;
    bc->cache = core_l1d(core);
    bc->mshrs = core_mshrs(core);
    bc->line_id = mechanism_keep(context, (size_t)bc->cache->sets * bc->cache->ways);
    bc->miss = mechanism_keep(context, bc->mshrs->n * sizeof *bc->miss);
    bc->force = (enum force)mechanism_value(context, "force");
    bc->lfsr = 0xACE1;
    bc->l1.self = bc;
    bc->l1.filled = filled;
    if (bc->line_id == NULL || bc->miss == NULL ||
        hier_l1_attach(context, core, &bc->l1, false, copies_back) != 0 ||
        regions_open(context, core, &bc->regions) != 0 || pcs_open(context, core, &bc->pcs) != 0 ||
        open_decide(context, bc) != 0) {
        return -1;
    }
    return plug_in(context, core, bc);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct hier_l2 *l2 = instance;
    l2->regions = l2->first_says = true;
    return hier_l2_attach(context, bank, l2);
}

static void statistics(void *self, json_t *into)
{
    const struct hier *hier = self;
    static const struct counter core[] = {
        {"misses", offsetof(struct bc_core, asked)},
        {"misses_bypass_l1", offsetof(struct bc_core, byp_l1)},
        {"misses_bypass_l2", offsetof(struct bc_core, byp_l2)},
        {"misses_copied_back", offsetof(struct bc_core, copied_back)},
        {"misses_sampled", offsetof(struct bc_core, sampled)},
        {"l1_bypasses", offsetof(struct bc_core, fills_passed)},
        {"l1_insertions", offsetof(struct bc_core, fills_kept)},
        {"requests", offsetof(struct bc_core, pcs.accesses)},
        {"requests_untracked", offsetof(struct bc_core, pcs.untracked)},
        {"pcs_entered", offsetof(struct bc_core, pcs.allocated)},
        {"pcs_replaced", offsetof(struct bc_core, pcs.replaced)},
        {"updates", offsetof(struct bc_core, pcs.updates)},
        {"fills", offsetof(struct bc_core, regions.fills)},
        {"fills_untracked", offsetof(struct bc_core, regions.untracked)},
        {"regions_replaced", offsetof(struct bc_core, regions.replaced)}};
    instances_put(hier->l1, core, sizeof core / sizeof *core, into);
    hier_statistics(hier, into);
}

static const char *difference(void *self)
{
    struct hier *hier = self;
    const uint64_t flags = instances_sum(hier->l1, offsetof(struct bc_core, pcs.differences)) +
                           instances_sum(hier->l1, offsetof(struct bc_core, regions.differences));
    if (flags == 0) {
        return hier_difference(hier);
    }
    snprintf(hier->difference, sizeof hier->difference,
             "%llu times the flag of a PC or a region fell inside a kernel",
             (unsigned long long)flags);
    return hier->difference;
}

static int attach(struct mechanism_context *context)
{
    struct hier *hier = mechanism_keep(context, sizeof *hier);
    const struct mechanism_report report = {
        .self = hier, .name = "bc", .statistics = statistics, .difference = difference};
    if (hier == NULL ||
        (hier->l1 = instances_of_cores(context, sizeof(struct bc_core), attach_core)) == NULL ||
        (hier->l2 = instances_of_banks(context, sizeof(struct hier_l2), attach_bank)) == NULL) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("period", 16384, 128, 1 << 24, "core cycles from one UPDATE to the next", "3.5.4"),
    OPTION_CHOICE("level", 2, "l1|l2|both", "the caches that lines may bypass", "3.5"),
    OPTION_CHOICE("force", FORCE_NONE, "none|cache",
                  "what is known counts, or every load has reuse and every region SharedReuse",
                  "3.8"),
    OPTION_STALE, OPTION_SWITCH("check", "flags are checked each time they are asked for", "3.8")};
static const struct mechanism_part parts[] = {
    {"table", "region_table"}, {"rtt", "rtt"},     {"cb", "l1_cb"}, {"queue", "copyback_q"},
    {"l2", "l2_policy"},       {"tag", "l2_tagx"}, {"ptt", "ptt"},  {"upat", "upat"},
    {"decide", "bc_decide"}};
static const struct mechanism_need needs[] = {
    {hier_l1_fits, "lines are copied back as fills replace them; set l1d.enable=yes, "
                   "l1d.allocate=on-fill, l1d.sector_bytes=0, and up to 1024 lines"},
    {hier_l2_fits, "the L2 is exclusive by lines; set l2.sectors=no, up to 64 SMs, and "
                   "l2 sets of all banks a multiple of 32 up to 4096"}};

const struct mechanism mechanism_bc = {
    .name = "bc",
    .title =
        "L1D and L2: lines bypass by load and by allocation, or are copied back (Bypass + Copyback)",
    .document = "lakshminarayana2014",
    .section = "3.5.4",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
