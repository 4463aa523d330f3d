/* gtsc_record.c - see gtsc_record.h. */
#include "mechanisms/gtsc/gtsc_record.h"

void gtsc_records_clear(struct gtsc_records *records)
{
    for (uint16_t at = 0; at < GTSC_RECORDS; at++) {
        records->record[at].next = (uint16_t)(at + 1);
    }
    records->free = 0;
    for (uint32_t warp = 0; warp < records->n_warps; warp++) {
        records->first[warp] = GTSC_NO_RECORD;
    }
}

uint16_t gtsc_record_take(struct gtsc_records *records, const struct gtsc_record *record)
{
    const uint16_t at = records->free;
    records->free = records->record[at].next;
    records->record[at] = *record;
    records->record[at].next = records->first[record->warp];
    records->first[record->warp] = at;
    return at;
}

struct gtsc_record gtsc_record_end(struct gtsc_records *records, uint16_t at)
{
    const struct gtsc_record record = records->record[at];
    uint16_t *link = &records->first[record.warp];
    while (*link != at) {
        link = &records->record[*link].next;
    }
    *link = record.next;
    records->record[at].next = records->free;
    records->free = at;
    return record;
}

bool gtsc_record_find(const struct gtsc_records *records, uint32_t warp, uint64_t block)
{
    uint16_t at = records->first[warp];
    while (at != GTSC_NO_RECORD && records->record[at].block != block) {
        at = records->record[at].next;
    }
    return at != GTSC_NO_RECORD;
}
