/* test_glue_drd_spec - what speculation under race detection gives its units, event by event, by the
 * words of tabbakh2018 3.7.6: a load that hits under a miss is queued and renamed, validated by the
 * miss's answer, and leaves; or it fails by a signature, and it is executed again.
 *
 * Inputs keep what they were last given.  Just before the miss is performed, SM 1 may store. */
#include "test_glue_protocol.h"

static const char *const machine[] = {"machine.sms=2", "l2.write=back-fetch", NULL};
static const char *const watch[] = {
    "avu_queue", "kernel_start op warp pc id outstanding has_value binds early forced",
    "avu_rename", "op warp areg temp", NULL};

/* Where A, B and C are; the blocks that SM 1 stores to just before SM 0 reads B. */
static struct {
    struct coherence_l2_socket l2;
    uint64_t a, stored[2];
    uint32_t n_stored;
} spied;

enum { TO_B = 128, TO_C = 256 };

static void performed(void *self, const struct request *asked, struct reply *msg,
                      struct cache_line *line, uint64_t cycle)
{
    const bool now = asked->packet.block == spied.a + TO_B && asked->packet.type == MSG_READ;

    for (uint32_t s = 0; now && s < spied.n_stored; s++) {
        struct request store = glue_request(MSG_WRITE, TO_WARP, 0, 0);
        struct reply ack = glue_reply(&store, 0, 0);

        store.packet.block = spied.stored[s];
        store.packet.source = 1;
        spied.l2.performed(self, &store, &ack, line, cycle);
    }
    spied.n_stored = now ? 0 : spied.n_stored;
    spied.l2.performed(self, asked, msg, line, cycle);
}

#define LOAD(to, from) \
    { \
        .kind = FRONT_LOAD, .d = to, .a = from \
    }
#define USE(of) \
    { \
        .kind = FRONT_SUM, .d = 8, .a = of, .b = of \
    }
#define STORE_C \
    { \
        .kind = FRONT_STORE, .a = 3, .b = 1 \
    }

/* A is loaded; then B, which misses, and A again; what does not depend on them goes on, but for
 * the store. */
static const struct front_op hit_under_a_miss[] = {LOAD(4, 1),
                                                   USE(4),
                                                   LOAD(5, 2),
                                                   LOAD(6, 1),
                                                   {.kind = FRONT_ADD, .d = 10, .a = 1},
                                                   {.kind = FRONT_SUM, .d = 11, .a = 6, .b = 6},
                                                   STORE_C,
                                                   {.kind = FRONT_EXIT}};

/* A, B and C are at r1, r2 and r3; `op` is from pc 3 on.  SM 1 stores `n_stored` times: to what is
 * `first` bytes behind A, and to B. */
static struct glue *run_op(void **state, const char *mechanism, const struct front_op *op,
                           uint64_t first, uint32_t n_stored)
{
    struct glue *g = glue_new(state, machine, mechanism, watch);
    const uint64_t a = memory_alloc(g->rig.memory, "a", 3 * 128, 1 << 20);
    struct front_op all[16] = {{.kind = FRONT_LANE, .d = 1, .imm = a, .stride = 4},
                               {.kind = FRONT_ADD, .d = 2, .a = 1, .imm = TO_B},
                               {.kind = FRONT_ADD, .d = 3, .a = 1, .imm = TO_C}};
    struct front_program program;
    uint32_t n = 3;

    do {
        all[n++] = *op;
    } while (op++->kind != FRONT_EXIT);
    spied.l2 = *glue_l2(g);
    spied.a = a;
    spied.stored[0] = a + first;
    spied.stored[1] = a + TO_B;
    spied.n_stored = n_stored;
    g->rig.gpu->bank[0].sockets.coherence.performed = performed;
    front_make(&program, all, n, 1, 32);
    program.launch.copyable = true; /* a warp is nothing but its bytes */
    assert_int_equal(gpu_launch(g->rig.gpu, &program.launch), GPU_OK);
    front_free(&program);
    return g;
}

static struct glue *run(void **state, const char *mechanism, uint64_t first, uint32_t n_stored)
{
    return run_op(state, mechanism, hit_under_a_miss, first, n_stored);
}

/* What the unit of SM 0 was given. */
static void expect_own(struct glue *g, const char *unit, const char *expected)
{
    char own[GLUE_TEXT] = "";

    for (const char *at = glue_watched(g, unit)->text; *at != '\0'; at = strchr(at, '\n') + 1) {
        if (strncmp(at, "1:", 2) != 0) {
            strncat(own, at, (size_t)(strchr(at, '\n') + 1 - at));
        }
    }
    assert_string_equal(own, expected);
}

#define A_IS_LOADED \
    "kernel_start=1\n" \
    "op=1 pc=3 outstanding=1\n" \
    "op=2 pc=3 outstanding=1 binds=1 early=1\n" \
    "op=2 pc=3 outstanding=1\n" \
    "op=4 pc=3 outstanding=1\n" \
    "op=6 pc=3 outstanding=1\n"
#define B_AND_A_ARE_QUEUED \
    "op=1 pc=5 outstanding=1\n" \
    "op=1 pc=6 id=1 outstanding=1 has_value=1\n"
#define B_IS_ANSWERED_AND_LEAVES \
    "op=2 pc=6 outstanding=1 has_value=1 binds=1 early=1\n" \
    "op=2 pc=6 outstanding=1 has_value=1\n" \
    "op=4 pc=6 outstanding=1 has_value=1\n" \
    "op=6 pc=6 outstanding=1 has_value=1\n"

#define A_LEAVES_AND_C_IS_STORED \
    "op=6 pc=6 outstanding=1 has_value=1\n" \
    "op=5 pc=6 outstanding=1 has_value=1\n" \
    "op=3 pc=6 outstanding=1 has_value=1\n" \
    "op=2 pc=6 outstanding=1 has_value=1\n"

static const char renamed_once[] = "op=1\n"
                                   "op=3\n"
                                   "op=2 areg=6\n"
                                   "op=2 areg=10 temp=1\n"
                                   "op=2 areg=11\n"
                                   "op=3 areg=11\n"
                                   "op=3 areg=11\n"
                                   "op=3 areg=11\n";

/* R-11, "RSP no race -> both commit": "push {addr, PC/warp, outstanding = k}" with its own answer to
 * come, here one; results of a SPEC source are SPEC, younger ones TEMP_NONSPEC; the entries leave in
 * program order, and the three results are committed, "one per step".  The store waits (D-R7). */
static void validated_loads_commit(void **state)
{
    struct glue *g = run(state, "drd-spec:avu_queue.one_cycle=1", 0, 0);

    expect_own(g, "avu_queue",
               A_IS_LOADED B_AND_A_ARE_QUEUED B_IS_ANSWERED_AND_LEAVES A_LEAVES_AND_C_IS_STORED);
    expect_own(g, "avu_rename", renamed_once);
    glue_free(g);
}

/* A failed load leaves its entry; A is asked for again, and has an entry of its own. */
#define A_FAILS_AND_IS_LOADED_AGAIN \
    "op=6 pc=6 outstanding=1 has_value=1\n" \
    "op=7 pc=6 id=1 outstanding=1 has_value=1\n" \
    "op=1 pc=6 outstanding=1\n" \
    "op=2 pc=6 outstanding=1 binds=1 early=1\n" \
    "op=2 pc=6 outstanding=1\n" \
    "op=4 pc=6 outstanding=1\n" \
    "op=6 pc=6 outstanding=1\n" \
    "op=5 pc=6 outstanding=1\n" \
    "op=3 pc=6 outstanding=1\n" \
    "op=2 pc=6 outstanding=1\n"

/* The three results are dropped, and of the second time round one is committed. */
static const char renamed_twice[] = "op=1\n"
                                    "op=3\n"
                                    "op=2 areg=6\n"
                                    "op=2 areg=10 temp=1\n"
                                    "op=2 areg=11\n"
                                    "op=4 areg=11\n"
                                    "op=4 areg=11\n"
                                    "op=4 areg=11\n"
                                    "op=2 areg=10 temp=1\n"
                                    "op=3 areg=10 temp=1\n";

/* R-11, "RSP race with sig containing addr(ld2)": it is tested, a granule and so a step for A, before the
 * answer counts. */
static void race_fails_what_it_names(void **state)
{
    struct glue *g = run(state, "drd-spec:avu_queue.one_cycle=1", 0, 2);

    expect_own(g, "avu_queue",
               A_IS_LOADED B_AND_A_ARE_QUEUED
               "op=3 pc=6 id=1 outstanding=1 has_value=1\n" B_IS_ANSWERED_AND_LEAVES
                   A_FAILS_AND_IS_LOADED_AGAIN);
    expect_own(g, "avu_rename", renamed_twice);
    glue_free(g);
}

/* D-R17: a signature that was forced between the hit and the answer is tested as well; B, whose
 * race check finds nothing any more, is not written. */
static void forced_signature_fails_it_too(void **state)
{
    struct glue *g = run(state, "drd-spec:avu_queue.one_cycle=1:m=64:per=64", 0, 1);

    expect_own(g, "avu_queue",
               A_IS_LOADED B_AND_A_ARE_QUEUED
               "op=3 pc=6 id=1 outstanding=1 has_value=1 forced=1\n" B_IS_ANSWERED_AND_LEAVES
                   A_FAILS_AND_IS_LOADED_AGAIN);
    expect_own(g, "avu_rename", renamed_twice);
    glue_free(g);
}

/* R-11, "RSP race with sig not containing addr(ld2) -> both commit". */
static void race_elsewhere_passes_it(void **state)
{
    struct glue *g = run(state, "drd-spec:avu_queue.one_cycle=1", TO_B, 1);

    expect_own(g, "avu_queue",
               A_IS_LOADED B_AND_A_ARE_QUEUED
               "op=3 pc=6 id=1 outstanding=1 has_value=1\n" B_IS_ANSWERED_AND_LEAVES
                   A_LEAVES_AND_C_IS_STORED);
    expect_own(g, "avu_rename", renamed_once);
    glue_free(g);
}

/* An acknowledgement to come counts as a race check does: the load that hits meanwhile is queued. */
static void hit_under_a_store_is_queued(void **state)
{
    static const struct front_op op[] = {
        LOAD(4, 1), USE(4), STORE_C, LOAD(6, 1), {.kind = FRONT_EXIT}};
    struct glue *g = run_op(state, "drd-spec:avu_queue.one_cycle=1", op, 0, 0);

    expect_own(g, "avu_queue",
               A_IS_LOADED "op=5 pc=3 outstanding=1\n"
                           "op=1 pc=6 outstanding=1 has_value=1\n"
                           "op=3 pc=6 outstanding=1 has_value=1\n"
                           "op=2 pc=6 outstanding=1 has_value=1\n"
                           "op=6 pc=6 outstanding=1 has_value=1\n");
    glue_free(g);
}

/* Two misses, whose race checks are answered at once, each with its own answers to come: the
 * first's binds the first.  Values come in the same order. */
static void misses_are_bound_and_filled(void **state)
{
    static const struct front_op op[] = {LOAD(4, 1), LOAD(5, 2), {.kind = FRONT_EXIT}};
    struct glue *g = run_op(state, "drd-spec:avu_queue.one_cycle=1:link=0", op, 0, 0);

    expect_own(g, "avu_queue",
               "kernel_start=1\n"
               "op=1 pc=3 outstanding=1\n"
               "op=1 pc=4 id=1 outstanding=2\n"
               "op=2 pc=4 outstanding=2 binds=1 early=1\n"
               "op=2 pc=4 outstanding=2\n"
               "op=2 pc=4 id=1 outstanding=2 binds=1 early=1\n"
               "op=2 pc=4 id=1 outstanding=2\n"
               "op=4 pc=4 outstanding=2\n"
               "op=6 pc=4 outstanding=2\n"
               "op=4 pc=4 id=1 outstanding=2\n"
               "op=6 pc=4 id=1 outstanding=2\n");
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validated_loads_commit),
        cmocka_unit_test(race_fails_what_it_names),
        cmocka_unit_test(forced_signature_fails_it_too),
        cmocka_unit_test(race_elsewhere_passes_it),
        cmocka_unit_test(hit_under_a_store_is_queued),
        cmocka_unit_test(misses_are_bound_and_filled),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
