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
    banked->asked |= UINT32_C(1) << number;
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

static void take(struct dram_channel *channel, uint32_t number)
{
    struct dram_banked *banked = channel->banked;
    struct dram_service *bank = &banked->bank[number];
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
    banked->at_work |= UINT32_C(1) << number;
    banked->asked &= bank->oldest ? UINT32_MAX : ~(UINT32_C(1) << number);
    banked->waiting--;
    channel->stats.row_hits += bank->active && bank->row == bank->served;
}

/* Of some banks, the next in turn from `first` on; it leaves them. */
static uint32_t next_in_turn(uint32_t *banks, uint32_t first)
{
    const uint32_t later = *banks & (UINT32_MAX << first);
    const uint32_t number = (uint32_t)__builtin_ctz(later ? later : *banks);

    *banks &= ~(UINT32_C(1) << number);
    return number;
}

static uint32_t behind(const struct dram_channel *channel, uint32_t bank)
{
    return bank + 1 < channel->config->dram_banks ? bank + 1 : 0;
}

void dram_schedule(struct dram_channel *channel)
{
    struct dram_banked *banked = channel->banked;
    uint32_t able;

    if (banked->arrived) {
        wait_for_bank(channel);
    }
    able = banked->asked & ~banked->at_work;
    if (able) {
        take(channel, next_in_turn(&able, banked->first));
        banked->first = behind(channel, banked->first);
    }
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

    if (!bank->active || bank->row != job->row || banked->group_col_at[group] > tick ||
        (write ? bank->write_at : bank->read_at) > tick ||
        (write ? banked->write_at : banked->read_at) > tick) {
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
        banked->at_work &= ~(UINT32_C(1) << number);
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
    banked->first = behind(channel, number);
    return true;
}

/* The buses and the pipe take a column command of some bank. */
static bool takes_column(const struct dram_channel *channel, uint64_t tick)
{
    const struct dram_banked *banked = channel->banked;

    return banked->col_at <= tick && banked->pipe_length <= channel->config->dram_tCL;
}

void dram_command(struct dram_channel *channel, uint64_t tick)
{
    struct dram_banked *banked = channel->banked;
    const uint32_t first = banked->first;
    const bool dual = channel->config->dram_command_bus == COMMAND_BUS_DUAL;
    const bool may_column = takes_column(channel, tick);
    bool has_column = false, has_row = false;

    for (uint32_t left = dual && !may_column ? 0 : banked->at_work; left;) {
        const uint32_t number = next_in_turn(&left, first);

        has_column = may_column && column(channel, number, tick);
        has_row = has_row || (!dual && !has_column && row(channel, number, tick));
        if (has_column || (has_row && !may_column)) {
            break;
        }
    }
    for (uint32_t left = dual ? banked->at_work : 0; left && !has_row;) {
        has_row = row(channel, next_in_turn(&left, first), tick);
    }
}
