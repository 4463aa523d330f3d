/* Host memory behind its link, and the page table, by themselves.
 *
 * Latency and bandwidth of memory and link in closed form, ports served in turn, bytes stored and read
 * back; limits of the two memories, the least recently used page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cycle.h"
#include "machine/memory/hostmem.h"
#include "machine/memory/pages.h"

enum { LAST_CYCLE = 100000, BASE = 1 << 20 };

struct bench {
    struct gpu_config config;
    struct memory *memory;
    struct hostmem host;
    struct exchange_pool pool;
};

static void make(struct bench *b, const char *const *set)
{
    static const char *const plain[] = {"clock.core_khz=1000000", "host.latency=100",
                                        "host.link_latency=30",   "host.bandwidth_mbps=16000",
                                        "icnt.header_bytes=8",    NULL};
    char error[256];

    *b = (struct bench){0};
    config_defaults(&b->config);
    for (size_t k = 0; plain[k]; k++) {
        assert_int_equal(config_set(&b->config, plain[k], error, sizeof error), 0);
    }
    for (; set && *set; set++) {
        assert_int_equal(config_set(&b->config, *set, error, sizeof error), 0);
    }
    b->memory = memory_create();
    assert_non_null(b->memory);
    assert_int_equal(hostmem_init(&b->host, &b->config, b->memory), 0);
}

static void unmake(struct bench *b)
{
    hostmem_free(&b->host);
    exchange_pool_free(&b->pool);
    memory_destroy(b->memory);
}

/* A read of whole block number `n` arrives at a port in that cycle. */
static void ask(struct bench *b, uint32_t port, uint64_t n, uint64_t at)
{
    struct exchange *exchange = exchange_new(&b->pool);

    exchange->request.packet = (struct packet){
        .type = MSG_READ, .block = BASE + 128 * n, .size_bytes = 8, .ready_at = at};
    exchange->request.sectors = 15;
    ring_push(&b->host.in[port], &exchange->request.packet);
}

/* Run to the reply at that port; when it is ready, and what it is about. */
static uint64_t answer(struct bench *b, uint32_t port, uint64_t *block)
{
    for (uint64_t now = 0; now < LAST_CYCLE && !b->host.out[port].count; now++) {
        hostmem_step(&b->host, now);
    }
    assert_true(b->host.out[port].count > 0);
    struct packet *packet = ring_pop(&b->host.out[port]);
    const uint64_t at = packet->ready_at;
    if (block) {
        *block = packet->block;
    }
    exchange_release(exchange_of_reply(packet));
    return at;
}

/* 128 bytes at 16 bytes a cycle, then both latencies. */
static void one_read(void **state)
{
    struct bench b;

    (void)state;
    make(&b, NULL);
    ask(&b, 0, 0, 5);
    assert_int_equal(answer(&b, 0, NULL), 5 + 128 / 16 + 100 + 30);
    assert_int_equal(b.host.requests, 1);
    assert_int_equal(b.host.bytes, 128);
    assert_int_equal(b.host.down_bytes, 8);
    assert_int_equal(b.host.up_bytes, 8 + 128);
    unmake(&b);
}

/* The eighth of eight waits for seven: bandwidth adds up, latency does not. */
static void bandwidth(void **state)
{
    struct bench b;
    uint64_t at = 0;

    (void)state;
    make(&b, NULL);
    for (uint64_t n = 0; n < 8; n++) {
        ask(&b, 0, n, 0);
    }
    for (uint64_t n = 0; n < 8; n++) {
        at = answer(&b, 0, NULL);
    }
    assert_int_equal(at, 8 * 128 / 16 + 130);
    unmake(&b);
}

/* A link of 4 bytes a cycle: a read takes 8 / 4 cycles down, 8 in memory, (8 + 128) / 4 up; of a second
 * one only the way up is not hidden. */
static void narrow_link(void **state)
{
    static const char *const narrow[] = {"host.link_mbps=4000", NULL};
    struct bench b;

    (void)state;
    make(&b, narrow);
    ask(&b, 0, 0, 0);
    ask(&b, 0, 1, 0);
    assert_int_equal(answer(&b, 0, NULL), 2 + 8 + 34 + 130);
    assert_int_equal(answer(&b, 0, NULL), 2 + 8 + 2 * 34 + 130);
    unmake(&b);
}

static void ports_take_turns(void **state)
{
    static const char *const three[] = {"host.ports=3", NULL};
    static const uint32_t port[6] = {0, 0, 0, 0, 1, 2};
    /* Order of service: 0, 1, 2, then what is left at port 0. */
    static const uint64_t turn_of[6] = {1, 4, 5, 6, 2, 3};
    struct bench b;

    (void)state;
    make(&b, three);
    for (uint64_t n = 0; n < 6; n++) {
        ask(&b, port[n], n, 0);
    }
    assert_int_equal(hostmem_waiting(&b.host), 6);
    for (uint64_t n = 0; n < 6; n++) {
        uint64_t block;
        const uint64_t at = answer(&b, port[n], &block);

        assert_int_equal(block, BASE + 128 * n);
        assert_int_equal(at, 8 * turn_of[n] + 130);
    }
    unmake(&b);
}

/* Asleep and stepped every cycle it does the same. */
static void sleeps(void **state)
{
    struct bench b;

    (void)state;
    make(&b, NULL);
    ask(&b, 0, 0, 17);
    ask(&b, 0, 1, 17);
    assert_false(hostmem_step(&b.host, 0));
    assert_int_equal(b.host.wake, 17);
    assert_true(hostmem_step(&b.host, 17));
    assert_int_equal(b.host.wake, 17 + 8);
    assert_true(hostmem_step(&b.host, 25));
    assert_int_equal(b.host.wake, CYCLE_NEVER);
    assert_int_equal(answer(&b, 0, NULL), 25 + 130);
    assert_int_equal(answer(&b, 0, NULL), 33 + 130);
    unmake(&b);
}

/* What a store carries is what a read brings. */
static void stored_bytes(void **state)
{
    struct bench b;
    struct exchange *store, *read;

    (void)state;
    make(&b, NULL);
    store = exchange_new(&b.pool);
    store->request.packet = (struct packet){.type = MSG_WRITE, .block = BASE, .size_bytes = 40};
    store->request.ticket.to = TO_WARP;
    store->request.sectors = 1;
    store->request.bytes[0] = 0xF0;
    for (uint32_t i = 4; i < 8; i++) {
        store->data[i] = (uint8_t)(0xA0 + i);
    }
    ring_push(&b.host.in[0], &store->request.packet);
    assert_int_equal(answer(&b, 0, NULL), 32 / 16 + 130);
    ask(&b, 0, 0, 0);
    hostmem_step(&b.host, 100);
    read = exchange_of_reply(ring_pop(&b.host.out[0]));
    assert_int_equal(read->data[3], 0);
    assert_int_equal(read->data[4], 0xA4);
    assert_int_equal(read->data[7], 0xA7);
    assert_int_equal(read->data[8], 0);
    exchange_release(read);
    unmake(&b);
}

/* ---- the page table ---- */

static uint64_t page(uint64_t n)
{
    return 4096 * n;
}

static void limits(void **state)
{
    static const char *const set[] = {"host.gpu_pages=2", NULL};
    struct bench b;
    struct pages pages;

    (void)state;
    make(&b, set);
    pages_init(&pages, &b.config, b.memory);
    assert_true(pages_limited(&pages));
    assert_int_equal(pages_put(&pages, page(7) + 129, MEMORY_NODE_GPU, 1), 0);
    assert_false(pages_full(&pages, MEMORY_NODE_GPU));
    assert_int_equal(pages_put(&pages, page(9), MEMORY_NODE_GPU, 2), 0);
    assert_true(pages_full(&pages, MEMORY_NODE_GPU));
    assert_false(pages_full(&pages, MEMORY_NODE_HOST));
    assert_int_equal(pages_put(&pages, page(8), MEMORY_NODE_HOST, 3), 0);
    assert_int_equal(memory_node_of(b.memory, page(7) + 4095), MEMORY_NODE_GPU);
    assert_int_equal(memory_node_of(b.memory, page(8)), MEMORY_NODE_HOST);
    assert_true(memory_is_placed(b.memory, page(9)) && !memory_is_placed(b.memory, page(10)));
    assert_true(memory_has_remote(b.memory));
    pages_take(&pages, page(8));
    assert_false(memory_has_remote(b.memory) || memory_is_placed(b.memory, page(8)));
    pages_take(&pages, page(7));
    assert_false(pages_full(&pages, MEMORY_NODE_GPU));
    assert_int_equal(pages.replaced[MEMORY_NODE_GPU], 1);
    assert_int_equal(pages.placed[MEMORY_NODE_GPU], 2);
    assert_int_equal(pages.held[MEMORY_NODE_GPU], 1);
    pages_free(&pages);
    unmake(&b);
}

/* Of GPU memory the one that was used first of their last uses; of equal ones the lowest. */
static void least_recently_used(void **state)
{
    static const char *const set[] = {"host.gpu_pages=4", NULL};
    struct bench b;
    struct pages pages;

    (void)state;
    make(&b, set);
    pages_init(&pages, &b.config, b.memory);
    assert_int_equal(pages_put(&pages, page(1), MEMORY_NODE_HOST, 0), 0);
    for (uint64_t n = 5; n-- > 2;) {
        assert_int_equal(pages_put(&pages, page(n), MEMORY_NODE_GPU, 10), 0);
    }
    assert_int_equal(pages_oldest(&pages, MEMORY_NODE_GPU), page(2));
    memory_use(b.memory, page(2) + 77, 30);
    assert_int_equal(pages_oldest(&pages, MEMORY_NODE_GPU), page(3));
    memory_use(b.memory, page(3), 20);
    memory_use(b.memory, page(4), 25);
    assert_int_equal(pages_oldest(&pages, MEMORY_NODE_GPU), page(3));
    assert_int_equal(pages_oldest(&pages, MEMORY_NODE_HOST), page(1));
    pages_take(&pages, page(3));
    assert_int_equal(pages_oldest(&pages, MEMORY_NODE_GPU), page(4));
    pages_free(&pages);
    unmake(&b);
}

static void without_limits(void **state)
{
    struct bench b;
    struct pages pages;

    (void)state;
    make(&b, NULL);
    pages_init(&pages, &b.config, b.memory);
    assert_false(pages_limited(&pages));
    for (uint64_t n = 0; n < 200; n++) {
        assert_int_equal(pages_put(&pages, page(n), (enum memory_node)(n % 2), n), 0);
    }
    assert_false(pages_full(&pages, MEMORY_NODE_GPU) || pages_full(&pages, MEMORY_NODE_HOST));
    memory_use(b.memory, page(3), 999);
    assert_int_equal(memory_last_use(b.memory, page(3)), 0); /* nobody asks */
    memory_close(b.memory, true);
    assert_false(memory_is_open(b.memory, page(3)));
    assert_true(memory_is_placed(b.memory, page(3)));
    memory_close(b.memory, false);
    assert_true(memory_is_open(b.memory, page(3)));
    pages_free(&pages);
    unmake(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_read),       cmocka_unit_test(bandwidth),
        cmocka_unit_test(narrow_link),    cmocka_unit_test(ports_take_turns),
        cmocka_unit_test(sleeps),         cmocka_unit_test(stored_bytes),
        cmocka_unit_test(limits),         cmocka_unit_test(least_recently_used),
        cmocka_unit_test(without_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
