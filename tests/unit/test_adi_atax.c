/* test_adi_atax - V-ADI-8 (aci 3.7.10): adi_engine finds A14..A18 for the column walk of
 * ATAX, in both documents' sense of the period, in every form of the unit; the exact mean
 * run period makes the same choices. */
#include "test_index.h"

#include "mechanisms/adi/adi_mrp.h"

enum { S = 5, NB = 25, OFFS_W = 7, ROUNDS = 6, VIC = 0, SEL = 1, IDLE = 2, BUSY = 3 };

struct variant {
    const char *overrides;
    unsigned period; /* nv = ns */
    unsigned most_toggles[ROUNDS];
};

/* Victim positions, selectors after each round as address bits, and whether it flushes. */
static const struct {
    unsigned victim, selectors[S];
    bool flushes;
} rounds[ROUNDS] = {
    {0, {14, 8, 9, 10, 11}, true},   {1, {14, 15, 9, 10, 11}, true},
    {2, {14, 15, 16, 10, 11}, true}, {3, {14, 15, 16, 17, 11}, true},
    {4, {14, 15, 16, 17, 18}, true}, {0, {14, 15, 16, 17, 18}, false},
};

struct run {
    struct pins pins;
    uint64_t accesses; /* of the stream so far */
    struct adi_mrp mrp;
    bool in_selection;
};

/* Element i of a state field; the form must have a state view. */
static uint64_t field(const struct run *run, const char *name, unsigned i)
{
    const struct unit_desc *desc = run->pins.backend->desc;
    const unsigned char *state = run->pins.backend->state(run->pins.self);
    for (unsigned f = 0; f < desc->n_state; f++) {
        if (strcmp(desc->state[f].name, name) == 0) {
            uint64_t value = 0;
            memcpy(&value, state + desc->state[f].offset_bytes + i * desc->state[f].element_bytes,
                   desc->state[f].element_bytes);
            return value;
        }
    }
    fail_msg("no state field %s", name);
    return 0;
}

static unsigned selector(const struct run *run, unsigned position)
{
    const struct unit_desc *desc = run->pins.backend->desc;
    return (unsigned)run->pins.out[pin_slot(desc->out, desc->n_out, "idx_sel") + position];
}

static void edge(struct run *run, bool rst)
{
    run->pins.backend->seq(run->pins.self, run->pins.in, rst);
    run->pins.backend->comb(run->pins.self, run->pins.in, run->pins.out);
}

/* One access of the stream: thread t of column j, a read miss; never in sub-phase 3. */
static void access_next(struct run *run)
{
    const uint64_t t = run->accesses % 32, j = run->accesses / 32;
    const uint32_t block = (uint32_t)((t * 16384 + 4 * j) >> OFFS_W);
    if (run->in_selection) {
        adi_mrp_access(&run->mrp, block);
    }
    pin_set(&run->pins, "acc_valid", 1);
    pin_set(&run->pins, "acc_blk", block);
    edge(run, false);
    pin_set(&run->pins, "acc_valid", 0);
    run->accesses++;
}

/* Accesses while the sub-phase is `phase`, then idle cycles until a decision is over;
 * returns the number of accesses. */
static unsigned run_phase(struct run *run, unsigned phase)
{
    unsigned n = 0;
    assert_int_equal(pin_get(&run->pins, "sub_phase"), phase);
    do {
        access_next(run);
        n++;
    } while (pin_get(&run->pins, "sub_phase") == phase && n < 5000);
    for (unsigned i = 0; i < 32; i++) {
        if (pin_get(&run->pins, "sub_phase") == BUSY && pin_get(&run->pins, "flush_req") == 0) {
            edge(run, false);
        }
    }
    return n;
}

/* A flush of 32 cycles; the selectors change at its end, not before. */
static void flush(struct run *run, unsigned victim, unsigned before)
{
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(pin_get(&run->pins, "flush_req"), 1);
        assert_int_equal(selector(run, victim), before);
        pin_set(&run->pins, "flush_done", i == 31);
        edge(run, false);
    }
    pin_set(&run->pins, "flush_done", 0);
    edge(run, false);
}

/* E of V-ADI-8: half of the period for each position already moved, else 0. */
static void check_entropy(const struct run *run, unsigned round, unsigned period)
{
    for (unsigned i = 0; i < S; i++) {
        const uint64_t ones = field(run, "ce", i);
        const uint64_t entropy = ones < period - ones ? ones : period - ones;
        assert_int_equal(entropy, i < round ? period / 2 : 0);
    }
}

static void check_toggles(const struct run *run, unsigned most)
{
    uint64_t top = 0;
    for (unsigned k = 0; k < NB - S + 1; k++) {
        top = field(run, "tog", k) > top ? field(run, "tog", k) : top;
    }
    assert_int_equal(top, most);
}

static void play_round(struct run *run, const struct variant *variant, unsigned round)
{
    const bool has_state = run->pins.backend->state != NULL;
    unsigned selectors[S];
    for (unsigned i = 0; i < S; i++) {
        selectors[i] = selector(run, i);
    }
    assert_int_equal(run_phase(run, VIC), variant->period);
    if (has_state) {
        check_entropy(run, round, variant->period);
        assert_int_equal(field(run, "vic_pos", 0), rounds[round].victim);
    }
    adi_mrp_begin(&run->mrp, selectors, S, rounds[round].victim, NB);
    run->in_selection = true;
    assert_int_equal(run_phase(run, SEL), variant->period);
    run->in_selection = false;
    if (has_state) {
        check_toggles(run, variant->most_toggles[round]);
    }
    assert_int_equal(pin_get(&run->pins, "flush_req"), rounds[round].flushes);
    if (rounds[round].flushes) {
        flush(run, rounds[round].victim, selectors[rounds[round].victim]);
    }
    for (unsigned i = 0; i < S; i++) {
        assert_int_equal(selector(run, i) + OFFS_W, rounds[round].selectors[i]);
    }
    assert_int_equal(adi_mrp_choose(&run->mrp), selector(run, rounds[round].victim));
    run_phase(run, IDLE);
}

static void play(void **state, const struct variant *variant)
{
    for (unsigned f = 0; f < N_FORMS; f++) {
        struct run run = {.accesses = 0};
        pins_open(&run.pins, state, "adi/adi_engine", variant->overrides, forms[f]);
        pin_set(&run.pins, "enable", 1);
        pin_set(&run.pins, "acc_miss", 1);
        edge(&run, true);
        for (unsigned round = 0; round < ROUNDS; round++) {
            play_round(&run, variant, round);
        }
        pins_close(&run.pins);
    }
}

static void v_adi_8_1024(void **state)
{
    play(state, &(struct variant){"", 1024, {1023, 1022, 1020, 1016, 1008, 1008}});
}

static void v_adi_8_64(void **state)
{
    play(state, &(struct variant){"M=6,NV=64,NS=64,NI=4", 64, {63, 62, 60, 56, 48, 48}});
}

/* Every reading of layout and latency makes the same choices. */
static void v_adi_8_64_uncompressed(void **state)
{
    play(state, &(struct variant){
                    "COMPACT=0,M=6,NV=64,NS=64,NI=16,ADI_DEC_CYC=5", 64, {63, 62, 60, 56, 48, 48}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v_adi_8_1024),
        cmocka_unit_test(v_adi_8_64),
        cmocka_unit_test(v_adi_8_64_uncompressed),
    };
    return cmocka_run_group_tests_name("adi_atax", tests, library_setup, library_teardown);
}
