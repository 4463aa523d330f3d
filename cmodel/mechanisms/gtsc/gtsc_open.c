/* gtsc_open.c - opens the units of G-TSC and finds every port of their tables. */
#include <stdio.h>

#include "mechanisms/gtsc/gtsc_reset.h"
#include "mechanisms/port_rows.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

int gtsc_open_l1(struct mechanism_context *context, struct gtsc_l1 *l1, const char *parameters)
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
    snprintf(where, sizeof where, "sm%u.gtsc", core_id(l1->core));
    return pins_open(context, &l1->unit, "gtsc_l1", parameters, where) != 0
               ? -1
               : pins_wire(context, &l1->unit, in, COUNT(in), out, COUNT(out));
}

int gtsc_open_l2(struct mechanism_context *context, struct gtsc_l2 *l2, const char *parameters)
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
    snprintf(where, sizeof where, "l2bank%u.gtsc", bank_id(l2->bank));
    return pins_open(context, &l2->unit, "gtsc_l2", parameters, where) != 0
               ? -1
               : pins_wire(context, &l2->unit, in, COUNT(in), out, COUNT(out));
}

int gtsc_open_reset(struct mechanism_context *context, struct gtsc_reset *reset,
                    const char *parameters)
{
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name) {&reset->in.name, #name},
#define PORT_OUT(name)
    const struct pin_name in[] = {
#include "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
    };
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) {&reset->out.name, #name},
    const struct pin_name out[] = {
#include "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
    };
    return pins_open(context, &reset->unit, "gtsc_reset_ctl", parameters, "gtsc.reset") != 0
               ? -1
               : pins_wire(context, &reset->unit, in, COUNT(in), out, COUNT(out));
}
