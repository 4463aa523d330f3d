/* graph_gen_links.c - seeded generators of undirected graphs with an exact number of links: pages of the
 * web, authors of papers.
 *
 * Works after Lakshminarayana 2014 section 6.3, whose inputs in-2004 and coPapersDBLP they stand for:
 * the same numbers of vertices and edges, a similar spread of degrees and of ids.  Knows nothing of files
 * and workloads.
 */
#include <stdio.h>
#include <stdlib.h>

#include "workloads/graph.h"
#include "workloads/graph_gen_rmat.h"
#include "workloads/rng.h"

/* Of a page's links so many percent stay in its host, so many go to popular pages. */
enum { HOST_PAGES = 64, IN_HOST_PERCENT = 65, POPULAR_PERCENT = 25 };

/* Authors of a paper; most of them of one field, the others as often as they write. */
enum { LEAST_AUTHORS = 2, MOST_AUTHORS = 24, FIELD_AUTHORS = 128, IN_FIELD_PERCENT = 70 };

/* Draws in a row that find no new link until the graph is said to be too dense. */
enum { MOST_FAILURES = 1 << 16 };

/* Links drawn so far, each once: a hash table over a list. */
struct links {
    uint64_t *slot; /* [n_slots] low << 32 | high, plus 1; 0: free */
    size_t n_slots;
    struct graph_edges list;
    uint32_t n_vertices, max_weight, wanted, failures;
    bool directed, memory;
};

/* False when it is a loop or there already, or without memory. */
static bool add_link(struct links *links, struct rng *rng, uint32_t u, uint32_t v)
{
    const bool swap = u > v && !links->directed;
    const uint32_t low = swap ? v : u, high = swap ? u : v;
    const uint64_t key = ((uint64_t)low << 32 | high) + 1;
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (links->n_slots - 1);
    while (links->slot[at] != 0 && links->slot[at] != key) {
        at = (at + 1) & (links->n_slots - 1);
    }
    if (u == v || links->slot[at] == key || links->list.count == links->wanted) {
        links->failures++;
        return false;
    }
    links->slot[at] = key;
    links->failures = 0;
    links->memory = graph_edges_add(&links->list, low, high,
                                    (double)(1 + rng_below(rng, links->max_weight)));
    return links->memory;
}

/* An end of a random link, so vertices as often as they have links; any vertex while there is none. */
static uint32_t linked_vertex(const struct links *links, struct rng *rng)
{
    if (links->list.count == 0) {
        return (uint32_t)rng_below(rng, links->n_vertices);
    }
    const struct graph_edge *edge = &links->list.edge[rng_below(rng, links->list.count)];
    return rng_below(rng, 2) ? edge->source : edge->target;
}

/* A vertex of the block of `size` ids that v stands in. */
static uint32_t nearby(const struct links *links, struct rng *rng, uint32_t v, uint32_t size)
{
    const uint32_t first = v / size * size, left = links->n_vertices - first;
    return first + (uint32_t)rng_below(rng, left < size ? left : size);
}

/* Pages by popularity fall as the power -2/3 of their rank; ranks are spread over the ids. */
static uint32_t popular(const struct links *links, struct rng *rng)
{
    const double x = (double)rng_below(rng, UINT64_C(1) << 32) / 4294967296.0;
    const uint64_t rank = (uint64_t)(x * x * x * links->n_vertices);
    return (uint32_t)(rank * 0x9E3779B1 % links->n_vertices);
}

static void draw_page(struct links *links, struct rng *rng)
{
    const uint32_t from = (uint32_t)rng_below(rng, links->n_vertices);
    const uint64_t percent = rng_below(rng, 100);
    const uint32_t to = percent < IN_HOST_PERCENT ? nearby(links, rng, from, HOST_PAGES)
                        : percent < IN_HOST_PERCENT + POPULAR_PERCENT
                            ? popular(links, rng)
                            : (uint32_t)rng_below(rng, links->n_vertices);
    add_link(links, rng, from, to);
}

static void draw_paper(struct links *links, struct rng *rng)
{
    const uint32_t n = LEAST_AUTHORS + (uint32_t)rng_below(rng, MOST_AUTHORS - LEAST_AUTHORS + 1);
    uint32_t author[MOST_AUTHORS];
    author[0] = (uint32_t)rng_below(rng, links->n_vertices);
    for (uint32_t k = 1; k < n; k++) {
        author[k] = rng_below(rng, 100) < IN_FIELD_PERCENT
                        ? nearby(links, rng, author[0], FIELD_AUTHORS)
                        : linked_vertex(links, rng);
    }
    for (uint32_t j = 1; j < n; j++) {
        for (uint32_t k = 0; k < j; k++) {
            add_link(links, rng, author[j], author[k]);
        }
    }
}

/* The document's RMAT20 has 128,614 edges fewer than eight draws a vertex.  Of quadrants with 50, 10, 10 and 30 %
 * of the draws 127,579 are expected to be duplicates and loops, with 57, 19, 19 and 5 % 213,478: the sum, over the
 * pairs of vertices, of 1 - (1 - p)^draws is what is left. */
static void draw_quadrants(struct links *links, struct rng *rng)
{
    const struct rmat_percent percent = {50, 10, 10};
    uint32_t source, target;
    rmat_draw(rng, percent, (uint32_t)__builtin_ctz(links->n_vertices), &source, &target);
    add_link(links, rng, source, target);
}

static bool refuse(struct graph_error *error, const char *text, uint32_t n_edges)
{
    snprintf(error->text, sizeof error->text, text, n_edges);
    return false;
}

static bool draw_all(struct links *links, uint64_t seed, uint32_t n_edges,
                     void (*draw)(struct links *links, struct rng *rng), struct graph_error *error)
{
    struct rng rng = rng_seeded(seed);
    for (links->n_slots = 16; links->n_slots < 2 * (size_t)links->wanted;) {
        links->n_slots *= 2;
    }
    links->slot = calloc(links->n_slots, sizeof *links->slot);
    links->memory = links->slot != NULL;
    while (links->memory && links->list.count < links->wanted && links->failures < MOST_FAILURES) {
        draw(links, &rng);
    }
    if (!links->memory) {
        return refuse(error, "no memory for %u edges; choose a smaller graph", n_edges);
    }
    return links->list.count == links->wanted ||
           refuse(error, "%u edges are more than such a graph of so few vertices has; choose fewer",
                  n_edges);
}

static bool make(struct graph *graph, uint32_t n_vertices, uint32_t n_edges, uint32_t max_weight,
                 uint64_t seed, void (*draw)(struct links *links, struct rng *rng),
                 struct graph_error *error)
{
    struct links links = {
        .n_vertices = n_vertices, .max_weight = max_weight, .wanted = n_edges / 2};
    *graph = (struct graph){0};
    if (n_vertices < 1 || n_vertices > GRAPH_MAX_VERTICES || n_edges > GRAPH_MAX_EDGES / 2 ||
        n_edges % 2 != 0 || max_weight == 0) {
        return refuse(error,
                      "%u edges asked for; choose an even number up to 134217728, 1 to "
                      "67108864 vertices, and weights of at least 1",
                      n_edges);
    }
    const bool ok = draw_all(&links, seed, n_edges, draw, error) &&
                    graph_build(graph, n_vertices, &links.list, GRAPH_SYMMETRIC, error);
    graph_edges_free(&links.list);
    free(links.slot);
    return ok;
}

bool graph_web(struct graph *graph, uint32_t n_vertices, uint32_t n_edges, uint32_t max_weight,
               uint64_t seed, struct graph_error *error)
{
    return make(graph, n_vertices, n_edges, max_weight, seed, draw_page, error);
}

bool graph_coauthors(struct graph *graph, uint32_t n_vertices, uint32_t n_edges,
                     uint32_t max_weight, uint64_t seed, struct graph_error *error)
{
    return make(graph, n_vertices, n_edges, max_weight, seed, draw_paper, error);
}

bool graph_rmat_exact(struct graph *graph, uint32_t scale, uint32_t n_edges, uint32_t max_weight,
                      uint64_t seed, struct graph_error *error)
{
    struct links links = {.n_vertices = scale <= 26 ? UINT32_C(1) << scale : 0,
                          .max_weight = max_weight,
                          .wanted = n_edges,
                          .directed = true};
    *graph = (struct graph){0};
    if (scale > 26 || n_edges > GRAPH_MAX_EDGES / 2 || max_weight == 0) {
        return refuse(error,
                      "%u edges asked for; choose up to 134217728, a scale of 0 to 26, and weights "
                      "of at least 1",
                      n_edges);
    }
    const bool ok = draw_all(&links, seed, n_edges, draw_quadrants, error) &&
                    graph_build(graph, links.n_vertices, &links.list, GRAPH_AS_GIVEN, error);
    graph_edges_free(&links.list);
    free(links.slot);
    return ok;
}
