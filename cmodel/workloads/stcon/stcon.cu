/* stcon.cu - are two vertices connected?  Breadth-first search from both ends until the two
 * sides meet (STCON of Lakshminarayana 2014 section 6.5). */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

/* side[v] is 0, or the end from which v was reached.  A vertex that both ends reach in one
 * round goes to either; its edges then show the meeting in the next. */
KERNEL stcon_expand(unsigned char *mask, const struct node *__restrict__ nodes, const unsigned *__restrict__ edges,
                    const unsigned char *__restrict__ side, unsigned char *updating, unsigned *met, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || !mask[v])
        return;
    mask[v] = 0;
    unsigned char mine = side[v];
    unsigned first = nodes[v].first, end = first + nodes[v].count;
    ROLLED
    for (unsigned i = first; i < end; i++) {
        unsigned id = edges[i];
        unsigned char other = side[id];
        if (other == 0)
            updating[id] = mine;
        else if (other != mine)
            *met = 1;
    }
}

/* The touched vertices become the next frontier. */
KERNEL stcon_commit(unsigned char *mask, unsigned char *side, unsigned char *updating,
                    unsigned *again, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || !updating[v])
        return;
    mask[v] = 1;
    side[v] = updating[v];
    updating[v] = 0;
    *again = 1;
}
