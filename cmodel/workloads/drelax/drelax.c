/* drelax.c - shortest paths by relaxing every vertex in every launch, kernel-unrolled.
 *
 * Works after Lakshminarayana 2014 sections 3.7 and 6.5: LS-BFS (weighted=0) and LS-SSSP
 * (weighted=1), with the document's limit of eight vertices per thread.  Loads: row[v] and
 * row[v + 1] are affine for a thread's own vertex, indirect for those it follows; edges[i]
 * and weights[i] are heads, distance[v] is temporal, distance[edges[i]] an atomic minimum.
 * Lanes diverge by degree and by what they improve.  How many launches are needed depends
 * on timing, the distances do not.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_SOURCE_PARAM,
    {"block", WORKLOAD_NUMBER, 1, 256, "CTA size, threads"},
    {"weighted", WORKLOAD_NUMBER, 0, 1, "0: count edges, 1: add weights"},
    {"weight", WORKLOAD_NUMBER, 1, 65535, "largest weight that the generator draws"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=rmat,vertices=512,edges=4096,source=0,block=128,weighted=1,weight=16"},
    {"small", "graph=rmat,vertices=8192,edges=65536,source=0,block=256,weighted=1,weight=16"},
    {"doc", "graph=degree,vertices=65536,edges=262144,source=0,block=256,weighted=1,weight=64"},
    {"doc_bfs", "graph=degree,vertices=65536,edges=262144,source=0,block=256,weighted=0,weight=1"},
    {"rmat20",
     "graph=rmat_exact,vertices=1048576,edges=8259994,source=0,block=256,weighted=1,weight=64"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "drelax_sssp",
     .load = 0,
     .nreq = 1,
     .nreq_max = 32,
     .stride_bytes = WORKLOAD_STRIDE_VARIES,
     .what = "distance[node]; one line at first"},
    {0},
};

/* Launches until nothing improves; every launch settles at least one more vertex. */
static void relax(struct run *run, const struct graph *graph, gpu_ptr weights, uint32_t *distance)
{
    const uint32_t n = graph->n_vertices;
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    gpu_ptr row = graph_upload_rows(run, graph), edges = graph_upload_edges(run, graph);
    gpu_ptr dev_distance = run_upload(run, "distance", distance, n * sizeof *distance);
    gpu_ptr flag = run_alloc(run, "again", 4);
    bool again = true;
    for (uint32_t round = 0; again && round <= n; round++) {
        graph_flag_clear(run, flag);
        if (weights) {
            RUN_LAUNCH(run, "drelax_sssp", grid, block, host_arg_u64(row), host_arg_u64(edges),
                       host_arg_u64(weights), host_arg_u64(dev_distance), host_arg_u64(flag),
                       host_arg_u32(n));
        } else {
            RUN_LAUNCH(run, "drelax_bfs", grid, block, host_arg_u64(row), host_arg_u64(edges),
                       host_arg_u64(dev_distance), host_arg_u64(flag), host_arg_u32(n));
        }
        again = graph_flag_is_set(run, flag);
    }
    run_download(run, distance, dev_distance, n * sizeof *distance);
}

static int run_drelax(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "drelax/drelax.ptx");
    const bool weighted = run_u32(&run, "weighted") == 1;
    struct graph graph = graph_input(&run, run_u32(&run, "weight"), GRAPH_AS_GIVEN);
    const uint32_t source = graph_source(&run, &graph);
    uint32_t *distance = graph_start_at(&run, &graph, source);
    gpu_ptr weights = weighted && !run.failed ? graph_upload_weights(&run, &graph) : 0;
    const uint32_t *want = weighted ? graph_reference_distances(&run, &graph, source)
                                    : graph_reference_levels(&run, &graph, source);
    if (!run.failed) {
        relax(&run, &graph, weights, distance);
        check_u32(result, "distance", distance, want, graph.n_vertices);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_drelax = {
    .name = "drelax",
    .title = "shortest paths without a frontier (LS-BFS, LS-SSSP)",
    .source = "Lakshminarayana 2014 sections 3.7 and 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_drelax,
};
