/* test_mech_caps_outcome - what becomes of a prefetch (prefetch_outcome.h): one warp on a small
 * machine and prefetches at given cycles, a case for every outcome and every reason. */
#include "test_gpu_front_machine.h"

#include "mechanisms/prefetch/prefetch_outcome.h"

enum { BLOCK = 128, MAX_OPS = 64, LONG = 30 };

/* Requests of this prefetcher: block number, target warp, from which cycle on. */
struct asked {
    uint32_t block;
    int32_t warp;
    uint64_t cycle;
};
struct list {
    const struct asked *request;
    uint32_t n, next;
    const struct sm *sm;
    uint64_t base;
};

static bool list_peek(void *self, struct prefetch_request *request)
{
    const struct list *list = self;
    if (list->next == list->n || list->sm->now < list->request[list->next].cycle) {
        return false;
    }
    const struct asked *next = &list->request[list->next];
    *request = (struct prefetch_request){list->base + next->block * BLOCK, next->warp, 0};
    return true;
}

static void list_pop(void *self, bool issued)
{
    struct list *list = self;
    assert_true(issued);
    list->next++;
}

static bool list_busy(void *self)
{
    const struct list *list = self;
    return list->next < list->n;
}

/* A step of the warp's program: wait for `wait` dependent SFU operations, then load or store a
 * block. */
struct access {
    uint32_t wait, block;
    bool store;
};

static uint32_t program(struct front_op *op, const struct access *access, size_t n, uint64_t base)
{
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++) {
        op[at++] = (struct front_op){
            .kind = FRONT_LANE, .d = 1, .imm = base + access[i].block * BLOCK};
        for (uint32_t k = 0; k < access[i].wait; k++) {
            op[at++] = (struct front_op){.kind = FRONT_SFU, .d = 1, .a = 1};
        }
        op[at++] = access[i].store ? (struct front_op){.kind = FRONT_STORE, .a = 1, .b = 2}
                                   : (struct front_op){.kind = FRONT_LOAD, .d = 2, .a = 1};
        op[at++] = (struct front_op){.kind = FRONT_SUM, .d = 3, .a = 2, .b = 2};
    }
    op[at++] = (struct front_op){.kind = FRONT_EXIT};
    assert_true(at <= MAX_OPS);
    return at;
}

/* A cache of one line: whatever comes next evicts it. */
static struct prefetch_outcomes outcomes_of(const struct access *access, size_t n_accesses,
                                            const struct asked *request, uint32_t n_requests)
{
    static const char *const one_line[] = {"l1d.sets=1", "l1d.ways=1", NULL};
    struct rig rig = {0};
    struct front_op op[MAX_OPS];
    char error[256] = "";
    rig_make(&rig, one_line);
    struct sm *sm = &rig.gpu->sm[0];
    struct list list = {request, n_requests, 0, sm, memory_alloc(rig.memory, "data", 4096, 4096)};
    struct mechanism_set *set = mechanism_attach(rig.gpu, NULL, NULL, NULL, error, sizeof error);
    struct core *core = machine_core(machine_of(rig.gpu), 0);
    struct mechanism_context context = {
        .machine = machine_of(rig.gpu), .plug = {"test", 0, error, sizeof error}, .set = set};
    struct outcome_watch *watch = mechanism_keep(&context, sizeof *watch);
    assert_non_null(watch);
    assert_int_equal(outcome_watch_attach(&context, watch, core), 0);
    const struct prefetch_socket socket = {
        .self = &list, .peek = list_peek, .pop = list_pop, .busy = list_busy};
    assert_int_equal(plug_prefetch(core, &context.plug, &socket), 0);
    rig_run(&rig, op, program(op, access, n_accesses, list.base), 1, 32);
    const struct prefetch_outcomes outcomes = prefetch_outcomes_now(watch);
    assert_int_equal(list.next, list.n);
    assert_int_equal(outcomes.used_on_time + outcomes.used_late, sm->stats.prefetch_used);
    assert_int_equal(outcomes.used_late, sm->stats.prefetch_late);
    assert_int_equal(outcomes.evicted_by_demand, sm->stats.prefetch_evicted_early);
    mechanism_detach(set);
    rig_free(&rig);
    return outcomes;
}

static void expect(const char *name, struct prefetch_outcomes got, struct prefetch_outcomes wanted)
{
#define C(field, ...) \
    if (got.field != wanted.field) \
        fail_msg("%s: " #field " %llu, not %llu", name, (unsigned long long)got.field, \
                 (unsigned long long)wanted.field);
    PREFETCH_OUTCOMES(C)
    PREFETCH_REASONS(C)
    C(used_by_other)
#undef C
}

#define CHECK(name, accesses, requests, ...) \
    expect(name, outcomes_of(accesses, COUNT(accesses), requests, COUNT(requests)), \
           (struct prefetch_outcomes){__VA_ARGS__})

static void used(void **unused)
{
    static const struct access load_late[] = {{LONG, 0, false}}, load_soon[] = {{1, 0, false}};
    static const struct asked own[] = {{0, 0, 5}}, other[] = {{0, 3, 5}}, nobody[] = {{0, -1, 5}};
    (void)unused;
    CHECK("on time", load_late, own, .used_on_time = 1);
    CHECK("late", load_soon, own, .used_late = 1);
    CHECK("meant for another warp", load_late, other, .used_on_time = 1, .used_by_other = 1);
    CHECK("meant for nobody", load_late, nobody, .used_on_time = 1);
}

static void lost(void **unused)
{
    static const struct access other_then_it[] = {{LONG, 1, false}, {1, 0, false}};
    static const struct access other_only[] = {{LONG, 1, false}};
    static const struct access stored[] = {{LONG, 0, true}, {1, 1, false}};
    static const struct asked one[] = {{0, 0, 5}}, two[] = {{0, 0, 5}, {1, 0, 300}};
    (void)unused;
    CHECK("evicted before the warp asks", other_then_it, one, .evicted_by_demand = 1,
          .unused_early = 1);
    CHECK("evicted, never asked for", other_only, one, .evicted_by_demand = 1, .unused_wrong = 1);
    CHECK("evicted by the next prefetch, which is used", other_only, two, .used_on_time = 1,
          .evicted_by_prefetch = 1, .unused_wrong = 1);
    CHECK("dropped by a store", stored, one, .lost_otherwise = 1, .unused_wrong = 1);
}

static void at_the_end(void **unused)
{
    static const struct access twice[] = {{1, 0, false}, {1, 1, false}, {LONG, 1, false}};
    static const struct access once[] = {{1, 1, false}, {LONG, 1, false}};
    static const struct asked again[] = {{0, 0, 600}}, before[] = {{0, 0, 400}};
    (void)unused;
    /* Block 1 comes in after the prefetch of block 0 and throws it out. */
    CHECK("the warp had asked before", twice, again, .evicted_by_demand = 1, .unused_stale = 1);
    CHECK("the warp never asks", once, before, .evicted_by_demand = 1, .unused_wrong = 1);
}

static void nobody_asks_any_more(void **unused)
{
    static const struct access loads[] = {{1, 0, false}, {1, 1, false}, {LONG, 1, true}};
    static const struct asked after[] = {{0, 0, 900}};
    (void)unused;
    CHECK("left when the kernel ends", loads, after, .left_at_end = 1, .unused_stale = 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(used), cmocka_unit_test(lost),
                                       cmocka_unit_test(at_the_end),
                                       cmocka_unit_test(nobody_asks_any_more)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
