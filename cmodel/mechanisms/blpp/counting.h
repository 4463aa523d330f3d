/* counting.h - the unit blpp_monitor at an SM or an L2 bank: window after window of its counts
 * (aci 3.17.5).
 *
 * A window is a number of core cycles from the start of the run.  The counts of a window can be asked for in
 * the one that follows; those of all windows at any time.  Knows no share and no page. */
#ifndef WARPLOCK_MECHANISMS_BLPP_COUNTING_H
#define WARPLOCK_MECHANISMS_BLPP_COUNTING_H

#include "mechanisms/ports.h"

enum blpp_count { COUNT_L1, COUNT_L1_MISSES, COUNT_L2, COUNT_L2_MISSES, COUNT_BYTES, BLPP_COUNTS };

struct blpp_site {
    struct unit_pins monitor;
    uint64_t *sample, *in[BLPP_COUNTS], *of[BLPP_COUNTS];
    uint64_t window_cycles;
    uint64_t window, closed;      /* the one being counted, the one before that had counts */
    uint64_t before[BLPP_COUNTS]; /* of `closed` */
    uint64_t total[BLPP_COUNTS];  /* of all but the one being counted */
};

/* Open the unit and watch an SM, or a bank; 0, or -1 with an error. */
int blpp_watch_core(struct mechanism_context *context, struct core *core, struct blpp_site *site);
int blpp_watch_bank(struct mechanism_context *context, struct bank *bank, struct blpp_site *site);

/* Add the counts of a window, the present one or the one before; of all. */
void blpp_add_window(const struct blpp_site *site, uint64_t window, uint64_t into[BLPP_COUNTS]);
void blpp_add_all(const struct blpp_site *site, uint64_t into[BLPP_COUNTS]);

#endif
