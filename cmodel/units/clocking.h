/* clocking.h - the clock and the reset of a unit whose table has the rows CLOCK and RESET.
 *
 * Such a unit's objects have the symbol `unit_clocking`; where there is none, the clock is clk and
 * counts its rising edges, and the reset is rst, synchronous and active when 1. */
#ifndef WARPLOCK_UNITS_CLOCKING_H
#define WARPLOCK_UNITS_CLOCKING_H

#include <stdbool.h>

struct unit_clocking {
    const char *clock, *reset; /* input ports */
    bool falling;              /* the edge that counts */
    bool low;                  /* the reset is active when 0 */
    bool asynchronous;         /* it needs no edge; steps give it one */
};

#endif
