/* failure_record.h - leaves a failing sequence in build/fail, with its waveform and layout. */
#ifndef WARPLOCK_TB_FAILURE_RECORD_H
#define WARPLOCK_TB_FAILURE_RECORD_H

#include "tb/backend.h"
#include "tb/sequence.h"

/* The commands that bring it back; "" for none. */
struct failure_record {
    char replay[8400], wave[8400];
};

/* Writes build/fail/<name>.seq, plays it, and writes .fst (or `wave_path`, unless NULL), the
 * RTL's inside included, and .gtkw with what differs first and the marker where it does.
 * `sequence` must fail on `backend`.  Returns whether it did; false also when a file cannot
 * be written. */
bool failure_record_write(struct library *library, const struct unit_backend *backend,
                          const struct sequence *sequence, const char *name, const char *wave_path,
                          struct failure_record *record);

#endif
