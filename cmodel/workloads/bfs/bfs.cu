/* bfs.cu - breadth-first search, one thread per vertex, frontier as byte flags
 * (Harish and Narayanan; H-BFS of Lakshminarayana 2014 section 6.5). */
/* Beside bfs_expand its variants with loads of later iterations in the program itself (Lakshminarayana
 * 2014 section 3.7): prefetched with a check of the bound (SWP) or with the last element outside
 * the loop (SWPNC), two or three elements an iteration (UNR2, UNR3), and both. */
/* And both kernels as Rodinia has them. */
/* clang: -mllvm -disable-block-placement */
#include "graph_kernel.h"

/* Threads of the frontier visit their neighbours.  Several may write one neighbour:
 * all write the same values. */
KERNEL bfs_expand(unsigned char *mask, const struct node *__restrict__ nodes, const unsigned *__restrict__ edges,
                  const unsigned char *__restrict__ visited, unsigned *cost, unsigned char *updating,
                  unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || !mask[v])
        return;
    mask[v] = 0;
    unsigned first = nodes[v].first, end = first + nodes[v].count;
    ROLLED
    for (unsigned i = first; i < end; i++) {
        unsigned id = edges[i];
        if (!visited[id]) {
            cost[id] = cost[v] + 1;
            updating[id] = 1;
        }
    }
}

/* ---- the variants ---- */

struct search {
    const unsigned *edges;
    const unsigned char *visited;
    unsigned *cost;
    unsigned char *updating;
    unsigned v;
};

/* A neighbour with its flag: what is loaded, and what is done with it. */
struct neighbour {
    unsigned id, seen;
};

/* Here, not where the values are used: the compiler would move the loads down to there (D-GRAPH-2). */
static __device__ inline struct neighbour load(const struct search *s, unsigned i)
{
    unsigned id = s->edges[i], seen = s->visited[id];
    asm volatile("" : "+r"(id), "+r"(seen)::"memory");
    return (struct neighbour){id, seen};
}

static __device__ inline void visit(const struct search *s, struct neighbour that)
{
    if (!that.seen) {
        s->cost[that.id] = s->cost[s->v] + 1;
        s->updating[that.id] = 1;
    }
}

/* Everything around the loop; a form is given the range of edges. */
#define BFS_FORM(name)                                                                            \
    static __device__ inline void name##_loop(const struct search *s, unsigned i, unsigned end);   \
    KERNEL name(unsigned char *mask, const struct node *__restrict__ nodes,                        \
                const unsigned *__restrict__ edges, const unsigned char *__restrict__ visited,     \
                unsigned *cost, unsigned char *updating, unsigned n)                               \
    {                                                                                              \
        unsigned v = global_thread();                                                              \
        if (v >= n || !mask[v])                                                                    \
            return;                                                                                \
        mask[v] = 0;                                                                               \
        struct search s = {edges, visited, cost, updating, v};                                     \
        unsigned first = nodes[v].first, end = first + nodes[v].count;                             \
        if (first < end)                                                                           \
            name##_loop(&s, first, end);                                                           \
    }                                                                                              \
    static __device__ inline void name##_loop(const struct search *s, unsigned i, unsigned end)

BFS_FORM(bfs_swp)
{
    struct neighbour now = load(s, i), next = now;
    ROLLED
    for (; i < end; i++) {
        if (i < end - 1)
            next = load(s, i + 1);
        visit(s, now);
        now = next;
    }
}

BFS_FORM(bfs_swpnc)
{
    struct neighbour now = load(s, i);
    ROLLED
    for (; i < end - 1; i++) {
        struct neighbour next = load(s, i + 1);
        visit(s, now);
        now = next;
    }
    visit(s, now);
}

BFS_FORM(bfs_unr2)
{
    ROLLED
    for (; i + 1 < end; i += 2) {
        struct neighbour one = load(s, i), two = load(s, i + 1);
        visit(s, one);
        visit(s, two);
    }
    if (i < end)
        visit(s, load(s, i));
}

BFS_FORM(bfs_unr3)
{
    ROLLED
    for (; i + 2 < end; i += 3) {
        struct neighbour one = load(s, i), two = load(s, i + 1), three = load(s, i + 2);
        visit(s, one);
        visit(s, two);
        visit(s, three);
    }
    ROLLED
    for (; i < end; i++)
        visit(s, load(s, i));
}

BFS_FORM(bfs_unr2_swp)
{
    struct neighbour one = load(s, i), two = one;
    if (i + 1 < end)
        two = load(s, i + 1);
    ROLLED
    for (; i + 1 < end; i += 2) {
        struct neighbour next_one = one, next_two = two;
        if (i + 2 < end)
            next_one = load(s, i + 2);
        if (i + 3 < end)
            next_two = load(s, i + 3);
        visit(s, one);
        visit(s, two);
        one = next_one;
        two = next_two;
    }
    if (i < end)
        visit(s, one);
}

BFS_FORM(bfs_unr2_swpnc)
{
    struct neighbour one = load(s, i);
    ROLLED
    for (; i + 2 < end; i += 2) {
        struct neighbour two = load(s, i + 1), next = load(s, i + 2);
        visit(s, one);
        visit(s, two);
        one = next;
    }
    visit(s, one);
    if (i + 1 < end)
        visit(s, load(s, i + 1));
}

/* The touched vertices become the next frontier. */
KERNEL bfs_commit(unsigned char *mask, unsigned char *visited, unsigned char *updating,
                  unsigned *again, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n || !updating[v])
        return;
    mask[v] = 1;
    visited[v] = 1;
    *again = 1;
    updating[v] = 0;
}

/* ---- Rodinia's ---- */

#define RODINIA_BLOCK 512

/* The row's bounds are the loop's condition: nothing says that the stores leave them alone, so each
 * iteration loads them again, count before first.  IN_ORDER, since clang would load them after a
 * store only. */
KERNEL bfs_rodinia(bool *mask, const struct node *nodes, const int *edges, const bool *visited,
                   int *cost, bool *updating, int n)
{
    const int v = (int)(blockIdx.x * RODINIA_BLOCK + threadIdx.x);
    if (v >= n || !mask[v])
        return;
    mask[v] = false;
    ROLLED
    for (int i = (int)nodes[v].first; i < (int)(nodes[v].count + nodes[v].first); i++) {
        const int id = edges[i];
        if (!visited[id]) {
            cost[id] = cost[v] + 1;
            updating[id] = true;
        }
        IN_ORDER;
    }
}

/* bfs_commit, but the flag for the host is a byte. */
KERNEL bfs_rodinia_commit(bool *mask, bool *visited, bool *updating, bool *again, int n)
{
    const int v = (int)(blockIdx.x * RODINIA_BLOCK + threadIdx.x);
    if (v >= n || !updating[v])
        return;
    mask[v] = true;
    visited[v] = true;
    *again = true;
    updating[v] = false;
}
