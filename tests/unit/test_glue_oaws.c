/* test_glue_oaws - what OAWS gives its units while kernels run, by the words of wang2015 3.16:
 * every load that issues adds its prediction to Miss_inflight, a coherent one 1, and gives back
 * what it carried when it retires; the classifier sees divergent loads alone. */
#include "test_glue.h"

enum { LANES = 32, APART = LANES * 128 };

static const char *const machine[] = {"l1d.allocate=on-fill", "l1d.mshrs=32", NULL};
static const char *const watch[] = {
    "oaws_budget", "issue_valid issue_pred retire_valid retire_pred",
    "oaws_dlc",    "coal_valid coal_pc coal_nreq acc_valid acc_pc acc_miss",
    "dac_part",    "retire_valid nreq miss_seen gprio",
    NULL};

/* Each of `threads` loads, at pc 1, waits for it and stores, `times` times: `stride` bytes from
 * its neighbour, `step` from what it loaded before. */
static void run(struct glue *g, uint64_t stride, uint32_t threads, uint64_t times, uint64_t step)
{
    const uint64_t base = memory_alloc(g->rig.memory, "blocks", 2 * APART * (times + 1), 1 << 20);
    const uint64_t out = memory_alloc(g->rig.memory, "out", 2 * 128, 0);
    const struct front_op op[] = {{.kind = FRONT_THREAD, .d = 1, .imm = base, .stride = stride},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1},
                                  {.kind = FRONT_THREAD, .d = 4, .imm = out, .stride = 4},
                                  {.kind = FRONT_STORE, .a = 4, .b = 3},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = step},
                                  {.kind = FRONT_LOOP, .imm = 1, .stride = times},
                                  {.kind = FRONT_EXIT}};

    rig_run(&g->rig, op, COUNT(op), 1, threads);
}

/* "Miss_inflight += pred (1 if coherent); load carries pred": one request or two. */
static void coherent_load_counts_one(void **state)
{
    static const uint64_t strides[] = {4, 8};
    static const char *const kinds[] = {"oaws-static", "oaws-dyn"};

    for (size_t k = 0; k < COUNT(strides) * COUNT(kinds); k++) {
        struct glue *g = glue_new(state, machine, kinds[k / 2], watch);

        run(g, strides[k % 2], LANES, 2, APART);
        glue_expect(g, "oaws_budget",
                    "issue_valid=1 issue_pred=1\n"
                    "issue_pred=1 retire_valid=1 retire_pred=1\n"
                    "issue_valid=1 issue_pred=1\n"
                    "issue_pred=1 retire_valid=1 retire_pred=1\n");
        glue_free(g);
    }
}

/* Its first execution is unpredicted, as if it were coherent; then half of its 32 lanes. */
static void divergent_load_counts_its_prediction(void **state)
{
    struct glue *g = glue_new(state, machine, "oaws-static", watch);

    run(g, 128, LANES, 2, APART);
    glue_expect(g, "oaws_budget",
                "issue_valid=1 issue_pred=1\n"
                "issue_pred=1 retire_valid=1 retire_pred=1\n"
                "issue_valid=1 issue_pred=16\n"
                "issue_pred=16 retire_valid=1 retire_pred=16\n");
    glue_free(g);
}

/* D-OAWS-1: a serviced miss is given back at once, the rest at retirement. */
static void serviced_misses_are_given_back(void **state)
{
    struct glue *g = glue_new(state, machine, "oaws-static:release=access", watch);

    run(g, 128, 3, 2, APART);
    glue_expect(g, "oaws_budget",
                "issue_valid=1 issue_pred=1\n"
                "issue_pred=1 retire_valid=1 retire_pred=1\n"
                "issue_pred=1 retire_valid=1\n"
                "issue_pred=1 retire_valid=1\n"
                "issue_valid=1 issue_pred=2\n"
                "issue_pred=2 retire_valid=1 retire_pred=1\n"
                "issue_pred=2 retire_valid=1 retire_pred=1\n"
                "issue_pred=2 retire_valid=1\n");
    glue_free(g);
}

/* The classifier hears of every load when it is coalesced, and of the accesses of divergent ones:
 * the first time they miss, the second time they hit. */
static void divergent_accesses_are_counted(void **state)
{
    struct glue *g = glue_new(state, machine, "oaws-dyn:dlc.ONE_CYCLE=1", watch);

    run(g, 128, 3, 2, 0);
    glue_expect(g, "oaws_dlc",
                "coal_valid=1 coal_pc=1 coal_nreq=3\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1 acc_miss=1\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1 acc_miss=1\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1 acc_miss=1\n"
                "coal_valid=1 coal_pc=1 coal_nreq=3 acc_pc=1 acc_miss=1\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1\n");
    glue_free(g);
    g = glue_new(state, machine, "oaws-dyn:dlc.ONE_CYCLE=1", watch);
    run(g, 8, LANES, 1, 0);
    glue_expect(g, "oaws_dlc", "coal_valid=1 coal_pc=1 coal_nreq=2\n");
    glue_free(g);
}

/* One that takes several cycles is told the same, but for the hits, which change nothing; what it
 * does not take, behind a look-up, is held. */
static void requests_wait_for_the_classifier(void **state)
{
    struct glue *g = glue_new(state, machine, "oaws-dyn", watch);

    run(g, 128, 3, 2, 0);
    glue_expect(g, "oaws_dlc",
                "coal_valid=1 coal_pc=1 coal_nreq=3\n"
                "coal_valid=1 coal_pc=1 coal_nreq=3\n"
                "coal_valid=1 coal_pc=1 coal_nreq=3\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1 acc_miss=1\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1 acc_miss=1\n"
                "coal_pc=1 coal_nreq=3 acc_valid=1 acc_pc=1 acc_miss=1\n"
                "coal_valid=1 coal_pc=1 coal_nreq=3 acc_pc=1 acc_miss=1\n");
    glue_free(g);
}

/* The partition is trained by divergent loads with the age in the SM (D-FCW-2): the second warp
 * is the oldest of its scheduler. */
static void training_by_age_in_the_sm(void **state)
{
    struct glue *g = glue_new(state, machine, "oaws-dyn", watch);

    run(g, 128, 2 * LANES, 2, 0);
    glue_expect(g, "dac_part",
                "retire_valid=1 nreq=32 miss_seen=1\n"
                "retire_valid=1 nreq=32 miss_seen=1 gprio=1\n"
                "retire_valid=1 nreq=32\n"
                "retire_valid=1 nreq=32 gprio=1\n");
    glue_free(g);
    g = glue_new(state, machine, "oaws-dyn", watch);
    run(g, 4, 2 * LANES, 2, 0);
    glue_expect(g, "dac_part", "");
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coherent_load_counts_one),
        cmocka_unit_test(divergent_load_counts_its_prediction),
        cmocka_unit_test(serviced_misses_are_given_back),
        cmocka_unit_test(divergent_accesses_are_counted),
        cmocka_unit_test(requests_wait_for_the_classifier),
        cmocka_unit_test(training_by_age_in_the_sm),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
