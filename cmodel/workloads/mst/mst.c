/* mst.c - minimum spanning forest after Boruvka.
 *
 * Works after Lakshminarayana 2014 sections 6.1 and 6.5 (H-MST; the document simulates
 * Find_Min_Edge_Weight, here mst_find_weight).  Four launches per round.  Loads of the loop:
 * edges[i] and weights[i] are heads with reuse along the row, super[edges[i]] is the
 * indirect tail, least[super[v]] a third level through an atomic minimum.  Lanes diverge by
 * degree.
 *
 * form=node is LS-MST (boruvkaone there): each vertex finds its lightest edge, whose weight is the
 * second head, and those of a component agree.
 *
 * Edges of equal weight are told apart by their names, so the forest is unique and its
 * edges are compared one by one.
 */

#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

enum { MAX_ROUNDS = 27 }; /* every round at least halves the components */

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_BLOCK_PARAM,
    {"weight", WORKLOAD_NUMBER, 1, 65535, "largest weight that the generator draws"},
    {"form", WORKLOAD_TEXT, 0, 0, "component (H-MST) or node (LS-MST)"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=uniform,vertices=512,edges=1536,block=128,weight=16,form=component"},
    {"small", "graph=rmat,vertices=8192,edges=32768,block=256,weight=64,form=component"},
    {"node", "graph=rmat,vertices=8192,edges=32768,block=256,weight=64,form=node"},
    {"doc", "graph=degree,vertices=65536,edges=131072,block=256,weight=64,form=component"},
    {"road", "graph=road,vertices=65536,edges=0,block=256,weight=64,form=component"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "mst_find_weight", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "super[v]"},
    {.kernel = "mst_find_edge", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "super[v]"},
    {.kernel = "mst_hook", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "super[v]"},
    {.kernel = "mst_settle", .load = 0, .nreq = 1, .stride_bytes = 4, .what = "super[v]"},
    {0},
};

/* The undirected edges, each under one name, with both directed edges knowing it. */
struct links {
    uint32_t n;
    struct graph_link *link; /* [n] */
    uint32_t *weight;        /* [n] */
    uint32_t *name;          /* [n_edges] of the graph's directed edges */
};

/* The directed edge from `from` to `to`; rows rise, so the search halves. */
static uint32_t find_edge(const struct graph *graph, uint32_t from, uint32_t to)
{
    uint32_t low = graph->row[from], high = graph->row[from + 1] - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->col[middle] < to) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct links name_links(struct run *run, const struct graph *graph)
{
    struct links links = {
        .link = RUN_ARRAY(run, struct graph_link, graph->n_edges / 2),
        .weight = RUN_ARRAY(run, uint32_t, graph->n_edges / 2),
        .name = RUN_ARRAY(run, uint32_t, graph->n_edges),
    };
    const uint32_t *weight = graph_weights(run, graph);
    for (uint32_t v = 0; !run->failed && v < graph->n_vertices; v++) {
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            if (graph->col[i] > v) {
                links.link[links.n] = (struct graph_link){v, graph->col[i]};
                links.weight[links.n] = weight[i];
                links.name[i] = links.name[find_edge(graph, graph->col[i], v)] = links.n++;
            }
        }
    }
    return links;
}

struct arrays {
    gpu_ptr row, edges, weights, names, links, super, parent, least, chosen, in_forest, again;
    gpu_ptr node_weight, node_name; /* form=node */
};

static struct arrays place(struct run *run, const struct graph *graph, const struct links *links,
                           bool by_nodes)
{
    const uint32_t n = graph->n_vertices;
    const size_t bytes = n * sizeof(uint32_t), n_names = graph->n_edges;
    uint32_t *self = RUN_ARRAY(run, uint32_t, n), *none = RUN_ARRAY(run, uint32_t, n);
    if (run->failed) {
        return (struct arrays){0};
    }
    for (uint32_t v = 0; v < n; v++) {
        self[v] = v;
        none[v] = UINT32_MAX;
    }
    struct arrays a = {
        .row = graph_upload_rows(run, graph),
        .edges = graph_upload_edges(run, graph),
        .weights = graph_upload_weights(run, graph),
        .names = run_alloc(run, "names", (n_names + 1) * 4),
        .links = run_alloc(run, "links", (links->n + 1) * sizeof *links->link),
        .super = run_upload(run, "super", self, bytes),
        .parent = run_upload(run, "parent", self, bytes),
        .least = run_upload(run, "least", none, bytes),
        .chosen = run_upload(run, "chosen", none, bytes),
        .in_forest = run_alloc(run, "in_forest", links->n + 1),
        .again = run_alloc(run, "again", 4),
    };
    if (by_nodes) {
        a.node_weight = run_alloc(run, "node_weight", bytes);
        a.node_name = run_alloc(run, "node_name", bytes);
    }
    host_write(run->host, a.names, links->name, n_names * 4);
    host_write(run->host, a.links, links->link, links->n * sizeof *links->link);
    return a;
}

/* What each component chooses. */
static void launch_choice(struct run *run, const struct arrays *a, uint32_t n, struct isa_dim3 grid,
                          struct isa_dim3 block)
{
    if (a->node_weight) {
        RUN_LAUNCH(run, "mst_node_lightest", grid, block, host_arg_u64(a->row),
                   host_arg_u64(a->edges), host_arg_u64(a->weights), host_arg_u64(a->names),
                   host_arg_u64(a->super), host_arg_u64(a->node_weight), host_arg_u64(a->node_name),
                   host_arg_u64(a->least), host_arg_u32(n));
        RUN_LAUNCH(run, "mst_node_agree", grid, block, host_arg_u64(a->super),
                   host_arg_u64(a->node_weight), host_arg_u64(a->node_name), host_arg_u64(a->least),
                   host_arg_u64(a->chosen), host_arg_u32(n));
        return;
    }
    RUN_LAUNCH(run, "mst_find_weight", grid, block, host_arg_u64(a->row), host_arg_u64(a->edges),
               host_arg_u64(a->weights), host_arg_u64(a->super), host_arg_u64(a->least),
               host_arg_u32(n));
    RUN_LAUNCH(run, "mst_find_edge", grid, block, host_arg_u64(a->row), host_arg_u64(a->edges),
               host_arg_u64(a->weights), host_arg_u64(a->names), host_arg_u64(a->super),
               host_arg_u64(a->least), host_arg_u64(a->chosen), host_arg_u32(n));
}

static void launch_round(struct run *run, const struct arrays *a, uint32_t n)
{
    const struct isa_dim3 block = dim1(run_u32(run, "block")), grid = dim1(cover(n, block.x));
    launch_choice(run, a, n, grid, block);
    RUN_LAUNCH(run, "mst_hook", grid, block, host_arg_u64(a->super), host_arg_u64(a->chosen),
               host_arg_u64(a->links), host_arg_u64(a->parent), host_arg_u64(a->in_forest),
               host_arg_u64(a->again), host_arg_u32(n));
    RUN_LAUNCH(run, "mst_settle", grid, block, host_arg_u64(a->super), host_arg_u64(a->parent),
               host_arg_u64(a->least), host_arg_u64(a->chosen), host_arg_u32(n));
}

static void grow_forest(struct run *run, const struct graph *graph, const struct links *links,
                        bool by_nodes, uint8_t *in_forest)
{
    const struct arrays a = place(run, graph, links, by_nodes);
    bool again = !run->failed;
    for (int round = 0; again && round < MAX_ROUNDS; round++) {
        graph_flag_clear(run, a.again);
        launch_round(run, &a, graph->n_vertices);
        again = graph_flag_is_set(run, a.again);
    }
    run_download(run, in_forest, a.in_forest, links->n);
}

/* The forest edge by edge, and its size. */
static void check_forest(struct run *run, const struct links *links, const uint8_t *got,
                         const uint8_t *want)
{
    uint32_t n_got = 0, n_want = 0;
    for (uint32_t k = 0; k < links->n; k++) {
        n_got += got[k];
        n_want += want[k];
        check_that(run->result, got[k] == want[k],
                   "edge %u between %u and %u is %sin the forest; "
                   "the reference says the opposite",
                   k, links->link[k].a, links->link[k].b, got[k] ? "" : "not ");
    }
    check_that(run->result, n_got == n_want, "the forest has %u edges; the reference has %u", n_got,
               n_want);
}

static int run_mst(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "mst/mst.ptx");
    struct graph graph = graph_input(&run, run_u32(&run, "weight"), GRAPH_SIMPLE);
    const struct links links = name_links(&run, &graph);
    static const char *const forms[] = {"component", "node"};
    const bool by_nodes = run_word(&run, "form", forms, 2) == 1;
    uint8_t *in_forest = RUN_ARRAY(&run, uint8_t, links.n);
    const uint8_t *want = graph_reference_forest(&run, graph.n_vertices, links.link, links.weight,
                                                 links.n);
    if (!run.failed) {
        grow_forest(&run, &graph, &links, by_nodes, in_forest);
        check_forest(&run, &links, in_forest, want);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_mst = {
    .name = "mst",
    .title = "minimum spanning forest (H-MST)",
    .source = "Lakshminarayana 2014 section 6.5",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_mst,
};
