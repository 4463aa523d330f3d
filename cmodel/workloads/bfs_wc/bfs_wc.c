/* bfs_wc.c - breadth-first search, warp-centric.
 *
 * Works after Lakshminarayana 2014 sections 3.7 and 6.5 (BFS-WC).  One launch per level
 * over all vertices, 32 per warp.  Loads: depth[v], row[v] and row[v + 1] are broadcasts;
 * edges[i] is coalesced along one vertex's neighbours (one or two lines);
 * depth[edges[i]] is indirect and divergent.  Lanes diverge only where a degree is no
 * multiple of 32, which leaves most lanes idle at small degrees.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_SOURCE_PARAM,
    {"block", WORKLOAD_POWER2, 32, 1024, "CTA size, threads: whole warps"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=rmat,vertices=1024,edges=8192,source=0,block=128"},
    {"small", "graph=rmat,vertices=8192,edges=131072,source=0,block=256"},
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
    {.kernel = "bfs_wc", .load = 0, .nreq = 1, .stride_bytes = 0, .what = "depth[v]"},
    {0},
};

static void search(struct run *run, const struct graph *graph, uint32_t *depth)
{
    const uint32_t n = graph->n_vertices;
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    gpu_ptr row = graph_upload_rows(run, graph), edges = graph_upload_edges(run, graph);
    gpu_ptr dev_depth = run_upload(run, "depth", depth, n * sizeof *depth);
    gpu_ptr flag = run_alloc(run, "again", 4);
    bool again = true;
    for (uint32_t level = 0; again && level <= n; level++) {
        graph_flag_clear(run, flag);
        RUN_LAUNCH(run, "bfs_wc", grid, block, host_arg_u64(row), host_arg_u64(edges),
                   host_arg_u64(dev_depth), host_arg_u32(level), host_arg_u64(flag),
                   host_arg_u32(n));
        again = graph_flag_is_set(run, flag);
    }
    run_download(run, depth, dev_depth, n * sizeof *depth);
}

static int run_bfs_wc(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "bfs_wc/bfs_wc.ptx");
    struct graph graph = graph_input(&run, 1, GRAPH_AS_GIVEN);
    const uint32_t source = graph_source(&run, &graph);
    uint32_t *depth = graph_start_at(&run, &graph, source);
    const uint32_t *want = graph_reference_levels(&run, &graph, source);
    if (!run.failed) {
        search(&run, &graph, depth);
        check_u32(result, "depth", depth, want, graph.n_vertices);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_bfs_wc = {
    .name = "bfs_wc",
    .title = "breadth-first search, warp-centric (BFS-WC)",
    .source = "Lakshminarayana 2014 sections 3.7 and 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_bfs_wc,
};
