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
 * Limit: of an address the units see 32 bits; addresses that share them count as one. */
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
        for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
            memcpy(&one, (const char *)drd->sm[i].spec + counters[c].at, sizeof one);
            sum += one;
        }
        json_object_set_new(into, counters[c].name, json_integer((json_int_t)sum));
    }
}

static void statistics(void *self, json_t *into)
{
    const struct drd *drd = self;
    uint64_t avu = 0, expired = 0, limit = 0, rechecks = 0, misses = 0;
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
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
        json_object_set_new(into, counters[i].name, json_integer((json_int_t)counters[i].value));
    }
}

static const char *difference(void *self)
{
    struct drd *drd = self;
    if (drd->no_memory) {
        return "no memory for the stores of sig=exact";
    }
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        if (drd->sm[i].inbox.no_memory || (drd->sm[i].spec != NULL && drd->sm[i].spec->no_memory)) {
            snprintf(drd->difference, sizeof drd->difference,
                     "sm%u: no memory for messages or warps", i);
            return drd->difference;
        }
    }
    return NULL;
}

static int read_options(struct mechanism_context *context, struct drd *drd, const char *argument)
{
    static const char *const modes[] = {"nospec", "ideal", "spec"};
    char text[320];
    const char *more = strchr(argument, ' ');
    context->options_read = true;
    snprintf(text, sizeof text, "%s%s%s", more != NULL ? more + 1 : "",
             more != NULL && context->options[0] != '\0' ? ":" : "", context->options);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (strncmp(argument, modes[i], strcspn(argument, " ")) == 0) {
            drd->options.mode = (enum drd_mode)i;
        }
    }
    const enum drd_mode mode = drd->options.mode;
    const int status = drd_options_read(text, &drd->options, context->error, context->n_error);
    drd->options.mode = mode;
    drd->options.own |= mode == DRD_IDEAL;
    if (status == 0 && drd->options.sig != 0 && (drd->options.once || drd->options.retag)) {
        snprintf(context->error, context->n_error,
                 "drd: sig=exact does not go with %s=1; leave "
                 "one out",
                 drd->options.once ? "once" : "retag");
        return -1;
    }
    return status;
}

static void free_messages(void *self)
{
    struct drd *drd = self;
    drd_exact_free(drd->exact);
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        free(drd->sm[i].inbox.message);
        free(drd->sm[i].inbox.sig);
    }
}

/* Storage of every SM. */
static int make_sms(struct mechanism_context *context, struct drd *drd)
{
    drd->sm = mechanism_keep(context, drd->gpu->n_sms * sizeof *drd->sm);
    if (drd->sm == NULL || mechanism_at_end(context, free_messages, drd) != 0) {
        return -1;
    }
    if (drd->options.sig != 0 && (drd->exact = drd_exact_new(drd_shift(&drd->options))) == NULL) {
        snprintf(context->error, context->n_error, "drd: out of memory");
        return -1;
    }
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        struct drd_sm *sm = &drd->sm[i];
        sm->drd = drd;
        sm->sm = &drd->gpu->sm[i];
        const struct cache *l1d = &sm->sm->l1d;
        sm->line = mechanism_keep(context, (size_t)l1d->sets * l1d->ways * sizeof *sm->line);
        sm->bound = mechanism_keep(context, sm->sm->mshr.n * sizeof *sm->bound);
        if (sm->line == NULL || sm->bound == NULL) {
            return -1;
        }
        if (sm->sm->sockets.n_clocked == MAX_CLOCKED) {
            snprintf(context->error, context->n_error,
                     "drd: too many clocked mechanisms in an SM; leave one out");
            return -1;
        }
    }
    return 0;
}

int attach_drd(struct mechanism_context *context, const char *argument)
{
    struct drd *drd = mechanism_keep(context, sizeof *drd);
    if (drd == NULL || read_options(context, drd, argument) != 0) {
        return -1;
    }
    const bool ideal = drd->options.mode == DRD_IDEAL;
    const struct coherence_rules rules = {.sequential = drd->options.mode == DRD_NOSPEC,
                                          .barrier_drains = ideal,
                                          .global_write = WRITE_THROUGH};
    if (coherence_machine(context, "drd", &rules) != 0) {
        return -1;
    }
    drd->gpu = context->gpu;
    if (make_sms(context, drd) != 0 || drd_open(context, drd) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < drd->gpu->n_sms && drd->options.mode == DRD_SPEC; i++) {
        if (drd_spec_open(context, &drd->sm[i]) != 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < drd->gpu->n_sms; i++) {
        drd_plug_l1(&drd->sm[i]);
    }
    drd_plug_l2(drd);
    const struct mechanism_report report = {drd, "drd", statistics, difference};
    return mechanism_reports(context, &report);
}
