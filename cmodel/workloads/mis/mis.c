/* mis.c - maximal independent set with seeded random priorities (Luby).
 *
 * Works after Lakshminarayana 2014 sections 6.1 and 6.5 (MIS).  Two launches per round.
 * Loads: state[v] is affine; of the loops, edges[i] is the head, state[edges[i]] and
 * rnd[edges[i]] are indirect tails.  A lane leaves its loop early, so lanes diverge by
 * degree and by data.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

enum { UNDECIDED = 0, INSIDE = 1, OUTSIDE = 2 };

static const struct workload_param params[] = {GRAPH_PARAMS, GRAPH_BLOCK_PARAM, {0}};

static const struct workload_size sizes[] = {
    {"tiny", "graph=uniform,vertices=1024,edges=3072,block=128"},
    {"small", "graph=rmat,vertices=16384,edges=65536,block=256"},
    {"doc", "graph=rmat,vertices=65536,edges=262144,block=256"},
    {"road", "graph=road,vertices=65536,edges=0,block=256"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "mis_join", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "state[v]"},
    {.kernel = "mis_leave", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "state[v]"},
    {0},
};

/* The set that the greedy algorithm finds when it takes the vertices by falling rank;
 * rounds with fixed priorities find the same. */
static uint32_t *expected(struct run *run, const struct graph *graph, const uint32_t *rnd)
{
    uint32_t *state = RUN_ARRAY(run, uint32_t, graph->n_vertices);
    const uint32_t *order = graph_reference_order(run, rnd, graph->n_vertices);
    if (!state || !order) {
        return NULL;
    }
    for (uint32_t k = 0; k < graph->n_vertices; k++) {
        uint32_t v = order[k];
        if (state[v] != UNDECIDED) {
            continue;
        }
        state[v] = INSIDE;
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            state[graph->col[i]] = OUTSIDE;
        }
    }
    return state;
}

static void choose(struct run *run, const struct graph *graph, const uint32_t *rnd, uint32_t *state)
{
    const uint32_t n = graph->n_vertices;
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    gpu_ptr row = graph_upload_rows(run, graph), edges = graph_upload_edges(run, graph);
    gpu_ptr dev_rnd = run_upload(run, "rnd", rnd, n * sizeof *rnd);
    gpu_ptr dev_state = run_alloc(run, "state", n * sizeof *state);
    gpu_ptr flag = run_alloc(run, "again", 4);
    bool again = true;
    for (uint32_t round = 0; again && round <= n; round++) {
        graph_flag_clear(run, flag);
        RUN_LAUNCH(run, "mis_join", grid, block, host_arg_u64(row), host_arg_u64(edges),
                   host_arg_u64(dev_rnd), host_arg_u64(dev_state), host_arg_u32(n));
        RUN_LAUNCH(run, "mis_leave", grid, block, host_arg_u64(row), host_arg_u64(edges),
                   host_arg_u64(dev_state), host_arg_u64(flag), host_arg_u32(n));
        again = graph_flag_is_set(run, flag);
    }
    run_download(run, state, dev_state, n * sizeof *state);
}

static int run_mis(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "mis/mis.ptx");
    struct graph graph = graph_input(&run, 1, GRAPH_SIMPLE);
    uint32_t *state = RUN_ARRAY(&run, uint32_t, graph.n_vertices);
    const uint32_t *rnd = graph_priorities(&run, graph.n_vertices);
    const uint32_t *want = run.failed ? NULL : expected(&run, &graph, rnd);
    if (!run.failed) {
        choose(&run, &graph, rnd, state);
        check_u32(result, "state", state, want, graph.n_vertices);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_mis = {
    .name = "mis",
    .title = "maximal independent set by random priorities (MIS)",
    .source = "Lakshminarayana 2014 section 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_mis,
};
