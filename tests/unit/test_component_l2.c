/* An L2 bank by itself: requests in, replies and requests to DRAM out.
 *
 * Clocks are equal, so that ticks are core cycles.  DRAM is a pipe of DRAM_CYCLES; the bytes are
 * the memory image's.  A hit is answered in its tick, and its reply leaves a cycle later; the
 * data port takes 128 / l2.port_bytes cycles a block, an atomic a cycle for each lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "machine/l2/l2.h"

enum { DRAM_CYCLES = 50, HEADER = 8, PORT_CYCLES = 128 / 32 };

struct bench {
    struct gpu_config config;
    struct memory *memory;
    struct l2_bank bank;
    struct exchange_pool pool;
    uint64_t base;
    uint64_t now;
    uint32_t reads, writes; /* that went to DRAM */
};

static void make(struct bench *b, const char *const *set)
{
    char error[256];

    *b = (struct bench){0};
    config_defaults(&b->config);
    b->config.clock_l2_khz = b->config.clock_core_khz;
    b->config.l2_partitions = b->config.l2_banks = 1;
    for (; set && *set; set++) {
        assert_int_equal(config_set(&b->config, *set, error, sizeof error), 0);
    }
    b->memory = memory_create();
    assert_non_null(b->memory);
    b->base = memory_alloc(b->memory, "words", 1 << 20, 0);
    assert_int_equal(l2_init(&b->bank, 0, &b->config, b->memory), 0);
}

static void unmake(struct bench *b)
{
    assert_int_equal(b->pool.in_use, 0);
    assert_int_equal(b->bank.mshr.used, 0);
    l2_free(&b->bank);
    exchange_pool_free(&b->pool);
    memory_destroy(b->memory);
}

/* A cycle: DRAM takes one request and returns what is due, then the bank has its tick. */
static void step(struct bench *b)
{
    if (b->bank.to_dram.count) {
        const struct dram_request *request = dram_queue_head(&b->bank.to_dram);

        if (request->write) {
            b->writes++;
        } else {
            l2_dram_return(&b->bank, request->mshr, request->sectors, b->now + DRAM_CYCLES);
            b->reads++;
        }
        dram_queue_pop(&b->bank.to_dram);
    }
    l2_tick(&b->bank, b->now, b->now);
    b->now++;
}

static struct exchange *request(struct bench *b, enum msg_type type, uint64_t block, uint16_t sm)
{
    struct exchange *exchange = exchange_new(&b->pool);

    exchange->request.packet = (struct packet){
        .type = (uint8_t)type, .block = block, .source = sm, .ready_at = b->now};
    exchange->request.sectors = 15;
    return exchange;
}

static void put(struct bench *b, struct exchange *exchange)
{
    ring_push(&b->bank.in, &exchange->request.packet);
}

static struct exchange *read_block(struct bench *b, uint64_t block, uint16_t sm)
{
    struct exchange *exchange = request(b, MSG_READ, block, sm);

    put(b, exchange);
    return exchange;
}

/* Four bytes at `offset` of the block. */
static struct exchange *write_word(struct bench *b, uint64_t block, uint32_t offset, uint32_t value)
{
    struct exchange *exchange = request(b, MSG_WRITE, block, 0);

    exchange->request.ticket.to = TO_WARP;
    bytes_span(exchange->request.bytes, offset, 4);
    exchange->request.sectors = bytes_sectors(exchange->request.bytes);
    memcpy(exchange->data + offset, &value, sizeof value);
    put(b, exchange);
    return exchange;
}

static const struct reply *wait_reply(struct bench *b)
{
    for (uint64_t end = b->now + 1000; b->now < end; step(b)) {
        if (b->bank.out.count) {
            return &exchange_of_reply(ring_pop(&b->bank.out))->reply;
        }
    }
    fail_msg("no reply");
    return NULL;
}

static void end(const struct reply *reply)
{
    exchange_release(exchange_of_reply((struct packet *)(uintptr_t)&reply->packet));
}

/* The reply's word at `offset`; the reply is done with. */
static uint32_t take_word(const struct reply *reply, uint32_t offset)
{
    uint32_t word;

    assert_int_equal(reply->packet.type, MSG_READ_REPLY);
    memcpy(&word, reply_data(reply) + offset, sizeof word);
    end(reply);
    return word;
}

static uint32_t in_memory(struct bench *b, uint64_t address)
{
    uint32_t word;

    memory_read(b->memory, address, &word, sizeof word);
    return word;
}

static void miss_then_hits(void **state)
{
    uint32_t word = 0x12345678;
    struct bench b;
    const struct reply *reply;
    uint64_t first;

    (void)state;
    make(&b, NULL);
    memory_write(b.memory, b.base + 8, &word, sizeof word);
    struct exchange *exchange = read_block(&b, b.base, 3);
    exchange->request.ticket = (struct ticket){
        .to = TO_MSHR, .number = 17, .warp_slot = 5, .lanes = 9, .local = true};
    exchange->request.proto[1] = 77;
    reply = wait_reply(&b);
    /* The miss in cycle 0, to DRAM in cycle 1, its data there DRAM_CYCLES later. */
    assert_int_equal(reply->packet.ready_at, 1 + DRAM_CYCLES + 1);
    assert_int_equal(reply->packet.dest, 3);
    assert_int_equal(reply->packet.size_bytes, HEADER + 128);
    assert_memory_equal(&reply->ticket, &exchange->request.ticket, sizeof reply->ticket);
    assert_int_equal(reply->proto[1], 77);
    assert_int_equal(take_word(reply, 8), 0x12345678);
    for (uint64_t n = 0; n < 4; n++) {
        read_block(&b, b.base, (uint16_t)n);
    }
    reply = wait_reply(&b);
    first = reply->packet.ready_at;
    end(reply);
    for (uint64_t n = 1; n < 4; n++) { /* the port's bandwidth, and arrival's order */
        reply = wait_reply(&b);
        assert_int_equal(reply->packet.ready_at, first + n * PORT_CYCLES);
        assert_int_equal(reply->packet.dest, n);
        end(reply);
    }
    assert_int_equal(b.reads, 1);
    unmake(&b);
}

/* Requests of a block in flight wait for the one read of it, and are served in their order. */
static void merged(void **state)
{
    struct bench b;

    (void)state;
    make(&b, NULL);
    read_block(&b, b.base, 0);
    write_word(&b, b.base, 4, 99);
    read_block(&b, b.base, 2);
    assert_int_equal(take_word(wait_reply(&b), 4), 0);
    end(wait_reply(&b));
    assert_int_equal(take_word(wait_reply(&b), 4), 99);
    assert_int_equal(b.reads, 1);
    unmake(&b);
}

/* Three lanes add to two words; each gets what the one before it left. */
static void atomics(void **state)
{
    static const uint32_t operand[3] = {5, 7, 11}, old[3] = {100, 200, 105};
    uint32_t word[2] = {100, 200}, got;
    uint8_t block[BLOCK_BYTES];
    struct bench b;

    (void)state;
    make(&b, NULL);
    memory_write(b.memory, b.base, word, sizeof word);
    read_block(&b, b.base, 0);
    end(wait_reply(&b));
    b.now += PORT_CYCLES;
    for (uint32_t returns = 0; returns < 2; returns++) {
        struct exchange *exchange = request(&b, MSG_ATOMIC, b.base, 1);
        struct request *asked = &exchange->request;
        const struct reply *reply;
        uint64_t start = b.now;

        asked->ticket = (struct ticket){.to = TO_INSTRUCTION, .lanes = 0x111};
        asked->atom = ISA_ATOM_ADD;
        asked->number = ISA_U32;
        asked->operand_bytes = 4;
        asked->returns = returns;
        for (uint32_t l = 0; l < 3; l++) {
            exchange_lanes(exchange)->offset[l] = l == 1 ? 4 : 0;
            memset(&exchange->atomic->lane[l], 0, sizeof exchange->atomic->lane[l]);
            memcpy(exchange->atomic->lane[l].value, &operand[l], 4);
        }
        put(&b, exchange);
        reply = wait_reply(&b);
        assert_int_equal(reply->packet.type, MSG_ATOMIC_REPLY);
        assert_int_equal(reply->packet.size_bytes, HEADER + (returns ? 3 * 4 : 0));
        assert_int_equal(b.bank.busy_until, start + PORT_CYCLES); /* its sectors */
        for (uint32_t l = 0; l < 3; l++) {
            memcpy(&got, exchange->atomic->lane[l].value, 4);
            assert_int_equal(got, old[l] + returns * (l == 1 ? 7 : 16));
        }
        end(reply);
        b.now += PORT_CYCLES;
    }
    l2_peek(&b.bank, b.base, block);
    memcpy(word, block, sizeof word);
    assert_int_equal(word[0], 100 + 2 * 16);
    assert_int_equal(word[1], 200 + 2 * 7);
    assert_int_equal(in_memory(&b, b.base), 100); /* the line is dirty */
    unmake(&b);
}

/* A dirty line goes to memory when it has to leave, and not before. */
static void written_back(void **state)
{
    struct bench b;
    const struct reply *ack;
    uint64_t stride;

    (void)state;
    make(&b, NULL);
    stride = (uint64_t)b.config.l2_sets * 128;
    write_word(&b, b.base, 12, 4711);
    ack = wait_reply(&b);
    assert_int_equal(ack->packet.type, MSG_WRITE_ACK);
    assert_int_equal(ack->packet.size_bytes, HEADER);
    end(ack);
    for (uint64_t way = 1; way < b.config.l2_ways; way++) {
        read_block(&b, b.base + way * stride, 0);
        end(wait_reply(&b));
    }
    assert_int_equal(in_memory(&b, b.base + 12), 0);
    assert_int_equal(b.writes, 0);
    read_block(&b, b.base + b.config.l2_ways * stride, 0); /* one more than there are ways */
    end(wait_reply(&b));
    assert_int_equal(in_memory(&b, b.base + 12), 4711);
    assert_int_equal(b.writes, 1);
    read_block(&b, b.base, 0);
    assert_int_equal(take_word(wait_reply(&b), 12), 4711);
    unmake(&b);
}

/* With as many misses as MSHRs in flight the next waits, and a full queue of replies holds the
 * bank; nothing is lost. */
static void back_pressure(void **state)
{
    struct bench b;
    uint32_t sent = 0;

    (void)state;
    make(&b, (const char *const[]){"l2.mshrs=2", "l2.reply_queue=1", NULL});
    for (; sent < 6; sent++) {
        read_block(&b, b.base + sent * 128, (uint16_t)sent);
    }
    for (uint32_t n = 0; n < 400; n++) {
        step(&b);
    }
    assert_int_equal(b.bank.out.count, 1);
    assert_true(b.bank.stats.fail_mshr > 0);
    assert_true(b.reads <= 3);
    for (uint32_t n = 0; n < sent; n++) {
        const struct reply *reply = wait_reply(&b);

        assert_int_equal(reply->packet.dest, n);
        end(reply);
    }
    assert_int_equal(b.reads, sent);
    unmake(&b);
}

static const char *const by_sectors[] = {"l2.sectors=yes", "l2.input_queue=16", "l2.latency=20",
                                         "l2.sets=1",      "l2.ways=1",         NULL};

/* A read of four sectors has four replies, one a cycle, each with its own sector's bytes. */
static void sector_by_sector(void **state)
{
    struct bench b;
    uint64_t last = 0;

    (void)state;
    make(&b, by_sectors);
    for (uint32_t s = 0; s < 4; s++) {
        const uint32_t word = 100 + s;

        memory_write(b.memory, b.base + 32 * s, &word, sizeof word);
    }
    read_block(&b, b.base, 3);
    for (uint32_t s = 0; s < 4; s++) {
        const struct reply *reply = wait_reply(&b);

        assert_int_equal(reply->sectors, 1 << s);
        assert_true(s == 0 || b.now == last + 1);
        last = b.now;
        assert_int_equal(take_word(reply, 32 * s), 100 + s);
    }
    assert_int_equal(b.reads, 4);
    unmake(&b);
}

/* A stored word leaves its sector dirty without a fetch; a read of the sector then fetches what is
 * missing, and finds what was stored.  The victim goes down with its dirty sector. */
static void stored_without_fetch(void **state)
{
    const uint32_t old = 7;
    struct bench b;
    struct exchange *read;
    const struct reply *reply;

    (void)state;
    make(&b, by_sectors);
    memory_write(b.memory, b.base + 36, &old, sizeof old);
    write_word(&b, b.base, 32, 99);
    end(wait_reply(&b));
    assert_int_equal(b.reads, 0);
    read = request(&b, MSG_READ, b.base, 0);
    read->request.sectors = 2;
    put(&b, read);
    reply = wait_reply(&b);
    assert_int_equal(((const uint32_t *)(const void *)reply_data(reply))[9], 7);
    assert_int_equal(take_word(reply, 32), 99);
    assert_int_equal(b.reads, 1);
    assert_int_equal(in_memory(&b, b.base + 32), 0);
    read = request(&b, MSG_READ, b.base + 4096, 0);
    read->request.sectors = 1;
    put(&b, read);
    end(wait_reply(&b));
    assert_int_equal(in_memory(&b, b.base + 32), 99);
    assert_int_equal(b.writes, 1);
    unmake(&b);
}

static uint8_t those_needed(void *self, const struct access_info *access, uint8_t needed,
                            uint32_t set, int way, uint8_t there, uint8_t *note)
{
    (void)self, (void)access, (void)set, (void)way, (void)there, (void)note;
    return needed;
}

/* Two reads of a block ask DRAM for a sector each, and a store between them writes the second one whole:
 * the second read gets its bytes before DRAM has answered it, whose answer finds nobody waiting. */
static void sector_written_on_its_way(void **state)
{
    const uint32_t memory = 0x11111111, stored = 0x22222222;
    struct bench b;

    (void)state;
    make(&b, NULL);
    b.bank.sockets.granularity.sectors = those_needed;
    memory_write(b.memory, b.base, &memory, sizeof memory);
    memory_write(b.memory, b.base + 32, &memory, sizeof memory);
    read_block(&b, b.base, 1)->request.sectors = 1;
    for (uint32_t cycle = 0; cycle < 5; cycle++) {
        step(&b);
    }
    struct exchange *store = write_word(&b, b.base, 32, stored);
    bytes_span(store->request.bytes, 32, 32);
    read_block(&b, b.base, 2)->request.sectors = 2;
    for (uint32_t cycle = 0; cycle < 5; cycle++) {
        step(&b);
    }
    assert_int_equal(b.reads, 2);
    assert_int_equal(take_word(wait_reply(&b), 0), memory);
    const struct reply *acknowledged = wait_reply(&b);
    assert_int_equal(acknowledged->packet.type, MSG_WRITE_ACK);
    end(acknowledged);
    assert_int_equal(take_word(wait_reply(&b), 32), stored);
    assert_int_equal(b.bank.mshr.used, 1);
    for (uint32_t cycle = 0; cycle < DRAM_CYCLES; cycle++) {
        step(&b);
        assert_int_equal(b.bank.out.count, 0);
    }
    assert_int_equal(b.bank.mshr.used, 0);
    read_block(&b, b.base, 3)->request.sectors = 3;
    assert_int_equal(take_word(wait_reply(&b), 32), stored);
    unmake(&b);
}

static bool past(void *self, const struct request *request, uint32_t set)
{
    (void)self, (void)request, (void)set;
    return false;
}

/* Of a block that takes no line other sectors are asked for at once, and what came first stays. */
static void sectors_without_line(void **state)
{
    const uint32_t first = 0x33333333, second = 0x44444444;
    struct bench b;

    (void)state;
    make(&b, NULL);
    b.bank.sockets.granularity.sectors = those_needed;
    b.bank.sockets.inclusion.insert_on_fill = past;
    memory_write(b.memory, b.base, &first, sizeof first);
    memory_write(b.memory, b.base + 32, &second, sizeof second);
    for (uint8_t sectors = 1; sectors <= 3; sectors++) {
        read_block(&b, b.base, 1)->request.sectors = sectors;
    }
    read_block(&b, b.base + 4096, 1);
    for (uint32_t cycle = 0; cycle < 6; cycle++) {
        step(&b);
    }
    assert_int_equal(b.reads, 3); /* two sectors and the other block */
    assert_int_equal(take_word(wait_reply(&b), 0), first);
    assert_int_equal(take_word(wait_reply(&b), 32), second);
    const struct reply *both = wait_reply(&b);
    uint32_t word;
    memcpy(&word, reply_data(both) + 32, sizeof word);
    assert_int_equal(word, second);
    assert_int_equal(take_word(both, 0), first);
    end(wait_reply(&b));
    unmake(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miss_then_hits),
        cmocka_unit_test(merged),
        cmocka_unit_test(atomics),
        cmocka_unit_test(written_back),
        cmocka_unit_test(back_pressure),
        cmocka_unit_test(sector_by_sector),
        cmocka_unit_test(stored_without_fetch),
        cmocka_unit_test(sector_written_on_its_way),
        cmocka_unit_test(sectors_without_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
