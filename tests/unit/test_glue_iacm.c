/* test_glue_iacm - what IACM gives its units, event by event, by the words of aci 3.10.4 C17, 3.10.5 and
 * 3.13: the accesses of V-RPD-1 through the L1D's policy, what a launch tells the search, whom a limit
 * leaves to a scheduler. */
#include "test_glue_sm.h"

static const char *const none[] = {NULL};
static const char *const bypass[] = {"rpd_bypass",
                                     "req_valid req_accept hit hit_rsv hit_pend hit_way fill_valid "
                                     "fill_way inv_valid inv_mask",
                                     NULL};
static const char *const search[] = {"awl_ctrl", "kernel_start nt insn_inc", NULL};
static const char *const four_ways[] = {"l1d.sets=32", "l1d.ways=4", NULL};
static const char *const pair[] = {"sm.schedulers=2", "sm.warps=16", NULL};

enum { SET = 5 };

static struct cache *l1d(struct glue *g)
{
    return &glue_sm(g)->l1d;
}

static struct access_info block_of(char name, uint8_t kind)
{
    return (struct access_info){
        .block = (uint64_t)name * 32 * 128 + SET * 128, .kind = kind, .n_requests = 1};
}

static void fill(struct glue *g, uint32_t way)
{
    OBSERVE(*glue_sockets(g), line, 0, SET, way, LINE_FILL, false);
    cache_set_valid(l1d(g), SET, way);
}

/* A load, served as the L1D does it, its data there at once: 'h' and the way it hit, 'a' and the way it
 * got, or "b". */
static const char *load(struct glue *g, char name)
{
    static const char *const hits[] = {"h0", "h1", "h2", "h3"}, *const gets[] = {"a0", "a1", "a2",
                                                                                 "a3"};
    const struct policy_socket *policy = &glue_sockets(g)->policy;
    const struct access_info info = block_of(name, ACCESS_LOAD);
    const int at = cache_find(l1d(g), SET, info.block);
    if (at >= 0) {
        policy->touch(policy->self, SET, (uint32_t)at, &info);
        OBSERVE(*glue_sockets(g), acc_result, 0, &info, SET, RESULT_HIT);
        return hits[at];
    }
    const int way = policy->victim(policy->self, SET, l1d(g)->invalid[SET],
                                   cache_replaceable(l1d(g), SET), &info);
    if (way < 0) {
        assert_int_equal(way, POLICY_BYPASS);
        OBSERVE(*glue_sockets(g), acc_result, 0, &info, SET, RESULT_BYPASS);
        return "b";
    }
    cache_place(l1d(g), SET, (uint32_t)way, info.block, LINE_RESERVED);
    policy->insert(policy->self, SET, (uint32_t)way, &info);
    OBSERVE(*glue_sockets(g), acc_result, 0, &info, SET, RESULT_MISS);
    fill(g, (uint32_t)way);
    return gets[way];
}

/* V-RPD-1, as printed in 3.13.4. */
static void a_set_under_loads(void **state)
{
    static const struct {
        char block;
        const char *result;
    } row[] = {{'A', "a0"}, {'B', "a1"}, {'C', "a2"}, {'D', "a3"}, {'E', "b"},
               {'A', "h0"}, {'F', "a1"}, {'G', "a2"}, {'H', "a3"}, {'A', "h0"},
               {'B', "b"},  {'C', "a1"}, {'D', "a2"}, {'A', "h0"}};
    struct glue *g = glue_new(state, four_ways, "rpd", none);

    glue_kernel(g);
    for (size_t n = 0; n < COUNT(row); n++) {
        assert_string_equal(load(g, row[n].block), row[n].result);
    }
    assert_int_equal(glue_count(g, "rpd", "bypasses_protected"), 2);
    glue_kernel(g); /* the L1D is empty, and nothing is protected any more */
    cache_invalidate_all(l1d(g));
    assert_string_equal(load(g, 'E'), "a0");
    glue_free(g);
}

/* A way stays shown when its pulse is over.  Fills, invalidations, hits on reserved lines and joined requests; a load past the L1D is none of its
 * accesses; a prefetch does not bypass, nor does a load while no MSHR is free. */
static void events(void **state)
{
    struct glue *g = glue_new(state, four_ways, "rpd", bypass);
    const struct policy_socket *policy = &glue_sockets(g)->policy;
    const struct access_info info = block_of('A', ACCESS_LOAD), other = block_of('Z', ACCESS_LOAD),
                             prefetch = block_of('Z', ACCESS_PREFETCH);
    struct access_info past = other;

    for (uint32_t way = 0; way < 4; way++) {
        cache_place(l1d(g), SET, way, block_of((char)('A' + way), 0).block, LINE_RESERVED);
    }
    policy->touch(policy->self, SET, 0, &info);
    OBSERVE(*glue_sockets(g), acc_result, 0, &info, SET, RESULT_HIT_RESERVED);
    fill(g, 2);
    policy->touch(policy->self, SET, 2, &info);
    policy->invalidate(policy->self, SET, 2);
    OBSERVE(*glue_sockets(g), acc_result, 0, &other, SET, RESULT_HIT_RESERVED);
    past.past_l1d = true;
    OBSERVE(*glue_sockets(g), acc_result, 0, &past, SET, RESULT_BYPASS);
    glue_expect(g, "rpd_bypass",
                "req_valid=1 req_accept=1 hit_rsv=1\n"
                "fill_valid=1 fill_way=2\n"
                "req_valid=1 req_accept=1 hit=1 hit_way=2 fill_way=2\n"
                "hit_way=2 fill_way=2 inv_valid=1 inv_mask=4\n"
                "req_valid=1 req_accept=1 hit_pend=1 hit_way=2 fill_way=2 inv_mask=4\n");
    cache_reserve(l1d(g), SET, 2);
    assert_int_equal(policy->victim(policy->self, SET, 0, 0, &prefetch), POLICY_NONE);
    assert_int_equal(policy->victim(policy->self, SET, 0, 0, &other), POLICY_BYPASS);
    while (!mshr_full(&glue_sm(g)->mshr)) {
        mshr_allocate(&glue_sm(g)->mshr, &info);
    }
    assert_int_equal(policy->victim(policy->self, SET, 0, 0, &other), POLICY_NONE);
    glue_expect(g, "rpd_bypass", ""); /* who asks changes nothing */
    glue_free(g);
}

/* A kernel of a grid; of each CTA two warps. */
static void start(struct glue *g, struct isa_launch *launch, struct kernel_facts *facts,
                  uint32_t ctas, uint32_t ctas_per_sm)
{
    launch->grid = (struct isa_dim3){ctas, 1, 1};
    *facts = (struct kernel_facts){
        .launch = launch, .warps_per_cta = 2, .ctas_per_sm = ctas_per_sm};
    glue_sm(g)->facts = facts;
    glue_kernel(g);
}

/* A cycle in which so many thread instructions are issued. */
static void cycle(struct glue *g, uint32_t instructions)
{
    glue_begin(g);
    glue_sm(g)->stats.thread_instructions += instructions;
    glue_end(g);
}

/* C17: ceil(min(C, ceil(grid / SMs)) * w / 2), at least 1 and at most a scheduler's slots; C16: the
 * SM's own thread instructions. */
static void a_launch_tells_the_warps(void **state)
{
    static const struct {
        uint32_t ctas, per_sm;
        const char *expected;
    } launch[] = {{1000, 3, "kernel_start=1 nt=3 insn_inc=40\n"},
                  {1000, 100, "kernel_start=1 nt=8 insn_inc=40\n"},
                  {1, 5, "kernel_start=1 nt=1 insn_inc=40\n"}};
    struct glue *g = glue_new(state, pair, "awl", search);
    const uint32_t sms = g->rig.gpu->n_sms;
    struct isa_launch facts_launch = {.grid = {1, 1, 1}};
    struct kernel_facts facts;

    for (size_t n = 0; n < COUNT(launch); n++) {
        start(g, &facts_launch, &facts, launch[n].ctas, launch[n].per_sm);
        cycle(g, 40);
        cycle(g, 64);
        glue_expect(g, "awl_ctrl", launch[n].expected);
    }
    start(g, &facts_launch, &facts, 2 * sms + 1, 100); /* three CTAs for the first SM */
    cycle(g, 0);
    glue_expect(g, "awl_ctrl", "kernel_start=1 nt=3\n");
    glue_free(g);
}

/* 3.10.5: the oldest of those that do not wait; nobody has a privilege. */
static void a_limit_leaves_the_oldest(void **state)
{
    struct glue *g = glue_new(state, pair, "awl:awl-period=2", none);
    struct isa_launch launch;
    struct kernel_facts facts;

    start(g, &launch, &facts, 1000, 4);
    for (uint32_t slot = 12; slot < 16; slot++) { /* older than those of lower slots */
        glue_come(g, 1, slot);
    }
    for (uint32_t slot = 0; slot < 4; slot++) {
        glue_come(g, 2, slot);
    }
    cycle(g, 0);
    assert_int_equal(glue_may_issue(g, 3, 0xf00f, 0),
                     0xf00f); /* four of each scheduler: no limit */
    cycle(g, 10);
    cycle(g, 10); /* a period: two, then */
    assert_int_equal(glue_may_issue(g, 4, 0xf00f, 0), 0xf000);
    glue_sm(g)->warps.wait_barrier |= 1u << 12; /* of scheduler 0, which makes room for slot 0 */
    assert_int_equal(glue_may_issue(g, 5, 0xe00f, 0), 0xe001);
    glue_sm(g)->sockets.sched[0].issued(glue_sm(g)->sockets.sched[0].self, 2);
    assert_int_equal(glue_may_issue(g, 6, 0x0004, 0), 0); /* issued last, and left out */
    glue_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_under_loads),
        cmocka_unit_test(events),
        cmocka_unit_test(a_launch_tells_the_warps),
        cmocka_unit_test(a_limit_leaves_the_oldest),
    };

    return cmocka_run_group_tests(tests, glue_setup, glue_teardown);
}
