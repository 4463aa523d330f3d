/* DRAM command timing, both sides of each bound, and FR-FCFS order.
 *
 * A command that becomes legal at tick t must not go out at t-1 and must at t. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine/memory/dram.h"

enum { MAX_DONE = 64 };
struct bench {
    struct gpu_config config;
    struct dram_channel channel;
    uint64_t done[MAX_DONE], at[MAX_DONE]; /* blocks in the order of completion */
    uint32_t n_done;
};

static void done(void *self, const struct dram_request *request, uint64_t at)
{
    struct bench *bench = self;

    bench->done[bench->n_done] = request->block;
    bench->at[bench->n_done++] = at;
}

/* Bank b, row r, column c of channel 0 in a one-channel machine. */
static uint64_t address(const struct bench *bench, uint64_t bank, uint64_t row, uint64_t block)
{
    return (row * bench->config.dram_banks + bank) * bench->config.dram_row_bytes + block * 128;
}

static void make(struct bench *bench)
{
    *bench = (struct bench){0};
    config_defaults(&bench->config);
    bench->config.dram_channels = 1;
    bench->config.clock_dram_khz = bench->config.clock_core_khz;
    bench->config.dram_latency = 0;
    /* One column command serves one sector, so that every request is one command. */
    assert_int_equal(dram_init(&bench->channel, 0, &bench->config, done, bench), 0);
}

static void push(struct bench *bench, uint64_t block, bool write)
{
    struct dram_request request = {.block = block, .sectors = 1, .write = write};

    dram_push(&bench->channel, &request, 0);
}

/* The tick of the next command at or after `from`; nothing may come before `at_least`. */
static uint64_t next_command(struct bench *bench, uint64_t from)
{
    for (uint64_t tick = from; tick < from + 1000; tick++) {
        if (dram_tick(&bench->channel, tick)) {
            return tick;
        }
    }
    fail_msg("no command");
    return 0;
}

static void read_after_activate(void **state)
{
    struct bench b;

    (void)state;
    make(&b);
    push(&b, address(&b, 0, 0, 0), false);
    assert_int_equal(next_command(&b, 100), 100); /* ACT */
    assert_int_equal(next_command(&b, 101), 100 + b.config.dram_tRCD);
    assert_int_equal(b.at[0],
                     100 + b.config.dram_tRCD + b.config.dram_tCL + b.config.dram_burst_cycles);
    dram_free(&b.channel);
}

static void row_conflict(void **state)
{
    struct bench b;

    (void)state;
    make(&b);
    push(&b, address(&b, 0, 0, 0), false);
    push(&b, address(&b, 0, 1, 0), false);
    assert_int_equal(next_command(&b, 100), 100);      /* ACT row 0 */
    assert_int_equal(next_command(&b, 101), 112);      /* RD */
    assert_int_equal(next_command(&b, 113), 100 + 28); /* PRE: tRAS, later than RD + tRTPL */
    assert_int_equal(next_command(&b, 129), 100 + 40); /* ACT: tRC = tRAS + tRP */
    assert_int_equal(next_command(&b, 141), 152);
    dram_free(&b.channel);
}

static void activate_to_activate(void **state)
{
    struct bench b;

    (void)state;
    make(&b);
    push(&b, address(&b, 0, 0, 0), false);
    push(&b, address(&b, 1, 0, 0), false);
    assert_int_equal(next_command(&b, 10), 10);
    assert_int_equal(next_command(&b, 11), 10 + b.config.dram_tRRD);
    assert_int_equal(next_command(&b, 17), 22); /* RD bank 0 at 10 + tRCD */
    assert_int_equal(next_command(&b, 23), 28); /* RD bank 1 at 16 + tRCD */
    dram_free(&b.channel);
}

/* Same bank: tCCDL between column commands; another group: tCCD. */
static void column_to_column(void **state)
{
    struct bench b;

    (void)state;
    make(&b);
    push(&b, address(&b, 0, 0, 0), false);
    push(&b, address(&b, 1, 0, 0), false);
    push(&b, address(&b, 0, 0, 1), false);
    push(&b, address(&b, 1, 0, 1), false);
    next_command(&b, 0);                        /* ACT 0 at 0 */
    next_command(&b, 1);                        /* ACT 1 at 6 */
    assert_int_equal(next_command(&b, 7), 12);  /* RD bank 0 */
    assert_int_equal(next_command(&b, 13), 15); /* RD bank 0 again: tCCDL = 3 */
    assert_int_equal(next_command(&b, 16), 18); /* RD bank 1 at 6 + tRCD */
    assert_int_equal(next_command(&b, 19), 21); /* tCCDL */
    dram_free(&b.channel);
}

static void write_to_read(void **state)
{
    struct bench b;
    uint64_t end;

    (void)state;
    make(&b);
    push(&b, address(&b, 0, 0, 0), true);
    next_command(&b, 0);
    assert_int_equal(next_command(&b, 1), 12); /* WR */
    end = 12 + b.config.dram_tWL + b.config.dram_burst_cycles;
    push(&b, address(&b, 0, 0, 1), false);
    assert_int_equal(next_command(&b, 13), end + b.config.dram_tCDLR);
    dram_free(&b.channel);
}

static void write_to_precharge(void **state)
{
    struct bench b;
    uint64_t end;

    (void)state;
    make(&b);
    b.config.dram_tRAS = 2; /* out of the way */
    push(&b, address(&b, 0, 0, 0), true);
    next_command(&b, 0);
    assert_int_equal(next_command(&b, 1), 12);
    end = 12 + b.config.dram_tWL + b.config.dram_burst_cycles;
    push(&b, address(&b, 0, 1, 0), false);
    assert_int_equal(next_command(&b, 13), end + b.config.dram_tWR);
    dram_free(&b.channel);
}

/* Row hits overtake older requests to other rows, and keep their own order. */
static void first_ready(void **state)
{
    struct bench b;
    uint64_t order[4];

    (void)state;
    make(&b);
    push(&b, order[0] = address(&b, 0, 0, 0), false);
    push(&b, order[3] = address(&b, 0, 1, 0), false);
    push(&b, order[1] = address(&b, 0, 0, 3), false);
    push(&b, order[2] = address(&b, 0, 0, 1), false);
    for (uint64_t tick = 0; tick < 300; tick++) {
        dram_tick(&b.channel, tick);
    }
    assert_int_equal(b.n_done, 4);
    for (uint32_t r = 0; r < 4; r++) {
        assert_int_equal(b.done[r], order[r]);
    }
    assert_int_equal(b.channel.stats.row_hits, 2);
    assert_int_equal(b.channel.stats.activates, 2);
    dram_free(&b.channel);
}

/* Of two banks whose rows are open, the older request goes first. */
static void oldest_of_ready(void **state)
{
    struct bench b;

    (void)state;
    make(&b);
    push(&b, address(&b, 0, 0, 0), false);
    push(&b, address(&b, 1, 0, 0), false);
    for (uint64_t tick = 0; tick < 100; tick++) {
        dram_tick(&b.channel, tick);
    }
    push(&b, address(&b, 1, 0, 1), false);
    push(&b, address(&b, 0, 0, 1), false);
    for (uint64_t tick = 100; tick < 200; tick++) {
        dram_tick(&b.channel, tick);
    }
    assert_int_equal(b.done[2], address(&b, 1, 0, 1));
    assert_int_equal(b.done[3], address(&b, 0, 0, 1));
    dram_free(&b.channel);
}

static void room(void **state)
{
    struct bench b;

    (void)state;
    make(&b);
    b.config.dram_bank_queue = 2;
    push(&b, address(&b, 0, 0, 0), false);
    assert_true(dram_room(&b.channel, address(&b, 0, 5, 0)));
    push(&b, address(&b, 0, 1, 0), false);
    assert_false(dram_room(&b.channel, address(&b, 0, 5, 0)));
    assert_true(dram_room(&b.channel, address(&b, 1, 5, 0)));
    dram_free(&b.channel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_after_activate),
        cmocka_unit_test(row_conflict),
        cmocka_unit_test(activate_to_activate),
        cmocka_unit_test(column_to_column),
        cmocka_unit_test(write_to_read),
        cmocka_unit_test(write_to_precharge),
        cmocka_unit_test(first_ready),
        cmocka_unit_test(oldest_of_ready),
        cmocka_unit_test(room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
