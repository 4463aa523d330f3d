/* bfs_dd.c - breadth-first search, data-driven with a worklist.
 *
 * Works after Lakshminarayana 2014 sections 3.7 and 6.5 (BFS-DD).  One launch per
 * level with as many threads as the frontier has vertices.  Loads: frontier[t] is a
 * stream (one line per warp); row[v], edges[i] and depth[edges[i]] are indirect and
 * divergent.  New vertices are claimed by an atomic on depth and appended through a
 * queue in shared memory, then by atomics on the global queue.  The order inside a
 * frontier depends on timing, the depths do not.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_SOURCE_PARAM,
    GRAPH_BLOCK_PARAM,
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=rmat,vertices=1024,edges=8192,source=0,block=128"},
    {"small", "graph=rmat,vertices=16384,edges=131072,source=0,block=256"},
    {"doc", "graph=degree,vertices=65536,edges=262144,source=0,block=256"},
    {"graph1m", "graph=uniform,vertices=1000000,edges=5999970,source=0,block=256"},
    {"rmat20", "graph=rmat,vertices=1048576,edges=8388608,source=0,block=256"},
    {"r4_2e20", "graph=degree,vertices=1048576,edges=4194304,source=0,block=256"},
    {"in_2004", "graph=web,vertices=1382908,edges=27182946,source=0,block=256"},
    {"copapers", "graph=coauthors,vertices=540486,edges=30491458,source=0,block=256"},
    {"britain", "graph=streets,vertices=7733820,edges=16313030,source=0,block=256"},
    {"er_22", "graph=uniform,vertices=4194304,edges=95966450,source=0,block=256"},
    {"rgg_22", "graph=geometric,vertices=4194304,edges=60718396,source=0,block=256"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "bfs_dd", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "frontier[t]"},
    {0},
};

/* Level by level until the frontier is empty. */
static void search(struct run *run, const struct graph *graph, uint32_t source, uint32_t *depth)
{
    const uint32_t n = graph->n_vertices;
    const struct isa_dim3 block = dim1(run_u32(run, "block"));
    const gpu_ptr row = graph_upload_rows(run, graph), edges = graph_upload_edges(run, graph);
    const gpu_ptr dev_depth = run_upload(run, "depth", depth, n * sizeof *depth);
    struct graph_lists lists = graph_lists_place(run, n, &source, 1);
    for (uint32_t level = 1; lists.n && level <= n; level++) {
        graph_lists_clear(run, &lists);
        RUN_LAUNCH(run, "bfs_dd", dim1(cover(lists.n, block.x)), block,
                   host_arg_u64(graph_lists_now(&lists)), host_arg_u32(lists.n), host_arg_u64(row),
                   host_arg_u64(edges), host_arg_u64(dev_depth), host_arg_u32(level),
                   host_arg_u64(graph_lists_next(&lists)), host_arg_u64(lists.n_next));
        graph_lists_swap(run, &lists);
    }
    run_download(run, depth, dev_depth, n * sizeof *depth);
}

static int run_bfs_dd(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "bfs_dd/bfs_dd.ptx");
    struct graph graph = graph_input(&run, 1, GRAPH_AS_GIVEN);
    const uint32_t n = graph.n_vertices;
    const uint32_t source = graph_source(&run, &graph);
    uint32_t *depth = graph_start_at(&run, &graph, source);
    const uint32_t *want = graph_reference_levels(&run, &graph, source);
    if (!run.failed) {
        search(&run, &graph, source, depth);
        check_u32(result, "depth", depth, want, n);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_bfs_dd = {
    .name = "bfs_dd",
    .title = "breadth-first search, worklist (BFS-DD)",
    .source = "Lakshminarayana 2014 sections 3.7 and 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_bfs_dd,
};
