/* rrip.c - RRIP: 3-bit re-reference predictions, frequency priority, insertion at 6 or 7 by
 * set dueling (wang2015 3.11). */
#include <string.h>

#include "mechanisms/dacache/duel.h"
#include "mechanisms/instances.h"

enum { DISTANT = 7, LONG = 6 };

struct rrip {
    uint32_t sets, ways;
    struct duel duel;
    uint32_t *present; /* [sets] ways that hold or await a block */
    uint8_t rrpv[];    /* [sets * ways] */
};

static uint8_t *line_of(struct rrip *rrip, uint32_t set, uint32_t way)
{
    return &rrip->rrpv[(size_t)set * rrip->ways + way];
}

static void touch(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    uint8_t *rrpv = line_of(self, set, way);
    (void)access;
    *rrpv = (uint8_t)(*rrpv - (*rrpv > 0));
}

/* The first replaceable way at 7 after ageing all by as much as it takes: the first one
 * with the greatest prediction. */
static int victim(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                  const struct access_info *access)
{
    struct rrip *rrip = self;
    int best = POLICY_NONE;
    (void)access;
    if (invalid != 0) {
        return __builtin_ctz(invalid);
    }
    for (uint32_t way = 0; way < rrip->ways; way++) {
        if ((replaceable >> way & 1) &&
            (best < 0 || *line_of(rrip, set, way) > *line_of(rrip, set, (uint32_t)best))) {
            best = (int)way;
        }
    }
    return best;
}

static void age(struct rrip *rrip, uint32_t set, uint32_t by)
{
    for (uint32_t way = 0; way < rrip->ways; way++) {
        uint8_t *rrpv = line_of(rrip, set, way);
        *rrpv = (uint8_t)(*rrpv + by < DISTANT ? *rrpv + by : DISTANT);
    }
}

static void insert(void *self, uint32_t set, uint32_t way, const struct access_info *access)
{
    struct rrip *rrip = self;
    (void)access;
    if (rrip->present[set] >> way & 1) { /* replaced: the ageing that made it the victim */
        age(rrip, set, (uint32_t)(DISTANT - *line_of(rrip, set, way)));
    }
    rrip->present[set] |= UINT32_C(1) << way;
    *line_of(rrip, set, way) = duel_insert(&rrip->duel, set) == DUEL_B ? DISTANT : LONG;
}

static void invalidate(void *self, uint32_t set, uint32_t way)
{
    struct rrip *rrip = self;
    rrip->present[set] &= ~(UINT32_C(1) << way);
}

static void kernel_start(void *self)
{
    struct rrip *rrip = self;
    memset(rrip->present, 0, rrip->sets * sizeof *rrip->present);
}

static int attach_core(struct mechanism_context *context, struct core *core, void *instance)
{
    struct rrip *rrip = instance;
    const struct policy_socket socket = {.self = rrip,
                                         .touch = touch,
                                         .victim = victim,
                                         .insert = insert,
                                         .invalidate = invalidate,
                                         .kernel_start = kernel_start};
    rrip->sets = core_config(core)->l1d_sets;
    rrip->ways = core_config(core)->l1d_ways;
    rrip->present = mechanism_keep(context, rrip->sets * sizeof *rrip->present);
    duel_reset(&rrip->duel);
    return rrip->present == NULL ? -1 : plug_policy(core, &context->plug, &socket);
}

static int attach(struct mechanism_context *context)
{
    const struct gpu_config *config = machine_config(context->machine);
    const size_t lines = (size_t)config->l1d_sets * config->l1d_ways;
    return instances_of_cores(context, sizeof(struct rrip) + lines, attach_core) == NULL ? -1 : 0;
}

const struct mechanism mechanism_rrip = {.name = "rrip",
                                         .title = "L1D: re-reference interval prediction (C only)",
                                         .document = "wang2015",
                                         .section = "3.11",
                                         .promises = PLUG_LOCAL | PLUG_QUIET,
                                         .attach = attach};
