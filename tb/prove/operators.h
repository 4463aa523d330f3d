/* operators.h - one Yosys cell as a C expression over CBMC's bit vectors: what each type of
 * cell computes (Yosys internal cell library).  Registers and memories are none. */
#ifndef WARPLOCK_TB_PROVE_OPERATORS_H
#define WARPLOCK_TB_PROVE_OPERATORS_H

#include "tb/prove/cells.h"

/* Writes the cell's output as a word of the design and returns its number; an unknown type
 * leaves a line on stderr and the design failed. */
int operators_put(struct design *d, json_t *cell, const char *type);

#endif
