/* l2_step.c - one tick of an L2 bank: fills, replayed requests, the next request.
 *
 * Works after wang2015-divergence 3.1 (entries are freed after their last target), one
 * request or one replay per tick.  See l2.h.  What a request does is in
 * l2_request.c.
 */
#include <stddef.h>

#include "base/cycle.h"
#include "machine/l2/l2.h"
#include "machine/l2/l2_request.h"
#include "machine/l2/l2_sector.h"
#include "machine/plug/sockets_base.h"

/* ---- fills ---- */

/* By sectors: some are still on their way. */
static bool awaits_more(const struct mshr_entry *entry)
{
    return entry->sectors & ~entry->came;
}

static void install(struct l2_bank *bank, uint32_t at, uint8_t sectors)
{
    struct mshr_entry *entry = &bank->mshr.entry[at];
    const struct granularity_socket *granularity = &bank->sockets.granularity;
    struct coherence_l2_socket *protocol = &bank->sockets.coherence;
    struct cache_line *line = &bank->loose[at].line;
    uint8_t *data = bank->loose[at].data;
    const uint8_t *from = bank->valued ? memory_block(bank->memory, entry->first.block) : NULL;
    uint64_t missing[2];

    bank->stats.fills++;
    if (!entry->has_line && !entry->came) {
        *line = (struct cache_line){.state = LINE_VALID};
    }
    entry->came |= sectors;
    sector_bytes(sectors, missing);
    if (entry->has_line) {
        line = cache_line(&bank->cache, entry->set, entry->way);
        data = cache_data(&bank->cache, entry->set, entry->way);
        if (!awaits_more(entry)) {
            cache_set_valid(&bank->cache, entry->set, entry->way);
        }
    }
    missing[0] &= ~line->valid[0];
    missing[1] &= ~line->valid[1];
    if (from) {
        bytes_copy(data, from, missing);
    }
    line->valid[0] |= missing[0];
    line->valid[1] |= missing[1];
    if (granularity->filled && entry->has_line && !entry->first.local) {
        granularity->filled(granularity->self, entry->set, entry->way,
                            bytes_whole_sectors(line->valid));
    }
    line->pc = entry->first.pc;
    if (protocol->fill && !entry->first.local) {
        protocol->fill(protocol->self, entry->first.block, line);
    }
}

/* The last request that waited has been served: the entry is free, a doomed line goes.  What was asked for
 * may still be on its way, when a store has written the sectors in between: then the entry stays. */
static void end_service(struct l2_bank *bank, struct cache_line *line, uint64_t now)
{
    struct mshr_entry *entry = &bank->mshr.entry[bank->serving];

    if (awaits_more(entry)) {
        bank->serving = -1;
        return;
    }
    if (entry->has_line) {
        OBSERVE(bank->sockets, line, bank->id, entry->set, entry->way, LINE_FILL,
                l2_is_dirty(line));
        if (line->doomed) {
            l2_end_doomed(bank, entry->first.block, entry->set, entry->way, now);
        }
    }
    mshr_release(&bank->mshr, (uint32_t)bank->serving);
    bank->serving = -1;
}

/* Replay one queued request; the entry is released after its last. */
static enum l2_verdict serve(struct l2_bank *bank, uint64_t tick, uint64_t now)
{
    struct mshr_entry *entry = &bank->mshr.entry[bank->serving];
    struct coherence_l2_socket *protocol = &bank->sockets.coherence;
    struct cache_line *line = &bank->loose[bank->serving].line;
    uint8_t *data = bank->loose[bank->serving].data;
    struct exchange *exchange;

    if (entry->has_line) {
        line = cache_line(&bank->cache, entry->set, entry->way);
        data = cache_data(&bank->cache, entry->set, entry->way);
    }
    if (entry->served == entry->n_targets) { /* nobody waits for these sectors any more */
        end_service(bank, line, now);
        return L2_DONE;
    }
    if (ring_full(&bank->out)) {
        return L2_FAIL_REPLY;
    }
    exchange = entry->target[entry->served].who;
    if (l2_awaits(bank, line, &exchange->request)) {
        bank->serving = -1; /* until they are there */
        return L2_DONE;
    }
    if (protocol->admit && !exchange->request.ticket.local &&
        protocol->admit(protocol->self, &exchange->request, line, now) > now) {
        return L2_FAIL_PROTOCOL;
    }
    if (line->doomed && entry->served + 1 == entry->n_targets && l2_miss_room(bank) < 1) {
        return L2_FAIL_DRAM; /* what is written here may have to go down at once */
    }
    l2_answer(bank, exchange, line, data, tick, now);
    if (l2_by_sectors(bank) && entry->has_line) {
        l2_tell_granularity(bank, &exchange->request, entry->set, entry->way);
    }
    if (++entry->served == entry->n_targets) {
        end_service(bank, line, now);
    }
    return L2_DONE;
}

/* ---- one tick ---- */

/* What a stalled request waits for can only have changed if one of these has.  Noted when a
 * request has failed, which leaves no trace: most do not. */
static struct l2_situation situation(const struct l2_bank *bank)
{
    return (struct l2_situation){bank->stats.replies, bank->stats.fills,   bank->flushes,
                                 bank->out.count,     bank->to_dram.count, bank->mshr.used};
}

static bool nothing_changed(const struct l2_bank *bank)
{
    const struct l2_situation now = situation(bank), *then = &bank->failed_situation;

    return now.replies == then->replies && now.fills == then->fills &&
           now.flushes == then->flushes && now.out == then->out && now.miss == then->miss &&
           now.mshrs == then->mshrs;
}

static void fail(struct l2_bank *bank, enum l2_verdict verdict, uint64_t tick)
{
    static const uint16_t counter[] = {
        [L2_FAIL_LINE] = offsetof(struct l2_stats, fail_line),
        [L2_FAIL_MSHR] = offsetof(struct l2_stats, fail_mshr),
        [L2_FAIL_DRAM] = offsetof(struct l2_stats, fail_dram),
        [L2_FAIL_REPLY] = offsetof(struct l2_stats, fail_reply),
        [L2_FAIL_PROTOCOL] = offsetof(struct l2_stats, fail_protocol),
    };

    ++*(uint64_t *)(void *)((uint8_t *)&bank->stats + counter[verdict]);
    bank->refused_from = verdict == L2_FAIL_REPLY ? tick + 1 : 0;
}

void l2_settle(struct l2_bank *bank, uint64_t tick)
{
    if (!bank->refused_from) {
        return;
    }
    bank->stats.fail_reply += tick - bank->refused_from;
    bank->refused_from = 0;
}

/* Requests wait here so long that nothing they need is in the host's cache any more: fetch the
 * third message, the tags that the second will be compared with, and the line of the oldest.  An
 * index function of a mechanism is not asked: it may count. */
static void fetch_ahead(struct l2_bank *bank)
{
    const struct cache *cache = &bank->cache;
    int way;

    if (!bank->in.count || bank->sockets.index_owner) {
        return;
    }
    if (bank->in.count > 2) {
        __builtin_prefetch(ring_at(&bank->in, 2));
    }
    if (bank->in.count > 1) {
        cache_prefetch_tags(cache, l2_set_of(bank, ring_at(&bank->in, 1)->block));
    }
    bank->known_block = ring_head(&bank->in)->block;
    bank->known_set = l2_set_of(bank, bank->known_block);
    way = cache_find(cache, bank->known_set, bank->known_block);
    if (way < 0) {
        if (!bank->sockets.policy_owner) { /* the line that will be replaced */
            way = (int)base_lru_oldest(bank->sockets.own_policy, bank->known_set);
            __builtin_prefetch(cache_line(cache, bank->known_set, (uint32_t)way), 1);
        }
        return;
    }
    cache_prefetch_line(cache, bank->known_set, (uint32_t)way);
}

/* Try the oldest request, unless nothing has changed since it last failed. */
static enum l2_verdict head_request(struct l2_bank *bank, uint64_t tick, uint64_t now)
{
    struct exchange *exchange = exchange_of_request(ring_head(&bank->in));
    enum l2_verdict verdict;

    if (bank->blocked_until > tick) {
        return L2_FAIL_PROTOCOL;
    }
    if (bank->failed != L2_DONE && bank->failed != L2_FAIL_PROTOCOL && nothing_changed(bank)) {
        return (enum l2_verdict)bank->failed;
    }
    if (bank->failed == L2_DONE && bank->sockets.race.arrive) { /* its first try */
        bank->sockets.race.arrive(bank->sockets.race.self, &exchange->request, now);
    }
    verdict = l2_request(bank, exchange, tick, now);
    bank->failed = verdict;
    if (verdict == L2_DONE) {
        ring_pop(&bank->in);
        fetch_ahead(bank);
    } else {
        bank->failed_situation = situation(bank);
    }
    return verdict;
}

/* A full reply queue refuses until the network takes from it, which wakes the bank; so do
 * what DRAM returns and takes. */
static uint64_t next_wake(const struct l2_bank *bank, uint64_t tick, uint64_t now)
{
    uint64_t next = CYCLE_NEVER, free_at;
    bool refused = bank->refused_from && !bank->sockets.n_clocked && !bank->sockets.stepped_through;

    if (refused && bank->serving >= 0) {
        return CYCLE_NEVER;
    }
    if (bank->in.count && !refused) {
        next = ring_head(&bank->in)->ready_at;
    }
    if (bank->fill_count && bank->fill[bank->fill_head].at < next) {
        next = bank->fill[bank->fill_head].at;
    }
    if (bank->serving >= 0) {
        next = now;
    }
    if (next == CYCLE_NEVER) {
        return next;
    }
    free_at = clock_core(&bank->clock, bank->busy_until > tick + 1 ? bank->busy_until : tick + 1);
    return next > free_at ? next : free_at;
}

bool l2_tick(struct l2_bank *bank, uint64_t tick, uint64_t now)
{
    enum l2_verdict verdict = L2_DONE;
    bool tried = true;

    if (bank->sectors) {
        return l2_sector_tick(bank, tick, now);
    }
    l2_settle(bank, tick);
    if (!clocked_begin(bank->sockets.clocked, bank->sockets.n_clocked, tick,
                       &bank->sockets.clocked_next)) {
        bank->blocked_until = tick + 1;
    }
    if (bank->busy_until > tick) {
        tried = false;
    } else if (bank->serving >= 0) {
        verdict = serve(bank, tick, now);
    } else if (bank->fill_count && bank->fill[bank->fill_head].at <= now) {
        const uint8_t sectors = bank->fill[bank->fill_head].sectors;

        bank->serving = bank->fill[bank->fill_head].mshr;
        bank->fill_head = (bank->fill_head + 1) % bank->n_fill;
        bank->fill_count--;
        install(bank, (uint32_t)bank->serving, sectors);
        verdict = serve(bank, tick, now);
    } else if (bank->in.count && ring_head(&bank->in)->ready_at <= now) {
        verdict = head_request(bank, tick, now);
    } else {
        tried = false;
    }
    if (verdict != L2_DONE) {
        fail(bank, verdict, tick);
    }
    bank->wake = next_wake(bank, tick, now);
    if (clocked_end(bank->sockets.clocked, bank->sockets.n_clocked)) {
        uint64_t next = clock_core(&bank->clock, tick + 1);
        bank->wake = next < bank->wake ? next : bank->wake;
    }
    return tried && verdict == L2_DONE;
}
