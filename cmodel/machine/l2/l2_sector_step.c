/* l2_sector_step.c - one tick of an L2 bank that works by sectors.  See l2_sector.h. */
#include <stdlib.h>

#include "base/cycle.h"
#include "machine/l2/l2_request.h"
#include "machine/l2/l2_sector.h"

/* ---- storage ---- */

struct l2_sectors *l2_sectors_new(const struct gpu_config *config)
{
    struct l2_sectors *sectors = calloc(1, sizeof *sectors);

    if (!sectors) {
        return NULL;
    }
    sectors->filled = calloc(config->l2_mshrs, sizeof *sectors->filled);
    if (dram_queue_init(&sectors->miss, config->l2_miss_queue) != 0 || !sectors->filled) {
        l2_sectors_free(sectors);
        return NULL;
    }
    return sectors;
}

void l2_sectors_free(struct l2_sectors *sectors)
{
    if (sectors) {
        dram_queue_free(&sectors->miss);
        free(sectors->filled);
    }
    free(sectors);
}

const char *l2_cannot(const struct l2_bank *bank)
{
    const struct bank_sockets *sockets = &bank->sockets;

    if (!bank->sectors) {
        return NULL;
    }
    if (sockets->coherence.performed || sockets->coherence.admit) {
        return "a coherence protocol";
    }
    if (sockets->inclusion.insert_on_fill || sockets->inclusion.keep_on_read ||
        sockets->inclusion.insert_copy_back) {
        return "an inclusion policy";
    }
    return sockets->n_clocked || sockets->race.arrive ? "a clocked unit or a race detector" : NULL;
}

static void fifo_push(struct exchange_fifo *fifo, struct exchange *exchange)
{
    exchange->next = NULL;
    *(fifo->head ? &fifo->tail->next : &fifo->head) = exchange;
    fifo->tail = exchange;
    fifo->count++;
}

static struct exchange *fifo_pop(struct exchange_fifo *fifo)
{
    struct exchange *exchange = fifo->head;

    fifo->head = exchange->next;
    __builtin_prefetch(fifo->head); /* when it is looked at it would have to be waited for */
    fifo->count--;
    return exchange;
}

/* ---- packets come in ---- */

/* The part of a request that is about one sector: a request of its own. */
static struct exchange *part_of(const struct exchange *whole, uint8_t sector, bool valued)
{
    struct exchange *part = exchange_new(whole->pool);

    part->request = whole->request;
    if (valued && whole->request.packet.type == MSG_WRITE) {
        uint64_t bytes[2];

        sector_bytes(sector, bytes);
        bytes_copy(part->data, whole->data, bytes);
    }
    return part;
}

/* The last sector's request is what came itself. */
static void split(struct l2_bank *bank, struct exchange *exchange, uint64_t now)
{
    for (uint32_t left = exchange->request.sectors; left; left &= left - 1) {
        const uint8_t sector = (uint8_t)(left & -left);
        struct exchange *part = left == sector ? exchange : part_of(exchange, sector, bank->valued);
        uint64_t bytes[2];

        sector_bytes(sector, bytes);
        part->request.sectors = sector;
        part->request.bytes[0] &= bytes[0];
        part->request.bytes[1] &= bytes[1];
        part->request.packet.ready_at = now + bank->config->l2_latency;
        fifo_push(&bank->sectors->delayed, part);
    }
}

static bool take_packet(struct l2_bank *bank, uint64_t now)
{
    const uint32_t most = bank->config->l2_input_queue;

    if (!bank->in.count || ring_head(&bank->in)->ready_at > now ||
        bank->sectors->queue.count + SECTORS > most) {
        return false;
    }
    split(bank, exchange_of_request(ring_pop(&bank->in)), now);
    return true;
}

/* ---- what DRAM returns ---- */

/* Those who wait have their turn at the bytes at once, in order: the line may go before all of them
 * are answered. */
static void install(struct l2_bank *bank, struct mshr_entry *entry, uint64_t now)
{
    struct cache_line *line = cache_line(&bank->cache, entry->set, entry->way);
    uint8_t *data = cache_data(&bank->cache, entry->set, entry->way);
    const uint64_t block = entry->first.block & ~(uint64_t)(BLOCK_BYTES - 1);
    const uint8_t *from = bank->valued ? memory_block(bank->memory, block) : NULL;
    uint64_t missing[2];

    sector_bytes(entry->sectors, missing);
    missing[0] &= ~line->valid[0];
    missing[1] &= ~line->valid[1];
    if (from) {
        bytes_copy(data, from, missing);
    }
    line->valid[0] |= missing[0];
    line->valid[1] |= missing[1];
    line->pc = entry->first.pc;
    cache_sectors_came(&bank->cache, entry->set, entry->way, entry->sectors);
    entry->returned = true;
    for (uint32_t t = 0; t < entry->n_targets; t++) {
        l2_perform(bank, entry->target[t].who, line, data, now);
    }
    bank->stats.fills++;
    if (!line->pending) {
        OBSERVE(bank->sockets, line, bank->id, entry->set, entry->way, LINE_FILL,
                l2_is_dirty(line));
    }
}

static bool fill(struct l2_bank *bank, uint64_t now)
{
    struct l2_sectors *sectors = bank->sectors;
    uint16_t at;

    if (!bank->fill_count || bank->fill[bank->fill_head].at > now) {
        return false;
    }
    at = bank->fill[bank->fill_head].mshr;
    bank->fill_head = (bank->fill_head + 1) % bank->n_fill;
    bank->fill_count--;
    install(bank, &bank->mshr.entry[at], now);
    sectors->filled[(sectors->filled_head + sectors->n_filled++) % bank->config->l2_mshrs] = at;
    return true;
}

/* One request that waited for a sector is answered. */
static bool answer(struct l2_bank *bank, uint64_t now)
{
    struct l2_sectors *sectors = bank->sectors;
    struct mshr_entry *entry;
    uint16_t at;

    if (!sectors->n_filled || ring_full(&bank->out)) {
        return false;
    }
    at = sectors->filled[sectors->filled_head];
    entry = &bank->mshr.entry[at];
    l2_sector_answer(bank, entry->target[entry->served++].who, now);
    if (entry->served == entry->n_targets) {
        mshr_release(&bank->mshr, at);
        sectors->filled_head = (sectors->filled_head + 1) % bank->config->l2_mshrs;
        sectors->n_filled--;
    }
    return true;
}

/* ---- one tick ---- */

static bool move_miss(struct l2_bank *bank)
{
    struct dram_queue *miss = &bank->sectors->miss;

    if (!miss->count || !dram_queue_room(&bank->to_dram)) {
        return false;
    }
    dram_queue_push(&bank->to_dram, dram_queue_head(miss));
    dram_queue_pop(miss);
    return true;
}

static bool look_up(struct l2_bank *bank, uint64_t tick, uint64_t now)
{
    struct exchange_fifo *queue = &bank->sectors->queue;
    enum l2_verdict verdict;
    struct exchange *next;

    if (!queue->count || !dram_queue_room(&bank->to_dram) || ring_full(&bank->out) ||
        bank->busy_until > tick) {
        return false;
    }
    next = queue->head->next; /* it may be gone afterwards */
    verdict = l2_sector_request(bank, queue->head, tick, now);
    if (verdict != L2_DONE) {
        ++*(verdict == L2_FAIL_LINE   ? &bank->stats.fail_line
            : verdict == L2_FAIL_MSHR ? &bank->stats.fail_mshr
                                      : &bank->stats.fail_dram);
        return false;
    }
    queue->head = next;
    queue->count--;
    return true;
}

/* What a look-up of the request will need of the host's memory. */
static void look_ahead(const struct l2_bank *bank, const struct request *request)
{
    const uint32_t set = l2_set_of(bank, request->packet.block);
    const int way = cache_find(&bank->cache, set, request->packet.block);

    __builtin_prefetch(cache_line(&bank->cache, set, way < 0 ? 0 : (uint32_t)way), 1);
}

static bool enter_queue(struct l2_bank *bank, uint64_t now)
{
    struct l2_sectors *sectors = bank->sectors;

    if (!sectors->delayed.count || sectors->delayed.head->request.packet.ready_at > now ||
        sectors->queue.count == bank->config->l2_input_queue) {
        return false;
    }
    look_ahead(bank, &sectors->delayed.head->request);
    fifo_push(&sectors->queue, fifo_pop(&sectors->delayed));
    return true;
}

static uint64_t next_wake(const struct l2_bank *bank, uint64_t tick)
{
    const struct l2_sectors *sectors = bank->sectors;
    const uint64_t soonest = clock_core(&bank->clock, tick + 1);
    uint64_t next = CYCLE_NEVER;

    if (sectors->queue.count || sectors->miss.count || sectors->n_filled) {
        return soonest;
    }
    if (bank->in.count) {
        next = ring_head(&bank->in)->ready_at;
    }
    if (sectors->delayed.count) {
        cycle_advance(&next, sectors->delayed.head->request.packet.ready_at);
    }
    if (bank->fill_count) {
        cycle_advance(&next, bank->fill[bank->fill_head].at);
    }
    return next == CYCLE_NEVER ? next : cycle_later(next, soonest);
}

bool l2_sector_tick(struct l2_bank *bank, uint64_t tick, uint64_t now)
{
    bool progress = take_packet(bank, now);

    progress |= answer(bank, now);
    progress |= fill(bank, now);
    progress |= move_miss(bank);
    progress |= look_up(bank, tick, now);
    progress |= enter_queue(bank, now);
    bank->wake = next_wake(bank, tick);
    return progress;
}
