/* dacache_open.c - opens the units of DaCache for one L1D and finds their ports
 * (wang2015 A.7).  It knows what the units are called, not how they work together. */
#include <stdio.h>

#include "mechanisms/dacache/dacache.h"

static int open_unit(struct mechanism_context *context, const struct dacache *dacache,
                     struct unit_pins *pins, const char *unit, const char *overrides)
{
    char where[48];
    snprintf(where, sizeof where, "sm%u.l1d.%s", core_id(dacache->core), unit);
    return pins_open(context, pins, unit, overrides, where);
}

static int open_gauge(struct mechanism_context *context, struct dacache *d)
{
    const struct gpu_config *c = core_config(d->core);
    const struct pin_name in[] = {{&d->gauge_at.prio, "prio"},
                                  {&d->gauge_at.nreq, "nreq"},
                                  {&d->gauge_at.clp, "clp"},
                                  {&d->gauge_at.fcw, "fcw"},
                                  {&d->gauge_at.enable, "enable"}};
    const struct pin_name out[] = {{&d->gauge_at.insert_pos, "insert_pos"}};
    char overrides[96];
    snprintf(overrides, sizeof overrides, "WARPS=%u,N_SCHED=%u,SETS=%u,WAYS=%u,W_MAX=%u",
             c->sm_warps / c->sm_schedulers, c->sm_schedulers, c->l1d_sets, c->l1d_ways,
             c->sm_warps);
    if (open_unit(context, d, &d->gauge, "dac_gauge", overrides) != 0) {
        return -1;
    }
    return pins_wire(context, &d->gauge, PINS(in), PINS(out));
}

static int open_region(struct mechanism_context *context, struct dacache *d)
{
    const struct gpu_config *c = core_config(d->core);
    const struct pin_name in[] = {{&d->region_at.fcw, "fcw"}};
    const struct pin_name out[] = {{&d->region_at.p_eff, "p_eff"}};
    char overrides[64];
    snprintf(overrides, sizeof overrides, "SETS=%u,WAYS=%u,W_MAX=%u", c->l1d_sets, c->l1d_ways,
             c->sm_warps);
    if (open_unit(context, d, &d->region, "dac_region", overrides) != 0) {
        return -1;
    }
    return pins_wire(context, &d->region, PINS(in), PINS(out));
}

static int open_victim(struct mechanism_context *context, struct dacache *d)
{
    const struct pin_name in[] = {{&d->victim_at.lru_stack, "lru_stack"},
                                  {&d->victim_at.valid, "valid"},
                                  {&d->victim_at.reserved, "reserved"},
                                  {&d->victim_at.p_eff, "p_eff"},
                                  {&d->victim_at.uncon, "uncon"}};
    const struct pin_name out[] = {{&d->victim_at.found, "found"}, {&d->victim_at.vway, "vway"}};
    char overrides[32];
    snprintf(overrides, sizeof overrides, "WAYS=%u", core_config(d->core)->l1d_ways);
    if (open_unit(context, d, &d->victim, "dac_victim", overrides) != 0) {
        return -1;
    }
    return pins_wire(context, &d->victim, PINS(in), PINS(out));
}

static int open_stack(struct mechanism_context *context, struct dacache *d)
{
    const struct pin_name in[] = {{&d->stack_at.op, "op"},
                                  {&d->stack_at.set_index, "set_index"},
                                  {&d->stack_at.pos, "pos"},
                                  {&d->stack_at.insert_pos, "insert_pos"},
                                  {&d->stack_at.climb, "climb"}};
    const struct pin_name out[] = {{&d->stack_at.lru_stack, "lru_stack"}};
    char overrides[32];
    snprintf(overrides, sizeof overrides, "SETS=%u,WAYS=%u", core_config(d->core)->l1d_sets,
             core_config(d->core)->l1d_ways);
    if (open_unit(context, d, &d->stack, "dac_stack", overrides) != 0) {
        return -1;
    }
    return pins_wire(context, &d->stack, PINS(in), PINS(out));
}

static int open_track(struct mechanism_context *context, struct dacache *d)
{
    const struct pin_name in[] = {{&d->track_at.start_valid, "start_valid"},
                                  {&d->track_at.start_nreq, "start_nreq"},
                                  {&d->track_at.acc_valid, "acc_valid"},
                                  {&d->track_at.acc_result, "acc_result"},
                                  {&d->track_at.acc_last, "acc_last"}};
    const struct pin_name out[] = {{&d->track_at.retire_valid, "retire_valid"},
                                   {&d->track_at.miss_seen, "miss_seen"}};
    if (open_unit(context, d, &d->track, "dac_track", "") != 0) {
        return -1;
    }
    return pins_wire(context, &d->track, PINS(in), PINS(out));
}

static int open_profile(struct mechanism_context *context, struct dacache *d)
{
    const struct pin_name vc_in[] = {{&d->vc_at.acc_valid, "acc_valid"},
                                     {&d->vc_at.pc, "pc"},
                                     {&d->vc_at.tag, "tag"},
                                     {&d->vc_at.push, "push"},
                                     {&d->vc_at.inv_valid, "inv_valid"},
                                     {&d->vc_at.inv_pc, "inv_pc"},
                                     {&d->vc_at.kernel_start, "kernel_start"}};
    const struct pin_name vc_out[] = {{&d->vc_at.hit, "hit"},
                                      {&d->vc_at.disp_valid, "disp_valid"},
                                      {&d->vc_at.disp_pc, "disp_pc"}};
    const struct pin_name clp_in[] = {
        {&d->clp_at.lk_valid, "lk_valid"},   {&d->clp_at.lk_pc, "lk_pc"},
        {&d->clp_at.ins_valid, "ins_valid"}, {&d->clp_at.ins_pc, "ins_pc"},
        {&d->clp_at.ins_flag, "ins_flag"},   {&d->clp_at.kernel_start, "kernel_start"}};
    const struct pin_name clp_out[] = {{&d->clp_at.state, "state"}};
    if (open_unit(context, d, &d->vc, "dac_vc", "") != 0 ||
        open_unit(context, d, &d->clp, "dac_clp", "") != 0 ||
        pins_wire(context, &d->vc, PINS(vc_in), PINS(vc_out)) != 0) {
        return -1;
    }
    return pins_wire(context, &d->clp, PINS(clp_in), PINS(clp_out));
}

int dacache_open(struct mechanism_context *context, struct dacache *dacache)
{
    if (open_gauge(context, dacache) != 0 || open_region(context, dacache) != 0 ||
        open_victim(context, dacache) != 0 || open_stack(context, dacache) != 0 ||
        open_track(context, dacache) != 0 || open_profile(context, dacache) != 0) {
        return -1;
    }
    /* A fixed partition has no trainer. */
    if (dacache->kind.partition < 0 &&
        partition_open(context, &dacache->part, dacache->core, "l1d", 0) != 0) {
        return -1;
    }
    return ranks_open(context, &dacache->ranks, dacache->core, "l1d");
}
