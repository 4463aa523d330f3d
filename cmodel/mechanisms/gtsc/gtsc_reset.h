/* gtsc_reset.h - the reset of all timestamps when one overflows: the unit gtsc_reset_ctl, of which
 * there is one, with the banks and SMs that it resets (tabbakh2018-coherence 3.6.8, [D-G3]). */
#ifndef WARPLOCK_MECHANISMS_GTSC_RESET_H
#define WARPLOCK_MECHANISMS_GTSC_RESET_H

#include "mechanisms/gtsc/gtsc_l1.h"
#include "mechanisms/gtsc/gtsc_l2.h"

struct gtsc_reset {
    struct unit_pins unit;
    struct gtsc_ctl_in in;
    struct gtsc_ctl_out out;
    uint32_t n_l1, n_l2;
    struct gtsc_l1 *l1;
    struct gtsc_l2 *l2;
    uint64_t overflow; /* banks where something waits for a reset */
    bool stop;         /* the banks take no request */
    uint64_t resets, probes;
};

/* Opens the unit at `parameters` and finds its ports (gtsc_open.c); 0, or -1 with the context's
 * error. */
int gtsc_open_reset(struct mechanism_context *context, struct gtsc_reset *reset,
                    const char *parameters);
/* `reset` has its units, banks and SMs. */
int gtsc_reset_plug(struct mechanism_context *context, struct gtsc_reset *reset);

#endif
