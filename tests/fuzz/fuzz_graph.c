/* fuzz_graph.c - libFuzzer over the Matrix Market and DIMACS readers.
 *
 * Any bytes either give a well-formed graph or one line "name:line: …"; never a crash,
 * a leak or undefined behaviour.  Build with -fsanitize=fuzzer,address,undefined.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/graph.h"

enum { MAX_VERTICES = 4096, MAX_EDGES = 4096 }; /* keeps one run short */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct graph graph;
    struct graph_error error = {""};
    if (!graph_read_text(&graph, "fuzz", (const char *)data, bytes, MAX_VERTICES, MAX_EDGES,
                         &error)) {
        require(strncmp(error.text, "fuzz:", 5) == 0 && !strchr(error.text, '\n'));
        require(!graph.row && !graph.col && !graph.value);
        return 0;
    }
    require(graph.n_vertices >= 1 && graph.n_vertices <= MAX_VERTICES);
    require(graph.n_edges <= MAX_EDGES && graph.row[graph.n_vertices] == graph.n_edges);
    for (uint32_t i = 0; i < graph.n_edges; i++) {
        require(graph.col[i] < graph.n_vertices);
    }
    if (!graph_reshape(&graph, GRAPH_SIMPLE, &error)) {
        abort();
    }
    graph_free(&graph);
    return 0;
}
