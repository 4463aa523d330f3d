/* components.cu - connected components by label propagation, one thread per vertex
 * (CCL of CAPS section 6.1). */
#include "graph_kernel.h"

/* Labels only fall and updates are in place: a neighbour's label may be read before or
 * after its own update of this round, and the last round is the same either way. */
KERNEL components(unsigned *label, const unsigned *row, const unsigned *edges, unsigned *again,
                  unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    unsigned own = label[v], best = own;
    unsigned first = row[v], end = row[v + 1];
    ROLLED
    for (unsigned e = first; e < end; e++) {
        unsigned other = label[edges[e]];
        best = other < best ? other : best;
    }
    if (best < own) {
        label[v] = best;
        *again = 1;
    }
}
