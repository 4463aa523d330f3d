/* test_mech_caps_prefetchers - the compared prefetchers on the documents' vectors (TV-INTRA,
 * TV-INTER, TV-MTA, TV-NLP, TV-LAP, TV-ORCH of caps-prefetch 3.9-3.14) and the port that all
 * share (3.8). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mechanisms/prefetch/prefetch.h"
#include "mechanisms/prefetch/prefetch_block.h"
#include "mechanisms/prefetch/prefetch_orch.h"
#include "mechanisms/prefetch/prefetch_stride.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct prefetch_reach one_ahead = {1, 1};

static void *made(const struct prefetch_kind *kind)
{
    void *table = calloc(1, kind->table_bytes + 1); /* NLP has none */
    assert_non_null(table);
    kind->reset(table);
    return table;
}

/* One load of one request; the lines it asks for. */
static struct prefetch_burst loaded_reaching(const struct prefetch_kind *kind, void *table,
                                             struct prefetch_reach reach, uint32_t warp,
                                             uint32_t address)
{
    const struct prefetch_load load = {7, warp, 1, {address}, UINT64_MAX};
    struct prefetch_burst burst = {0};
    kind->load(table, &reach, &load, &burst);
    return burst;
}

static struct prefetch_burst loaded(const struct prefetch_kind *kind, void *table, uint32_t warp,
                                    uint32_t address)
{
    return loaded_reaching(kind, table, one_ahead, warp, address);
}

static void expect_line(const struct prefetch_burst *burst, uint32_t line, int32_t warp)
{
    assert_int_equal(burst->n, 1);
    assert_int_equal(burst->line[0], line);
    assert_int_equal(burst->warp[0], warp);
}

/* ---- INTRA ---- */

static void tv_intra_1(void **unused)
{
    static const struct {
        uint32_t address, stride, line; /* line 0: nothing is asked for */
        int state;                      /* -1: just allocated */
    } step[] = {{0x1000, 0, 0, -1},
                {0x1080, 0x80, 0, INTRA_TRANS},
                {0x1100, 0x80, 0x23, INTRA_STEADY},
                {0x1180, 0x80, 0x24, INTRA_STEADY},
                {0x1500, 0x80, 0, INTRA_INIT},
                {0x1580, 0x80, 0x2c, INTRA_STEADY}};
    struct intra_table *table = made(&prefetch_intra);
    (void)unused;
    for (size_t i = 0; i < COUNT(step); i++) {
        const struct prefetch_load load = {7, 3, 1, {step[i].address}, UINT64_MAX};
        struct prefetch_burst burst = {0};
        const struct intra_entry *entry = intra_train(table, &load);
        if (intra_steady(entry)) {
            issue_for_iterations(&one_ahead, entry->stride, &load, &burst);
        }
        assert_int_equal(entry != NULL ? entry->state : -1, step[i].state);
        if (entry != NULL) {
            assert_int_equal(entry->stride, step[i].stride);
        }
        if (step[i].line != 0) {
            expect_line(&burst, step[i].line, 3);
        } else {
            assert_int_equal(burst.n, 0);
        }
    }
    free(table);
}

static void tv_intra_2(void **unused)
{
    void *table = made(&prefetch_intra);
    (void)unused;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(loaded(&prefetch_intra, table, 0, 0x2000 + 4 * i).n, 0);
    }
    free(table);
}

/* A flushed warp slot starts anew; its neighbour does not. */
static void intra_flush_is_per_warp(void **unused)
{
    void *table = made(&prefetch_intra);
    (void)unused;
    for (uint32_t i = 0; i < 2; i++) {
        loaded(&prefetch_intra, table, 1, 0x1000 + 0x80 * i);
        loaded(&prefetch_intra, table, 2, 0x1000 + 0x80 * i);
    }
    prefetch_intra.flush(table, 1);
    assert_int_equal(loaded(&prefetch_intra, table, 1, 0x1100).n, 0);
    assert_int_equal(loaded(&prefetch_intra, table, 2, 0x1100).n, 1);
    free(table);
}

/* ---- INTER ---- */

static void tv_inter_1(void **unused)
{
    void *table = made(&prefetch_inter);
    (void)unused;
    assert_int_equal(loaded(&prefetch_inter, table, 0, 0x1000).n, 0);
    assert_int_equal(loaded(&prefetch_inter, table, 1, 0x1080).n, 0);
    for (uint32_t w = 2; w < 8; w++) {
        const struct prefetch_burst burst = loaded(&prefetch_inter, table, w, 0x1000 + 0x80 * w);
        expect_line(&burst, (0x1000 + 0x80 * (w + 1)) >> 7, (int32_t)w + 1);
    }
    free(table);
}

/* TV-INTER-2: of 8-warp CTAs, (8 - d) / 8 of the pairs (w, w + d) lie in one CTA. */
static void tv_inter_2(void **unused)
{
    (void)unused;
    for (uint32_t d = 1; d <= 8; d++) {
        const struct prefetch_reach reach = {1, d};
        uint32_t inside = 0, all = 0;
        void *table = made(&prefetch_inter);
        for (uint32_t w = 0; w < 40; w++) {
            const struct prefetch_burst burst = loaded_reaching(&prefetch_inter, table, reach, w,
                                                                0x4000 + 128 * w);
            if (burst.n == 1 && w >= 8 && w < 32) {
                all++;
                inside += (uint32_t)burst.warp[0] / 8 == w / 8;
            }
        }
        assert_int_equal(all, 24);
        assert_int_equal(inside, 3 * (8 - d));
        free(table);
    }
}

/* Slots beyond the last, and warps that have exited, get nothing. */
static void inter_asks_for_living_warps_only(void **unused)
{
    static const struct prefetch_reach two_ahead = {2, 1};
    void *table = made(&prefetch_inter);
    (void)unused;
    for (uint32_t w = 60; w < 64; w++) {
        const struct prefetch_load load = {7, w, 1, {0x1000 + 128 * w}, ~(UINT64_C(1) << 63)};
        struct prefetch_burst burst = {0};
        prefetch_inter.load(table, &two_ahead, &load, &burst);
        assert_int_equal(burst.n, 0);
    }
    free(table);
}

/* ---- MTA ---- */

static void tv_mta_1(void **unused)
{
    void *table = made(&prefetch_mta);
    (void)unused;
    assert_int_equal(loaded(&prefetch_mta, table, 0, 0x1000).n, 0);
    assert_int_equal(loaded(&prefetch_mta, table, 1, 0x1080).n, 0);
    const struct prefetch_burst burst = loaded(&prefetch_mta, table, 2, 0x1100);
    expect_line(&burst, 0x23, 3);
    free(table);
}

static void tv_mta_2(void **unused)
{
    void *table = made(&prefetch_mta);
    (void)unused;
    loaded(&prefetch_mta, table, 0, 0x1000);
    loaded(&prefetch_mta, table, 0, 0x1080);
    const struct prefetch_burst burst = loaded(&prefetch_mta, table, 0, 0x1100);
    expect_line(&burst, 0x23, 0);
    free(table);
}

/* ---- MTA by three tables (MTA_STYLE TABLES3): by its rules, with stride 0x80 ---- */

/* Three equal strides need four warps; then the next warp is fetched for. */
static void mta_tables_between_warps(void **unused)
{
    void *table = made(&prefetch_mta_tables);
    (void)unused;
    for (uint32_t w = 0; w < 3; w++) {
        assert_int_equal(loaded(&prefetch_mta_tables, table, w, 0x1000 + 0x80 * w).n, 0);
    }
    struct prefetch_burst burst = loaded(&prefetch_mta_tables, table, 3, 0x1180);
    expect_line(&burst, 0x1200 >> 7, 4);
    burst = loaded(&prefetch_mta_tables, table, 4, 0x1400); /* another stride: trained no more */
    assert_int_equal(burst.n, 0);
    free(table);
}

/* The same stride twice trains a warp's own entry; two warps do not make it everybody's. */
static void mta_tables_own_stride(void **unused)
{
    void *table = made(&prefetch_mta_tables);
    (void)unused;
    for (uint32_t w = 0; w < 20; w += 10) {
        assert_int_equal(loaded(&prefetch_mta_tables, table, w, 0x1000).n, 0);
        assert_int_equal(loaded(&prefetch_mta_tables, table, w, 0x1080).n, 0);
        const struct prefetch_burst burst = loaded(&prefetch_mta_tables, table, w, 0x1100);
        expect_line(&burst, 0x1180 >> 7, (int32_t)w);
    }
    assert_int_equal(loaded(&prefetch_mta_tables, table, 20, 0x9000).n, 0);
    free(table);
}

/* The third warp with that stride promotes it: a warp that loads for the first time is
 * fetched for at once, and the stride between warps does not matter any more. */
static void mta_tables_agreed_stride(void **unused)
{
    void *table = made(&prefetch_mta_tables);
    (void)unused;
    for (uint32_t w = 0; w < 30; w += 10) {
        for (uint32_t i = 0; i < 3; i++) {
            loaded(&prefetch_mta_tables, table, w, 0x1000 + 0x80 * i);
        }
    }
    for (uint32_t w = 40; w < 48; w++) {
        const struct prefetch_burst burst = loaded(&prefetch_mta_tables, table, w,
                                                   0x9000 + 0x400 * w);
        expect_line(&burst, (0x9080 + 0x400 * w) >> 7, (int32_t)w);
    }
    free(table);
}

/* A stride field has 20 bits, signed. */
static void mta_tables_stride_width(void **unused)
{
    static const struct {
        uint32_t stride, n;
    } edge[] = {{0x7ffff, 1}, {0x80000, 0}, {0u - 0x80000, 1}, {0u - 0x80001, 0}};
    (void)unused;
    for (size_t i = 0; i < COUNT(edge); i++) {
        void *table = made(&prefetch_mta_tables);
        loaded(&prefetch_mta_tables, table, 0, 0x10000000);
        loaded(&prefetch_mta_tables, table, 0, 0x10000000 + edge[i].stride);
        assert_int_equal(loaded(&prefetch_mta_tables, table, 0, 0x10000000 + 2 * edge[i].stride).n,
                         edge[i].n);
        free(table);
    }
}

/* ---- NLP and LAP ---- */

static struct prefetch_burst missed(const struct prefetch_kind *kind, void *table, uint32_t line)
{
    struct prefetch_burst burst = {0};
    kind->miss(table, &one_ahead, line, &burst);
    return burst;
}

static void tv_nlp_1(void **unused)
{
    void *table = made(&prefetch_nlp);
    (void)unused;
    const struct prefetch_burst burst = missed(&prefetch_nlp, table, 0x100);
    expect_line(&burst, 0x101, -1);
    assert_int_equal(missed(&prefetch_nlp, table, 0x1ffffff).n, 0);
    free(table);
}

static void tv_lap(void **unused)
{
    static const struct {
        uint32_t miss[3], n, lines[2], n_lines; /* after the second miss */
    } vector[] = {{{0x101, 0x103, 0}, 2, {0x100, 0x102}, 2},
                  {{0x101, 0x101, 0}, 2, {0, 0}, 0},
                  {{0x103, 0x104, 0}, 2, {0, 0}, 0},
                  {{0x101, 0x103, 0x100}, 3, {0x100, 0x102}, 2}};
    (void)unused;
    for (size_t v = 0; v < COUNT(vector); v++) {
        void *table = made(&prefetch_lap);
        assert_int_equal(missed(&prefetch_lap, table, vector[v].miss[0]).n, 0);
        const struct prefetch_burst burst = missed(&prefetch_lap, table, vector[v].miss[1]);
        assert_int_equal(burst.n, vector[v].n_lines);
        for (uint32_t i = 0; i < vector[v].n_lines; i++) {
            assert_int_equal(burst.line[i], vector[v].lines[i]);
        }
        if (vector[v].n == 3) {
            assert_int_equal(missed(&prefetch_lap, table, vector[v].miss[2]).n, 0);
            /* vec is 0001 again: the next other line completes the block once more */
            assert_int_equal(missed(&prefetch_lap, table, 0x102).n, 2);
        }
        free(table);
    }
}

/* ---- ORCH ---- */

static void nothing(void *self, uint32_t slot)
{
    (void)self, (void)slot;
}

/* `n` warps arrive, none blocked: the ready queue in order. */
static void orch_queue(uint32_t n, const uint8_t *expected)
{
    struct orch orch = {.base = {.warp_launch = nothing, .warp_exit = nothing}, .ready_size = 8};
    struct sched_socket socket = orch_socket(&orch);
    struct sched_view view = {0};
    for (uint32_t w = 0; w < n; w++) {
        socket.warp_launch(socket.self, w);
    }
    socket.pick(socket.self, &view);
    assert_int_equal(orch.n_ready, 8);
    assert_memory_equal(orch.ready, expected, 8);
    /* the first issuable in queue order, and an exit gives its place to the next rank */
    view.issuable = UINT64_C(1) << expected[5] | UINT64_C(1) << expected[2];
    assert_int_equal(socket.pick(socket.self, &view), expected[2]);
}

static void tv_orch(void **unused)
{
    (void)unused;
    orch_queue(24, (const uint8_t[]){0, 3, 6, 9, 12, 15, 18, 21});
    orch_queue(9, (const uint8_t[]){0, 2, 4, 6, 8, 1, 3, 5});
}

/* ---- the port ---- */

static struct prefetch_burst burst_of(uint32_t first, uint32_t n)
{
    struct prefetch_burst burst = {0};
    for (uint32_t i = 0; i < n; i++) {
        prefetch_add(&burst, first + i, -1);
    }
    return burst;
}

/* Two cycles to the first line, one a cycle after it; asking late changes nothing. */
static void port_timing(void **unused)
{
    struct prefetch_port *port = calloc(1, sizeof *port);
    const struct prefetch_burst burst = burst_of(10, 3);
    uint32_t line;
    int32_t warp;
    (void)unused;
    assert_non_null(port);
    prefetch_port_reset(port, 100);
    prefetch_port_accept(port, &burst, 100);
    assert_false(prefetch_port_peek(port, 101, &line, &warp));
    assert_true(prefetch_port_busy(port));
    assert_true(prefetch_port_peek(port, 102, &line, &warp));
    assert_int_equal(line, 10);
    prefetch_port_pop(port);
    assert_false(prefetch_port_peek(port, 102, &line, &warp));
    assert_true(prefetch_port_peek(port, 1000, &line, &warp));
    assert_int_equal(line, 11);
    assert_int_equal(port->count, 2);
    assert_false(prefetch_port_busy(port));
    free(port);
}

/* Five bursts are under way, the sixth is dropped; sixteen lines wait at most. */
static void port_limits(void **unused)
{
    struct prefetch_port *port = calloc(1, sizeof *port);
    const struct prefetch_burst burst = burst_of(0, 10);
    uint32_t line, taken = 0;
    int32_t warp;
    (void)unused;
    assert_non_null(port);
    prefetch_port_reset(port, 0);
    for (uint32_t i = 0; i < 6; i++) {
        prefetch_port_accept(port, &burst, 0);
    }
    assert_int_equal(port->bursts_dropped, 1);
    assert_true(prefetch_port_peek(port, 500, &line, &warp));
    assert_int_equal(port->count, 16);
    for (uint64_t cycle = 501; prefetch_port_peek(port, cycle, &line, &warp); cycle++) {
        assert_int_equal(line, taken % 10);
        prefetch_port_pop(port);
        taken++;
    }
    assert_int_equal(taken, 50);
    free(port);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tv_intra_1),
                                       cmocka_unit_test(tv_intra_2),
                                       cmocka_unit_test(intra_flush_is_per_warp),
                                       cmocka_unit_test(tv_inter_1),
                                       cmocka_unit_test(tv_inter_2),
                                       cmocka_unit_test(inter_asks_for_living_warps_only),
                                       cmocka_unit_test(tv_mta_1),
                                       cmocka_unit_test(tv_mta_2),
                                       cmocka_unit_test(mta_tables_between_warps),
                                       cmocka_unit_test(mta_tables_own_stride),
                                       cmocka_unit_test(mta_tables_agreed_stride),
                                       cmocka_unit_test(mta_tables_stride_width),
                                       cmocka_unit_test(tv_nlp_1),
                                       cmocka_unit_test(tv_lap),
                                       cmocka_unit_test(tv_orch),
                                       cmocka_unit_test(port_timing),
                                       cmocka_unit_test(port_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
