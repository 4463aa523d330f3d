/* test_glue_adi - which accesses adaptive indexing sees, and as what, by the words of
 * aci-iacm-blpp 3.7.4: a bypass is a miss, a hit on a reserved line is none, writes to global
 * memory are told apart at the L1D, and at the L2 everything is an access. */
#include "test_glue.h"

static const char *const engine[] = {"adi_engine",
                                     "acc_valid acc_miss acc_gwrite acc_blk kernel_start", NULL};

/* Loads, and stores to global and to local memory, of blocks 16, 17, ... */
static void tell(struct glue *g)
{
    glue_load(g, (struct glue_access){.block = 16, .results = "HRMB"});
    glue_store(g, (struct glue_access){.block = 32, .results = "HM"});
    glue_store(g, (struct glue_access){.block = 48, .results = "HM", .local = true});
}

static void l1d_accesses(void **state)
{
    static const struct {
        const char *mechanism, *expected;
    } kinds[] = {{"adi", "acc_valid=1 acc_blk=16\n"
                         "acc_valid=1 acc_blk=17\n"
                         "acc_valid=1 acc_miss=1 acc_blk=18\n"
                         "acc_valid=1 acc_miss=1 acc_blk=19\n"
                         "acc_valid=1 acc_gwrite=1 acc_blk=32\n"
                         "acc_valid=1 acc_miss=1 acc_gwrite=1 acc_blk=33\n"
                         "acc_valid=1 acc_blk=48\n"
                         "acc_valid=1 acc_miss=1 acc_blk=49\n"},
                 {"ascib", /* as for a CPU: all writes count */
                  "acc_valid=1 acc_blk=16\n"
                  "acc_valid=1 acc_blk=17\n"
                  "acc_valid=1 acc_miss=1 acc_blk=18\n"
                  "acc_valid=1 acc_miss=1 acc_blk=19\n"
                  "acc_valid=1 acc_blk=32\n"
                  "acc_valid=1 acc_miss=1 acc_blk=33\n"
                  "acc_valid=1 acc_blk=48\n"
                  "acc_valid=1 acc_miss=1 acc_blk=49\n"}};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = glue_new(state, NULL, kinds[k].mechanism, engine);

        tell(g);
        glue_expect(g, "adi_engine", kinds[k].expected);
        glue_begin(g); /* nothing happens in this cycle, and a prefetch is no access */
        const struct access_info prefetch = {.block = 128, .kind = ACCESS_PREFETCH};
        OBSERVE(*glue_sockets(g), prefetch, 0, &prefetch, 0);
        glue_end(g);
        glue_expect(g, "adi_engine", "");
        glue_free(g);
    }
}

/* An access that is replayed is seen once, when it is accepted. */
static void stalls_are_invisible(void **state)
{
    struct glue *g = glue_new(state, NULL, "adi", engine);
    const struct access_info access = {.block = 16 * 128, .n_requests = 1};

    for (uint32_t reason = 0; reason < STALL_REASONS; reason++) {
        glue_begin(g);
        OBSERVE(*glue_sockets(g), acc_stall, 0, &access, (enum stall_reason)reason, 1);
        glue_end(g);
    }
    glue_expect(g, "adi_engine", "");
    glue_free(g);
}

/* The same, accepted by the machine: of two warps that load one block at once the first misses,
 * the second meets the reserved line, and when the data are there both hit. */
static void reserved_hit_in_a_machine(void **state)
{
    struct glue *g = glue_new(state, NULL, "adi", engine);
    const uint64_t base = memory_alloc(g->rig.memory, "block", 128, 1 << 20);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1},
                                  {.kind = FRONT_BAR},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_EXIT}};
    char expected[256];
    const unsigned long long block = base / 128 & ((1 << 25) - 1);

    rig_run(&g->rig, op, COUNT(op), 1, 64);
    snprintf(expected, sizeof expected,
             "kernel_start=1\n"
             "acc_valid=1 acc_miss=1 acc_blk=%llu\n"
             "acc_valid=1 acc_blk=%llu\n"
             "acc_valid=1 acc_blk=%llu\n"
             "acc_valid=1 acc_blk=%llu\n",
             block, block, block, block);
    glue_expect(g, "adi_engine", expected);
    glue_free(g);
}

/* At the L2 stores and atomics are accesses like loads (the filter does not apply). */
static void l2_accesses(void **state)
{
    static const struct {
        uint8_t kind;
        enum access_result result;
    } accesses[] = {{ACCESS_LOAD, RESULT_HIT},    {ACCESS_LOAD, RESULT_HIT_RESERVED},
                    {ACCESS_LOAD, RESULT_MISS},   {ACCESS_LOAD, RESULT_BYPASS},
                    {ACCESS_STORE, RESULT_HIT},   {ACCESS_STORE, RESULT_MISS},
                    {ACCESS_ATOMIC, RESULT_MISS}, {ACCESS_ATOMIC, RESULT_HIT_RESERVED}};
    struct glue *g = glue_new(state, NULL, "adi:level=l2", engine);
    struct bank_sockets *s = &g->rig.gpu->bank[0].sockets;

    for (uint32_t n = 0; n < COUNT(accesses); n++) {
        const struct access_info access = {.block = (16 + n) * 128, .kind = accesses[n].kind};

        clocked_begin(s->clocked, s->n_clocked, n, &s->clocked_next);
        OBSERVE(*s, acc_result, 0, &access, 0, accesses[n].result);
        clocked_end(s->clocked, s->n_clocked);
    }
    glue_expect(g, "adi_engine",
                "acc_valid=1 acc_blk=16\n"
                "acc_valid=1 acc_blk=17\n"
                "acc_valid=1 acc_miss=1 acc_blk=18\n"
                "acc_valid=1 acc_miss=1 acc_blk=19\n"
                "acc_valid=1 acc_blk=20\n"
                "acc_valid=1 acc_miss=1 acc_blk=21\n"
                "acc_valid=1 acc_miss=1 acc_blk=22\n"
                "acc_valid=1 acc_blk=23\n");
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1d_accesses),
        cmocka_unit_test(stalls_are_invisible),
        cmocka_unit_test(reserved_hit_in_a_machine),
        cmocka_unit_test(l2_accesses),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
