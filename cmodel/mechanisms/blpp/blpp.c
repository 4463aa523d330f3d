/* blpp.c - pages between GPU and CPU memory: local, a static share, BAP, S-BLPP and D-BLPP (aci 3.16,
 * 3.17).
 *
 * One allocator for the machine, a monitor at each SM and L2 bank, a filter at each L1D.  Latencies and
 * bandwidths of the equations are those of the machine's keys.  Under every policy the statistics hold the
 * profile that S-BLPP needs of a run with all pages in GPU memory.
 *
 * D-BLPP looks back when a page is placed: the window that ended last decides, which comes to the same as
 * looking at each window's end. */
#include <stdio.h>

#include "mechanisms/blpp/counting.h"
#include "mechanisms/blpp/optimum.h"
#include "mechanisms/instances.h"

enum policy { LOCAL, STATIC, BAP, S_BLPP, D_BLPP };
enum { MOVES = 64 };

struct filter {
    struct unit_pins unit;
    uint64_t *page_node, *cacheable;
};

struct core_site {
    struct blpp_site counts; /* first: instances are those of counting.h, too */
    struct filter filter;
};

struct blpp {
    const struct machine *machine;
    struct instances *cores, *banks;
    struct unit_pins alloc;
    uint64_t *alloc_req, *p_opt, *gpu_full, *cpu_full, *node, *need_replace;
    struct blpp_system system;
    enum policy policy;
    uint64_t window_cycles, decided; /* windows before `decided` are behind */
    uint32_t share;                  /* in force */
    uint64_t to[2], redirected, replacements, n_moves;
    struct {
        uint64_t cycle;
        uint32_t share;
    } move[MOVES];
};

/* ---- placement ---- */

static void add(uint64_t into[BLPP_COUNTS], const struct blpp *blpp, bool all, uint64_t window)
{
    const struct instances *sites[] = {blpp->cores, blpp->banks};
    for (unsigned k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < sites[k]->n; i++) {
            const struct blpp_site *site = instance_at(sites[k], i);
            if (all) {
                blpp_add_all(site, into);
            } else {
                blpp_add_window(site, window, into);
            }
        }
    }
}

static struct blpp_profile profile_of(const uint64_t count[BLPP_COUNTS], uint64_t cycles)
{
    return (struct blpp_profile){.l1_accesses = count[COUNT_L1],
                                 .l1_misses = count[COUNT_L1_MISSES],
                                 .l2_accesses = count[COUNT_L2],
                                 .l2_misses = count[COUNT_L2_MISSES],
                                 .bytes = count[COUNT_BYTES],
                                 .cycles = cycles};
}

static void set_share(struct blpp *blpp, uint32_t share)
{
    if (share == blpp->share) {
        return;
    }
    if (blpp->n_moves < MOVES) {
        blpp->move[blpp->n_moves].cycle = machine_now(blpp->machine);
        blpp->move[blpp->n_moves].share = share;
    }
    blpp->n_moves++;
    blpp->share = share;
}

/* Windows that have ended since the last page change the share. */
static void look_back(struct blpp *blpp)
{
    const uint64_t window = machine_now(blpp->machine) / blpp->window_cycles;
    uint64_t count[BLPP_COUNTS] = {0};
    if (window == blpp->decided) {
        return;
    }
    blpp->decided = window;
    add(count, blpp, false, window - 1);
    const struct blpp_profile profile = profile_of(count, blpp->window_cycles);
    set_share(blpp, blpp_optimum(&blpp->system, &profile));
}

static int place(void *self, uint64_t page, bool gpu_full, bool cpu_full)
{
    struct blpp *blpp = self;
    (void)page;
    if (blpp->policy == D_BLPP) {
        look_back(blpp);
    }
    *blpp->alloc_req = 1;
    *blpp->p_opt = blpp->share;
    *blpp->gpu_full = gpu_full;
    *blpp->cpu_full = cpu_full;
    pins_seq(&blpp->alloc);
    *blpp->alloc_req = 0;
    pins_comb(&blpp->alloc);
    blpp->to[*blpp->node]++;
    blpp->redirected += (gpu_full != cpu_full) && (*blpp->node == 0 ? cpu_full : gpu_full);
    blpp->replacements += *blpp->need_replace;
    return *blpp->node == 0 ? MEMORY_NODE_GPU : MEMORY_NODE_HOST;
}

static bool cacheable(void *self, int node)
{
    struct filter *filter = self;
    *filter->page_node = node == MEMORY_NODE_HOST;
    pins_settle(&filter->unit);
    return *filter->cacheable != 0;
}

/* ---- statistics ---- */

static uint64_t permille(uint64_t part, uint64_t whole)
{
    return whole != 0 ? part * 1000 / whole : 0;
}

/* What S-BLPP is given, and what it makes of it. */
static void put_profile(const struct blpp *blpp, json_t *into)
{
    uint64_t count[BLPP_COUNTS] = {0};
    const uint64_t cycles = machine_now(blpp->machine);
    add(count, blpp, true, 0);
    const struct blpp_profile profile = profile_of(count, cycles);
    const uint64_t l1 = permille(profile.l1_misses, profile.l1_accesses);
    const uint64_t l2 = permille(profile.l2_misses, profile.l2_accesses);
    put_count(into, "l1_accesses", profile.l1_accesses);
    put_count(into, "l1_misses", profile.l1_misses);
    put_count(into, "l2_accesses", profile.l2_accesses);
    put_count(into, "l2_misses", profile.l2_misses);
    put_count(into, "bytes", profile.bytes);
    put_count(into, "l1_miss_permille", l1);
    put_count(into, "l2_miss_permille", l2);
    put_count(into, "traffic_mbps",
              cycles != 0 ? profile.bytes * blpp->system.core_khz / (cycles * 1000) : 0);
    put_count(
        into, "latency_ratio_permille",
        (uint64_t)(1000 * blpp_latency_ratio(&blpp->system, (double)l1 / 1000, (double)l2 / 1000)));
    put_count(into, "optimum", blpp_optimum(&blpp->system, &profile));
}

static void statistics(void *self, json_t *into)
{
    const struct blpp *blpp = self;
    json_t *moves = json_array();
    put_count(into, "pages_to_gpu", blpp->to[0]);
    put_count(into, "pages_to_cpu", blpp->to[1]);
    put_count(into, "redirected", blpp->redirected);
    put_count(into, "replacements", blpp->replacements);
    put_count(into, "share", blpp->share);
    put_count(into, "share_moves", blpp->n_moves);
    for (uint64_t at = 0; at < blpp->n_moves && at < MOVES; at++) {
        json_array_append_new(moves, json_pack("[I, i]", (json_int_t)blpp->move[at].cycle,
                                               (int)blpp->move[at].share));
    }
    json_object_set_new(into, "shares", moves);
    put_profile(blpp, into);
}

/* ---- attaching ---- */

static struct blpp_system system_of(const struct mechanism_context *context)
{
    const struct gpu_config *c = machine_config(context->machine);
    return (struct blpp_system){
        .gpu_mbps = (uint32_t)((uint64_t)c->dram_channels * c->dram_bus_bytes * c->clock_dram_khz /
                               1000),
        .cpu_mbps = c->host_bandwidth_mbps,
        .l1d_cycles = c->l1d_hit_cycles,
        .l2_cycles = c->l2_latency,
        .gpu_cycles = c->dram_latency,
        .cpu_cycles = c->host_latency + c->host_link_latency,
        .theta_l_tenths = (uint32_t)mechanism_value(context, "theta-l"),
        .theta_b_mbps = (uint32_t)mechanism_value(context, "theta-b"),
        .core_khz = c->clock_core_khz};
}

/* By the numbers of an earlier run with all pages in GPU memory. */
static int profiled_share(struct mechanism_context *context, const struct blpp_system *system,
                          uint32_t *share)
{
    const int64_t l1 = mechanism_value(context, "l1-miss"),
                  l2 = mechanism_value(context, "l2-miss");
    const int64_t traffic = mechanism_value(context, "traffic");
    if (l1 < 0 || l2 < 0 || traffic < 0) {
        return mechanism_fail(context,
                              "blpp: policy=s-blpp needs a profile; run policy=local, and give its "
                              "l1_miss_permille, l2_miss_permille and traffic_mbps as l1-miss, "
                              "l2-miss and traffic");
    }
    const struct blpp_profile profile = {.l1_accesses = 1000,
                                         .l1_misses = (uint64_t)l1,
                                         .l2_accesses = 1000,
                                         .l2_misses = (uint64_t)l2,
                                         .bytes = (uint64_t)traffic * 1000,
                                         .cycles = system->core_khz};
    *share = blpp_optimum(system, &profile);
    return 0;
}

static int first_share(struct mechanism_context *context, struct blpp *blpp)
{
    blpp->share = BLPP_ONE;
    switch (blpp->policy) {
    case STATIC:
        blpp->share = (uint32_t)(mechanism_value(context, "ratio") * BLPP_ONE / 1000);
        return 0;
    case BAP: blpp->share = blpp_share(&blpp->system); return 0;
    case S_BLPP: return profiled_share(context, &blpp->system, &blpp->share);
    default: return 0;
    }
}

static int open_alloc(struct mechanism_context *context, struct blpp *blpp)
{
    const struct pin_name in[] = {{&blpp->alloc_req, "alloc_req"},
                                  {&blpp->p_opt, "p_opt"},
                                  {&blpp->gpu_full, "gpu_full"},
                                  {&blpp->cpu_full, "cpu_full"}};
    const struct pin_name out[] = {{&blpp->node, "node"}, {&blpp->need_replace, "need_replace"}};
    return pins_open(context, &blpp->alloc, "blpp_alloc", "", "alloc") != 0
               ? -1
               : pins_wire(context, &blpp->alloc, PINS(in), PINS(out));
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct core_site *site = instance;
    struct filter *filter = &site->filter;
    const struct pin_name in[] = {{&filter->page_node, "page_node"}};
    const struct pin_name out[] = {{&filter->cacheable, "cacheable"}};
    const struct filter_socket socket = {.self = filter, .cacheable = cacheable};
    char where[48];
    snprintf(where, sizeof where, "sm%u.filter", core_id(core));
    return pins_open(context, &filter->unit, "selective_cache_filter", "", where) != 0 ||
                   pins_wire(context, &filter->unit, PINS(in), PINS(out)) != 0 ||
                   plug_filter(core, &context->plug, &socket) != 0
               ? -1
               : blpp_watch_core(context, core, &site->counts);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    return blpp_watch_bank(context, bank, instance);
}

static int attach(struct mechanism_context *context)
{
    struct blpp *blpp = mechanism_keep(context, sizeof *blpp);
    const struct mechanism_report report = {.self = blpp, .name = "blpp", .statistics = statistics};
    const struct placement_socket placement = {.self = blpp, .demand = true, .place = place};
    if (blpp == NULL) {
        return -1;
    }
    blpp->machine = context->machine;
    blpp->policy = (enum policy)mechanism_value(context, "policy");
    blpp->window_cycles = (uint64_t)mechanism_value(context, "window");
    blpp->system = system_of(context);
    if (first_share(context, blpp) != 0 || open_alloc(context, blpp) != 0 ||
        (blpp->cores = instances_of_cores(context, sizeof(struct core_site), attach_core)) ==
            NULL ||
        (blpp->banks = instances_of_banks(context, sizeof(struct blpp_site), attach_bank)) ==
            NULL ||
        plug_placement(context->machine, &context->plug, &placement) != 0) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

/* ---- what it says of itself ---- */

static bool caches_lines(const struct gpu_config *config)
{
    return config->l1d_sector_bytes == 0 && config->l2_sectors == 0;
}

static const struct mechanism_option options[] = {
    OPTION_CHOICE(
        "policy", D_BLPP, "local|static|bap|s-blpp|d-blpp",
        "all in GPU memory; by ratio; by bandwidths; by a profile; by counters at run time",
        "3.17.5, 3.17.7"),
    OPTION_COUNT("ratio", 1000, 0, 1000, "static: pages of GPU memory, in thousandths", "3.17.7"),
    OPTION_COUNT("window", 100000, 64, 1 << 24, "d-blpp: core cycles from one decision to the next",
                 "3.17.5"),
    OPTION_COUNT("l1-miss", -1, -1, 1000, "s-blpp: l1_miss_permille of a run with policy=local",
                 "3.17.5"),
    OPTION_COUNT("l2-miss", -1, -1, 1000, "s-blpp: its l2_miss_permille", "3.17.5"),
    OPTION_COUNT("traffic", -1, -1, 10000000, "s-blpp: its traffic_mbps", "3.17.5"),
    OPTION_COUNT("theta-l", 18, 1, 1000, "latency tolerated, in tenths of that of GPU memory",
                 "3.17.3"),
    OPTION_COUNT("theta-b", 140000, 0, 10000000, "traffic from which bandwidth counts, in MB/s",
                 "3.17.3")};
static const struct mechanism_part parts[] = {
    {"alloc", "blpp_alloc"}, {"monitor", "blpp_monitor"}, {"filter", "selective_cache_filter"}};
static const struct mechanism_need needs[] = {
    {caches_lines, "host memory is kept out of caches of lines; set l1d.sector_bytes=0 and "
                   "l2.sectors=no"}};

const struct mechanism mechanism_blpp = {
    .name = "blpp",
    .title = "page placement by bandwidth and latency (BLPP), BAP, static shares",
    .document = "aci-iacm-blpp",
    .section = "3.16, 3.17",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_QUIET | PLUG_STILL,
    .attach = attach};
