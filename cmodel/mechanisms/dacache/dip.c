/* dip.c - DIP: insertion at MRU or at LRU by set dueling, else LRU (wang2015 3.10). */
#include <string.h>

#include "mechanisms/dacache/duel.h"
#include "mechanisms/instances.h"

struct dip {
    uint32_t ways;
    bool always_lru; /* arm B makes no exceptions */
    struct duel duel;
    uint8_t stack[]; /* [sets * ways] ways from MRU to LRU */
};

static uint8_t *stack_of(struct dip *dip, uint32_t set)
{
    return &dip->stack[(size_t)set * dip->ways];
}

static void take_out(struct dip *dip, uint8_t *stack, uint32_t way)
{
    const uint8_t *at = memchr(stack, (int)way, dip->ways);
    const size_t position = (size_t)(at - stack);
    memmove(stack + position, stack + position + 1, dip->ways - 1 - position);
}

static void to_mru(struct dip *dip, uint8_t *stack, uint32_t way)
{
    take_out(dip, stack, way);
    memmove(stack + 1, stack, dip->ways - 1);
    stack[0] = (uint8_t)way;
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    (void)access;
    to_mru(self, stack_of(self, set), way);
}

static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    const struct dip *dip = self;
    const uint8_t *stack = stack_of(self, set);
    (void)access;
    if (invalid != 0) {
        return __builtin_ctz(invalid);
    }
    for (uint32_t at = dip->ways; at-- > 0;) {
        if (replaceable >> stack[at] & 1) {
            return stack[at];
        }
    }
    return POLICY_NONE;
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct dip *dip = self;
    uint8_t *stack = stack_of(dip, set);
    (void)access;
    const enum duel_choice choice = duel_insert(&dip->duel, set);
    if (choice == DUEL_B || (choice == DUEL_B_EXCEPTION && dip->always_lru)) {
        take_out(dip, stack, way);
        stack[dip->ways - 1] = (uint8_t)way;
    } else {
        to_mru(dip, stack, way);
    }
}

enum { INSERT_BIP, INSERT_LRU };

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    const struct gpu_config *config = core_config(core);
    const size_t lines = (size_t)config->l1d_sets * config->l1d_ways;
    struct dip *dip = instance;
    const struct policy_socket socket = {
        .self = dip, .touch = touch, .victim = victim, .insert = insert};
    dip->ways = config->l1d_ways;
    dip->always_lru = mechanism_value(context, "insert") == INSERT_LRU;
    duel_reset(&dip->duel);
    for (size_t at = 0; at < lines; at++) {
        dip->stack[at] = (uint8_t)(at % dip->ways);
    }
    return plug_policy(core, &context->plug, &socket);
}

static int attach(struct mechanism_context *context)
{
    const struct gpu_config *config = machine_config(context->machine);
    const size_t lines = (size_t)config->l1d_sets * config->l1d_ways;
    return instances_of_cores(context, sizeof(struct dip) + lines, attach_core) == NULL ? -1 : 0;
}

static const struct mechanism_option options[] = {OPTION_CHOICE(
    "insert", INSERT_BIP, "bip|lru",
    "where arm B of the duel inserts: at LRU but for every 32nd, or always", "D-DIP-3")};

const struct mechanism mechanism_dip = {
    .name = "dip",
    .title = "L1D: insertion at MRU or LRU by set dueling (C only)",
    .document = "wang2015",
    .section = "3.10",
    MECHANISM_OPTIONS(options),
    .promises = PLUG_LOCAL | PLUG_QUIET,
    .attach = attach};
