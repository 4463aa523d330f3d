/* btree.c - point queries on a B+ tree of order 256.
 *
 * One CTA of 256 threads per query; a node's keys are read coalesced (1 request;
 * the shifted read of the next key 2), children by one lane.  The root and the
 * upper level are shared by all CTAs, leaves are met at random.  Two barriers per
 * level; all but one lane idle when the child is chosen.
 *
 * The queried key is present or not, half and half; absent keys answer -1.
 */
#include <limits.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { ORDER = 256, MAX_LEVELS = 3 };

static const struct workload_param params[] = {
    {"levels", WORKLOAD_NUMBER, 2, MAX_LEVELS, "levels of the tree, leaves included"},
    {"fanout", WORKLOAD_NUMBER, 2, ORDER, "keys per node in use"},
    {"queries", WORKLOAD_NUMBER, 1, 65535, "queries, one CTA each"},
    {"walk", WORKLOAD_NUMBER, 0, 1, "1: where a query is lies in global memory, as Rodinia's"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "levels=3,fanout=5,queries=64,walk=0"},
    {"small", "levels=3,fanout=16,queries=1000,walk=0"},
    {"doc", "levels=3,fanout=64,queries=10000,walk=0"},
    {0},
};

#define LOAD(ordinal, requests, stride, expression) \
    { \
        .kernel = "btree_find", .load = ordinal, .nreq = requests, .stride_bytes = stride, \
        .what = expression \
    }
static const struct workload_expect expect[] = {
    LOAD(0, 1, 0, "queries[b]"),
    {0},
};

/* The layout that the kernel reads. */
struct node {
    int32_t keys[ORDER], links[ORDER + 1], pad[3];
};

struct tree {
    uint32_t levels, fanout, n_nodes, n_leaves;
    struct node *nodes; /* level by level from the root */
};

/* Keys are 2 * rank + 1, a key's value is a function of it. */
static int32_t key_of(uint32_t rank)
{
    return (int32_t)(2 * rank + 1);
}

static int32_t value_of(int32_t key)
{
    return (int32_t)((uint32_t)key * 2654435761u >> 1);
}

/* Node `index` of `level` (0: leaves); children of the level below start at `below`.
 * An inner node has fanout keys and so fanout + 1 children. */
static void fill_node(const struct tree *tree, struct node *node, uint32_t level, uint32_t index,
                      uint32_t below)
{
    const uint32_t children = tree->fanout + 1;
    uint32_t span = tree->fanout; /* keys below one child */
    for (uint32_t l = 1; l < level; l++) {
        span *= children;
    }
    for (uint32_t k = 0; k < ORDER; k++) {
        node->keys[k] = INT32_MAX;
    }
    for (uint32_t k = 0; k < tree->fanout; k++) {
        const uint32_t rank = level ? (index * children + k + 1) * span : index * tree->fanout + k;
        node->keys[k] = key_of(rank);
        if (!level) {
            node->links[k] = value_of(node->keys[k]);
        }
    }
    for (uint32_t k = 0; level && k < children; k++) {
        node->links[k] = (int32_t)(below + index * children + k);
    }
}

static void make_tree(struct run *run, struct tree *tree)
{
    uint32_t first[MAX_LEVELS + 1] = {0}, width = 1;
    for (uint32_t depth = 0; depth < tree->levels; depth++) {
        first[depth + 1] = first[depth] + width;
        tree->n_leaves = width;
        width *= tree->fanout + 1;
    }
    tree->n_nodes = first[tree->levels];
    tree->nodes = RUN_ARRAY(run, struct node, tree->n_nodes);
    for (uint32_t depth = 0; !run->failed && depth < tree->levels; depth++) {
        for (uint32_t i = first[depth]; i < first[depth + 1]; i++) {
            fill_node(tree, &tree->nodes[i], tree->levels - 1 - depth, i - first[depth],
                      first[depth + 1]);
        }
    }
}

/* All queries begin at the root, node 0. */
static void walk(struct run *run, uint32_t n, gpu_ptr nodes, gpu_ptr queries, gpu_ptr answers,
                 uint32_t levels)
{
    const uint32_t *root = RUN_ARRAY(run, uint32_t, n);
    if (run->failed) {
        return;
    }
    gpu_ptr current = run_upload(run, "current", root, n * sizeof *root);
    gpu_ptr child = run_upload(run, "child", root, n * sizeof *root);
    RUN_LAUNCH(run, "btree_walk", dim1(n), dim1(ORDER), host_arg_u64(nodes), host_arg_u64(queries),
               host_arg_u64(answers), host_arg_u64(current), host_arg_u64(child),
               host_arg_u32(levels));
}

static int run_btree(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "btree/btree.ptx");
    struct tree tree = {.levels = run_u32(&run, "levels"), .fanout = run_u32(&run, "fanout")};
    const uint32_t n = run_u32(&run, "queries");
    const size_t bytes = n * sizeof(uint32_t);
    uint32_t *queries = RUN_ARRAY(&run, uint32_t, n), *answers = RUN_ARRAY(&run, uint32_t, n);
    uint32_t *want = RUN_ARRAY(&run, uint32_t, n);
    make_tree(&run, &tree);
    if (run.failed) {
        return run_end(&run);
    }
    const uint64_t keys = (uint64_t)tree.n_leaves * tree.fanout;
    for (uint32_t i = 0; i < n; i++) {
        queries[i] = (uint32_t)rng_below(&run.rng, 2 * keys + 1); /* odd ones are keys */
        want[i] = queries[i] % 2 ? (uint32_t)value_of((int32_t)queries[i]) : UINT32_MAX;
        answers[i] = UINT32_MAX;
    }

    gpu_ptr nodes = run_upload(&run, "nodes", tree.nodes, tree.n_nodes * sizeof(struct node));
    gpu_ptr dev_queries = run_upload(&run, "queries", queries, bytes);
    gpu_ptr dev_answers = run_upload(&run, "answers", answers, bytes);
    if (run_u32(&run, "walk")) {
        walk(&run, n, nodes, dev_queries, dev_answers, tree.levels);
    } else {
        RUN_LAUNCH(&run, "btree_find", dim1(n), dim1(ORDER), host_arg_u64(nodes),
                   host_arg_u64(dev_queries), host_arg_u64(dev_answers), host_arg_u32(tree.levels));
    }
    run_download(&run, answers, dev_answers, bytes);
    check_u32(result, "answers", answers, want, n);
    return run_end(&run);
}

const struct workload workload_btree = {
    .name = "btree",
    .title = "B+ tree queries",
    .source = "aci-iacm-blpp section 6.2 (BT), tabbakh2018-coherence section 6.3",
    .params = params,
    .sizes = sizes,
    .expect = expect,
    .run = run_btree,
};
