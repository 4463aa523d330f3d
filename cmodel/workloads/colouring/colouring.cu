/* colouring.cu - graph colouring after Jones and Plassmann in the form of Cohen and
 * Castonguay: one round colours every vertex whose random number is the largest among
 * its uncoloured neighbours (CLR of Lakshminarayana 2014 section 6.5); the same
 * warp-centric, kernel-unrolled, and from a frontier of ids (section 3.7). */
/* clang: -mllvm -disable-block-placement */
#include "graph_queue.h"

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

/* A warp looks at the neighbours of one of its vertices at a time. */
KERNEL colouring_warp(const unsigned *__restrict__ row, const unsigned *__restrict__ edges,
                      const unsigned *__restrict__ rnd, int *colour, int round, unsigned *again,
                      unsigned n)
{
    unsigned lane = lane_of_warp(), v = global_thread() - lane;
    unsigned last = v + WARP < n ? v + WARP : n;
    ROLLED
    for (; v < last; v++) {
        if (colour[v] != UNCOLOURED)
            continue;
        unsigned own = rnd[v], end = row[v + 1];
        bool loses = false;
        ROLLED
        for (unsigned i = row[v] + lane; i < end; i += WARP) {
            unsigned id = edges[i];
            int c = colour[id];
            unsigned other = rnd[id];
            loses |= (c == UNCOLOURED || c == round) && (other > own || (other == own && id > v));
        }
        loses = warp_any(loses);
        if (lane == 0) {
            if (loses)
                *again = 1;
            else
                colour[v] = round;
        }
    }
}

/* Vertices that are not coloured yet are the next frontier. */
KERNEL colouring_data(const unsigned *__restrict__ frontier, unsigned n_frontier,
                      const unsigned *__restrict__ row, const unsigned *__restrict__ edges,
                      const unsigned *__restrict__ rnd, int *colour, int round, unsigned *next,
                      unsigned *n_next)
{
    queue_open();
    unsigned t = global_thread();
    if (t < n_frontier) {
        unsigned v = frontier[t];
        unsigned own = rnd[v], i = row[v], end = row[v + 1], id, other;
        int c;
        ROLLED
        for (; i < end; i++) {
            id = edges[i];
            c = colour[id];
            other = rnd[id];
            if ((c == UNCOLOURED || c == round) && (other > own || (other == own && id > v)))
                break;
        }
        IN_ORDER; /* both ways out of the loop meet here */
        if (i < end)
            queue_push(v, next, n_next);
        else
            colour[v] = round;
    }
    queue_close(next, n_next);
}

/* Does `id` come before `v`? */
static __device__ inline bool ranks_above(unsigned other, unsigned id, unsigned own, unsigned v)
{
    return other > own || (other == own && id > v);
}

/* Without rounds: a vertex has its colour as soon as all that rank above it have theirs, the next one
 * after the last of these, which is its round above.  What it lets go on its thread follows.  Whoever
 * colours a vertex gives it the same colour; an old copy of one without a colour only delays. */
KERNEL colouring_unrolled(const unsigned *__restrict__ row, const unsigned *__restrict__ edges,
                          const unsigned *__restrict__ rnd, int *colour, unsigned *again,
                          unsigned n)
{
    __shared__ unsigned queue[LOCAL_LIMIT][LOCAL_BLOCK];
    unsigned head = 0, tail = 1, first = global_thread();
    if (first >= n)
        return;
    queue[0][threadIdx.x] = first;
    ROLLED
    while (head < tail) {
        unsigned v = queue[head++][threadIdx.x];
        if (colour[v] != UNCOLOURED)
            continue;
        unsigned own = rnd[v], i = row[v], end = row[v + 1], id, other;
        int c, last = UNCOLOURED;
        ROLLED
        for (; i < end; i++) {
            id = edges[i];
            c = colour[id];
            other = rnd[id];
            if (ranks_above(other, id, own, v)) {
                if (c == UNCOLOURED)
                    break;
                last = c > last ? c : last;
            }
        }
        if (i < end) {
            *again = 1;
            continue;
        }
        colour[v] = last + 1;
        ROLLED
        for (i = row[v]; i < end && tail < LOCAL_LIMIT; i++) {
            id = edges[i];
            if (!ranks_above(rnd[id], id, own, v) && colour[id] == UNCOLOURED)
                queue[tail++][threadIdx.x] = id;
        }
    }
}
