/* cuda_graph.c - see cuda_graph.h. */
#include "cuda/cuda_graph.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/cuda_runtime.h"

CUDA_API int cudaLaunchKernel(const void *function, struct cuda_dim3 grid, struct cuda_dim3 block,
                              void **args, size_t shared_bytes, void *stream);
CUDA_API int cudaLaunchCooperativeKernel(const void *function, struct cuda_dim3 grid,
                                         struct cuda_dim3 block, void **args, size_t shared_bytes,
                                         void *stream);
CUDA_API int cudaMemcpy3DAsync(const struct cuda_copy3d *copy, void *stream);
CUDA_API int cudaLaunchHostFunc(void *stream, void (*function)(void *data), void *data);

int cuda_graph_new(struct cuda_graph **out)
{
    struct cuda_graph *graph = calloc(1, sizeof *graph);

    *out = graph;
    if (!graph) {
        return CUDA_MEMORY_ALLOCATION;
    }
    graph->self = graph;
    HASH_ADD_PTR(cuda_runtime.graphs, self, graph);
    return CUDA_SUCCESS;
}

static void free_node(struct cuda_node *node)
{
    if (node->type == CUDA_NODE_KERNEL) {
        free(node->as.kernel.args);
        free(node->as.kernel.values);
    } else if (node->type == CUDA_NODE_GRAPH && node->as.child) {
        cuda_graph_free(node->as.child);
    }
    free(node->before);
    free(node);
}

void cuda_graph_free(struct cuda_graph *graph)
{
    for (size_t n = 0; n < graph->n; n++) {
        free_node(graph->node[n]);
    }
    HASH_DEL(cuda_runtime.graphs, graph);
    free(graph->node);
    free(graph);
}

struct cuda_graph *cuda_graph_of(const void *handle, bool is_instance)
{
    struct cuda_graph *found = NULL;

    HASH_FIND_PTR(cuda_runtime.graphs, &handle, found);
    return found && found->is_instance == is_instance ? found : NULL;
}

bool cuda_graph_has(const struct cuda_graph *graph, const struct cuda_node *node)
{
    size_t n = graph->n;

    while (n > 0 && graph->node[n - 1] != node) {
        n--;
    }
    return n > 0;
}

/* ---- nodes ---- */

/* The bytes of the arguments, as they are now. */
static int keep_arguments(struct cuda_node_kernel *own, void *const *args)
{
    struct cuda_kernel *kernel;
    const struct isa_kernel *lowered;
    int error = cuda_kernel_of(own->function, &kernel, &lowered);
    size_t n;

    own->args = NULL;
    own->values = NULL;
    if (error) {
        return error;
    }
    n = ptx_param_count(kernel->module->ptx, lowered);
    if (n && !args) {
        return CUDA_INVALID_VALUE;
    }
    own->args = calloc(n + 1, sizeof *own->args);
    own->values = calloc(ptx_param_block_bytes(kernel->module->ptx, lowered) + 1, 1);
    for (size_t p = 0; own->args && own->values && p < n; p++) {
        struct ptx_param_info info = ptx_param_get(kernel->module->ptx, lowered, p);

        own->args[p] = own->values + info.offset;
        memcpy(own->args[p], args[p], info.bytes);
    }
    return own->args && own->values ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;
}

int cuda_node_set_kernel(struct cuda_node *node, const struct cuda_node_kernel *kernel)
{
    struct cuda_node_kernel own = *kernel;
    int error = keep_arguments(&own, kernel->args);

    if (error) {
        free(own.args);
        free(own.values);
        return error;
    }
    free(node->as.kernel.args);
    free(node->as.kernel.values);
    node->as.kernel = own;
    return CUDA_SUCCESS;
}

/* What `node` points to becomes its own. */
static int own(struct cuda_node *node)
{
    struct cuda_node_kernel kernel = node->as.kernel;

    if (node->type == CUDA_NODE_KERNEL) {
        node->as.kernel.args = NULL;
        node->as.kernel.values = NULL;
        return cuda_node_set_kernel(node, &kernel);
    }
    if (node->type == CUDA_NODE_GRAPH) {
        const struct cuda_graph *child = node->as.child;

        node->as.child = NULL;
        return cuda_graph_copy(child, true, &node->as.child);
    }
    return CUDA_SUCCESS;
}

int cuda_graph_depend(struct cuda_graph *graph, struct cuda_node *from, struct cuda_node *to)
{
    struct cuda_node **more;

    if (!cuda_graph_has(graph, from) || !cuda_graph_has(graph, to) || from == to) {
        return CUDA_INVALID_VALUE;
    }
    more = realloc(to->before, (to->n_before + 1) * sizeof(*more));
    if (!more) {
        return CUDA_MEMORY_ALLOCATION;
    }
    to->before = more;
    to->before[to->n_before++] = from;
    return CUDA_SUCCESS;
}

int cuda_graph_add(struct cuda_graph *graph, const struct cuda_node *as,
                   struct cuda_node *const *before, size_t n_before, struct cuda_node **out)
{
    struct cuda_node *node = calloc(1, sizeof *node);
    int error = node ? CUDA_SUCCESS : CUDA_MEMORY_ALLOCATION;

    if (graph->n == graph->max) {
        size_t max = graph->max ? 2 * graph->max : 16;
        struct cuda_node **more = realloc(graph->node, max * sizeof(*more));

        error = more ? error : CUDA_MEMORY_ALLOCATION;
        graph->node = more ? more : graph->node;
        graph->max = more ? max : graph->max;
    }
    if (!error) {
        *node = *as;
        node->before = NULL;
        node->n_before = 0;
        error = own(node);
    }
    if (error) {
        if (node) {
            free_node(node);
        }
        return error;
    }
    graph->node[graph->n++] = node;
    for (size_t b = 0; b < n_before && !error; b++) {
        error = cuda_graph_depend(graph, before[b], node);
    }
    if (error) {
        graph->n--;
        free_node(node);
    } else if (out) {
        *out = node;
    }
    return error;
}

/* ---- copies and order ---- */

static bool is_ready(const struct cuda_node *node)
{
    size_t b = 0;

    while (b < node->n_before && node->before[b]->placed) {
        b++;
    }
    return b == node->n_before;
}

/* Each after those before it, otherwise as they were added; false when they go round. */
static bool put_in_order(struct cuda_graph *graph)
{
    for (size_t done = 0; done < graph->n; done++) {
        size_t next = done;
        struct cuda_node *node;

        while (next < graph->n && !is_ready(graph->node[next])) {
            next++;
        }
        if (next == graph->n) {
            return false;
        }
        node = graph->node[next];
        memmove(&graph->node[done + 1], &graph->node[done], (next - done) * sizeof(*graph->node));
        graph->node[done] = node;
        node->placed = true;
    }
    return true;
}

static struct cuda_node *image_of(const struct cuda_graph *copy, const struct cuda_node *node)
{
    size_t n = 0;

    while (copy->node[n]->origin != node) {
        n++;
    }
    return copy->node[n];
}

int cuda_graph_copy(const struct cuda_graph *graph, bool ordered, struct cuda_graph **out)
{
    int error = cuda_graph_new(out);

    for (size_t n = 0; n < graph->n && !error; n++) {
        struct cuda_node *node = NULL;

        error = cuda_graph_add(*out, graph->node[n], NULL, 0, &node);
        if (node) {
            node->origin = graph->node[n];
        }
    }
    for (size_t n = 0; n < graph->n && !error; n++) {
        const struct cuda_node *node = graph->node[n];

        for (size_t b = 0; b < node->n_before && !error; b++) {
            error = cuda_graph_depend(*out, image_of(*out, node->before[b]), (*out)->node[n]);
        }
    }
    if (!error && ordered && !put_in_order(*out)) {
        error = CUDA_INVALID_VALUE;
    }
    if (*out) {
        (*out)->is_instance = ordered;
    }
    if (error && *out) {
        cuda_graph_free(*out);
        *out = NULL;
    }
    return error;
}

/* ---- a run ---- */

static int run_set(const struct cuda_node_set *s)
{
    size_t bytes = s->width * s->element_bytes;
    uint8_t *row = malloc(bytes + 1);
    int error = row ? cuda_enter(CUDA_USE_DEVICE) : CUDA_MEMORY_ALLOCATION;

    if (!row) {
        return cuda_keep_error(error);
    }
    for (size_t b = 0; b < bytes; b++) {
        row[b] = (uint8_t)(s->value >> 8 * (b % s->element_bytes));
    }
    for (size_t y = 0; y < s->height && !error; y++) {
        error = cuda_copy((uint8_t *)s->to + y * s->pitch, row, bytes);
    }
    free(row);
    return cuda_leave(error);
}

static int run_node(const struct cuda_node *node)
{
    const struct cuda_node_kernel *k = &node->as.kernel;

    switch (node->type) {
    case CUDA_NODE_KERNEL:
        return (k->cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
            k->function, k->grid, k->block, k->args, k->shared_bytes, NULL);
    case CUDA_NODE_COPY: return cudaMemcpy3DAsync(&node->as.copy, NULL);
    case CUDA_NODE_SET: return run_set(&node->as.set);
    case CUDA_NODE_HOST:
        return cudaLaunchHostFunc(NULL, node->as.host.function, node->as.host.data);
    case CUDA_NODE_GRAPH: return cuda_graph_run(node->as.child);
    case CUDA_NODE_EMPTY:
    case CUDA_NODE_ALLOC: /* its memory is there as long as the program */
    case CUDA_NODE_FREE:
    default: return CUDA_SUCCESS;
    }
}

int cuda_graph_run(const struct cuda_graph *instance)
{
    int error = CUDA_SUCCESS;

    for (size_t n = 0; n < instance->n && !error; n++) {
        error = run_node(instance->node[n]);
    }
    return error;
}
