/* test_ledger.h - a ledger of what happens to the lines of a cache, kept from the events that its
 * observers are told, and the balances that must hold between it, the cache and the counters.
 *
 * It counts by itself: what it says of evictions and of bytes written back follows from events and
 * tags, never from a counter.  For the machine without mechanisms; needs a write policy that
 * leaves lines in place or drops them (not through-allocate). */
#ifndef WARPLOCK_TEST_LEDGER_H
#define WARPLOCK_TEST_LEDGER_H

#include "test_gpu_front_machine.h"

#include "machine/plug/plug.h"

enum ledger_state { LEDGER_FREE, LEDGER_RESERVED, LEDGER_DOOMED, LEDGER_VALID };

struct ledger_line {
    enum ledger_state state;
    bool dirty;
    uint64_t block;
};

struct ledger {
    const struct cache *cache;
    struct ledger_line *line; /* [sets * ways] */
    /* Lines that came, and how they went. */
    uint64_t came, evicted, evicted_dirty, dropped, dropped_dirty, refused, ended;
    uint64_t fills;                               /* replies to what had an MSHR entry */
    uint64_t loads[2], accesses[2], result[2][4]; /* [divergent], by enum access_result */
    uint64_t writes[2];                           /* stores, atomics */
};

static inline struct ledger_line *ledger_at(struct ledger *l, uint32_t set, uint32_t way)
{
    return &l->line[set * l->cache->ways + way];
}

static void ledger_reserve(struct ledger *l, uint32_t set, uint32_t way)
{
    struct ledger_line *line = ledger_at(l, set, way);
    const uint64_t block = cache_tag(l->cache, set, way);

    assert_true(line->state == LEDGER_FREE || line->state == LEDGER_VALID);
    if (line->state == LEDGER_VALID && line->block == block) {
        line->state = LEDGER_RESERVED; /* more of its bytes are fetched */
        return;
    }
    if (line->state == LEDGER_VALID) {
        l->evicted++;
        l->evicted_dirty += line->dirty;
    }
    l->came++;
    *line = (struct ledger_line){.state = LEDGER_RESERVED, .block = block};
}

static void ledger_line_event(void *self, uint32_t owner, uint32_t set, uint32_t way,
                              enum line_event event, bool dirty)
{
    struct ledger *l = self;
    struct ledger_line *line = ledger_at(l, set, way);

    (void)owner;
    switch (event) {
    case LINE_RESERVE: ledger_reserve(l, set, way); break;
    case LINE_FILL:
        l->refused += line->state == LEDGER_DOOMED;
        line->state = line->state == LEDGER_DOOMED ? LEDGER_FREE : LEDGER_VALID;
        line->dirty = dirty;
        break;
    case LINE_WRITE: line->dirty = true; break;
    case LINE_DROP:
        if (line->state == LEDGER_RESERVED || line->state == LEDGER_DOOMED) {
            line->state = LEDGER_DOOMED;
            return;
        }
        assert_int_equal(line->state, LEDGER_VALID);
        l->dropped++;
        l->dropped_dirty += line->dirty;
        line->state = LEDGER_FREE;
        break;
    }
}

static void ledger_access(void *self, uint32_t owner, const struct access_info *access,
                          uint32_t set, enum access_result result)
{
    struct ledger *l = self;
    const bool divergent = access->n_requests > 2;

    (void)owner, (void)set;
    l->loads[divergent] += access->position == 0;
    l->accesses[divergent]++;
    l->result[divergent][result]++;
}

static void ledger_write(void *self, uint32_t owner, const struct access_info *access, uint32_t set,
                         enum access_result result, bool global)
{
    struct ledger *l = self;

    (void)owner, (void)set, (void)result, (void)global;
    l->writes[access->kind == ACCESS_ATOMIC]++;
}

static void ledger_fill(void *self, uint32_t owner, uint64_t block)
{
    (void)owner, (void)block;
    ((struct ledger *)self)->fills++;
}

/* An L1D is empty when a kernel starts. */
static void ledger_kernel(void *self, uint32_t owner)
{
    struct ledger *l = self;

    (void)owner;
    for (uint32_t at = 0; at < l->cache->sets * l->cache->ways; at++) {
        l->ended += l->line[at].state != LEDGER_FREE;
        l->line[at].state = LEDGER_FREE;
    }
}

static const struct plugger ledger_plugger = {.name = "a ledger"};

static void ledger_open(struct ledger *l, const struct cache *cache)
{
    *l = (struct ledger){.cache = cache};
    l->line = calloc((size_t)cache->sets * cache->ways, sizeof *l->line);
    assert_non_null(l->line);
}

static inline void ledger_of_l1d(struct ledger *l, struct gpu *gpu, uint32_t sm)
{
    const struct observer observer = {.self = l,
                                      .kernel_start = ledger_kernel,
                                      .acc_result = ledger_access,
                                      .write_result = ledger_write,
                                      .fill = ledger_fill,
                                      .line = ledger_line_event};

    ledger_open(l, &sm_at(gpu->sm, sm)->l1d);
    assert_int_equal(plug_observer(machine_core(machine_of(gpu), sm), &ledger_plugger, &observer),
                     0);
}

static inline void ledger_of_bank(struct ledger *l, struct gpu *gpu, uint32_t bank)
{
    const struct observer observer = {
        .self = l, .acc_result = ledger_access, .line = ledger_line_event};

    ledger_open(l, &gpu->bank[bank].cache);
    assert_int_equal(
        plug_bank_observer(machine_bank(machine_of(gpu), bank), &ledger_plugger, &observer), 0);
}

static inline void ledger_close(struct ledger *l)
{
    free(l->line);
}

/* ---- balances ---- */

/* Every line that came is there, or is known to have gone; what is there is as the ledger says. */
static void ledger_lines(struct ledger *l)
{
    uint64_t resident = 0;

    for (uint32_t set = 0; set < l->cache->sets; set++) {
        for (uint32_t way = 0; way < l->cache->ways; way++) {
            const struct cache_line *line = cache_line(l->cache, set, way);
            const struct ledger_line *mine = ledger_at(l, set, way);

            assert_int_not_equal(line->state, LINE_RESERVED); /* nothing is in flight */
            assert_int_equal(line->state == LINE_VALID, mine->state == LEDGER_VALID);
            if (mine->state != LEDGER_VALID) {
                continue;
            }
            resident++;
            assert_int_equal(cache_tag(l->cache, set, way), mine->block);
            assert_int_equal((line->dirty[0] | line->dirty[1]) != 0, mine->dirty);
        }
    }
    assert_int_equal(l->came, l->evicted + l->dropped + l->refused + l->ended + resident);
}

static inline void ledger_check_l1d(struct ledger *l, struct gpu *gpu, uint32_t number)
{
    const struct sm_stats *s = sm_stats(sm_at(gpu->sm, number));
    const uint64_t(*r)[4] = l->result;
    const uint64_t misses = r[0][RESULT_MISS] + r[1][RESULT_MISS];

    ledger_lines(l);
    assert_int_equal(s->l1d_evictions, l->evicted);
    assert_int_equal(s->l1d_write_invalidations, l->dropped);
    assert_int_equal(l->dropped_dirty, 0); /* bytes that nobody else has */
    assert_int_equal(s->loads_coherent, l->loads[0]);
    assert_int_equal(s->loads_divergent, l->loads[1]);
    assert_int_equal(s->load_accesses_coherent, l->accesses[0]);
    assert_int_equal(s->load_accesses_divergent, l->accesses[1]);
    assert_int_equal(s->load_hits_coherent, r[0][RESULT_HIT]);
    assert_int_equal(s->load_hits_divergent, r[1][RESULT_HIT]);
    assert_int_equal(s->load_merges_coherent, r[0][RESULT_HIT_RESERVED]);
    assert_int_equal(s->load_merges_divergent, r[1][RESULT_HIT_RESERVED]);
    assert_int_equal(s->load_misses_coherent, r[0][RESULT_MISS]);
    assert_int_equal(s->load_misses_divergent, r[1][RESULT_MISS]);
    assert_int_equal(s->load_bypasses_coherent, r[0][RESULT_BYPASS]);
    assert_int_equal(s->load_bypasses_divergent, r[1][RESULT_BYPASS]);
    assert_int_equal(s->store_accesses, l->writes[0]);
    assert_int_equal(s->atomic_accesses, l->writes[1]);
    assert_int_equal(l->fills, misses + s->prefetch_issued);
    /* What went down: a read for each miss, what the L1D does not keep, and dirty lines. */
    assert_int_equal(s->requests_sent, misses + s->prefetch_issued + r[0][RESULT_BYPASS] +
                                           r[1][RESULT_BYPASS] + s->store_accesses - s->store_kept +
                                           s->atomic_accesses + l->evicted_dirty);
    assert_int_equal(s->replies_received, s->requests_sent);
}

/* `writes_down`: stores that go past the bank to DRAM (l2.write=evict). */
static inline void ledger_check_bank(struct ledger *l, struct gpu *gpu, uint32_t number)
{
    const struct l2_bank *bank = &gpu->bank[number];
    const struct l2_stats *s = &bank->stats;
    const uint64_t fetches = bank->config->l2_write == L2_WRITE_BACK_FETCH ? s->write_misses : 0;

    ledger_lines(l);
    assert_int_equal(s->evictions, l->evicted);
    assert_int_equal(s->reads + s->writes + s->atomics, l->accesses[0]);
    assert_int_equal(s->replies, l->accesses[0]);
    assert_int_equal(s->read_hits + s->write_hits + s->atomic_hits, l->result[0][RESULT_HIT]);
    assert_int_equal(s->read_merges + s->write_merges + s->atomic_merges,
                     l->result[0][RESULT_HIT_RESERVED]);
    assert_int_equal(s->read_misses + s->write_misses + s->atomic_misses,
                     l->result[0][RESULT_MISS]);
    assert_int_equal(s->fills, s->read_misses + s->read_bypasses + s->atomic_misses + fetches);
    if (bank->config->l2_write != L2_WRITE_EVICT) {
        assert_int_equal(s->write_backs, l->evicted_dirty);
        assert_int_equal(l->dropped, 0);
    } else { /* each store goes on, but for those that wait for a fetch */
        assert_true(s->write_backs >= l->evicted_dirty + s->write_hits + s->write_misses);
    }
}

static uint64_t ledger_messages(const struct net_stats *net, uint64_t *payload)
{
    uint64_t all = 0;

    for (uint32_t type = 0; type < MSG_TYPES; type++) {
        all += net->messages[type];
        *payload += net->bytes[type];
    }
    return all;
}

/* What one level sends the next takes in, and as many answers come back. */
static inline void ledger_check_machine(struct gpu *gpu)
{
    const struct net_stats *down = &gpu->request_net.stats, *up = &gpu->reply_net.stats;
    uint64_t sent = 0, received = 0, bytes = 0, reads = 0, writes = 0;
    uint64_t waiting = 0; /* a kernel ends before DRAM has written everything */
    struct l2_stats l2 = {0};

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sent += sm_stats(sm_at(gpu->sm, s))->requests_sent;
        received += sm_stats(sm_at(gpu->sm, s))->replies_received;
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        const struct l2_stats *s = &gpu->bank[b].stats;

        l2.reads += s->reads;
        l2.writes += s->writes;
        l2.atomics += s->atomics;
        l2.replies += s->replies;
        l2.fills += s->fills;
        l2.write_backs += s->write_backs;
        waiting += gpu->bank[b].to_dram.count;
    }
    for (uint32_t c = 0; c < gpu->n_channels; c++) {
        const struct dram_stats *s = &gpu->channel[c].stats;
        uint32_t open = 0;

        reads += s->reads;
        writes += s->writes;
        assert_int_equal(s->read_bytes, s->reads * BLOCK_BYTES);
        assert_int_equal(s->bus_cycles * gpu->config.dram_bus_bytes,
                         s->read_bytes + s->write_bytes);
        for (uint32_t bank = 0; bank < gpu->config.dram_banks; bank++) {
            open += gpu->channel[c].bank[bank].open;
        }
        assert_int_equal(s->activates, s->precharges + open);
        /* The others had a row opened, one each. */
        assert_in_range(s->activates, s->reads + s->writes - s->row_hits,
                        s->reads + s->writes - s->row_hits + gpu->channel[c].used);
        waiting += gpu->channel[c].used;
    }
    assert_int_equal(ledger_messages(down, &bytes), sent);
    assert_int_equal(ledger_messages(up, &bytes), received);
    assert_int_equal(down->messages[MSG_READ] + down->messages[MSG_PREFETCH], l2.reads);
    assert_int_equal(down->messages[MSG_WRITE], l2.writes);
    assert_int_equal(down->messages[MSG_ATOMIC], l2.atomics);
    assert_int_equal(up->messages[MSG_READ_REPLY], l2.reads);
    assert_int_equal(up->messages[MSG_WRITE_ACK], l2.writes);
    assert_int_equal(up->messages[MSG_ATOMIC_REPLY], l2.atomics);
    assert_int_equal(reads, l2.fills);
    assert_int_equal(writes + waiting, l2.write_backs);
}

#endif
