/* test_workloads_graph_run.c - the graph workloads on odd graphs and on files, and the
 * inputs that they refuse, on the untimed reference executor.  Run from the top folder.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ptx/reference_host.h"
#include "workloads/graph_run.h"
#include "workloads/workload.h"

static const char *const graph_workloads[] = {
    "bfs",        "bfs_dd",    "bfs_wc", "drelax", "sssp", "pagerank",
    "components", "colouring", "mis",    "mst",    "spmv",
};
enum { N_GRAPH_WORKLOADS = sizeof graph_workloads / sizeof *graph_workloads };

static int run(const char *name, const char *text, struct workload_result *result)
{
    struct workload_size size;
    char error[200] = "";
    const struct workload *workload = workload_find(name);
    assert_non_null(workload);
    workload_size_parse(workload, text, &size, error, sizeof error);
    assert_string_equal(error, "");
    struct host *host = reference_host_new("cmodel/workloads");
    assert_non_null(host);
    int status = workload->run(host, &size, 3, result);
    reference_host_free(host);
    workload_size_free(&size);
    return status;
}

static void expect_right(const char *name, const char *size)
{
    struct workload_result result;
    int status = run(name, size, &result);
    if (status != WORKLOAD_OK) {
        fail_msg("%s %s: %s", name, size, result.message);
    }
    assert_true(result.checked > 0);
}

static void odd_graphs_are_right(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "tiny,graph=uniform,vertices=1,edges=0",     /* one vertex alone */
        "tiny,graph=uniform,vertices=1,edges=3",     /* only loops */
        "tiny,graph=uniform,vertices=33,edges=0",    /* no edge at all */
        "tiny,graph=uniform,vertices=129,edges=700", /* one thread in the last CTA */
        "tiny,graph=uniform,vertices=2,edges=500",   /* hundreds of equal edges */
        "tiny,graph=degree,vertices=100,edges=300",
        "tiny,graph=rmat,vertices=64,edges=2000",       /* dense, all merged */
        "tiny,graph=road,vertices=77,edges=0",          /* 7 x 11, long paths */
        "tiny,graph=road,vertices=31,edges=0,block=32", /* a line, one partial warp */
        "tiny,graph=rmat,vertices=2048,edges=9000,block=256",
    };
    for (int w = 0; w < N_GRAPH_WORKLOADS; w++) {
        for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
            expect_right(graph_workloads[w], odd[k]);
        }
    }
}

/* One round reaches more vertices than a CTA's queue holds. */
static void full_queues_overflow_to_memory(void **state)
{
    (void)state;
    expect_right("bfs_dd", "tiny,graph=rmat,vertices=4096,edges=65536,block=1024");
    static const char *const forms[] = {"swp", "swpnc", "unr2", "unr3", "unr2_swp", "unr2_swpnc"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        char size[80]; /* degrees of 0 to 7 and more */
        snprintf(size, sizeof size, "tiny,form=%s,graph=uniform,vertices=700,edges=2100", forms[k]);
        expect_right("bfs", size);
    }
    expect_right("sssp", "tiny,form=chosen");
    expect_right("colouring", "tiny,form=chosen,graph=road,vertices=900");
    expect_right("sssp", "tiny,form=warp");
    expect_right("sssp", "tiny,form=data");
    expect_right("sssp", "tiny,form=data,graph=rmat,vertices=4096,edges=65536,block=1024");
    expect_right("colouring", "tiny,form=warp");
    expect_right("colouring", "tiny,form=data");
    expect_right("colouring", "tiny,form=unrolled");
    expect_right("colouring", "tiny,form=unrolled,graph=road,vertices=900,block=256");
    expect_right("colouring", "tiny,form=unrolled,graph=uniform,vertices=33,edges=0");
    expect_right("mst", "tiny,form=node");
    expect_right("mst", "tiny,form=node,graph=road,vertices=900,weight=3");
    expect_right("mst", "tiny,form=node,graph=uniform,vertices=513,edges=100,weight=1");
    expect_right("bfs", "tiny,graph=geometric,vertices=1000,edges=14000");
    expect_right("colouring", "tiny,form=data,graph=web,vertices=4096,edges=32768,block=1024");
    expect_right("bfs", "tiny,graph=coauthors,vertices=1000,edges=20000");
    expect_right("bfs", "tiny,graph=streets,vertices=1024,edges=2200");
}

static void odd_sizes_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *name, *size;
    } odd[] = {
        {"stcon", "tiny,graph=uniform,vertices=2,edges=0,target=1"},
        {"stcon", "tiny,graph=uniform,vertices=1024,edges=500"}, /* hardly connected */
        {"stcon", "tiny,graph=road,vertices=77,source=3,target=76"},
        {"streamcluster", "n=2,dims=1,centres=1,launches=1"},
        {"streamcluster", "n=513,dims=3,centres=5,launches=4"},
        {"nn", "n=1"},
        {"nw", "n=16,penalty=0"},
        {"nw", "n=48,penalty=3"},
        {"cp", "width=128,height=8,atoms=1"},
        {"mriq", "voxels=256,samples=1"},
        {"srad", "rows=2,cols=2,iterations=16"},
        {"srad", "rows=37,cols=19,iterations=5"},
        {"pathfinder", "rows=2,cols=1,steps=1"},
        {"pathfinder", "rows=12,cols=300,steps=127"},
        {"lud", "dim=16,steps=1"},
        {"lud", "dim=80,steps=2"},
    };
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        expect_right(odd[k].name, odd[k].size);
    }
}

/* Writes `text` to a new file; `size` becomes "tiny,graph=<path>". */
static void write_graph(const char *text, char path[], char *size, size_t n_size)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    snprintf(size, n_size, "tiny,graph=%s", path);
}

static void files_are_right(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "p sp 5 6\na 1 2 7\na 1 3 9\na 3 2 1\na 2 4 15\na 3 4 11\na 5 5 0\n",
        "p edge 6 5\ne 1 2\ne 2 3\ne 3 1\ne 4 5\ne 5 6\n",
        "%%MatrixMarket matrix coordinate integer symmetric\n4 4 4\n1 1 2\n2 1 3\n3 2 4\n4 4 1\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char path[] = "/tmp/warplock_graph_XXXXXX", size[100];
        write_graph(texts[k], path, size, sizeof size);
        for (int w = 0; w < N_GRAPH_WORKLOADS; w++) {
            expect_right(graph_workloads[w], size);
        }
        unlink(path);
    }
}

static void expect_refused(const char *name, const char *size, const char *message)
{
    struct workload_result result;
    assert_int_equal(run(name, size, &result), WORKLOAD_ERROR);
    if (!strstr(result.message, message)) {
        fail_msg("%s %s: '%s' does not say '%s'", name, size, result.message, message);
    }
}

static void impossible_inputs_are_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/warplock_graph_XXXXXX", size[100];
    for (int w = 0; w < N_GRAPH_WORKLOADS; w++) {
        expect_refused(graph_workloads[w], "tiny,graph=rmat,vertices=1000", "power of two");
        expect_refused(graph_workloads[w], "tiny,graph=degree,vertices=10,edges=11", "multiple");
        expect_refused(graph_workloads[w], "tiny,graph=/no/such/file", "No such file");
        expect_refused(graph_workloads[w], "tiny,graph=torus", "graph=torus is no generator");
    }
    expect_refused("bfs", "tiny,source=1024", "source=1024 is no vertex; the graph has 0 to 1023");
    expect_refused("bfs_dd", "tiny,source=1024", "is no vertex");
    expect_refused("sssp", "tiny,form=kernel",
                   "form=kernel is none; use topology, warp, data, unrolled or chosen");
    expect_refused("sssp", "tiny,form=unrolled",
                   "form=unrolled of shortest paths is the workload drelax");
    expect_refused("colouring", "tiny,form=unrolled,block=512", "use at most 256");
    expect_refused("mst", "tiny,form=warp", "form=warp is none; use component or node");
    expect_refused("bfs", "tiny,form=unr4", "form=unr4 is none; use expand");
    expect_refused("bfs", "tiny,graph=streets,vertices=1024,edges=2000",
                   "2 * 1023 to 2 * 1984 edges");
    expect_refused("bfs", "tiny,graph=web,vertices=10,edges=92", "choose fewer");
    expect_refused("sssp", "tiny,source=1024", "is no vertex");
    write_graph("p sp 2 1\na 1 2 -5\n", path, size, sizeof size);
    expect_refused("sssp", size, "weight -5 of edge 0");
    expect_refused("drelax", size, "weight -5 of edge 0");
    expect_refused("mst", size, "weight -5 of edge 0");
    unlink(path);
    expect_refused("stcon", "tiny,source=5,target=5", "target=5 does not suit");
    expect_refused("stcon", "tiny,target=1024", "use a vertex below 1024");
    expect_refused("streamcluster", "n=4,centres=4,launches=1", "use more points");
    expect_refused("nw", "n=17", "use 16");
    expect_refused("mriq", "voxels=257", "use 256");
    expect_refused("cp", "width=129,height=8", "use multiples");
    expect_refused("lud", "dim=32,steps=3", "at most dim / 16 steps");
    expect_refused("lud", "dim=24,steps=1", "multiple of 16");
    expect_refused("pathfinder", "rows=16384,cols=1048576", "use fewer");
}

/* The five inputs of lakshminarayana2014-graph 5.6 with the forms that did best, and the corner that
 * none of them is in. */
static void the_form_suits_the_graph(void **state)
{
    (void)state;
    assert_int_equal(graph_form_for(19.66, 26), GRAPH_WARP);       /* in-2004 */
    assert_int_equal(graph_form_for(56.41, 15), GRAPH_WARP);       /* coPapersDBLP */
    assert_int_equal(graph_form_for(22.88, 7), GRAPH_WARP);        /* er-fact1.5-scale22 */
    assert_int_equal(graph_form_for(14.48, 1141), GRAPH_TOPOLOGY); /* rgg_n_2_22_s0 */
    assert_int_equal(graph_form_for(2.11, 6389), GRAPH_DATA);      /* great-britain */
    assert_int_equal(graph_form_for(4, 16), GRAPH_TOPOLOGY);       /* r4_2e20 */
    assert_int_equal(graph_form_for(8, 99), GRAPH_WARP);
    assert_int_equal(graph_form_for(7.99, 100), GRAPH_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_graphs_are_right), cmocka_unit_test(full_queues_overflow_to_memory),
        cmocka_unit_test(odd_sizes_are_right),  cmocka_unit_test(the_form_suits_the_graph),
        cmocka_unit_test(files_are_right),      cmocka_unit_test(impossible_inputs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
