/* gtsc_record.h - what an SM keeps of its stores, atomics and volatile loads in flight: one list
 * for each warp (tabbakh2018-coherence [D-G7], [D-G15]). */
#ifndef WARPLOCK_MECHANISMS_GTSC_RECORD_H
#define WARPLOCK_MECHANISMS_GTSC_RECORD_H

#include <stdbool.h>
#include <stdint.h>

enum { GTSC_RECORDS = 1024, GTSC_NO_RECORD = GTSC_RECORDS };

/* Kept from a request that has no MSHR entry until its answer. */
struct gtsc_record {
    uint64_t block;
    uint16_t line, next;
    uint8_t warp;
    bool stamps; /* a store that locked `line` */
};

struct gtsc_records {
    struct gtsc_record record[GTSC_RECORDS];
    uint16_t free, *first; /* [n_warps] */
    uint32_t n_warps;
};

void gtsc_records_clear(struct gtsc_records *records);
static inline bool gtsc_record_room(const struct gtsc_records *records)
{
    return records->free != GTSC_NO_RECORD;
}
/* There must be room. */
uint16_t gtsc_record_take(struct gtsc_records *records, const struct gtsc_record *record);
struct gtsc_record gtsc_record_end(struct gtsc_records *records, uint16_t at);
/* Has the warp one for the block? */
bool gtsc_record_find(const struct gtsc_records *records, uint32_t warp, uint64_t block);

#endif
