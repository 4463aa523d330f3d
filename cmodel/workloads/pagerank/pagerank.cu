/* pagerank.cu - PageRank by pulling along incoming edges, one thread per vertex. */
#include "graph_kernel.h"

/* What each vertex gives to every vertex that it points to. */
KERNEL pagerank_share(const float *rank, const unsigned *out_degree, float *share, unsigned n)
{
    unsigned v = global_thread();
    if (v < n)
        share[v] = rank[v] / (float)out_degree[v];
}

KERNEL pagerank_gather(const unsigned *row, const unsigned *edges, const float *share, float *rank,
                       float base, float damping, unsigned n)
{
    unsigned v = global_thread();
    if (v >= n)
        return;
    unsigned end = row[v + 1];
    float sum = 0;
    ROLLED
    for (unsigned i = row[v]; i < end; i++)
        sum += share[edges[i]];
    rank[v] = base + damping * sum;
}
