/* colouring.c - graph colouring with seeded random priorities (Jones and Plassmann).
 *
 * Works after Lakshminarayana 2014 sections 6.1 and 6.5 (CLR).  One launch per round.
 * Loads: colour[v] is affine; of the loop, edges[i] is the head, colour[edges[i]] and
 * rnd[edges[i]] are indirect tails.  A lane leaves the loop early at the first larger
 * uncoloured neighbour, so lanes diverge by degree and by data.  form=warp, form=data
 * and form=unrolled are those of section 3.7.
 */
#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

enum { UNCOLOURED = -1, LOCAL_BLOCK = 256 /* of colouring.cu */ };

static const struct workload_param params[] = {
    GRAPH_PARAMS, GRAPH_BLOCK_PARAM, GRAPH_FORM_PARAM, {0}};

static const struct workload_size sizes[] = {
    {"tiny", "graph=uniform,vertices=1024,edges=3072,block=128,form=topology"},
    {"small", "graph=degree,vertices=16384,edges=65536,block=256,form=topology"},
    {"doc", "graph=degree,vertices=65536,edges=262144,block=256,form=topology"},
    {"rmat",
     "graph=rmat,vertices=65536,edges=262144,block=256,form=topology"}, /* hubs: many rounds */
    {"warp", "graph=degree,vertices=16384,edges=65536,block=256,form=warp"},
    {"data", "graph=degree,vertices=16384,edges=65536,block=256,form=data"},
    {"unrolled", "graph=degree,vertices=16384,edges=65536,block=256,form=unrolled"},
    {"road", "graph=road,vertices=65536,edges=0,block=256,form=topology"},
    {"in_2004", "graph=web,vertices=1382908,edges=27182946,block=256,form=topology"},
    {"copapers", "graph=coauthors,vertices=540486,edges=30491458,block=256,form=topology"},
    {"britain", "graph=streets,vertices=7733820,edges=16313030,block=256,form=topology"},
    {"er_22", "graph=uniform,vertices=4194304,edges=95966450,block=256,form=topology"},
    {"rgg_22", "graph=geometric,vertices=4194304,edges=60718396,block=256,form=topology"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "colouring", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "colour[v]"},
    {0},
};

/* The round in which each vertex wins: one after the last of its neighbours that rank
 * above it.  Vertices by falling rank see all of those done. */
static int32_t *expected_rounds(struct run *run, const struct graph *graph, const uint32_t *rnd)
{
    const uint32_t n = graph->n_vertices;
    int32_t *round = RUN_ARRAY(run, int32_t, n);
    const uint32_t *order = graph_reference_order(run, rnd, n);
    if (!round || !order) {
        return NULL;
    }
    for (uint32_t v = 0; v < n; v++) {
        round[v] = UNCOLOURED;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v = order[k];
        int32_t last = UNCOLOURED;
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            int32_t other = round[graph->col[i]];
            last = other > last ? other : last;
        }
        round[v] = last + 1;
    }
    return round;
}

struct arrays {
    gpu_ptr row, edges, rnd, colour;
};

/* Rounds over all vertices, until each has a colour. */
static void rounds_of_all(struct run *run, const struct arrays *a, uint32_t n, const char *kernel)
{
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    gpu_ptr flag = run_alloc(run, "again", 4);
    bool again = true;
    for (uint32_t round = 0; again && round <= n; round++) {
        graph_flag_clear(run, flag);
        RUN_LAUNCH(run, kernel, grid, block, host_arg_u64(a->row), host_arg_u64(a->edges),
                   host_arg_u64(a->rnd), host_arg_u64(a->colour), host_arg_u32(round),
                   host_arg_u64(flag), host_arg_u32(n));
        again = graph_flag_is_set(run, flag);
    }
}

/* Launches over all vertices; each colours at least those of the next round. */
static void launches_unrolled(struct run *run, const struct arrays *a, uint32_t n)
{
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    gpu_ptr flag = run_alloc(run, "again", 4);
    bool again = true;
    for (uint32_t round = 0; again && round <= n; round++) {
        graph_flag_clear(run, flag);
        RUN_LAUNCH(run, "colouring_unrolled", grid, block, host_arg_u64(a->row),
                   host_arg_u64(a->edges), host_arg_u64(a->rnd), host_arg_u64(a->colour),
                   host_arg_u64(flag), host_arg_u32(n));
        again = graph_flag_is_set(run, flag);
    }
}

/* Rounds over a list of those that have none yet. */
static void rounds_of_lists(struct run *run, const struct arrays *a, uint32_t n)
{
    const struct isa_dim3 block = dim1(run_u32(run, "block"));
    uint32_t *all = RUN_ARRAY(run, uint32_t, n);
    for (uint32_t v = 0; all && v < n; v++) {
        all[v] = v;
    }
    struct graph_lists lists = graph_lists_place(run, n, all, all ? n : 0);
    for (uint32_t round = 0; lists.n && round <= n; round++) {
        graph_lists_clear(run, &lists);
        RUN_LAUNCH(run, "colouring_data", dim1(cover(lists.n, block.x)), block,
                   host_arg_u64(graph_lists_now(&lists)), host_arg_u32(lists.n),
                   host_arg_u64(a->row), host_arg_u64(a->edges), host_arg_u64(a->rnd),
                   host_arg_u64(a->colour), host_arg_u32(round),
                   host_arg_u64(graph_lists_next(&lists)), host_arg_u64(lists.n_next));
        graph_lists_swap(run, &lists);
    }
}

static void colour_by_rounds(struct run *run, const struct graph *graph, enum graph_form form,
                             const uint32_t *rnd, int32_t *colour)
{
    const uint32_t n = graph->n_vertices;
    for (uint32_t v = 0; v < n; v++) {
        colour[v] = UNCOLOURED;
    }
    const struct arrays a = {.row = graph_upload_rows(run, graph),
                             .edges = graph_upload_edges(run, graph),
                             .rnd = run_upload(run, "rnd", rnd, n * sizeof *rnd),
                             .colour = run_upload(run, "colour", colour, n * sizeof *colour)};
    if (form == GRAPH_DATA) {
        rounds_of_lists(run, &a, n);
    } else if (form == GRAPH_UNROLLED) {
        launches_unrolled(run, &a, n);
    } else {
        rounds_of_all(run, &a, n, form == GRAPH_WARP ? "colouring_warp" : "colouring");
    }
    run_download(run, colour, a.colour, n * sizeof *colour);
}

/* No edge joins equal colours: the definition, beside the exact rounds. */
static void check_proper(struct run *run, const struct graph *graph, const int32_t *colour)
{
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            uint32_t other = graph->col[i];
            check_that(run->result, colour[v] != colour[other],
                       "the neighbours %u and %u both have colour %d", v, other, colour[v]);
        }
    }
}

static int run_colouring(struct host *host, const struct workload_size *size, uint64_t seed,
                         struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "colouring/colouring.ptx");
    struct graph graph = graph_input(&run, 1, GRAPH_SIMPLE);
    const uint32_t n = graph.n_vertices;
    const enum graph_form form = graph_form(&run, &graph, 0);
    int32_t *colour = RUN_ARRAY(&run, int32_t, n);
    if (form == GRAPH_UNROLLED && run_u32(&run, "block") > LOCAL_BLOCK) {
        run_refuse(&run, "block=%u has no room for the queues of form=unrolled; use at most %d",
                   run_u32(&run, "block"), LOCAL_BLOCK);
    }
    const uint32_t *rnd = graph_priorities(&run, n);
    const int32_t *want = run.failed ? NULL : expected_rounds(&run, &graph, rnd);
    if (!run.failed) {
        colour_by_rounds(&run, &graph, form, rnd, colour);
        check_proper(&run, &graph, colour);
        for (uint32_t v = 0; v < n; v++) {
            check_that(result, colour[v] == want[v], "colour[%u] is %d; the reference is %d", v,
                       colour[v], want[v]);
        }
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_colouring = {
    .name = "colouring",
    .title = "graph colouring by random priorities (CLR)",
    .source = "Lakshminarayana 2014 section 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_colouring,
};
