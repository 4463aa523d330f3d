/* rrip.c - RRIP: 3-bit re-reference predictions, frequency priority, insertion at 6 or 7 by
 * set dueling (wang2015 3.11). */
#include <string.h>

#include "mechanisms/dacache/duel.h"
#include "mechanisms/sched/gate.h"
#include "mechanisms/sched/wang2015.h"

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

static int attach_one(struct mechanism_context *context, struct sm *sm)
{
    const uint32_t sets = sm->config->l1d_sets, ways = sm->config->l1d_ways;
    struct rrip *rrip = mechanism_keep(context, sizeof *rrip + (size_t)sets * ways);
    uint32_t *present = mechanism_keep(context, sets * sizeof *present);
    if (rrip == NULL || present == NULL || gate_policy_free(context, sm) != 0) {
        return -1;
    }
    rrip->sets = sets;
    rrip->ways = ways;
    rrip->present = present;
    duel_reset(&rrip->duel);
    sm->sockets.policy = (struct policy_socket){.self = rrip,
                                                .touch = touch,
                                                .victim = victim,
                                                .insert = insert,
                                                .invalidate = invalidate,
                                                .kernel_start = kernel_start};
    return 0;
}

/* `argument` is not used. */
int attach_rrip(struct mechanism_context *context, const char *argument)
{
    (void)argument;
    for (uint32_t i = 0; i < context->gpu->n_sms; i++) {
        if (attach_one(context, &context->gpu->sm[i]) != 0) {
            return -1;
        }
    }
    return 0;
}
