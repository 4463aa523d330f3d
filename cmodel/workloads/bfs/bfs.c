/* bfs.c - breadth-first search, topology-driven with frontier flags.
 *
 * Works after Lakshminarayana 2014 sections 6.1 and 6.5 (H-BFS) and CAPS section 6.1
 * (BFS); the Rodinia program of Wang 2015 section 6.  Per level two launches over all
 * vertices.  Loads: the mask is 1 byte per lane (one line), a vertex 8 bytes (two
 * lines); edges[i] starts at another row in every lane, divergent, with reuse along
 * the row; visited[edges[i]] is indirect, a random byte per lane.  Lanes diverge by
 * frontier and by degree.
 *
 * form=rodinia is the suite's own two kernels (3.1): CTAs of 512 threads, or one of all vertices
 * where there are no more, and a loop whose condition loads the row's bounds again, so that each
 * iteration has 4 loads for 2, the further two of lines that the warp just had.  Whether the suite's
 * compiler leaves them there where a lane stored nothing is not known; here they stay, as written.
 */
#include <string.h>

#include "workloads/check.h"
#include "workloads/graph_reference.h"
#include "workloads/graph_run.h"

enum { RODINIA_BLOCK = 512 };

static const struct workload_param params[] = {
    GRAPH_PARAMS,
    GRAPH_SOURCE_PARAM,
    GRAPH_BLOCK_PARAM,
    {"form", WORKLOAD_TEXT, 0, 0,
     "expand, swp, swpnc, unr2, unr3, unr2_swp, unr2_swpnc or rodinia"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "graph=rmat,vertices=1024,edges=8192,source=0,block=128,form=expand"},
    {"small", "graph=degree,vertices=16384,edges=98304,source=0,block=512,form=expand"},
    {"doc", "graph=degree,vertices=65536,edges=393216,source=0,block=512,form=expand"},
    {"graph1m", "graph=uniform,vertices=1000000,edges=5999970,source=0,block=512,form=expand"},
    {"rmat20", "graph=rmat_exact,vertices=1048576,edges=8259994,source=0,block=512,form=expand"},
    {"r4_2e20", "graph=degree,vertices=1048576,edges=4194304,source=0,block=512,form=expand"},
    {"in_2004", "graph=web,vertices=1382908,edges=27182946,source=0,block=512,form=expand"},
    {"copapers", "graph=coauthors,vertices=540486,edges=30491458,source=0,block=512,form=expand"},
    {"britain", "graph=streets,vertices=7733820,edges=16313030,source=0,block=512,form=expand"},
    {"er_22", "graph=uniform,vertices=4194304,edges=95966450,source=0,block=512,form=expand"},
    {"rgg_22", "graph=geometric,vertices=4194304,edges=60718396,source=0,block=512,form=expand"},
    {0},
};

static const struct workload_expect expect[] = {
    {.kernel = "bfs_expand", .load = 0, .nreq = 1, .stride_bytes = 1, .what = "mask[v]"},
    {.kernel = "bfs_commit", .load = 0, .nreq = 1, .stride_bytes = 1, .what = "updating[v]"},
    {0},
};

/* Device arrays, in the order of the source's host program: seven regions. */
struct arrays {
    gpu_ptr nodes, edges, mask, updating, visited, cost, again;
};

static struct arrays place(struct run *run, const struct graph *graph, uint32_t source,
                           const uint32_t *cost)
{
    const uint32_t n = graph->n_vertices;
    const uint8_t one = 1;
    struct arrays a = {
        .nodes = graph_upload_nodes(run, graph),
        .edges = graph_upload_edges(run, graph),
        .mask = run_alloc(run, "mask", n),
        .updating = run_alloc(run, "updating", n),
        .visited = run_alloc(run, "visited", n),
        .cost = run_upload(run, "cost", cost, n * sizeof *cost),
        .again = run_alloc(run, "again", 4),
    };
    host_write(run->host, a.mask + source, &one, 1);
    host_write(run->host, a.visited + source, &one, 1);
    return a;
}

/* What is launched at each level. */
struct kernels {
    const char *expand, *commit;
    uint32_t block;
    bool shrinks; /* to a CTA of all vertices, where a block is more */
};

/* Level by level until nobody new is reached. */
static void search(struct run *run, const struct arrays *a, uint32_t n, const struct kernels *k)
{
    const struct isa_dim3 block = dim1(k->shrinks && n < k->block ? n : k->block);
    const struct isa_dim3 grid = dim1(cover(n, block.x));
    bool again = !run->failed;
    for (uint32_t level = 0; again && level <= n; level++) {
        graph_flag_clear(run, a->again);
        RUN_LAUNCH(run, k->expand, grid, block, host_arg_u64(a->mask), host_arg_u64(a->nodes),
                   host_arg_u64(a->edges), host_arg_u64(a->visited), host_arg_u64(a->cost),
                   host_arg_u64(a->updating), host_arg_u32(n));
        RUN_LAUNCH(run, k->commit, grid, block, host_arg_u64(a->mask), host_arg_u64(a->visited),
                   host_arg_u64(a->updating), host_arg_u64(a->again), host_arg_u32(n));
        again = graph_flag_is_set(run, a->again);
    }
}

/* Rodinia's kernels have the CTA's size in them. */
static struct kernels rodinia(struct run *run)
{
    const uint32_t block = run_u32(run, "block");
    if (block != RODINIA_BLOCK) {
        run_refuse(run, "block=%u; form=rodinia has CTAs of %d threads", block, RODINIA_BLOCK);
    }
    return (struct kernels){"bfs_rodinia", "bfs_rodinia_commit", block, true};
}

/* The kernels of the size's form: bfs_expand, one whose loop loads ahead (section 3.7), or the
 * suite's. */
static struct kernels kernels_of_form(struct run *run)
{
    static const char *const kernels[] = {"bfs_expand",     "bfs_swp",    "bfs_swpnc",
                                          "bfs_unr2",       "bfs_unr3",   "bfs_unr2_swp",
                                          "bfs_unr2_swpnc", "bfs_rodinia"};
    enum { FORMS = sizeof kernels / sizeof *kernels };
    const char *forms[FORMS];
    for (uint32_t k = 0; k < FORMS; k++) {
        forms[k] = kernels[k] + strlen("bfs_");
    }
    const uint32_t form = run_word(run, "form", forms, FORMS);
    if (form == FORMS - 1) {
        return rodinia(run);
    }
    return (struct kernels){kernels[form], "bfs_commit", run_u32(run, "block"), false};
}

static int run_bfs(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "bfs/bfs.ptx");
    const struct kernels kernels = kernels_of_form(&run);
    struct graph graph = graph_input(&run, 1, GRAPH_AS_GIVEN);
    const uint32_t n = graph.n_vertices;
    const uint32_t source = graph_source(&run, &graph);
    uint32_t *cost = graph_start_at(&run, &graph, source);
    const uint32_t *want = graph_reference_levels(&run, &graph, source);
    if (!run.failed) {
        struct arrays a = place(&run, &graph, source, cost);
        search(&run, &a, n, &kernels);
        run_download(&run, cost, a.cost, n * sizeof *cost);
        check_u32(result, "cost", cost, want, n);
    }
    graph_free(&graph);
    return run_end(&run);
}

const struct workload workload_bfs = {
    .name = "bfs",
    .title = "breadth-first search, frontier flags (H-BFS)",
    .source = "Lakshminarayana 2014 section 6.5; CAPS section 6.1; Wang 2015 section 6",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_bfs,
};
