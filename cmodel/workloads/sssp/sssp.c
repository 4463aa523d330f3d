/* sssp.c - single-source shortest paths by rounds of relaxation (Bellman and Ford).
 *
 * Works after Lakshminarayana 2014 sections 6.1 and 6.5 (H-SSSP).  Per round two
 * launches over all vertices.  Loads of the loop: edges[i] and weights[i] are heads
 * with reuse along the row (divergent across lanes), cost[v] is temporal, and
 * newcost[edges[i]] is an atomic minimum at the L2.  Lanes diverge by frontier and by
 * degree.  form=warp and form=data are those of section 3.7.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_SOURCE_PARAM,
    GRAPH_BLOCK_PARAM,
    GRAPH_FORM_PARAM,
    {"weight", WORKLOAD_NUMBER, 1, 65535, "largest weight that the generator draws"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=rmat,vertices=1024,edges=8192,source=0,block=128,form=topology,weight=16"},
    {"small", "graph=rmat,vertices=8192,edges=65536,source=0,block=256,form=topology,weight=16"},
    {"doc", "graph=degree,vertices=65536,edges=262144,source=0,block=512,form=topology,weight=64"},
    {"warp", "graph=rmat,vertices=8192,edges=65536,source=0,block=256,form=warp,weight=16"},
    {"data", "graph=rmat,vertices=8192,edges=65536,source=0,block=256,form=data,weight=16"},
    {"road", "graph=road,vertices=65536,edges=0,source=0,block=256,form=topology,weight=64"},
    {"rmat20",
     "graph=rmat_exact,vertices=1048576,edges=8259994,source=0,block=512,form=topology,weight=64"},
    {"in_2004",
     "graph=web,vertices=1382908,edges=27182946,source=0,block=512,form=topology,weight=64"},
    {"copapers",
     "graph=coauthors,vertices=540486,edges=30491458,source=0,block=512,form=topology,weight=64"},
    {"britain",
     "graph=streets,vertices=7733820,edges=16313030,source=0,block=512,form=topology,weight=64"},
    {"er_22",
     "graph=uniform,vertices=4194304,edges=95966450,source=0,block=512,form=topology,weight=64"},
    {"rgg_22",
     "graph=geometric,vertices=4194304,edges=60718396,source=0,block=512,form=topology,weight=64"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "sssp_relax", .load = 0, .nreq = 1, .stride_bytes = 1, .what = "mask[v]"},
    {.kernel = "sssp_commit", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "cost[v]"},
    {.kernel = "sssp_commit", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "new_cost[v]"},
    {0},
};

struct arrays {
    gpu_ptr nodes, edges, weights, mask, cost, new_cost, again;
};

static struct arrays place(struct run *run, const struct graph *graph, uint32_t source,
                           const uint32_t *cost)
{
    const uint32_t n = graph->n_vertices;
    const uint8_t one = 1;
    struct arrays a = {
        .nodes = graph_upload_nodes(run, graph),
        .edges = graph_upload_edges(run, graph),
        .weights = graph_upload_weights(run, graph),
        .mask = run_alloc(run, "mask", n),
        .cost = run_upload(run, "cost", cost, n * sizeof *cost),
        .new_cost = run_upload(run, "new_cost", cost, n * sizeof *cost),
        .again = run_alloc(run, "again", 4),
    };
    host_write(run->host, a.mask + source, &one, 1);
    return a;
}

/* Round by round until no cost falls; a path has at most n - 1 edges.  Of a warp's vertices the relaxation
 * leaves the flags, so that another kernel settles them. */
static void search_all(struct run *run, const struct arrays *a, uint32_t n, bool by_warps)
{
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    bool again = !run->failed;
    for (uint32_t round = 0; again && round <= n; round++) {
        graph_flag_clear(run, a->again);
        RUN_LAUNCH(run, by_warps ? "sssp_relax_warp" : "sssp_relax", grid, block,
                   host_arg_u64(a->mask), host_arg_u64(a->nodes), host_arg_u64(a->edges),
                   host_arg_u64(a->weights), host_arg_u64(a->cost), host_arg_u64(a->new_cost),
                   host_arg_u32(n));
        RUN_LAUNCH(run, by_warps ? "sssp_commit_warp" : "sssp_commit", grid, block,
                   host_arg_u64(a->mask), host_arg_u64(a->cost), host_arg_u64(a->new_cost),
                   host_arg_u64(a->again), host_arg_u32(n));
        again = graph_flag_is_set(run, a->again);
    }
}

/* The same from lists of the vertices whose cost fell. */
static void search_lists(struct run *run, const struct arrays *a, uint32_t n, uint32_t source)
{
    const struct isa_dim3 block = dim1(run_u32(run, "block")), all = dim1(cover(n, block.x));
    struct graph_lists lists = graph_lists_place(run, n, &source, 1);
    for (uint32_t round = 0; lists.n && round <= n; round++) {
        graph_lists_clear(run, &lists);
        RUN_LAUNCH(run, "sssp_relax_data", dim1(cover(lists.n, block.x)), block,
                   host_arg_u64(graph_lists_now(&lists)), host_arg_u32(lists.n),
                   host_arg_u64(a->nodes), host_arg_u64(a->edges), host_arg_u64(a->weights),
                   host_arg_u64(a->cost), host_arg_u64(a->new_cost));
        RUN_LAUNCH(run, "sssp_commit_data", all, block, host_arg_u64(a->cost),
                   host_arg_u64(a->new_cost), host_arg_u64(graph_lists_next(&lists)),
                   host_arg_u64(lists.n_next), host_arg_u32(n));
        graph_lists_swap(run, &lists);
    }
}

static int run_sssp(struct host *host, const struct workload_size *size, uint64_t seed,
                    struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "sssp/sssp.ptx");
    struct graph graph = graph_input(&run, run_u32(&run, "weight"), GRAPH_AS_GIVEN);
    const uint32_t n = graph.n_vertices;
    const uint32_t source = graph_source(&run, &graph);
    const enum graph_form form = graph_form(&run, &graph, source);
    if (form == GRAPH_UNROLLED) {
        run_refuse(&run, "form=unrolled of shortest paths is the workload drelax; use that");
    }
    uint32_t *cost = graph_start_at(&run, &graph, source);
    struct arrays a = {0};
    if (!run.failed) {
        a = place(&run, &graph, source, cost);
    }
    const uint32_t *want = graph_reference_distances(&run, &graph, source);
    if (!run.failed) {
        if (form == GRAPH_DATA) {
            search_lists(&run, &a, n, source);
        } else {
            search_all(&run, &a, n, form == GRAPH_WARP);
        }
        run_download(&run, cost, a.cost, n * sizeof *cost);
        check_u32(result, "cost", cost, want, n);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_sssp = {
    .name = "sssp",
    .title = "single-source shortest paths, frontier flags (H-SSSP)",
    .source = "Lakshminarayana 2014 section 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_sssp,
};
