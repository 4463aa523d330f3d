/* sm_units.h - the arithmetic units of an SM behind its operand collectors, and the result buses.
 *
 * A unit takes an instruction in cycle t when its input register is empty, none of its own would
 * end in the same cycle, and a result bus is free for that cycle.  The register is free again in
 * t + interval; the result is written back in t + latency + 2.  Units look for instructions in the
 * order of their classes.  It must not know where instructions come from.
 */
#ifndef WARPLOCK_MACHINE_SM_UNITS_H
#define WARPLOCK_MACHINE_SM_UNITS_H

#include "machine/sm/sm_operands.h"

enum { MOST_UNITS = 20, MOST_BUSES = 8, MOST_UNIT_LATENCY = 62 };

struct units {
    uint32_t n, n_buses;
    uint64_t shifted;          /* the cycle that bit 0 of each `busy` stands for */
    uint64_t busy[MOST_BUSES]; /* cycles in which a bus is taken, a bit each */
    struct unit {
        uint64_t free_at;
        uint64_t ending; /* cycles in which something ends, bit 0 for `shifted` */
        uint8_t kind;
        uint8_t part; /* the sub-core whose instructions it takes; MOST_PARTS: any */
    } unit[MOST_UNITS];
};

void sm_units_init(struct units *units, const struct operands *operands,
                   const struct gpu_config *config);
/* One cycle: every unit takes what it can. */
void sm_units_step(struct sm *sm);
/* The next cycle in which one could take something that is there. */
uint64_t sm_units_next(const struct sm *sm);

#endif
