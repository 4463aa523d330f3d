/* gtsc_ports.h - the ports of the three G-TSC units as pointers to their slots, and the
 * values of their enums, all out of the units' tables. */
#ifndef WARPLOCK_MECHANISMS_GTSC_PORTS_H
#define WARPLOCK_MECHANISMS_GTSC_PORTS_H

#include <stdint.h>

#include "mechanisms/port_rows.h"
#define PORT_IN(name) uint64_t *name;
#define PORT_OUT(name)
struct gtsc_l1_in {
#include "units/gtsc/gtsc_l1/gtsc_l1.ports.h"
};
struct gtsc_l2_in {
#include "units/gtsc/gtsc_l2/gtsc_l2.ports.h"
};
struct gtsc_ctl_in {
#include "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
};

#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name)
#define PORT_OUT(name) uint64_t *name;
struct gtsc_l1_out {
#include "units/gtsc/gtsc_l1/gtsc_l1.ports.h"
};
struct gtsc_l2_out {
#include "units/gtsc/gtsc_l2/gtsc_l2.ports.h"
};
struct gtsc_ctl_out {
#include "units/gtsc/gtsc_reset_ctl/gtsc_reset_ctl.ports.h"
};

#undef PORT_IN
#undef PORT_OUT
#include "units/no_rows.h"
#undef ENUM
#define ENUM(of, name, value) GTSC_L1_##of##_##name = value,
enum gtsc_l1_values {
#include "units/gtsc/gtsc_l1/gtsc_l1.ports.h"
};
#undef ENUM
#define ENUM(of, name, value) GTSC_L2_##of##_##name = value,
enum gtsc_l2_values {
#include "units/gtsc/gtsc_l2/gtsc_l2.ports.h"
};
#include "units/no_rows.h"

#endif
