/* api_graph.c - graphs: put together node by node, copied, instantiated, launched.
 *
 * An instance runs its nodes in one order, inside the launch, as every operation does.  What is not
 * here (conditional nodes, nodes of other programs' memory, changes of edges) refuses by name.
 */
#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_graph.h"
#include "cuda/cuda_runtime.h"

/* The structures that programs pass. */
struct kernel_parameters {
    const void *function;
    struct cuda_dim3 grid, block;
    unsigned shared_bytes;
    void **args;
    void **extra;
};
struct host_parameters {
    void (*function)(void *data);
    void *data;
};
enum { ALLOC_BYTES_AT = 104, ALLOC_POINTER_AT = 112 };

API(cudaGraphCreate, struct cuda_graph **out, unsigned flags)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    error = error ? error : out && !flags ? cuda_graph_new(out) : CUDA_INVALID_VALUE;
    return cuda_leave(error);
}

static int destroy(const void *handle, bool is_instance)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_graph *graph = error ? NULL : cuda_graph_of(handle, is_instance);

    if (graph) {
        cuda_graph_free(graph);
    }
    return cuda_leave(error ? error : graph ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaGraphDestroy, void *graph)
{
    return destroy(graph, false);
}

API(cudaGraphExecDestroy, void *instance)
{
    return destroy(instance, true);
}

/* ---- nodes ---- */

static int add(struct cuda_node **out, void *handle, struct cuda_node *const *before,
               size_t n_before, const struct cuda_node *as)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_graph *graph = error ? NULL : cuda_graph_of(handle, false);

    if (!error && (!graph || !out || (n_before && !before))) {
        error = CUDA_INVALID_VALUE;
    }
    error = error ? error : cuda_graph_add(graph, as, before, n_before, out);
    return cuda_leave(error);
}

static struct cuda_node_kernel kernel_of(const struct kernel_parameters *p)
{
    return (struct cuda_node_kernel){.function = p->function,
                                     .grid = p->grid,
                                     .block = p->block,
                                     .shared_bytes = p->shared_bytes,
                                     .args = p->args};
}

API(cudaGraphAddKernelNode, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before, const struct kernel_parameters *p)
{
    struct cuda_node node = {.type = CUDA_NODE_KERNEL};

    if (!p || p->extra) {
        return p ? cuda_refuse("cudaGraphAddKernelNode with `extra`")
                 : cuda_keep_error(CUDA_INVALID_VALUE);
    }
    node.as.kernel = kernel_of(p);
    return add(out, graph, before, n_before, &node);
}

API(cudaGraphAddMemcpyNode, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before, const struct cuda_copy3d *p)
{
    struct cuda_node node = {.type = CUDA_NODE_COPY};

    if (!p) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    node.as.copy = *p;
    return add(out, graph, before, n_before, &node);
}

API(cudaGraphAddMemcpyNode1D, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before, void *to, const void *from, size_t bytes, int kind)
{
    struct cuda_node node = {.type = CUDA_NODE_COPY,
                             .as.copy = {.src = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                         .dst = {to, bytes, bytes, 1},
                                         .extent = {bytes, 1, 1},
                                         .kind = kind}};

    return add(out, graph, before, n_before, &node);
}

API(cudaGraphAddMemsetNode, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before, const struct cuda_node_set *p)
{
    struct cuda_node node = {.type = CUDA_NODE_SET};

    if (!p || (p->element_bytes != 1 && p->element_bytes != 2 && p->element_bytes != 4)) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    node.as.set = *p;
    return add(out, graph, before, n_before, &node);
}

API(cudaGraphAddHostNode, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before, const struct host_parameters *p)
{
    struct cuda_node node = {.type = CUDA_NODE_HOST};

    if (!p || !p->function) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    node.as.host.function = p->function;
    node.as.host.data = p->data;
    return add(out, graph, before, n_before, &node);
}

API(cudaGraphAddEmptyNode, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before)
{
    struct cuda_node node = {.type = CUDA_NODE_EMPTY};

    return add(out, graph, before, n_before, &node);
}

API(cudaGraphAddChildGraphNode, struct cuda_node **out, void *graph,
    struct cuda_node *const *before, size_t n_before, void *child)
{
    struct cuda_node node = {.type = CUDA_NODE_GRAPH};
    int error = cuda_enter(CUDA_USE_DEVICE);

    node.as.child = error ? NULL : cuda_graph_of(child, false);
    error = error ? error : node.as.child ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    error = cuda_leave(error);
    return error ? error : add(out, graph, before, n_before, &node);
}

/* The memory is there from now on. */
API(cudaGraphAddMemAllocNode, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before, uint8_t *parameters)
{
    struct cuda_node node = {.type = CUDA_NODE_ALLOC};
    size_t bytes = 0;
    int error;

    if (!parameters) {
        return cuda_keep_error(CUDA_INVALID_VALUE);
    }
    memcpy(&bytes, parameters + ALLOC_BYTES_AT, sizeof bytes);
    error = cuda_enter(CUDA_USE_DEVICE);
    if (!error) {
        const struct cuda_block *block = cuda_space_take(&cuda_runtime.space, "memory of a graph",
                                                         bytes, CUDA_BLOCK_DEVICE, NULL);

        node.as.memory = block ? (void *)(uintptr_t)block->base : NULL;
        error = block ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
    }
    error = cuda_leave(error);
    if (!error) {
        memcpy(parameters + ALLOC_POINTER_AT, &node.as.memory, sizeof node.as.memory);
    }
    return error ? error : add(out, graph, before, n_before, &node);
}

API(cudaGraphAddMemFreeNode, struct cuda_node **out, void *graph, struct cuda_node *const *before,
    size_t n_before, void *memory)
{
    struct cuda_node node = {.type = CUDA_NODE_FREE, .as.memory = memory};

    return add(out, graph, before, n_before, &node);
}

API(cudaGraphAddDependencies, void *handle, struct cuda_node *const *from,
    struct cuda_node *const *to, const void *edge_data, size_t n)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    struct cuda_graph *graph = error ? NULL : cuda_graph_of(handle, false);

    if (!error && (!graph || edge_data || (n && (!from || !to)))) {
        error = CUDA_INVALID_VALUE;
    }
    for (size_t e = 0; e < n && !error; e++) {
        error = cuda_graph_depend(graph, from[e], to[e]);
    }
    return cuda_leave(error);
}

/* ---- questions ---- */

static int list(void *handle, struct cuda_node **nodes, size_t *n, bool roots)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_graph *graph = error ? NULL : cuda_graph_of(handle, false);
    size_t found = 0;

    if (!error && (!graph || !n)) {
        error = CUDA_INVALID_VALUE;
    }
    for (size_t i = 0; !error && i < graph->n; i++) {
        if (roots && graph->node[i]->n_before) {
            continue;
        }
        if (nodes && found < *n) {
            nodes[found] = graph->node[i];
        }
        found++;
    }
    if (!error) {
        *n = found;
    }
    return cuda_leave(error);
}

API(cudaGraphGetNodes, void *graph, struct cuda_node **nodes, size_t *n)
{
    return list(graph, nodes, n, false);
}

API(cudaGraphGetRootNodes, void *graph, struct cuda_node **nodes, size_t *n)
{
    return list(graph, nodes, n, true);
}

/* Is it a node of any graph? */
static bool is_node(const struct cuda_node *node)
{
    for (const struct cuda_graph *g = cuda_runtime.graphs; g; g = g->hh.next) {
        if (cuda_graph_has(g, node)) {
            return true;
        }
    }
    return false;
}

API(cudaGraphNodeGetType, const struct cuda_node *node, int *type)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    error = error ? error : is_node(node) && type ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    if (!error) {
        *type = (int)node->type;
    }
    return cuda_leave(error);
}

API(cudaGraphKernelNodeSetParams, struct cuda_node *node, const struct kernel_parameters *p)
{
    int error = cuda_enter(CUDA_USE_DEVICE);

    if (!error && (!is_node(node) || node->type != CUDA_NODE_KERNEL || !p)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        struct cuda_node_kernel kernel = kernel_of(p);

        error = cuda_node_set_kernel(node, &kernel);
    }
    return cuda_leave(error);
}

/* ---- instances ---- */

API(cudaGraphClone, struct cuda_graph **out, void *handle)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_graph *graph = error ? NULL : cuda_graph_of(handle, false);

    error = error ? error : graph && out ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    return cuda_leave(error ? error : cuda_graph_copy(graph, false, out));
}

API(cudaGraphInstantiate, struct cuda_graph **out, void *handle, unsigned long long flags)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_graph *graph = error ? NULL : cuda_graph_of(handle, false);

    (void)flags; /* where it is launched from, and when memory is freed */
    error = error ? error : graph && out ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    return cuda_leave(error ? error : cuda_graph_copy(graph, true, out));
}

API(cudaGraphInstantiateWithFlags, struct cuda_graph **out, void *graph, unsigned long long flags)
{
    return cudaGraphInstantiate(out, graph, flags);
}

API(cudaGraphUpload, void *instance, void *stream)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    bool good = !error && cuda_graph_of(instance, true) && cuda_is_stream(stream);

    return cuda_leave(error ? error : good ? CUDA_SUCCESS : CUDA_INVALID_VALUE);
}

API(cudaGraphLaunch, void *handle, void *stream)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_graph *instance = error ? NULL : cuda_graph_of(handle, true);

    error = error ? error : instance ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    error = error || cuda_is_stream(stream) ? error : CUDA_INVALID_HANDLE;
    if (!error && cuda_capture_refuses(stream, "cudaGraphLaunch", &error)) {
        return cuda_leave(error);
    }
    error = cuda_leave(error);
    return error ? error : cuda_graph_run(instance);
}

API(cudaGraphExecKernelNodeSetParams, void *handle, const struct cuda_node *node,
    const struct kernel_parameters *p)
{
    int error = cuda_enter(CUDA_USE_DEVICE);
    const struct cuda_graph *instance = error ? NULL : cuda_graph_of(handle, true);
    size_t n = 0;

    while (!error && instance && n < instance->n && instance->node[n]->origin != node) {
        n++;
    }
    if (!error &&
        (!instance || n == instance->n || !p || instance->node[n]->type != CUDA_NODE_KERNEL)) {
        error = CUDA_INVALID_VALUE;
    }
    if (!error) {
        struct cuda_node_kernel kernel = kernel_of(p);

        error = cuda_node_set_kernel(instance->node[n], &kernel);
    }
    return cuda_leave(error);
}

/* The instance becomes one of `handle`, if that has as many nodes of the same types. */
API(cudaGraphExecUpdate, void *instance_handle, void *handle, void *result)
{
    enum { UPDATE_ERROR = 1, TOPOLOGY_CHANGED = 2, RESULT_BYTES = 24 };
    int error = cuda_enter(CUDA_USE_DEVICE), outcome = 0;
    struct cuda_graph *instance = error ? NULL : cuda_graph_of(instance_handle, true), *new = NULL;
    const struct cuda_graph *graph = error ? NULL : cuda_graph_of(handle, false);

    error = error ? error : instance && graph ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
    error = error ? error : cuda_graph_copy(graph, true, &new);
    for (size_t n = 0; new && (n < new->n || n < instance->n) && !outcome; n++) {
        outcome = n >= new->n || n >= instance->n || new->node[n]->type != instance->node[n]->type
                      ? TOPOLOGY_CHANGED
                      : 0;
    }
    if (new && !outcome) {
        struct cuda_node **nodes = instance->node;
        size_t n = instance->n, max = instance->max;

        instance->node = new->node;
        instance->n = new->n;
        instance->max = new->max;
        new->node = nodes;
        new->n = n;
        new->max = max;
    }
    if (new) {
        cuda_graph_free(new);
    }
    if (result && !error) {
        memset(result, 0, RESULT_BYTES);
        memcpy(result, &outcome, sizeof outcome);
    }
    return cuda_leave(error ? error : outcome ? CUDA_GRAPH_UPDATE_FAILURE : CUDA_SUCCESS);
}
