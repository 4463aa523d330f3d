/* dram_banked.c - see dram_banked.h: the way of requests in and out, one tick.
 *
 * Commands are in dram_commands.c.
 */
#include "machine/memory/dram_banked.h"

#include "base/cycle.h"
#include "machine/memory/dram_commands.h"

struct dram_banked *dram_banked_new(const struct gpu_config *config)
{
    struct dram_banked *banked = calloc(1, sizeof *banked);
    /* Those that wait and the one that arrives, one a bank, those in the pipe. */
    const uint32_t jobs = config->dram_queue + 1 + config->dram_banks + config->dram_tCL +
                          config->dram_tWL + 2;

    if (!banked) {
        return NULL;
    }
    banked->delayed_size = config->dram_queue + config->dram_return_queue + DRAM_BANK_SOURCES;
    banked->delayed = calloc(banked->delayed_size, sizeof *banked->delayed);
    banked->job = calloc(jobs, sizeof *banked->job);
    if (dram_queue_init(&banked->back, config->dram_return_queue) != 0 || !banked->delayed ||
        !banked->job) {
        dram_banked_free(banked);
        return NULL;
    }
    for (uint32_t j = 0; j < jobs; j++) {
        banked->job[j].next = j + 1 < jobs ? j + 2 : 0;
    }
    banked->free = 1;
    banked->pipe_least = banked->pipe_length = config->dram_tCL;
    return banked;
}

void dram_banked_free(struct dram_banked *banked)
{
    if (banked) {
        dram_queue_free(&banked->back);
        free(banked->delayed);
        free(banked->job);
    }
    free(banked);
}

void dram_attach(struct dram_channel *channel, struct dram_queue *queue, const uint32_t *returned)
{
    struct dram_banked *banked = channel->banked;

    banked->source[banked->n_sources++] = (struct dram_source){.queue = queue,
                                                               .returned = returned};
}

/* ---- credits: one of each source, others for all ---- */

static uint32_t shared_credits(const struct dram_channel *channel)
{
    return channel->config->dram_queue + channel->config->dram_return_queue -
           (channel->banked->n_sources - 1);
}

static void give_back(struct dram_channel *channel, const struct dram_request *request)
{
    struct dram_banked *banked = channel->banked;
    struct dram_source *source = &banked->source[request->l2_bank % banked->n_sources];

    if (source->owes) {
        source->owes = false;
    } else {
        banked->shared_credits--;
    }
}

/* ---- the way back ---- */

static void return_one(struct dram_channel *channel, uint64_t now)
{
    struct dram_banked *banked = channel->banked;
    const struct dram_request *request = dram_queue_head(&banked->back);

    if (!banked->back.count || *banked->source[request->l2_bank % banked->n_sources].returned >=
                                   channel->config->l2_dram_queue) {
        return;
    }
    channel->stats.latency[stats_log2(now + 1 - request->arrived)]++;
    give_back(channel, request);
    channel->done(channel->done_self, request, now + 1);
    dram_queue_pop(&banked->back);
}

static void finish(struct dram_channel *channel, uint32_t at)
{
    struct dram_banked *banked = channel->banked;
    struct dram_job *job = &banked->job[at - 1];

    if (++job->done < job->bursts) {
        return;
    }
    if (job->request.write) {
        channel->stats.writes++;
        give_back(channel, &job->request);
    } else {
        channel->stats.reads++;
        dram_queue_push(&banked->back, &job->request);
    }
    job->next = banked->free;
    banked->free = at;
}

/* The pipe moves on by a place. */
static void move_pipe(struct dram_channel *channel)
{
    struct dram_banked *banked = channel->banked;
    uint32_t at;

    if (!dram_queue_room(&banked->back)) {
        return;
    }
    at = banked->pipe[banked->pipe_head];
    banked->pipe[banked->pipe_head] = 0;
    banked->pipe_head = (banked->pipe_head + 1) % DRAM_PIPE;
    if (--banked->pipe_length < banked->pipe_least) {
        banked->pipe_length++;
    }
    if (at) {
        banked->in_pipe--;
        finish(channel, at);
    }
}

/* ---- the way in ---- */

static bool is_full(const struct dram_channel *channel)
{
    return channel->banked->waiting >= channel->config->dram_queue;
}

static void accept(struct dram_channel *channel, uint64_t now)
{
    struct dram_banked *banked = channel->banked;

    if (is_full(channel)) {
        return;
    }
    for (uint32_t turn = 1; turn <= banked->n_sources; turn++) {
        const uint32_t after = banked->last_source + turn;
        const uint32_t s = after < banked->n_sources ? after : after - banked->n_sources;
        struct dram_source *source = &banked->source[s];
        uint32_t at;

        if (!source->queue->count || *source->returned >= channel->config->l2_dram_queue ||
            (source->owes && banked->shared_credits >= shared_credits(channel))) {
            continue;
        }
        banked->shared_credits += source->owes;
        source->owes = true;
        at = (banked->delayed_head + banked->n_delayed++) % banked->delayed_size;
        banked->delayed[at] = (struct dram_pending){.request = *dram_queue_head(source->queue),
                                                    .at = now + channel->config->dram_latency};
        dram_queue_pop(source->queue);
        banked->last_source = s;
        return;
    }
}

/* A request comes to its bank, of which the scheduler knows in the next tick. */
static void arrive(struct dram_channel *channel, uint64_t now)
{
    struct dram_banked *banked = channel->banked;
    const struct dram_pending *pending = &banked->delayed[banked->delayed_head];
    const struct gpu_config *c = channel->config;
    const uint32_t burst_bytes = c->dram_bus_bytes * c->dram_burst_cycles;
    struct dram_job *job;

    if (!banked->n_delayed || pending->at > now || is_full(channel)) {
        return;
    }
    banked->arrived = banked->free;
    job = &banked->job[banked->arrived - 1];
    banked->free = job->next;
    *job = (struct dram_job){.request = pending->request};
    job->bursts = ((uint32_t)__builtin_popcount(job->request.sectors) * SECTOR_BYTES + burst_bytes -
                   1) /
                  burst_bytes;
    banked->delayed_head = (banked->delayed_head + 1) % banked->delayed_size;
    banked->n_delayed--;
}

/* ---- one tick ---- */

static void tick(struct dram_channel *channel, uint64_t at, uint64_t now)
{
    return_one(channel, now);
    move_pipe(channel);
    dram_schedule(channel);
    dram_command(channel, at);
    accept(channel, now);
    arrive(channel, now);
}

static uint64_t next_wake(const struct dram_channel *channel, uint64_t now)
{
    const struct dram_banked *banked = channel->banked;

    if (banked->back.count || banked->in_pipe || banked->waiting || banked->arrived ||
        banked->at_work) {
        return now + 1;
    }
    for (uint32_t s = 0; s < banked->n_sources; s++) {
        if (banked->source[s].queue->count) {
            return now + 1;
        }
    }
    return banked->n_delayed ? cycle_later(banked->delayed[banked->delayed_head].at, now + 1)
                             : CYCLE_NEVER;
}

bool dram_banked_step(struct dram_channel *channel, uint64_t now)
{
    const uint64_t end = clock_ticks(&channel->clock, now + 1);

    for (uint64_t at = clock_ticks(&channel->clock, now); at < end; at++) {
        tick(channel, at, now);
    }
    channel->wake = next_wake(channel, now);
    return channel->wake == now + 1;
}
