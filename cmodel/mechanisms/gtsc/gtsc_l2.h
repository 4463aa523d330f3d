/* gtsc_l2.h - G-TSC at one L2 bank: the unit gtsc_l2 behind the bank's coherence seam
 * (tabbakh2018-coherence 3.6.5, 3.6.6, 3.6.8). */
#ifndef WARPLOCK_MECHANISMS_GTSC_L2_H
#define WARPLOCK_MECHANISMS_GTSC_L2_H

#include "mechanisms/gtsc/gtsc_ports.h"
#include "mechanisms/ports.h"

struct gtsc_l2 {
    struct bank *bank;
    const struct cache *cache;
    struct unit_pins unit;
    struct gtsc_l2_in in;
    struct gtsc_l2_out out;
    const struct request *asked; /* the unit's outputs are of this request, as it was admitted */
    uint64_t *overflow, bit; /* banks where something waits for a reset, and this one among them */
    bool fill_waits;         /* the stamps of a line that came from DRAM, at fill_line */
    uint32_t fill_line;
    uint64_t fills, renewals, acks;
};

/* Opens the unit at `parameters` and finds its ports (gtsc_open.c); 0, or -1 with the context's
 * error. */
int gtsc_open_l2(struct mechanism_context *context, struct gtsc_l2 *l2, const char *parameters);
int gtsc_l2_plug(struct mechanism_context *context, struct gtsc_l2 *l2);
/* All stamps of the bank begin anew. */
void gtsc_l2_flash(struct gtsc_l2 *l2);

#endif
