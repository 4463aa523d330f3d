/* drd_open.c - opens the units of race detection and finds every port of their tables. */
#include <stdio.h>

#include "mechanisms/drd/drd_spec.h"
#include "mechanisms/port_rows.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int open_rdu(struct mechanism_context *context, struct drd *drd, const char *parameters)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&drd->in.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/rdu/rdu/rdu.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&drd->out.name, #name},
    const struct pin_name out[] = {
#include "units/rdu/rdu/rdu.ports.h"
    };
    return pins_open(context, &drd->rdu, "rdu", parameters, "drd.rdu") != 0
               ? -1
               : pins_wire(context, &drd->rdu, in, COUNT(in), out, COUNT(out));
}

static int open_avu(struct mechanism_context *context, struct drd_sm *sm, const char *parameters)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&sm->in.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/rdu/avu/avu.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&sm->out.name, #name},
    const struct pin_name out[] = {
#include "units/rdu/avu/avu.ports.h"
    };
    char where[48];
    snprintf(where, sizeof where, "sm%u.avu", core_id(sm->core));
    return pins_open(context, &sm->avu, "avu", parameters, where) != 0
               ? -1
               : pins_wire(context, &sm->avu, in, COUNT(in), out, COUNT(out));
}

static uint32_t power_of_two(uint32_t at_least)
{
    uint32_t n = 2;
    while (n < at_least) {
        n *= 2;
    }
    return n;
}

int drd_open(struct mechanism_context *context, struct drd *drd)
{
    const struct drd_options *o = &drd->options;
    char parameters[160];
    drd->sig_words = o->m / 64;
    snprintf(parameters, sizeof parameters,
             "M=%u,SHIFT=%u,SMS=%u,M_PER_N=%u,COUNT_UNIQUE=%u,FULL_AT_ONCE=%u,MISS_BLOCK=%u,"
             "WORD=%u",
             o->m, drd_shift(o), drd->n_sms, o->per, o->unique, o->once,
             !o->check && drd->exact == NULL, DRD_WORD);
    if (open_rdu(context, drd, parameters) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < drd->n_sms; i++) {
        const struct drd_sm *sm = &drd->sm[i];
        snprintf(parameters, sizeof parameters,
                 "M=%u,SHIFT=%u,HITMAX=%u,LINES=%u,MSHRS=%u,TAGS=%u,EPOCH_W=%u,RETAG=%u,"
                 "WORD=%u",
                 o->m, drd_shift(o), o->hits, power_of_two(sm->l1d->sets * sm->l1d->ways),
                 power_of_two(core_mshrs(sm->core)->n), o->tags, o->epochbits, o->retag, DRD_WORD);
        if (open_avu(context, &drd->sm[i], parameters) != 0) {
            return -1;
        }
    }
    return 0;
}

static int open_queue(struct mechanism_context *context, struct drd_spec *spec,
                      const char *parameters, const char *where)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&spec->qin.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/rdu/avu_queue/avu_queue.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&spec->qout.name, #name},
    const struct pin_name out[] = {
#include "units/rdu/avu_queue/avu_queue.ports.h"
    };
    return pins_open(context, &spec->queue, "avu_queue", parameters, where) != 0
               ? -1
               : pins_wire(context, &spec->queue, in, COUNT(in), out, COUNT(out));
}

static int open_rename(struct mechanism_context *context, struct drd_spec *spec,
                       const char *parameters, const char *where)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&spec->rin.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/rdu/avu_rename/avu_rename.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&spec->rout.name, #name},
    const struct pin_name out[] = {
#include "units/rdu/avu_rename/avu_rename.ports.h"
    };
    return pins_open(context, &spec->rename, "avu_rename", parameters, where) != 0
               ? -1
               : pins_wire(context, &spec->rename, in, COUNT(in), out, COUNT(out));
}

int drd_open_spec(struct mechanism_context *context, struct drd_spec *spec)
{
    const struct drd_options *o = &spec->owner->drd->options;
    const struct core *core = spec->owner->core;
    char parameters[160], where[48];
    snprintf(parameters, sizeof parameters,
             "M=%u,SHIFT=%u,ENTRIES=%u,OUT_W=8,FORCED_FAILS=%u,IN_ORDER=%u,OWN_STORE_FAILS=%u,"
             "WORD=%u",
             o->m, drd_shift(o), o->queue, !o->forced, !o->commit, !o->ownstore, DRD_WORD);
    snprintf(where, sizeof where, "sm%u.avu_queue", core_id(core));
    if (open_queue(context, spec, parameters, where) != 0) {
        return -1;
    }
    spec->queue_lanes = pins_parameter(&spec->queue, "ONE_CYCLE") ? spec->owner->drd->sig_words
                                                                  : drd_word_lanes(o);
    snprintf(parameters, sizeof parameters, "WARPS=%u,REGS=%d,PHYS=%d", core_config(core)->sm_warps,
             SPEC_REGS, SPEC_PHYS);
    snprintf(where, sizeof where, "sm%u.avu_rename", core_id(core));
    return open_rename(context, spec, parameters, where);
}
