/* test_dacache_regression - TV-DAC-3 of wang2015 3.12.10: the DaCache units wired to a
 * cache of 32 sets and 8 ways behind fup28, fills being instant.  Even and odd warps are
 * on two schedulers; all loads are fully divergent.  Tags are the test's own. */
#include "test_dacache.h"

enum { SETS = 32, WAYS = 8, LANES = 32, ITERATIONS = 128, MAX_WARPS = 16, N_SCHED = 2 };
enum { LRU = -1, DYNAMIC = -2 }; /* else a fixed partition */
enum { STRIDE_BYTES = 32 << 10, G = 4, STRAIGHT_TO_MRU = 7 };

/* Fully cached loads of each warp, as runs of warps with the same count. */
struct run {
    unsigned warps, full;
};
struct outcome {
    unsigned misses;
    struct run runs[5];
    unsigned fcw, cnt; /* DYNAMIC only */
};

/* [0] an INVALID way first, lowest way id first; [1] the LRU position always. */
static const struct {
    unsigned warps;
    int policy;
    struct outcome outcomes[2];
} rows[] = {
    {4, LRU, {{512, {{4, 124}}, 0, 0}, {512, {{4, 124}}, 0, 0}}},
    {4, 2, {{4480, {{2, 124}, {2, 62}}, 0, 0}, {8448, {{2, 124}, {2, 0}}, 0, 0}}},
    {4, 4, {{512, {{4, 124}}, 0, 0}, {512, {{4, 124}}, 0, 0}}},
    {4, 6, {{512, {{4, 124}}, 0, 0}, {512, {{4, 124}}, 0, 0}}},
    {4, DYNAMIC, {{512, {{4, 124}}, 7, 180}, {512, {{4, 124}}, 7, 180}}},
    {8, LRU, {{1024, {{8, 124}}, 0, 0}, {1024, {{8, 124}}, 0, 0}}},
    {8, 2, {{18880, {{2, 124}, {6, 31}}, 0, 0}, {24832, {{2, 124}, {6, 0}}, 0, 0}}},
    {8, 4, {{12928, {{4, 124}, {4, 31}}, 0, 0}, {16896, {{4, 124}, {4, 0}}, 0, 0}}},
    {8, 6, {{6976, {{6, 124}, {2, 31}}, 0, 0}, {8960, {{6, 124}, {2, 0}}, 0, 0}}},
    {8, DYNAMIC, {{4160, {{6, 124}, {2, 75}}, 9, 190}, {16896, {{4, 124}, {4, 0}}, 4, 64}}},
    {10, LRU, {{40960, {{10, 0}}, 0, 0}, {40960, {{10, 0}}, 0, 0}}},
    {10, 4, {{22112, {{4, 124}, {3, 31}, {3, 0}}, 0, 0}, {25088, {{4, 124}, {6, 0}}, 0, 0}}},
    {10,
     DYNAMIC,
     {{22112, {{4, 124}, {3, 31}, {3, 0}}, 3, 122}, {25088, {{4, 124}, {6, 0}}, 2, 72}}},
    {16, LRU, {{65536, {{16, 0}}, 0, 0}, {65536, {{16, 0}}, 0, 0}}},
    {16, 2, {{52640, {{2, 124}, {5, 31}, {9, 0}}, 0, 0}, {57600, {{2, 124}, {14, 0}}, 0, 0}}},
    {16, 4, {{46688, {{4, 124}, {3, 31}, {9, 0}}, 0, 0}, {49664, {{4, 124}, {12, 0}}, 0, 0}}},
    {16, 6, {{40736, {{6, 124}, {1, 31}, {9, 0}}, 0, 0}, {41728, {{6, 124}, {10, 0}}, 0, 0}}},
    {16,
     DYNAMIC,
     {{50656, {{2, 124}, {2, 62}, {3, 31}, {9, 0}}, 1, 0},
      {55616, {{2, 124}, {2, 31}, {12, 0}}, 1, 0}}},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

struct machine {
    struct pins index, gauge, region, victim, stack, track, part;
    int policy;
    uint64_t blocks[SETS][WAYS];
    uint64_t valid[SETS];
    unsigned misses, full[MAX_WARPS];
};

static void machine_open(struct machine *m, void **state, const char *form, int policy,
                         bool prefer_invalid)
{
    *m = (struct machine){.policy = policy};
    unit_open(&m->index, state, "index/fup28", "", form);
    unit_open(&m->gauge, state, "dacache/dac_gauge", "", form);
    unit_open(&m->region, state, "dacache/dac_region", "", form);
    unit_open(&m->victim, state, "dacache/dac_victim", prefer_invalid ? "" : "PREF_INVALID=0",
              form);
    unit_open(&m->stack, state, "dacache/dac_stack", "", form);
    unit_open(&m->track, state, "dacache/dac_track", "", form);
    unit_open(&m->part, state, "dacache/dac_part", "", form);
}

static void machine_close(struct machine *m)
{
    struct pins *const all[] = {&m->index, &m->gauge, &m->region, &m->victim,
                                &m->stack, &m->track, &m->part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        pins_close(all[i]);
    }
}

static uint64_t partition(struct machine *m)
{
    unit_comb(&m->part);
    return m->policy >= 0 ? (uint64_t)m->policy : pin_get(&m->part, "fcw");
}

/* The stack position of a block in its set, WAYS on a miss. */
static unsigned find(struct machine *m, unsigned set, uint64_t block)
{
    const uint64_t *stack = m->stack.out + pin_slot(m->stack.backend->desc->out,
                                                    m->stack.backend->desc->n_out, "lru_stack");
    for (unsigned i = 0; i < WAYS; i++) {
        if ((m->valid[set] >> stack[i] & 1) && m->blocks[set][stack[i]] == block) {
            return i;
        }
    }
    return WAYS;
}

/* Makes room for a missing block and says where it goes. */
static void place(struct machine *m, unsigned set, uint64_t block)
{
    pin_set(&m->region, "fcw", partition(m));
    unit_comb(&m->region);
    memcpy(pin_array(&m->victim, "lru_stack"), m->stack.out, WAYS * sizeof(uint64_t));
    pin_set(&m->victim, "valid", m->valid[set]);
    pin_set(&m->victim, "p_eff", pin_get(&m->region, "p_eff"));
    pin_set(&m->victim, "uncon", m->policy == LRU);
    unit_comb(&m->victim);
    unit_comb(&m->gauge);
    assert_true(pin_get(&m->victim, "found"));
    const uint64_t way = pin_get(&m->victim, "vway");
    m->valid[set] |= UINT64_C(1) << way;
    m->blocks[set][way] = block;
    pin_set(&m->stack, "op", 2);
    pin_set(&m->stack, "pos", pin_get(&m->victim, "vpos"));
    pin_set(&m->stack, "insert_pos", pin_get(&m->gauge, "insert_pos"));
}

/* One access; true on a miss. */
static bool access_block(struct machine *m, uint64_t addr)
{
    const unsigned set = set_of(&m->index, addr);
    pin_set(&m->stack, "op", 0);
    pin_set(&m->stack, "set_index", set);
    unit_comb(&m->stack);
    const unsigned position = find(m, set, addr >> 7);
    if (position < WAYS) {
        pin_set(&m->stack, "op", 1);
        pin_set(&m->stack, "pos", position);
        pin_set(&m->stack, "climb", m->policy == LRU ? STRAIGHT_TO_MRU : G);
    } else {
        place(m, set, addr >> 7);
    }
    unit_edge(&m->stack);
    return position == WAYS;
}

static void start_load(struct machine *m, unsigned warp)
{
    pin_set(&m->gauge, "enable", m->policy != LRU);
    pin_set(&m->gauge, "prio", warp / N_SCHED);
    pin_set(&m->gauge, "nreq", LANES);
    pin_set(&m->gauge, "fcw", partition(m));
    pin_set(&m->track, "acc_valid", 0);
    pin_set(&m->track, "start_valid", 1);
    pin_set(&m->track, "start_nreq", LANES);
    unit_edge(&m->track);
    pin_set(&m->track, "start_valid", 0);
}

static void load(struct machine *m, unsigned warp, uint64_t iteration)
{
    start_load(m, warp);
    for (uint64_t lane = 0; lane < LANES; lane++) {
        const uint64_t thread = (uint64_t)warp * LANES + lane;
        const bool miss = access_block(m, 0x80000000 + thread * STRIDE_BYTES + 4 * iteration);
        m->misses += miss;
        pin_set(&m->track, "acc_valid", 1);
        pin_set(&m->track, "acc_result", miss ? 2 : 0);
        pin_set(&m->track, "acc_last", lane == LANES - 1);
        unit_comb(&m->track);
        pin_set(&m->part, "retire_valid", pin_get(&m->track, "retire_valid"));
        pin_set(&m->part, "nreq", LANES);
        pin_set(&m->part, "miss_seen", pin_get(&m->track, "miss_seen"));
        pin_set(&m->part, "gprio", warp / N_SCHED * N_SCHED);
        unit_edge(&m->track);
        unit_edge(&m->part);
    }
    m->full[warp] += !pin_get(&m->track, "miss_seen");
}

static void run_row(void **state, const char *form, unsigned row, bool prefer_invalid)
{
    const struct outcome *expected = &rows[row].outcomes[!prefer_invalid];
    struct machine m;
    machine_open(&m, state, form, rows[row].policy, prefer_invalid);
    for (uint64_t iteration = 0; iteration < ITERATIONS; iteration++) {
        for (unsigned warp = 0; warp < rows[row].warps; warp++) {
            load(&m, warp, iteration);
        }
    }
    assert_int_equal(m.misses, expected->misses);
    unsigned warp = 0;
    for (const struct run *run = expected->runs; run->warps != 0; run++) {
        for (unsigned i = 0; i < run->warps; i++) {
            assert_int_equal(m.full[warp++], run->full);
        }
    }
    assert_int_equal(warp, rows[row].warps);
    if (rows[row].policy == DYNAMIC) {
        unit_comb(&m.part);
        assert_int_equal(pin_get(&m.part, "fcw"), expected->fcw);
        assert_int_equal(pin_get(&m.part, "cnt"), expected->cnt);
    }
    machine_close(&m);
}

static void run_rows(void **state, const char *form, unsigned most_warps)
{
    for (unsigned row = 0; row < N_ROWS; row++) {
        for (unsigned column = 0; column < 2; column++) {
            if (rows[row].warps <= most_warps) {
                run_row(state, form, row, column == 0);
            }
        }
    }
}

static void tv_dac_3_c(void **state)
{
    run_rows(state, "c", MAX_WARPS);
}

static void tv_dac_3_rtl(void **state)
{
    run_rows(state, "rtl", MAX_WARPS);
}

static void tv_dac_3_netlist(void **state)
{
    run_rows(state, "netlist", 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tv_dac_3_c),
        cmocka_unit_test(tv_dac_3_rtl),
        cmocka_unit_test(tv_dac_3_netlist),
    };
    return cmocka_run_group_tests(tests, library_setup, library_teardown);
}
