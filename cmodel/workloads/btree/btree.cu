/* btree.cu - point queries on a B+ tree, one CTA per query, one thread per key.
 *
 * All nodes hold ORDER keys and ORDER + 1 links.  Inner level: thread t compares
 * keys t and t + 1 and the one whose interval holds the query names the child.
 * Leaf level: the thread whose key is the query reports its value.
 *
 * btree_find keeps where a query is in shared memory; btree_walk, as Rodinia's kernel, in two arrays
 * in global memory, from which all threads read it at every level. */
#include "cuda.h"

#define ORDER 256

struct node {
    int keys[ORDER];      /* rising; unused ones are the largest integer */
    int links[ORDER + 1]; /* children, or the values of a leaf */
    int pad[3];
};

KERNEL btree_find(const node *nodes, const int *queries, int *answers, unsigned levels)
{
    __shared__ int current;
    const unsigned t = threadIdx.x;
    const int query = queries[blockIdx.x];
    if (t == 0)
        current = 0;
    __syncthreads();
    ROLLED
    for (unsigned level = 1; level < levels; level++) {
        const node *n = nodes + current;
        __syncthreads();
        if (t == 0 && query < n->keys[0])
            current = n->links[0];
        if (query >= n->keys[t] && (t == ORDER - 1 || query < n->keys[t + 1]))
            current = n->links[t + 1];
        __syncthreads();
    }
    const node *leaf = nodes + current;
    if (leaf->keys[t] == query)
        answers[blockIdx.x] = leaf->links[t];
}

KERNEL btree_walk(const node *nodes, const int *queries, int *answers, int *current, int *child,
                  unsigned levels)
{
    const unsigned t = threadIdx.x, q = blockIdx.x;
    ROLLED
    for (unsigned level = 1; level < levels; level++) {
        const node *n = nodes + current[q];
        const int query = queries[q];
        if (t == 0 && query < n->keys[0])
            child[q] = n->links[0];
        if (query >= n->keys[t] && (t == ORDER - 1 || query < n->keys[t + 1]))
            child[q] = n->links[t + 1];
        __syncthreads();
        if (t == 0)
            current[q] = child[q];
        __syncthreads();
    }
    const node *leaf = nodes + current[q];
    if (leaf->keys[t] == queries[q])
        answers[q] = leaf->links[t];
}
