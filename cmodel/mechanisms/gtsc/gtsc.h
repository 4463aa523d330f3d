/* gtsc.h - G-TSC as a mechanism: between its files.
 *
 * Works after tabbakh2018-coherence 3.6.  The units gtsc_l1 (one an SM) and gtsc_l2 (one a
 * bank) decide and keep all timestamps; the machine keeps tags, bytes, MSHRs and messages.
 *
 * proto[] of a request: [0] wts of the copy, warp_ts << 32; [1] the SM's epoch; [2] its
 * record.  Of a reply: [0] wts, rts << 32; [1] the bank's epoch, merge_ok << 8; [2] as sent. */
#ifndef WARPLOCK_MECHANISMS_GTSC_H
#define WARPLOCK_MECHANISMS_GTSC_H

#include "mechanisms/coherence/coherence.h"
#include "mechanisms/gtsc/gtsc_ports.h"
#include "mechanisms/ports.h"

enum {
    GTSC_RECORDS = 1024, /* stores, atomics and volatile loads of an SM in flight */
    GTSC_NO_RECORD = GTSC_RECORDS,
    GTSC_EPOCH_MASK = 0xff,
    GTSC_OK_SHIFT = 8,
    GTSC_STAMP_BYTES = 2 /* [D-G4] */
};

/* Kept from a request that has no MSHR entry until its answer ([D-G7], [D-G15]). */
struct gtsc_record {
    uint64_t block;
    uint16_t line, next;
    uint8_t warp;
    bool stamps; /* a store that locked `line` */
};

struct gtsc_l1 {
    struct sm *sm;
    bool rc;
    struct unit_pins unit;
    struct gtsc_l1_in in;
    struct gtsc_l1_out out;
    uint64_t epoch;
    bool staged; /* store_hit has done the store that send is about to send */
    struct {
        uint64_t wts, ts;
        bool stamps;
        uint16_t line;
    } store;
    struct gtsc_record record[GTSC_RECORDS];
    uint16_t free_record, first_record[SM_MAX_WARPS];
    uint64_t lease_expired, lock_retries, old_messages, merges_failed, resets_adopted, parked,
        renewals_orphaned;
};

struct gtsc;
struct gtsc_l2 {
    struct gtsc *gtsc;
    struct l2_bank *bank;
    struct unit_pins unit;
    struct gtsc_l2_in in;
    struct gtsc_l2_out out;
    bool overflow;   /* something waits for a reset */
    bool fill_waits; /* the stamps of a line that came from DRAM, at fill_line */
    uint32_t fill_line;
    uint64_t fills, renewals, acks, merges_lost;
};

struct gtsc {
    struct gpu *gpu;
    const char *name; /* of the mechanism: gtsc-sc or gtsc-rc */
    struct gtsc_l1 *l1;
    struct gtsc_l2 *l2;
    struct unit_pins ctl;
    struct gtsc_ctl_in ctl_in;
    struct gtsc_ctl_out ctl_out;
    uint64_t ctl_tick; /* last L2 tick that began, + 1 */
    uint64_t resets, probes;
};

/* The three kinds of unit, opened and wired; -1 with the context's error. */
int gtsc_open(struct mechanism_context *context, struct gtsc *gtsc, const char *l1_parameters,
              const char *l2_parameters);

void gtsc_l1_plug(struct gtsc_l1 *l1);
/* What the unit holds of a line; false when its backend does not show state. */
struct gtsc_stamps {
    uint64_t wts, rts;
};
bool gtsc_stamps_of(const struct gtsc_l1 *l1, const struct cache_line *line,
                    struct gtsc_stamps *stamps);
/* A reset message without data, of that epoch. */
void gtsc_l1_probe(struct gtsc_l1 *l1, uint64_t epoch);
void gtsc_l2_plug(struct gtsc_l2 *l2);
/* All stamps of the bank begin anew. */
void gtsc_l2_flash(struct gtsc_l2 *l2);

/* ---- records (gtsc_record.c) ---- */

void gtsc_records_clear(struct gtsc_l1 *l1);
static inline bool gtsc_record_room(const struct gtsc_l1 *l1)
{
    return l1->free_record != GTSC_NO_RECORD;
}
/* There must be room. */
uint16_t gtsc_record_take(struct gtsc_l1 *l1, const struct gtsc_record *record);
struct gtsc_record gtsc_record_end(struct gtsc_l1 *l1, uint16_t at);
bool gtsc_record_find(const struct gtsc_l1 *l1, uint32_t warp, uint64_t block);

#endif
