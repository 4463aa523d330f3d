/* stream_bypass.c - a cache whose misses are too many for its accesses is switched off for a
 * while: stream bypass, which the document compares with (tabbakh2018 3.3, D-B1).
 *
 * Each L1D and each L2 bank samples for a period; when the share of misses is above the threshold,
 * blocks that come in the next period take no line (C only).  Lines that are there still hit.  The
 * period after that samples again. */
#include "mechanisms/instances.h"

struct sampler {
    uint64_t period, ends, accesses, misses, off_periods, bypasses;
    double threshold;
    bool off;
    struct policy_socket inner;
};

/* Periods that ended before `cycle`: the first by what was counted, others saw no access. */
static void move_on(struct sampler *s, uint64_t cycle)
{
    if (cycle < s->ends) {
        return;
    }
    const bool more = cycle >= s->ends + s->period;
    s->off = !s->off && !more && s->accesses > 0 &&
             (double)s->misses > s->threshold * (double)s->accesses;
    s->off_periods += s->off;
    s->ends = cycle - cycle % s->period + s->period;
    s->accesses = s->misses = 0;
}

static void acc_result(void *self, uint32_t owner, const struct access_info *access, uint32_t set,
                       enum access_result result)
{
    struct sampler *s = self;
    (void)owner, (void)set;
    move_on(s, access->cycle);
    s->accesses++;
    s->misses += result == RESULT_MISS || result == RESULT_BYPASS;
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    const struct sampler *s = self;
    s->inner.touch(s->inner.self, set, way, access);
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct sampler *s = self;
    if (s->off && access->kind == ACCESS_LOAD) {
        s->bypasses++;
        return POLICY_BYPASS;
    }
    return s->inner.victim(s->inner.self, set, invalid, replaceable, access);
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    const struct sampler *s = self;
    s->inner.insert(s->inner.self, set, way, access);
}

static void prepare(struct mechanism_context *context, struct sampler *s,
                    struct policy_socket *policy, struct observer *observer)
{
    s->period = (uint64_t)mechanism_value(context, "period");
    s->threshold = (double)mechanism_value(context, "thr") / 100;
    s->ends = s->period;
    *policy = (struct policy_socket){.self = s, .touch = touch, .victim = victim, .insert = insert};
    *observer = (struct observer){.self = s, .acc_result = acc_result};
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct sampler *s = instance;
    struct policy_socket policy;
    struct observer observer;
    prepare(context, s, &policy, &observer);
    return plug_around_policy(core, &context->plug, &policy, &s->inner) != 0
               ? -1
               : plug_observer(core, &context->plug, &observer);
}

static int attach_bank(struct mechanism_context *context, struct bank *bank, void *instance)
{
    struct sampler *s = instance;
    struct policy_socket policy;
    struct observer observer;
    prepare(context, s, &policy, &observer);
    return plug_bank_policy(bank, &context->plug, &policy, &s->inner) != 0
               ? -1
               : plug_bank_observer(bank, &context->plug, &observer);
}

struct both {
    struct instances *l1, *l2;
};

static void statistics(void *self, json_t *into)
{
    const struct both *both = self;
    static const struct counter l1[] = {{"l1d_periods_off", offsetof(struct sampler, off_periods)},
                                        {"l1d_bypasses", offsetof(struct sampler, bypasses)}};
    static const struct counter l2[] = {{"l2_periods_off", offsetof(struct sampler, off_periods)},
                                        {"l2_bypasses", offsetof(struct sampler, bypasses)}};
    instances_put(both->l1, l1, 2, into);
    instances_put(both->l2, l2, 2, into);
}

static int attach(struct mechanism_context *context)
{
    struct both *both = mechanism_keep(context, sizeof *both);
    const struct mechanism_report report = {
        .self = both, .name = "stream-bypass", .statistics = statistics};
    if (both == NULL ||
        (both->l1 = instances_of_cores(context, sizeof(struct sampler), attach_core)) == NULL ||
        (both->l2 = instances_of_banks(context, sizeof(struct sampler), attach_bank)) == NULL) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static bool has_lines(const struct gpu_config *config)
{
    return config->l1d_enable && config->l1d_sector_bytes == 0 && !config->l2_sectors &&
           config->l1d_allocate == ALLOCATE_ON_FILL;
}

static const struct mechanism_option options[] = {
    OPTION_COUNT("period", 10000, 100, 100000000, "core cycles of a sample, and of a cache off",
                 "D-B1"),
    OPTION_COUNT("thr", 80, 0, 100, "misses in 100 accesses above which a cache goes off", "D-B1")};
static const struct mechanism_need needs[] = {
    {has_lines, "it skips the allocation of lines by fills; set l1d.enable=yes, "
                "l1d.allocate=on-fill, l1d.sector_bytes=0, l2.sectors=no"}};

const struct mechanism mechanism_stream_bypass = {
    .name = "stream-bypass",
    .title = "L1D and L2: off for a period after one with too many misses (C only)",
    .document = "tabbakh2018",
    .section = "3.3",
    MECHANISM_OPTIONS(options),
    MECHANISM_NEEDS(needs),
    .promises = PLUG_LOCAL | PLUG_STILL,
    .attach = attach};
