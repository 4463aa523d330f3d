/* mis.cu - maximal independent set by random priorities (Luby; MIS of Lakshminarayana 2014
 * section 6.5). */
#include "graph_kernel.h"

enum { UNDECIDED = 0, INSIDE = 1, OUTSIDE = 2 };

/* Vertices that rank above all their neighbours still in play join the set.  A neighbour
 * that joins in this very round ranks higher, so its state may be read old or new. */
KERNEL mis_join(const unsigned *row, const unsigned *edges, const unsigned *rnd, unsigned *state,
                unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || state[v] != UNDECIDED)
        return;
    unsigned own = rnd[v];
    unsigned end = row[v + 1];
    ROLLED
    for (unsigned i = row[v]; i < end; i++) {
        unsigned id = edges[i];
        if (state[id] == OUTSIDE)
            continue;
        unsigned other = rnd[id];
        if (other > own || (other == own && id > v))
            return;
    }
    state[v] = INSIDE;
}

/* Neighbours of the set leave; whoever is still undecided asks for another round. */
KERNEL mis_leave(const unsigned *row, const unsigned *edges, unsigned *state, unsigned *again,
                 unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || state[v] != UNDECIDED)
        return;
    unsigned end = row[v + 1];
    ROLLED
    for (unsigned i = row[v]; i < end; i++) {
        if (state[edges[i]] == INSIDE) {
            state[v] = OUTSIDE;
            return;
        }
    }
    *again = 1;
}
