/* gtsc_record.c - what an SM keeps of its stores, atomics and volatile loads in flight: one
 * list for each warp (tabbakh2018-coherence [D-G7], [D-G15]). */
#include "mechanisms/gtsc/gtsc.h"

void gtsc_records_clear(struct gtsc_l1 *l1)
{
    for (uint16_t at = 0; at < GTSC_RECORDS; at++) {
        l1->record[at].next = (uint16_t)(at + 1);
    }
    l1->free_record = 0;
    for (uint32_t warp = 0; warp < SM_MAX_WARPS; warp++) {
        l1->first_record[warp] = GTSC_NO_RECORD;
    }
}

uint16_t gtsc_record_take(struct gtsc_l1 *l1, const struct gtsc_record *record)
{
    const uint16_t at = l1->free_record;
    l1->free_record = l1->record[at].next;
    l1->record[at] = *record;
    l1->record[at].next = l1->first_record[record->warp];
    l1->first_record[record->warp] = at;
    return at;
}

struct gtsc_record gtsc_record_end(struct gtsc_l1 *l1, uint16_t at)
{
    const struct gtsc_record record = l1->record[at];
    uint16_t *link = &l1->first_record[record.warp];
    while (*link != at) {
        link = &l1->record[*link].next;
    }
    *link = record.next;
    l1->record[at].next = l1->free_record;
    l1->free_record = at;
    return record;
}

bool gtsc_record_find(const struct gtsc_l1 *l1, uint32_t warp, uint64_t block)
{
    for (uint16_t at = l1->first_record[warp]; at != GTSC_NO_RECORD; at = l1->record[at].next) {
        if (l1->record[at].block == block) {
            return true;
        }
    }
    return false;
}
