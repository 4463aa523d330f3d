/* Pages in memory of two kinds: where they go is asked once, host pages are not cached, and nothing is lost
 * when pages of full memories are replaced. */
#include "test_gpu_words.h"

static int odd_pages_remote(void *self, uint64_t page, bool gpu_full, bool host_full)
{
    (void)gpu_full;
    (void)host_full;
    ++*(uint32_t *)self;
    return page % 2 ? MEMORY_NODE_HOST : MEMORY_NODE_GPU;
}

static void remote_pages(void **state)
{
    uint32_t placed = 0;
    struct rig rig = {0};
    uint64_t base, out;

    (void)state;
    rig_make(&rig, NULL);
    base = words_of(&rig);
    out = memory_alloc(rig.memory, "out", 256, 1 << 16);
    rig.gpu->placement = (struct placement_socket){
        .self = &placed, .demand = true, .place = odd_pages_remote};
    two_loads(&rig, base, 4096, out);
    assert_int_equal(placed, 3); /* two pages read, one written */
    assert_int_equal(rig.gpu->host.requests, 1);
    assert_int_equal(rig.gpu->sm[0].stats.load_bypasses_coherent, 1); /* remote is not cached */
    rig_free(&rig);
}

/* Pages go to another memory from time to time, in memories that hold few. */
struct crowded {
    uint32_t asked, full[2];
};

static int now_here_now_there(void *self, uint64_t page, bool gpu_full, bool host_full)
{
    struct crowded *c = self;

    c->full[MEMORY_NODE_GPU] += gpu_full;
    c->full[MEMORY_NODE_HOST] += host_full;
    return (page + c->asked++ / 5) % 2 ? MEMORY_NODE_HOST : MEMORY_NODE_GPU;
}

enum { MANY_PAGES = 24, ROUNDS = 3 };

/* Two warps on two SMs, page after page, round after round: each increments words of its own by load and
 * store, and words of both by an atomic. */
static void crowd(struct rig *rig, uint64_t base)
{
    struct front_op op[6 * MANY_PAGES * ROUNDS + 2], *at = op;

    *at++ = (struct front_op){.kind = FRONT_LANE, .d = 2, .imm = 1};
    for (uint32_t i = 0; i < MANY_PAGES * ROUNDS; i++) {
        const uint64_t page = base + 4096 * (i % MANY_PAGES);

        *at++ = (struct front_op){.kind = FRONT_THREAD, .d = 1, .imm = page, .stride = 4};
        *at++ = (struct front_op){.kind = FRONT_LOAD, .d = 3, .a = 1};
        *at++ = (struct front_op){.kind = FRONT_SUM, .d = 4, .a = 3, .b = 2};
        *at++ = (struct front_op){.kind = FRONT_STORE, .a = 1, .b = 4};
        *at++ = (struct front_op){.kind = FRONT_LANE, .d = 5, .imm = page + 2048, .stride = 4};
        *at++ = (struct front_op){.kind = FRONT_RED, .a = 5, .b = 2};
    }
    *at++ = (struct front_op){.kind = FRONT_EXIT};
    rig_run(rig, op, (uint32_t)(at - op), 2, 32);
}

static void crowd_is_right(struct rig *rig, uint64_t base)
{
    for (uint32_t p = 0; p < MANY_PAGES; p++) {
        for (uint32_t w = 0; w < 64; w++) {
            assert_int_equal(word(rig, base + 4096 * p + 4 * w), 1000 * p + w + ROUNDS);
        }
        for (uint32_t lane = 0; lane < 32; lane++) {
            assert_int_equal(word(rig, base + 4096 * p + 2048 + 4 * lane), 2 * ROUNDS);
        }
    }
}

/* Room for five of the pages, which each round has been through before the next. */
static void crowded_memories(void **state)
{
    static const char *const set[] = {"host.gpu_pages=2", "host.pages=3", "host.replace_cycles=50",
                                      "machine.sms=2", NULL};
    struct crowded crowded = {0};
    struct rig rig = {0};
    uint64_t base;

    (void)state;
    rig_make(&rig, set);
    base = memory_alloc(rig.memory, "crowd", 4096 * MANY_PAGES, 1 << 16);
    for (uint32_t p = 0; p < MANY_PAGES; p++) {
        for (uint32_t w = 0; w < 64; w++) {
            const uint32_t value = 1000 * p + w;

            gpu_poke(rig.gpu, base + 4096 * p + 4 * w, &value, 4);
        }
    }
    rig.gpu->placement = (struct placement_socket){
        .self = &crowded, .demand = true, .place = now_here_now_there};
    crowd(&rig, base);
    crowd_is_right(&rig, base);
    assert_int_equal(rig.gpu->pages.held[MEMORY_NODE_GPU], 2);
    assert_int_equal(rig.gpu->pages.held[MEMORY_NODE_HOST], 3);
    for (uint32_t node = 0; node < 2; node++) {
        const struct pages *pages = &rig.gpu->pages;

        assert_int_equal(pages->placed[node] - pages->replaced[node], pages->held[node]);
        assert_true(crowded.full[node] > 0);
    }
    assert_true(crowded.asked >= ROUNDS * (MANY_PAGES - 5));
    assert_int_equal(crowded.asked, rig.gpu->pages.placed[0] + rig.gpu->pages.placed[1]);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(remote_pages),
                                       cmocka_unit_test(crowded_memories)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
