/* counting.c - see counting.h.
 *
 * The unit is stepped when something happens.  Cacheable loads count, at both levels: what is bypassed is in
 * no miss rate; a load that joins a miss under way is an access and no miss, as in the document's
 * simulator. */
#include "mechanisms/blpp/counting.h"

#include <stdio.h>

/* An event of cycle `cycle`, whose inputs are set, is counted; before, windows that are over are closed. */
static void count(struct blpp_site *site, uint64_t cycle)
{
    const uint64_t window = cycle / site->window_cycles;
    if (window != site->window) {
        pins_comb(&site->monitor);
        for (unsigned c = 0; c < BLPP_COUNTS; c++) {
            site->before[c] = *site->of[c];
            site->total[c] += *site->of[c];
        }
        site->closed = site->window;
        site->window = window;
        *site->sample = 1;
    }
    pins_seq(&site->monitor);
    *site->sample = 0;
    for (unsigned c = 0; c < BLPP_COUNTS; c++) {
        *site->in[c] = 0;
    }
}

static void load(struct blpp_site *site, const struct access_info *access,
                 enum access_result result, enum blpp_count accesses)
{
    if (access->kind != ACCESS_LOAD || result == RESULT_BYPASS) {
        return;
    }
    *site->in[accesses] = 1;
    *site->in[accesses + 1] = result == RESULT_MISS;
    count(site, access->cycle);
}

static void core_result(void *self, uint32_t sm, const struct access_info *access, uint32_t set,
                        enum access_result result)
{
    (void)sm, (void)set;
    load(self, access, result, COUNT_L1);
}

static void bank_result(void *self, uint32_t bank, const struct access_info *access, uint32_t set,
                        enum access_result result)
{
    (void)bank, (void)set;
    load(self, access, result, COUNT_L2);
}

static void message(void *self, uint32_t sm, uint32_t bytes, uint64_t cycle)
{
    struct blpp_site *site = self;
    (void)sm;
    *site->in[COUNT_BYTES] = bytes;
    count(site, cycle);
}

static int open_monitor(struct mechanism_context *context, struct blpp_site *site,
                        const char *where)
{
    const struct pin_name in[] = {{&site->sample, "sample"},
                                  {&site->in[COUNT_L1], "l1_access"},
                                  {&site->in[COUNT_L1_MISSES], "l1_miss"},
                                  {&site->in[COUNT_L2], "l2_access"},
                                  {&site->in[COUNT_L2_MISSES], "l2_miss"},
                                  {&site->in[COUNT_BYTES], "bytes"}};
    const struct pin_name out[] = {{&site->of[COUNT_L1], "l1_accesses"},
                                   {&site->of[COUNT_L1_MISSES], "l1_misses"},
                                   {&site->of[COUNT_L2], "l2_accesses"},
                                   {&site->of[COUNT_L2_MISSES], "l2_misses"},
                                   {&site->of[COUNT_BYTES], "byte_count"}};
    site->window_cycles = (uint64_t)mechanism_value(context, "window");
    return pins_open(context, &site->monitor, "blpp_monitor", "", where) != 0
               ? -1
               : pins_wire(context, &site->monitor, PINS(in), PINS(out));
}

int blpp_watch_core(struct mechanism_context *context, struct core *core, struct blpp_site *site)
{
    const struct observer observer = {.self = site, .acc_result = core_result, .message = message};
    char where[48];
    snprintf(where, sizeof where, "sm%u.monitor", core_id(core));
    return open_monitor(context, site, where) != 0 ? -1
                                                   : plug_observer(core, &context->plug, &observer);
}

int blpp_watch_bank(struct mechanism_context *context, struct bank *bank, struct blpp_site *site)
{
    const struct observer observer = {.self = site, .acc_result = bank_result};
    char where[48];
    snprintf(where, sizeof where, "l2.%u.monitor", bank_id(bank));
    return open_monitor(context, site, where) != 0
               ? -1
               : plug_bank_observer(bank, &context->plug, &observer);
}

void blpp_add_window(const struct blpp_site *site, uint64_t window, uint64_t into[BLPP_COUNTS])
{
    pins_comb(&site->monitor);
    for (unsigned c = 0; c < BLPP_COUNTS; c++) {
        into[c] += site->window == window                            ? *site->of[c]
                   : site->window > window && site->closed == window ? site->before[c]
                                                                     : 0;
    }
}

void blpp_add_all(const struct blpp_site *site, uint64_t into[BLPP_COUNTS])
{
    pins_comb(&site->monitor);
    for (unsigned c = 0; c < BLPP_COUNTS; c++) {
        into[c] += site->total[c] + *site->of[c];
    }
}
