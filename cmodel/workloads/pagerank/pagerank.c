/* pagerank.c - PageRank by pulling along incoming edges.
 *
 * A graph workload beside those of Lakshminarayana 2014 section 6.5, of the same shape
 * (head edges[i], tail share[edges[i]]) without a frontier: every vertex works in every
 * round.  Loads: rank[v], out_degree[v], row[v] and row[v + 1] are affine, edges[i]
 * starts at another row in every lane, share[edges[i]] is indirect.  Lanes diverge by
 * in-degree.
 *
 * A vertex without an outgoing edge gets an edge to itself, so the ranks always add up
 * to one.
 */
#include "workloads/check.h"
#include "workloads/graph_run.h"

static const float damping = 0.85f;

/* What every vertex gets without any edge. */
static float base_rank(uint32_t n)
{
    return (1 - damping) / (float)n;
}

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_BLOCK_PARAM,
    {"rounds", WORKLOAD_NUMBER, 1, 1000, "number of rounds"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=rmat,vertices=1024,edges=8192,block=128,rounds=4"},
    {"small", "graph=rmat,vertices=16384,edges=131072,block=256,rounds=8"},
    {"doc", "graph=rmat,vertices=65536,edges=524288,block=256,rounds=10"},
    {"rmat20", "graph=rmat,vertices=1048576,edges=8388608,block=256,rounds=4"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "pagerank_share", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "rank[v]"},
    {.kernel = "pagerank_share", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "out_degree[v]"},
    {.kernel = "pagerank_gather", .load = 0, .nreq = 2, .stride_bytes = 4, .what = "row[v + 1]"},
    {.kernel = "pagerank_gather", .load = 1, .nreq = 1, .stride_bytes = 4, .what = "row[v]"},
    {0},
};

/* The graph of incoming edges; vertices without outgoing ones point to themselves. */
static struct graph incoming(struct run *run, const struct graph *graph, uint32_t *out_degree)
{
    struct graph_error error = {"no memory for the graph; use a smaller one"};
    struct graph_edges edges = {0};
    struct graph reversed = {0};
    bool ok = true;
    for (uint32_t v = 0; ok && v < graph->n_vertices; v++) {
        out_degree[v] = graph_degree(graph, v);
        for (uint32_t i = graph->row[v]; ok && i < graph->row[v + 1]; i++) {
            ok = graph_edges_add(&edges, graph->col[i], v, 1.0);
        }
        if (ok && out_degree[v] == 0) {
            out_degree[v] = 1;
            ok = graph_edges_add(&edges, v, v, 1.0);
        }
    }
    ok = ok && graph_build(&reversed, graph->n_vertices, &edges, GRAPH_AS_GIVEN, &error);
    if (!ok) {
        run_refuse(run, "%s", error.text);
    }
    graph_edges_free(&edges);
    return reversed;
}

/* One round with every vertex pushing along its outgoing edges.  A target receives from
 * rising sources, the order in which the kernel adds, so the bound covers its roundings. */
static void expected_round(const struct graph *graph, struct approx base, struct approx *sum,
                           struct approx *rank)
{
    const uint32_t n = graph->n_vertices;
    for (uint32_t v = 0; v < n; v++) {
        sum[v] = approx_exact(0);
    }
    for (uint32_t v = 0; v < n; v++) {
        uint32_t degree = graph_degree(graph, v);
        struct approx share = approx_div(rank[v], approx_exact(degree ? degree : 1));
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            sum[graph->col[i]] = approx_add(sum[graph->col[i]], share);
        }
        if (degree == 0) {
            sum[v] = approx_add(sum[v], share);
        }
    }
    for (uint32_t v = 0; v < n; v++) {
        rank[v] = approx_mad(approx_exact((double)damping), sum[v], base);
    }
}

static struct approx *expected(struct run *run, const struct graph *graph)
{
    const uint32_t n = graph->n_vertices, rounds = run_u32(run, "rounds");
    struct approx *rank = RUN_ARRAY(run, struct approx, n);
    struct approx *sum = RUN_ARRAY(run, struct approx, n);
    if (!rank || !sum) {
        return NULL;
    }
    for (uint32_t v = 0; v < n; v++) {
        rank[v] = approx_exact((double)(1 / (float)n));
    }
    for (uint32_t round = 0; round < rounds; round++) {
        expected_round(graph, approx_exact((double)base_rank(n)), sum, rank);
    }
    return rank;
}

static void iterate(struct run *run, const struct graph *in, const uint32_t *out_degree,
                    float *rank)
{
    const uint32_t n = in->n_vertices, rounds = run_u32(run, "rounds");
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    for (uint32_t v = 0; v < n; v++) {
        rank[v] = 1 / (float)n;
    }
    gpu_ptr row = graph_upload_rows(run, in), edges = graph_upload_edges(run, in);
    gpu_ptr degree = run_upload(run, "out_degree", out_degree, n * sizeof *out_degree);
    gpu_ptr dev_rank = run_upload(run, "rank", rank, n * sizeof *rank);
    gpu_ptr share = run_alloc(run, "share", n * sizeof *rank);
    for (uint32_t round = 0; round < rounds; round++) {
        RUN_LAUNCH(run, "pagerank_share", grid, block, host_arg_u64(dev_rank), host_arg_u64(degree),
                   host_arg_u64(share), host_arg_u32(n));
        RUN_LAUNCH(run, "pagerank_gather", grid, block, host_arg_u64(row), host_arg_u64(edges),
                   host_arg_u64(share), host_arg_u64(dev_rank), host_arg_f32(base_rank(n)),
                   host_arg_f32(damping), host_arg_u32(n));
    }
    run_download(run, rank, dev_rank, n * sizeof *rank);
}

/* The ranks are a probability distribution.  Rounding 1/n and the base moves the exact
 * sum by at most u, in every round, as it is a weighted mean of both; the ranks' own
 * errors add up to at most the sum of their bounds. */
static void check_sum(struct run *run, const float *rank, const struct approx *want, uint32_t n)
{
    double sum = 0, bound = 2 * APPROX_U;
    for (uint32_t v = 0; v < n; v++) {
        sum += (double)rank[v];
        bound += want[v].bound;
    }
    check_that(run->result, fabs(sum - 1) <= bound, "the ranks add up to %.9g, not to 1", sum);
}

static int run_pagerank(struct host *host, const struct workload_size *size, uint64_t seed,
                        struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "pagerank/pagerank.ptx");
    struct graph graph = graph_input(&run, 1, GRAPH_NO_LOOPS | GRAPH_NO_DUPLICATES);
    struct graph in = {0};
    const uint32_t n = graph.n_vertices;
    uint32_t *out_degree = RUN_ARRAY(&run, uint32_t, n);
    float *rank = RUN_ARRAY(&run, float, n);
    const struct approx *want = run.failed ? NULL : expected(&run, &graph);
    if (!run.failed) {
        in = incoming(&run, &graph, out_degree);
    }
    if (!run.failed) {
        iterate(&run, &in, out_degree, rank);
        check_f32(result, "rank", rank, want, n);
        check_sum(&run, rank, want, n);
    }
    graph_free(&graph);
    graph_free(&in);
    return run_end(&run);
}

const struct workload workload_pagerank = {
    .name = "pagerank",
    .title = "PageRank by pulling along incoming edges",
    .source = "beside Lakshminarayana 2014 section 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_pagerank,
};
