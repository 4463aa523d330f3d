/* cost_read.h - reads what Yosys and OpenSTA print (synth/map.mk's files). */
#ifndef WARPLOCK_SYNTH_COST_READ_H
#define WARPLOCK_SYNTH_COST_READ_H

#include "synth/cost_bench.h"

/* storage.txt memories.txt xor.txt gates.txt of a folder; false with the file's name in `why`. */
/* Storage and memories only; the rest is 0. */
bool cost_read_storage(const char *folder, struct cost_counts *counts, char *why, size_t n_why);
bool cost_read_counts(const char *folder, struct cost_counts *counts, char *why, size_t n_why);
/* area.txt and timing.txt of a folder. */
bool cost_read_variant(const char *folder, struct cost_mapping *mapping, char *why, size_t n_why);
/* These, logic.txt and script.txt. */
bool cost_read_mapping(const char *folder, struct cost_mapping *mapping, char *why, size_t n_why);
/* through.<port>.txt: 0 when there is no such path; false when there is no such port. */
bool cost_read_through(const char *path, double *delay_ps);
/* "Chip area for module ...: A" of a file; a unit of wires alone has none: 0. */
bool cost_read_area(const char *path, double *area, uint64_t *cells);

#endif
