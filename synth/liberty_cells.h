/* liberty_cells.h - the cells of the made library: what they compute and how they are built.
 *
 * A cell is a chain of inverting CMOS stages.  A stage "n=A1&A2" is the pull-down network of its
 * node: & in series, | in parallel, the first in series next to the output; the pull-up network
 * is its dual.  The stage whose node is an output pin drives the load.
 */
#ifndef WARPLOCK_SYNTH_LIBERTY_CELLS_H
#define WARPLOCK_SYNTH_LIBERTY_CELLS_H

#include <stddef.h>

enum cell_kind { GATE, LATCH, FLOP };

struct cell {
    const char *name; /* without the drive strength */
    enum cell_kind kind;
    unsigned greatest_drive;  /* strengths are the powers of two up to it */
    const char *inputs;       /* pins, separated by spaces */
    const char *output;       /* pin=function, separated by spaces */
    const char *stages;       /* of gates */
    const char *asynchronous; /* flops: Liberty's clear and preset attributes */
};

extern const struct cell liberty_cells[];
extern const size_t liberty_n_cells;

#endif
