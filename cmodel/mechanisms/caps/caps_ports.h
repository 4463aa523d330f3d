/* caps_ports.h - the ports of the units of CAPS as pointers to their slots, out of the units'
 * tables. */
#ifndef WARPLOCK_MECHANISMS_CAPS_PORTS_H
#define WARPLOCK_MECHANISMS_CAPS_PORTS_H

#include <stdint.h>

#include "mechanisms/port_rows.h"
#define PORT_IN(name) uint64_t *name;
#define PORT_OUT(name) uint64_t *name;
struct caps_percta_ports {
#include "units/caps/caps_percta/caps_percta.ports.h"
};
struct caps_dist_ports {
#include "units/caps/caps_dist/caps_dist.ports.h"
};
struct caps_gen_ports {
#include "units/caps/caps_prefetch_gen/caps_prefetch_gen.ports.h"
};
struct caps_top_ports {
#include "units/caps/caps_top/caps_top.ports.h"
};
struct pas_ports {
#include "units/caps/pas_sched/pas_sched.ports.h"
};
#undef PORT_IN
#undef PORT_OUT
#include "units/no_rows.h"

#endif
