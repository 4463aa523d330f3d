/* test_workloads_graph_reference.c - the CPU references of the graph workloads.
 *
 * Compared with a worked example and, on many small random graphs, with Floyd and
 * Warshall's algorithm, which shares nothing with them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workloads/graph_reference.h"

enum { N = 24, FAR = 1 << 28 };

/* No run here reaches the GPU. */
const char *host_error(const struct host *host)
{
    (void)host;
    return NULL;
}
gpu_ptr host_alloc(struct host *host, const char *name, size_t bytes, size_t align_bytes)
{
    (void)host, (void)name, (void)bytes, (void)align_bytes;
    fail_msg("a reference allocates device memory");
    return 0;
}
void host_write(struct host *host, gpu_ptr to, const void *from, size_t bytes)
{
    (void)host, (void)to, (void)from, (void)bytes;
    fail_msg("a reference writes device memory");
}
void host_read(struct host *host, void *to, gpu_ptr from, size_t bytes)
{
    (void)host, (void)to, (void)from, (void)bytes;
    fail_msg("a reference reads device memory");
}
gpu_ptr host_symbol(struct host *host, const char *module, const char *name)
{
    (void)host, (void)module, (void)name;
    fail_msg("a reference asks for a variable of a kernel's module");
    return 0;
}
void host_launch(struct host *host, const char *module, const char *kernel, struct isa_dim3 grid,
                 struct isa_dim3 block, uint32_t dynamic_shared_bytes, const struct host_arg *args,
                 size_t n_args)
{
    (void)host, (void)module, (void)kernel, (void)grid, (void)block;
    (void)dynamic_shared_bytes, (void)args, (void)n_args;
    fail_msg("a reference launches a kernel");
}

/* Least path lengths between all pairs; edges count 1 each or their value. */
static void all_pairs(const struct graph *graph, bool by_value, int64_t d[N][N])
{
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j < N; j++) {
            d[i][j] = i == j ? 0 : FAR;
        }
        for (uint32_t e = graph->row[i]; e < graph->row[i + 1]; e++) {
            int64_t length = by_value ? (int64_t)graph->value[e] : 1;
            uint32_t to = graph->col[e];
            d[i][to] = length < d[i][to] ? length : d[i][to];
        }
    }
    for (uint32_t k = 0; k < N; k++) {
        for (uint32_t i = 0; i < N; i++) {
            for (uint32_t j = 0; j < N; j++) {
                int64_t through = d[i][k] + d[k][j];
                d[i][j] = through < d[i][j] ? through : d[i][j];
            }
        }
    }
}

static void assert_row(const uint32_t *got, const int64_t *want)
{
    for (uint32_t v = 0; v < N; v++) {
        assert_int_equal(got[v], want[v] >= FAR ? GRAPH_NO_PATH : (uint32_t)want[v]);
    }
}

static struct run new_run(struct workload_result *result)
{
    static const struct workload_size size = {"", ""};
    return run_begin(NULL, &size, 1, result, "");
}

/* Sparse enough that parts are unreachable, with values from 1 to 20. */
static struct graph random_graph(uint64_t seed, unsigned shape)
{
    struct graph graph;
    struct graph_error error = {""};
    assert_true(graph_uniform_edges(&graph, N, N + N / 2, 20, seed, &error));
    assert_true(graph_reshape(&graph, shape, &error));
    return graph;
}

static void levels_and_distances_equal_floyd_warshall(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct workload_result result;
        struct run run = new_run(&result);
        struct graph graph = random_graph(seed, GRAPH_AS_GIVEN);
        int64_t want[N][N];
        all_pairs(&graph, false, want);
        for (uint32_t source = 0; source < N; source += 7) {
            assert_row(graph_reference_levels(&run, &graph, source), want[source]);
        }
        all_pairs(&graph, true, want);
        for (uint32_t source = 0; source < N; source += 7) {
            assert_row(graph_reference_distances(&run, &graph, source), want[source]);
        }
        graph_free(&graph);
        assert_int_equal(run_end(&run), WORKLOAD_OK);
    }
}

static void components_are_mutual_reach(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct workload_result result;
        struct run run = new_run(&result);
        struct graph graph = random_graph(seed, GRAPH_SIMPLE);
        int64_t d[N][N];
        all_pairs(&graph, false, d);
        const uint32_t *label = graph_reference_components(&run, &graph);
        for (uint32_t v = 0; v < N; v++) {
            uint32_t first = 0;
            while (d[v][first] >= FAR) {
                first++;
            }
            assert_int_equal(label[v], first);
        }
        graph_free(&graph);
        assert_int_equal(run_end(&run), WORKLOAD_OK);
    }
}

enum { N_LINKS = 40 };

/* For every pair the least possible largest key on a way through links of the forest;
 * keys are (weight, name) as in the reference, here weight * N_LINKS + name. */
static void bottlenecks(const struct graph_link *link, const uint32_t *weight, const uint8_t *taken,
                        int64_t d[N][N])
{
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = 0; j < N; j++) {
            d[i][j] = i == j ? 0 : FAR;
        }
    }
    for (uint32_t k = 0; k < N_LINKS; k++) {
        int64_t key = (int64_t)weight[k] * N_LINKS + k;
        if (taken[k] && key < d[link[k].a][link[k].b]) {
            d[link[k].a][link[k].b] = d[link[k].b][link[k].a] = key;
        }
    }
    for (uint32_t k = 0; k < N; k++) {
        for (uint32_t i = 0; i < N; i++) {
            for (uint32_t j = 0; j < N; j++) {
                int64_t through = d[i][k] > d[k][j] ? d[i][k] : d[k][j];
                d[i][j] = through < d[i][j] ? through : d[i][j];
            }
        }
    }
}

/* A set of links is the minimum spanning forest exactly when every other link is the
 * largest on the circle that it closes, and no taken link closes one. */
static void forests_have_the_circle_property(void **state)
{
    (void)state;
    struct rng rng = rng_seeded(9);
    for (int round = 0; round < 100; round++) {
        struct workload_result result;
        struct run run = new_run(&result);
        struct graph_link link[N_LINKS];
        uint32_t weight[N_LINKS];
        int64_t d[N][N];
        for (uint32_t k = 0; k < N_LINKS; k++) {
            link[k].a = (uint32_t)rng_below(&rng, N);
            link[k].b = (link[k].a + 1 + (uint32_t)rng_below(&rng, N - 1)) % N;
            weight[k] = (uint32_t)rng_below(&rng, 8); /* many are equal */
        }
        uint8_t *taken = graph_reference_forest(&run, N, link, weight, N_LINKS);
        assert_non_null(taken);
        for (uint32_t k = 0; k < N_LINKS; k++) {
            const uint8_t was = taken[k];
            taken[k] = 0;
            bottlenecks(link, weight, taken, d);
            taken[k] = was;
            int64_t around = d[link[k].a][link[k].b];
            assert_true(was ? around == FAR : around < (int64_t)weight[k] * N_LINKS + k);
        }
        assert_int_equal(run_end(&run), WORKLOAD_OK);
    }
}

static void order_falls_and_ties_go_to_the_higher_vertex(void **state)
{
    (void)state;
    struct workload_result result;
    struct run run = new_run(&result);
    const uint32_t priority[] = {3, 9, 3, UINT32_MAX, 0, 9}, want[] = {3, 5, 1, 2, 0, 4};
    const uint32_t *order = graph_reference_order(&run, priority, 6);
    assert_memory_equal(order, want, sizeof want);
    assert_int_equal(run_end(&run), WORKLOAD_OK);
}

/* 0 -> 1 -> 2 costs 1 + 2, the direct edge 0 -> 2 costs 9; 3 only points away. */
static void a_worked_example(void **state)
{
    (void)state;
    struct workload_result result;
    struct run run = new_run(&result);
    struct graph graph;
    struct graph_error error = {""};
    static const char text[] = "p sp 4 4\na 1 2 1\na 2 3 2\na 1 3 9\na 4 1 1\n";
    const uint32_t levels[] = {0, 1, 1, GRAPH_NO_PATH}, distances[] = {0, 1, 3, GRAPH_NO_PATH};
    assert_true(graph_read_text(&graph, "g", text, sizeof text - 1, 10, 10, &error));
    assert_memory_equal(graph_reference_levels(&run, &graph, 0), levels, sizeof levels);
    assert_memory_equal(graph_reference_distances(&run, &graph, 0), distances, sizeof distances);
    graph_free(&graph);
    assert_int_equal(run_end(&run), WORKLOAD_OK);
}

static void a_failed_run_gives_no_reference(void **state)
{
    (void)state;
    struct workload_result result;
    struct run run = new_run(&result);
    struct graph none = {0};
    run_refuse(&run, "refused");
    assert_null(graph_start_at(&run, &none, 0));
    assert_null(graph_reference_levels(&run, &none, 0));
    assert_null(graph_reference_distances(&run, &none, 0));
    assert_null(graph_reference_components(&run, &none));
    assert_null(graph_reference_order(&run, NULL, 0));
    assert_null(graph_reference_forest(&run, 0, NULL, NULL, 0));
    assert_null(graph_priorities(&run, 0));
    assert_null(graph_weights(&run, &none));
    assert_int_equal(run_end(&run), WORKLOAD_ERROR);
    assert_string_equal(result.message, "refused");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_and_distances_equal_floyd_warshall),
        cmocka_unit_test(components_are_mutual_reach),
        cmocka_unit_test(forests_have_the_circle_property),
        cmocka_unit_test(order_falls_and_ties_go_to_the_higher_vertex),
        cmocka_unit_test(a_worked_example),
        cmocka_unit_test(a_failed_run_gives_no_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
