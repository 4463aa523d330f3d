/* Memory controllers by themselves, with the way to them from the L2 banks' queues.
 *
 * Latency, bandwidth, bank by bank service, turns of the bus, refresh and the window of four
 * activates in closed form; no bank is starved.  Single commands are tested in test_gpu_dram.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/memory/dram_front.h"

enum { BANKS = 4, MAX_DONE = 4096 };

struct bench {
    struct gpu_config config;
    struct dram_channel channel[2];
    struct dram_front front;
    struct dram_queue queue[BANKS];
    uint32_t n_done;
    uint64_t at[MAX_DONE], block[MAX_DONE];
    uint16_t bank[MAX_DONE];
};

static void done(void *self, const struct dram_request *request, uint64_t at)
{
    struct bench *b = self;

    b->at[b->n_done] = at;
    b->bank[b->n_done] = request->l2_bank;
    b->block[b->n_done++] = request->block;
}

static void make(struct bench *b, uint32_t channels, const char *const *set)
{
    char error[256];

    *b = (struct bench){0};
    config_defaults(&b->config);
    b->config.clock_dram_khz = b->config.clock_core_khz;
    b->config.dram_channels = channels;
    b->config.dram_latency = 0;
    for (; set && *set; set++) {
        assert_int_equal(config_set(&b->config, *set, error, sizeof error), 0);
    }
    b->front = (struct dram_front){.config = &b->config, .channel = b->channel, .n_sources = BANKS};
    for (uint32_t c = 0; c < channels; c++) {
        assert_int_equal(dram_init(&b->channel[c], c, &b->config, done, b), 0);
    }
    for (uint32_t q = 0; q < BANKS; q++) {
        assert_int_equal(dram_queue_init(&b->queue[q], 256), 0);
        b->front.source[q] = &b->queue[q];
    }
}

static void unmake(struct bench *b)
{
    for (uint32_t c = 0; c < b->config.dram_channels; c++) {
        dram_free(&b->channel[c]);
    }
    for (uint32_t q = 0; q < BANKS; q++) {
        dram_queue_free(&b->queue[q]);
    }
}

/* All four sectors of a block. */
static void ask(struct bench *b, uint16_t bank, uint64_t block, bool write)
{
    dram_queue_push(
        &b->queue[bank],
        &(struct dram_request){.block = block, .l2_bank = bank, .sectors = 15, .write = write});
    dram_front_look(&b->front, bank);
}

static void run(struct bench *b, uint64_t from, uint64_t cycles)
{
    for (uint64_t now = from; now < from + cycles; now++) {
        dram_front_tick(&b->front, now, now);
        for (uint32_t c = 0; c < b->config.dram_channels; c++) {
            dram_step(&b->channel[c], now);
        }
    }
}

/* Row r of DRAM bank `bank` of the only channel. */
static uint64_t place(const struct bench *b, uint64_t bank, uint64_t row)
{
    return (row * b->config.dram_banks + bank) * b->config.dram_row_bytes;
}

/* A lone read: activate, tRCD, read, tCL, then two bursts of which the second comes tCCDL
 * after the first. */
static void latency(void **state)
{
    struct bench b;
    const struct gpu_config *c = &b.config;

    (void)state;
    make(&b, 1, (const char *const[]){"dram.latency=37", NULL});
    ask(&b, 2, place(&b, 3, 1), false);
    run(&b, 0, 200);
    assert_int_equal(b.n_done, 1);
    assert_int_equal(b.bank[0], 2);
    assert_int_equal(b.at[0],
                     c->dram_tRCD + c->dram_tCCDL + c->dram_tCL + c->dram_burst_cycles + 37);
    unmake(&b);
}

/* Reads of open rows in banks of different groups: the bus never rests, 32 bytes a cycle. */
static void bandwidth(void **state)
{
    struct bench b;
    uint32_t n = 0;
    uint64_t cycles;

    (void)state;
    make(&b, 1, (const char *const[]){"dram.tRRD=1", NULL});
    for (uint32_t in_row = 0; in_row < 16; in_row++) {
        for (uint64_t bank = 0; bank < 16; bank++, n++) {
            ask(&b, (uint16_t)(n % BANKS), place(&b, bank, 0) + in_row * 128, false);
        }
    }
    run(&b, 0, 4000);
    assert_int_equal(b.n_done, n);
    cycles = b.at[n - 1] - b.at[n / 4];
    assert_true(cycles >= (n - 1 - n / 4) * 4 - 4);
    assert_true(cycles <= (n - 1 - n / 4) * 4 + 8);
    unmake(&b);
}

/* The first turn goes round the four banks: of two with requests for one channel that behind the
 * two others is first more often, but the other is not starved.  One with requests for another
 * channel is not in their way. */
static void turns(void **state)
{
    struct bench b;
    uint32_t of[BANKS] = {0};

    (void)state;
    make(&b, 2, NULL);
    for (uint32_t n = 0; n < 64; n++) {
        ask(&b, 0, n * 512, false); /* channel 0 */
        ask(&b, 1, n * 512 + 128, false);
        ask(&b, 2, n * 512 + 256, false); /* channel 1 */
    }
    dram_front_tick(&b.front, 0, 0);
    assert_int_equal(b.channel[0].used, 1);
    assert_int_equal(b.channel[1].used, 1);
    run(&b, 1, 300);
    for (uint32_t n = 0; n < b.n_done; n++) {
        of[b.bank[n]]++;
    }
    assert_true(of[0] + of[1] > 64);
    assert_true(of[1] > 0);
    assert_int_equal(of[2], 64);
    unmake(&b);
}

/* Requests to rows of nine banks: with a window, activates 4 and 8 wait for activates 0 and 4. */
static void four_activates(void **state)
{
    static const uint32_t window[] = {0, 60};

    (void)state;
    for (uint32_t w = 0; w < 2; w++) {
        struct bench b;
        uint64_t last, rrd;

        make(&b, 1, (const char *const[]){"dram.tRCD=200", NULL});
        b.config.dram_tFAW = window[w];
        rrd = b.config.dram_tRRD;
        for (uint64_t bank = 0; bank < 9; bank++) {
            ask(&b, (uint16_t)(bank % BANKS), place(&b, bank, 0), true);
        }
        /* The first in cycle 0, and no column command in the way of the others. */
        last = window[w] ? 2 * window[w] : 8 * rrd;
        run(&b, 0, last);
        assert_int_equal(b.channel[0].stats.activates, 8);
        run(&b, last, 1);
        assert_int_equal(b.channel[0].stats.activates, 9);
        unmake(&b);
    }
}

/* A refresh closes the row: the read after it opens it again, no sooner than tRP + tRFC after
 * the refresh, also if nobody has looked at the channel since. */
static void refreshes(void **state)
{
    struct bench b;
    const struct gpu_config *c = &b.config;
    uint64_t read;

    (void)state;
    make(&b, 1, (const char *const[]){"dram.tREFI=1000", "dram.tRFC=100", NULL});
    read = c->dram_tRCD + c->dram_tCCDL + c->dram_tCL + c->dram_burst_cycles;
    ask(&b, 0, place(&b, 0, 5), false);
    run(&b, 0, 200);
    ask(&b, 0, place(&b, 0, 5) + 128, false); /* the row is open */
    run(&b, 500, 100);
    assert_int_equal(b.at[1], 500 + read - c->dram_tRCD);
    ask(&b, 0, place(&b, 0, 5), false);
    run(&b, 1010, 300); /* closed at 1000 */
    assert_int_equal(b.at[2], 1000 + c->dram_tRP + c->dram_tRFC + read);
    ask(&b, 0, place(&b, 0, 5), false);
    run(&b, 5050, 300); /* the last of several refreshes, of closed or open banks, was at 5000 */
    assert_int_equal(b.at[3], 5000 + c->dram_tRFC + read);
    assert_int_equal(b.channel[0].stats.activates, 3);
    unmake(&b);
}

static const uint32_t nothing_returned = 0;

/* A channel that gives each bank one request at a time, with the queue of one L2 bank. */
static void make_banked(struct bench *b)
{
    make(b, 1,
         (const char *const[]){"dram.scheduler=banks", "dram.latency=30", "dram.bank_bits=57600",
                               NULL});
    dram_attach(&b->channel[0], &b->queue[0], &nothing_returned);
}

static void run_banked(struct bench *b, uint64_t from, uint64_t cycles)
{
    for (uint64_t now = from; now < from + cycles; now++) {
        dram_step(&b->channel[0], now);
    }
}

static void ask_sectors(struct bench *b, uint64_t block, uint8_t sectors, bool write)
{
    dram_queue_push(&b->queue[0],
                    &(struct dram_request){.block = block, .sectors = sectors, .write = write});
}

/* One sector: it waits out its delay, is known to the scheduler a tick later, which gives it to its
 * bank and opens the row; its data have passed the pipe a tick after tCL, go back in the next one,
 * and can be used a cycle later. */
static void bank_by_bank(void **state)
{
    struct bench b;
    const struct gpu_config *c = &b.config;

    (void)state;
    make_banked(&b);
    ask_sectors(&b, 0, 1, false);
    run_banked(&b, 0, 100);
    assert_int_equal(b.n_done, 1);
    assert_int_equal(b.at[0], 30 + 1 + c->dram_tRCD + c->dram_tCL + 1 + 1 + 1);
    assert_int_equal(b.channel[0].stats.read_bytes, c->dram_bus_bytes * c->dram_burst_cycles);
    unmake(&b);
}

/* Address bits 15, 14, 13 and 8 are the bank, those from 16 on the row.  A bank serves its open row
 * first. */
static void rows_by_bits(void **state)
{
    struct bench b;
    const struct gpu_config *c = &b.config;

    (void)state;
    make_banked(&b);
    ask_sectors(&b, 0, 1, false);
    ask_sectors(&b, 1 << 16, 1, false); /* another row of the bank */
    ask_sectors(&b, 1 << 9, 1, false);  /* the first row again: before it */
    ask_sectors(&b, 1 << 8, 15, true);  /* another bank: two column commands */
    run_banked(&b, 0, 400);
    assert_int_equal(b.n_done, 3);
    assert_int_equal(b.block[1], 1 << 9);
    assert_int_equal(b.block[2], 1 << 16);
    assert_int_equal(b.channel[0].stats.activates, 3);
    assert_int_equal(b.channel[0].stats.precharges, 1);
    assert_int_equal(b.channel[0].stats.write_bytes, 2 * c->dram_bus_bytes * c->dram_burst_cycles);
    assert_int_equal(b.channel[0].stats.writes, 1);
    unmake(&b);
}

/* The tick in which a counter of bytes moves, which a column command does. */
static uint64_t column_at(struct bench *b, uint64_t *now, const uint64_t *bytes)
{
    const uint64_t before = *bytes;

    while (*bytes == before && *now < 500) {
        run_banked(b, (*now)++, 1);
    }
    return *now - 1;
}

/* A read, a write and a read of one row.  The write's data begin two bus cycles after the end of the
 * read's, where the direction turns; the second read follows the write's data by tCDLR. */
static void turnarounds(void **state)
{
    struct bench b;
    const struct gpu_config *c = &b.config;
    uint64_t now = 0, read, write;

    (void)state;
    make_banked(&b);
    ask_sectors(&b, 0, 1, false);
    ask_sectors(&b, 1 << 9, 1, true);
    ask_sectors(&b, 1 << 10, 1, false);
    read = column_at(&b, &now, &b.channel[0].stats.read_bytes);
    write = column_at(&b, &now, &b.channel[0].stats.write_bytes);
    assert_int_equal(write + c->dram_tWL, read + c->dram_tCL + c->dram_burst_cycles + 2);
    read = column_at(&b, &now, &b.channel[0].stats.read_bytes);
    assert_int_equal(read, write + c->dram_tWL + c->dram_burst_cycles + c->dram_tCDLR);
    assert_int_equal(b.channel[0].stats.activates, 1);
    unmake(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency),      cmocka_unit_test(bandwidth),
        cmocka_unit_test(turns),        cmocka_unit_test(four_activates),
        cmocka_unit_test(refreshes),    cmocka_unit_test(bank_by_bank),
        cmocka_unit_test(rows_by_bits), cmocka_unit_test(turnarounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
