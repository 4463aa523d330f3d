/* bypass_rules.c - what MAT, AB and OBM are told of a cache's lines, and asked (lakshminarayana2014
 * 3.5.1 to 3.5.3; mat, ab_set, obm).  A unit is clocked until it has done what it was given: what
 * happens next to the cache comes later than that. */
#include <stdio.h>

#include "mechanisms/graph/bypass.h"

/* Give the unit what stands at its inputs by `valid`; until `done`.  Its outputs are then those of the
 * last cycle, which ends with finish. */
static void run(struct bypass_cache *c, uint64_t *valid, const uint64_t *done)
{
    *valid = 1;
    pins_comb(&c->unit);
    pins_seq(&c->unit);
    *valid = 0;
    pins_comb(&c->unit);
    while (!*done) {
        pins_seq(&c->unit);
        pins_comb(&c->unit);
    }
}

static void finish(struct bypass_cache *c)
{
    pins_seq(&c->unit);
}

static uint64_t line_of(uint64_t block)
{
    return block / BLOCK_BYTES;
}

/* ---- MAT ---- */

static int mat_open(struct mechanism_context *context, struct bypass_cache *c, const char *where)
{
    const struct pin_name ports[] = {
        {&c->at.mat.acc_valid, "acc_valid"}, {&c->at.mat.acc_addr, "acc_addr"},
        {&c->at.mat.acc_ready, "acc_ready"}, {&c->at.mat.q_valid, "q_valid"},
        {&c->at.mat.q_miss, "q_miss_addr"},  {&c->at.mat.q_vict, "q_vict_addr"},
        {&c->at.mat.q_done, "q_done"},       {&c->at.mat.byp, "byp"}};
    return pins_open(context, &c->unit, "mat", "ADDR_W=40", where) != 0
               ? -1
               : pins_all(context, &c->unit, PINS(ports));
}

static void mat_count(struct bypass_cache *c, uint64_t block)
{
    *c->at.mat.acc_addr = block;
    run(c, c->at.mat.acc_valid, c->at.mat.acc_ready);
}

static void mat_access(struct bypass_cache *c, uint32_t set, int way, uint64_t block)
{
    (void)set, (void)way;
    mat_count(c, block);
}

static bool mat_decide(struct bypass_cache *c, uint32_t set, uint32_t way,
                       const struct access_info *access, uint64_t victim)
{
    (void)set, (void)way;
    *c->at.mat.q_miss = access->block;
    *c->at.mat.q_vict = victim;
    run(c, c->at.mat.q_valid, c->at.mat.q_done);
    const bool byp = *c->at.mat.byp;
    finish(c);
    return byp;
}

/* ---- AB ---- */

enum ab_op { AB_ACCESS, AB_MISS, AB_DROP };

static int ab_open(struct mechanism_context *context, struct bypass_cache *c, const char *where)
{
    const struct pin_name ports[] = {{&c->at.ab.flush, "flush"},
                                     {&c->at.ab.op_valid, "op_valid"},
                                     {&c->at.ab.op, "op"},
                                     {&c->at.ab.set, "set_index"},
                                     {&c->at.ab.hit, "hit"},
                                     {&c->at.ab.way, "way"},
                                     {&c->at.ab.tag, "tag"},
                                     {&c->at.ab.vict, "vict_tag"},
                                     {&c->at.ab.done, "done"},
                                     {&c->at.ab.byp, "byp"},
                                     {&c->at.ab.exponent, "exponent"},
                                     {&c->at.ab.effective, "effective"},
                                     {&c->at.ab.ineffective, "ineffective"}};
    char overrides[64];
    snprintf(overrides, sizeof overrides, "SETS=%u,WAYS=%u,TAG_W=33", c->cache->sets,
             c->cache->ways);
    if (pins_open(context, &c->unit, "ab_set", overrides, where) != 0 ||
        pins_all(context, &c->unit, PINS(ports)) != 0) {
        return -1;
    }
    c->least_exponent = (uint32_t)pins_parameter(&c->unit, "E_MIN");
    c->greatest_exponent = (uint32_t)pins_parameter(&c->unit, "E_MAX");
    return 0;
}

static bool ab_run(struct bypass_cache *c, enum ab_op op, uint32_t set, uint32_t way)
{
    *c->at.ab.op = op;
    *c->at.ab.set = set;
    *c->at.ab.way = way;
    run(c, c->at.ab.op_valid, c->at.ab.done);
    const bool byp = *c->at.ab.byp;
    c->learnt_for += *c->at.ab.effective;
    c->learnt_against += *c->at.ab.ineffective;
    c->differences += c->check && (*c->at.ab.exponent < c->least_exponent ||
                                   *c->at.ab.exponent > c->greatest_exponent);
    finish(c);
    return byp;
}

static void ab_access(struct bypass_cache *c, uint32_t set, int way, uint64_t block)
{
    *c->at.ab.hit = way >= 0;
    *c->at.ab.tag = line_of(block);
    (void)ab_run(c, AB_ACCESS, set, way < 0 ? 0 : (uint32_t)way);
}

static bool ab_decide(struct bypass_cache *c, uint32_t set, uint32_t way,
                      const struct access_info *access, uint64_t victim)
{
    *c->at.ab.tag = line_of(access->block);
    *c->at.ab.vict = line_of(victim);
    return ab_run(c, AB_MISS, set, way);
}

/* What was not decided about drives out the line that an episode may be about. */
static void ab_inserted(struct bypass_cache *c, uint32_t set, uint32_t way,
                        const struct access_info *access, bool decided, uint64_t leaving)
{
    (void)access;
    if (!decided && leaving != CACHE_NO_TAG) {
        (void)ab_run(c, AB_DROP, set, way);
    }
}

static void ab_dropped(struct bypass_cache *c, uint32_t set, uint32_t way)
{
    (void)ab_run(c, AB_DROP, set, way);
}

static void ab_emptied(struct bypass_cache *c)
{
    *c->at.ab.flush = 1;
    pins_comb(&c->unit);
    pins_seq(&c->unit);
    *c->at.ab.flush = 0;
}

/* ---- OBM ---- */

enum obm_op { OBM_ACCESS, OBM_MISS, OBM_EVICT };

static int obm_open(struct mechanism_context *context, struct bypass_cache *c, const char *where)
{
    const struct pin_name ports[] = {
        {&c->at.obm.op_valid, "op_valid"}, {&c->at.obm.op, "op"},
        {&c->at.obm.line, "line"},         {&c->at.obm.sig, "sig"},
        {&c->at.obm.vict, "vict"},         {&c->at.obm.vict_sig, "vict_sig"},
        {&c->at.obm.done, "done"},         {&c->at.obm.byp, "byp"},
        {&c->at.obm.judges, "judges"}};
    if (pins_open(context, &c->unit, "obm", "ADDR_W=33", where) != 0 ||
        pins_all(context, &c->unit, PINS(ports)) != 0) {
        return -1;
    }
    c->signature_bits = (uint32_t)pins_parameter(&c->unit, "SIG_W");
    return 0;
}

/* Instructions count as four bytes (D-BYP-3): pc[6:2] ^ pc[11:7] ^ pc[16:12] of those (D-OBM-1). */
static uint8_t signature(const struct bypass_cache *c, uint32_t pc)
{
    const uint32_t bits = c->signature_bits, folded = pc ^ pc >> bits ^ pc >> 2 * bits;
    return (uint8_t)(folded & ((1u << bits) - 1));
}

static bool obm_run(struct bypass_cache *c, enum obm_op op, uint64_t block)
{
    *c->at.obm.op = op;
    *c->at.obm.line = line_of(block);
    *c->at.obm.op_valid = 1;
    pins_comb(&c->unit);
    pins_seq(&c->unit);
    *c->at.obm.op_valid = 0;
    pins_comb(&c->unit);
    while (!*c->at.obm.done) {
        c->judged += *c->at.obm.judges;
        pins_seq(&c->unit);
        pins_comb(&c->unit);
    }
    const bool byp = *c->at.obm.byp;
    finish(c);
    return byp;
}

static void obm_access(struct bypass_cache *c, uint32_t set, int way, uint64_t block)
{
    (void)set, (void)way;
    (void)obm_run(c, OBM_ACCESS, block);
}

static bool obm_decide(struct bypass_cache *c, uint32_t set, uint32_t way,
                       const struct access_info *access, uint64_t victim)
{
    *c->at.obm.sig = signature(c, access->pc);
    *c->at.obm.vict = line_of(victim);
    *c->at.obm.vict_sig = c->sig[set * c->cache->ways + way];
    return obm_run(c, OBM_MISS, access->block);
}

static void obm_inserted(struct bypass_cache *c, uint32_t set, uint32_t way,
                         const struct access_info *access, bool decided, uint64_t leaving)
{
    (void)decided;
    if (leaving != CACHE_NO_TAG) {
        (void)obm_run(c, OBM_EVICT, leaving);
    }
    c->sig[set * c->cache->ways + way] = signature(c, access->pc);
}

const struct bypass_rules *bypass_rules(enum bypass_policy policy)
{
    static const struct bypass_rules rules[] = {[BYPASS_MAT] = {.open = mat_open,
                                                                .access = mat_access,
                                                                .merged = mat_count,
                                                                .decide = mat_decide},
                                                [BYPASS_AB] = {.open = ab_open,
                                                               .access = ab_access,
                                                               .decide = ab_decide,
                                                               .inserted = ab_inserted,
                                                               .dropped = ab_dropped,
                                                               .emptied = ab_emptied},
                                                [BYPASS_OBM] = {.open = obm_open,
                                                                .access = obm_access,
                                                                .decide = obm_decide,
                                                                .inserted = obm_inserted}};
    return &rules[policy];
}
