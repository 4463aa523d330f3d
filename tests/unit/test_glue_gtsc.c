/* test_glue_gtsc - what G-TSC gives its units, event by event, by the words of tabbakh2018 3.6.3 to
 * 3.6.5: which operation each load, store, atomic, fill, answer and kernel is, for which warp and
 * line, and with which fields of the message. */
#include "test_glue_gtsc.h"

static const char *const watch[] = {
    "gtsc_l1",
    "op_valid op warp line present outstanding own_pending from_msg msg_wts msg_rts msg_epoch "
    "msg_ok msg_stamps",
    "gtsc_l2", "op_valid op line req_wts req_ts req_epoch flash kernel_start", NULL};

static struct glue *begin(void **state)
{
    struct glue *g = glue_new(state, gtsc_machine, "gtsc-rc", watch);

    glue_l1(g)->kernel_start(glue_l1(g)->self);
    glue_l2(g)->kernel_start(glue_l2(g)->self);
    glue_expect(g, "gtsc_l1", "op_valid=1 op=12\n");
    glue_expect(g, "gtsc_l2", "op_valid=1 kernel_start=1\n");
    return g;
}

/* A miss, its fill, its reader's turn, and a hit. */
static void load_is_asked_filled_and_served(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct request asked = glue_request(MSG_READ, TO_MSHR, 3, 7);
    const struct access_info again = glue_of(ACCESS_LOAD, 5, 7);

    l1->send(l1->self, &asked, NULL);
    assert_int_equal(asked.proto[0], stamps(0, 1)); /* BusRd{wts = 0, warp_ts} */
    struct cache_line *line = glue_line(g, 2, 7);
    fill(g, &asked, line, 4, 9);
    const struct reply msg = glue_reply(&asked, stamps(4, 9), 0);
    assert_true(l1->covers(l1->self, 3, 0, &msg, line));
    assert_int_equal(l1->load(l1->self, &again, line), COHERENCE_HIT);
    glue_expect(g, "gtsc_l1",
                "op_valid=1 warp=3\n"
                "op_valid=1 op=4 line=2 present=1 msg_wts=4 msg_rts=9\n"
                "op_valid=1 op=8 warp=3 line=2 present=1 from_msg=1 msg_wts=4 msg_rts=9\n"
                "op_valid=1 warp=5 line=2 present=1 msg_wts=4 msg_rts=9\n");
    glue_free(g);
}

/* A store locks the copy it meets; its ack names warp and line out of the record. */
static void ack_is_of_the_store(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct request read = glue_request(MSG_READ, TO_MSHR, 0, 7);
    struct request hit = glue_request(MSG_WRITE, TO_WARP, 6, 7);
    struct request miss = glue_request(MSG_WRITE, TO_WARP, 4, 8);

    l1->send(l1->self, &read, NULL);
    struct cache_line *line = glue_line(g, 2, 7);
    fill(g, &read, line, 4, 9);
    glue_expect(g, "gtsc_l1", "op_valid=1\nop_valid=1 op=4 line=2 present=1 msg_wts=4 msg_rts=9\n");
    assert_true(l1->store_hit(l1->self, 6, line));
    assert_true(line->locked);
    l1->send(l1->self, &hit, line);
    l1->send(l1->self, &miss, NULL);
    const struct access_info own = glue_of(ACCESS_LOAD, 4, 8);
    assert_false(l1->may_send(l1->self, &own, NULL)); /* D-G15 */
    struct reply ack = glue_reply(&hit, stamps(10, 20), 1 << 8);
    struct reply other = glue_reply(&miss, stamps(11, 21), 0);
    assert_int_equal(l1->reply(l1->self, &ack, line), COHERENCE_INSTALL);
    assert_false(line->locked);
    l1->reply(l1->self, &other, NULL);
    assert_true(l1->may_send(l1->self, &own, NULL));
    glue_expect(g, "gtsc_l1",
                "op_valid=1 op=2 warp=6 line=2 present=1 msg_wts=4 msg_rts=9\n"
                "op_valid=1 op=2 warp=4 msg_wts=4 msg_rts=9\n"
                "op_valid=1 op=6 warp=6 line=2 present=1 msg_wts=10 msg_rts=20 msg_ok=1 "
                "msg_stamps=1\n"
                "op_valid=1 op=6 warp=4 msg_wts=11 msg_rts=21\n");
    glue_free(g);
}

/* G-22, D-G7, D-G10: until the ack "all further accesses of this SM to C are blocked" and a fill
 * that the bank served before the store is ignored; then readers are served at the ack's wts. */
static void locked_line_delivers_nothing(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct cache_line *line = leased(g, 2, 7, 1, 5);
    struct request early = read_of(g, 0, 7, NULL);
    struct request store = glue_request(MSG_WRITE, TO_WARP, 1, 7);
    const struct access_info other = glue_of(ACCESS_STORE, 2, 7),
                             atomic = glue_of(ACCESS_ATOMIC, 2, 7);

    assert_true(l1->store_hit(l1->self, 1, line));
    l1->send(l1->self, &store, line);
    assert_int_equal(store.proto[0], stamps(1, 1)); /* D-G12: the base wts */
    assert_int_equal(probe(g, 2, 7, line), COHERENCE_WAIT);
    assert_false(l1->may_send(l1->self, &other, line));
    assert_false(l1->may_send(l1->self, &atomic, line));
    struct reply old = glue_reply(&early, stamps(1, 30), 0);
    assert_int_equal(l1->reply(l1->self, &old, line), COHERENCE_IGNORE);
    assert_true(line->locked);
    struct reply ack = glue_reply(&store, stamps(11, 20), 1 << 8);
    assert_int_equal(l1->reply(l1->self, &ack, line), COHERENCE_INSTALL);
    assert_false(line->locked);
    assert_int_equal(probe(g, 2, 7, line), COHERENCE_HIT);
    assert_true(l1->may_send(l1->self, &other, line));
    assert_int_equal(read_of(g, 2, 8, NULL).proto[0], stamps(0, 11)); /* warp_ts[2] = 11 */
    raise_warp(g, 3, 21);
    assert_int_equal(probe(g, 3, 7, line), COHERENCE_REFETCH); /* not the early fill's 30 */
    glue_free(g);
}

/* D-G12: "if tx.stamps and not ok: drop the line"; its readers ask with wts 0. */
static void store_over_another_version(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct cache_line *line = leased(g, 2, 7, 1, 5);
    struct request store = glue_request(MSG_WRITE, TO_WARP, 1, 7);

    l1->store_hit(l1->self, 1, line);
    l1->send(l1->self, &store, line);
    struct reply ack = glue_reply(&store, stamps(23, 33), 0);
    assert_int_equal(l1->reply(l1->self, &ack, line), COHERENCE_DROP);
    assert_false(line->locked);
    assert_int_equal(probe(g, 1, 7, line), COHERENCE_REFETCH);
    assert_int_equal(read_of(g, 1, 7, line).proto[0], stamps(0, 23));
    glue_free(g);
}

static void atomics_and_volatile_loads_have_no_line(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct request atomic = glue_request(MSG_ATOMIC, TO_INSTRUCTION, 1, 7);
    struct request direct = glue_request(MSG_READ, TO_INSTRUCTION, 2, 7);

    l1->send(l1->self, &atomic, NULL);
    l1->send(l1->self, &direct, NULL);
    struct reply old = glue_reply(&atomic, stamps(5, 15), 0);
    struct reply bytes = glue_reply(&direct, stamps(5, 15), 0);
    l1->reply(l1->self, &old, NULL);
    assert_int_equal(l1->reply(l1->self, &bytes, NULL), COHERENCE_INSTALL);
    glue_expect(g, "gtsc_l1",
                "op_valid=1 op=3 warp=1\n"
                "op_valid=1 op=1 warp=2\n"
                "op_valid=1 op=6 warp=1 msg_wts=5 msg_rts=15\n"
                "op_valid=1 op=7 warp=2 msg_wts=5 msg_rts=15\n");
    glue_free(g);
}

/* D-G8: an ask that sends nothing is clocked, so that the unit forgets the waiters' timestamp; one
 * that sends is clocked when its request leaves. */
static void silent_ask_is_clocked(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct request read = glue_request(MSG_READ, TO_MSHR, 0, 7);

    assert_true(l1->may_ask(l1->self, 3, NULL));
    glue_expect(g, "gtsc_l1", "");
    l1->send(l1->self, &read, NULL);
    struct cache_line *line = glue_line(g, 2, 7);
    fill(g, &read, line, 4, 9);
    l1->store_hit(l1->self, 6, line);
    glue_expect(g, "gtsc_l1",
                "op_valid=1\nop_valid=1 op=4 line=2 present=1 msg_wts=4 msg_rts=9\n"
                "op_valid=1 op=2 warp=6 line=2 present=1 msg_wts=4 msg_rts=9\n");
    assert_false(l1->may_ask(l1->self, 3, line));
    glue_expect(g, "gtsc_l1", "op_valid=1 op=9 warp=3 line=2 present=1 msg_wts=4 msg_rts=9\n");
    glue_free(g);
}

/* The bank: fill, read, write, atomic, eviction. */
static void bank_stamps_what_it_performs(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l2_socket *l2 = glue_l2(g);
    struct cache_line *line = &g->rig.gpu->bank[0].cache.line[3];
    static const uint8_t type[] = {MSG_READ, MSG_WRITE, MSG_ATOMIC};

    l2->fill(l2->self, 7 * 128, line);
    for (size_t t = 0; t < COUNT(type); t++) {
        struct request asked = glue_request(type[t], TO_WARP, 0, 7);
        asked.proto[0] = stamps(2 + t, 30);
        struct reply msg = glue_reply(&asked, 0, 0);
        assert_int_equal(l2->admit(l2->self, &asked, line, 1), 0);
        l2->performed(l2->self, &asked, &msg, line, 1);
    }
    l2->evict(l2->self, 7 * 128, line);
    glue_expect(g, "gtsc_l2",
                "op_valid=1 op=3 line=3\n"
                "op_valid=1 line=3 req_wts=2 req_ts=30\n"
                "op_valid=1 op=1 line=3 req_wts=3 req_ts=30\n"
                "op_valid=1 op=2 line=3 req_wts=4 req_ts=30\n"
                "op_valid=1 op=4 line=3 req_wts=4 req_ts=30\n");
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_is_asked_filled_and_served),
        cmocka_unit_test(ack_is_of_the_store),
        cmocka_unit_test(locked_line_delivers_nothing),
        cmocka_unit_test(store_over_another_version),
        cmocka_unit_test(atomics_and_volatile_loads_have_no_line),
        cmocka_unit_test(silent_ask_is_clocked),
        cmocka_unit_test(bank_stamps_what_it_performs),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
