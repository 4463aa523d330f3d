/* iacm_open.c - see iacm_open.h. */
#include "mechanisms/iacm/iacm_open.h"

#include <stdio.h>

static int open_control(struct mechanism_context *context, struct iacm *iacm,
                        const struct iacm_kind *kind)
{
    const struct pin_name in[] = {
        {&iacm->c.kernel_start, "kernel_start"}, {&iacm->c.insn_inc, "insn_inc"},
        {&iacm->c.sub_phase, "adi_sub_phase"},   {&iacm->c.idle_done, "adi_idle_done"},
        {&iacm->c.awl_done, "awl_done"},         {&iacm->c.goto_idle, "awl_goto_idle"},
        {&iacm->c.retrigger, "retrigger"}};
    const struct pin_name out[] = {
        {&iacm->c.adi_enable, "adi_enable"}, {&iacm->c.restart, "adi_restart"},
        {&iacm->c.stay, "adi_stay"},         {&iacm->c.phase_awl, "phase_awl"},
        {&iacm->c.phase_idle, "phase_idle"}, {&iacm->c.phase, "phase"},
        {&iacm->c.settled, "settled"}};
    char where[40], words[80];
    snprintf(where, sizeof where, "sm%u.iacm", core_id(iacm->core));
    snprintf(words, sizeof words, "ORDER=%u,ADI_ON=%d,AWL_ON=%d,EPS_8THS=%u", kind->order,
             kind->adi, kind->awl, kind->adi_eps);
    return pins_open(context, &iacm->control, "iacm_core_ctrl", words, where) != 0
               ? -1
               : pins_wire(context, &iacm->control, PINS(in), PINS(out));
}

static int open_search(struct mechanism_context *context, struct iacm *iacm,
                       const struct iacm_kind *kind)
{
    const struct pin_name in[] = {{&iacm->s.kernel_start, "kernel_start"},
                                  {&iacm->s.nt, "nt"},
                                  {&iacm->s.phase_awl, "phase_awl"},
                                  {&iacm->s.insn_inc, "insn_inc"}};
    const struct pin_name out[] = {{&iacm->s.nc, "nc"},
                                   {&iacm->s.done, "done"},
                                   {&iacm->s.goto_idle, "goto_idle"},
                                   {&iacm->s.better, "better"},
                                   {&iacm->s.worse, "worse"}};
    char where[40], words[64];
    snprintf(where, sizeof where, "sm%u.awl", core_id(iacm->core));
    snprintf(words, sizeof words, "WCW=%u,CP=%u,EPS_8THS=%u", limits_bits(core_config(iacm->core)),
             kind->awl_period, kind->awl_eps);
    return pins_open(context, &iacm->search, "awl_ctrl", words, where) != 0
               ? -1
               : pins_wire(context, &iacm->search, PINS(in), PINS(out));
}

static int open_idle(struct mechanism_context *context, struct iacm *iacm,
                     const struct iacm_kind *kind)
{
    const struct pin_name in[] = {{&iacm->i.kernel_start, "kernel_start"},
                                  {&iacm->i.phase_idle, "phase_idle"},
                                  {&iacm->i.insn_inc, "insn_inc"}};
    const struct pin_name out[] = {{&iacm->i.retrigger, "retrigger"}};
    char where[40], words[64];
    snprintf(where, sizeof where, "sm%u.idle", core_id(iacm->core));
    snprintf(words, sizeof words, "CP=%u,EPS_8THS=%u", kind->idle_period, kind->idle_eps);
    return pins_open(context, &iacm->idle, "idle_mon", words, where) != 0
               ? -1
               : pins_wire(context, &iacm->idle, PINS(in), PINS(out));
}

static int open_engine(struct mechanism_context *context, struct iacm *iacm,
                       const struct iacm_kind *kind)
{
    char words[80];
    const uint32_t bits = 32 - (uint32_t)__builtin_clz(kind->adi_period - 1);
    snprintf(words, sizeof words, ",M=%u,NV=%u,NS=%u,NI=%u,IDLE_IN_CYCLES=1", bits,
             kind->adi_period, kind->adi_period, kind->idle_period);
    iacm->site.engine_words = words;
    iacm->site.guide = iacm_guide;
    iacm->site.guide.self = iacm;
    const int status = adi_core_join(context, iacm->core, &iacm->site);
    iacm->site.engine_words = NULL;
    return status;
}

int iacm_open(struct mechanism_context *context, struct iacm *iacm, const struct iacm_kind *kind)
{
    if (kind->adi || kind->awl) {
        if (open_control(context, iacm, kind) != 0 || open_search(context, iacm, kind) != 0 ||
            open_idle(context, iacm, kind) != 0) {
            return -1;
        }
        pins_settle(&iacm->search);
        pins_settle(&iacm->control);
        iacm->limits.warps = iacm->first_warps = (uint32_t)*iacm->s.nc;
    }
    if (kind->adi && open_engine(context, iacm, kind) != 0) {
        return -1;
    }
    return kind->awl ? limits_join(context, iacm->core, &iacm->limits) : 0;
}
