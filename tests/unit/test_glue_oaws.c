/* test_glue_oaws - what OAWS gives its units while kernels run, by the words of wang2015 3.16:
 * every load that issues adds its prediction to Miss_inflight, a coherent one 1, and gives back
 * what it carried when it retires; the classifier sees divergent loads alone. */
#include "test_glue.h"

enum { LANES = 32 };

static const char *const machine[] = {"l1d.allocate=on-fill", "l1d.mshrs=32", NULL};
static const char *const watch[] = {
    "oaws_budget", "issue_valid issue_pred retire_valid retire_pred",
    "oaws_dlc",    "coal_valid coal_pc coal_nreq acc_valid acc_pc acc_miss",
    "dac_part",    "retire_valid nreq miss_seen gprio",
    NULL};

/* A warp loads `stride` bytes apart, waits for it, and stores: `times` times, at pc 1. */
static void run(struct glue *g, uint64_t stride, uint32_t lanes, uint64_t times)
{
    const uint64_t base = memory_alloc(g->rig.memory, "blocks", LANES * 128 * (times + 1), 1 << 20);
    const uint64_t out = memory_alloc(g->rig.memory, "out", 128, 0);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = base, .stride = stride},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1},
                                  {.kind = FRONT_LANE, .d = 4, .imm = out, .stride = 4},
                                  {.kind = FRONT_STORE, .a = 4, .b = 3},
                                  {.kind = FRONT_ADD, .d = 1, .a = 1, .imm = LANES * 128},
                                  {.kind = FRONT_LOOP, .imm = 1, .stride = times},
                                  {.kind = FRONT_EXIT}};

    rig_run(&g->rig, op, COUNT(op), 1, lanes);
}

/* "Miss_inflight += pred (1 if coherent); load carries pred": one request or two. */
static void coherent_load_counts_one(void **state)
{
    static const uint64_t strides[] = {4, 8};
    static const char *const kinds[] = {"oaws-static", "oaws-dyn", "oaws-static:inflight=access"};

    (void)state;
    for (size_t k = 0; k < 2 * 2; k++) {
        struct glue *g = glue_new(machine, kinds[k / 2], watch);

        run(g, strides[k % 2], LANES, 2);
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
    struct glue *g = glue_new(machine, "oaws-static", watch);

    (void)state;
    run(g, 128, LANES, 2);
    glue_expect(g, "oaws_budget",
                "issue_valid=1 issue_pred=1\n"
                "issue_pred=1 retire_valid=1 retire_pred=1\n"
                "issue_valid=1 issue_pred=16\n"
                "issue_pred=16 retire_valid=1 retire_pred=16\n");
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coherent_load_counts_one),
        cmocka_unit_test(divergent_load_counts_its_prediction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
