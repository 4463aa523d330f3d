/* oaws_open.c - opens the units of OAWS for one SM and finds their ports (wang2015 A.9).
 * It knows what the units are called, not how they work together. */
#include <stdio.h>

#include "mechanisms/oaws/oaws.h"

static int open_unit(struct mechanism_context *context, const struct oaws *oaws,
                     struct unit_pins *pins, const char *unit, const char *what,
                     const char *overrides)
{
    char where[48];
    snprintf(where, sizeof where, "sm%u.oaws.%s", core_id(oaws->core), what);
    return pins_open(context, pins, unit, overrides, where);
}

static int open_dlc(struct mechanism_context *context, struct oaws *o)
{
    const struct pin_name in[] = {
        {&o->dlc_at.lk_valid, "lk_valid"},         {&o->dlc_at.coal_valid, "coal_valid"},
        {&o->dlc_at.coal_pc, "coal_pc"},           {&o->dlc_at.coal_nreq, "coal_nreq"},
        {&o->dlc_at.acc_valid, "acc_valid"},       {&o->dlc_at.acc_pc, "acc_pc"},
        {&o->dlc_at.acc_miss, "acc_miss"},         {&o->dlc_at.age_tick, "age_tick"},
        {&o->dlc_at.kernel_start, "kernel_start"}, {&o->dlc_at.lk_pc, "lk_pc"}};
    const struct pin_name out[] = {
        {&o->dlc_at.lk_ready, "lk_ready"},   {&o->dlc_at.coal_ready, "coal_ready"},
        {&o->dlc_at.acc_ready, "acc_ready"}, {&o->dlc_at.age_ready, "age_ready"},
        {&o->dlc_at.lk_done, "lk_done"},     {&o->dlc_at.lk_hit, "lk_hit"},
        {&o->dlc_at.lk_miss, "lk_miss"},     {&o->dlc_at.lk_acc, "lk_acc"},
        {&o->dlc_at.alloc, "alloc"},         {&o->dlc_at.evict, "evict"}};
    const struct pin_name epoch_in[] = {{&o->epoch_at.enable, "enable"}};
    const struct pin_name epoch_out[] = {{&o->epoch_at.age_tick, "age_tick"}};
    if (open_unit(context, o, &o->dlc, "oaws_dlc", "dlc", "") != 0 ||
        open_unit(context, o, &o->epoch, "oaws_epoch", "epoch", "") != 0 ||
        pins_wire(context, &o->dlc, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    o->classifies_at_once = pins_parameter(&o->dlc, "ONE_CYCLE") != 0;
    return pins_wire(context, &o->epoch, PINS(epoch_in), PINS(epoch_out));
}

static int open_predictor(struct mechanism_context *context, struct oaws *o,
                          struct oaws_predictor *p, const char *what)
{
    uint64_t *dyn, *smr_k;
    const struct pin_name in[] = {
        {&p->start, "start"}, {&p->is_div, "is_div"}, {&p->div, "div"},
        {&p->num, "num"},     {&p->den, "den"},       {&p->gprio, "gprio"},
        {&p->fcw, "fcw"},     {&dyn, "dyn"},          {&smr_k, "smr_k"}};
    const struct pin_name out[] = {{&p->done, "done"}, {&p->pred, "pred"}};
    char overrides[32];
    snprintf(overrides, sizeof overrides, "MSHRS=%u", core_config(o->core)->l1d_mshrs);
    if (open_unit(context, o, &p->unit, "oaws_pred", what, overrides) != 0 ||
        pins_wire(context, &p->unit, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    *dyn = o->kind.dynamic;
    *smr_k = o->kind.smr_k;
    return 0;
}

static int open_store(struct mechanism_context *context, struct oaws *o)
{
    const struct pin_name in[] = {
        {&o->store_at.enter_valid, "enter_valid"}, {&o->store_at.enter_slot, "enter_slot"},
        {&o->store_at.enter_pred, "enter_pred"},   {&o->store_at.head, "head"},
        {&o->store_at.walk_valid, "walk_valid"},   {&o->store_at.walk_pred, "walk_pred"}};
    const struct pin_name out[] = {{&o->store_at.walk_start, "walk_start"},
                                   {&o->store_at.walk_slot, "walk_slot"},
                                   {&o->store_at.pred, "pred"},
                                   {&o->store_at.refresh, "refresh"}};
    char overrides[32];
    snprintf(overrides, sizeof overrides, "WARPS=%u", core_config(o->core)->sm_warps);
    if (open_unit(context, o, &o->store, "oaws_store", "store", overrides) != 0) {
        return -1;
    }
    o->walk_period_cycles = (uint32_t)pins_parameter(&o->store, "PRED_STEP");
    return pins_wire(context, &o->store, PINS(in), PINS(out));
}

static int open_budget(struct mechanism_context *context, struct oaws *o)
{
    const struct pin_name in[] = {{&o->budget_at.free_cnt, "free_cnt"},
                                  {&o->budget_at.issue_valid, "issue_valid"},
                                  {&o->budget_at.issue_pred, "issue_pred"},
                                  {&o->budget_at.retire_valid, "retire_valid"},
                                  {&o->budget_at.retire_pred, "retire_pred"}};
    const struct pin_name out[] = {{&o->budget_at.budget, "budget"}};
    char overrides[32];
    snprintf(overrides, sizeof overrides, "MSHRS=%u", core_config(o->core)->l1d_mshrs);
    if (open_unit(context, o, &o->budget, "oaws_budget", "budget", overrides) != 0) {
        return -1;
    }
    if (pins_wire(context, &o->budget, PINS(in), PINS(out)) != 0) {
        return -1;
    }
    *o->budget_at.free_cnt = core_config(o->core)->l1d_mshrs;
    return 0;
}

static int open_requal(struct mechanism_context *context, struct oaws *o, uint32_t s)
{
    const struct pin_name in[] = {{&o->requal_at[s].ready, "ready"},
                                  {&o->requal_at[s].is_div_load, "is_div_load"},
                                  {&o->requal_at[s].pred, "pred"},
                                  {&o->requal_at[s].budget, "budget"}};
    const struct pin_name out[] = {{&o->requal_at[s].occlude, "occlude"}};
    char overrides[32], what[16];
    snprintf(overrides, sizeof overrides, "WARPS=%u",
             core_config(o->core)->sm_warps / core_config(o->core)->sm_schedulers);
    snprintf(what, sizeof what, "requal%u", s);
    if (open_unit(context, o, &o->requal[s], "oaws_requal", what, overrides) != 0) {
        return -1;
    }
    return pins_wire(context, &o->requal[s], PINS(in), PINS(out));
}

int oaws_open(struct mechanism_context *context, struct oaws *o)
{
    if (open_dlc(context, o) != 0 || open_predictor(context, o, &o->enter, "enter") != 0 ||
        open_predictor(context, o, &o->walk, "walk") != 0 || open_store(context, o) != 0 ||
        open_budget(context, o) != 0) {
        return -1;
    }
    for (uint32_t s = 0; s < core_config(o->core)->sm_schedulers; s++) {
        if (open_requal(context, o, s) != 0) {
            return -1;
        }
    }
    if (!o->kind.dynamic) {
        return 0;
    }
    return ranks_open(context, &o->ranks, o->core, "oaws") != 0
               ? -1
               : partition_open(context, &o->partition, o->core, "oaws",
                                (uint32_t)mechanism_value(context, "fcl_bits"));
}
