/* gtsc_open.c - opens the units of G-TSC and finds every port of their tables. */
#include <stdio.h>

#include "mechanisms/gtsc/gtsc.h"
#include "mechanisms/port_rows.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int open_l1(struct mechanism_context *context, struct gtsc_l1 *l1, const char *parameters)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&l1->in.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/gtsc/gtsc_l1/gtsc_l1.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&l1->out.name, #name},
    const struct pin_name out[] = {
#include "units/gtsc/gtsc_l1/gtsc_l1.ports.h"
    };
    char where[48];
    snprintf(where, sizeof where, "sm%u.gtsc", l1->sm->id);
    return pins_open(context, &l1->unit, "gtsc_l1", parameters, where) != 0
               ? -1
               : pins_wire(context, &l1->unit, in, COUNT(in), out, COUNT(out));
}

static int open_l2(struct mechanism_context *context, struct gtsc_l2 *l2, const char *parameters)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&l2->in.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/gtsc/gtsc_l2/gtsc_l2.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&l2->out.name, #name},
    const struct pin_name out[] = {
#include "units/gtsc/gtsc_l2/gtsc_l2.ports.h"
    };
    char where[48];
    snprintf(where, sizeof where, "l2bank%u.gtsc", l2->bank->id);
    return pins_open(context, &l2->unit, "gtsc_l2", parameters, where) != 0
               ? -1
               : pins_wire(context, &l2->unit, in, COUNT(in), out, COUNT(out));
}

static int open_ctl(struct mechanism_context *context, struct gtsc *gtsc)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&gtsc->ctl_in.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&gtsc->ctl_out.name, #name},
    const struct pin_name out[] = {
#include "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
    };
    char parameters[48];
    snprintf(parameters, sizeof parameters, "BANKS=%u,SMS=%u", gtsc->gpu->n_banks,
             gtsc->gpu->n_sms);
    return pins_open(context, &gtsc->ctl, "gtsc_reset_ctl", parameters, "gtsc.reset") != 0
               ? -1
               : pins_wire(context, &gtsc->ctl, in, COUNT(in), out, COUNT(out));
}

int gtsc_open(struct mechanism_context *context, struct gtsc *gtsc, const char *l1_parameters,
              const char *l2_parameters)
{
    for (uint32_t i = 0; i < gtsc->gpu->n_sms; i++) {
        if (open_l1(context, &gtsc->l1[i], l1_parameters) != 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < gtsc->gpu->n_banks; i++) {
        if (open_l2(context, &gtsc->l2[i], l2_parameters) != 0) {
            return -1;
        }
    }
    return open_ctl(context, gtsc);
}
