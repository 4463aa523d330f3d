/* colouring.cu - graph colouring after Jones and Plassmann in the form of Cohen and
 * Castonguay: one round colours every vertex whose random number is the largest among
 * its uncoloured neighbours (CLR of Lakshminarayana 2014 section 6.5). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

enum { UNCOLOURED = -1 };

/* Neighbours coloured in this very round still count as uncoloured, so the result does
 * not depend on the order of the threads.  Equal numbers: the higher vertex wins. */
KERNEL colouring(const unsigned *__restrict__ row, const unsigned *__restrict__ edges, const unsigned *__restrict__ rnd, int *colour,
                 int round, unsigned *again, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || colour[v] != UNCOLOURED)
        return;
    unsigned own = rnd[v], i = row[v], end = row[v + 1], id, other;
    int c;
    ROLLED
    for (; i < end; i++) {
        id = edges[i];
        c = colour[id];
        other = rnd[id];
        if ((c == UNCOLOURED || c == round) && (other > own || (other == own && id > v))) {
            *again = 1;
            return;
        }
    }
    colour[v] = round;
}
