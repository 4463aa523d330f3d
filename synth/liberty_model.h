/* liberty_model.h - delays of every arc and edge of a cell, from those of its worst one.
 *
 * The table of cells has one line per cell, delay = intercept + slope * load, of the worst arc at
 * one input slew.  The rest is derived from how the cell is built (liberty_cells.h):
 *   edges     a rise goes through series PMOS transistors, a fall through series NMOS: slopes by
 *             their number are those of INV, NOR2, NOR3, NOR4 and of NAND3, NAND4 (one and two
 *             NMOS: the line through these two, for a velocity-saturated transistor alone resists
 *             more than its share of a stack)
 *   pins      a node between the output and the switching transistor is (dis)charged, too (Elmore)
 *   slew      a node driven by a resistance R falls from 70 to 30 % in log2(7/3) of the time that
 *             it takes to 50 %; of the input's 30-70 % slew a share passes into the delay, more
 *             for the edge whose network has to win against a stronger one: the input crosses the
 *             threshold of the gate that much later (alpha-power transistors)
 *   stages    are added; a stage inside is as wide as the input capacitance says
 *   drive     Xn has transistors n times as wide: slope / n, capacitance * n
 * Then all arcs of the cell are scaled by two factors, one of intercepts and one of slopes, so that
 * the greatest of each is the table's.  It must not know Liberty, files or units.
 */
#ifndef WARPLOCK_SYNTH_LIBERTY_MODEL_H
#define WARPLOCK_SYNTH_LIBERTY_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "synth/liberty_cells.h"

enum { LIBERTY_SERIES = 4, LIBERTY_ARCS = 128, LIBERTY_NAME = 8 };
enum edge { RISE, FALL };

/* One cell's row of the table. */
struct figures {
    double area_um2, leakage_nw, input_cap_ff, intercept_ps, slope_ps_per_ff;
};

struct technology {
    double slope[2][LIBERTY_SERIES + 1]; /* ps/fF of [edge] by transistors in series */
    double gate_ff;                      /* input of a pair of transistors: the inverter's */
};

/* One edge of an output, caused by an input. */
struct liberty_arc {
    char input[LIBERTY_NAME], output[LIBERTY_NAME];
    enum edge edge;
    bool positive; /* the input has the same edge */
    double slew_share, intrinsic_ps, slope_ps_per_ff;
    double own_ps; /* of the last stage, by its own capacitance: part of the output's slew */
};

/* The input slew at which the table was read off. */
extern const double liberty_table_slew_ps;
/* Slew of the output at that much time constant (delay of the last stage). */
extern const double liberty_slew_per_delay;
/* Share of an input's slew that goes into the delay of a stage with equal networks. */
extern const double liberty_slew_share;

/* Slopes by transistors in series from the rows of INV, NOR2..NOR4, NAND3 and NAND4. */
void liberty_technology(struct technology *technology, const struct figures *inverter,
                        const struct figures nor[3], const struct figures nand[2]);
/* Arcs of a gate at strength 1; returns their number. */
size_t liberty_arcs(const struct cell *cell, const struct technology *technology,
                    const struct figures *figures, struct liberty_arc arcs[LIBERTY_ARCS]);
/* Capacitance of a drain pair, with the inverter's slope: what a flip-flop's output adds. */
double liberty_drains_ff(void);
/* Pairs of transistors of the stages inside and of those that drive outputs. */
void liberty_pairs(const struct cell *cell, unsigned *inside, unsigned *driving);

#endif
