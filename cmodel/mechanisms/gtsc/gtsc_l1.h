/* gtsc_l1.h - G-TSC at the L1D of one SM: the unit gtsc_l1 behind the machine's coherence seam
 * (tabbakh2018-coherence 3.6.3, 3.6.4, 3.6.6).  The unit keeps all timestamps; the machine keeps
 * tags, bytes, MSHRs and messages. */
#ifndef WARPLOCK_MECHANISMS_GTSC_L1_H
#define WARPLOCK_MECHANISMS_GTSC_L1_H

#include "mechanisms/gtsc/gtsc_ports.h"
#include "mechanisms/gtsc/gtsc_record.h"
#include "mechanisms/ports.h"

struct gtsc_l1 {
    struct core *core;
    const struct cache *l1d;
    const struct mshr_file *mshrs;
    bool rc, pins; /* pins: a line with a renewal in flight is pinned ([D-G9]) */
    struct unit_pins unit;
    struct gtsc_l1_in in;
    struct gtsc_l1_out out;
    uint64_t epoch, load_time;
    const struct cache_line *refetched; /* of the load that the unit's outputs are about */
    bool staged; /* store_hit has done the store that send is about to send */
    struct {
        uint64_t wts, ts;
        bool stamps;
        uint16_t line;
    } store;
    struct gtsc_records records;
    uint64_t lease_expired, lock_retries, old_messages, merges_failed, resets_adopted, parked,
        renewals_orphaned;
};

/* Opens the unit at `parameters` and finds its ports (gtsc_open.c); 0, or -1 with the context's
 * error. */
int gtsc_open_l1(struct mechanism_context *context, struct gtsc_l1 *l1, const char *parameters);
int gtsc_l1_plug(struct mechanism_context *context, struct gtsc_l1 *l1);

/* What the unit holds of a line; false when its backend does not show state. */
bool gtsc_l1_stamps(const struct gtsc_l1 *l1, uint32_t line, uint64_t *wts, uint64_t *rts);
/* A reset message without data, of that epoch. */
void gtsc_l1_probe(struct gtsc_l1 *l1, uint64_t epoch);

#endif
