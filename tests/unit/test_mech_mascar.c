/* test_mech_mascar - MASCAR and the replay queue of the LD/ST unit (wang2015 3.15): what is
 * set aside lets others pass, a block's accesses keep their order, and one warp at a time
 * issues memory instructions while the machine is saturated. */
#include "test_mech.h"
#include "test_plug.h"

enum { LANES = 32 };

/* One warp's divergent load takes all entries; another warp then reads a block that is there
 * already.  How long does that hit wait in the LD/ST unit? */
static uint64_t hit_behind_misses(const char *queue)
{
    const char *const changes[] = {
        "l1d.mshrs=4", "l1d.allocate=on-fill", "l1d.sets=64", "l1d.ways=8", queue, NULL};
    struct mech m;
    mech_make(&m, changes, NULL);
    const uint64_t far = memory_alloc(m.rig.memory, "far", LANES * 128, 1 << 20);
    const uint64_t near = memory_alloc(m.rig.memory, "near", 128, 128);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = near, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SFU, .d = 3, .a = 2},
                                  {.kind = FRONT_LANE, .d = 4, .imm = far, .stride = 128},
                                  {.kind = FRONT_LOAD, .d = 5, .a = 4},
                                  {.kind = FRONT_LOAD, .d = 6, .a = 1},
                                  {.kind = FRONT_EXIT}};
    rig_run(&m.rig, op, COUNT(op), 1, LANES);
    const struct sm_stats stats = m.rig.gpu->sm[0].stats;
    assert_int_equal(stats.load_misses_divergent, LANES);
    assert_int_equal(stats.load_hits_coherent, 1);
    mech_free(&m);
    return stats.occlusion_coherent;
}

/* Without a queue it waits for 28 of the misses to find an entry; 28 places let it pass, with
 * the cycle in which each of the 32 is presented. */
static void hit_passes(void **state)
{
    (void)state;
    const uint64_t blocked = hit_behind_misses(NULL),
                   passing = hit_behind_misses("ldst.replay_queue=32");
    assert_true(passing <= LANES);
    assert_true(blocked > 10 * passing);
    /* A queue that is full blocks as before. */
    assert_true(hit_behind_misses("ldst.replay_queue=8") > 2 * passing);
}

/* All lanes read blocks of their own, then write them; the values read are those before.  With
 * few entries most of the reads are still set aside when the writes come. */
static void store_stays_behind_load(void **state)
{
    static const char *const queues[] = {"ldst.replay_queue=0", "ldst.replay_queue=3",
                                         "ldst.replay_queue=32"};
    (void)state;
    for (size_t q = 0; q < COUNT(queues); q++) {
        const char *const changes[] = {"l1d.mshrs=2", "l1d.allocate=on-fill", queues[q], NULL};
        struct mech m;
        mech_make(&m, changes, NULL);
        const uint64_t from = memory_alloc(m.rig.memory, "from", LANES * 128, 1 << 20);
        const uint64_t to = memory_alloc(m.rig.memory, "to", LANES * 4, 128);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t value = 1000 + lane;
            gpu_poke(m.rig.gpu, from + 128 * lane, &value, 4);
        }
        const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = from, .stride = 128},
                                      {.kind = FRONT_LANE, .d = 2, .imm = 5000, .stride = 1},
                                      {.kind = FRONT_LANE, .d = 3, .imm = to, .stride = 4},
                                      {.kind = FRONT_LOAD, .d = 4, .a = 1},
                                      {.kind = FRONT_STORE, .a = 1, .b = 2},
                                      {.kind = FRONT_STORE, .a = 3, .b = 4},
                                      {.kind = FRONT_LOAD, .d = 5, .a = 1},
                                      {.kind = FRONT_SUM, .d = 6, .a = 5, .b = 4},
                                      {.kind = FRONT_STORE, .a = 3, .b = 6},
                                      {.kind = FRONT_EXIT}};
        rig_run(&m.rig, op, COUNT(op), 1, LANES);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t value;
            gpu_peek(m.rig.gpu, to + 4 * lane, &value, 4);
            assert_int_equal(value, 1000 + lane + 5000 + lane);
        }
        assert_int_equal(m.rig.gpu->sm[0].replay.count, 0);
        assert_true((m.rig.gpu->sm[0].replay.taken > 0) == (q > 0));
        mech_free(&m);
    }
}

/* Who issues memory instructions in a cycle that begins saturated? */
struct watch {
    struct sm *sm;
    bool saturated;
    int owner;
    uint32_t issues, changes;
};

static bool watch_begin(void *self, uint64_t now, uint64_t skipped)
{
    struct watch *w = self;
    (void)now, (void)skipped;
    w->saturated = w->sm->mshr.n - w->sm->mshr.used <= 1 ||
                   w->sm->port.out.count + 1 >= w->sm->config->l1d_miss_queue;
    w->owner = w->saturated ? w->owner : -1;
    return true;
}

static bool watch_end(void *self)
{
    (void)self;
    return true;
}

static void watch_issue(void *self, uint32_t sm, uint32_t slot, uint32_t pc, bool is_load,
                        uint32_t mask, uint32_t priority)
{
    struct watch *w = self;
    (void)sm, (void)pc, (void)is_load, (void)mask, (void)priority;
    if (!w->saturated) {
        return;
    }
    w->issues++;
    w->changes += w->owner != -1 && w->owner != (int)slot;
    w->owner = (int)slot;
}

/* Each warp reads `times` new lines, one after the other with no use in between: ready with
 * its next load at once.  One warp after the other then makes its loads while saturated. */
static struct watch run_streams(const char *mechanism)
{
    enum { WARPS = 8, TIMES = 8 };
    static const char *const changes[] = {"l1d.mshrs=4", "l1d.allocate=on-fill",
                                          "ldst.replay_queue=32", NULL};
    struct mech m;
    mech_make(&m, changes, mechanism);
    struct watch watch = {.sm = &m.rig.gpu->sm[0], .owner = -1};
    test_clock(&m.rig, &(struct clocked_socket){&watch, watch_begin, watch_end});
    test_watch(&m.rig, &(struct observer){.self = &watch, .issue_mem = watch_issue});
    const uint64_t apart = WARPS * LANES * 4;
    const uint64_t base = memory_alloc(m.rig.memory, "lines", apart * (TIMES + 1), 1 << 20);
    const struct front_op op[] = {{.kind = FRONT_THREAD, .d = 1, .imm = base, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = apart},
                                  {.kind = FRONT_LOAD, .d = 3, .a = 1},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = apart},
                                  {.kind = FRONT_LOAD, .d = 4, .a = 1},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = apart},
                                  {.kind = FRONT_LOAD, .d = 5, .a = 1},
                                  {.kind = FRONT_EXIT}};
    rig_run(&m.rig, op, COUNT(op), 1, WARPS * LANES);
    mech_free(&m);
    return watch;
}

/* The owner gives way only when it cannot go on: each of the eight warps becomes it at most
 * once, having no use of its data before its last load. */
static void one_owner(void **state)
{
    (void)state;
    const struct watch with = run_streams("mascar"), without = run_streams(NULL);
    assert_true(with.issues > 8);
    assert_true(with.changes <= 7);
    assert_true(without.changes > with.changes);
}

static void needs_a_queue(void **state)
{
    struct rig rig = {0};
    char error[512] = "";
    (void)state;
    rig_make(&rig, NULL);
    assert_null(run_units_attach(rig.gpu, "mascar", NULL, error, sizeof error));
    assert_string_equal(error, "mascar: stalled accesses are re-executed from a queue (wang2015 "
                               "3.15: 32 entries); set ldst.replay_queue=32");
    rig_free(&rig);
}

static void order_is_needed(void **state)
{
    static const char *const changes[] = {"ldst.replay_queue=32", "l1d.allocate=on-fill", NULL};
    static const char *const kinds[] = {"oaws-dyn", "fcw-only"};
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct rig rig = {0};
        char error[512] = "";
        rig_make(&rig, changes);
        assert_null(run_units_attach(rig.gpu, kinds[k], NULL, error, sizeof error));
        assert_non_null(strstr(error, "set ldst.replay_queue=0"));
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hit_passes),      cmocka_unit_test(store_stays_behind_load),
        cmocka_unit_test(one_owner),       cmocka_unit_test(needs_a_queue),
        cmocka_unit_test(order_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
