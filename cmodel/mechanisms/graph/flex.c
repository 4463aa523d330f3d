/* flex.c - set dueling over all L2 banks: the misses of a tick move PSEL at its end
 * (lakshminarayana2014 3.3.3; flex_sdm). */
#include <stdio.h>

#include "mechanisms/graph/hier.h"

void flex_miss(struct flex *flex, uint32_t bank, uint64_t set)
{
    *flex->miss_valid |= UINT64_C(1) << bank;
    flex->miss_set[bank] = set;
}

static bool begin(void *self, uint64_t tick)
{
    (void)self, (void)tick;
    return true;
}

static bool end(void *self)
{
    struct flex *flex = self;
    if (*flex->miss_valid != 0) {
        pins_comb(&flex->sdm);
        flex->ticks_with_misses++;
        flex->exclusive_ticks += *flex->mode_follow;
        flex->changes += *flex->mode_changes;
        pins_seq(&flex->sdm);
        *flex->miss_valid = 0;
        pins_comb(&flex->sdm);
    }
    return false;
}

int flex_attach(struct mechanism_context *context, struct flex *flex)
{
    const struct pin_name ports[] = {{&flex->miss_valid, "miss_valid"},
                                     {&flex->miss_set, "miss_set"},
                                     {&flex->mode_follow, "mode_follow"},
                                     {&flex->psel, "psel"},
                                     {&flex->mode_changes, "mode_changes"}};
    const struct machine_clock_socket clock = {flex, begin, end};
    const uint32_t banks = machine_banks(context->machine);
    const uint32_t sets = bank_cache(machine_bank(context->machine, 0))->sets;
    char overrides[48];
    snprintf(overrides, sizeof overrides, "SLICES=%u,SETS=%u", banks, banks * sets);
    if (pins_open(context, &flex->sdm, "flex_sdm", overrides, "l2.sdm") != 0 ||
        pins_all(context, &flex->sdm, PINS(ports)) != 0) {
        return -1;
    }
    pins_comb(&flex->sdm);
    return plug_machine_clock(context->machine, &context->plug, &clock);
}
