/* test_mech_lines - the compared prefetchers that follow line addresses, on the vectors of
 * lakshminarayana2014-graph 3.2 and, beyond these, on streams whose lines are known in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mechanisms/lines/lines.h"

enum { DEGREE = 4 };

static void *made(const struct lines_kind *kind)
{
    void *table = calloc(1, kind->table_bytes);
    assert_non_null(table);
    kind->reset(table);
    return table;
}

static struct lines_wanted touched(const struct lines_kind *kind, void *table, uint32_t line)
{
    struct lines_wanted wanted = {.n = 0};
    assert_true(kind->train(table, DEGREE, line, true, &wanted) >= 1);
    return wanted;
}

static void expect_nothing(const struct lines_kind *kind, void *table, uint32_t line)
{
    assert_int_equal(touched(kind, table, line).n, 0);
}

static void expect_lines(const struct lines_kind *kind, void *table, uint32_t line,
                         const int64_t want[DEGREE])
{
    const struct lines_wanted got = touched(kind, table, line);
    assert_int_equal(got.n, DEGREE);
    for (uint32_t i = 0; i < DEGREE; i++) {
        assert_int_equal(got.line[i], want[i]);
    }
}

/* ---- stride ---- */

static void stride_of_one(void **unused)
{
    void *table = made(&lines_stride);
    (void)unused;
    for (uint32_t line = 10; line <= 16; line++) {
        expect_nothing(&lines_stride, table, line);
    }
    expect_lines(&lines_stride, table, 17, (const int64_t[]){18, 19, 20, 21});
    expect_lines(&lines_stride, table, 18, (const int64_t[]){22, 23, 24, 25});
    /* 16 lines ahead at most: then one for each that the program comes to. */
    for (uint32_t line = 19; line < 60; line++) {
        const struct lines_wanted got = touched(&lines_stride, table, line);
        assert_true(got.n >= 1);
        assert_in_range(got.line[got.n - 1], line + 8, line + 16);
    }
    assert_int_equal(touched(&lines_stride, table, 60).line[0], 76);
    /* Another stride: all is learnt anew. */
    expect_nothing(&lines_stride, table, 70);
    for (uint32_t line = 68; line >= 58; line -= 2) {
        expect_nothing(&lines_stride, table, line);
    }
    expect_lines(&lines_stride, table, 56, (const int64_t[]){54, 52, 50, 48});
    free(table);
}

static void stride_of_none(void **unused)
{
    void *table = made(&lines_stride);
    struct lines_wanted wanted = {.n = 0};
    (void)unused;
    for (uint32_t n = 0; n < 100; n++) {
        expect_nothing(&lines_stride, table, 10); /* of 0 */
    }
    for (uint32_t line = 600; line < 700; line++) { /* a hit makes no entry */
        lines_stride.train(table, DEGREE, line, false, &wanted);
        assert_int_equal(wanted.n, 0);
    }
    free(table);
}

/* 1, 1, 5 over and over: twice to be learnt, six strides to be trusted. */
static void stride_of_two_kinds(void **unused)
{
    static const uint32_t stride[] = {1, 1, 5};
    void *table = made(&lines_stride);
    uint32_t line = 100;
    (void)unused;
    expect_nothing(&lines_stride, table, line);
    for (uint32_t n = 0; n < 12; n++) {
        expect_nothing(&lines_stride, table, line += stride[n % 3]);
    }
    line += 1;
    expect_lines(&lines_stride, table, line,
                 (const int64_t[]){line + 1, line + 6, line + 7, line + 8});
    free(table);
}

/* Four regions of a set; the fifth takes the place of the least recent one. */
static void stride_entries(void **unused)
{
    enum { REGION = 512, SETS = 256 };
    void *table = made(&lines_stride);
    (void)unused;
    for (uint32_t n = 0; n < 7; n++) {
        expect_nothing(&lines_stride, table, n);
    }
    for (uint32_t n = 1; n <= 3; n++) {
        expect_nothing(&lines_stride, table, n * SETS * REGION);
    }
    for (uint32_t n = 0; n <= 3; n++) { /* another set */
        expect_nothing(&lines_stride, table, (2 * n + 1) * SETS / 2 * REGION);
    }
    expect_lines(&lines_stride, table, 7, (const int64_t[]){8, 9, 10, 11});
    for (uint32_t n = 4; n <= 7; n++) {
        expect_nothing(&lines_stride, table, n * SETS * REGION);
    }
    expect_nothing(&lines_stride, table, 8);
    free(table);
}

/* ---- stream ---- */

static void stream_both_ways(void **unused)
{
    void *table = made(&lines_stream);
    (void)unused;
    expect_nothing(&lines_stream, table, 100);
    expect_nothing(&lines_stream, table, 101);
    expect_nothing(&lines_stream, table, 101); /* looked at just before */
    expect_lines(&lines_stream, table, 102, (const int64_t[]){103, 104, 105, 106});
    expect_lines(&lines_stream, table, 103, (const int64_t[]){107, 108, 109, 110});
    expect_nothing(&lines_stream, table, 1000);
    expect_nothing(&lines_stream, table, 998);
    expect_lines(&lines_stream, table, 997, (const int64_t[]){996, 995, 994, 993});
    expect_lines(&lines_stream, table, 995, (const int64_t[]){992, 991, 990, 989});
    free(table);
}

static void stream_windows(void **unused)
{
    void *table = made(&lines_stream);
    (void)unused;
    /* A stream begins where a set of the table ends. */
    expect_nothing(&lines_stream, table, 126);
    expect_nothing(&lines_stream, table, 127);
    expect_lines(&lines_stream, table, 128, (const int64_t[]){129, 130, 131, 132});
    /* 17 lines apart: two streams. */
    expect_nothing(&lines_stream, table, 2000);
    expect_nothing(&lines_stream, table, 2017);
    expect_nothing(&lines_stream, table, 2001);
    expect_nothing(&lines_stream, table, 2018);
    expect_lines(&lines_stream, table, 2002, (const int64_t[]){2003, 2004, 2005, 2006});
    free(table);
}

/* 64 lines long: what is behind it belongs to it no more. */
static void stream_length(void **unused)
{
    void *table = made(&lines_stream);
    uint32_t line = 4096;
    (void)unused;
    expect_nothing(&lines_stream, table, line);
    expect_nothing(&lines_stream, table, line + 1);
    for (uint32_t n = 0; n < 20; n++) { /* its end: line + 2 + 4 * 20 = line + 82, its start + 18 */
        assert_int_equal(touched(&lines_stream, table, line + 2 + n).n, DEGREE);
    }
    expect_nothing(&lines_stream, table, line);
    assert_int_equal(touched(&lines_stream, table, line + 60).n, DEGREE);
    free(table);
}

/* ---- GHB ---- */

static void ghb_pairs(void **unused)
{
    static const uint32_t lines[] = {0, 1, 3, 4};
    void *table = made(&lines_ghb);
    struct lines_wanted wanted = {.n = 0};
    (void)unused;
    for (uint32_t i = 0; i < 4; i++) {
        expect_nothing(&lines_ghb, table, lines[i]);
    }
    expect_nothing(&lines_ghb, table, 4); /* the newest of its zone */
    assert_int_equal(lines_ghb.train(table, DEGREE, 6, true, &wanted), 5); /* four steps back */
    assert_int_equal(wanted.n, DEGREE);
    for (uint32_t i = 0; i < DEGREE; i++) {
        assert_int_equal(wanted.line[i], ((const int64_t[]){7, 9, 10, 12})[i]);
    }
    free(table);
}

static void ghb_strides_of_zones(void **unused)
{
    void *table = made(&lines_ghb);
    (void)unused;
    expect_nothing(&lines_ghb, table, 10);
    expect_nothing(&lines_ghb, table, 70); /* another zone */
    expect_nothing(&lines_ghb, table, 12);
    expect_nothing(&lines_ghb, table, 69);
    expect_lines(&lines_ghb, table, 14, (const int64_t[]){16, 18, 20, 22});
    expect_lines(&lines_ghb, table, 68, (const int64_t[]){67, 66, 65, 64});
    free(table);
}

/* What more than 1024 accesses have written over is not read; nor what 128 zones have. */
static void ghb_forgets(void **unused)
{
    void *table = made(&lines_ghb);
    (void)unused;
    expect_nothing(&lines_ghb, table, 10);
    expect_nothing(&lines_ghb, table, 12);
    for (uint32_t n = 0; n < 1024; n++) {
        touched(&lines_ghb, table, 64 + n * 7 % 32);
    }
    expect_nothing(&lines_ghb, table, 14);
    expect_nothing(&lines_ghb, table, 16);
    expect_lines(&lines_ghb, table, 18, (const int64_t[]){20, 22, 24, 26});
    for (uint32_t n = 1; n <= 128; n++) {
        expect_nothing(&lines_ghb, table, 4096 + n * 32);
    }
    expect_nothing(&lines_ghb, table, 20);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stride_of_one),        cmocka_unit_test(stride_of_none),
        cmocka_unit_test(stride_of_two_kinds),  cmocka_unit_test(stride_entries),
        cmocka_unit_test(stream_both_ways),     cmocka_unit_test(stream_windows),
        cmocka_unit_test(stream_length),        cmocka_unit_test(ghb_pairs),
        cmocka_unit_test(ghb_strides_of_zones), cmocka_unit_test(ghb_forgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
