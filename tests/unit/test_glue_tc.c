/* test_glue_tc - Temporal Coherence, event by event, by the words of tabbakh2018 3.5.3: in which
 * cycle a bank performs what with which lease, what a fence waits for, and which line may go.
 *
 * It has no units: spies stand between the machine and its sockets while small programs run, a
 * warp's load of X first; Y and Z are the next blocks.  The bank has two lines, if nothing else is
 * said. */
#include "test_glue_protocol.h"

enum { LEASE = 2000, EVENTS = 64 };

struct event {
    uint64_t cycle, says; /* proto[0] of the reply */
};

/* What SM 0 has sent and the bank of X has performed, a letter each: Read, Write, Atomic. */
static struct tc {
    struct glue *g;
    struct coherence_l1_socket l1;
    struct coherence_l2_socket l2;
    struct event sent[EVENTS], performed[EVENTS];
    char sends[EVENTS], performs[EVENTS];
    uint64_t fence_ends, goes; /* the first cycle in which a fence was complete, a line may go */
} tc;

static void note(char *letters, struct event *events, const struct request *asked, uint64_t cycle,
                 uint64_t says)
{
    static const char letter[] = {[MSG_READ] = 'R', [MSG_WRITE] = 'W', [MSG_ATOMIC] = 'A'};
    const size_t n = strlen(letters);

    assert_true(n + 1 < EVENTS);
    letters[n] = letter[asked->packet.type];
    events[n] = (struct event){cycle, says};
}

static void send(void *self, struct request *asked, struct cache_line *line)
{
    tc.l1.send(self, asked, line);
    note(tc.sends, tc.sent, asked, tc.g->rig.gpu->sm[0].now, 0);
}

static void performed(void *self, const struct request *asked, struct reply *msg,
                      struct cache_line *line, uint64_t cycle)
{
    tc.l2.performed(self, asked, msg, line, cycle);
    note(tc.performs, tc.performed, asked, cycle, msg->proto[0]);
}

static bool fence(void *self, uint32_t slot, uint64_t cycle)
{
    const bool complete = tc.l1.fence(self, slot, cycle);

    tc.fence_ends = complete && tc.fence_ends == 0 ? cycle : tc.fence_ends;
    return complete;
}

static bool may_evict(void *self, const struct cache_line *line, uint64_t cycle)
{
    const bool may = tc.l2.may_evict(self, line, cycle);

    tc.goes = may && tc.goes == 0 ? cycle : tc.goes;
    return may;
}

static void begin_on(void **state, const char *mechanism, const char *const *machine)
{
    static const char *const no_units[] = {NULL};

    tc = (struct tc){.g = glue_new(state, machine, mechanism, no_units)};
    tc.l1 = *glue_l1(tc.g);
    tc.l2 = *glue_l2(tc.g);
}

static void begin(void **state, const char *mechanism)
{
    static const char *const machine[] = {"l2.write=back-fetch", "l2.sets=1", "l2.ways=2", NULL};

    begin_on(state, mechanism, machine);
}

/* r1, r8, r9: X, Y, Z; r3: what was loaded from X. */
#define RUN(...) run((const struct front_op[]){__VA_ARGS__, {.kind = FRONT_EXIT}}, 1)
static void run(const struct front_op *op, uint32_t warps)
{
    struct gpu *gpu = tc.g->rig.gpu;
    const uint64_t x = memory_alloc(tc.g->rig.memory, "x", 4 * 128, 1 << 20);
    struct front_op all[20] = {{.kind = FRONT_LANE, .d = 1, .imm = x, .stride = 4},
                               {.kind = FRONT_ADD, .d = 8, .a = 1, .imm = 128},
                               {.kind = FRONT_ADD, .d = 9, .a = 1, .imm = 256},
                               {.kind = FRONT_LOAD, .d = 2, .a = 1},
                               {.kind = FRONT_SUM, .d = 3, .a = 2, .b = 1}};
    uint32_t n = 5;

    glue_sockets(tc.g)->coherence.send = send;
    glue_sockets(tc.g)->coherence.fence = tc.l1.fence != NULL ? fence : NULL;
    gpu->bank[l2_bank_of(&gpu->config, x)].sockets.coherence.performed = performed;
    gpu->bank[l2_bank_of(&gpu->config, x)].sockets.coherence.may_evict = may_evict;
    do {
        all[n++] = *op;
    } while (op++->kind != FRONT_EXIT);
    rig_run(&tc.g->rig, all, n, 1, warps * 32);
}

#define STORE_X \
    { \
        .kind = FRONT_STORE, .a = 1, .b = 3 \
    }
#define LOAD(d_, a_) \
    { \
        .kind = FRONT_LOAD, .d = d_, .a = a_ \
    }
#define USE(d_) \
    { \
        .kind = FRONT_SUM, .d = 15, .a = d_, .b = d_ \
    }

/* "G.exp = max(G.exp, now + TC_LEASE); reply data, exp = G.exp", "C.exp = resp.exp": within it the
 * copy is hit, behind it asked for once more. */
static void lease_is_from_the_bank(void **state)
{
    begin(state, "tc-weak:lease=2000");
    RUN(LOAD(4, 1), USE(4), {.kind = FRONT_SFU, .d = 5, .a = 4},
        {.kind = FRONT_SUM, .d = 5, .a = 5}, {.kind = FRONT_LOOP, .imm = 7, .stride = 200},
        LOAD(6, 1), USE(6));
    assert_string_equal(tc.sends, "RR");
    assert_int_equal(tc.performed[0].says, tc.performed[0].cycle + LEASE);
    assert_int_equal(tc.performed[1].says, tc.performed[1].cycle + LEASE);
    assert_true(tc.sent[1].cycle > tc.performed[0].says);
    glue_free(tc.g);
}

/* "TC-Strong: if now <= G.exp: stall until now > G.exp" (T-4), and a warp in SC has one request out
 * (D-M1); the store takes the warp's own copy (D-T3). */
static void strong_store_waits_for_the_lease(void **state)
{
    begin(state, "tc-strong:lease=2000");
    RUN(STORE_X, LOAD(4, 1), USE(4));
    assert_string_equal(tc.performs, "RWR");
    assert_string_equal(tc.sends, "RWR");
    assert_true(tc.sent[1].cycle < tc.performed[0].says);
    assert_int_equal(tc.performed[1].cycle, tc.performed[0].says + 1);
    assert_true(tc.sent[2].cycle > tc.performed[1].cycle);
    glue_free(tc.g);
}

/* D-T4: at the bank an atomic is a store. */
static void strong_atomic_waits_for_the_lease(void **state)
{
    begin(state, "tc-strong:lease=2000");
    RUN({.kind = FRONT_ATOM, .d = 4, .a = 1, .b = 3}, USE(4));
    assert_string_equal(tc.performs, "RA");
    assert_int_equal(tc.performed[1].cycle, tc.performed[0].says + 1);
    glue_free(tc.g);
}

/* "This block: every later request to it waits in order": warp 1 has stored elsewhere (what is 256 bytes on is of the
 * other bank) when its load, past the L1D, comes to where warp 0's store waits. */
static void loads_wait_behind_the_store(void **state)
{
    static const char *const machine[] = {"l2.write=back-fetch", "l2.banks=2", NULL};
    const struct front_op op[] = {{.kind = FRONT_ADD, .d = 11, .a = 1},
                                  {.kind = FRONT_THREAD, .d = 12, .stride = 8},
                                  {.kind = FRONT_LANE, .d = 13, .stride = UINT64_MAX - 7},
                                  {.kind = FRONT_SUM, .d = 12, .a = 12, .b = 13},
                                  {.kind = FRONT_SUM, .d = 11, .a = 11, .b = 12},
                                  {.kind = FRONT_STORE, .a = 11, .b = 3},
                                  {.kind = FRONT_LOAD, .d = 4, .a = 1, .cacheop = ISA_CACHE_CV},
                                  USE(4),
                                  {.kind = FRONT_EXIT}};

    begin_on(state, "tc-strong:lease=2000", machine);
    run(op, 2);
    assert_string_equal(tc.sends, "RWWRR");
    assert_string_equal(tc.performs, "RWRR");
    assert_int_equal(tc.performed[1].cycle, tc.performed[0].says + 1);
    assert_true(tc.sent[3].cycle + 500 < tc.performed[1].cycle);
    glue_free(tc.g);
}

/* "Write at once; ack carries gwct = G.exp"; "warp stalls until all acks are back and now >
 * GWCT[w]" (T-5), at a fence or a barrier (D-M2).  Without one the next load goes at once. */
static void weak_store_delays_the_fence(void **state)
{
    static const enum front_kind points[] = {FRONT_FENCE, FRONT_BAR, FRONT_ADD};

    for (size_t p = 0; p < COUNT(points); p++) {
        begin(state, "tc-weak:lease=2000");
        RUN(STORE_X, {.kind = points[p], .d = 10, .a = 9}, LOAD(4, 8), USE(4));
        assert_string_equal(tc.performs, "RWR");
        const uint64_t lease_ends = tc.performed[0].says;
        assert_true(tc.performed[1].cycle < lease_ends);
        assert_int_equal(tc.performed[1].says, lease_ends);
        if (points[p] == FRONT_ADD) {
            assert_true(tc.sent[2].cycle < lease_ends);
        } else {
            assert_int_equal(tc.fence_ends, lease_ends + 1);
            assert_true(tc.sent[2].cycle > lease_ends);
        }
        glue_free(tc.g);
    }
}

/* D-T4: an atomic's answer tells the warp of the lease as well. */
static void weak_atomic_delays_the_fence(void **state)
{
    begin(state, "tc-weak:lease=2000");
    RUN({.kind = FRONT_ATOM, .d = 4, .a = 1, .b = 3}, {.kind = FRONT_FENCE}, LOAD(5, 8), USE(5));
    assert_string_equal(tc.performs, "RAR");
    assert_true(tc.performed[1].cycle < tc.performed[0].says);
    assert_int_equal(tc.fence_ends, tc.performed[0].says + 1);
    glue_free(tc.g);
}

/* T-6, T-7: both lines are leased, so Z's "allocation stalls until min(exp)+1": it gets X's.  "L2
 * fill: G.exp = 0 (no lease)", though X had one (T-8). */
static void live_leases_hold_their_lines(void **state)
{
    begin(state, "tc-weak:lease=2000");
    RUN({.kind = FRONT_SFU, .d = 5, .a = 3}, {.kind = FRONT_SUM, .d = 5, .a = 5},
        {.kind = FRONT_LOOP, .imm = 5, .stride = 50}, LOAD(4, 8), USE(4),
        {.kind = FRONT_STORE, .a = 9, .b = 3});
    assert_string_equal(tc.performs, "RRW");
    const uint64_t x_ends = tc.performed[0].says, y_ends = tc.performed[1].says;
    assert_true(x_ends + 1000 < y_ends);
    assert_true(tc.sent[2].cycle < x_ends);
    assert_int_equal(tc.goes, x_ends + 1);
    assert_true(tc.performed[2].cycle > x_ends && tc.performed[2].cycle < y_ends);
    assert_int_equal(tc.performed[2].says, 0);
    glue_free(tc.g);
}

/* "The requester whose BusRd fetched it is always served; waiters merged later are served only if
 * now <= C.exp" (D-T8), and the copy has that end. */
static void late_waiters_ask_again(void **state)
{
    struct cache_line *line;

    begin(state, "tc-strong:lease=2000");
    const struct coherence_l1_socket *l1 = glue_l1(tc.g);
    const struct request asked = glue_request(MSG_READ, TO_MSHR, 0, 7);
    struct reply msg = glue_reply(&asked, 110, 0);
    line = glue_line(tc.g, 2, 7);
    assert_int_equal(l1->reply(l1->self, &msg, line), COHERENCE_INSTALL);
    for (uint64_t now = 110; now < 112; now++) {
        struct access_info access = glue_of(ACCESS_LOAD, 1, 7);

        access.cycle = tc.g->rig.gpu->sm[0].now = now;
        assert_true(l1->covers(l1->self, 0, 0, &msg, line));
        assert_int_equal(l1->covers(l1->self, 1, 1, &msg, line), now == 110);
        assert_int_equal(l1->load(l1->self, &access, line),
                         now == 110 ? COHERENCE_HIT : COHERENCE_REFETCH);
    }
    tc.g->rig.gpu->sm[0].now = 0;
    glue_free(tc.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lease_is_from_the_bank),
        cmocka_unit_test(strong_store_waits_for_the_lease),
        cmocka_unit_test(strong_atomic_waits_for_the_lease),
        cmocka_unit_test(loads_wait_behind_the_store),
        cmocka_unit_test(weak_store_delays_the_fence),
        cmocka_unit_test(weak_atomic_delays_the_fence),
        cmocka_unit_test(live_leases_hold_their_lines),
        cmocka_unit_test(late_waiters_ask_again),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
