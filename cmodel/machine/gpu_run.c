/* gpu_run.c - running a kernel: the order of one core cycle, the loop over cycles.
 *
 * See docs/architecture.md, "Nothing hangs silently" and "Idle cycles are skipped".
 * See gpu.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cycle.h"
#include "base/seconds.h"
#include "machine/gpu_private.h"
#include "machine/workers.h"

/* ---- one cycle ---- */

/* CTAs that finished in this cycle, and faults; then the SM goes on as if it had just run it. */
static void hear(struct gpu *gpu, uint32_t s)
{
    struct sm *sm = sm_at(gpu->sm, s);
    const struct ring *replies = sm_replies(sm);
    const uint64_t *ids;
    uint32_t n = sm_take_finished(sm, &ids);

    for (uint32_t f = 0; f < n; f++) {
        gpu->ctas_done++;
        if (gpu->facts.launch->cta_end) {
            gpu->facts.launch->cta_end(gpu->facts.launch->self, ids[f]);
        }
        gpu->dispatch_needed = true;
        if (gpu->dispatch.done) {
            gpu->dispatch.done(gpu->dispatch.self, s, ids[f]);
        }
    }
    if (sm_fault(sm) && !gpu->error[0]) {
        snprintf(gpu->error, sizeof gpu->error, "%s", sm_fault(sm));
    }
    gpu->sm_wake[s] = sm_wake(sm);
    if (replies->count) { /* perhaps sent since */
        cycle_advance(&gpu->sm_wake[s], ring_head(replies)->ready_at);
    }
}

/* What the SMs that were due leave for the rest of the machine, in SM order. */
static void collect(struct gpu *gpu, const struct set *due)
{
    for (int next = set_from(due, 0); next >= 0; next = set_from(due, (uint32_t)next + 1)) {
        const uint32_t s = (uint32_t)next;
        struct sm *sm = sm_at(gpu->sm, s);
        uint64_t page;

        if (sm_untold(sm) && sm_now(sm) == gpu->now) {
            hear(gpu, s);
        }
        if (!sm_ran(sm)) {
            continue; /* it waits for its cycle */
        }
        gpu->sm_wake[s] = sm_untold(sm) ? sm_now(sm) : sm_wake(sm);
        cycle_delay(&gpu->last_progress, sm_progress_at(sm));
        if (sm_requests(sm)->count) {
            network_offer(&gpu->request_net, s);
        }
        page = sm_take_touched_page(sm);
        if (page) {
            gpu_place_page(gpu, page);
        }
    }
}

void gpu_step_sms(void *self, const struct set *due, uint64_t now)
{
    struct gpu *gpu = self;

    for (int next = set_from(due, 0); next >= 0; next = set_from(due, (uint32_t)next + 1)) {
        const uint32_t s = (uint32_t)next;

        sm_run(sm_at(gpu->sm, s), now, gpu->options.every_cycle ? now : gpu->sm_wake[s],
               gpu->horizon);
    }
}

/* Those of n components that must be stepped now. */
static uint64_t due_of(const struct gpu *gpu, const uint64_t *wake, uint32_t n)
{
    if (gpu->options.every_cycle) {
        return UINT64_MAX >> (64 - n);
    }
    return wake_due(wake, n, gpu->now);
}

/* The last cycle that SMs may run in this one.  All stop at the same cycles, so that they run in
 * turn, each for some cycles: what an SM needs stays in the host's caches. */
static uint64_t horizon(const struct gpu *gpu)
{
    uint64_t end = gpu->now + gpu->lookahead_cycles - gpu->now % gpu->lookahead_cycles;

    if (gpu->dispatch_needed) {
        return gpu->now;
    }
    cycle_advance(&end, gpu->spin_at);
    if (gpu->options.max_cycles) {
        cycle_advance(&end, gpu->options.max_cycles);
    }
    return end > gpu->now ? end - 1 : gpu->now;
}

static void sm_phase(struct gpu *gpu)
{
    bool again = gpu->now <= gpu->horizon; /* who could not run ahead waits for its cycle */
    struct set due;

    gpu->horizon = horizon(gpu);
    due = gpu->options.every_cycle
              ? set_below(gpu->n_sms)
              : set_due(gpu->sm_wake, gpu->n_sms, again ? gpu->now : gpu->horizon);
    if (gpu->workers) {
        workers_run(gpu->workers, &due, gpu->now);
    } else {
        gpu_step_sms(gpu, &due, gpu->now);
    }
    collect(gpu, &due);
    if (gpu->facts.launch->cluster_ctas > 1) {
        gpu_cluster_exchange(gpu);
    }
}

/* What is clocked with all banks goes first, and may close them for the tick. */
static void clock_banks(struct gpu *gpu, uint64_t due, uint64_t tick)
{
    if (gpu->sockets.clock.begin(gpu->sockets.clock.self, tick)) {
        return;
    }
    for (; due; due &= due - 1) {
        gpu->bank[__builtin_ctzll(due)].blocked_until = tick + 1;
    }
}

static bool l2_phase(struct gpu *gpu)
{
    uint64_t end = clock_ticks(&gpu->l2_clock, gpu->now + 1);
    bool progress = false;

    for (uint64_t tick = clock_ticks(&gpu->l2_clock, gpu->now); tick < end; tick++) {
        uint64_t due = due_of(gpu, gpu->bank_wake, gpu->n_banks);

        if (due && gpu->sockets.clock.begin) {
            clock_banks(gpu, due, tick);
        }
        for (; due; due &= due - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(due);

            progress |= l2_tick(&gpu->bank[b], tick, gpu->now);
            gpu->bank_wake[b] = gpu->bank[b].wake;
            gpu_tell_dram(gpu, b);
            if (gpu->bank[b].out.count) {
                network_offer(&gpu->reply_net, b);
            }
        }
        if (gpu->sockets.clock.end && gpu->sockets.clock.end(gpu->sockets.clock.self)) {
            cycle_advance(&gpu->bank_wake[0], clock_core(&gpu->l2_clock, tick + 1));
        }
        if (gpu->dram_front.waiting) {
            progress |= gpu_feed_dram(gpu, tick);
        }
    }
    return progress;
}

static bool memory_phase(struct gpu *gpu)
{
    bool all = gpu->options.every_cycle, progress = l2_phase(gpu);

    for (uint64_t due = due_of(gpu, gpu->channel_wake, gpu->n_channels); due; due &= due - 1) {
        uint32_t d = (uint32_t)__builtin_ctzll(due);

        progress |= dram_step(&gpu->channel[d], gpu->now);
        gpu->channel_wake[d] = gpu->channel[d].wake;
    }
    if (gpu->host.wake <= gpu->now || all) {
        progress |= hostmem_step(&gpu->host, gpu->now);
        for (uint32_t p = 0; p < gpu->config.host_ports; p++) {
            if (gpu->host.out[p].count) {
                network_offer(&gpu->reply_net, gpu->n_banks + p);
            }
        }
    }
    return progress;
}

/* An SM asleep on a full port may go on when the network has taken from it: in the cycles that it
 * has run ahead, there was room. */
static bool requests_phase(struct gpu *gpu)
{
    bool moved = network_step(&gpu->request_net, gpu->now);
    struct set noted = {{0}};

    if (moved) {
        noted = set_due(gpu->port_wake, gpu->n_sms, CYCLE_NEVER - 1);
    }
    for (int next = set_from(&noted, 0); next >= 0; next = set_from(&noted, (uint32_t)next + 1)) {
        const uint32_t s = (uint32_t)next;
        const struct sm *sm = sm_at(gpu->sm, s);

        gpu->port_wake[s] = CYCLE_NEVER;
        if (sm_waits_for_port(sm)) {
            cycle_advance(&gpu->sm_wake[s], cycle_later(gpu->now, sm_now(sm)) + 1);
        }
    }
    return moved;
}

static void one_cycle(struct gpu *gpu)
{
    bool all = gpu->options.every_cycle, progress;

    if (gpu->dispatch_needed) {
        gpu_dispatch(gpu);
    }
    if (gpu->replacement.page) {
        gpu_replace_page(gpu);
    }
    sm_phase(gpu);
    progress = (gpu->request_net.wake <= gpu->now || all) && requests_phase(gpu);
    progress |= memory_phase(gpu);
    if (gpu->reply_net.wake <= gpu->now || all) {
        progress |= network_step(&gpu->reply_net, gpu->now);
    }
    if (progress && gpu->now > gpu->last_progress) {
        gpu->last_progress = gpu->now;
    }
}

static uint64_t next_cycle(const struct gpu *gpu)
{
    uint64_t next = gpu->host.wake, soonest = gpu->now + 1;

    cycle_advance(&next, gpu->request_net.wake);
    cycle_advance(&next, gpu->reply_net.wake);
    if (gpu->options.every_cycle || gpu->dispatch_needed || gpu->dram_front.waiting ||
        gpu->replacement.page || next <= soonest) {
        return soonest; /* as most often: no need to ask the many */
    }
    cycle_advance(&next, wake_first(gpu->wake, gpu->n_wakes));
    return next > soonest ? next : soonest;
}

/* ---- the run ---- */

static bool finished(const struct gpu *gpu)
{
    if (gpu->ctas_done != gpu->ctas) {
        return false;
    }
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        if (sm_held(sm_at(gpu->sm, s)).exchanges) {
            return false;
        }
    }
    return true;
}

static uint64_t instructions(const struct gpu *gpu)
{
    uint64_t sum = 0;

    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sum += sm_stats(sm_at(gpu->sm, s))->warp_instructions;
    }
    return sum;
}

static void report_progress(const struct gpu *gpu)
{
    if (gpu->options.progress) {
        gpu->options.progress(gpu->options.progress_self, gpu->now, instructions(gpu),
                              gpu->ctas_done, gpu->ctas, gpu->facts.launch->kernel->name);
    }
}

static enum gpu_status run(struct gpu *gpu)
{
    uint32_t since_report = 0;

    for (;;) {
        uint64_t next;

        one_cycle(gpu);
        if (gpu->options.after_cycle) {
            gpu->options.after_cycle(gpu->options.after_cycle_self);
        }
        if (gpu->error[0]) {
            gpu->now++;
            return GPU_FAULT;
        }
        if (finished(gpu)) { /* whatever DRAM still has to write does not keep the kernel */
            gpu->now++;
            break;
        }
        next = next_cycle(gpu);
        if (next > gpu->last_progress + gpu->config.machine_stuck_cycles) {
            gpu->now = gpu->last_progress + gpu->config.machine_stuck_cycles;
            gpu_stuck_report(gpu);
            return GPU_STUCK;
        }
        gpu->now = next;
        if (gpu->now >= gpu->spin_at && gpu_spins(gpu)) {
            gpu_spin_report(gpu);
            return GPU_STUCK;
        }
        if (gpu->options.max_cycles && gpu->now >= gpu->options.max_cycles) {
            snprintf(gpu->error, sizeof gpu->error,
                     "kernel %s: the limit of %llu cycles is reached",
                     gpu->facts.launch->kernel->name, (unsigned long long)gpu->options.max_cycles);
            return GPU_LIMIT;
        }
        if (++since_report == 1u << 16) {
            since_report = 0;
            report_progress(gpu);
        }
    }
    return GPU_OK;
}

static int record(struct gpu *gpu, uint64_t start, uint64_t before)
{
    struct gpu_launch_record *at;

    if (gpu->n_launches == gpu->max_launches) {
        uint32_t max = gpu->max_launches ? 2 * gpu->max_launches : 16;
        struct gpu_launch_record *more = realloc(gpu->launches, max * sizeof *more);

        if (!more) {
            return -1;
        }
        gpu->launches = more;
        gpu->max_launches = max;
    }
    at = &gpu->launches[gpu->n_launches++];
    *at = (struct gpu_launch_record){.start_cycle = start,
                                     .end_cycle = gpu->now,
                                     .warp_instructions = instructions(gpu) - before};
    snprintf(at->kernel, sizeof at->kernel, "%s", gpu->facts.launch->kernel->name);
    return 0;
}

static enum gpu_status launch_and_check(struct gpu *gpu, const struct isa_launch *launch)
{
    uint64_t start = gpu->now, before = instructions(gpu);
    enum gpu_status status;

    gpu->error[0] = '\0';
    if (gpu->compares_values && !launch->carries_values) {
        snprintf(gpu->error, sizeof gpu->error,
                 "%s compares the values of loads, and a trace has "
                 "none; run the kernel from PTX, or leave it out",
                 gpu->compares_values);
        return GPU_FAULT;
    }
    if (gpu_kernel_start(gpu, launch) != 0) {
        return GPU_FAULT;
    }
    status = run(gpu);
    for (uint32_t s = 0; s < gpu->n_sms; s++) {
        sm_kernel_end(sm_at(gpu->sm, s), gpu->now);
    }
    for (uint32_t b = 0; b < gpu->n_banks; b++) {
        l2_settle(&gpu->bank[b], clock_ticks(&gpu->l2_clock, gpu->now));
    }
    if (record(gpu, start, before) != 0 && status == GPU_OK) {
        snprintf(gpu->error, sizeof gpu->error, "out of memory for the record of launches");
        return GPU_FAULT;
    }
    if (status == GPU_OK && gpu->options.after_launch) {
        gpu->options.after_launch(gpu->options.after_launch_self, gpu);
    }
    return status == GPU_OK && gpu_check_identities(gpu) != 0 ? GPU_INTERNAL : status;
}

enum gpu_status gpu_launch(struct gpu *gpu, const struct isa_launch *launch)
{
    double start = seconds_now();
    enum gpu_status status = launch_and_check(gpu, launch);

    gpu->launch_seconds += seconds_now() - start;
    return status;
}
