/* mum.cu - where each part of a query occurs in a reference, by its suffix tree (MUMmerGPU). */
#include "cuda.h"

/* Children by base; 0: none, as the root is nobody's child.  Aligned to 4 bytes: one load each. */
struct node {
    unsigned child[4];
};
/* What of the text leads into a node. */
struct edge {
    unsigned start, length;
};
struct match {
    unsigned position, length;
};

/* One thread for each query: for every start of it, down from the root as far as the text agrees. */
KERNEL mum(const struct node *nodes, const struct edge *edges, const unsigned char *text,
           const unsigned char *queries, struct match *matches, unsigned n_queries, unsigned length,
           unsigned starts)
{
    const unsigned q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= n_queries)
        return;
    const unsigned char *query = queries + q * length;
    struct match *out = matches + q * starts;
    ROLLED
    for (unsigned first = 0; first < starts; first++) {
        unsigned node = 0, at = first, end = 0;
        ROLLED
        while (at < length) {
            node = nodes[node].child[query[at]];
            if (node == 0)
                break;
            const unsigned start = edges[node].start, most = edges[node].length;
            unsigned k = 1;
            ROLLED
            while (k < most && at + k < length && text[start + k] == query[at + k])
                k++;
            at += k;
            end = start + k;
            if (k < most)
                break;
        }
        out[first].position = end - (at - first);
        out[first].length = at - first;
    }
}
