/* colouring.cu - graph colouring after Jones and Plassmann in the form of Cohen and
 * Castonguay: one round colours every vertex whose random number is the largest among
 * its uncoloured neighbours (CLR of Lakshminarayana 2014 section 6.5). */
#include "graph_kernel.h"

enum { UNCOLOURED = -1 };

/* Neighbours coloured in this very round still count as uncoloured, so the result does
 * not depend on the order of the threads.  Equal numbers: the higher vertex wins. */
KERNEL colouring(const unsigned *row, const unsigned *edges, const unsigned *rnd, int *colour,
                 int round, unsigned *again, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || colour[v] != UNCOLOURED)
        return;
    unsigned own = rnd[v];
    unsigned end = row[v + 1];
    ROLLED
    for (unsigned i = row[v]; i < end; i++) {
        unsigned id = edges[i];
        int c = colour[id];
        if (c != UNCOLOURED && c != round)
            continue;
        unsigned other = rnd[id];
        if (other > own || (other == own && id > v)) {
            *again = 1;
            return;
        }
    }
    colour[v] = round;
}
