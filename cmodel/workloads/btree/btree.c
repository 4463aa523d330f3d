/* btree.c - point queries on a B+ tree of order 256.
 *
 * One CTA of 256 threads per query; a node's keys are read coalesced (1 request;
 * the shifted read of the next key 2), children by one lane.  The root and the
 * upper level are shared by all CTAs, leaves are met at random.  Two barriers per
 * level; all but one lane idle when the child is chosen.
 *
 * The queried key is present or not, half and half; absent keys answer -1.
 *
 * form=rodinia is the suite's own: findK and, before it, findRangeK (where ranges > 0), on nodes of
 * 2068 bytes, so that a warp's keys lie in two lines.  Where a query is lies in global memory, and a
 * leaf has numbers of records, one more load.  All queried keys are there.  The tree is that of keys
 * 0, 1, 2 .. inserted in this order: a full node is halved, and its left half stays as it is.
 * Size rodinia is the suite's run: SHA-256 of mil.txt and command.txt, known from copies' pointers, are
 * those of a million and then 0 to 999999 in lines, and of "j 6000 3000", "k 10000" and two empty lines.
 * Keys and ranges are drawn by another generator, and both commands use one copy of the tree.
 */
#include <limits.h>

#include "workloads/check.h"
#include "workloads/run.h"

enum { ORDER = 256, MAX_LEVELS = 3, HALF = ORDER / 2, MOST_KEYS = 1 << 22 };

static const struct workload_param params[] = {
    {"levels", WORKLOAD_NUMBER, 2, MAX_LEVELS, "levels of the tree, leaves included; form=lean"},
    {"fanout", WORKLOAD_NUMBER, 2, ORDER, "keys per node in use; form=lean"},
    {"queries", WORKLOAD_NUMBER, 1, 65535, "queries, one CTA each"},
    {"walk", WORKLOAD_NUMBER, 0, 1, "1: where a query is lies in global memory, form=lean"},
    {"form", WORKLOAD_TEXT, 0, 0, "lean or rodinia"},
    {"keys", WORKLOAD_NUMBER, 1, MOST_KEYS, "keys of the tree, from 0; form=rodinia"},
    {"ranges", WORKLOAD_NUMBER, 0, 65535, "queries of a range, one CTA each; form=rodinia"},
    {"span", WORKLOAD_NUMBER, 0, MOST_KEYS, "from a range's first key to its last"},
    {0},
};

#define LEAN ",form=lean,keys=1000000,ranges=0,span=3000"
static const struct workload_size sizes[] = {
    {"tiny", "levels=3,fanout=5,queries=64,walk=0" LEAN},
    {"small", "levels=3,fanout=16,queries=1000,walk=0" LEAN},
    {"doc", "levels=3,fanout=64,queries=10000,walk=0" LEAN},
    {"rodinia", "levels=3,fanout=64,queries=10000,walk=0,form=rodinia,keys=1000000,ranges=6000,"
                "span=3000"},
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

static void run_lean(struct run *run)
{
    struct tree tree = {.levels = run_u32(run, "levels"), .fanout = run_u32(run, "fanout")};
    const uint32_t n = run_u32(run, "queries");
    const size_t bytes = n * sizeof(uint32_t);
    uint32_t *queries = RUN_ARRAY(run, uint32_t, n), *answers = RUN_ARRAY(run, uint32_t, n);
    uint32_t *want = RUN_ARRAY(run, uint32_t, n);
    make_tree(run, &tree);
    if (run->failed) {
        return;
    }
    const uint64_t keys = (uint64_t)tree.n_leaves * tree.fanout;
    for (uint32_t i = 0; i < n; i++) {
        queries[i] = (uint32_t)rng_below(&run->rng, 2 * keys + 1); /* odd ones are keys */
        want[i] = queries[i] % 2 ? (uint32_t)value_of((int32_t)queries[i]) : UINT32_MAX;
        answers[i] = UINT32_MAX;
    }

    gpu_ptr nodes = run_upload(run, "nodes", tree.nodes, tree.n_nodes * sizeof(struct node));
    gpu_ptr dev_queries = run_upload(run, "queries", queries, bytes);
    gpu_ptr dev_answers = run_upload(run, "answers", answers, bytes);
    if (run_u32(run, "walk")) {
        walk(run, n, nodes, dev_queries, dev_answers, tree.levels);
    } else {
        RUN_LAUNCH(run, "btree_find", dim1(n), dim1(ORDER), host_arg_u64(nodes),
                   host_arg_u64(dev_queries), host_arg_u64(dev_answers), host_arg_u32(tree.levels));
    }
    run_download(run, answers, dev_answers, bytes);
    check_u32(run->result, "answers", answers, want, n);
}

/* The layout that Rodinia's kernels read. */
struct knode {
    int32_t location, indices[ORDER + 1], keys[ORDER + 1];
    bool is_leaf;
    int32_t num_keys;
};
_Static_assert(sizeof(struct knode) == 2068, "Rodinia's node");

/* The tree of keys that come in rising order. */
struct rising {
    uint32_t n_keys, height;                                /* levels above the leaves */
    uint32_t width[MAX_LEVELS], first[MAX_LEVELS], n_nodes; /* of each level, leaves first */
    struct knode *nodes;                                    /* from the root, level by level */
    gpu_ptr dev;
};

/* Nodes that `n` entries leave that come in rising order: one more than `most` halves a node. */
static uint32_t n_halved(uint32_t n, uint32_t most)
{
    return 1 + (n > most ? cover(n - most, HALF) : 0);
}

/* Node j of a level, HALF entries each but the last; entries of a leaf are keys, else children. */
static void fill_knode(const struct rising *tree, uint32_t level, uint32_t j)
{
    struct knode *node = &tree->nodes[tree->first[level] + j];
    const uint32_t below = level > 0 ? tree->width[level - 1] : tree->n_keys, at = j * HALF;
    const uint32_t n = j + 1 < tree->width[level] ? HALF : below - at;
    const uint32_t child = level > 0 ? tree->first[level - 1] + at : at;
    const uint32_t skip = level > 0 ? 0 : 1; /* a leaf's entries begin at 1 */
    uint32_t span = 1;                       /* keys below an entry */
    for (uint32_t l = 0; l < level; l++) {
        span *= HALF;
    }
    node->location = (int32_t)(tree->first[level] + j);
    node->is_leaf = level == 0;
    node->num_keys = (int32_t)(n + skip + 1);
    for (uint32_t k = 0; k <= ORDER; k++) {
        node->keys[k] = INT32_MAX;
    }
    for (uint32_t k = 0; k < n; k++) {
        node->keys[k + skip] = (int32_t)((at + k) * span);
        node->indices[k + skip] = (int32_t)(child + k);
    }
    node->keys[0] = INT32_MIN;
    node->indices[n + skip] = node->location + 1;
}

static void make_rising(struct run *run, struct rising *tree)
{
    tree->width[0] = n_halved(tree->n_keys, ORDER - 1);
    while (tree->width[tree->height] > 1) {
        tree->width[tree->height + 1] = n_halved(tree->width[tree->height], ORDER);
        tree->height++;
    }
    for (uint32_t level = tree->height + 1; level-- > 0;) {
        tree->first[level] = tree->n_nodes;
        tree->n_nodes += tree->width[level];
    }
    tree->nodes = RUN_ARRAY(run, struct knode, tree->n_nodes);
    for (uint32_t level = 0; !run->failed && level <= tree->height; level++) {
        for (uint32_t j = 0; j < tree->width[level]; j++) {
            fill_knode(tree, level, j);
        }
    }
}

/* Where queries are: at the root, node 0. */
static gpu_ptr at_root(struct run *run, const char *name, uint32_t n)
{
    return run_alloc(run, name, n * sizeof(int64_t));
}

/* Keys as the suite draws them: a range that would end behind the last key is moved before it. */
static void find_ranges(struct run *run, const struct rising *tree, uint32_t n, uint32_t span)
{
    const size_t bytes = n * sizeof(uint32_t);
    uint32_t *start = RUN_ARRAY(run, uint32_t, n), *end = RUN_ARRAY(run, uint32_t, n);
    uint32_t *length = RUN_ARRAY(run, uint32_t, n), *got = RUN_ARRAY(run, uint32_t, n);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        start[i] = (uint32_t)rng_below(&run->rng, tree->n_keys);
        end[i] = start[i] + span;
        if (end[i] >= tree->n_keys) {
            start[i] = tree->n_keys - span;
            end[i] = tree->n_keys - 1;
        }
        length[i] = end[i] - start[i] + 1;
    }
    gpu_ptr current = at_root(run, "currKnodeD", n), offset = at_root(run, "offsetD", n);
    gpu_ptr last = at_root(run, "lastKnodeD", n), offset_2 = at_root(run, "offset_2D", n);
    gpu_ptr dev_start = run_upload(run, "startD", start, bytes);
    gpu_ptr dev_end = run_upload(run, "endD", end, bytes);
    gpu_ptr dev_first = run_alloc(run, "RecstartD", bytes);
    gpu_ptr dev_length = run_alloc(run, "ReclenD", bytes);
    RUN_LAUNCH(run, "btree_range", dim1(n), dim1(ORDER), host_arg_u64(tree->height),
               host_arg_u64(tree->dev), host_arg_u64(tree->n_nodes), host_arg_u64(current),
               host_arg_u64(offset), host_arg_u64(last), host_arg_u64(offset_2),
               host_arg_u64(dev_start), host_arg_u64(dev_end), host_arg_u64(dev_first),
               host_arg_u64(dev_length));
    run_download(run, got, dev_first, bytes);
    check_u32(run->result, "RecstartD", got, start, n); /* a key's record has its number */
    run_download(run, got, dev_length, bytes);
    check_u32(run->result, "ReclenD", got, length, n);
}

static void find_keys(struct run *run, const struct rising *tree, uint32_t n)
{
    const size_t bytes = n * sizeof(uint32_t);
    uint32_t *records = RUN_ARRAY(run, uint32_t, tree->n_keys), *keys = RUN_ARRAY(run, uint32_t, n);
    uint32_t *want = RUN_ARRAY(run, uint32_t, n), *got = RUN_ARRAY(run, uint32_t, n);
    if (run->failed) {
        return;
    }
    for (uint32_t i = 0; i < tree->n_keys; i++) {
        records[i] = (uint32_t)value_of((int32_t)i);
    }
    for (uint32_t i = 0; i < n; i++) {
        keys[i] = (uint32_t)rng_below(&run->rng, tree->n_keys);
        want[i] = records[keys[i]];
        got[i] = UINT32_MAX;
    }
    gpu_ptr dev_records = run_upload(run, "recordsD", records, tree->n_keys * sizeof *records);
    gpu_ptr current = at_root(run, "currKnodeD", n), offset = at_root(run, "offsetD", n);
    gpu_ptr dev_keys = run_upload(run, "keysD", keys, bytes);
    gpu_ptr answers = run_upload(run, "ansD", got, bytes);
    RUN_LAUNCH(run, "btree_rodinia", dim1(n), dim1(ORDER), host_arg_u64(tree->height),
               host_arg_u64(tree->dev), host_arg_u64(tree->n_nodes), host_arg_u64(dev_records),
               host_arg_u64(current), host_arg_u64(offset), host_arg_u64(dev_keys),
               host_arg_u64(answers));
    run_download(run, got, answers, bytes);
    check_u32(run->result, "ansD", got, want, n);
}

static void run_rodinia(struct run *run)
{
    struct rising tree = {.n_keys = run_u32(run, "keys")};
    const uint32_t ranges = run_u32(run, "ranges"), span = run_u32(run, "span");
    if (run_u32(run, "walk")) {
        run_refuse(run, "walk=1; form=rodinia does so anyway, use walk=0");
        return;
    }
    if (ranges > 0 && span > tree.n_keys) {
        run_refuse(run, "span=%u exceeds keys=%u; use a shorter one", span, tree.n_keys);
        return;
    }
    make_rising(run, &tree);
    if (run->failed) {
        return;
    }
    tree.dev = run_upload(run, "knodesD", tree.nodes, tree.n_nodes * sizeof(struct knode));
    if (ranges > 0) {
        find_ranges(run, &tree, ranges, span);
    }
    find_keys(run, &tree, run_u32(run, "queries"));
}

static int run_btree(struct host *host, const struct workload_size *size, uint64_t seed,
                     struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "btree/btree.ptx");
    static const char *const forms[] = {"lean", "rodinia"};
    const bool is_lean = run_word(&run, "form", forms, 2) == 0;
    const uint32_t ranges = run_u32(&run, "ranges");
    if (is_lean && ranges > 0) {
        run_refuse(&run, "ranges=%u; form=lean has none, use form=rodinia", ranges);
    }
    if (!run.failed && is_lean) {
        run_lean(&run);
    } else if (!run.failed) {
        run_rodinia(&run);
    }
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
