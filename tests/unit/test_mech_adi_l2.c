/* test_mech_adi_l2 - an L2 bank whose set index changes (aci 3.8.3, 3.8.6): what is written
 * into a doomed line reaches memory, requests wait while the bank is flushed, and dirty
 * lines are written back one by one. */
#include "test_plug.h"

#include <jansson.h>

#include "cli/run_units.h"

/* A stand-in that flushes the bank in one tick, or closes it for a while. */
struct meddler {
    struct l2_bank *bank;
    uint64_t flush_at, close_from, close_to; /* L2 ticks */
    uint32_t in_flight;                      /* MSHR entries in use at the flush */
};

static bool meddle(void *self, uint64_t tick, uint64_t skipped)
{
    struct meddler *meddler = self;
    (void)skipped;
    if (tick == meddler->flush_at) {
        meddler->in_flight = meddler->bank->mshr.used;
        for (uint32_t set = 0; set < meddler->bank->cache.sets; set++) {
            l2_flush_set(meddler->bank, set);
        }
    }
    return tick < meddler->close_from || tick >= meddler->close_to;
}

static bool stay_awake(void *self)
{
    (void)self;
    return true;
}

static void make(struct rig *rig, struct meddler *meddler)
{
    rig_make(rig, NULL);
    meddler->bank = &rig->gpu->bank[0];
    test_clock_bank(rig, &(struct clocked_socket){meddler, meddle, stay_awake});
}

static uint32_t lines_in_use(const struct l2_bank *bank)
{
    uint32_t n = 0;
    for (uint32_t set = 0; set < bank->cache.sets; set++) {
        n += bank->cache.ways - (uint32_t)__builtin_popcount(bank->cache.invalid[set]);
    }
    return n;
}

/* 32 lanes add 5 to words that hold their number; the line is written while doomed or not. */
static void add_five(struct rig *rig, uint64_t *cycles)
{
    uint64_t base = memory_alloc(rig->memory, "a", 4096, 128);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4},
                                  {.kind = FRONT_LANE, .d = 2, .imm = 5},
                                  {.kind = FRONT_RED, .a = 1, .b = 2},
                                  {.kind = FRONT_FENCE},
                                  {.kind = FRONT_EXIT}};
    for (uint32_t i = 0; i < 32; i++) {
        gpu_poke(rig->gpu, base + 4 * i, &i, 4);
    }
    *cycles = rig_run(rig, op, COUNT(op), 1, 32);
    for (uint32_t i = 0, value; i < 32; i++) {
        gpu_peek(rig->gpu, base + 4 * i, &value, 4);
        assert_int_equal(value, i + 5);
    }
}

static void written_while_doomed(void **state)
{
    struct rig rig = {0};
    struct meddler meddler = {.flush_at = 150};
    uint64_t cycles;
    (void)state;
    make(&rig, &meddler);
    add_five(&rig, &cycles);
    assert_int_equal(meddler.in_flight, 1);
    assert_int_equal(meddler.bank->stats.write_backs, 1);
    assert_int_equal(lines_in_use(meddler.bank), 0);
    rig_free(&rig);

    meddler = (struct meddler){.flush_at = UINT64_MAX}; /* and without a flush it stays */
    make(&rig, &meddler);
    add_five(&rig, &cycles);
    assert_int_equal(meddler.bank->stats.write_backs, 0);
    assert_int_equal(lines_in_use(meddler.bank), 1);
    rig_free(&rig);
}

/* Closed from before the request arrives to 400 ticks after the run would have ended: the run
 * takes as much longer as the request waits, and every such tick is counted. */
static void requests_wait_while_closed(void **state)
{
    struct rig rig = {0};
    struct meddler meddler = {.flush_at = UINT64_MAX};
    uint64_t open, closed;
    (void)state;
    make(&rig, &meddler);
    add_five(&rig, &open);
    rig_free(&rig);
    meddler = (struct meddler){.flush_at = UINT64_MAX, .close_to = open + 400};
    make(&rig, &meddler);
    add_five(&rig, &closed);
    assert_true(meddler.bank->stats.fail_protocol > 400);
    assert_int_equal(closed - open, meddler.bank->stats.fail_protocol);
    rig_free(&rig);
}

/* Stores make every line of a walk dirty; each changed bit flushes 64 sets, one per tick, and
 * takes one more tick for every line that is written back. */
static void flush_takes_a_tick_per_set_and_dirty_line(void **state)
{
    struct rig rig = {0};
    char error[512] = "";
    (void)state;
    rig_make(&rig, NULL);
    uint64_t base = memory_alloc(rig.memory, "a", 1 << 20, 1 << 20);
    struct run_units *units = run_units_attach(
        rig.gpu, "adi:level=l2:engine.nv=64:engine.ns=64:engine.ni=4:engine.m=6", NULL, error,
        sizeof error);
    assert_string_equal(error, "");
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 1 << 15},
                                  {.kind = FRONT_STORE, .a = 1, .b = 1},
                                  {.kind = FRONT_FENCE},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = 4},
                                  {.kind = FRONT_LOOP, .imm = 1, .stride = 24},
                                  {.kind = FRONT_EXIT}};
    rig_run(&rig, op, COUNT(op), 1, 32);
    json_t *all = run_units_json(units), *adi = json_object_get(all, "l2-adi");
    const json_int_t changed = json_integer_value(json_object_get(adi, "bits_changed"));
    const json_int_t written = json_integer_value(json_object_get(adi, "write_backs"));
    assert_true(changed > 0);
    assert_true(written > 0);
    /* Every line is written by its store alone, so none leaves by a flush without a write-back. */
    assert_int_equal(json_integer_value(json_object_get(adi, "lines_flushed")), written);
    const uint64_t sets = rig.gpu->config.l2_sets;
    const json_int_t cycles = json_integer_value(json_object_get(adi, "flush_cycles"));
    assert_true((uint64_t)cycles >= (uint64_t)changed * sets + (uint64_t)written);
    assert_true(rig.gpu->bank[0].stats.write_backs >= (uint64_t)written);
    json_decref(all);
    run_units_detach(units);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_while_doomed),
        cmocka_unit_test(requests_wait_while_closed),
        cmocka_unit_test(flush_takes_a_tick_per_set_and_dirty_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
