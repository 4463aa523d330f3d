/* dram.c - see dram.h. */
#include "machine/memory/dram.h"

#include <stdlib.h>

#include "base/cycle.h"
#include "machine/memory/dram_banked.h"

int dram_init(struct dram_channel *channel, uint32_t id, const struct gpu_config *config,
              dram_return done, void *done_self)
{
    *channel = (struct dram_channel){
        .config = config,
        .id = id,
        .done = done,
        .done_self = done_self,
        .wake = CYCLE_NEVER,
        .refresh_at = config->dram_tREFI,
        .clock = clock_ratio(config->clock_dram_khz, config->clock_core_khz)};
    channel->slot = calloc(config->dram_queue, sizeof *channel->slot);
    if (!channel->slot || (config->dram_scheduler == DRAM_SCHEDULER_BANKS &&
                           !(channel->banked = dram_banked_new(config)))) {
        return -1;
    }
    for (uint32_t s = 0; s < config->dram_queue; s++) {
        channel->slot[s].next = s + 1 < config->dram_queue ? s + 2 : 0;
    }
    channel->free = 1;
    for (uint32_t b = 0; b < config->dram_banks; b++) {
        channel->bank[b].group = b % config->dram_bank_groups;
    }
    return 0;
}

void dram_free(struct dram_channel *channel)
{
    dram_banked_free(channel->banked);
    channel->banked = NULL;
    free(channel->slot);
    channel->slot = NULL;
}

uint32_t dram_channel_of(const struct gpu_config *config, uint64_t block)
{
    return (uint32_t)(block / config->dram_interleave_bytes % config->dram_channels);
}

/* Address bits make the bank, in their order, and those from a certain one on the row. */
static void place_by_bits(const struct gpu_config *config, uint64_t local, uint32_t *bank,
                          uint64_t *row)
{
    uint32_t number = 0;

    for (uint32_t left = config->dram_bank_bits, to = 0; left; left &= left - 1, to++) {
        number |= (uint32_t)(local >> __builtin_ctz(left) & 1) << to;
    }
    *bank = number % config->dram_banks;
    *row = local >> config->dram_row_shift & (config->dram_rows - 1);
}

void dram_place(const struct gpu_config *config, uint64_t block, uint32_t *bank, uint64_t *row)
{
    uint64_t piece = config->dram_interleave_bytes;
    uint64_t local = block / piece / config->dram_channels * piece + block % piece;
    uint64_t page = local / config->dram_row_bytes;

    if (config->dram_bank_bits) {
        place_by_bits(config, local, bank, row);
        return;
    }
    *bank = (uint32_t)(page % config->dram_banks);
    *row = page / config->dram_banks;
}

bool dram_room(const struct dram_channel *channel, uint64_t block)
{
    uint32_t bank;
    uint64_t row;

    dram_place(channel->config, block, &bank, &row);
    return channel->used < channel->config->dram_queue &&
           channel->bank[bank].n < channel->config->dram_bank_queue;
}

/* Note what a bank has to do next, for which request, and from which tick the bank itself lets it. */
static void plan(struct dram_channel *channel, uint32_t number)
{
    struct dram_bank *bank = &channel->bank[number];
    uint32_t at = bank->hit ? bank->hit : bank->oldest;
    enum dram_command command = DRAM_PRECHARGE;

    if (bank->request) {
        dram_due_take(&channel->due[bank->command], number);
    }
    bank->request = at;
    if (!at) {
        return;
    }
    bank->ready_at = bank->pre_at;
    if (bank->hit) {
        command = channel->slot[at - 1].request.write ? DRAM_WRITE : DRAM_READ;
        bank->ready_at = bank->col_at;
    } else if (!bank->open) {
        command = DRAM_ACTIVATE;
        bank->ready_at = bank->act_at;
    }
    bank->command = command;
    dram_due_put(&channel->due[command], number, channel->slot[at - 1].order);
    if (bank->ready_at < channel->soonest[command]) {
        channel->soonest[command] = bank->ready_at;
    }
}

/* The oldest request to the open row of a bank, as index + 1. */
static uint32_t find_hit(const struct dram_channel *channel, const struct dram_bank *bank)
{
    uint32_t at = bank->open ? bank->oldest : 0;

    while (at && channel->slot[at - 1].row != bank->row) {
        at = channel->slot[at - 1].next;
    }
    return at;
}

void dram_push(struct dram_channel *channel, const struct dram_request *request, uint64_t now)
{
    const struct gpu_config *c = channel->config;
    uint32_t at = channel->free, number;
    uint32_t burst_bytes = c->dram_bus_bytes * c->dram_burst_cycles;
    struct dram_slot *slot = &channel->slot[at - 1];
    struct dram_bank *bank;
    uint64_t row;

    dram_place(c, request->block, &number, &row);
    bank = &channel->bank[number];
    channel->free = slot->next;
    channel->used++;
    *slot = (struct dram_slot){.request = *request, .row = row, .order = channel->order++};
    slot->bursts = ((uint32_t)__builtin_popcount(request->sectors) * SECTOR_BYTES + burst_bytes -
                    1) /
                   burst_bytes;
    if (bank->youngest) {
        channel->slot[bank->youngest - 1].next = at;
    } else {
        bank->oldest = at;
    }
    bank->youngest = at;
    bank->n++;
    if (!bank->hit && bank->open && bank->row == row) {
        bank->hit = at;
    }
    if (bank->oldest == at ||
        bank->hit == at) { /* else what it has to do is for an older one, as before */
        plan(channel, number);
    }
    channel->wake = channel->wake < now ? channel->wake : now;
}

/* Take a finished request out of its bank. */
static void leave(struct dram_channel *channel, struct dram_bank *bank, uint32_t at)
{
    struct dram_slot *slot = &channel->slot[at - 1];
    uint32_t before = 0;

    if (bank->oldest != at) {
        for (before = bank->oldest; channel->slot[before - 1].next != at;) {
            before = channel->slot[before - 1].next;
        }
        channel->slot[before - 1].next = slot->next;
    } else {
        bank->oldest = slot->next;
    }
    if (bank->youngest == at) {
        bank->youngest = before;
    }
    bank->n--;
    slot->next = channel->free;
    channel->free = at;
    channel->used--;
    bank->hit = find_hit(channel, bank);
}

static void count_done(struct dram_channel *channel, const struct dram_slot *slot, uint64_t end)
{
    struct dram_stats *stats = &channel->stats;
    uint64_t at = clock_core(&channel->clock, end) + channel->config->dram_latency;

    stats->row_hits += !slot->opened;
    if (slot->request.write) {
        stats->writes++;
        return;
    }
    stats->reads++;
    stats->latency[stats_log2(at - slot->request.arrived)]++;
    channel->done(channel->done_self, &slot->request, at);
}

static void column(struct dram_channel *channel, uint32_t number, uint64_t tick)
{
    const struct gpu_config *c = channel->config;
    struct dram_bank *bank = &channel->bank[number];
    struct dram_slot *slot = &channel->slot[bank->request - 1];
    bool write = slot->request.write;
    uint64_t data = tick + (write ? c->dram_tWL : c->dram_tCL), end = data + c->dram_burst_cycles;
    uint32_t burst_bytes = c->dram_bus_bytes * c->dram_burst_cycles;

    channel->col_at = tick + c->dram_tCCD;
    channel->group_col_at[bank->group] = tick + c->dram_tCCDL;
    channel->stats.bus_cycles += c->dram_burst_cycles;
    if (write) {
        channel->stats.write_bytes += burst_bytes;
        cycle_delay(&channel->read_at, end + c->dram_tCDLR);
        cycle_delay(&bank->pre_at, end + c->dram_tWR);
    } else {
        channel->stats.read_bytes += burst_bytes;
        /* Two idle bus cycles when the direction turns. */
        cycle_delay(&channel->write_at, end + 2 > c->dram_tWL ? end + 2 - c->dram_tWL : 0);
        cycle_delay(&bank->pre_at, tick + c->dram_tRTPL);
    }
    if (--slot->bursts == 0) {
        count_done(channel, slot, end);
        leave(channel, bank, bank->request);
    }
    plan(channel, number);
}

static void activate(struct dram_channel *channel, uint32_t number, uint64_t tick)
{
    const struct gpu_config *c = channel->config;
    struct dram_bank *bank = &channel->bank[number];

    bank->open = true;
    bank->row = channel->slot[bank->request - 1].row;
    bank->hit = find_hit(channel, bank);
    channel->slot[bank->request - 1].opened = true;
    cycle_delay(&bank->col_at, tick + c->dram_tRCD);
    cycle_delay(&bank->pre_at, tick + c->dram_tRAS);
    cycle_delay(&bank->act_at, tick + c->dram_tRC);
    channel->act_at = tick + c->dram_tRRD;
    channel->four_at[channel->oldest_of_four] = tick + c->dram_tFAW;
    channel->oldest_of_four = (channel->oldest_of_four + 1) % 4;
    channel->stats.activates++;
    plan(channel, number);
}

static void precharge(struct dram_channel *channel, uint32_t number, uint64_t tick)
{
    struct dram_bank *bank = &channel->bank[number];

    bank->open = false;
    bank->hit = 0;
    cycle_delay(&bank->act_at, tick + channel->config->dram_tRP);
    channel->stats.precharges++;
    plan(channel, number);
}

/* All banks are closed when the last of them may be, and none opens before tRFC is over. */
static void refresh(struct dram_channel *channel, uint64_t tick)
{
    const struct gpu_config *c = channel->config;
    bool any_open = false;

    for (uint32_t b = 0; b < c->dram_banks; b++) {
        if (channel->bank[b].open) {
            tick = cycle_later(tick, channel->bank[b].pre_at);
            any_open = true;
        }
    }
    tick += any_open ? c->dram_tRP : 0;
    for (uint32_t b = 0; b < c->dram_banks; b++) {
        struct dram_bank *bank = &channel->bank[b];

        channel->stats.precharges += bank->open;
        bank->open = false;
        bank->hit = 0;
        cycle_delay(&bank->act_at, tick + c->dram_tRFC);
        plan(channel, b);
    }
}

/* Those that were due since the last tick: an idle channel is refreshed when it is looked at. */
static void refresh_until(struct dram_channel *channel, uint64_t tick)
{
    while (channel->config->dram_tREFI && channel->refresh_at <= tick) {
        refresh(channel, channel->refresh_at);
        channel->refresh_at += channel->config->dram_tREFI;
    }
}

/* From which tick the channel as a whole lets a command pass. */
static uint64_t passes_at(const struct dram_channel *channel, enum dram_command command)
{
    switch (command) {
    case DRAM_READ: return cycle_later(channel->col_at, channel->read_at);
    case DRAM_WRITE: return cycle_later(channel->col_at, channel->write_at);
    case DRAM_ACTIVATE:
        return cycle_later(channel->act_at, channel->four_at[channel->oldest_of_four]);
    case DRAM_PRECHARGE: break;
    }
    return 0;
}

/* From which tick a bank and its group let its next command pass. */
static uint64_t ready_at(const struct dram_channel *channel, const struct dram_bank *bank)
{
    return bank->command > DRAM_WRITE
               ? bank->ready_at
               : cycle_later(bank->ready_at, channel->group_col_at[bank->group]);
}

/* The bank and the order of its request that may have a command this tick. */
struct chosen {
    uint32_t number; /* + 1; 0: none */
    uint64_t order;
};

/* Of the banks that are due a command and may have it, *best becomes the one with the oldest
 * request, if that is older than what *best has.  When none may, it is noted from when on one may. */
static void oldest(struct dram_channel *channel, enum dram_command command, uint64_t tick,
                   struct chosen *best)
{
    const struct dram_due *due = &channel->due[command];
    uint64_t soonest = CYCLE_NEVER;

    if (channel->soonest[command] > tick || passes_at(channel, command) > tick) {
        return;
    }
    for (uint32_t at = 0; at < due->n; at++) {
        uint64_t ready = ready_at(channel, &channel->bank[due->bank[at]]);

        if (ready <= tick) {
            if (!best->number || due->order[at] < best->order) {
                *best = (struct chosen){due->bank[at] + 1u, due->order[at]};
            }
            return;
        }
        cycle_advance(&soonest, ready);
    }
    channel->soonest[command] = soonest;
}

/* FR-FCFS: the bank that has a command this tick, its number + 1, or 0. */
static uint32_t choose(struct dram_channel *channel, uint64_t tick)
{
    struct chosen best = {0, 0};

    oldest(channel, DRAM_READ, tick, &best);
    oldest(channel, DRAM_WRITE, tick, &best);
    if (!best.number) {
        oldest(channel, DRAM_ACTIVATE, tick, &best);
        oldest(channel, DRAM_PRECHARGE, tick, &best);
    }
    return best.number;
}

/* No bank acts before this tick. */
static uint64_t next_tick(const struct dram_channel *channel)
{
    uint64_t next = CYCLE_NEVER;

    for (enum dram_command command = 0; command < DRAM_COMMANDS; command++) {
        uint64_t at = cycle_later(channel->soonest[command], passes_at(channel, command));

        next = channel->due[command].n && at < next ? at : next;
    }
    return next;
}

static void issue(struct dram_channel *channel, uint32_t number, uint64_t tick)
{
    switch (channel->bank[number].command) {
    case DRAM_READ:
    case DRAM_WRITE: column(channel, number, tick); break;
    case DRAM_ACTIVATE: activate(channel, number, tick); break;
    case DRAM_PRECHARGE: precharge(channel, number, tick); break;
    }
}

bool dram_tick(struct dram_channel *channel, uint64_t tick)
{
    uint32_t best;
    uint64_t next;

    refresh_until(channel, tick);
    best = choose(channel, tick);
    if (best) {
        issue(channel, best - 1, tick);
    }
    next = cycle_later(next_tick(channel), tick + 1);
    channel->wake = next == CYCLE_NEVER ? CYCLE_NEVER : clock_core(&channel->clock, next);
    return best;
}

bool dram_step(struct dram_channel *channel, uint64_t now)
{
    uint64_t end = clock_ticks(&channel->clock, now + 1);
    bool moved = false;

    if (channel->banked) {
        return dram_banked_step(channel, now);
    }
    for (uint64_t tick = clock_ticks(&channel->clock, now); tick < end; tick++) {
        moved |= dram_tick(channel, tick);
    }
    if (channel->wake <= now) {
        channel->wake = now + 1; /* a core cycle without a tick of this clock */
    }
    return moved;
}
