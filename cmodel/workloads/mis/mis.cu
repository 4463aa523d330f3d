/* mis.cu - maximal independent set by random priorities (Luby; MIS of Lakshminarayana 2014
 * section 6.5). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

enum { UNDECIDED = 0, INSIDE = 1, OUTSIDE = 2 };

/* Vertices that rank above all their neighbours still in play join the set.  A neighbour
 * that joins in this very round ranks higher, so its state may be read old or new. */
KERNEL mis_join(const unsigned *__restrict__ row, const unsigned *__restrict__ edges, const unsigned *__restrict__ rnd, unsigned *state,
                unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || state[v] != UNDECIDED)
        return;
    unsigned own = rnd[v], i = row[v], end = row[v + 1], id, other;
    ROLLED
    for (; i < end; i++) {
        id = edges[i];
        other = rnd[id];
        if (state[id] != OUTSIDE && (other > own || (other == own && id > v)))
            return;
    }
    state[v] = INSIDE;
}

/* Neighbours of the set leave; whoever is still undecided asks for another round. */
KERNEL mis_leave(const unsigned *__restrict__ row, const unsigned *__restrict__ edges, unsigned *state, unsigned *again,
                 unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || state[v] != UNDECIDED)
        return;
    unsigned i = row[v], end = row[v + 1], joined = 0;
    ROLLED
    for (; i < end && !joined; i++)
        joined = state[edges[i]] == INSIDE;
    if (joined)
        state[v] = OUTSIDE;
    else
        *again = 1;
}
