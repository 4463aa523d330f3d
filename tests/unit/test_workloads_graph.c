/* test_workloads_graph.c - CSR building and the graph generators.
 *
 * Expected values are closed forms of the generators' definitions (Lakshminarayana
 * 2014 section 6.5); random quantities must lie within six standard deviations.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workloads/graph.h"

static const uint32_t *row_of(const struct graph *graph, uint32_t v)
{
    return graph->col + graph->row[v];
}

/* Row starts rise from 0 to the number of edges, targets exist and rise in each row,
 * the degrees add up to the number of edges. */
static void assert_well_formed(const struct graph *graph)
{
    uint64_t degrees = 0;
    assert_int_equal(graph->row[0], 0);
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        assert_true(graph->row[v] <= graph->row[v + 1]);
        degrees += graph_degree(graph, v);
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            assert_true(graph->col[i] < graph->n_vertices);
            assert_true(i == graph->row[v] || graph->col[i - 1] <= graph->col[i]);
        }
    }
    assert_int_equal(degrees, graph->n_edges);
    assert_int_equal(graph->row[graph->n_vertices], graph->n_edges);
}

/* The value of the edge, NAN when there is none; rows are searched from the start. */
static double edge_value(const struct graph *graph, uint32_t from, uint32_t to)
{
    for (uint32_t i = graph->row[from]; i < graph->row[from + 1]; i++) {
        if (graph->col[i] == to) {
            return graph->value[i];
        }
    }
    return (double)NAN;
}

static void assert_simple(const struct graph *graph)
{
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        for (uint32_t i = graph->row[v]; i < graph->row[v + 1]; i++) {
            assert_true(graph->col[i] != v);
            assert_true(i == graph->row[v] || graph->col[i - 1] < graph->col[i]);
            assert_true(edge_value(graph, graph->col[i], v) == graph->value[i]);
        }
    }
}

static void assert_same(const struct graph *a, const struct graph *b)
{
    assert_int_equal(a->n_vertices, b->n_vertices);
    assert_int_equal(a->n_edges, b->n_edges);
    assert_memory_equal(a->row, b->row, (a->n_vertices + 1) * sizeof *a->row);
    assert_memory_equal(a->col, b->col, a->n_edges * sizeof *a->col);
    assert_memory_equal(a->value, b->value, a->n_edges * sizeof *a->value);
}

static void assert_near(double got, double want, double sigma)
{
    if (fabs(got - want) > 6 * sigma) {
        fail_msg("%g is farther than 6 x %g from %g", got, sigma, want);
    }
}

static const struct graph_edge some_edges[] = {
    {2, 1, 5}, {0, 2, 4}, {0, 0, 9}, {2, 1, 3}, {1, 2, 7}, {0, 1, 8},
};

static struct graph build_some(unsigned shape)
{
    struct graph_edges edges = {0};
    struct graph graph;
    struct graph_error error = {""};
    for (size_t i = 0; i < sizeof some_edges / sizeof *some_edges; i++) {
        assert_true(graph_edges_add(&edges, some_edges[i].source, some_edges[i].target,
                                    some_edges[i].value));
    }
    assert_true(graph_build(&graph, 4, &edges, shape, &error));
    graph_edges_free(&edges);
    assert_well_formed(&graph);
    return graph;
}

static void build_keeps_everything_sorted(void **state)
{
    (void)state;
    struct graph graph = build_some(GRAPH_AS_GIVEN);
    const uint32_t row[] = {0, 3, 4, 6, 6}, col[] = {0, 1, 2, 2, 1, 1};
    const double value[] = {9, 8, 4, 7, 5, 3}; /* equal edges stay in the order given */
    assert_int_equal(graph.n_vertices, 4);
    assert_memory_equal(graph.row, row, sizeof row);
    assert_memory_equal(graph.col, col, sizeof col);
    assert_memory_equal(graph.value, value, sizeof value);
    graph_free(&graph);
    assert_null(graph.row);
}

static void build_drops_loops_and_duplicates(void **state)
{
    (void)state;
    struct graph graph = build_some(GRAPH_NO_LOOPS | GRAPH_NO_DUPLICATES);
    const uint32_t row[] = {0, 2, 3, 4, 4}, col[] = {1, 2, 2, 1};
    const double value[] = {8, 4, 7, 3};
    assert_memory_equal(graph.row, row, sizeof row);
    assert_memory_equal(graph.col, col, sizeof col);
    assert_memory_equal(graph.value, value, sizeof value);
    graph_free(&graph);
}

static void simple_graphs_have_equal_values_both_ways(void **state)
{
    (void)state;
    struct graph graph = build_some(GRAPH_SIMPLE);
    assert_int_equal(graph.n_edges, 6);
    assert_simple(&graph);
    assert_true(edge_value(&graph, 1, 2) == 3); /* least of 5, 3 and 7 */
    struct graph again = build_some(GRAPH_SIMPLE);
    struct graph_error error = {""};
    assert_true(graph_reshape(&again, GRAPH_SIMPLE, &error)); /* changes nothing more */
    assert_same(&graph, &again);
    graph_free(&graph);
    graph_free(&again);
}

static void an_empty_list_builds_an_empty_graph(void **state)
{
    (void)state;
    struct graph_edges edges = {0};
    struct graph graph;
    struct graph_error error = {""};
    assert_true(graph_build(&graph, 3, &edges, GRAPH_SIMPLE, &error));
    assert_int_equal(graph.n_edges, 0);
    assert_well_formed(&graph);
    graph_free(&graph);
    assert_false(graph_build(&graph, 0, &edges, GRAPH_SIMPLE, &error));
    assert_non_null(strstr(error.text, "choose"));
    graph_free(&graph);
}

static void uniform_degree_gives_every_vertex_its_degree(void **state)
{
    (void)state;
    enum { N = 4096, DEGREE = 4 };
    struct graph graph;
    struct graph_error error = {""};
    assert_true(graph_uniform_degree(&graph, N, DEGREE, 10, 1, &error));
    assert_well_formed(&graph);
    double target_sum = 0;
    for (uint32_t v = 0; v < N; v++) {
        assert_int_equal(graph_degree(&graph, v), DEGREE);
    }
    for (uint32_t i = 0; i < graph.n_edges; i++) {
        target_sum += graph.col[i];
        assert_true(graph.value[i] >= 1 && graph.value[i] <= 10);
        assert_true(graph.value[i] == floor(graph.value[i]));
    }
    /* Uniform on 0 ... N-1: mean (N-1)/2, standard deviation about N / sqrt(12). */
    double edges = (double)N * DEGREE;
    assert_near(target_sum / edges, (N - 1) / 2.0, N / sqrt(12 * edges));
    graph_free(&graph);
}

static void uniform_edges_spread_like_poisson(void **state)
{
    (void)state;
    enum { N = 16384, EDGES = 98304 };
    struct graph graph;
    struct graph_error error = {""};
    assert_true(graph_uniform_edges(&graph, N, EDGES, 1, 2, &error));
    assert_well_formed(&graph);
    assert_int_equal(graph.n_edges, EDGES);
    double mean = (double)EDGES / N, squares = 0;
    for (uint32_t v = 0; v < N; v++) {
        squares += pow(graph_degree(&graph, v) - mean, 2);
    }
    /* Out-degrees are binomial, close to Poisson: variance = mean = m, and the sample
     * variance has a standard deviation of about sqrt((m + 2 m^2) / N). */
    assert_near(squares / N, mean, sqrt((mean + 2 * mean * mean) / N));
    graph_free(&graph);
}

/* Scale 20 with few draws: loops (0.62^20) and duplicates (0.3996^20 per pair) together
 * are about 4 of 20000, so the kept edges follow the quadrant probabilities. */
static void rmat_follows_its_quadrants_at_every_level(void **state)
{
    (void)state;
    enum { SCALE = 20, DRAWS = 20000 };
    const double quadrant[4] = {0.57, 0.19, 0.19, 0.05};
    struct graph graph;
    struct graph_error error = {""};
    assert_true(graph_rmat(&graph, SCALE, DRAWS, 1, 3, &error));
    assert_well_formed(&graph);
    assert_true(graph.n_edges <= DRAWS && graph.n_edges > DRAWS - 20);
    for (uint32_t level = 0; level < SCALE; level++) {
        uint32_t count[4] = {0};
        for (uint32_t v = 0; v < graph.n_vertices; v++) {
            for (uint32_t i = graph.row[v]; i < graph.row[v + 1]; i++) {
                count[2 * (v >> level & 1) + (graph.col[i] >> level & 1)]++;
            }
        }
        for (int q = 0; q < 4; q++) {
            double p = quadrant[q], sigma = sqrt(p * (1 - p) * graph.n_edges);
            assert_near(count[q], p * graph.n_edges, sigma + 4.0 / 6); /* 4 lost edges */
        }
    }
    graph_free(&graph);
}

/* Exactly so many edges, without loops and duplicates.  Of the web's links 65 % stay in a host of 64 ids (and
 * fewer than 0.2 % of the others fall into one by chance); its heaviest vertex has many times the average.
 * Of authors who wrote together two of one paper's field know each other: of three ids next to each other
 * in a field of 128 with an average of 56 nearly all are of one component. */
static void links_are_exact(void **state)
{
    (void)state;
    enum { VERTICES = 20000, EDGES = 200000 };
    struct graph graph;
    struct graph_error error = {""};
    uint32_t inside = 0;
    assert_true(graph_web(&graph, VERTICES, EDGES, 7, 11, &error));
    assert_well_formed(&graph);
    assert_simple(&graph);
    assert_int_equal(graph.n_edges, EDGES);
    for (uint32_t v = 0; v < VERTICES; v++) {
        for (uint32_t i = graph.row[v]; i < graph.row[v + 1]; i++) {
            inside += graph.col[i] / 64 == v / 64;
        }
    }
    assert_near(inside, 0.65 * EDGES, 0.03 * EDGES); /* duplicates are drawn again */
    assert_true(graph_max_degree(&graph) > 5 * EDGES / VERTICES);
    graph_free(&graph);
    assert_true(graph_coauthors(&graph, 4096, 4096 * 56, 1, 12, &error));
    assert_well_formed(&graph);
    assert_simple(&graph);
    assert_int_equal(graph.n_edges, 4096 * 56);
    /* Two neighbours of a vertex know each other much more often than any two: 56 / 4096 = 1.4 %. */
    uint32_t pairs = 0, closed = 0;
    for (uint32_t v = 0; v < graph.n_vertices; v++) {
        for (uint32_t i = graph.row[v]; i + 1 < graph.row[v + 1]; i++) {
            pairs++;
            closed += edge_value(&graph, graph.col[i], graph.col[i + 1]) > 0;
        }
    }
    assert_true(closed > pairs / 4);
    graph_free(&graph);
    assert_false(graph_web(&graph, 10, 92, 1, 1, &error)); /* 90 is all there are */
    assert_non_null(strstr(error.text, "choose fewer"));
    assert_false(graph_coauthors(&graph, 10, 7, 1, 1, &error));
    assert_non_null(strstr(error.text, "even number"));
    assert_true(graph_coauthors(&graph, 5, 20, 1, 1, &error)); /* complete */
    graph_free(&graph);
}

/* Two neighbours of a point are near each other in 1 - 3 sqrt(3) / (4 pi) of all cases, when both are at
 * random in its circle; the circle holds its share of all points. */
static void near_points_are_joined(void **state)
{
    (void)state;
    enum { POINTS = 20000, DEGREE = 14, N = POINTS * DEGREE };
    struct graph graph;
    struct graph_error error = {""};
    uint32_t pairs = 0, closed = 0, near = 0;
    assert_true(graph_geometric(&graph, POINTS, N, 7, 13, &error));
    assert_well_formed(&graph);
    assert_simple(&graph);
    assert_int_equal(graph.n_edges, N);
    for (uint32_t v = 0; v < POINTS; v++) {
        for (uint32_t i = graph.row[v]; i < graph.row[v + 1]; i++) {
            /* a row of cells is 100 cells of two points: the next rows are some 200 ids away */
            near += abs((int)graph.col[i] - (int)v) < 1000;
            for (uint32_t k = i + 1; k < graph.row[v + 1]; k++) {
                pairs++;
                closed += edge_value(&graph, graph.col[i], graph.col[k]) > 0;
            }
        }
    }
    assert_near(closed, 0.5865 * pairs, 0.02 * pairs);
    assert_true(near > N * 0.99);
    assert_true(graph_max_degree(&graph) < DEGREE + 7 * 4); /* of sqrt(DEGREE) */
    graph_free(&graph);
    assert_true(graph_geometric(&graph, 5, 20, 1, 1, &error)); /* complete */
    assert_int_equal(graph.n_edges, 20);
    graph_free(&graph);
    assert_true(graph_geometric(&graph, 1, 0, 1, 1, &error));
    graph_free(&graph);
    assert_false(graph_geometric(&graph, 5, 22, 1, 1, &error));
    assert_non_null(strstr(error.text, "all pairs"));
}

/* Vertex 0 takes each bit's likely half: its expected out-degree before duplicates are
 * merged is draws x 0.76^scale, far above the average of draws / 2^scale. */
static void rmat_is_skewed(void **state)
{
    (void)state;
    enum { SCALE = 14, DRAWS = 1 << 17 };
    struct graph graph;
    struct graph_error error = {""};
    assert_true(graph_rmat(&graph, SCALE, DRAWS, 1, 4, &error));
    assert_well_formed(&graph);
    double expected = DRAWS * pow(0.76, SCALE); /* 2811 against an average of 8 */
    assert_true(graph_degree(&graph, 0) <= expected + 6 * sqrt(expected));
    assert_true(graph_degree(&graph, 0) >= expected / 4); /* the rest were duplicates */
    for (uint32_t v = 0; v < graph.n_vertices; v++) {
        for (uint32_t i = graph.row[v]; i < graph.row[v + 1]; i++) {
            assert_true(graph.col[i] != v);
            assert_true(i == graph.row[v] || graph.col[i - 1] < graph.col[i]);
        }
    }
    graph_free(&graph);
    /* So many, each once: denser than draws leave it. */
    assert_true(graph_rmat_exact(&graph, SCALE, DRAWS, 1, 4, &error));
    assert_well_formed(&graph);
    assert_int_equal(graph.n_edges, DRAWS);
    uint32_t same_half = 0;
    for (uint32_t v = 0; v < graph.n_vertices; v++) {
        for (uint32_t i = graph.row[v]; i < graph.row[v + 1]; i++) {
            assert_true(graph.col[i] != v);
            assert_true(i == graph.row[v] || graph.col[i - 1] < graph.col[i]);
            same_half += ((v ^ graph.col[i]) >> (SCALE - 1)) == 0;
        }
    }
    /* Half of the edges in the first quadrant, three tenths in the last; denser ones lose more as duplicates. */
    assert_true(same_half > DRAWS * 0.78 && same_half < DRAWS * 0.81);
    graph_free(&graph);
    assert_false(graph_rmat_exact(&graph, 1, 3, 1, 4, &error)); /* two vertices have two edges */
    assert_non_null(strstr(error.text, "choose fewer"));
}

/* Everything reachable from vertex 0, marked by a depth-first walk. */
static uint32_t count_reachable(const struct graph *graph)
{
    uint8_t *seen = calloc(graph->n_vertices, 1);
    uint32_t *stack = calloc(graph->n_vertices, sizeof *stack);
    assert_non_null(seen);
    assert_non_null(stack);
    uint32_t top = 0, reached = 0;
    seen[0] = 1;
    stack[top++] = 0;
    while (top) {
        uint32_t v = stack[--top];
        reached++;
        for (uint32_t i = 0; i < graph_degree(graph, v); i++) {
            uint32_t next = row_of(graph, v)[i];
            if (!seen[next]) {
                seen[next] = 1;
                stack[top++] = next;
            }
        }
    }
    free(seen);
    free(stack);
    return reached;
}

static void roads_are_connected_and_thin(void **state)
{
    (void)state;
    enum { WIDTH = 40, HEIGHT = 25 };
    struct graph graph;
    struct graph_error error = {""};
    const uint32_t street = HEIGHT * (WIDTH - 1) + (HEIGHT - 1);
    const uint32_t grid = HEIGHT * (WIDTH - 1) + WIDTH * (HEIGHT - 1);
    for (uint32_t keep = 0; keep <= 100; keep += 50) {
        assert_true(graph_road(&graph, WIDTH, HEIGHT, keep, 9, 5, &error));
        assert_well_formed(&graph);
        assert_simple(&graph);
        assert_true(graph_max_degree(&graph) <= 4);
        assert_int_equal(count_reachable(&graph), WIDTH * HEIGHT);
        double links = street + keep / 100.0 * (grid - street);
        double sigma = keep == 50 ? sqrt((grid - street) * 0.25) : 0;
        assert_near(graph.n_edges / 2.0, links, sigma);
        graph_free(&graph);
    }
    /* Only the street: an inner crossing has two links, its ends have one. */
    assert_true(graph_road(&graph, WIDTH, HEIGHT, 0, 9, 5, &error));
    assert_int_equal(graph_max_degree(&graph), 2);
    assert_int_equal(graph_degree(&graph, 0), 1);
    graph_free(&graph);
}

static void make_one(int which, uint64_t seed, struct graph *graph)
{
    struct graph_error error = {""};
    switch (which) {
    case 0: assert_true(graph_uniform_degree(graph, 500, 3, 7, seed, &error)); break;
    case 1: assert_true(graph_uniform_edges(graph, 500, 1500, 7, seed, &error)); break;
    case 2: assert_true(graph_rmat(graph, 9, 1500, 7, seed, &error)); break;
    default: assert_true(graph_road(graph, 20, 25, 50, 7, seed, &error)); break;
    }
}

static void a_seed_decides_the_graph(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        struct graph a, b, c;
        make_one(which, 11, &a);
        make_one(which, 11, &b);
        make_one(which, 12, &c);
        assert_same(&a, &b);
        bool same = a.n_edges == c.n_edges && memcmp(a.col, c.col, a.n_edges * 4) == 0;
        assert_false(same);
        graph_free(&a);
        graph_free(&b);
        graph_free(&c);
    }
}

static void generators_refuse_what_is_out_of_bounds(void **state)
{
    (void)state;
    struct graph graph;
    struct graph_error error = {""};
    assert_false(graph_rmat(&graph, 27, 1, 1, 0, &error));
    assert_string_equal(error.text, "R-MAT scale 27 asked for; choose 0 to 26");
    assert_false(graph_uniform_edges(&graph, 0, 1, 1, 0, &error));
    assert_string_equal(error.text, "0 vertices asked for; choose 1 to 67108864");
    assert_false(graph_uniform_degree(&graph, 1 << 26, UINT32_MAX, 1, 0, &error));
    assert_non_null(strstr(error.text, "edges asked for; choose at most 134217728"));
    assert_false(graph_road(&graph, UINT32_MAX, UINT32_MAX, 50, 1, 0, &error));
    assert_non_null(strstr(error.text, "vertices asked for"));
    assert_false(graph_road(&graph, 3, 3, 101, 1, 0, &error));
    assert_non_null(strstr(error.text, "101 %"));
    assert_false(graph_uniform_edges(&graph, 1, 1, 0, 0, &error));
    assert_non_null(strstr(error.text, "largest weight is 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(build_keeps_everything_sorted),
        cmocka_unit_test(build_drops_loops_and_duplicates),
        cmocka_unit_test(simple_graphs_have_equal_values_both_ways),
        cmocka_unit_test(an_empty_list_builds_an_empty_graph),
        cmocka_unit_test(uniform_degree_gives_every_vertex_its_degree),
        cmocka_unit_test(uniform_edges_spread_like_poisson),
        cmocka_unit_test(rmat_follows_its_quadrants_at_every_level),
        cmocka_unit_test(near_points_are_joined),
        cmocka_unit_test(rmat_is_skewed),
        cmocka_unit_test(links_are_exact),
        cmocka_unit_test(roads_are_connected_and_thin),
        cmocka_unit_test(a_seed_decides_the_graph),
        cmocka_unit_test(generators_refuse_what_is_out_of_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
