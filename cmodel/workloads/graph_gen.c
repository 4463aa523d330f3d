/* graph_gen.c - seeded graph generators.
 *
 * Works after Lakshminarayana 2014 section 6.5: uniform random with fixed degree
 * or fixed edge count, R-MAT, and a street-like map.  Knows nothing of files and
 * workloads.
 */
#include "workloads/graph.h"

#include <stdarg.h>
#include <stdio.h>

#include "workloads/graph_gen_rmat.h"
#include "workloads/rng.h"

__attribute__((format(printf, 2, 3))) static bool refuse(struct graph_error *error,
                                                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

static bool check_limits(uint64_t n_vertices, uint64_t n_edges, uint32_t max_weight,
                         struct graph_error *error)
{
    if (n_vertices < 1 || n_vertices > GRAPH_MAX_VERTICES) {
        return refuse(error, "%llu vertices asked for; choose 1 to %d",
                      (unsigned long long)n_vertices, GRAPH_MAX_VERTICES);
    }
    if (n_edges > GRAPH_MAX_EDGES / 2) { /* half: the reverse edges may be added later */
        return refuse(error, "%llu edges asked for; choose at most %d", (unsigned long long)n_edges,
                      GRAPH_MAX_EDGES / 2);
    }
    if (max_weight == 0) {
        return refuse(error, "the largest weight is 0; choose at least 1");
    }
    return true;
}

static double draw_weight(struct rng *rng, uint32_t max_weight)
{
    return (double)(1 + rng_below(rng, max_weight));
}

/* Ends a generator: builds the graph when every edge found room. */
static bool finish(struct graph *graph, uint32_t n_vertices, struct graph_edges *edges, bool ok,
                   unsigned shape, struct graph_error *error)
{
    if (!ok) {
        refuse(error, "no memory for the edges; choose a smaller graph");
    } else {
        ok = graph_build(graph, n_vertices, edges, shape, error);
    }
    graph_edges_free(edges);
    return ok;
}

bool graph_uniform_degree(struct graph *graph, uint32_t n_vertices, uint32_t degree,
                          uint32_t max_weight, uint64_t seed, struct graph_error *error)
{
    *graph = (struct graph){0};
    if (!check_limits(n_vertices, (uint64_t)n_vertices * degree, max_weight, error)) {
        return false;
    }
    struct rng rng = rng_seeded(seed);
    struct graph_edges edges = {0};
    bool ok = true;
    for (uint32_t v = 0; v < n_vertices; v++) {
        for (uint32_t i = 0; ok && i < degree; i++) {
            uint32_t target = (uint32_t)rng_below(&rng, n_vertices);
            ok = graph_edges_add(&edges, v, target, draw_weight(&rng, max_weight));
        }
    }
    return finish(graph, n_vertices, &edges, ok, GRAPH_AS_GIVEN, error);
}

bool graph_uniform_edges(struct graph *graph, uint32_t n_vertices, uint32_t n_edges,
                         uint32_t max_weight, uint64_t seed, struct graph_error *error)
{
    *graph = (struct graph){0};
    if (!check_limits(n_vertices, n_edges, max_weight, error)) {
        return false;
    }
    struct rng rng = rng_seeded(seed);
    struct graph_edges edges = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < n_edges; i++) {
        uint32_t source = (uint32_t)rng_below(&rng, n_vertices);
        uint32_t target = (uint32_t)rng_below(&rng, n_vertices);
        ok = graph_edges_add(&edges, source, target, draw_weight(&rng, max_weight));
    }
    return finish(graph, n_vertices, &edges, ok, GRAPH_AS_GIVEN, error);
}

bool graph_rmat(struct graph *graph, uint32_t scale, uint32_t n_edges, uint32_t max_weight,
                uint64_t seed, struct graph_error *error)
{
    *graph = (struct graph){0};
    if (scale > 26) {
        return refuse(error, "R-MAT scale %u asked for; choose 0 to 26", scale);
    }
    uint32_t n_vertices = UINT32_C(1) << scale;
    if (!check_limits(n_vertices, n_edges, max_weight, error)) {
        return false;
    }
    struct rng rng = rng_seeded(seed);
    struct graph_edges edges = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < n_edges; i++) {
        uint32_t source, target;
        rmat_draw(&rng, (struct rmat_percent){57, 19, 19}, scale, &source, &target);
        ok = graph_edges_add(&edges, source, target, draw_weight(&rng, max_weight));
    }
    return finish(graph, n_vertices, &edges, ok, GRAPH_NO_LOOPS | GRAPH_NO_DUPLICATES, error);
}

bool graph_road(struct graph *graph, uint32_t width, uint32_t height, uint32_t keep_percent,
                uint32_t max_weight, uint64_t seed, struct graph_error *error)
{
    *graph = (struct graph){0};
    uint64_t n_vertices = (uint64_t)width * height;
    if (!check_limits(n_vertices, 2 * n_vertices, max_weight, error)) {
        return false;
    }
    if (keep_percent > 100) {
        return refuse(error, "%u %% of the links asked for; choose 0 to 100", keep_percent);
    }
    struct rng rng = rng_seeded(seed);
    struct graph_edges edges = {0};
    bool ok = true;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; ok && x < width; x++) {
            uint32_t here = y * width + x;
            /* The through street follows every row and turns at alternating ends. */
            bool turn = x == (y % 2 ? 0 : width - 1);
            if (x + 1 < width) {
                ok = graph_edges_add(&edges, here, here + 1, draw_weight(&rng, max_weight));
            }
            bool kept = rng_below(&rng, 100) < keep_percent;
            if (ok && y + 1 < height && (turn || kept)) {
                ok = graph_edges_add(&edges, here, here + width, draw_weight(&rng, max_weight));
            }
        }
    }
    return finish(graph, (uint32_t)n_vertices, &edges, ok, GRAPH_SIMPLE, error);
}
