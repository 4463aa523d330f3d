/* test_glue_gtsc_lease - leases that end, by the words of tabbakh2018 3.6.3 to 3.6.9: what a renewal
 * says and what it brings, what a barrier, a fence and a kernel do to the timestamps of warps. */
#include "test_glue_gtsc.h"

static const char *const watch[] = {"gtsc_l1", "op_valid op warp line present own_pending from_msg",
                                    "gtsc_l2", "op_valid op req_wts req_ts kernel_start", NULL};

static struct glue *begin(void **state)
{
    struct glue *g = glue_new(state, gtsc_machine, "gtsc-rc", watch);

    glue_l1(g)->kernel_start(glue_l1(g)->self);
    glue_l2(g)->kernel_start(glue_l2(g)->self);
    glue_forget(g);
    return g;
}

/* "BusRd{wts = C.wts, warp_ts = t}"; "BusRnw(rts): C.rts = max(C.rts, rts)", and the waiter is
 * served from the copy. */
static void renewal_names_the_copy(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct cache_line *line = leased(g, 2, 7, 4, 9);

    raise_warp(g, 5, 12);
    glue_forget(g);
    assert_int_equal(probe(g, 5, 7, line), COHERENCE_REFETCH);
    glue_expect(g, "gtsc_l1", ""); /* nothing happens until the request leaves */
    struct request asked = read_of(g, 5, 7, line);
    assert_int_equal(asked.proto[0], stamps(4, 12));
    assert_int_equal(asked.proto_bytes, 4); /* D-G4: two timestamps */
    struct reply msg = glue_reply(&asked, stamps(0, 22), 0);
    msg.no_data = true;
    assert_int_equal(l1->reply(l1->self, &msg, line), COHERENCE_INSTALL);
    assert_true(l1->covers(l1->self, 5, 0, &msg, line));
    glue_expect(g, "gtsc_l1",
                "op_valid=1 warp=5 line=2 present=1\n"
                "op_valid=1 op=5 line=2 present=1\n"
                "op_valid=1 op=8 warp=5 line=2 present=1\n");
    raise_warp(g, 5, 22);
    assert_int_equal(probe(g, 5, 7, line), COHERENCE_HIT);
    raise_warp(g, 5, 23);
    assert_int_equal(probe(g, 5, 7, line), COHERENCE_REFETCH);
    assert_int_equal(read_of(g, 5, 7, line).proto[0], stamps(4, 23)); /* the version is the same */
    glue_free(g);
}

/* "If wts_r == C.wts: BusRnw{C.rts} else BusFill{C.wts, C.rts, data}" (3.6.5, G-7, G-4), with
 * D-G4's bytes; FILL at mem_ts 1 and lease 10 is (1,11) (G-3). */
static void bank_renews_the_same_version(void **state)
{
    static const struct {
        uint8_t type;
        uint64_t wts, ts, says_wts, says_rts;
        bool no_data;
        uint16_t bytes;
    } steps[] = {{MSG_READ, 0, 1, 1, 11, false, 4},    {MSG_READ, 1, 12, 1, 22, true, 2},
                 {MSG_READ, 1, 3, 1, 22, true, 2}, /* a lease is not shortened */
                 {MSG_READ, 0, 12, 1, 22, false, 4},   {MSG_WRITE, 1, 3, 23, 33, false, 4},
                 {MSG_READ, 1, 30, 23, 40, false, 4},  {MSG_ATOMIC, 0, 1, 41, 51, false, 4},
                 {MSG_READ, 23, 30, 41, 51, false, 4}, {MSG_READ, 41, 30, 41, 51, true, 2}};
    struct glue *g = begin(state);
    struct cache_line *line = &g->rig.gpu->bank[0].cache.line[3];

    glue_l2(g)->fill(glue_l2(g)->self, 7 * 128, line);
    for (size_t s = 0; s < COUNT(steps); s++) {
        const struct reply msg = perform(g, steps[s].type, stamps(steps[s].wts, steps[s].ts), 0,
                                         line);

        assert_int_equal(msg.no_data, steps[s].no_data);
        assert_int_equal(msg.proto_bytes, steps[s].bytes);
        assert_int_equal(msg.proto[0] >> 32, steps[s].says_rts);
        assert_true(msg.no_data || (uint32_t)msg.proto[0] == steps[s].says_wts);
    }
    glue_free(g);
}

/* G-23: of three waiters a fill to 5 serves the first; "BusRd{wts = C.wts, warp_ts = max over
 * remaining waiters}" (D-G8), here 9, whoever is named in the request. */
static void uncovered_waiters_ask_together(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct mshr_entry *entry = &g->rig.gpu->sm[0].mshr.entry[0];

    raise_warp(g, 2, 7);
    raise_warp(g, 3, 9);
    struct request asked = read_of(g, 1, 7, NULL);
    struct cache_line *line = glue_line(g, 2, 7);
    fill(g, &asked, line, 1, 5);
    const struct reply msg = glue_reply(&asked, stamps(1, 5), 0);
    glue_forget(g);
    assert_true(l1->covers(l1->self, 1, 0, &msg, line));
    assert_false(l1->covers(l1->self, 3, 1, &msg, line));
    assert_false(l1->covers(l1->self, 2, 2, &msg, line));
    entry->n_targets = 2; /* they wait in it */
    assert_true(l1->may_ask(l1->self, 2, line));
    assert_int_equal(read_of(g, 2, 7, line).proto[0], stamps(1, 9));
    entry->n_targets = 0;
    glue_expect(g, "gtsc_l1",
                "op_valid=1 op=8 warp=1 line=2 present=1 from_msg=1\n"
                "op_valid=1 op=8 warp=3 line=2 present=1 from_msg=1\n"
                "op_valid=1 op=8 warp=2 line=2 present=1 from_msg=1\n"
                "op_valid=1 op=9 warp=2 line=2 present=1\n");
    glue_free(g);
}

/* D-G9: the line of a renewal has gone when the answer comes to the SM, where warps 2 and 3 wait;
 * "the follow-up BusRd has wts = 0" and their greatest timestamp (D-G8). */
static void renewal_of_a_line_that_left(void **state)
{
    static const uint8_t slot[] = {2, 3};
    struct glue *g = begin(state);
    struct sm *sm = &g->rig.gpu->sm[0];
    const struct access_info access = glue_of(ACCESS_LOAD, 2, 7);
    const uint32_t at = mshr_allocate(&sm->mshr, &access);
    struct exchange *renewal = exchange_new(&sm->port.pool);

    raise_warp(g, 2, 7);
    raise_warp(g, 3, 9);
    for (size_t w = 0; w < COUNT(slot); w++) {
        sm->ldst.inst[w].slot = slot[w];
        mshr_merge(&sm->mshr, at, &sm->ldst.inst[w], 1);
    }
    renewal->request = glue_request(MSG_READ, TO_MSHR, 2, 7);
    renewal->request.ticket.number = (uint16_t)at;
    renewal->reply = glue_reply(&renewal->request, stamps(0, 22), 0);
    renewal->reply.no_data = true;
    ring_push(&sm->reply.in, &renewal->reply.packet);
    glue_forget(g);
    for (sm->now = 1; sm->now < 5; sm->now++) {
        sm_take_reply(sm);
    }
    glue_expect(g, "gtsc_l1",
                "op_valid=1 op=5\n"
                "op_valid=1 op=8 warp=2\n"
                "op_valid=1 op=8 warp=3\n"
                "op_valid=1 op=9 warp=2\n");
    assert_int_equal(sm->port.out.count, 1);
    assert_int_equal(exchange_of_request(ring_head(&sm->port.out))->request.proto[0], stamps(0, 9));
    glue_free(g);
}

/* A barrier orders the accesses of its warps (D-M2), which is done by timestamps: all have the
 * latest behind it, and no other warp has. */
static void barrier_joins_its_warps(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct cache_line *line = leased(g, 2, 7, 4, 15);

    raise_warp(g, 2, 12);
    raise_warp(g, 3, 20);
    raise_warp(g, 6, 14);
    glue_forget(g);
    l1->barrier(l1->self, 1 << 2 | 1 << 3 | 1 << 5);
    glue_expect(g, "gtsc_l1",
                "op_valid=1 op=6 warp=2\n"
                "op_valid=1 op=6 warp=3\n"
                "op_valid=1 op=6 warp=5\n");
    for (uint32_t warp = 2; warp < 7; warp++) {
        const bool joined = warp == 2 || warp == 3 || warp == 5;

        assert_int_equal(read_of(g, warp, 8, NULL).proto[0] >> 32, joined      ? 20
                                                                   : warp == 6 ? 14
                                                                               : 1);
        assert_int_equal(probe(g, warp, 7, line), joined ? COHERENCE_REFETCH : COHERENCE_HIT);
    }
    glue_free(g);
}

/* "Kernel end: L1 flushed, all timestamps reset (warp_ts = 1, mem_ts = 1, L2 lines ...)" (3.6.4). */
static void kernel_begins_anew(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l2_socket *l2 = glue_l2(g);
    struct cache_line *line = leased(g, 2, 7, 4, 9), *below = &g->rig.gpu->bank[0].cache.line[3];
    struct request store = glue_request(MSG_WRITE, TO_WARP, 6, 8);
    const struct access_info own = glue_of(ACCESS_LOAD, 6, 8);

    raise_warp(g, 5, 12);
    glue_l1(g)->send(glue_l1(g)->self, &store, NULL);
    assert_false(glue_l1(g)->may_send(glue_l1(g)->self, &own, NULL)); /* D-G15 */
    l2->fill(l2->self, 7 * 128, below);
    perform(g, MSG_WRITE, stamps(0, 1), 0, below); /* (12,22) */
    l2->evict(l2->self, 7 * 128, below);
    l2->fill(l2->self, 7 * 128, below);
    assert_int_equal(perform(g, MSG_READ, stamps(0, 1), 0, below).proto[0], stamps(22, 32));
    glue_l1(g)->kernel_start(glue_l1(g)->self);
    l2->kernel_start(l2->self);
    assert_int_equal(perform(g, MSG_READ, stamps(0, 1), 0, below).proto[0], stamps(1, 11));
    l2->fill(l2->self, 7 * 128, below);
    assert_int_equal(perform(g, MSG_READ, stamps(0, 1), 0, below).proto[0], stamps(1, 11));
    assert_true(glue_l1(g)->may_send(glue_l1(g)->self, &own, NULL));
    assert_int_equal(probe(g, 5, 7, line), COHERENCE_REFETCH);
    assert_int_equal(read_of(g, 5, 7, line).proto[0], stamps(0, 1));
    glue_free(g);
}

/* In a machine: `what` happens to X, then Y, or X again, is loaded; what the bank is given. */
static void run(void **state, const char *mechanism, const struct front_op *then, bool again,
                const char *expected)
{
    struct glue *g = glue_new(state, gtsc_machine, mechanism, watch);
    const uint64_t x = memory_alloc(g->rig.memory, "x", 256, 1 << 20);
    const struct front_op op[] = {{.kind = FRONT_LANE, .d = 1, .imm = x, .stride = 4},
                                  {.kind = FRONT_LOAD, .d = 2, .a = 1},
                                  {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1},
                                  then[0],
                                  then[1],
                                  {.kind = FRONT_ADD, .d = 5, .a = 1, .imm = again ? 0 : 128},
                                  {.kind = FRONT_LOAD, .d = 6, .a = 5},
                                  {.kind = FRONT_EXIT}};

    rig_run(&g->rig, op, COUNT(op), 1, 32);
    glue_expect(g, "gtsc_l2", expected);
    glue_free(g);
}

/* D-M2, S15: behind a fence or barrier, and in SC without one, a warp has all its acks, and their
 * timestamps: X is written at 12, so Y is read then.  Without it Y is asked for at 1; its lease to
 * 11, which comes behind the ack, does not serve the warp, which then asks for more. */
static void fence_waits_for_timestamps(void **state)
{
    static const struct front_op fenced[] = {{.kind = FRONT_STORE, .a = 1, .b = 3},
                                             {.kind = FRONT_FENCE}},
                                 barred[] = {{.kind = FRONT_STORE, .a = 1, .b = 3},
                                             {.kind = FRONT_BAR}},
                                 bare[] = {{.kind = FRONT_STORE, .a = 1, .b = 3},
                                           {.kind = FRONT_ADD, .d = 7, .a = 1}};
    static const char *const later = "op_valid=1 kernel_start=1\n"
                                     "op_valid=1 op=3\n"
                                     "op_valid=1 req_ts=1\n"
                                     "op_valid=1 op=1 req_wts=1 req_ts=1\n"
                                     "op_valid=1 op=3 req_wts=1 req_ts=1\n"
                                     "op_valid=1 req_ts=12\n",
                             *const at_once = "op_valid=1 kernel_start=1\n"
                                              "op_valid=1 op=3\n"
                                              "op_valid=1 req_ts=1\n"
                                              "op_valid=1 op=1 req_wts=1 req_ts=1\n"
                                              "op_valid=1 op=3 req_wts=1 req_ts=1\n"
                                              "op_valid=1 req_ts=1\n"
                                              "op_valid=1 req_wts=1 req_ts=12\n";

    run(state, "gtsc-rc", fenced, false, later);
    run(state, "gtsc-rc", barred, false, later);
    run(state, "gtsc-rc", bare, false, at_once);
    run(state, "gtsc-sc", bare, false, later);
}

/* D-G11: the copy goes when an atomic is issued, though the answer's stamps are known: the load
 * behind it asks with wts 0, at the time of the answer. */
static void atomic_takes_the_copy(void **state)
{
    static const struct front_op atomic[] = {{.kind = FRONT_ATOM, .d = 4, .a = 1, .b = 3},
                                             {.kind = FRONT_SUM, .d = 1, .a = 1, .b = 9}};

    run(state, "gtsc-rc", atomic, true,
        "op_valid=1 kernel_start=1\n"
        "op_valid=1 op=3\n"
        "op_valid=1 req_ts=1\n"
        "op_valid=1 op=2 req_ts=1\n"
        "op_valid=1 req_ts=12\n");
}

/* Every kernel is told to both sides. */
static void every_kernel_is_told(void **state)
{
    static const struct front_op op[] = {{.kind = FRONT_EXIT}};
    struct glue *g = glue_new(state, gtsc_machine, "gtsc-sc", watch);

    for (uint32_t kernel = 0; kernel < 2; kernel++) {
        rig_run(&g->rig, op, COUNT(op), 1, 32);
        glue_expect(g, "gtsc_l1", "op_valid=1 op=12\n");
        glue_expect(g, "gtsc_l2", "op_valid=1 kernel_start=1\n");
    }
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renewal_names_the_copy),
        cmocka_unit_test(bank_renews_the_same_version),
        cmocka_unit_test(uncovered_waiters_ask_together),
        cmocka_unit_test(renewal_of_a_line_that_left),
        cmocka_unit_test(barrier_joins_its_warps),
        cmocka_unit_test(kernel_begins_anew),
        cmocka_unit_test(fence_waits_for_timestamps),
        cmocka_unit_test(atomic_takes_the_copy),
        cmocka_unit_test(every_kernel_is_told),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
