/* cost_band.h - how far a unit's area and path depend on how it is mapped.
 *
 * The same netlist through three mapping scripts of ABC, each with and without retiming (flip-flops
 * moved, of units that have some), in one library; see synth/band.mk.  Placement and wires are what
 * data/placement.csv measured of units in osu018: of this unit, else the
 * median of its family's, else of all.
 */
#ifndef WARPLOCK_SYNTH_COST_BAND_H
#define WARPLOCK_SYNTH_COST_BAND_H

#include "synth/cost_bench.h"

enum { COST_BAND_SCRIPTS = 3, COST_BAND_VARIANTS = 2 * COST_BAND_SCRIPTS };

struct cost_variant {
    const char *script;
    bool retimed;
    double area_um2, delay_ps;
    bool known; /* false: the tools gave no netlist */
};

struct cost_band {
    struct cost_variant variants[COST_BAND_VARIANTS];
    size_t n_variants;
    double least_um2, most_um2, least_ps, most_ps;
};

/* Area of rows by area of cells, and path with wires by path without. */
enum cost_placed { COST_PLACED_ITSELF, COST_PLACED_FAMILY, COST_PLACED_ANY };
struct cost_placement {
    double area, path;
    enum cost_placed of; /* this unit, the median of its family's, or of all */
    size_t n_measured;   /* such rows */
};

/* False when no variant could be mapped. */
bool cost_band_measure(struct cost_band *band, struct cost_bench *bench, const char *unit,
                       const char *set, const struct cost_library *library,
                       const struct cost_counts *counts);
/* What a report says of its retimed variants. */
const char *cost_band_retimed(void);
/* Of a file with the columns of data/placement.csv; false when it has no row. */
bool cost_placement_of(struct cost_placement *placement, const char *path, const char *unit);

#endif
