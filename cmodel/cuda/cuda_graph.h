/* cuda_graph.h - graphs of operations: what a stream records, or a program puts together, and runs
 * again and again.  See cuda_runtime.h, whose lock they are under.
 */
#ifndef WARPLOCK_CUDA_GRAPH_H
#define WARPLOCK_CUDA_GRAPH_H

#include <stdbool.h>
#include <uthash.h>

#include "cuda/cuda_abi.h"

/* As programs have it (cudaGraphNodeType). */
enum cuda_node_type {
    CUDA_NODE_KERNEL,
    CUDA_NODE_COPY,
    CUDA_NODE_SET,
    CUDA_NODE_HOST,
    CUDA_NODE_GRAPH,
    CUDA_NODE_EMPTY,
    CUDA_NODE_ALLOC = 10,
    CUDA_NODE_FREE
};

struct cuda_graph;

struct cuda_node_kernel {
    const void *function;
    struct cuda_dim3 grid, block;
    size_t shared_bytes;
    bool cooperative;
    void **args;     /* [n_args]; a node's own point into `values` */
    uint8_t *values; /* of a node: the arguments' bytes */
};

struct cuda_node_set {
    void *to;
    size_t pitch;
    unsigned value, element_bytes;
    size_t width, height; /* in elements, in rows */
};

struct cuda_node {
    enum cuda_node_type type;
    union {
        struct cuda_node_kernel kernel;
        struct cuda_copy3d copy;
        struct cuda_node_set set;
        struct {
            void (*function)(void *data);
            void *data;
        } host;
        struct cuda_graph *child; /* the node's own */
        void *memory;
    } as;
    struct cuda_node **before; /* [n_before]: they come first */
    size_t n_before;
    const struct cuda_node *origin; /* of an instance's: the node that it was made from */
    bool placed;                    /* while an order is looked for */
};

struct cuda_graph {
    struct cuda_node **node; /* in the order that they were added; of an instance: of the run */
    size_t n, max;
    bool is_instance;
    struct cuda_graph *self; /* the key */
    UT_hash_handle hh;
};

/* All of these: an error code. */
int cuda_graph_new(struct cuda_graph **out);
void cuda_graph_free(struct cuda_graph *graph);
/* The graph behind a handle, or NULL. */
struct cuda_graph *cuda_graph_of(const void *handle, bool is_instance);
bool cuda_graph_has(const struct cuda_graph *graph, const struct cuda_node *node);
/* A node after `before`, which must be of the graph; what `as` points to is copied. */
int cuda_graph_add(struct cuda_graph *graph, const struct cuda_node *as,
                   struct cuda_node *const *before, size_t n_before, struct cuda_node **out);
int cuda_graph_depend(struct cuda_graph *graph, struct cuda_node *from, struct cuda_node *to);
/* A copy; `ordered`: an instance, each node after those before it; an error when they go round. */
int cuda_graph_copy(const struct cuda_graph *graph, bool ordered, struct cuda_graph **out);
/* Other arguments for a kernel's node. */
int cuda_node_set_kernel(struct cuda_node *node, const struct cuda_node_kernel *kernel);
/* Run an instance, without the lock. */
int cuda_graph_run(const struct cuda_graph *instance);

/* Is the stream recording?  Then what was submitted becomes a node, and *error its outcome. */
bool cuda_capture(const void *stream, const struct cuda_node *as, int *error);
/* Is it?  For what cannot be recorded: one line, cudaErrorStreamCaptureUnsupported. */
bool cuda_capture_refuses(const void *stream, const char *call, int *error);

#endif
