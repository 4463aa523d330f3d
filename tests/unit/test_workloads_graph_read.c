/* test_workloads_graph_read.c - the Matrix Market and DIMACS readers.
 *
 * Good texts are written after the formats' definitions (NIST Matrix Market exchange
 * formats; DIMACS challenges 2 and 9); of bad ones the whole message is compared.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "workloads/graph.h"

enum { MAX_VERTICES = 1000, MAX_EDGES = 2000 };

static bool read_text(const char *text, size_t bytes, struct graph *graph,
                      struct graph_error *error)
{
    *error = (struct graph_error){""};
    return graph_read_text(graph, "g", text, bytes, MAX_VERTICES, MAX_EDGES, error);
}

struct good {
    const char *text;
    uint32_t n_vertices, n_edges;
    uint32_t row[6], col[8];
    double value[8];
};

static const struct good good[] = {
    {"%%MatrixMarket matrix coordinate real general\n% a comment\n3 3 3\n"
     "1 2 0.5\n3 1 -2e3\n1 1 7\n",
     3,
     3,
     {0, 2, 2, 3},
     {0, 1, 0},
     {7, 0.5, -2000}},
    {"%%MatrixMarket MATRIX Coordinate Integer Symmetric\r\n\r\n2 2 2\r\n1 1 4\r\n2 1 -3\r\n",
     2,
     3,
     {0, 2, 3},
     {0, 1, 0},
     {4, -3, -3}},
    {"%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n  2\t1  \n4 3", /* no last \n */
     4,
     4,
     {0, 1, 2, 3, 4},
     {1, 0, 3, 2},
     {1, 1, 1, 1}},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n",
     2,
     2,
     {0, 1, 2},
     {1, 0},
     {-5, 5}},
    {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n1 2 2\n", /* both stay */
     2,
     2,
     {0, 2, 2},
     {1, 1},
     {1, 2}},
    {"c roads\np sp 3 3\na 1 2 10\nc between\na 2 3 20\na 1 2 5\n",
     3,
     3,
     {0, 2, 3, 3},
     {1, 1, 2},
     {10, 5, 20}},
    {"p edge 3 2\ne 1 2\ne 3 1\n", 3, 4, {0, 2, 3, 4}, {1, 2, 0, 0}, {1, 1, 1, 1}},
    {"c both directions listed\np col 2 2\ne 1 2\ne 2 1\n", 2, 2, {0, 1, 2}, {1, 0}, {1, 1}},
    {"p sp 1 0\n", 1, 0, {0, 0}, {0}, {0}},
    {"% a triangle less an edge, and a vertex alone\n4 2\n 2 3\n1\n% between\n1\n\n",
     4,
     4,
     {0, 2, 3, 4, 4},
     {1, 2, 0, 0},
     {1, 1, 1, 1}},
    {"2 1 111 2\n9 8 7 2 30\r\n1 1 1\t1 30", 2, 2, {0, 1, 2}, {1, 0}, {30, 30}},
    {"3 0\n\n\n\n\n", 3, 0, {0, 0, 0, 0}, {0}, {0}},
};

static void good_files_are_read(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        const struct good *g = &good[k];
        struct graph graph;
        struct graph_error error;
        if (!read_text(g->text, strlen(g->text), &graph, &error)) {
            fail_msg("text %zu: %s", k, error.text);
        }
        assert_int_equal(graph.n_vertices, g->n_vertices);
        assert_int_equal(graph.n_edges, g->n_edges);
        assert_memory_equal(graph.row, g->row, (g->n_vertices + 1) * sizeof *g->row);
        assert_memory_equal(graph.col, g->col, g->n_edges * sizeof *g->col);
        assert_memory_equal(graph.value, g->value, g->n_edges * sizeof *g->value);
        graph_free(&graph);
    }
}

#define MM "%%MatrixMarket matrix coordinate "

static const struct bad {
    const char *text, *message;
} bad[] = {
    {"", "g:0: the file is empty; give a Matrix Market, DIMACS or METIS graph"},
    {"\n \n", "g:2: the file is empty; give a Matrix Market, DIMACS or METIS graph"},
    {"graph 1 2\n",
     "g:1: neither Matrix Market ('%%MatrixMarket ...') nor DIMACS ('c' or 'p' line) nor "
     "METIS ('vertices edges'); convert the file"},
    {"% only this\n", "g:1: no header; write 'vertices edges'"},
    {"3\n", "g:1: the number of edges is missing; write a whole number from 0 to 1000"},
    {"0 0\n", "g:1: the number of vertices is '0'; write a whole number from 1 to 1000"},
    {"3 99999999999\n",
     "g:1: the number of edges is '99999999999'; write a whole number from 0 to 1000"},
    {"3 2 2\n",
     "g:1: the header is no METIS one; write 'vertices edges format weights', format of three "
     "digits 0 or 1"},
    {"2 1\n2\n", "g:2: the file ends after 1 of 2 vertices; complete it or correct the header"},
    {"2 1\n2\n3\n", "g:3: a neighbour is '3'; write a whole number from 1 to 2"},
    {"2 1\n2\nx1\n", "g:3: a neighbour is 'x1'; write a whole number from 1 to 2"},
    {"2 1\n1\n2\n", "g:2: vertex 1 is its own neighbour; remove it from the line"},
    {"3 1\n2\n1 3\n2\n",
     "g:3: more edges than the 1 of the header; remove them or correct the header"},
    {"3 2\n2\n1\n\n",
     "g:4: 2 ends of edges, not two for each of the 2 of the header; complete the lists or "
     "correct the header"},
    {"3 1\n2\n3\n\n",
     "g:4: an edge stands in the list of one of its ends only; write it into both"},
    {"2 1 1\n2 5\n1\n",
     "g:3: the weight of an edge is missing; write a whole number from 0 to 4294967294"},
    {"2 1 10\n\n",
     "g:2: the weight of a vertex is missing; write a whole number from 0 to 4294967294"},
    {"2 1\n2\n1\n1\n", "g:4: a line for vertex 3 of 2; remove it or correct the header"},
    {"%%MatrixMarket matrix\n",
     "g:1: the line has fewer words than needed; write '%%MatrixMarket matrix coordinate real "
     "general'"},
    {"%%MatrixMarket matrix array real general\n",
     "g:1: only 'matrix coordinate' files hold graphs; convert the file to coordinate form"},
    {MM "complex general\n",
     "g:1: the field 'complex' is not supported; use real, integer or pattern"},
    {MM "real hermitian\n",
     "g:1: the symmetry 'hermitian' is not supported; use general, symmetric or skew-symmetric"},
    {MM "pattern skew-symmetric\n",
     "g:1: a pattern has no signs, so it cannot be skew-symmetric; use symmetric"},
    {MM "real general\n% c\n", "g:2: the size line is missing; write 'rows columns entries'"},
    {MM "real general\n2 2\n",
     "g:2: the line has fewer words than needed; write 'rows columns entries'"},
    {MM "real general\n2 3 1\n", "g:2: a matrix of 2 x 3 is no graph; use a square matrix"},
    {MM "real general\n0 0 0\n",
     "g:2: the number of rows is '0'; write a whole number from 1 to 1000"},
    {MM "real general\n1001 2 0\n",
     "g:2: the number of rows is '1001'; write a whole number from 1 to 1000"},
    {MM "real general\n2 2 99999999999999999999999999\n",
     "g:2: the number of entries is '99999999999999999999999999'; write a whole number from 0 to "
     "2000"},
    {MM "real general\n2 2 1\n1 3 1\n", "g:3: the column is '3'; write a whole number from 1 to 2"},
    {MM "real general\n2 2 1\n0 1 1\n", "g:3: the row is '0'; write a whole number from 1 to 2"},
    {MM "real general\n2 2 1\n-1 1 1\n", "g:3: the row is '-1'; write a whole number from 1 to 2"},
    {MM "real general\n2 2 1\n1 1 nan\n", "g:3: the value is 'nan'; write a finite number"},
    {MM "real general\n2 2 1\n1 1 1e999\n", "g:3: the value is '1e999'; write a finite number"},
    {MM "real general\n2 2 1\n1 1 1x\n", "g:3: the value is '1x'; write a finite number"},
    {MM "integer general\n2 2 1\n1 1 1.5\n",
     "g:3: the value is '1.5'; write a finite whole number"},
    {MM "real general\n2 2 1\n1 1\n",
     "g:3: the line has fewer words than needed; write 'row column value'"},
    {MM "pattern general\n2 2 1\n1 1 1\n",
     "g:3: the line has more words than needed; write 'row column'"},
    {MM "real general\n2 2 1\n1 1 1\n2 2 1\n",
     "g:4: more edges than the 1 of the header; remove lines or correct the header"},
    {MM "real general\n2 2 2\n1 1 1\n",
     "g:3: the file ends after 1 of 2 promised edges; complete it or correct the header"},
    {MM "real symmetric\n2 2 1\n1 2 1\n",
     "g:3: entry above the diagonal of a symmetric matrix; list the lower triangle only"},
    {MM "real skew-symmetric\n2 2 1\n1 1 1\n",
     "g:3: the diagonal of a skew-symmetric matrix is zero; remove the entry"},
    {"c only\n", "g:1: no problem line before the first edge; write 'p sp vertices edges' or "
                 "'p edge vertices edges'"},
    {"c x\na 1 2 3\n", "g:2: no problem line before the first edge; write 'p sp vertices edges' "
                       "or 'p edge vertices edges'"},
    {"c x\ncats\n", "g:2: no problem line before the first edge; write 'p sp vertices edges' or "
                    "'p edge vertices edges'"},
    {"p max 2 1\n",
     "g:1: the problem 'max' is not supported; use sp (shortest path) or edge (colouring)"},
    {"p sp 2\n", "g:1: the line has fewer words than needed; write 'p sp|edge vertices edges'"},
    {"p sp 2 1\ne 1 2\n", "g:2: unknown line type 'e'; write 'a from to weight'"},
    {"p edge 2 1\nn 1 2\n", "g:2: unknown line type 'n'; write 'e vertex vertex'"},
    {"p sp 2 1\na 1 2\n", "g:2: the line has fewer words than needed; write 'a from to weight'"},
    {"p sp 2 1\na 1 2 0.5\n", "g:2: the value is '0.5'; write a finite whole number"},
    {"p sp 2 1\na 1 5 1\n", "g:2: the second vertex is '5'; write a whole number from 1 to 2"},
    {"p sp 2 2\na 1 2 1\n",
     "g:2: the file ends after 1 of 2 promised edges; complete it or correct the header"},
};

static void bad_files_are_refused_with_the_place(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct graph graph;
        struct graph_error error;
        assert_false(read_text(bad[k].text, strlen(bad[k].text), &graph, &error));
        assert_string_equal(error.text, bad[k].message);
        assert_null(graph.row);
    }
}

static void nul_bytes_are_no_numbers(void **state)
{
    (void)state;
    static const char text[] = MM "real general\n2 2 1\n1 1 1\0002\n";
    struct graph graph;
    struct graph_error error;
    assert_false(read_text(text, sizeof text - 1, &graph, &error));
    assert_non_null(strstr(error.text, "g:3: the value is"));
}

static void mirrored_edges_count_against_the_limit(void **state)
{
    (void)state;
    static const char text[] = MM "pattern symmetric\n3 3 2\n2 1\n3 1\n";
    struct graph graph;
    struct graph_error error = {""};
    assert_true(graph_read_text(&graph, "g", text, sizeof text - 1, 3, 4, &error));
    graph_free(&graph);
    assert_false(graph_read_text(&graph, "g", text, sizeof text - 1, 3, 3, &error));
    assert_string_equal(error.text, "g:4: more than 3 edges or no memory; use a smaller graph");
}

/* A file in the working directory's temporary place, plain or compressed. */
static void write_file(const char *path, const char *text, bool compressed)
{
    gzFile file = gzopen(path, compressed ? "wb9" : "wbT");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), (int)strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

static void files_are_read_plain_and_compressed(void **state)
{
    (void)state;
    char path[] = "/tmp/warplock_graph_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (int compressed = 0; compressed < 2; compressed++) {
        struct graph graph;
        struct graph_error error = {""};
        write_file(path, "p sp 3 2\na 1 2 3\na 3 2 4\n", compressed);
        if (!graph_read_file(&graph, path, &error)) {
            fail_msg("%s", error.text);
        }
        assert_int_equal(graph.n_edges, 2);
        assert_true(graph.value[1] == 4);
        graph_free(&graph);
    }
    unlink(path);
}

static void a_cut_off_file_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/warplock_graph_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    write_file(path, "p sp 3 2\na 1 2 3\na 3 2 4\n", true);
    assert_int_equal(truncate(path, 25), 0);
    struct graph graph;
    struct graph_error error = {""};
    assert_false(graph_read_file(&graph, path, &error));
    assert_non_null(strstr(error.text, "cannot be read or is damaged; fetch the file again"));
    unlink(path);
    assert_false(graph_read_file(&graph, path, &error));
    assert_non_null(strstr(error.text, "No such file or directory; give a readable file"));
    assert_false(graph_read_file(&graph, "/", &error)); /* a directory */
    assert_non_null(strstr(error.text, "/: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_are_read),
        cmocka_unit_test(bad_files_are_refused_with_the_place),
        cmocka_unit_test(nul_bytes_are_no_numbers),
        cmocka_unit_test(mirrored_edges_count_against_the_limit),
        cmocka_unit_test(files_are_read_plain_and_compressed),
        cmocka_unit_test(a_cut_off_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
