/* graph_gen_points.c - random geometric graphs: points of the unit square, joined when they are near.
 *
 * Works after Lakshminarayana 2014 sections 6.3 and 6.5 (rgg_n_2_22_s0 of the DIMACS challenge).  With the
 * number of edges given the radius follows: the nearest pairs are joined, so many.  Vertices are numbered
 * by cells of a grid, row by row, as neighbours in the plane are near by their ids in that graph (D-GRAPH-3).
 * Knows nothing of files and workloads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/graph.h"
#include "workloads/rng.h"

enum { SIDE_BITS = 30, SIDE = 1 << SIDE_BITS, CELL_POINTS = 2 };

/* Points sorted by cells of n_side x n_side. */
struct plane {
    uint32_t n_points, n_side, *x, *y; /* [n_points] below SIDE */
    uint32_t *start;                   /* [n_side * n_side + 1] first point of each cell */
};

static uint32_t cell_of(const struct plane *plane, uint32_t x, uint32_t y)
{
    return (uint32_t)((uint64_t)y * plane->n_side >> SIDE_BITS) * plane->n_side +
           (uint32_t)((uint64_t)x * plane->n_side >> SIDE_BITS);
}

/* Draws the points and sorts them by counting. */
static bool scatter(struct plane *plane, uint32_t n_points, uint64_t seed)
{
    *plane = (struct plane){.n_points = n_points, .n_side = 1};
    while ((uint64_t)(plane->n_side + 1) * (plane->n_side + 1) * CELL_POINTS <= n_points) {
        plane->n_side++;
    }
    const size_t n_cells = (size_t)plane->n_side * plane->n_side;
    uint32_t *drawn = calloc(n_points, 2 * sizeof *drawn);
    plane->x = calloc(n_points, sizeof *plane->x);
    plane->y = calloc(n_points, sizeof *plane->y);
    plane->start = calloc(n_cells + 2, sizeof *plane->start);
    const bool memory = drawn && plane->x && plane->y && plane->start;
    struct rng rng = rng_seeded(seed);
    for (uint32_t p = 0; memory && p < n_points; p++) {
        drawn[2 * p] = (uint32_t)rng_below(&rng, SIDE);
        drawn[2 * p + 1] = (uint32_t)rng_below(&rng, SIDE);
        plane->start[cell_of(plane, drawn[2 * p], drawn[2 * p + 1]) + 2]++;
    }
    for (size_t c = 2; memory && c < n_cells + 2; c++) {
        plane->start[c] += plane->start[c - 1];
    }
    for (uint32_t p = 0; memory && p < n_points; p++) {
        const uint32_t at = plane->start[cell_of(plane, drawn[2 * p], drawn[2 * p + 1]) + 1]++;
        plane->x[at] = drawn[2 * p];
        plane->y[at] = drawn[2 * p + 1];
    }
    free(drawn);
    return memory;
}

static void plane_free(struct plane *plane)
{
    free(plane->x);
    free(plane->y);
    free(plane->start);
}

/* ---- pairs ---- */

/* What is done with the pairs at most so far apart: they are counted by distance, or become edges. */
enum { BINS = 1 << 12 };
struct pairs {
    uint64_t most_square; /* squares of distances */
    uint64_t low, width;  /* of bin 0: from here on, so many squares */
    uint64_t below, bin[BINS];
    struct graph_edges *edges; /* NULL: count */
    uint64_t ties;             /* of those exactly most_square apart, how many still become edges */
    struct rng rng;
    uint32_t max_weight;
    bool memory;
};

static void look_at(const struct plane *plane, struct pairs *pairs, uint32_t p, uint32_t q)
{
    const int64_t dx = (int64_t)plane->x[p] - plane->x[q], dy = (int64_t)plane->y[p] - plane->y[q];
    const uint64_t square = (uint64_t)(dx * dx + dy * dy);
    if (square > pairs->most_square) {
        return;
    }
    if (pairs->edges == NULL) {
        *(square < pairs->low ? &pairs->below
                              : &pairs->bin[(square - pairs->low) / pairs->width]) += 1;
    } else if (square < pairs->most_square || pairs->ties != 0) {
        pairs->ties -= square == pairs->most_square;
        pairs->memory = pairs->memory &&
                        graph_edges_add(pairs->edges, p, q,
                                        (double)(1 + rng_below(&pairs->rng, pairs->max_weight)));
    }
}

/* Every pair at most that far apart, once: the later one of a cell or of a cell behind it. */
static void all_pairs(const struct plane *plane, struct pairs *pairs)
{
    uint32_t reach = 0;
    const uint64_t cell = SIDE / plane->n_side;
    while (reach < plane->n_side && reach * cell * (reach * cell) <= pairs->most_square) {
        reach++; /* cells are at least `cell` wide: points further than that are too far */
    }
    for (uint32_t p = 0; p < plane->n_points; p++) {
        const uint32_t home = cell_of(plane, plane->x[p], plane->y[p]);
        const uint32_t row = home / plane->n_side, column = home % plane->n_side;
        const uint32_t left = column < reach ? 0 : column - reach;
        const uint32_t right = column + reach < plane->n_side ? column + reach : plane->n_side - 1;
        for (uint32_t r = row; r <= row + reach && r < plane->n_side; r++) {
            const uint32_t first = plane->start[r * plane->n_side + left];
            const uint32_t end = plane->start[r * plane->n_side + right + 1];
            for (uint32_t q = first > p ? first : p + 1; q < end; q++) {
                look_at(plane, pairs, p, q);
            }
        }
    }
}

static void count(const struct plane *plane, struct pairs *pairs, uint64_t low, uint64_t most)
{
    pairs->low = low;
    pairs->most_square = most;
    pairs->width = (most - low) / BINS + 1;
    pairs->below = 0;
    memset(pairs->bin, 0, sizeof pairs->bin);
    all_pairs(plane, pairs);
}

/* The least square of a distance that `wanted` pairs at least are within; *ties: so many of them are
 * exactly that far apart. */
static uint64_t square_for(const struct plane *plane, struct pairs *pairs, uint64_t wanted,
                           uint64_t *ties)
{
    /* Of all pairs the circle's share of the square, and half as much again for the first try. */
    const double share = (double)wanted / (double)plane->n_points / (double)plane->n_points;
    uint64_t low = 0, within = 0, most = (uint64_t)(share * (double)SIDE * (double)SIDE) + 1;
    for (bool enough = false; !enough;) {
        count(plane, pairs, 0, most);
        within = 0;
        for (uint32_t b = 0; b < BINS; b++) {
            within += pairs->bin[b];
        }
        enough = within >= wanted;
        most = enough ? most : 2 * most;
    }
    while (low < most) {
        uint32_t b = 0;
        count(plane, pairs, low, most);
        for (within = pairs->below; within + pairs->bin[b] < wanted; b++) {
            within += pairs->bin[b];
        }
        low += b * pairs->width;
        most = low + pairs->width - 1 < most ? low + pairs->width - 1 : most;
    }
    count(plane, pairs, low, most);
    *ties = wanted - pairs->below;
    return low;
}

static bool join(const struct plane *plane, uint64_t wanted, uint32_t max_weight, uint64_t seed,
                 struct graph_edges *edges)
{
    struct pairs *pairs = calloc(1, sizeof *pairs);
    bool memory = pairs != NULL;
    if (memory) {
        pairs->most_square = square_for(plane, pairs, wanted, &pairs->ties);
        pairs->edges = edges;
        pairs->rng = rng_seeded(seed + 1);
        pairs->max_weight = max_weight;
        pairs->memory = true;
        all_pairs(plane, pairs);
        memory = pairs->memory;
    }
    free(pairs);
    return memory;
}

bool graph_geometric(struct graph *graph, uint32_t n_vertices, uint32_t n_edges,
                     uint32_t max_weight, uint64_t seed, struct graph_error *error)
{
    const uint64_t most = (uint64_t)n_vertices * (n_vertices ? n_vertices - 1 : 0);
    struct graph_edges edges = {0};
    struct plane plane;
    *graph = (struct graph){0};
    if (n_vertices < 1 || n_vertices > GRAPH_MAX_VERTICES || n_edges > GRAPH_MAX_EDGES / 2 ||
        n_edges % 2 != 0 || n_edges > most || max_weight == 0) {
        snprintf(error->text, sizeof error->text,
                 "%u edges between %u points asked for; choose 1 to %d points, an even number of "
                 "edges up to %d and to what all pairs are, and weights of at least 1",
                 n_edges, n_vertices, GRAPH_MAX_VERTICES, GRAPH_MAX_EDGES / 2);
        return false;
    }
    bool ok = scatter(&plane, n_vertices, seed) &&
              (n_edges == 0 || join(&plane, n_edges / 2, max_weight, seed, &edges));
    plane_free(&plane);
    if (!ok) {
        snprintf(error->text, sizeof error->text, "no memory for %u edges; choose a smaller graph",
                 n_edges);
    } else {
        ok = graph_build(graph, n_vertices, &edges, GRAPH_SYMMETRIC, error);
    }
    graph_edges_free(&edges);
    return ok;
}
