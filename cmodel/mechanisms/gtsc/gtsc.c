/* gtsc.c - G-TSC, GPU Time Stamp Coherence: attaching it, and the reset of all timestamps
 * when one overflows (tabbakh2018-coherence 3.6, 3.6.8).
 *
 * The reset controller is stepped in every L2 tick in which a bank waits for a reset or one
 * is under way, before anything else in that tick; in other ticks it has nothing to do.  A
 * probe reaches its SM at once and is not counted as traffic. */
#include "mechanisms/gtsc/gtsc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_L1_LINES = 4096, MOST_L2_LINES = 16384, MOST_BANKS = 32 };

/* ---- the reset controller ---- */

static uint64_t banks_waiting(const struct gtsc *gtsc)
{
    uint64_t mask = 0;
    for (uint32_t b = 0; b < gtsc->gpu->n_banks; b++) {
        mask |= (uint64_t)gtsc->l2[b].overflow << b;
    }
    return mask;
}

/* Nothing is being answered; a request that waits for the reset is parked. */
static uint64_t banks_drained(const struct gtsc *gtsc)
{
    uint64_t mask = 0;
    for (uint32_t b = 0; b < gtsc->gpu->n_banks; b++) {
        mask |= (uint64_t)(gtsc->gpu->bank[b].serving < 0 || gtsc->l2[b].overflow) << b;
    }
    return mask;
}

static void step(struct gtsc *gtsc)
{
    pins_comb(&gtsc->ctl);
    const uint64_t epoch = *gtsc->ctl_out.epoch;
    uint64_t adopted = 0;
    for (uint32_t s = 0; s < gtsc->gpu->n_sms; s++) {
        adopted |= (uint64_t)(gtsc->l1[s].epoch == epoch) << s;
    }
    *gtsc->ctl_in.overflow = banks_waiting(gtsc);
    *gtsc->ctl_in.drained = banks_drained(gtsc);
    *gtsc->ctl_in.adopted = adopted;
    pins_comb(&gtsc->ctl);
    for (uint64_t left = *gtsc->ctl_out.probe & ~adopted; left != 0; left &= left - 1) {
        gtsc_l1_probe(&gtsc->l1[__builtin_ctzll(left)], epoch);
        gtsc->probes++;
    }
    const bool flash = *gtsc->ctl_out.flash;
    pins_seq(&gtsc->ctl);
    for (uint32_t b = 0; b < gtsc->gpu->n_banks && flash; b++) {
        gtsc_l2_flash(&gtsc->l2[b]);
    }
    gtsc->resets += flash;
}

static bool begin(void *self, uint64_t tick)
{
    struct gtsc *gtsc = ((struct gtsc_l2 *)self)->gtsc;
    pins_comb(&gtsc->ctl);
    if (gtsc->ctl_tick != tick + 1) { /* the first bank stepped in this tick, whichever it is */
        gtsc->ctl_tick = tick + 1;
        if (*gtsc->ctl_out.stop || banks_waiting(gtsc) != 0) {
            step(gtsc);
            pins_comb(&gtsc->ctl);
        }
    }
    return !*gtsc->ctl_out.stop;
}

/* Somebody must be stepped in every tick of a reset, if its port is busy too. */
static bool end(void *self)
{
    return ((const struct gtsc_l2 *)self)->overflow;
}

/* ---- statistics ---- */

static void statistics(void *self, json_t *into)
{
    const struct gtsc *gtsc = self;
    struct gtsc_l1 sum = {0};
    struct gtsc_l2 banks = {0};
    for (uint32_t s = 0; s < gtsc->gpu->n_sms; s++) {
        sum.lease_expired += gtsc->l1[s].lease_expired;
        sum.lock_retries += gtsc->l1[s].lock_retries;
        sum.old_messages += gtsc->l1[s].old_messages;
        sum.merges_failed += gtsc->l1[s].merges_failed;
        sum.resets_adopted += gtsc->l1[s].resets_adopted;
        sum.parked += gtsc->l1[s].parked;
        sum.renewals_orphaned += gtsc->l1[s].renewals_orphaned;
    }
    for (uint32_t b = 0; b < gtsc->gpu->n_banks; b++) {
        banks.fills += gtsc->l2[b].fills;
        banks.renewals += gtsc->l2[b].renewals;
        banks.acks += gtsc->l2[b].acks;
    }
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"fills", banks.fills},
               {"renewals", banks.renewals},
               {"acks", banks.acks},
               {"renewals_orphaned", sum.renewals_orphaned},
               {"expired_misses", sum.lease_expired},
               {"lock_retries", sum.lock_retries},
               {"parked_waiters", sum.parked},
               {"merges_failed", sum.merges_failed},
               {"resets", gtsc->resets},
               {"resets_adopted", sum.resets_adopted},
               {"probes", gtsc->probes},
               {"old_messages", sum.old_messages}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        json_object_set_new(into, all[i].name, json_integer((json_int_t)all[i].value));
    }
}

/* ---- plugging in ---- */

static int check_machine(struct mechanism_context *context)
{
    const struct gpu_config *c = &context->gpu->config;
    const char *what = NULL;
    if (c->l2_write != L2_WRITE_BACK_FETCH) {
        what = "a written line needs its stamps from DRAM; set l2.write=back-fetch";
    } else if (c->l1d_sets * c->l1d_ways > MOST_L1_LINES ||
               c->l2_sets * c->l2_ways > MOST_L2_LINES || context->gpu->n_banks > MOST_BANKS) {
        what = "at most 4096 lines an L1D, 16384 a bank, 32 banks; lower l1d or l2 sizes";
    } else if (c->sm_warps < 2 || c->l1d_sets * c->l1d_ways < 2) {
        what = "needs 2 warps and 2 lines at least; raise sm.warps or l1d.ways";
    } else if (context->gpu->sm[0].sockets.n_clocked != 0) {
        what = "an L1D whose index changes would lose locks; leave that mechanism out";
    }
    if (what != NULL) {
        snprintf(context->error, context->n_error, "gtsc: %s", what);
    }
    return what != NULL ? -1 : 0;
}

static int plug(struct mechanism_context *context, struct gtsc *gtsc)
{
    for (uint32_t s = 0; s < gtsc->gpu->n_sms; s++) {
        gtsc_l1_plug(&gtsc->l1[s]);
    }
    for (uint32_t b = 0; b < gtsc->gpu->n_banks; b++) {
        struct bank_sockets *sockets = &gtsc->gpu->bank[b].sockets;
        if (sockets->n_clocked == MAX_CLOCKED) {
            snprintf(context->error, context->n_error,
                     "-m names more than %d mechanisms clocked with an L2 bank; leave some out",
                     MAX_CLOCKED);
            return -1;
        }
        gtsc_l2_plug(&gtsc->l2[b]);
        sockets->clocked[sockets->n_clocked++] = (struct clocked_socket){
            .self = &gtsc->l2[b], .begin = begin, .end = end};
    }
    const struct mechanism_report report = {gtsc, "gtsc", statistics, NULL};
    return mechanism_reports(context, &report);
}

/* Storage, and what each part knows of the machine. */
static struct gtsc *make(struct mechanism_context *context, bool rc)
{
    struct gpu *gpu = context->gpu;
    struct gtsc *gtsc = mechanism_keep(context, sizeof *gtsc);
    if (gtsc == NULL) {
        return NULL;
    }
    gtsc->gpu = gpu;
    gtsc->l1 = mechanism_keep(context, gpu->n_sms * sizeof *gtsc->l1);
    gtsc->l2 = mechanism_keep(context, gpu->n_banks * sizeof *gtsc->l2);
    if (gtsc->l1 == NULL || gtsc->l2 == NULL) {
        return NULL;
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        gtsc->l1[s].sm = &gpu->sm[s];
        gtsc->l1[s].rc = rc;
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        gtsc->l2[b].gtsc = gtsc;
        gtsc->l2[b].bank = &gpu->bank[b];
    }
    return gtsc;
}

/* `argument`: sc or rc with the lease; then timestamp bits; then a parameter of gtsc_l1. */
int attach_gtsc(struct mechanism_context *context, const char *argument)
{
    const struct gpu_config *c = &context->gpu->config;
    const bool rc = strncmp(argument, "rc", 2) == 0;
    const struct coherence_rules rules = {
        .sequential = !rc, .barrier_drains = rc, .global_write = WRITE_THROUGH, .leases = true};
    char *more, l1_parameters[128], l2_parameters[96];
    const uint64_t lease = strtoull(argument + 2, &more, 10);
    const int ts_bits = *more == ' ' ? (int)strtol(more, &more, 10) : 16;
    const char *variant = *more == ' ' ? more + 1 : ""; /* a parameter of gtsc_l1 */
    if (check_machine(context) != 0 || coherence_machine(context, "gtsc", &rules) != 0) {
        return -1;
    }
    struct gtsc *gtsc = make(context, rc);
    snprintf(l1_parameters, sizeof l1_parameters, "LINES=%u,WARPS=%u,RC=%d,TS_BITS=%d%s%s",
             c->l1d_sets * c->l1d_ways, c->sm_warps, rc, ts_bits, *variant ? "," : "", variant);
    snprintf(l2_parameters, sizeof l2_parameters, "LINES=%u,TS_BITS=%d", c->l2_sets * c->l2_ways,
             ts_bits);
    if (gtsc == NULL || gtsc_open(context, gtsc, l1_parameters, l2_parameters) != 0) {
        return -1;
    }
    for (uint32_t b = 0; b < context->gpu->n_banks; b++) {
        *gtsc->l2[b].in.lease = lease;
    }
    return plug(context, gtsc);
}
