/* dwt_pric.c - a static polynomial index and sampled warp throttling, after DWT-PRIC as far as it is
 * described (aci 3.15): DWT-like, no calibrated reproduction.
 *
 * A kernel begins with a window in which SMs run with different warp counts, 1, 2, 4 ... and all; the count
 * of the best ones is then everybody's to the end of the kernel.  With few misses per instruction nobody is
 * limited.  Its rule of bypassing is not given; `-m dwt-pric,rpd` has another.
 *
 * An SM writes its own sample, in every cycle of the window in which it is stepped; all read those of
 * others behind the window's last cycle, when they do not change any more. */
#include <stddef.h>

#include "mechanisms/iacm/limits.h"
#include "mechanisms/index/index_l1d.h"
#include "mechanisms/instances.h"

enum { MOST_COUNTS = 8 };

struct dwt {
    const struct machine *machine;
    struct instances *cores;
    uint64_t window_cycles, mpki;
};

struct dwt_core {
    struct limits limits; /* first: its counter is summed */
    struct core *core;
    struct dwt *all;
    bool launching, decided;
    uint64_t end;                      /* cycle behind the window, the same for all */
    uint64_t instructions0, misses0;   /* when the kernel began */
    uint64_t instructions, misses, of; /* the sample, and the warp count it is of */
    uint64_t kernels, throttled;
};

/* ---- counts that are tried ---- */

static uint32_t counts_of(uint32_t most, uint32_t count[MOST_COUNTS])
{
    uint32_t n = 0;
    for (uint32_t c = 1; c < most && n < MOST_COUNTS - 1; c *= 2) {
        count[n++] = c;
    }
    count[n++] = most;
    return n;
}

static uint64_t misses_of(const struct core *core)
{
    const struct sm_stats *stats = core_stats(core);
    return stats->load_misses_coherent + stats->load_misses_divergent;
}

static void launch(struct dwt_core *dwt, uint64_t now)
{
    uint32_t count[MOST_COUNTS];
    const uint32_t most = limits_resident(dwt->core, dwt->all->cores->n);
    const uint32_t n = counts_of(most, count);
    dwt->launching = false;
    dwt->limits.warps = most;
    if (now < dwt->end) { /* else it has come too late for a sample */
        dwt->of = dwt->limits.warps = count[core_id(dwt->core) % n];
    }
}

/* The count whose SMs issued most on average; of equal ones the largest. */
static uint32_t best_count(const struct dwt *all, uint32_t most)
{
    uint32_t count[MOST_COUNTS], best = most;
    double best_mean = -1;
    for (uint32_t k = counts_of(most, count); k-- > 0;) {
        uint64_t sum = 0, n = 0;
        for (uint32_t i = 0; i < all->cores->n; i++) {
            const struct dwt_core *other = instance_at(all->cores, i);
            sum += other->of == count[k] ? other->instructions : 0;
            n += other->of == count[k];
        }
        if (n > 0 && (double)sum / (double)n > best_mean) {
            best_mean = (double)sum / (double)n;
            best = count[k];
        }
    }
    return best;
}

static bool misses_little(const struct dwt *all)
{
    uint64_t instructions = 0, misses = 0;
    for (uint32_t i = 0; i < all->cores->n; i++) {
        const struct dwt_core *other = instance_at(all->cores, i);
        instructions += other->instructions;
        misses += other->misses;
    }
    return misses * 1000 < all->mpki * instructions;
}

static void decide(struct dwt_core *dwt)
{
    const uint32_t most = limits_resident(dwt->core, dwt->all->cores->n);
    const uint32_t best = misses_little(dwt->all) ? most : best_count(dwt->all, most);
    dwt->decided = true;
    dwt->limits.warps = best;
    dwt->kernels++;
    dwt->throttled += best < most;
}

/* ---- cycles ---- */

static bool begin(void *self, uint64_t now, uint64_t skipped)
{
    struct dwt_core *dwt = self;
    (void)skipped;
    if (dwt->launching) {
        launch(dwt, now);
    } else if (!dwt->decided && now > dwt->end) {
        decide(dwt);
    }
    return true;
}

static bool end(void *self)
{
    struct dwt_core *dwt = self;
    if (!dwt->decided && core_now(dwt->core) < dwt->end) {
        dwt->instructions = core_stats(dwt->core)->thread_instructions - dwt->instructions0;
        dwt->misses = misses_of(dwt->core) - dwt->misses0;
    }
    return !dwt->decided;
}

static void kernel_start(void *self, uint32_t sm)
{
    struct dwt_core *dwt = self;
    (void)sm;
    dwt->launching = true;
    dwt->decided = false;
    dwt->end = machine_now(dwt->all->machine) + dwt->all->window_cycles;
    dwt->of = dwt->instructions = dwt->misses = 0;
    dwt->instructions0 = core_stats(dwt->core)->thread_instructions;
    dwt->misses0 = misses_of(dwt->core);
}

/* ---- attaching ---- */

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct dwt_core *dwt = instance;
    const struct observer observer = {.self = dwt, .kernel_start = kernel_start};
    const struct clocked_socket clock = {dwt, begin, end};
    dwt->core = core;
    return limits_join(context, core, &dwt->limits) != 0 ||
                   plug_observer(core, &context->plug, &observer) != 0
               ? -1
               : plug_clock(core, &context->plug, &clock);
}

static void statistics(void *self, json_t *into)
{
    const struct dwt *dwt = self;
    static const struct counter counters[] = {
        {"held_back", offsetof(struct dwt_core, limits.held_back)},
        {"decisions", offsetof(struct dwt_core, kernels)},
        {"decisions_to_throttle", offsetof(struct dwt_core, throttled)}};
    instances_put(dwt->cores, counters, sizeof counters / sizeof *counters, into);
}

static int attach(struct mechanism_context *context)
{
    struct dwt *dwt = mechanism_keep(context, sizeof *dwt);
    const struct mechanism_report report = {
        .self = dwt, .name = "dwt-pric", .statistics = statistics};
    if (dwt == NULL || index_attach_l1d(context) != 0 ||
        (dwt->cores = instances_of_cores(context, sizeof(struct dwt_core), attach_core)) == NULL) {
        return -1;
    }
    dwt->machine = context->machine;
    dwt->window_cycles = (uint64_t)mechanism_value(context, "window");
    dwt->mpki = (uint64_t)mechanism_value(context, "mpki");
    for (uint32_t i = 0; i < dwt->cores->n; i++) {
        ((struct dwt_core *)instance_at(dwt->cores, i))->all = dwt;
    }
    return mechanism_reports(context, &report);
}

/* ---- what it says of itself ---- */

static bool has_warps(const struct gpu_config *config)
{
    return config->sm_warps % config->sm_schedulers == 0 &&
           config->sm_warps / config->sm_schedulers >= 2;
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("window", 25000, 2, 1 << 24, "core cycles of sampling at the start of a kernel",
                 "3.15"),
    OPTION_COUNT("mpki", 0, 0, 1000, "below so many misses per 1000 thread instructions: no limit",
                 "3.15")};
static const struct mechanism_part parts[] = {{"index", "pli"}, {"limit", "warp_limit"}};
static const struct mechanism_need needs[] = {
    {has_warps, "schedulers need the same number of warps each, 2 or more; set sm.warps, "
                "sm.schedulers"}};

const struct mechanism mechanism_dwt_pric = {
    .name = "dwt-pric",
    .title = "L1D and schedulers: polynomial index and sampled warp throttling, DWT-like",
    .document = "aci-iacm-blpp",
    .section = "3.15",
    MECHANISM_OPTIONS(options),
    MECHANISM_PARTS(parts),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_QUIET,
    .attach = attach};
