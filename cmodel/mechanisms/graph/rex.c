/* rex.c - R-Exclusion: allocations that are reused privately, and not shared, are exclusive
 * (lakshminarayana2014 3.4; region_table, rtt, and those of hier.h). */
#include <stddef.h>
#include <stdio.h>

#include "mechanisms/graph/hier.h"
#include "mechanisms/graph/regions.h"

enum force { FORCE_NONE, FORCE_SHARED, FORCE_PRIVATE };

struct rex_core {
    struct hier_l1 l1; /* first: instances are those of hier.h, too */
    struct regions regions;
    enum force force;
    uint64_t asked, exclusive;
};

static void filled(void *self, const struct access_info *access)
{
    struct rex_core *rex = self;
    if (access->kind == ACCESS_LOAD && !access->local) {
        regions_filled(&rex->regions, access->block, (access->answer & HIER_SHARED) != 0,
                       (access->answer & HIER_PRIVATE) != 0);
    }
}

/* A primary miss leaves: is its line to be exclusive? */
static void send(void *self, struct request *request, struct cache_line *line)
{
    struct rex_core *rex = self;
    (void)line;
    if (request->packet.type != MSG_READ || request->ticket.to != TO_MSHR) {
        return;
    }
    const bool judged = regions_ask(&rex->regions, request->packet.block).exclusive;
    const bool exclusive = rex->force == FORCE_NONE ? judged : rex->force == FORCE_PRIVATE;
    rex->asked++;
    rex->exclusive += exclusive;
    request->proto[2] = exclusive ? HIER_EXCLUSIVE | HIER_PASSES : 0;
}

static void kernel_start(void *self)
{
    regions_kernel_start(&((struct rex_core *)self)->regions);
}

/* ---- attaching ---- */

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct rex_core *rex = instance;
    const struct coherence_l1_socket asks = {
        .self = rex, .send = send, .kernel_start = kernel_start};
    rex->force = (enum force)mechanism_value(context, "force");
    rex->l1.self = rex;
    rex->l1.filled = filled;
    if (hier_l1_attach(context, core, &rex->l1, false, rex->force != FORCE_SHARED) != 0 ||
        regions_open(context, core, &rex->regions) != 0) {
        return -1;
    }
    return plug_coherence(core, &context->plug, &asks);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct hier_l2 *l2 = instance;
    l2->regions = true;
    return hier_l2_attach(context, bank, l2);
}

static void statistics(void *self, json_t *into)
{
    const struct hier *hier = self;
    static const struct counter core[] = {
        {"fills", offsetof(struct rex_core, regions.fills)},
        {"fills_untracked", offsetof(struct rex_core, regions.untracked)},
        {"misses", offsetof(struct rex_core, asked)},
        {"misses_exclusive", offsetof(struct rex_core, exclusive)},
        {"updates", offsetof(struct rex_core, regions.updates)},
        {"regions_replaced", offsetof(struct rex_core, regions.replaced)}};
    instances_put(hier->l1, core, sizeof core / sizeof *core, into);
    hier_statistics(hier, into);
}

static const char *difference(void *self)
{
    struct hier *hier = self;
    const uint64_t flags = instances_sum(hier->l1, offsetof(struct rex_core, regions.differences));
    if (flags == 0) {
        return hier_difference(hier);
    }
    snprintf(hier->difference, sizeof hier->difference,
             "%llu times the flag of a region fell inside a kernel", (unsigned long long)flags);
    return hier->difference;
}

static int attach(struct mechanism_context *context)
{
    struct hier *hier = mechanism_keep(context, sizeof *hier);
    const struct mechanism_report report = {
        .self = hier, .name = "rex", .statistics = statistics, .difference = difference};
    if (hier == NULL ||
        (hier->l1 = instances_of_cores(context, sizeof(struct rex_core), attach_core)) == NULL ||
        (hier->l2 = instances_of_banks(context, sizeof(struct hier_l2), attach_bank)) == NULL) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("period", 16384, 128, 1 << 24, "core cycles from one UPDATE to the next", "3.4.4"),
    OPTION_CHOICE("force", FORCE_NONE, "none|shared|private",
                  "every region is what it is, or SharedReuse, or PvtReuse alone", "3.8"),
    OPTION_STALE, OPTION_SWITCH("check", "flags are checked each time they are asked for", "3.8")};
static const struct mechanism_part parts[] = {{"table", "region_table"}, {"rtt", "rtt"},
                                              {"cb", "l1_cb"},           {"queue", "copyback_q"},
                                              {"l2", "l2_policy"},       {"tag", "l2_tagx"}};
static const struct mechanism_need needs[] = {
    {hier_l1_fits, "lines are copied back as fills replace them; set l1d.enable=yes, "
                   "l1d.allocate=on-fill, l1d.sector_bytes=0, and up to 1024 lines"},
    {hier_l2_fits, "the L2 is exclusive by lines; set l2.sectors=no, up to 64 SMs, and "
                   "l2 sets of all banks a multiple of 32 up to 4096"}};

const struct mechanism mechanism_rex = {
    .name = "rex",
    .title = "L1D and L2: allocations that are reused privately are exclusive (R-Exclusion)",
    .document = "lakshminarayana2014",
    .section = "3.4",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
