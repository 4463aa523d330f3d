/* The sockets, each with a small stand-in plugged in: what the machine asks, when, and
 * what it makes of the answers.  Values must stay right whatever is plugged in. */
#include "test_gpu_words.h"

/* ---- coherence: a waiter that the first reply does not cover ---- */

struct protocol {
    uint32_t refusals, sent, replies;
    bool renew;
};

static bool covers(void *self, uint32_t slot, uint32_t position, const struct reply *msg,
                   struct cache_line *line)
{
    struct protocol *p = self;

    (void)position;
    (void)slot;
    (void)msg;
    (void)line;
    return p->refusals == 0 || p->refusals-- == 0;
}

static void note_send(void *self, struct request *msg, struct cache_line *line)
{
    struct protocol *p = self;

    p->sent += msg->packet.type == MSG_READ;
    msg->proto[0] = line != NULL; /* "I have a copy" */
}

static enum coherence_reply note_reply(void *self, struct reply *msg, struct cache_line *line)
{
    struct protocol *p = self;

    (void)line;
    p->replies += msg->packet.type == MSG_READ_REPLY;
    return COHERENCE_INSTALL;
}

static void answer(void *self, const struct request *request, struct reply *msg,
                   struct cache_line *line, uint64_t cycle)
{
    struct protocol *p = self;

    (void)request;
    (void)line;
    (void)cycle;
    msg->no_data = p->renew && msg->proto[0];
}

static void uncovered_waiter_asks_again(void **state)
{
    (void)state;
    for (uint32_t renew = 0; renew < 2; renew++) {
        struct protocol p = {.refusals = 2, .renew = renew};
        struct rig rig = {0};
        uint64_t base, out;

        rig_make(&rig, NULL);
        base = words_of(&rig);
        out = memory_alloc(rig.memory, "out", 256, 0);
        rig.gpu->sm[0].sockets.coherence = (struct coherence_l1_socket){
            .self = &p, .covers = covers, .send = note_send, .reply = note_reply};
        rig.gpu->bank[0].sockets.coherence = (struct coherence_l2_socket){.self = &p,
                                                                          .performed = answer};
        two_loads(&rig, base + 20, 4, out);
        assert_int_equal(p.sent, 3); /* the miss and two repetitions; the second load hits */
        assert_int_equal(p.replies, 3);
        rig_free(&rig);
    }
}

/* ---- prefetch ---- */

struct prefetcher {
    uint64_t block;
    uint32_t left, popped, loads;
};

static void saw_load(void *self, const struct load_event *event)
{
    struct prefetcher *p = self;

    p->loads++;
    assert_int_equal(event->n, 1);
    p->block = (event->lowest[0] & ~UINT64_C(127)) + 128;
    p->left += p->loads == 1;
}

static bool peek_prefetch(void *self, struct prefetch_request *request)
{
    struct prefetcher *p = self;

    *request = (struct prefetch_request){.block = p->block, .warp_slot = -1};
    return p->left > 0;
}

static void pop_prefetch(void *self, bool issued)
{
    struct prefetcher *p = self;

    p->left--;
    p->popped += issued;
}

static void prefetched_block_hits(void **state)
{
    struct prefetcher p = {0};
    struct rig rig = {0};
    uint64_t base, out;

    (void)state;
    rig_make(&rig, NULL);
    base = words_of(&rig);
    out = memory_alloc(rig.memory, "out", 256, 0);
    rig.gpu->sm[0].sockets.prefetch = (struct prefetch_socket){
        .self = &p, .load = saw_load, .peek = peek_prefetch, .pop = pop_prefetch};
    two_loads(&rig, base, 128, out);
    assert_int_equal(p.loads, 2);
    assert_int_equal(p.popped, 1);
    assert_int_equal(rig.gpu->sm[0].stats.prefetch_issued, 1);
    assert_int_equal(rig.gpu->sm[0].stats.prefetch_used, 1);
    assert_int_equal(rig.gpu->sm[0].stats.load_misses_coherent, 1);
    rig_free(&rig);
}

/* ---- granularity: only the needed sector ---- */

static uint8_t needed_only(void *self, const struct access_info *access, uint8_t needed,
                           uint32_t set, int way, uint8_t there, uint8_t *note)
{
    (void)self;
    (void)access;
    (void)set;
    (void)way;
    (void)there;
    (void)note;
    return needed;
}

static void sector_misses(void **state)
{
    static const struct {
        uint64_t apart;
        uint32_t misses;
    } cases[] = {{4, 1}, {64, 2}};

    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct rig rig = {0};
        uint64_t base, out;

        rig_make(&rig, NULL);
        base = words_of(&rig);
        out = memory_alloc(rig.memory, "out", 256, 0);
        rig.gpu->sm[0].sockets.granularity.sectors = needed_only;
        two_loads(&rig, base, cases[c].apart, out);
        assert_int_equal(rig.gpu->sm[0].stats.load_misses_coherent, cases[c].misses);
        /* 8 + 32 bytes each, not 8 + 128 */
        assert_int_equal(rig.gpu->reply_net.stats.bytes[MSG_READ_REPLY], 40 * cases[c].misses);
        rig_free(&rig);
    }
}

/* ---- policy: bypass ---- */

static int always_bypass(void *self, uint32_t set, uint32_t invalid, uint32_t replaceable,
                         const struct access_info *access)
{
    (void)self;
    (void)set;
    (void)invalid;
    (void)replaceable;
    (void)access;
    return POLICY_BYPASS;
}

static void bypassed_loads(void **state)
{
    struct rig rig = {0};
    uint64_t base, out;

    (void)state;
    rig_make(&rig, NULL);
    base = words_of(&rig);
    out = memory_alloc(rig.memory, "out", 256, 0);
    rig.gpu->sm[0].sockets.policy.victim = always_bypass;
    two_loads(&rig, base, 4, out);
    assert_int_equal(rig.gpu->sm[0].stats.load_bypasses_coherent, 2);
    rig_free(&rig);
}

/* ---- inclusion: clean lines go back, L2 keeps nothing it gave away ---- */

static bool yes(void *self, uint64_t block, const struct cache_line *line)
{
    (void)self;
    (void)block;
    (void)line;
    return true;
}

static bool give_away(void *self, const struct request *msg, uint32_t set, uint32_t way)
{
    (void)self;
    (void)msg;
    (void)set;
    (void)way;
    return false;
}

static bool never_insert(void *self, const struct request *msg, uint32_t set)
{
    (void)self;
    (void)msg;
    (void)set;
    return false;
}

static void exclusive_levels(void **state)
{
    static const char *const set[] = {"l1d.sets=1", "l1d.ways=1", NULL};
    struct rig rig = {0};
    uint64_t base, out;

    (void)state;
    rig_make(&rig, set);
    base = words_of(&rig);
    out = memory_alloc(rig.memory, "out", 256, 0);
    rig.gpu->sm[0].sockets.inclusion.copy_back = yes;
    rig.gpu->bank[0].sockets.inclusion = (struct inclusion_l2_socket){
        .keep_on_read = give_away, .insert_on_fill = never_insert};
    two_loads(&rig, base, 1024, out);
    assert_int_equal(rig.gpu->bank[0].stats.read_bypasses, 2);
    assert_int_equal(rig.gpu->bank[0].stats.copy_backs_inserted, 1); /* the first block */
    two_loads(&rig, base, 1024, out); /* the first block hits in the L2 and leaves it */
    assert_int_equal(rig.gpu->bank[0].stats.read_hits, 1);
    rig_free(&rig);
}

/* ---- observers ---- */

struct counts {
    uint32_t launch, exit, issue, coalesced, result, retired, fills, kernels;
};

static void on_kernel(void *self, uint32_t sm)
{
    (void)sm;
    ((struct counts *)self)->kernels++;
}
static void on_launch(void *self, uint32_t sm, uint32_t slot)
{
    (void)sm;
    (void)slot;
    ((struct counts *)self)->launch++;
}
static void on_exit_warp(void *self, uint32_t sm, uint32_t slot)
{
    (void)sm;
    (void)slot;
    ((struct counts *)self)->exit++;
}
static void on_retire(void *self, uint32_t sm, uint32_t slot, uint32_t pc, uint32_t priority,
                      uint32_t n, uint32_t misses)
{
    (void)sm;
    (void)slot;
    (void)pc;
    (void)priority;
    assert_int_equal(n, 1);
    assert_true(misses <= 1);
    ((struct counts *)self)->retired++;
}
static void on_fill(void *self, uint32_t sm, uint64_t block)
{
    (void)sm;
    assert_int_equal(block % 128, 0);
    ((struct counts *)self)->fills++;
}

static void observed_events(void **state)
{
    struct counts counts = {0};
    struct rig rig = {0};
    uint64_t base, out;

    (void)state;
    rig_make(&rig, NULL);
    base = words_of(&rig);
    out = memory_alloc(rig.memory, "out", 256, 0);
    rig.gpu->sm[0].sockets.observer[0] = (struct observer){.self = &counts,
                                                           .kernel_start = on_kernel,
                                                           .warp_launch = on_launch,
                                                           .warp_exit = on_exit_warp,
                                                           .load_retire = on_retire,
                                                           .fill = on_fill};
    rig.gpu->sm[0].sockets.n_observers = 1;
    two_loads(&rig, base, 4, out);
    assert_int_equal(counts.kernels, 1);
    assert_int_equal(counts.launch, 1);
    assert_int_equal(counts.exit, 1);
    assert_int_equal(counts.retired, 2);
    assert_int_equal(counts.fills, 1);
    rig_free(&rig);
}

/* Clocked with an SM or a bank: each cycle once, in order, and told how many were left out. */
struct clock_watch {
    uint64_t next, begun, left_out;
};

static bool clock_begins(void *self, uint64_t now, uint64_t skipped)
{
    struct clock_watch *watch = self;

    assert_true(now >= watch->next);
    assert_int_equal(skipped, now - watch->next);
    watch->next = now + 1;
    watch->begun++;
    watch->left_out += skipped;
    return true;
}

static bool clock_ends(void *self)
{
    (void)self;
    return false;
}

static void clocked_cycles(void **state)
{
    struct clock_watch core = {0}, bank = {0};
    struct rig rig = {0};
    uint64_t base, out;

    (void)state;
    rig_make(&rig, NULL);
    base = words_of(&rig);
    out = memory_alloc(rig.memory, "out", 256, 0);
    rig.gpu->sm[0].sockets.clocked[0] = (struct clocked_socket){&core, clock_begins, clock_ends};
    rig.gpu->sm[0].sockets.n_clocked = 1;
    rig.gpu->sm[0].sockets.promises = 0;
    rig.gpu->bank[0].sockets.clocked[0] = (struct clocked_socket){&bank, clock_begins, clock_ends};
    rig.gpu->bank[0].sockets.n_clocked = 1;
    two_loads(&rig, base, 4, out);
    two_loads(&rig, base, 4, out); /* a launch between two steps */
    assert_true(core.begun > 10 && core.left_out > 10);
    assert_true(bank.begun > 0 && bank.left_out > 10);
    assert_int_equal(core.next, core.begun + core.left_out);
    assert_true(core.next <= rig.gpu->now);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uncovered_waiter_asks_again),
        cmocka_unit_test(prefetched_block_hits),
        cmocka_unit_test(sector_misses),
        cmocka_unit_test(bypassed_loads),
        cmocka_unit_test(exclusive_levels),
        cmocka_unit_test(observed_events),
        cmocka_unit_test(clocked_cycles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
