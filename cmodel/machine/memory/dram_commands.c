/* dram_commands.c - which request a bank serves, and which commands go out.
 *
 * A command bus carries a row command and then a column command of a later bank in one tick, or a
 * column command; two buses (dram.command_bus) carry one of each from any banks.  See dram_banked.h.
 */
#include "machine/memory/dram_commands.h"

#include "base/cycle.h"

/* ---- the scheduler ---- */

static void wait_for_bank(struct dram_channel *channel)
{
    struct dram_banked *banked = channel->banked;
    struct dram_job *job = &banked->job[banked->arrived - 1];
    struct dram_service *bank;
    uint32_t number;

    dram_place(channel->config, job->request.block, &number, &job->row);
    bank = &banked->bank[number];
    job->next = 0;
    *(bank->oldest ? &banked->job[bank->youngest - 1].next : &bank->oldest) = banked->arrived;
    bank->youngest = banked->arrived;
    banked->waiting++;
    banked->arrived = 0;
}

/* The oldest that waits for a row, or 0; *before it in the list. */
static uint32_t oldest_of(const struct dram_banked *banked, const struct dram_service *bank,
                          uint64_t row, uint32_t *before)
{
    uint32_t at = bank->oldest;

    for (*before = 0; at && banked->job[at - 1].row != row; at = banked->job[at - 1].next) {
        *before = at;
    }
    return at;
}

static void take(struct dram_channel *channel, struct dram_service *bank)
{
    struct dram_banked *banked = channel->banked;
    uint32_t before, at = oldest_of(banked, bank, bank->in_row ? bank->served : bank->row, &before);

    if (!at) {
        at = bank->oldest;
    }
    bank->served = banked->job[at - 1].row;
    *(before && at != bank->oldest ? &banked->job[before - 1].next
                                   : &bank->oldest) = banked->job[at - 1].next;
    if (bank->youngest == at) {
        bank->youngest = bank->oldest ? before : 0;
    }
    bank->in_row = oldest_of(banked, bank, bank->served, &before) != 0;
    bank->job = at;
    banked->waiting--;
    channel->stats.row_hits += bank->active && bank->row == bank->served;
}

void dram_schedule(struct dram_channel *channel)
{
    struct dram_banked *banked = channel->banked;
    const uint32_t n = channel->config->dram_banks;

    if (banked->arrived) {
        wait_for_bank(channel);
    }
    for (uint32_t turn = 0; banked->waiting && turn < n; turn++) {
        struct dram_service *bank = &banked->bank[(banked->first + turn) % n];

        if (!bank->job && bank->oldest) {
            take(channel, bank);
            banked->first = (banked->first + 1) % n;
            return;
        }
    }
}

bool dram_any_job(const struct dram_banked *banked, const struct gpu_config *config)
{
    for (uint32_t b = 0; b < config->dram_banks; b++) {
        if (banked->bank[b].job) {
            return true;
        }
    }
    return false;
}

/* ---- commands ---- */

/* The direction changes: what is in the pipe keeps its place, what follows comes after the other
 * latency. */
static void turn(struct dram_banked *banked, bool write, uint32_t least)
{
    if (banked->writing == write) {
        return;
    }
    banked->writing = write;
    banked->pipe_least = least;
    banked->pipe_length = banked->pipe_length > least ? banked->pipe_length : least;
    while (banked->pipe_length > least &&
           !banked->pipe[(banked->pipe_head + banked->pipe_length - 1) % DRAM_PIPE]) {
        banked->pipe_length--;
    }
}

static bool column(struct dram_channel *channel, uint32_t number, uint64_t tick)
{
    const struct gpu_config *c = channel->config;
    struct dram_banked *banked = channel->banked;
    struct dram_service *bank = &banked->bank[number];
    struct dram_job *job = &banked->job[bank->job - 1];
    const uint32_t group = number % c->dram_bank_groups, burst = c->dram_burst_cycles;
    const bool write = job->request.write;

    if (!bank->active || bank->row != job->row || banked->col_at > tick ||
        banked->group_col_at[group] > tick || (write ? bank->write_at : bank->read_at) > tick ||
        (write ? banked->write_at : banked->read_at) > tick || banked->pipe_length > c->dram_tCL) {
        return false;
    }
    turn(banked, write, write ? c->dram_tWL : c->dram_tCL);
    banked->pipe[(banked->pipe_head + banked->pipe_length++) % DRAM_PIPE] = bank->job;
    banked->in_pipe++;
    banked->col_at = tick + c->dram_tCCD;
    banked->group_col_at[group] = tick + c->dram_tCCDL;
    channel->stats.bus_cycles += burst;
    if (write) {
        banked->read_at = tick + c->dram_tWL + burst + c->dram_tCDLR;
        cycle_delay(&bank->pre_at, tick + c->dram_tWL + burst + c->dram_tWR);
        channel->stats.write_bytes += c->dram_bus_bytes * burst;
    } else {
        banked->write_at = tick + c->dram_tCL + burst + 2 - c->dram_tWL;
        cycle_delay(&bank->pre_at, tick + burst);
        banked->group_pre_at[group] = tick + c->dram_tRTPL;
        channel->stats.read_bytes += c->dram_bus_bytes * burst;
    }
    if (++job->sent == job->bursts) {
        bank->job = 0;
    }
    return true;
}

static bool row(struct dram_channel *channel, uint32_t number, uint64_t tick)
{
    const struct gpu_config *c = channel->config;
    struct dram_banked *banked = channel->banked;
    struct dram_service *bank = &banked->bank[number];
    const struct dram_job *job = &banked->job[bank->job - 1];

    if (!bank->active) {
        if (banked->act_at > tick || bank->act_at > tick) {
            return false;
        }
        bank->active = true;
        bank->row = job->row;
        banked->act_at = tick + c->dram_tRRD;
        bank->read_at = tick + c->dram_tRCD;
        bank->write_at = tick + c->dram_tRCD - c->dram_tWL - 1;
        cycle_delay(&bank->pre_at, tick + c->dram_tRAS);
        bank->act_at = tick + c->dram_tRC;
        channel->stats.activates++;
    } else {
        if (bank->row == job->row || bank->pre_at > tick ||
            banked->group_pre_at[number % c->dram_bank_groups] > tick) {
            return false;
        }
        bank->active = false;
        cycle_delay(&bank->act_at, tick + c->dram_tRP);
        channel->stats.precharges++;
    }
    banked->first = (number + 1) % c->dram_banks;
    return true;
}

void dram_command(struct dram_channel *channel, uint64_t tick)
{
    struct dram_banked *banked = channel->banked;
    const uint32_t n = channel->config->dram_banks, first = banked->first;
    const bool dual = channel->config->dram_command_bus == COMMAND_BUS_DUAL;
    bool has_column = false, has_row = false;

    for (uint32_t turn = 0; turn < n && (dual || !has_column); turn++) {
        const uint32_t number = (first + turn) % n;

        if (!banked->bank[number].job) {
            continue;
        }
        has_column = has_column || column(channel, number, tick);
        if (!dual && !has_column && !has_row) {
            has_row = row(channel, number, tick);
        }
    }
    for (uint32_t turn = 0; dual && turn < n && !has_row; turn++) {
        const uint32_t number = (first + turn) % n;

        has_row = banked->bank[number].job && row(channel, number, tick);
    }
}
