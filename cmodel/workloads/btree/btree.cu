/* btree.cu - point queries on a B+ tree, one CTA per query, one thread per key.
 *
 * All nodes hold ORDER keys and ORDER + 1 links.  Inner level: thread t compares
 * keys t and t + 1 and the one whose interval holds the query names the child.
 * Leaf level: the thread whose key is the query reports its value.
 *
 * btree_find keeps where a query is in shared memory; btree_walk, as Rodinia's kernel, in two arrays
 * in global memory, from which all threads read it at every level.
 *
 * btree_rodinia and btree_range are Rodinia's own two kernels, on its own nodes. */
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

/* A node of Rodinia's: key 0 is the least integer, one of the largest follows those in use, and index
 * i goes with keys from key i up to key i + 1.  A leaf's indices are of records. */
struct knode {
    int location;
    int indices[ORDER + 1];
    int keys[ORDER + 1];
    bool is_leaf;
    int num_keys;
};

/* The thread whose two keys of node *at have *key between them stores the child that it finds in node
 * *from aside, in *next. */
static __device__ inline void descend(const knode *nodes, long n, const long *at, const long *from,
                                      long *next, const int *key)
{
    const unsigned t = threadIdx.x;
    if (nodes[*at].keys[t] <= *key && nodes[*at].keys[t + 1] > *key) {
        const int child = nodes[*from].indices[t];
        if (child < n)
            *next = child;
    }
}

/* Rodinia's findK.  At each level all threads load where the query is and its key; the one that finds
 * the child stores it aside, and the first thread moves it. */
KERNEL btree_rodinia(long height, const knode *knodesD, long knodes_elem, const int *recordsD,
                     long *currKnodeD, long *offsetD, const int *keysD, int *ansD)
{
    const unsigned t = threadIdx.x, q = blockIdx.x;
    ROLLED
    for (int i = 0; i < height; i++) {
        descend(knodesD, knodes_elem, &currKnodeD[q], &offsetD[q], &offsetD[q], &keysD[q]);
        __syncthreads();
        if (t == 0)
            currKnodeD[q] = offsetD[q];
        __syncthreads();
    }
    if (knodesD[currKnodeD[q]].keys[t] == keysD[q])
        ansD[q] = recordsD[knodesD[currKnodeD[q]].indices[t]];
}

/* Rodinia's findRangeK: both ends of a range at once, down to their records' numbers. */
KERNEL btree_range(long height, const knode *knodesD, long knodes_elem, long *currKnodeD,
                   long *offsetD, long *lastKnodeD, long *offset_2D, const int *startD,
                   const int *endD, int *RecstartD, int *ReclenD)
{
    const unsigned t = threadIdx.x, q = blockIdx.x;
    ROLLED
    for (int i = 0; i < height; i++) {
        descend(knodesD, knodes_elem, &currKnodeD[q], &currKnodeD[q], &offsetD[q], &startD[q]);
        descend(knodesD, knodes_elem, &lastKnodeD[q], &lastKnodeD[q], &offset_2D[q], &endD[q]);
        __syncthreads();
        if (t == 0) {
            currKnodeD[q] = offsetD[q];
            lastKnodeD[q] = offset_2D[q];
        }
        __syncthreads();
    }
    if (knodesD[currKnodeD[q]].keys[t] == startD[q])
        RecstartD[q] = knodesD[currKnodeD[q]].indices[t];
    __syncthreads();
    if (knodesD[lastKnodeD[q]].keys[t] == endD[q])
        ReclenD[q] = knodesD[lastKnodeD[q]].indices[t] - RecstartD[q] + 1;
}
