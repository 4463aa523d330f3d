/* test_glue_gtsc_reset - timestamps that overflow, by the words of tabbakh2018 3.6.8 and D-G3: who
 * stops, what begins anew, which epoch messages are of and what becomes of those of an older one.
 * Timestamps have 5 bits here, leases are of 10. */
#include "test_glue_gtsc.h"

static const char *const machine[] = {"l2.write=back-fetch", "machine.sms=2", "l2.banks=2", NULL};
static const char *const watch[] = {"gtsc_l1", "op_valid op warp line present msg_epoch", "gtsc_l2",
                                    "op_valid op line flash", NULL};

enum { OK = 1 << 8 };

static const struct coherence_l1_socket *l1_of(struct glue *g, uint32_t sm)
{
    return &sm_at(g->rig.gpu->sm, sm)->sockets.coherence;
}

static struct cache_line *bank_line(struct glue *g, uint32_t bank)
{
    return &g->rig.gpu->bank[bank].cache.line[3];
}

/* All caches are told that a kernel starts; line 3 of each bank is leased (1,11). */
static struct glue *begin(void **state)
{
    struct glue *g = glue_new(state, machine, "gtsc-rc:ts_bits=5", watch);

    for (uint32_t n = 0; n < 2; n++) {
        const struct coherence_l2_socket *l2 = &g->rig.gpu->bank[n].sockets.coherence;

        l1_of(g, n)->kernel_start(l1_of(g, n)->self);
        l2->kernel_start(l2->self);
        l2->fill(l2->self, 7 * 128, bank_line(g, n));
    }
    glue_forget(g);
    return g;
}

/* A tick of the banks: do they take requests? */
static bool tick(struct glue *g)
{
    const struct machine_clock_socket *clock = &g->rig.gpu->sockets.clock;

    return clock->begin(clock->self, ++g->cycle);
}

static uint64_t admit(struct glue *g, const struct request *asked)
{
    return glue_l2(g)->admit(glue_l2(g)->self, asked, bank_line(g, 0), g->cycle);
}

/* Stores to line 3 of bank 0 until one does not fit: 1, then 12; 23 + 10 > 31. */
static struct request overflow(struct glue *g, uint64_t epoch)
{
    struct request second = glue_request(MSG_WRITE, TO_WARP, 0, 7);

    perform(g, MSG_WRITE, stamps(0, 1), epoch, bank_line(g, 0));
    second.proto[0] = stamps(0, 1);
    second.proto[1] = epoch;
    assert_int_equal(admit(g, &second), CYCLE_NEVER);
    return second;
}

/* Ticks until the banks take requests again, which they did until the reset was granted. */
static void reset(struct glue *g)
{
    uint32_t ticks = 0;

    for (bool open = true; open; open = tick(g)) {
        assert_true(ticks++ < 10);
    }
    while (!tick(g)) {
        assert_true(ticks++ < 10);
    }
}

/* SM 0 hears of epoch 1 in the acknowledgement of a store of `warp`. */
static void adopt(struct glue *g, uint32_t warp, uint64_t wts)
{
    struct request store = glue_request(MSG_WRITE, TO_WARP, warp, 1000);

    glue_l1(g)->send(glue_l1(g)->self, &store, NULL);
    struct reply ack = glue_reply(&store, stamps(wts, wts + 10), 1);
    glue_l1(g)->reply(glue_l1(g)->self, &ack, NULL);
}

/* G-12: the store is parked while all banks stop and drain; their stamps begin anew and it is
 * performed at 11, by a bank of epoch 1 for which the store's base wts is 0. */
static void overflow_resets_all_banks(void **state)
{
    const struct machine_clock_socket *clock;
    struct glue *g = begin(state);

    g->rig.gpu->bank[1].serving = 0;
    clock = &g->rig.gpu->sockets.clock;
    assert_true(tick(g));
    assert_false(clock->end(clock->self));
    const struct request parked = overflow(g, 0);
    assert_true(clock->end(clock->self)); /* it goes on by itself */
    for (uint32_t ticks = 0; ticks < 5; ticks++) {
        assert_false(tick(g)); /* bank 1 is not drained */
    }
    glue_expect(g, "gtsc_l2", "op_valid=1 op=1 line=3\n");
    g->rig.gpu->bank[1].serving = -1;
    reset(g);
    assert_false(clock->end(clock->self));
    glue_expect(g, "gtsc_l2",
                "op_valid=1 op=1 line=3 flash=1\n"
                "1: op_valid=1 op=3 line=3 flash=1\n");
    assert_int_equal(admit(g, &parked), 0);
    struct reply ack = glue_reply(&parked, 0, 0);
    glue_l2(g)->performed(glue_l2(g)->self, &parked, &ack, bank_line(g, 0), g->cycle);
    assert_int_equal(ack.proto[0], stamps(11, 21));
    assert_int_equal(ack.proto[1], 1);
    glue_free(g);
}

/* G-13b: of an older epoch a renewal, too, is answered with data, and counts as from time 1. */
static void bank_answers_older_requests(void **state)
{
    struct glue *g = begin(state);

    overflow(g, 0);
    reset(g);
    const struct reply old = perform(g, MSG_READ, stamps(1, 30), 0, bank_line(g, 0)),
                       now = perform(g, MSG_READ, stamps(1, 7), 1, bank_line(g, 0));

    assert_false(old.no_data);
    assert_int_equal(old.proto[0], stamps(1, 11));
    assert_int_equal(old.proto[1], 1);
    assert_true(now.no_data);
    assert_int_equal(now.proto[0] >> 32, 17);
    glue_free(g);
}

/* A block that comes from DRAM at mem_ts 22 does not fit either: its line serves nobody until it
 * has its stamps, from mem_ts 1. */
static void fill_waits_for_the_reset(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l2_socket *l2 = glue_l2(g);
    struct request asked = glue_request(MSG_READ, TO_MSHR, 0, 9);

    perform(g, MSG_WRITE, stamps(0, 1), 0, bank_line(g, 0));
    l2->evict(l2->self, 7 * 128, bank_line(g, 0));
    glue_forget(g);
    l2->fill(l2->self, 9 * 128, bank_line(g, 0));
    asked.proto[0] = stamps(0, 1);
    assert_int_equal(admit(g, &asked), CYCLE_NEVER);
    reset(g);
    glue_expect(g, "gtsc_l2",
                "op_valid=1 line=3 flash=1\n"
                "op_valid=1 op=3 line=3\n"
                "1: op_valid=1 op=3 line=3 flash=1\n");
    assert_int_equal(perform(g, MSG_READ, stamps(0, 1), 1, bank_line(g, 0)).proto[0],
                     stamps(1, 11));
    glue_free(g);
}

/* "Own epoch = resp.epoch; invalidate all lines; warp_ts[*] = 1; locked lines: dropped, `stamps` of
 * all pending stores cleared"; then the answer is used.  Local data are no copies. */
static void sm_flushes_and_uses_the_answer(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct cache_line *clean = leased(g, 0, 16, 4, 9), *written = leased(g, 1, 17, 4, 9),
                      *local = glue_line(g, 2, 18);
    struct request store = glue_request(MSG_WRITE, TO_WARP, 6, 17);

    local->dirty[0] = 1;
    raise_warp(g, 3, 12);
    l1->store_hit(l1->self, 6, written);
    l1->send(l1->self, &store, written);
    adopt(g, 0, 5);
    assert_int_not_equal(clean->state, LINE_VALID);
    assert_int_not_equal(written->state, LINE_VALID);
    assert_false(written->locked);
    assert_int_equal(local->state, LINE_VALID);
    for (uint32_t warp = 0; warp < 4; warp++) {
        const struct request next = read_of(g, warp, 30, NULL);

        assert_int_equal(next.proto[0], stamps(0, warp == 0 ? 5 : 1));
        assert_int_equal(next.proto[1], 1);
    }
    assert_true(leased(g, 1, 17, 1, 3) == written); /* served before the store was performed */
    struct reply ack = glue_reply(&store, stamps(12, 22), 1 | OK);
    assert_int_equal(l1->reply(l1->self, &ack, written), COHERENCE_INSTALL);
    assert_int_equal(probe(g, 2, 17, written), COHERENCE_HIT);
    assert_int_equal(read_of(g, 2, 30, NULL).proto[0], stamps(0, 1)); /* of wts 1, not 12 */
    assert_int_equal(probe(g, 6, 17, written), COHERENCE_REFETCH);    /* who stored is past it */
    glue_free(g);
}

/* G-17: a fill of epoch 0 is "not installed, nobody served, BusRd{wts=0, ts = max(1,5)} follows". */
static void older_fill_serves_nobody(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct mshr_entry *entry = &g->rig.gpu->sm[0].mshr.entry[0];
    struct request asked = read_of(g, 0, 7, NULL);
    struct cache_line *line = glue_line(g, 2, 7);

    line->valid[0] = line->valid[1] = 0; /* it was reserved */
    adopt(g, 1, 5);
    line->state = LINE_VALID;
    struct reply msg = glue_reply(&asked, stamps(4, 30), 0);
    assert_int_equal(l1->reply(l1->self, &msg, line), COHERENCE_DROP);
    assert_false(l1->covers(l1->self, 0, 0, &msg, NULL));
    assert_false(l1->covers(l1->self, 1, 1, &msg, NULL));
    entry->n_targets = 2;
    assert_true(l1->may_ask(l1->self, 0, NULL));
    const struct request next = read_of(g, 0, 7, NULL);
    entry->n_targets = 0;
    assert_int_equal(next.proto[0], stamps(0, 5));
    assert_int_equal(next.proto[1], 1);
    glue_free(g);
}

/* "Ack -> completes the store, but its wts is not applied"; a load past the L1D asks again. */
static void older_answers_are_not_used(void **state)
{
    struct glue *g = begin(state);
    const struct coherence_l1_socket *l1 = glue_l1(g);
    struct request store = glue_request(MSG_WRITE, TO_WARP, 3, 7),
                   direct = glue_request(MSG_READ, TO_INSTRUCTION, 4, 8);
    const struct access_info own = glue_of(ACCESS_LOAD, 3, 7);

    l1->send(l1->self, &store, NULL);
    l1->send(l1->self, &direct, NULL);
    adopt(g, 1, 5);
    assert_false(l1->may_send(l1->self, &own, NULL));
    struct reply ack = glue_reply(&store, stamps(20, 30), 0);
    l1->reply(l1->self, &ack, NULL);
    assert_true(l1->may_send(l1->self, &own, NULL));
    assert_int_equal(read_of(g, 3, 7, NULL).proto[0], stamps(0, 1));
    struct reply bytes = glue_reply(&direct, stamps(20, 30), 0);
    assert_int_equal(l1->reply(l1->self, &bytes, NULL), COHERENCE_DROP);
    l1->send(l1->self, &direct, NULL);
    assert_int_equal(direct.proto[0], stamps(0, 1));
    bytes = glue_reply(&direct, stamps(6, 16), 1);
    assert_int_equal(l1->reply(l1->self, &bytes, NULL), COHERENCE_INSTALL);
    assert_int_equal(read_of(g, 4, 7, NULL).proto[0], stamps(0, 6));
    glue_free(g);
}

/* A barrier in epoch 1 joins timestamps as in epoch 0. */
static void barrier_of_a_later_epoch(void **state)
{
    struct glue *g = begin(state);

    adopt(g, 2, 9);
    glue_l1(g)->barrier(glue_l1(g)->self, 1 << 2 | 1 << 3);
    assert_int_equal(read_of(g, 3, 7, NULL).proto[0], stamps(0, 9));
    glue_free(g);
}

/* G-18: "A second reset waits until every SM has adopted the epoch of the first ... the controller
 * probes the unseen SMs": SM 1, which has sent nothing, and not SM 0. */
static void second_reset_probes_the_silent(void **state)
{
    struct glue *g = begin(state);

    overflow(g, 0);
    reset(g);
    adopt(g, 0, 5);
    glue_forget(g);
    const struct request parked = overflow(g, 1);
    glue_expect(g, "gtsc_l1", "");
    reset(g);
    glue_expect(g, "gtsc_l1", "1: op_valid=1 op=11 msg_epoch=1\n");
    assert_int_equal(admit(g, &parked), 0);
    assert_int_equal(perform(g, MSG_READ, stamps(0, 1), 2, bank_line(g, 0)).proto[1], 2);
    struct request asked = glue_request(MSG_READ, TO_MSHR, 0, 7);
    l1_of(g, 1)->send(l1_of(g, 1)->self, &asked, NULL);
    assert_int_equal(asked.proto[1], 1); /* of the second reset it has not heard */
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow_resets_all_banks),
        cmocka_unit_test(bank_answers_older_requests),
        cmocka_unit_test(fill_waits_for_the_reset),
        cmocka_unit_test(sm_flushes_and_uses_the_answer),
        cmocka_unit_test(older_fill_serves_nobody),
        cmocka_unit_test(older_answers_are_not_used),
        cmocka_unit_test(barrier_of_a_later_epoch),
        cmocka_unit_test(second_reset_probes_the_silent),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
