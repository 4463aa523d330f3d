/* sm_warp.c - warps and CTAs of an SM: launch, what each waits for, barriers, exit.
 *
 * Works after wang2015-divergence 3.0 (launch and exit events), caps-prefetch 3.1
 * (slots: lowest free, contiguous warps) and tabbakh2018-coherence 3.4 (what a fence
 * and a barrier wait for).  It must not know how instructions are issued.
 */
#include <stdio.h>
#include <string.h>

#include "machine/sm/sm_async.h"

static uint64_t bit_of(uint32_t slot)
{
    return UINT64_C(1) << slot;
}

void sm_update_warp(struct sm *sm, uint32_t slot)
{
    const struct kernel_facts *facts = sm->facts;
    uint64_t bit = bit_of(slot), all = 0, load = 0;
    const uint64_t *use, *pending = sm->warps.pending[slot], *loads = pending + facts->words;
    const struct speculation_socket *speculation = &sm->sockets.speculation;
    const struct inject_socket *inject = &sm->sockets.inject;
    uint32_t pc;
    uint8_t pipe;

    sm->issue.classes_known = false;
    sm->issue.next_at = 0;
    if (sm->warps.ready & bit) {
        sm->warps.ready &= ~bit;
        sm->warps.pipe_next[sm->warps.next_pipe[slot]] &= ~bit;
        if (!sm->warps.pipe_next[sm->warps.next_pipe[slot]]) {
            sm->warps.pipes_wanted &= ~(UINT32_C(1) << sm->warps.next_pipe[slot]);
        }
    }
    sm->warps.wait_load &= ~bit;
    sm->warps.wait_arith &= ~bit;
    if ((sm->warps.done | sm->warps.wait_barrier | sm->warps.wait_fence | sm->warps.wait_fetch |
         sm->warps.wait_atomic) &
        bit) {
        return;
    }
    pc = sm->warps.at[slot]->pc;
    use = facts->inst[pc].use;
    for (uint32_t word = 0; word < facts->words; word++) {
        all |= pending[word] & use[word];
        load |= loads[word] & use[word];
    }
    pipe = facts->inst[pc].pipe;
    if (pipe == ISA_PIPE_MEM && sm->config->sm_consistency == CONSISTENCY_SC &&
        (sm->warps.loads[slot] || sm->warps.stores[slot])) {
        load = 1;
    }
    if (!(all | load) && speculation->may_issue &&
        !speculation->may_issue(speculation->self, slot, pc)) {
        load = 1;
    }
    if (inject->self) {
        bool injected = inject->pending(inject->self, slot);
        all = injected ? 0 : all;
        load = injected ? 0 : load;
        load |= !(all | load) && inject->waits(inject->self, slot, pc);
        pipe = injected                                                        ? ISA_PIPE_MEM
               : pipe == ISA_PIPE_MEM && inject->moves(inject->self, slot, pc) ? ISA_PIPE_INT
                                                                               : pipe;
    }
    if (load) {
        sm->warps.wait_load |= bit;
    } else if (all) {
        sm->warps.wait_arith |= bit;
    } else {
        sm->warps.ready |= bit;
        sm->warps.next_pipe[slot] = pipe;
        sm->warps.pipe_next[pipe] |= bit;
        sm->warps.pipes_wanted |= UINT32_C(1) << pipe;
    }
}

void sm_fail(struct sm *sm, uint32_t slot, uint32_t pc, const char *what)
{
    const struct isa_kernel *kernel = sm->facts->launch->kernel;

    if (!sm->faulted) {
        snprintf(sm->fault, sizeof sm->fault, "%s:%u: kernel %s, SM %u, warp slot %u: %s",
                 kernel->file ? kernel->file : "?", pc < kernel->n_inst ? kernel->inst[pc].line : 0,
                 kernel->name, sm->id, slot, what);
    }
    sm->faulted = true;
}

/* ---- launch ---- */

static struct isa_dim3 cta_position(const struct isa_launch *launch, uint64_t id)
{
    uint64_t x = launch->grid.x, xy = x * launch->grid.y;

    return (struct isa_dim3){(uint32_t)(id % x), (uint32_t)(id % xy / x), (uint32_t)(id / xy)};
}

static void launch_warp(struct sm *sm, uint32_t slot, const struct isa_warp_place *place)
{
    const struct kernel_facts *facts = sm->facts;
    struct isa_warp *warp = sm->warps.at[slot];

    facts->launch->warp_start(facts->launch->self, warp, place);
    memset(sm->warps.pending[slot], 0, 2 * facts->words * sizeof **sm->warps.pending);
    sm->warps.inflight[slot] = sm->warps.loads[slot] = 0;
    sm->warps.stores[slot] = 0;
    sm->warps.resident |= bit_of(slot);
    sm->warps.done &= ~bit_of(slot);
    if (warp->done) {
        sm->warps.done |= bit_of(slot);
    }
    if (sm->fetch) {
        sm_fetch_launch(sm, slot);
    }
    sm_update_warp(sm, slot);
    sm->sockets.sched[slot % sm->config->sm_schedulers].warp_launch(
        sm->sockets.sched[slot % sm->config->sm_schedulers].self, slot);
    OBSERVE(sm->sockets, warp_launch, sm->id, slot);
}

/* The machine's CTA slots in order: the first of every SM, then the second. */
static void place_local(const struct sm *sm, uint32_t at, struct isa_warp_place *place)
{
    const uint64_t of_cta = (uint64_t)sm->facts->warps_per_cta * ISA_LANES;
    const uint64_t sms = sm->config->machine_sms;

    place->local_threads = of_cta * sm->facts->ctas_per_sm * sms;
    place->local_thread = of_cta * (sm->id + sms * at) + (uint64_t)place->warp_in_cta * ISA_LANES;
}

void sm_place_cta(struct sm *sm, uint64_t id, uint64_t now)
{
    const struct kernel_facts *facts = sm->facts;
    uint32_t at = 0;
    struct sm_cta *cta;

    sm->spin.went_on = true;
    if (!sm->warps.resident) {
        sm->warps.resident_since = now;
    }
    while (sm->ctas.at[at].used) {
        at++;
    }
    cta = &sm->ctas.at[at];
    *cta = (struct sm_cta){.used = true,
                           .id = id,
                           .live_warps = facts->warps_per_cta,
                           .shared = sm->ctas.shared + (size_t)at * facts->shared_bytes};
    memset(cta->shared, 0, facts->shared_bytes);
    sm->ctas.n++;
    for (uint32_t w = 0; w < facts->warps_per_cta; w++) {
        uint32_t slot = at * facts->warps_per_cta + w;
        struct isa_warp_place place = {.ctaid = cta_position(facts->launch, id),
                                       .cta = id,
                                       .warp_in_cta = w,
                                       .smid = sm->id,
                                       .warp_slot = slot,
                                       .shared = cta->shared,
                                       .shared_bytes = facts->shared_bytes};

        if (sm->config->sm_local == LOCAL_SLOTS) {
            place_local(sm, at, &place);
        }

        sm->ctas.of[slot] = (uint8_t)at;
        cta->warps |= bit_of(slot);
        launch_warp(sm, slot, &place);
    }
    if (sm->async) {
        sm_async_place(sm, at);
    }
    for (uint64_t left = cta->warps & sm->warps.done; left; left &= left - 1) {
        sm_check_waiting(sm, (uint32_t)__builtin_ctzll(left)); /* a warp that has nothing to do */
    }
    sm->wake = sm->wake < now ? sm->wake : now;
}

/* ---- barriers ---- */

static void release_barrier(struct sm *sm, struct sm_cta *cta, uint32_t number)
{
    uint64_t waiting = cta->waiting[number];

    if (sm->sockets.coherence.barrier) {
        sm->sockets.coherence.barrier(sm->sockets.coherence.self, waiting);
    }
    sm->spin.went_on = true;
    cta->waiting[number] = 0;
    cta->arrived[number] = 0;
    sm->warps.wait_barrier &= ~waiting;
    for (; waiting; waiting &= waiting - 1) {
        sm_update_warp(sm, (uint32_t)__builtin_ctzll(waiting));
    }
}

/* Threads that have exited will never arrive: count them as present. */
static bool barrier_complete(const struct sm *sm, const struct sm_cta *cta, uint32_t number)
{
    uint32_t expected = cta->expected[number];

    if (expected == 0 || sm->facts->launch->exited_arrive) {
        expected = expected ? expected : sm->facts->threads_per_cta;
        return cta->arrived[number] + cta->exited_threads >= expected;
    }
    return cta->arrived[number] >= expected;
}

void sm_barrier_arrive(struct sm *sm, uint32_t slot, struct sm_barrier_request request)
{
    struct sm_cta *cta = &sm->ctas.at[sm->ctas.of[slot]];
    uint32_t number = request.number % SM_BARRIERS;
    uint32_t first = (slot % sm->facts->warps_per_cta) * ISA_LANES;
    uint32_t left = sm->facts->threads_per_cta - first;

    /* A partly exited warp arrives with all its threads, as the hardware counts warps. */
    cta->arrived[number] += left < ISA_LANES ? left : ISA_LANES;
    cta->expected[number] = request.threads;
    if (!request.arrive_only) {
        cta->waiting[number] |= bit_of(slot);
        sm->warps.wait_barrier |= bit_of(slot);
    }
    if (barrier_complete(sm, cta, number)) {
        release_barrier(sm, cta, number);
    }
    sm_update_warp(sm, slot);
}

/* ---- exit ---- */

static void finish_cta(struct sm *sm, uint32_t at)
{
    sm->ctas.finished[sm->n_finished++] = sm->ctas.at[at].id;
    sm->ctas.at[at].used = false;
    sm->ctas.n--;
    sm->stats.ctas++;
}

void sm_exit_warp(struct sm *sm, uint32_t slot)
{
    const struct isa_launch *launch = sm->facts->launch;
    uint32_t at = sm->ctas.of[slot], sched = slot % sm->config->sm_schedulers;
    uint32_t first = (slot % sm->facts->warps_per_cta) * ISA_LANES;
    uint32_t left = sm->facts->threads_per_cta - first;
    struct sm_cta *cta = &sm->ctas.at[at];

    launch->warp_end(launch->self, sm->warps.at[slot]);
    if (sm->async) {
        sm_async_exit(sm, slot);
    }
    sm->spin.went_on = true;
    sm->warps.resident &= ~bit_of(slot);
    sm->warps.done &= ~bit_of(slot);
    sm->issue.classes_known = false;
    if (!sm->warps.resident) {
        sm->stats.active_cycles += sm->now + 1 - sm->warps.resident_since;
    }
    sm->sockets.sched[sched].warp_exit(sm->sockets.sched[sched].self, slot);
    OBSERVE(sm->sockets, warp_exit, sm->id, slot);
    cta->exited_threads += left < ISA_LANES ? left : ISA_LANES;
    if (--cta->live_warps == 0) {
        finish_cta(sm, at);
        return;
    }
    for (uint32_t number = 0; number < SM_BARRIERS; number++) {
        if (cta->waiting[number] && barrier_complete(sm, cta, number)) {
            release_barrier(sm, cta, number);
        }
    }
}

/* Is no register of the warp awaited? */
static bool has_all_registers(const struct sm *sm, uint32_t slot)
{
    uint64_t awaited = 0;

    for (uint32_t word = 0; word < sm->facts->words; word++) {
        awaited |= sm->warps.pending[slot][word];
    }
    return !awaited;
}

static bool fence_complete(const struct sm *sm, uint32_t slot)
{
    const struct coherence_l1_socket *protocol = &sm->sockets.coherence;

    if (sm->config->sm_fence == FENCE_REGISTERS && !(sm->warps.drain_barrier >> slot & 1)) {
        return has_all_registers(sm, slot);
    }
    return !sm->warps.loads[slot] && !sm->warps.stores[slot] &&
           (!protocol->fence || protocol->fence(protocol->self, slot, sm->now));
}

void sm_check_waiting(struct sm *sm, uint32_t slot)
{
    uint64_t bit = bit_of(slot);

    if ((sm->warps.wait_fence & bit) && fence_complete(sm, slot)) {
        sm->warps.wait_fence &= ~bit;
        sm->progress = true;
        if (sm->config->sm_fence == FENCE_REGISTERS && !(sm->warps.drain_barrier & bit)) {
            sm_l1d_drop_clean(sm);
        }
        if (sm->warps.drain_barrier & bit) {
            sm->warps.drain_barrier &= ~bit;
            sm_barrier_arrive(sm, slot, sm->ctas.draining[slot]);
        }
        sm_update_warp(sm, slot);
    }
    if ((sm->warps.done & bit) && !sm->warps.inflight[slot] && !sm->warps.loads[slot] &&
        !sm->warps.stores[slot]) {
        if (sm->fetch) {
            sm_fetch_leave(sm, slot);
        } else {
            sm_exit_warp(sm, slot);
        }
    }
}
