/* cost_memory.h - a unit's memories as SRAM, against what they take as flip-flops.
 *
 * A macro has one read and one write port (one of both, when nothing writes): a memory of more
 * ports is a copy of it for each pair of a read and a write port, side by side (which copy holds
 * the last write is not counted).  What the memories take as flip-flops is measured of the whole
 * unit, with and without them; each has its share of that by its bits.  It must not know claims.
 */
#ifndef WARPLOCK_SYNTH_COST_MEMORY_H
#define WARPLOCK_SYNTH_COST_MEMORY_H

#include "synth/cost_bench.h"
#include "synth/cost_sram.h"

struct cost_memory_price {
    double copies, sram_um2;
    double flip_flop_um2; /* 0: not measured */
    bool as_sram;         /* the cheaper */
};

struct cost_memory_form {
    struct cost_memory_price prices[COST_MAX_MEMORIES]; /* by counts->memories */
    double area_um2, access_ps;                         /* all as SRAM: sum, slowest */
    bool extended;                                      /* beyond the table of figures */
    double cheaper_um2; /* the unit with each memory in its cheaper form; 0: not measured */
};

/* All as SRAM at a node.  False when one is outside what can be estimated. */
bool cost_memory_form(const struct cost_sram *sram, const struct cost_counts *counts,
                      double node_nm, struct cost_memory_form *form);
/* Sets flip-flops of a mapping against it. */
void cost_memory_compare(struct cost_memory_form *form, const struct cost_counts *counts,
                         const struct cost_mapping *mapping);
/* "SRAM: a b; flip-flops: c", by what is cheaper. */
void cost_memory_words(const struct cost_memory_form *form, const struct cost_counts *counts,
                       char *out, size_t n_out);

#endif
