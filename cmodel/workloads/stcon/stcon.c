/* stcon.c - are two vertices of an undirected graph connected?
 *
 * Works after Lakshminarayana 2014 sections 6.1 and 6.5 (STCON): two searches in one, over
 * within few rounds.  Loads: mask[v] 1 byte per lane, the vertex 8 bytes; edges[i] is the
 * head, side[edges[i]] the indirect tail.  Lanes diverge by frontier and by degree.
 * Which end takes a vertex that both reach, and so the number of rounds, depends on timing;
 * the answer does not.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

enum { FROM_SOURCE = 1, FROM_TARGET = 2 };

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_SOURCE_PARAM,
    {"target", WORKLOAD_NUMBER, 0, (1 << 26) - 1, "the other end"},
    GRAPH_BLOCK_PARAM,
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=uniform,vertices=1024,edges=2048,source=0,target=1023,block=128"},
    {"small", "graph=uniform,vertices=65536,edges=131072,source=0,target=65535,block=256"},
    {"doc", "graph=uniform,vertices=1000000,edges=5999970,source=0,target=999999,block=256"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "stcon_expand", .load = 0, .nreq = 1, .stride_bytes = 1, .what = "mask[v]"},
    {.kernel = "stcon_commit", .load = 0, .nreq = 1, .stride_bytes = 1, .what = "updating[v]"},
    {0},
};

struct arrays {
    gpu_ptr nodes, edges, mask, updating, side, met, again;
};

static struct arrays place(struct run *run, const struct graph *graph, uint32_t source,
                           uint32_t target)
{
    const uint32_t n = graph->n_vertices;
    const uint8_t one = 1, from_source = FROM_SOURCE, from_target = FROM_TARGET;
    struct arrays a = {
        .nodes = graph_upload_nodes(run, graph),
        .edges = graph_upload_edges(run, graph),
        .mask = run_alloc(run, "mask", n),
        .updating = run_alloc(run, "updating", n),
        .side = run_alloc(run, "side", n),
        .met = run_alloc(run, "met", 4),
        .again = run_alloc(run, "again", 4),
    };
    host_write(run->host, a.mask + source, &one, 1);
    host_write(run->host, a.mask + target, &one, 1);
    host_write(run->host, a.side + source, &from_source, 1);
    host_write(run->host, a.side + target, &from_target, 1);
    return a;
}

/* Rounds until the sides meet or nobody new is reached; whether they met. */
static bool search(struct run *run, const struct arrays *a, uint32_t n)
{
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    bool again = true, met = false;
    for (uint32_t round = 0; again && !met && round <= n; round++) {
        graph_flag_clear(run, a->again);
        RUN_LAUNCH(run, "stcon_expand", grid, block, host_arg_u64(a->mask), host_arg_u64(a->nodes),
                   host_arg_u64(a->edges), host_arg_u64(a->side), host_arg_u64(a->updating),
                   host_arg_u64(a->met), host_arg_u32(n));
        RUN_LAUNCH(run, "stcon_commit", grid, block, host_arg_u64(a->mask), host_arg_u64(a->side),
                   host_arg_u64(a->updating), host_arg_u64(a->again), host_arg_u32(n));
        met = graph_flag_is_set(run, a->met);
        again = graph_flag_is_set(run, a->again);
    }
    return met;
}

/* The answer; who was reached belongs to that end's component; and without a meeting both
 * components were searched to their ends. */
static void check(struct run *run, bool met, const uint8_t *side, const uint32_t *component,
                  uint32_t source, uint32_t target, uint32_t n)
{
    const bool connected = component[source] == component[target];
    check_that(run->result, met == connected,
               "vertices %u and %u are %sconnected; the reference "
               "says the opposite",
               source, target, met ? "" : "not ");
    for (uint32_t v = 0; v < n; v++) {
        const bool with_source = component[v] == component[source];
        const bool with_target = component[v] == component[target];
        bool right = side[v] == FROM_SOURCE   ? with_source
                     : side[v] == FROM_TARGET ? with_target
                                              : met || !(with_source || with_target);
        check_that(run->result, right, "side[%u] is %u, which its component does not allow", v,
                   side[v]);
    }
}

static int run_stcon(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "stcon/stcon.ptx");
    struct graph graph = graph_input(&run, 1, GRAPH_SIMPLE);
    const uint32_t n = graph.n_vertices, target = run_u32(&run, "target");
    const uint32_t source = graph_source(&run, &graph);
    uint8_t *side = RUN_ARRAY(&run, uint8_t, n);
    if (target >= n || target == source) {
        run_refuse(&run, "target=%u does not suit; use a vertex below %u other than source", target,
                   n);
    }
    const uint32_t *component = graph_reference_components(&run, &graph);
    if (!run.failed) {
        struct arrays a = place(&run, &graph, source, target);
        bool met = search(&run, &a, n);
        run_download(&run, side, a.side, n);
        check(&run, met, side, component, source, target, n);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_stcon = {
    .name = "stcon",
    .title = "connection of two vertices (STCON)",
    .source = "Lakshminarayana 2014 section 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_stcon,
};
