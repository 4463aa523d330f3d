/* test_glue_drd - what race detection gives its units, event by event, by the words of tabbakh2018
 * 3.7.3 to 3.7.5: which accesses the race detection unit hears of, as what and of whom, which
 * answers reach the access validation unit of which SM and when, and what its verdicts do. */
#include "test_glue_drd.h"

static const char *const machine[] = {"machine.sms=2", "l2.write=back-fetch", NULL};
static const char *const watch[] = {
    "rdu", "kernel_start in_valid in_type in_sm in_addr in_mask in_nosync", "avu",
    "kernel_start sig_valid rsp_valid rsp_mshr fill_valid fill_mshr fill_line chk_valid chk_line "
    "chk_again",
    NULL};

static struct glue *begin(void **state, const char *mechanism)
{
    struct glue *g = glue_new(state, machine, mechanism, watch);

    for (uint32_t sm = 0; sm < 2; sm++) {
        l1_of(g, sm)->kernel_start(l1_of(g, sm)->self);
    }
    glue_l2(g)->kernel_start(glue_l2(g)->self);
    glue_expect(g, "rdu", "kernel_start=1\n");
    glue_expect(g, "avu", "kernel_start=1\n1: kernel_start=1\n");
    return g;
}

/* R-3 (Fig 4.2) with the messages of 3.7.3: SM 1 has A; SM 0 stores A, B; SM 1 loads B, a race; SM 0
 * stores C, D; SM 1 loads A, which its signature names, D, a race, C, and C again. */
static void running_example(void **state)
{
    struct glue *g = begin(state, "drd-nospec:m=256:rdu.one_cycle=1:avu.one_cycle=1");

    assert_int_equal(load(g, 1, A), 'M');
    store(g, 0, A);
    store(g, 0, B);
    assert_int_equal(load(g, 1, B), 'M');
    store(g, 0, C);
    store(g, 0, D);
    assert_int_equal(load(g, 1, A), 'M');
    assert_int_equal(load(g, 1, D), 'M');
    assert_int_equal(load(g, 1, C), 'M');
    assert_int_equal(load(g, 1, C), 'H');
    glue_expect(g, "rdu",
                "in_valid=1 in_type=1 in_sm=1 in_addr=128 in_mask=15\n"
                "in_valid=1 in_addr=128 in_mask=240\n"
                "in_valid=1 in_addr=256 in_mask=240\n"
                "in_valid=1 in_type=1 in_sm=1 in_addr=256 in_mask=15\n"
                "in_valid=1 in_addr=384 in_mask=240\n"
                "in_valid=1 in_addr=512 in_mask=240\n"
                "in_valid=1 in_type=1 in_sm=1 in_addr=128 in_mask=15\n"
                "in_valid=1 in_type=1 in_sm=1 in_addr=512 in_mask=15\n"
                "in_valid=1 in_type=1 in_sm=1 in_addr=384 in_mask=15\n");
    glue_expect(g, "avu",
                "1: rsp_valid=1 rsp_mshr=1\n"
                "1: rsp_mshr=1 fill_valid=1 fill_mshr=1 fill_line=1\n"
                "sig_valid=1\n"
                "sig_valid=1\n"
                "1: sig_valid=1 rsp_valid=1 rsp_mshr=2 fill_mshr=1 fill_line=1\n"
                "1: rsp_mshr=2 fill_valid=1 fill_mshr=2 fill_line=2\n"
                "sig_valid=1\n"
                "sig_valid=1\n"
                "1: rsp_mshr=2 fill_mshr=2 fill_line=2 chk_valid=1 chk_line=1\n"
                "1: rsp_valid=1 rsp_mshr=1 fill_mshr=2 fill_line=2 chk_line=1\n"
                "1: rsp_mshr=1 fill_valid=1 fill_mshr=1 fill_line=1 chk_line=1\n"
                "1: sig_valid=1 rsp_valid=1 rsp_mshr=4 fill_mshr=1 fill_line=1 chk_line=1\n"
                "1: rsp_mshr=4 fill_valid=1 fill_mshr=4 fill_line=4 chk_line=1\n"
                "1: rsp_valid=1 rsp_mshr=3 fill_mshr=4 fill_line=4 chk_line=1\n"
                "1: rsp_mshr=3 fill_valid=1 fill_mshr=3 fill_line=3 chk_line=1\n"
                "1: rsp_mshr=3 fill_mshr=3 fill_line=3 chk_valid=1 chk_line=3\n");
    glue_free(g);
}

/* R-10, D-R4: "four hits pass, the fifth triggers the check", which is a message of its own, and
 * without data; the access is evaluated once more, and four more pass. */
static void fifth_hit_is_checked(void **state)
{
    struct glue *g = begin(state, "drd-nospec:m=256");
    char verdicts[12] = "";

    for (uint32_t n = 0; n < 11; n++) {
        verdicts[n] = load(g, 0, A);
    }
    assert_string_equal(verdicts, "MHHHHLHHHHL");
    glue_expect(g, "rdu",
                "in_valid=1 in_type=1 in_addr=128 in_mask=15\n"
                "in_valid=1 in_type=2 in_addr=128 in_mask=15\n"
                "in_valid=1 in_type=2 in_addr=128 in_mask=15\n");
    glue_free(g);
}

/* The answer comes by the link, 20 cycles behind the unit, or with the reply, and goes to the SM
 * that asked, with everything sent to it before (3.7.3). */
static void link_is_in_order(void **state)
{
    struct glue *g = begin(state, "drd-nospec:m=256");
    const struct request first = ask(g, 1, MSG_READ, C, NULL),
                         second = ask(g, 1, MSG_READ, D, NULL);

    serve(g, &first, 100);
    struct reply msg = serve(g, &second, 110);
    glue_expect(g, "avu", "");
    cycle(g, 0, 200);
    cycle(g, 1, 100 + LINK - 1);
    glue_expect(g, "avu", "");
    cycle(g, 1, 100 + LINK);
    glue_expect(g, "avu", "1: rsp_valid=1 rsp_mshr=3\n");
    answer(g, 1, &msg, line_of(g, 1, D));
    glue_expect(g, "avu",
                "1: rsp_valid=1 rsp_mshr=4\n"
                "1: rsp_mshr=4 fill_valid=1 fill_mshr=4 fill_line=4\n");
    cycle(g, 1, 200);
    glue_expect(g, "avu", "");
    glue_free(g);
}

/* D-R11: what is on the link when a kernel ends is of no use to the next. */
static void kernel_forgets_messages(void **state)
{
    struct glue *g = begin(state, "drd-nospec:m=256");
    const struct request asked = ask(g, 1, MSG_WRITE, C, NULL);

    serve(g, &asked, 100);
    l1_of(g, 1)->kernel_start(l1_of(g, 1)->self);
    cycle(g, 1, 200);
    glue_expect(g, "avu", "1: kernel_start=1\n");
    glue_free(g);
}

/* "If ucnt[s] >= n: sync(s) -> FSYNC(s)" behind the store's own answer: n is 1 here.  It is no answer
 * to a miss. */
static void full_signature_is_forced(void **state)
{
    struct glue *g = begin(state, "drd-nospec:m=64:per=64");
    const struct request asked = ask(g, 0, MSG_WRITE, A, NULL);

    serve(g, &asked, 100);
    cycle(g, 1, 100 + LINK);
    glue_expect(g, "avu", "1: sig_valid=1\n");
    cycle(g, 0, 100 + LINK);
    glue_expect(g, "avu", "sig_valid=1\n");
    glue_free(g);
}

/* D-R16: every request of a store is a point, or the last one of its instruction. */
static void points_of_a_store(void **state)
{
    static const char *const kinds[] = {"drd-nospec:m=256", "drd-nospec:m=256:syncs=instruction"};

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct glue *g = begin(state, kinds[k]);
        const struct coherence_l1_socket *l1 = l1_of(g, 0);

        for (uint8_t at = 0; at < 3; at++) {
            struct access_info access = glue_of(ACCESS_STORE, 0, A + at);
            struct request asked = glue_request(MSG_WRITE, TO_WARP, 0, A + at);

            access.n_requests = 3;
            access.position = at;
            assert_true(l1->may_send(l1->self, &access, NULL));
            l1->send(l1->self, &asked, NULL);
            struct reply ack = serve(g, &asked, 0);
            answer(g, 0, &ack, NULL);
        }
        glue_expect(g, "avu", k == 0 ? "sig_valid=1\nsig_valid=1\nsig_valid=1\n" : "sig_valid=1\n");
        glue_expect(g, "rdu",
                    k == 0 ? "in_valid=1 in_addr=128 in_mask=240\n"
                             "in_valid=1 in_addr=256 in_mask=240\n"
                             "in_valid=1 in_addr=384 in_mask=240\n"
                           : "in_valid=1 in_addr=128 in_mask=240 in_nosync=1\n"
                             "in_valid=1 in_addr=256 in_mask=240 in_nosync=1\n"
                             "in_valid=1 in_addr=384 in_mask=240\n");
        glue_free(g);
    }
}

/* "Store: update L1 bytes on tag match (lep, hcnt unchanged)" (D-R6), but nobody reads them until
 * all stores to the line are acknowledged; an atomic's copy goes (D-R12). */
static void own_stores_lock_the_copy(void **state)
{
    struct glue *g = begin(state, "drd-nospec:m=256");
    const struct coherence_l1_socket *l1 = l1_of(g, 0);
    const struct access_info access = glue_of(ACCESS_LOAD, 3, A);
    struct cache_line *line = line_of(g, 0, A);

    load(g, 0, A);
    assert_false(l1->atomic_hit(l1->self, line));
    assert_true(l1->store_hit(l1->self, 0, line));
    const struct request one = ask(g, 0, MSG_WRITE, A, line);
    assert_true(l1->store_hit(l1->self, 1, line));
    const struct request two = ask(g, 0, MSG_WRITE, A, line);
    struct reply ack_one = serve(g, &one, 0), ack_two = serve(g, &two, 0);
    glue_forget(g);
    assert_int_equal(l1->load(l1->self, &access, line), COHERENCE_WAIT);
    answer(g, 0, &ack_one, line);
    assert_int_equal(l1->load(l1->self, &access, line), COHERENCE_WAIT);
    answer(g, 0, &ack_two, line);
    assert_false(line->locked);
    assert_int_equal(l1->load(l1->self, &access, line), COHERENCE_REFETCH); /* two points old */
    glue_free(g);
}

/* In a machine: a load that misses, a store, local memory, an atomic and the load again, two points
 * later; the next kernel begins anew. */
static void what_a_kernel_tells(void **state)
{
    struct glue *g = glue_new(state, machine, "drd-nospec:m=256", watch);
    const uint64_t x = memory_alloc(g->rig.memory, "x", 3 * 128, 1 << 20);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = x, .stride = 4},
                                  {.kind = FRONT_ADD, .d = 4, .a = 1, .imm = 128},
                                  {.kind = FRONT_ADD, .d = 5, .a = 1, .imm = 256},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_STORE, .a = 1, .b = 2},
                                  {.kind = FRONT_LOAD, .d = 6, .a = 4, .local = true},
                                  {.kind = FRONT_STORE, .a = 4, .b = 6, .local = true},
                                  {.kind = FRONT_RED, .a = 5, .b = 2},
                                  {.kind = FRONT_LOAD, .d = 7, .a = 1},
                                  {.kind = FRONT_SUM, .d = 8, .a = 7, .b = 7},
                                  {.kind = FRONT_EXIT}};
    static const char both[] = "kernel_start=1\n1: kernel_start=1\n";
    char expected[400];

    snprintf(
        expected, sizeof expected,
        "in_valid=1 in_type=1 in_addr=%llu in_mask=18446744073709551615,18446744073709551615\n"
        "in_valid=1 in_addr=%llu in_mask=18446744073709551615,18446744073709551615\n"
        "in_valid=1 in_type=3 in_addr=%llu in_mask=18446744073709551615,18446744073709551615\n"
        "in_valid=1 in_type=1 in_addr=%llu in_mask=18446744073709551615,18446744073709551615\n",
        (unsigned long long)x, (unsigned long long)x, (unsigned long long)x + 256,
        (unsigned long long)x);
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        rig_run(&g->rig, op, COUNT(op), 1, 32);
        const char *told = glue_watched(g, "rdu")->text;
        assert_memory_equal(told, "kernel_start=1", 14); /* and what was there before */
        assert_string_equal(strchr(told, '\n') + 1, expected);
        assert_memory_equal(glue_watched(g, "avu")->text, both, sizeof both - 1);
        glue_forget(g);
    }
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_example),          cmocka_unit_test(fifth_hit_is_checked),
        cmocka_unit_test(link_is_in_order),         cmocka_unit_test(kernel_forgets_messages),
        cmocka_unit_test(full_signature_is_forced), cmocka_unit_test(points_of_a_store),
        cmocka_unit_test(own_stores_lock_the_copy), cmocka_unit_test(what_a_kernel_tells),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
