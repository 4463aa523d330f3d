/* Every command of a DRAM channel against the rules of its timings, over random requests.
 *
 * The rules are read as pairs: this command may not come sooner than so many ticks after that
 * one.  A history of all commands gives the first tick at which each command is legal, and what
 * FR-FCFS issues in a tick follows; the channel must do the same in the same tick, or nothing
 * where nothing is legal.  The history knows nothing of how the channel keeps its bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "machine/memory/dram.h"

enum kind { NOTHING, ACTIVATE, PRECHARGE, READ, WRITE };
enum { TICKS = 6000, MAX_REQUESTS = 4000, BANKS = 16, ROWS = 3, BLOCKS = 16 };

struct command {
    enum kind kind;
    uint32_t bank;
    uint64_t tick;
};

struct asked {
    uint64_t row;
    uint32_t bank;
    bool write, done;
};

struct bench {
    struct gpu_config config;
    struct dram_channel channel;
    uint32_t n_done;
    uint64_t data_at; /* of the read that finished last */
    struct command history[TICKS];
    uint32_t n_history;
    bool open[BANKS];
    uint64_t row[BANKS];
    struct asked asked[MAX_REQUESTS]; /* in the order of arrival */
    uint32_t n_asked;
    uint64_t refreshed; /* banks may be opened again; 0 before the first refresh */
};

static void done(void *self, const struct dram_request *request, uint64_t at)
{
    struct bench *b = self;

    (void)request;
    b->n_done++;
    b->data_at = at;
}

/* ---- the rules ---- */

static bool is_column(enum kind kind)
{
    return kind == READ || kind == WRITE;
}

/* Ticks that must pass from `a` to a command of that kind in that bank; 0 for no rule. */
static uint64_t between(const struct gpu_config *c, const struct command *a, enum kind kind,
                        uint32_t bank)
{
    const bool same = a->bank == bank;
    const bool same_group = a->bank % c->dram_bank_groups == bank % c->dram_bank_groups;
    const uint64_t data_end = (a->kind == WRITE ? c->dram_tWL : c->dram_tCL) + c->dram_burst_cycles;
    uint64_t least = 0;

    switch (kind) {
    case ACTIVATE:
        if (a->kind == ACTIVATE) {
            return same && c->dram_tRC > c->dram_tRRD ? c->dram_tRC : c->dram_tRRD;
        }
        return a->kind == PRECHARGE && same ? c->dram_tRP : 0;
    case PRECHARGE:
        if (!same) {
            return 0;
        }
        return a->kind == ACTIVATE ? c->dram_tRAS
               : a->kind == READ   ? c->dram_tRTPL
               : a->kind == WRITE  ? data_end + c->dram_tWR
                                   : 0;
    default: break;
    }
    if (a->kind == ACTIVATE) {
        return same ? c->dram_tRCD : 0;
    }
    if (!is_column(a->kind)) {
        return 0;
    }
    least = same_group ? c->dram_tCCDL : c->dram_tCCD;
    least = c->dram_tCCD > least ? c->dram_tCCD : least;
    if (a->kind == WRITE && kind == READ && data_end + c->dram_tCDLR > least) {
        return data_end + c->dram_tCDLR;
    }
    /* Write data begin two idle bus cycles after read data end. */
    if (a->kind == READ && kind == WRITE && data_end + 2 > c->dram_tWL + least) {
        return data_end + 2 - c->dram_tWL;
    }
    return least;
}

/* The tick from which the history allows the command. */
static uint64_t legal_from(const struct bench *b, enum kind kind, uint32_t bank)
{
    const struct gpu_config *c = &b->config;
    uint64_t from = kind == ACTIVATE ? b->refreshed : 0;
    uint32_t activates = 0;

    for (uint32_t h = b->n_history; h-- > 0;) {
        const struct command *a = &b->history[h];
        const uint64_t ticks = between(c, a, kind, bank);

        from = ticks && a->tick + ticks > from ? a->tick + ticks : from;
        if (kind == ACTIVATE && a->kind == ACTIVATE && ++activates == 4 &&
            a->tick + c->dram_tFAW > from) {
            from = a->tick + c->dram_tFAW;
        }
    }
    return from;
}

/* A bank's next command: the oldest request to the open row, or what brings the oldest request
 * nearer; NOTHING when the bank has no request. */
static enum kind wanted(const struct bench *b, uint32_t bank, uint32_t *request)
{
    enum kind kind = NOTHING;

    for (uint32_t r = 0; r < b->n_asked; r++) {
        const struct asked *asked = &b->asked[r];

        if (asked->done || asked->bank != bank) {
            continue;
        }
        if (b->open[bank] && asked->row == b->row[bank]) {
            *request = r;
            return asked->write ? WRITE : READ;
        }
        if (kind == NOTHING) {
            kind = b->open[bank] ? PRECHARGE : ACTIVATE;
            *request = r;
        }
    }
    return kind;
}

/* First ready, first come: the oldest legal column command, else the oldest of the others. */
static struct command choose(const struct bench *b, uint64_t tick, uint32_t *request)
{
    struct command best = {.kind = NOTHING, .tick = tick};

    for (uint32_t bank = 0; bank < b->config.dram_banks; bank++) {
        uint32_t r = 0;
        const enum kind kind = wanted(b, bank, &r);

        if (kind == NOTHING || legal_from(b, kind, bank) > tick) {
            continue;
        }
        if (best.kind == NOTHING || is_column(kind) > is_column(best.kind) ||
            (is_column(kind) == is_column(best.kind) && r < *request)) {
            best.kind = kind;
            best.bank = bank;
            *request = r;
        }
    }
    return best;
}

/* All banks close together, each when it may be; rows open tRFC after the last has closed. */
static void refresh(struct bench *b, uint64_t tick)
{
    const struct gpu_config *c = &b->config;
    uint64_t closing = tick, closed = tick;

    for (uint32_t bank = 0; bank < c->dram_banks; bank++) {
        if (b->open[bank]) {
            const uint64_t from = legal_from(b, PRECHARGE, bank);

            closing = from > closing ? from : closing;
            closed = closing + c->dram_tRP;
            b->open[bank] = false;
        }
    }
    b->refreshed = closed + c->dram_tRFC > b->refreshed ? closed + c->dram_tRFC : b->refreshed;
}

/* ---- the channel ---- */

static void make(struct bench *b, const char *const *set)
{
    char error[256];

    *b = (struct bench){0};
    config_defaults(&b->config);
    b->config.dram_channels = 1;
    b->config.clock_dram_khz = b->config.clock_core_khz;
    b->config.dram_latency = 0;
    for (; *set; set++) {
        assert_int_equal(config_set(&b->config, *set, error, sizeof error), 0);
    }
    assert_int_equal(dram_init(&b->channel, 0, &b->config, done, b), 0);
}

/* A request of one burst, to one of few rows, so that rows are hit, and closed, often. */
static void ask(struct bench *b, uint64_t tick, uint32_t banks)
{
    const struct asked asked = {
        .row = (uint64_t)rand() % ROWS, .bank = (uint32_t)rand() % banks, .write = rand() % 5 < 2};
    const struct dram_request request = {.block = (asked.row * b->config.dram_banks + asked.bank) *
                                                      b->config.dram_row_bytes +
                                                  (uint64_t)(rand() % BLOCKS) * 128,
                                         .sectors = 1,
                                         .write = asked.write};

    if (b->n_asked < MAX_REQUESTS && dram_room(&b->channel, request.block)) {
        dram_push(&b->channel, &request, tick);
        b->asked[b->n_asked++] = asked;
    }
}

/* What went out in this tick: seen by what has changed since `before`. */
static struct command seen(const struct bench *b, const struct dram_channel *before, uint64_t tick)
{
    const struct dram_stats *was = &before->stats, *is = &b->channel.stats;
    struct command command = {.kind = NOTHING, .tick = tick};

    for (uint32_t bank = 0; bank < b->config.dram_banks; bank++) {
        const struct dram_bank *old = &before->bank[bank], *new = &b->channel.bank[bank];

        if (old->open != new->open || old->n != new->n) {
            assert_int_equal(command.kind, NOTHING);
            command.kind = old->n != new->n ? (is->writes > was->writes ? WRITE : READ)
                           : new->open      ? ACTIVATE
                                            : PRECHARGE;
            command.bank = bank;
        }
    }
    return command;
}

static void carry_out(struct bench *b, const struct command *command, uint32_t request)
{
    const struct gpu_config *c = &b->config;

    b->history[b->n_history++] = *command;
    if (command->kind == ACTIVATE) {
        b->row[command->bank] = b->asked[request].row;
    }
    if (is_column(command->kind)) {
        b->asked[request].done = true;
    } else {
        b->open[command->bank] = command->kind == ACTIVATE;
    }
    if (command->kind == READ) {
        assert_int_equal(b->data_at, command->tick + c->dram_tCL + c->dram_burst_cycles);
    }
}

/* A tick with its refresh apart, which is no command. */
static void tick_both(struct bench *b, uint64_t tick)
{
    const bool due = b->config.dram_tREFI && tick && tick % b->config.dram_tREFI == 0;
    struct dram_channel before = b->channel;
    struct command expected, got;
    uint32_t request = 0;
    bool moved;

    if (due) {
        refresh(b, tick);
        for (uint32_t bank = 0; bank < b->config.dram_banks; bank++) {
            before.bank[bank].open = false;
        }
    }
    expected = choose(b, tick, &request);
    moved = dram_tick(&b->channel, tick);
    got = seen(b, &before, tick);
    if (moved != (got.kind != NOTHING) || got.kind != expected.kind || got.bank != expected.bank) {
        fail_msg("tick %llu: command %d in bank %u, not %d in bank %u", (unsigned long long)tick,
                 got.kind, got.bank, expected.kind, expected.bank);
    }
    if (expected.kind != NOTHING) {
        carry_out(b, &expected, request);
    }
}

/* ---- tests ---- */

/* `banks` of them are used; a request comes in one of `rarity` ticks. */
static void check(uint32_t banks, int rarity, const char *const *set)
{
    struct bench *b = malloc(sizeof *b);

    assert_non_null(b);
    make(b, set);
    for (uint64_t tick = 0; tick < TICKS / 4; tick++) {
        if (rand() % rarity == 0) {
            ask(b, tick, banks);
        }
        tick_both(b, tick);
    }
    assert_true(b->n_history > 40);
    dram_free(&b->channel);
    free(b);
}

static const char *const timings[][12] = {
    {NULL},
    {"dram.tFAW=50", NULL},
    {"dram.tREFI=400", "dram.tRFC=60", NULL},
    {"dram.tREFI=97", "dram.tRFC=31", "dram.tFAW=33", NULL},
    {"dram.tCL=30", "dram.tWL=2", "dram.tRTPL=40", NULL},  /* reads before writes cost most */
    {"dram.tCL=2", "dram.tWL=20", "dram.tCDLR=15", NULL},  /* writes before reads */
    {"dram.tRP=50", "dram.tRC=20", "dram.tRAS=5", NULL},   /* rows close soon, open late */
    {"dram.tRC=150", "dram.tRAS=90", "dram.tRCD=3", NULL}, /* rows stay open */
    {"dram.tCCD=7", "dram.tCCDL=19", "dram.tRRD=1", NULL}, /* columns far apart */
    {"dram.tCCD=9", "dram.tCCDL=4", "dram.tWR=60", NULL},  /* all columns, not groups */
    {"dram.banks=4", "dram.bank_groups=1", "dram.queue=64", NULL},
    {"dram.tRRD=31", "dram.tRCD=40", "dram.burst_cycles=6", NULL},
};

static void many_banks(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof timings / sizeof timings[0]; t++) {
        srand((unsigned)t + 1);
        check(4, 3, timings[t]);
        check(4, 40, timings[t]);
    }
}

static void one_bank(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof timings / sizeof timings[0]; t++) {
        srand((unsigned)t + 100);
        check(1, 2, timings[t]);
        check(2, 12, timings[t]);
    }
}

static void all_banks(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof timings / sizeof timings[0]; t++) {
        if (t != 10) { /* it has four only */
            srand((unsigned)t + 200);
            check(BANKS, 1, timings[t]);
            check(BANKS, 20, timings[t]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_banks),
        cmocka_unit_test(one_bank),
        cmocka_unit_test(all_banks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
