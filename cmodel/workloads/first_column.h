/* first_column.h - the column at which a row of a cut matrix-vector product begins.
 *
 * Works after Wang 2015 [D-WL-1]: over a whole row, a greedy scheduler lets warps drift apart, each
 * in column blocks of its own.  A short trip from column 0 keeps all of them in one block, whose
 * lines meet in one set of the L2 and a few banks of DRAM.  So each warp may begin `skew` columns
 * after the one before it, round a row.  Said once, for the kernels and for their references.
 */
#ifndef WARPLOCK_WORKLOADS_FIRST_COLUMN_H
#define WARPLOCK_WORKLOADS_FIRST_COLUMN_H

/* All unsigned; trip <= pitch.  A trip of the whole row begins at 0. */
#define FIRST_COLUMN(row, pitch, trip, skew) ((row) / 32u * (skew) % ((pitch) - (trip) + 1u))

#endif
