/* drd.c - sequential consistency by dynamic race detection (tabbakh2018-coherence 3.7): a
 * race detection unit in front of the L2, an access validation unit in every SM.
 *
 * drd-nospec (S18): a warp has one memory instruction under way, as 3.4 has it for all
 * sequentially consistent systems.  The source lets the whole memory pipeline wait under a
 * miss and a write (§4.2.3), which on this machine, where a miss takes some 300 cycles, costs
 * not 20 % but 6 to 30 times; stall=sm is that reading.  What warps of an SM owe each other
 * without it: drd_l1.c, own=waits, D-R20.
 *
 * drd-ideal (S20): nothing waits for a race check, synchronisation points happen at once.
 * A limit study, as in the source: what misses by race detection cost, not a machine that is
 * sequentially consistent.  Its order is that of fences and barriers (release consistency).
 *
 * Limit: of an address the units see 32 bits; a run that uses others is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/coherence/coherence.h"
#include "mechanisms/drd/drd_spec.h"

static void speculation(const struct drd *drd, json_t *into)
{
    const struct {
        const char *name;
        size_t at;
    } counters[] = {
#define C(name) {#name, offsetof(struct drd_spec, name)}
        C(queued), C(speculative_hits), C(failed), C(rolled_back), C(executed_again)};
#undef C
    for (size_t c = 0; c < sizeof counters / sizeof *counters; c++) {
        uint64_t sum = 0, one;
        for (uint32_t i = 0; i < drd->n_sms; i++) {
            memcpy(&one, (const char *)drd->sm[i].spec + counters[c].at, sizeof one);
            sum += one;
        }
        put_count(into, counters[c].name, sum);
    }
}

static void statistics(void *self, json_t *into)
{
    const struct drd *drd = self;
    uint64_t avu = 0, expired = 0, limit = 0, rechecks = 0, misses = 0;
    for (uint32_t i = 0; i < drd->n_sms; i++) {
        avu += drd->sm[i].avu_misses;
        expired += drd->sm[i].expired_misses;
        limit += drd->sm[i].limit_checks;
        rechecks += drd->sm[i].rechecks;
        misses += drd->sm[i].misses;
    }
    if (drd->options.mode == DRD_SPEC) {
        speculation(drd, into);
    }
    const struct {
        const char *name;
        uint64_t value;
    } counters[] = {{"race_checks", drd->race_checks},
                    {"points_store", drd->store_points},
                    {"points_race", drd->race_points},
                    {"points_forced", drd->forced_points},
                    {"misses", misses},
                    {"avu_misses", avu},
                    {"expired_misses", expired},
                    {"limit_checks", limit},
                    {"rechecks", rechecks}};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        put_count(into, counters[i].name, counters[i].value);
    }
}

static const char *difference(void *self)
{
    struct drd *drd = self;
    if (drd->no_memory) {
        return "no memory for the stores of sig=exact";
    }
    for (uint32_t i = 0; i < drd->n_sms; i++) {
        if (drd->sm[i].inbox.no_memory || (drd->sm[i].spec != NULL && drd->sm[i].spec->no_memory)) {
            snprintf(drd->difference, sizeof drd->difference,
                     "sm%u: no memory for messages or warps", i);
            return drd->difference;
        }
    }
    return NULL;
}

static int read_options(struct mechanism_context *context, struct drd_options *options,
                        enum drd_mode mode)
{
    options->mode = mode;
#define O(key, ...) options->key = (uint32_t)mechanism_value(context, #key);
    DRD_OPTIONS(O, O, O)
#undef O
    options->own |= mode == DRD_IDEAL;
    if (mode == DRD_IDEAL && options->pace != 0) {
        return mechanism_fail(context, "%s: its checks take no time; leave out pace=units",
                              context->mechanism->name);
    }
    if (options->sig != 0 && (options->once || options->retag)) {
        return mechanism_fail(context, "%s: sig=exact does not go with %s=1; leave one out",
                              context->mechanism->name, options->once ? "once" : "retag");
    }
    return 0;
}

static void free_messages(void *self)
{
    struct drd *drd = self;
    drd_exact_free(drd->exact);
    for (uint32_t i = 0; i < drd->n_sms; i++) {
        free(drd->sm[i].inbox.message);
        free(drd->sm[i].inbox.sig);
    }
}

static int make_sm(struct mechanism_context *context, struct drd *drd, uint32_t number)
{
    struct drd_sm *sm = &drd->sm[number];
    sm->drd = drd;
    sm->core = machine_core(drd->machine, number);
    sm->l1d = core_l1d(sm->core);
    sm->line = mechanism_keep(context, (size_t)sm->l1d->sets * sm->l1d->ways * sizeof *sm->line);
    sm->bound = mechanism_keep(context, core_mshrs(sm->core)->n * sizeof *sm->bound);
    return sm->line != NULL && sm->bound != NULL ? 0 : -1;
}

/* Storage of every SM. */
static int make_sms(struct mechanism_context *context, struct drd *drd)
{
    drd->n_sms = machine_cores(drd->machine);
    drd->sm = mechanism_keep(context, drd->n_sms * sizeof *drd->sm);
    if (drd->sm == NULL || mechanism_at_end(context, free_messages, drd) != 0) {
        return -1;
    }
    if (drd->options.sig != 0 && (drd->exact = drd_exact_new(drd_shift(&drd->options))) == NULL) {
        return mechanism_fail(context, "out of memory");
    }
    for (uint32_t i = 0; i < drd->n_sms; i++) {
        if (make_sm(context, drd, i) != 0) {
            return -1;
        }
    }
    return 0;
}

static int plug(struct mechanism_context *context, struct drd *drd)
{
    for (uint32_t i = 0; i < drd->n_sms; i++) {
        if ((drd->options.mode == DRD_SPEC && drd_spec_open(context, &drd->sm[i]) != 0) ||
            drd_plug_l1(context, &drd->sm[i]) != 0) {
            return -1;
        }
    }
    return drd_plug_l2(context, drd);
}

static int attach(struct mechanism_context *context, enum drd_mode mode)
{
    const struct coherence_rules rules = {.sequential = mode == DRD_NOSPEC,
                                          .barrier_drains = mode == DRD_IDEAL,
                                          .global_write = WRITE_THROUGH};
    struct drd *drd = mechanism_keep(context, sizeof *drd);
    if (drd == NULL || read_options(context, &drd->options, mode) != 0) {
        return -1;
    }
    drd->machine = context->machine;
    const struct mechanism_report report = {drd, "drd", statistics, difference};
    coherence_machine(context->machine, &rules);
    if (make_sms(context, drd) != 0 || drd_open(context, drd) != 0 || plug(context, drd) != 0) {
        return -1;
    }
    return mechanism_reports(context, &report);
}

static int attach_nospec(struct mechanism_context *context)
{
    return attach(context, DRD_NOSPEC);
}

static int attach_ideal(struct mechanism_context *context)
{
    return attach(context, DRD_IDEAL);
}

static int attach_spec(struct mechanism_context *context)
{
    return attach(context, DRD_SPEC);
}

/* ---- what it says of itself ---- */

static bool unit_serves_the_sms(const struct gpu_config *config)
{
    return config->machine_sms >= 2 && config->machine_sms <= 16;
}

static const struct mechanism_need needs[] = {
    {unit_serves_the_sms, "the race detection unit serves 2 to 16 SMs; set machine.sms"}};
static const struct mechanism_option options[] = {
#define N(key, standard, least, greatest, meaning, section) \
    OPTION_COUNT(#key, standard, least, greatest, meaning, section),
#define P(key, standard, least, greatest, meaning, section) \
    OPTION_POWER(#key, standard, least, greatest, meaning, section),
#define W(key, standard, words, meaning, section) \
    OPTION_CHOICE(#key, standard, words, meaning, section),
    DRD_OPTIONS(N, P, W)
#undef N
#undef P
#undef W
};
static const struct mechanism_part parts[] = {
    {"rdu", "rdu"}, {"avu", "avu"}, {"avu_queue", "avu_queue"}, {"avu_rename", "avu_rename"}};

#define RACE_DETECTION(mode_, name_, title_, model_, n_parts_) \
    const struct mechanism mechanism_drd_##mode_ = {.name = name_, \
                                                    .title = title_, \
                                                    .document = "tabbakh2018-coherence", \
                                                    .section = "3.7", \
                                                    .memory_model = model_, \
                                                    MECHANISM_OPTIONS(options), \
                                                    .parts = parts, \
                                                    .n_parts = n_parts_, \
                                                    MECHANISM_NEEDS(needs), \
                                                    .attach = attach_##mode_};
RACE_DETECTION(nospec, "drd-nospec",
               "coherence: sequential consistency by race detection, a warp waits (DRD No-Spec)",
               "sc", 2)
RACE_DETECTION(ideal, "drd-ideal",
               "race detection whose checks take no time, a limit study (DRD Ideal)", "rc-weak", 2)
RACE_DETECTION(spec, "drd-spec",
               "sequential consistency by race detection, with speculative loads (DRD Spec)", "sc",
               4)
