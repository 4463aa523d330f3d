/* ccws.c - CCWS: warps that lose their cached blocks keep others from issuing loads
 * (wang2015 3.14, D-CCWS-1, D-CCWS-2; Table 5.3).
 *
 * A victim tag array per warp remembers its evicted blocks; a miss that finds its block
 * there raises the warp's score, which decays by one per cycle.  Warps are allowed to
 * issue loads in the order of their scores as long as the sum of scores fits.  The policy
 * socket keeps its owner: only who brought which line is noted on the way. */
#include <string.h>

#include "mechanisms/instances.h"
#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/ranks.h"

enum {
    BASE_SCORE = 100,
    K_THROTTLE = 8,
    SCORE_MAX = 65535,
    VTA_SETS = 2,
    VTA_WAYS = 8,
    WARPS = 64,
    RANK_BITS = 6,
    NO_WARP = 255
};

/* Victim tags of one warp: per set, most recent first; 0 is no block (block + 1 is kept). */
struct vta {
    uint64_t tag[VTA_SETS][VTA_WAYS];
};
struct line {
    uint64_t block;
    uint8_t warp;
};

struct ccws {
    const struct core *core;
    struct policy_socket base; /* the replacement policy in force */
    struct ranks ranks;
    struct vta vta[WARPS];
    uint32_t score[WARPS]; /* as of scored_at */
    uint64_t scored_at[WARPS];
    uint64_t vta_hits, vta_insertions;
    struct line line[]; /* [sets * ways] */
};

/* ---- victim tags ---- */

/* Move (or put) `tag` to the front, in place of position `at`. */
static void to_front(uint64_t *set, uint32_t at, uint64_t tag)
{
    memmove(set + 1, set, at * sizeof *set);
    set[0] = tag;
}

static uint64_t *vta_set(struct ccws *c, uint32_t warp, uint64_t block)
{
    return c->vta[warp].tag[(block >> BLOCK_SHIFT) % VTA_SETS];
}

static uint32_t vta_find(const uint64_t *set, uint64_t tag)
{
    uint32_t at = 0;
    while (at < VTA_WAYS && set[at] != tag) {
        at++;
    }
    return at;
}

static void vta_insert(struct ccws *c, uint32_t warp, uint64_t block)
{
    uint64_t *set = vta_set(c, warp, block);
    const uint32_t at = vta_find(set, block + 1);
    to_front(set, at < VTA_WAYS ? at : VTA_WAYS - 1, block + 1);
    c->vta_insertions++;
}

static bool vta_hit(struct ccws *c, uint32_t warp, uint64_t block)
{
    uint64_t *set = vta_set(c, warp, block);
    const uint32_t at = vta_find(set, block + 1);
    if (at == VTA_WAYS) {
        return false;
    }
    to_front(set, at, block + 1);
    return true;
}

/* ---- scores ---- */

static uint32_t score_of(const struct ccws *c, uint32_t warp, uint64_t now)
{
    const uint64_t decayed = now - c->scored_at[warp];
    return c->score[warp] > BASE_SCORE + decayed ? (uint32_t)(c->score[warp] - decayed)
                                                 : BASE_SCORE;
}

static void raise_score(struct ccws *c, uint32_t warp)
{
    const uint64_t active = (uint64_t)__builtin_popcountll(core_warps(c->core).resident);
    const uint64_t instructions = core_stats(c->core)->warp_instructions;
    const uint64_t score = ++c->vta_hits * K_THROTTLE * active * BASE_SCORE /
                           (instructions ? instructions : 1);
    c->score[warp] = score > SCORE_MAX    ? SCORE_MAX
                     : score < BASE_SCORE ? BASE_SCORE
                                          : (uint32_t)score;
    c->scored_at[warp] = core_now(c->core);
}

/* ---- the policy, on its way ---- */

static struct line *line_of(struct ccws *c, uint32_t set, uint32_t way)
{
    return &c->line[set * core_config(c->core)->l1d_ways + way];
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct ccws *c = self;
    c->base.touch(c->base.self, set, way, access);
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct ccws *c = self;
    return c->base.victim(c->base.self, set, invalid, replaceable, access);
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct ccws *c = self;
    struct line *line = line_of(c, set, way);
    if (line->warp != NO_WARP) {
        vta_insert(c, line->warp, line->block);
    }
    *line = (struct line){access->block,
                          access->kind == ACCESS_LOAD ? access->warp_slot : (uint8_t)NO_WARP};
    c->base.insert(c->base.self, set, way, access);
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct ccws *c = self;
    line_of(c, set, way)->warp = NO_WARP;
    if (c->base.invalidate != NULL) {
        c->base.invalidate(c->base.self, set, way);
    }
}

static void kernel_start(void *self)
{
    struct ccws *c = self;
    const struct gpu_config *config = core_config(c->core);
    for (uint32_t at = 0; at < config->l1d_sets * config->l1d_ways; at++) {
        c->line[at].warp = NO_WARP;
    }
    if (c->base.kernel_start != NULL) {
        c->base.kernel_start(c->base.self);
    }
}

/* ---- who may issue loads ---- */

/* Resident warps by falling score, older ones of the SM first among equals. */
static uint32_t sort_warps(const struct ccws *c, uint64_t now, uint8_t order[WARPS],
                           uint32_t score[WARPS])
{
    uint32_t n = 0;
    for (uint64_t left = core_warps(c->core).resident; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        const uint32_t rank = ranks_of(&c->ranks, slot);
        /* One number that falls with score, then with age rank. */
        const uint32_t key = score_of(c, slot, now) << RANK_BITS | (WARPS - 1 - rank);
        uint32_t at = n++;
        for (; at > 0 && score[at - 1] < key; at--) {
            score[at] = score[at - 1];
            order[at] = order[at - 1];
        }
        score[at] = key;
        order[at] = (uint8_t)slot;
    }
    return n;
}

static uint64_t load_ok(const struct ccws *c, uint64_t now)
{
    uint8_t order[WARPS];
    uint32_t key[WARPS];
    const uint32_t n = sort_warps(c, now, order, key);
    uint64_t sum = 0, ok = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += key[i] >> RANK_BITS;
        if (i > 0 && sum > (uint64_t)n * BASE_SCORE) {
            break; /* the top-scored warp is always permitted (D-CCWS-2) */
        }
        ok |= UINT64_C(1) << order[i];
    }
    return ok;
}

static uint64_t allow(void *self, const struct sched_view *view, uint32_t number)
{
    const struct ccws *c = self;
    uint64_t loads = 0;
    (void)number;
    for (uint64_t left = view->issuable & view->memory; left != 0; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        const struct isa_inst *inst = &core_kernel(c->core)->inst[core_warp(c->core, slot)->pc];
        loads |= (uint64_t)(inst->access == ISA_ACCESS_LOAD) << slot;
    }
    return loads == 0 ? ~UINT64_C(0) : ~(loads & ~load_ok(c, view->cycle));
}

/* ---- events ---- */

static void warp_launch(void *self, uint32_t sm, uint32_t slot)
{
    struct ccws *c = self;
    (void)sm;
    ranks_launch(&c->ranks, slot);
    c->score[slot] = BASE_SCORE;
    c->vta[slot] = (struct vta){0};
}

static void warp_exit(void *self, uint32_t sm, uint32_t slot)
{
    struct ccws *c = self;
    (void)sm;
    ranks_exit(&c->ranks, slot);
}

static void acc_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct ccws *c = self;
    (void)sm, (void)set;
    if ((result == RESULT_MISS || result == RESULT_BYPASS) &&
        vta_hit(c, access->warp_slot, access->block)) {
        raise_score(c, access->warp_slot);
    }
}

/* ---- attaching ---- */

static const struct counter counters[] = {
    {"vta_hits", offsetof(struct ccws, vta_hits)},
    {"vta_insertions", offsetof(struct ccws, vta_insertions)}};

static void statistics(void *self, json_t *into)
{
    instances_put(self, counters, sizeof counters / sizeof *counters, into);
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct ccws *c = instance;
    const struct gate_policy gate = {c, allow, NULL};
    const struct observer observer = {
        .self = c, .warp_launch = warp_launch, .warp_exit = warp_exit, .acc_result = acc_result};
    const struct policy_socket policy = {.self = c,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .invalidate = invalidate,
                                         .kernel_start = kernel_start};
    c->core = core;
    if (ranks_open(context, &c->ranks, core, "ccws") != 0 ||
        plug_around_policy(core, &context->plug, &policy, &c->base) != 0 ||
        gate_attach(context, core, &gate) != 0) {
        return -1;
    }
    return plug_observer(core, &context->plug, &observer);
}

static int attach(struct mechanism_context *context)
{
    const struct gpu_config *config = machine_config(context->machine);
    const size_t lines = (size_t)config->l1d_sets * config->l1d_ways;
    const struct mechanism_report report = {
        .self = instances_of_cores(context, sizeof(struct ccws) + lines * sizeof(struct line),
                                   attach_core),
        .name = "ccws",
        .statistics = statistics};
    return report.self == NULL ? -1 : mechanism_reports(context, &report);
}

static const struct mechanism_part parts[] = {{"age", "age_rank"}};

const struct mechanism mechanism_ccws = {
    .name = "ccws",
    .title = "warp scheduler: cache-conscious wavefront scheduling (age ranks alone as RTL)",
    .document = "wang2015",
    .section = "3.14",
    MECHANISM_PARTS(parts),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
