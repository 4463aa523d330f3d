/* mum.c - matches of short queries in a reference string, by its suffix tree.
 *
 * Works after Tabbakh 2018 section 6.3 (MUM, ISPASS-2009; MUMmerGPU).  Kept: the tree with nodes of
 * 16 bytes, a child for each base, edges as parts of the text, a thread per query that tries every
 * start.  Left out: suffix links, so each start begins at the root; textures and their layout of
 * the tree; matches shorter than the shortest are reported too.  Loads: one node after the other, a
 * scattered word per lane; the text and the query by bytes.  Lanes part by how deep they get.
 */
#include "workloads/check.h"
#include "workloads/run.h"

enum { BASES = 4, BLOCK = 64, MOST_TEXT = 1 << 22, WORD = 8 };

static const struct workload_param params[] = {
    {"text", WORKLOAD_NUMBER, 2, MOST_TEXT, "bases of the reference"},
    {"queries", WORKLOAD_NUMBER, 1, 1 << 20, "queries, a thread each"},
    {"length", WORKLOAD_NUMBER, 1, 256, "bases of a query, no more than the reference has"},
    {"shortest", WORKLOAD_NUMBER, 1, 256, "bases that are left at the last start of a query"},
    {0},
};

static const struct workload_size sizes[] = {
    {"tiny", "text=2048,queries=256,length=24,shortest=18"},
    {"small", "text=32768,queries=1024,length=25,shortest=14"},
    {"doc", "text=262144,queries=8192,length=25,shortest=14"},
    {0},
};

/* As the kernel's. */
struct node {
    uint32_t child[BASES];
};
struct edge {
    uint32_t start, length;
};
struct match {
    uint32_t position, length;
};

struct problem {
    uint32_t n_text, n_queries, length, starts;
    uint8_t *text, *queries;
    struct node *nodes;
    struct edge *edges;
    uint32_t n_nodes;
    uint32_t *head, *next; /* for the reference: places + 1 that begin with the same eight bases */
};

static uint32_t new_node(struct problem *p, uint32_t start, uint32_t length)
{
    p->edges[p->n_nodes] = (struct edge){start, length};
    return p->n_nodes++;
}

/* The suffix that begins at `at` goes into the tree, from the root. */
static void add_suffix(struct problem *p, uint32_t at)
{
    uint32_t node = 0;
    while (at < p->n_text) {
        uint32_t *child = &p->nodes[node].child[p->text[at]];
        if (*child == 0) {
            *child = new_node(p, at, p->n_text - at);
            return;
        }
        struct edge *edge = &p->edges[*child];
        uint32_t k = 0;
        while (k < edge->length && at + k < p->n_text &&
               p->text[edge->start + k] == p->text[at + k]) {
            k++;
        }
        if (k < edge->length && at + k < p->n_text) { /* they part inside the edge */
            const uint32_t middle = new_node(p, edge->start, k);
            p->nodes[middle].child[p->text[edge->start + k]] = *child;
            edge->start += k;
            edge->length -= k;
            *child = middle;
        }
        node = *child;
        at += k;
    }
}

/* Queries are parts of the text, with a base in sixteen changed. */
static struct problem make(struct run *run)
{
    struct problem p = {.n_text = run_u32(run, "text"),
                        .n_queries = run_u32(run, "queries"),
                        .length = run_u32(run, "length"),
                        .n_nodes = 1};
    const uint32_t shortest = run_u32(run, "shortest");
    if (p.length > p.n_text || shortest > p.length) {
        run_refuse(run,
                   "shortest=%u, length=%u and text=%u are in no such order; use shortest <= "
                   "length <= text",
                   shortest, p.length, p.n_text);
        return p;
    }
    p.starts = p.length - shortest + 1;
    p.text = RUN_ARRAY(run, uint8_t, p.n_text);
    p.queries = RUN_ARRAY(run, uint8_t, (size_t)p.n_queries * p.length);
    p.nodes = RUN_ARRAY(run, struct node, 2 * (size_t)p.n_text);
    p.edges = RUN_ARRAY(run, struct edge, 2 * (size_t)p.n_text);
    p.head = RUN_ARRAY(run, uint32_t, (size_t)1 << 2 * WORD);
    p.next = RUN_ARRAY(run, uint32_t, p.n_text);
    if (run->failed) {
        return p;
    }
    for (uint32_t i = 0; i < p.n_text; i++) {
        p.text[i] = (uint8_t)rng_below(&run->rng, BASES);
    }
    for (uint32_t i = 0; i < p.n_text; i++) {
        add_suffix(&p, i);
    }
    for (uint32_t q = 0; q < p.n_queries; q++) {
        const uint32_t from = (uint32_t)rng_below(&run->rng, p.n_text - p.length + 1);
        for (uint32_t i = 0; i < p.length; i++) {
            const bool changed = rng_below(&run->rng, 16) == 0;
            const uint32_t base = changed ? (uint32_t)rng_below(&run->rng, BASES)
                                          : p.text[from + i];
            p.queries[(size_t)q * p.length + i] = (uint8_t)base;
        }
    }
    return p;
}

/* Bases that agree from there on, of at most n. */
static uint32_t agree(const struct problem *p, uint32_t position, const uint8_t *query, uint32_t n)
{
    uint32_t k = 0;
    while (k < n && position + k < p->n_text && p->text[position + k] == query[k]) {
        k++;
    }
    return k;
}

static uint32_t word_at(const uint8_t *bases)
{
    uint32_t word = 0;
    for (int i = 0; i < WORD; i++) {
        word = word * BASES + bases[i];
    }
    return word;
}

static void index_words(const struct problem *p)
{
    for (uint32_t i = 0; i + WORD <= p->n_text; i++) {
        uint32_t *head = &p->head[word_at(p->text + i)];
        p->next[i] = *head;
        *head = i + 1;
    }
}

/* The longest match, without the tree: where the first eight bases are, or at every place. */
static uint32_t longest(const struct problem *p, const uint8_t *query, uint32_t n)
{
    uint32_t most = 0;
    for (uint32_t i = n < WORD ? 0 : p->head[word_at(query)]; i > 0; i = p->next[i - 1]) {
        const uint32_t k = agree(p, i - 1, query, n);
        most = k > most ? k : most;
    }
    const bool found = most > 0;
    for (uint32_t position = 0; !found && position < p->n_text; position++) {
        const uint32_t k = agree(p, position, query, n);
        most = k > most ? k : most;
    }
    return most;
}

static void check(const struct problem *p, const struct match *got, struct workload_result *result)
{
    for (uint32_t i = 0; i < p->n_queries * p->starts; i++) {
        const uint32_t q = i / p->starts, first = i % p->starts, n = p->length - first;
        const uint8_t *query = p->queries + (size_t)q * p->length + first;
        const uint32_t want = longest(p, query, n);
        check_that(result, got[i].length == want,
                   "query %u from base %u matches %u bases; the reference is %u", q, first,
                   got[i].length, want);
        check_that(result,
                   got[i].position < p->n_text && agree(p, got[i].position, query, n) == want,
                   "query %u from base %u is not at %u of the text", q, first, got[i].position);
    }
}

static int run_mum(struct host *host, const struct workload_size *size, uint64_t seed,
                   struct workload_result *result)
{
    struct run run = run_begin(host, size, seed, result, "mum/mum.ptx");
    const struct problem p = make(&run);
    const size_t n_matches = (size_t)p.n_queries * p.starts;
    struct match *got = RUN_ARRAY(&run, struct match, n_matches);
    if (run.failed) {
        return run_end(&run);
    }
    const gpu_ptr nodes = run_upload(&run, "nodes", p.nodes, p.n_nodes * sizeof *p.nodes);
    const gpu_ptr edges = run_upload(&run, "edges", p.edges, p.n_nodes * sizeof *p.edges);
    const gpu_ptr text = run_upload(&run, "text", p.text, p.n_text);
    const gpu_ptr queries = run_upload(&run, "queries", p.queries, (size_t)p.n_queries * p.length);
    const gpu_ptr matches = run_alloc(&run, "matches", n_matches * sizeof *got);
    RUN_LAUNCH(&run, "mum", dim1(cover(p.n_queries, BLOCK)), dim1(BLOCK), host_arg_u64(nodes),
               host_arg_u64(edges), host_arg_u64(text), host_arg_u64(queries),
               host_arg_u64(matches), host_arg_u32(p.n_queries), host_arg_u32(p.length),
               host_arg_u32(p.starts));
    run_download(&run, got, matches, n_matches * sizeof *got);
    index_words(&p);
    check(&p, got, result);
    return run_end(&run);
}

const struct workload workload_mum = {
    .name = "mum",
    .title = "matches of queries by a suffix tree",
    .source = "Tabbakh 2018 section 6.3",
    .params = params,
    .sizes = sizes,
    .run = run_mum,
};
