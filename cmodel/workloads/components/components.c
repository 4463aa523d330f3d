/* components.c - connected components by label propagation.
 *
 * Works after CAPS section 6.1 (CCL).  One launch per round over all vertices until no
 * label falls.  Loads: label[v], row[v] (one line each) and row[v + 1] (two lines, it
 * straddles) are affine; edges[e] and label[edges[e]] are indirect and divergent.  All
 * labels are read and written in place by all CTAs.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

static const struct workload_param params[] = {GRAPH_PARAMS, GRAPH_BLOCK_PARAM, {0}};

static const struct workload_size sizes[] = {
    {"tiny", "graph=rmat,vertices=1024,edges=2048,block=128"},
    {"small", "graph=rmat,vertices=16384,edges=65536,block=256"},
    {"doc", "graph=rmat,vertices=65536,edges=262144,block=256"},
    {"road", "graph=road,vertices=16384,edges=0,block=256"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "components", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "label[v]"},
    {.kernel = "components", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "row[v]"},
    {.kernel = "components", .load = 2, .nreq = 2, .stride_bytes = 4, .what = "row[v + 1]"},
    {0},
};

static void propagate(struct run *run, const struct graph *graph, uint32_t *label)
{
    const uint32_t n = graph->n_vertices;
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    for (uint32_t v = 0; v < n; v++) {
        label[v] = v;
    }
    gpu_ptr row = graph_upload_rows(run, graph), edges = graph_upload_edges(run, graph);
    gpu_ptr dev_label = run_upload(run, "label", label, n * sizeof *label);
    gpu_ptr flag = run_alloc(run, "again", 4);
    bool again = true;
    for (uint32_t round = 0; again && round <= n; round++) {
        graph_flag_clear(run, flag);
        RUN_LAUNCH(run, "components", grid, block, host_arg_u64(dev_label), host_arg_u64(row),
                   host_arg_u64(edges), host_arg_u64(flag), host_arg_u32(n));
        again = graph_flag_is_set(run, flag);
    }
    run_download(run, label, dev_label, n * sizeof *label);
}

static int run_components(struct host *host, const struct workload_size *size, uint64_t seed,
                          struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "components/components.ptx");
    struct graph graph = graph_input(&run, 1, GRAPH_SIMPLE);
    uint32_t *label = RUN_ARRAY(&run, uint32_t, graph.n_vertices);
    const uint32_t *want = graph_reference_components(&run, &graph);
    if (!run.failed) {
        propagate(&run, &graph, label);
        check_u32(result, "label", label, want, graph.n_vertices);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_components = {
    .name = "components",
    .title = "connected components by label propagation (CCL)",
    .source = "CAPS section 6.1",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_components,
};
