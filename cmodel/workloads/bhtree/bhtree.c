/* bhtree.c - the shared tree of Barnes-Hut: build, sum, read.
 *
 * Works after Tabbakh 2018 section 6.2 (BH): cells are made under locks by atomicCAS, sums
 * go up by flags that others spin on, bodies read the tree.  Node numbers depend on timing,
 * what a body reads on its way down does not: that is checked, in whole numbers.
 */
#include "workloads/check.h"
#include "workloads/run.h"

static const struct workload_param params[] = {
    {"bodies", WORKLOAD_NUMBER, 32, 1 << 16, "bodies"},
    {"depth", WORKLOAD_NUMBER, 1, 8, "levels of the tree"},
    {0},
};
static const struct workload_size sizes[] = {
    {"tiny", "bodies=256,depth=3"},
    {"small", "bodies=2048,depth=4"},
    {"doc", "bodies=4096,depth=5"},
    {0},
};

enum { BLOCK = 64, MOST_SUM_CTAS = 30 };

/* Sum of the masses whose keys agree with `key` in the first `level` levels. */
static uint32_t sum_below(const uint32_t *key, const uint32_t *mass, uint32_t n, uint32_t of,
                          uint32_t level)
{
    const uint32_t mask = (1u << (2 * level)) - 1;
    uint32_t sum = 0;
    for (uint32_t b = 0; b < n; b++) {
        if (((key[b] ^ of) & mask) == 0) {
            sum += mass[b];
        }
    }
    return sum;
}

static uint32_t force_on(const uint32_t *key, const uint32_t *mass, uint32_t n, uint32_t body,
                         uint32_t depth)
{
    uint32_t felt = sum_below(key, mass, n, key[body], 0);
    for (uint32_t level = 1; level <= depth; level++) {
        felt = felt * 31 + sum_below(key, mass, n, key[body], level);
    }
    return felt;
}

/* The nodes without children, which have their sums. */
static void mark_ready(uint32_t *flag, const uint32_t *child, uint32_t nodes)
{
    for (uint32_t i = 0; i < nodes; i++) {
        flag[i] = !(child[4 * i] | child[4 * i + 1] | child[4 * i + 2] | child[4 * i + 3]);
    }
}

struct tree {
    gpu_ptr key, mass, child, sum, count;
    uint32_t most; /* nodes */
};

static uint32_t build(struct run *run, const struct tree *tree, uint32_t n, uint32_t depth)
{
    uint32_t nodes = 1;
    host_write(run->host, tree->count, &nodes, sizeof nodes);
    RUN_LAUNCH(run, "bhtree_build", dim1(cover(n, BLOCK)), dim1(BLOCK), host_arg_u64(tree->key),
               host_arg_u64(tree->mass), host_arg_u64(tree->child), host_arg_u64(tree->count),
               host_arg_u64(tree->sum), host_arg_u32(depth), host_arg_u32(n));
    run_download(run, &nodes, tree->count, sizeof nodes);
    return nodes;
}

static void sum_up(struct run *run, const struct tree *tree, uint32_t nodes, uint32_t n,
                   uint32_t depth, uint32_t *force)
{
    uint32_t *child = RUN_ARRAY(run, uint32_t, 4 * (size_t)tree->most);
    uint32_t *flag = RUN_ARRAY(run, uint32_t, tree->most);
    const uint32_t ctas = cover(nodes, BLOCK) < MOST_SUM_CTAS ? cover(nodes, BLOCK) : MOST_SUM_CTAS;

    if (run->failed) {
        return;
    }
    run_download(run, child, tree->child, 16 * (size_t)tree->most);
    mark_ready(flag, child, nodes);
    gpu_ptr dev_flag = run_upload(run, "flag", flag, 4 * (size_t)tree->most);
    gpu_ptr dev_force = run_alloc(run, "force", 4 * (size_t)n);
    RUN_LAUNCH(run, "bhtree_sum", dim1(ctas), dim1(BLOCK), host_arg_u64(tree->key),
               host_arg_u64(tree->child), host_arg_u64(tree->sum), host_arg_u64(dev_flag),
               host_arg_u64(dev_force), host_arg_u32(nodes), host_arg_u32(depth), host_arg_u32(n));
    run_download(run, force, dev_force, 4 * (size_t)n);
}

static int run_bhtree(struct host *host, const struct workload_size *size, uint64_t seed,
                      struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "bhtree/bhtree.ptx");
    const uint32_t n = run_u32(&run, "bodies"), depth = run_u32(&run, "depth");
    uint32_t *key = RUN_ARRAY(&run, uint32_t, n), *mass = RUN_ARRAY(&run, uint32_t, n);
    uint32_t *force = RUN_ARRAY(&run, uint32_t, n), *want = RUN_ARRAY(&run, uint32_t, n);
    struct tree tree = {.most = 1 + n * depth};

    if (!run.failed) {
        for (uint32_t b = 0; b < n; b++) {
            key[b] = rng_u32(&run.rng);
            mass[b] = 1 + (uint32_t)rng_below(&run.rng, 1000);
        }
        tree.key = run_upload(&run, "key", key, n * sizeof *key);
        tree.mass = run_upload(&run, "mass", mass, n * sizeof *mass);
        tree.child = run_alloc(&run, "child", 16 * (size_t)tree.most);
        tree.sum = run_alloc(&run, "sum", 4 * (size_t)tree.most);
        tree.count = run_alloc(&run, "count", 4);
        const uint32_t nodes = build(&run, &tree, n, depth);
        check_that(result, nodes <= tree.most, "%u nodes made, at most %u possible", nodes,
                   tree.most);
        if (nodes <= tree.most) {
            sum_up(&run, &tree, nodes, n, depth, force);
        }
        for (uint32_t b = 0; b < n; b++) {
            want[b] = force_on(key, mass, n, b, depth);
        }
        check_u32(result, "force", force, want, n);
    }
    return run_end(&run);
}

const struct workload workload_bhtree = {
    .name = "bhtree",
    .title = "tree of Barnes-Hut: locks, ready flags, shared reads (BH)",
    .source = "Tabbakh 2018 section 6.2",
    .params = params,
    .sizes = sizes,
    .together = true,
    .run = run_bhtree,
};
