/* The L1D between one warp and the L2: every load returns what the warp stored last, and what
 * comes into the cache, leaves it and goes down is in balance (test_ledger.h).
 *
 * The cache is so small that dirty lines of local memory are evicted all the time. */
#include "test_ledger.h"

enum { LANES = 32, LOADS = 60, REGION_BYTES = 34 * 128, LATE = 4 };

static uint32_t word(struct rig *rig, uint64_t address)
{
    uint32_t value;

    gpu_peek(rig->gpu, address, &value, sizeof value);
    return value;
}

/* ---- one dirty line, by hand ---- */

/* Block 0 is loaded, written in the L1D, and pushed out by two others in a cache of two lines:
 * what was written must be there when it is loaded again. */
static void dirty_line_survives_eviction(void **state)
{
    static const char *const set[] = {"l1d.sets=1", "l1d.ways=2", "l1d.local_write=back", NULL};
    struct rig rig = {0};
    struct ledger ledger;
    uint64_t base, out;

    (void)state;
    rig_make(&rig, set);
    ledger_of_l1d(&ledger, rig.gpu, 0);
    base = memory_alloc(rig.memory, "local", 3 * 128, 0);
    out = memory_alloc(rig.memory, "out", 128, 0);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4},
                                  {.kind = FRONT_LANE, .d = 2, .imm = 1000, .stride = 1},
                                  {.kind = FRONT_LOAD, .d = 3, .a = 1, .local = true},
                                  {.kind = FRONT_SUM, .d = 4, .a = 3, .b = 1}, /* it is there */
                                  {.kind = FRONT_STORE, .a = 1, .b = 2, .local = true},
                                  {.kind = FRONT_ADD, .d = 5, .a = 1, .imm = 128},
                                  {.kind = FRONT_LOAD, .d = 3, .a = 5, .local = true},
                                  {.kind = FRONT_ADD, .d = 5, .a = 5, .imm = 128},
                                  {.kind = FRONT_LOAD, .d = 3, .a = 5, .local = true},
                                  {.kind = FRONT_SUM, .d = 4, .a = 3, .b = 1},
                                  {.kind = FRONT_LOAD, .d = 6, .a = 1, .local = true},
                                  {.kind = FRONT_LANE, .d = 7, .imm = out, .stride = 4},
                                  {.kind = FRONT_STORE, .a = 7, .b = 6},
                                  {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 1, LANES);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        assert_int_equal(word(&rig, out + 4 * lane), 1000 + lane);
    }
    const struct sm_stats *s = &rig.gpu->sm[0].stats;
    assert_int_equal(s->store_kept, 1);
    assert_int_equal(s->l1d_evictions, 2); /* block 0 by block 2, block 1 by block 0 */
    assert_int_equal(ledger.evicted_dirty, 1);
    assert_int_equal(s->requests_sent, 4 + 1 + 1); /* loads, the dirty line, the last store */
    assert_int_equal(rig.gpu->bank[0].stats.writes, 1 + 1);
    ledger_check_l1d(&ledger, rig.gpu, 0);
    ledger_close(&ledger);
    rig_free(&rig);
}

/* ---- copies of an earlier kernel ---- */

/* A kernel loads a block, the host writes it, the kernel loads it again.  Where copies stay the second
 * load hits, and has the new bytes all the same. */
static void copies_stay(void **state)
{
    static const char *const sets[][2] = {{"l1d.at_launch=emptied", NULL},
                                          {"l1d.at_launch=refreshed", NULL}};

    (void)state;
    for (uint32_t stay = 0; stay < COUNT(sets); stay++) {
        struct rig rig = {0};
        rig_make(&rig, sets[stay]);
        const uint64_t base = memory_alloc(rig.memory, "in", 128, 0);
        const uint64_t out = memory_alloc(rig.memory, "out", 128, 0);
        const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4},
                                      {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                      {.kind = FRONT_LANE, .d = 3, .imm = out, .stride = 4},
                                      {.kind = FRONT_STORE, .a = 3, .b = 2},
                                      {.kind = FRONT_EXIT}};
        for (uint32_t n = 1; n <= 2; n++) {
            const uint32_t written = 7000 * n;
            gpu_poke(rig.gpu, base + 4 * 5, &written, sizeof written);
            rig_run(&rig, op, COUNT(op), 1, LANES);
            assert_int_equal(word(&rig, out + 4 * 5), written);
        }
        assert_int_equal(rig.gpu->sm[0].stats.load_hits_coherent, stay);
        assert_int_equal(rig.gpu->sm[0].stats.load_misses_coherent, 2 - stay);
        rig_free(&rig);
    }
}

/* ---- random programs ---- */

enum region { LOCAL, GLOBAL };

/* A program that is being written, and what it does to memory when run in order. */
struct script {
    struct front_op op[8 * LOADS];
    uint32_t n, loads;
    uint64_t base[2], out;
    uint32_t memory[2][REGION_BYTES / 4];
    uint32_t expected[LOADS][LANES];
};

static void add(struct script *s, struct front_op op)
{
    assert_true(s->n < COUNT(s->op));
    s->op[s->n++] = op;
}

/* r1 = an address for each lane: neighbours in a block or two, or 32 blocks, one each. */
static void add_address(struct script *s, enum region region, uint32_t index[LANES])
{
    static const uint32_t strides[] = {1, 1, 2, 33, 9, 0};
    const uint32_t stride = strides[(uint32_t)rand() % COUNT(strides)];
    const uint32_t room = REGION_BYTES / 4 - 31 * stride, first = (uint32_t)rand() % room;

    for (uint32_t lane = 0; lane < LANES; lane++) {
        index[lane] = first + lane * stride;
    }
    add(s, (struct front_op){.kind = FRONT_LANE,
                             .d = 1,
                             .imm = s->base[region] + 4 * (uint64_t)first,
                             .stride = 4 * (uint64_t)stride});
}

static uint8_t register_of(uint32_t load)
{
    return (uint8_t)(5 + load % (2 * LATE));
}

/* What load `n` returned goes to memory. */
static void add_log(struct script *s, uint32_t n)
{
    add(s,
        (struct front_op){.kind = FRONT_LANE, .d = 3, .imm = s->out + n * 4 * LANES, .stride = 4});
    add(s, (struct front_op){.kind = FRONT_STORE, .a = 3, .b = register_of(n)});
}

/* Some loads are on their way before the first of them is looked at. */
static void add_load(struct script *s, enum region region)
{
    uint32_t index[LANES];

    add_address(s, region, index);
    add(s, (struct front_op){
               .kind = FRONT_LOAD, .d = register_of(s->loads), .a = 1, .local = region == LOCAL});
    for (uint32_t lane = 0; lane < LANES; lane++) {
        s->expected[s->loads][lane] = s->memory[region][index[lane]];
    }
    if (s->loads >= LATE) {
        add_log(s, s->loads - LATE);
    }
    s->loads++;
}

static void add_store(struct script *s, enum region region)
{
    const bool reduces = region == GLOBAL && rand() % 4 == 0;
    const uint32_t value = (uint32_t)rand(), step = (uint32_t)rand() % 100;
    uint32_t index[LANES];

    add_address(s, region, index);
    add(s, (struct front_op){.kind = FRONT_LANE, .d = 2, .imm = value, .stride = step});
    add(s,
        (struct front_op){
            .kind = reduces ? FRONT_RED : FRONT_STORE, .a = 1, .b = 2, .local = region == LOCAL});
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t *at = &s->memory[region][index[lane]];

        *at = (reduces ? *at : 0) + value + lane * step;
    }
}

static void script_write(struct script *s)
{
    while (s->loads < LOADS) {
        const enum region region = rand() % 3 ? LOCAL : GLOBAL;

        if (rand() % 2) {
            add_load(s, region);
        } else if (s->n < 7 * LOADS) {
            add_store(s, region);
        }
    }
    for (uint32_t n = LOADS - LATE; n < LOADS; n++) {
        add_log(s, n);
    }
    add(s, (struct front_op){.kind = FRONT_EXIT});
}

/* Messages wait in no place that is not there. */
static void check_port(void *self)
{
    const struct rig *rig = self;

    assert_true(rig->gpu->sm[0].port.out.count <= rig->config.l1d_miss_queue);
}

static void run_script(const char *const *set, unsigned seed, uint64_t *written_back)
{
    struct script *s = calloc(1, sizeof *s);
    struct ledger ledger, bank;
    struct rig rig = {.options = {.after_cycle = check_port, .after_cycle_self = &rig}};

    assert_non_null(s);
    srand(seed);
    rig_make(&rig, set);
    ledger_of_l1d(&ledger, rig.gpu, 0);
    ledger_of_bank(&bank, rig.gpu, 0);
    s->base[LOCAL] = memory_alloc(rig.memory, "local", REGION_BYTES, 0);
    s->base[GLOBAL] = memory_alloc(rig.memory, "global", REGION_BYTES, 0);
    s->out = memory_alloc(rig.memory, "out", LOADS * 4 * LANES, 0);
    script_write(s);
    rig_run(&rig, s->op, s->n, 1, LANES);
    for (uint32_t n = 0; n < LOADS; n++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            if (word(&rig, s->out + 4 * (n * LANES + lane)) != s->expected[n][lane]) {
                fail_msg("seed %u: load %u, lane %u: 0x%x, not 0x%x", seed, n, lane,
                         word(&rig, s->out + 4 * (n * LANES + lane)), s->expected[n][lane]);
            }
        }
    }
    for (uint32_t at = 0; at < REGION_BYTES / 4; at++) {
        assert_int_equal(word(&rig, s->base[GLOBAL] + 4 * at), s->memory[GLOBAL][at]);
    }
    *written_back += ledger.evicted_dirty;
    ledger_check_l1d(&ledger, rig.gpu, 0);
    ledger_check_bank(&bank, rig.gpu, 0);
    ledger_check_machine(rig.gpu);
    ledger_close(&ledger);
    ledger_close(&bank);
    rig_free(&rig);
    free(s);
}

static void random_programs(void **state)
{
    static const char *const kinds[][10] = {
        {"l1d.sets=2", "l1d.ways=2", NULL},
        {"l1d.sets=2", "l1d.ways=4", "l1d.allocate=on-fill", "l2.sets=4", "l2.ways=2", NULL},
        {"l1d.sets=1", "l1d.ways=4", "l1d.global_write=through", "l1d.mshrs=4", NULL},
        {"l1d.sets=4", "l1d.ways=1", "l1d.miss_queue=2", "l2.write=evict", "l2.sets=2", NULL},
        {"l1d.sets=2", "l1d.ways=2", "l1d.allocate=on-fill", "l1d.miss_queue=2",
         "l2.write=back-fetch", "l2.sets=2", "l2.ways=4", NULL},
        {"l1d.sets=2", "l1d.ways=2", "l1d.local_write=as-global", "l2.sets=1", "l2.ways=2", NULL},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        uint64_t written_back = 0;

        for (unsigned seed = 1; seed <= 20; seed++) {
            run_script(kinds[k], seed, &written_back);
        }
        /* Were dirty lines evicted at all? */
        assert_int_equal(written_back > 20, k != COUNT(kinds) - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dirty_line_survives_eviction),
        cmocka_unit_test(copies_stay),
        cmocka_unit_test(random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
