/* sm_issue.c - the issue stage of an SM: which warps may issue, and what issuing does.
 *
 * Works after wang2015-divergence 3.2 (D-GTO-2: the LD/ST unit goes to scheduler
 * cycle mod n first) and docs/architecture.md "Cycle level".  It must not know scheduling policies
 * (sched sockets) nor what a memory access costs (sm_ldst.c).
 *
 * Limit: instruction fetch always hits; without a front end (fetch.rounds = 0) a warp's
 * instruction buffer is full in straight-line code, and a control transfer empties it for
 * sm.branch_cycles.  Constant and parameter accesses always hit and take sm.const_cycles.
 */
#include <string.h>

#include "machine/sm/coalesce.h"
#include "machine/sm/sm_async.h"
#include "machine/sm/sm_private.h"
#include "machine/sm/sm_staged.h"

/* ---- pipes ---- */

static void set_pipe(struct sm_pipes *pipes, enum isa_pipe pipe, uint32_t units, uint32_t interval,
                     uint32_t latency)
{
    pipes->units[pipe] = units;
    pipes->interval[pipe] = interval;
    pipes->latency[pipe] = latency;
}

void sm_pipes_init(struct sm_pipes *pipes, const struct gpu_config *c)
{
    uint32_t n = c->sm_schedulers;

    set_pipe(pipes, ISA_PIPE_INT, c->pipe_int_units, c->pipe_int_interval, c->pipe_int_latency);
    set_pipe(pipes, ISA_PIPE_FP32, c->pipe_fp32_units, c->pipe_fp32_interval, c->pipe_fp32_latency);
    set_pipe(pipes, ISA_PIPE_FP64, c->pipe_fp64_units, c->pipe_fp64_interval, c->pipe_fp64_latency);
    set_pipe(pipes, ISA_PIPE_SFU, c->pipe_sfu_units, c->pipe_sfu_interval, c->pipe_sfu_latency);
    set_pipe(pipes, ISA_PIPE_MEM, 1, c->ldst_interval, c->ldst_latency);
    set_pipe(pipes, ISA_PIPE_SHARED, 1, c->shared_interval, c->shared_latency);
    set_pipe(pipes, ISA_PIPE_FP16, 0, c->pipe_fp16_interval, c->pipe_fp32_latency);
    set_pipe(pipes, ISA_PIPE_CONST, n, c->sm_const_interval, c->sm_const_cycles);
    set_pipe(pipes, ISA_PIPE_CONTROL, n, c->pipe_branch_interval, c->pipe_branch_latency);
    set_pipe(pipes, ISA_PIPE_EXIT, n, 1, 1);
    set_pipe(pipes, ISA_PIPE_BARRIER, n, 1, 1);
    set_pipe(pipes, ISA_PIPE_FENCE, n, 1, 1);
    set_pipe(pipes, ISA_PIPE_TENSOR, c->pipe_tensor_units, c->pipe_tensor_interval,
             c->pipe_tensor_latency);
    set_pipe(pipes, ISA_PIPE_UNIFORM, c->pipe_uniform_units, c->pipe_uniform_interval,
             c->pipe_uniform_latency);
}

static bool ldst_full(const struct sm *sm)
{
    return sm->ldst.count >= sm->config->ldst_queue || !sm->ldst.n_free;
}

void sm_occupy(struct sm *sm, uint32_t pipe, uint64_t cycles)
{
    uint64_t *free_at = sm->pipes.unit_free[pipe], first;
    uint32_t best = 0;

    if (sm->pipes.units[pipe] == 1) {
        free_at[0] = (free_at[0] > sm->now ? free_at[0] : sm->now) + cycles;
        sm->pipes.free_at[pipe] = free_at[0];
        return;
    }
    for (uint32_t unit = 1; unit < sm->pipes.units[pipe]; unit++) {
        if (free_at[unit] < free_at[best]) {
            best = unit;
        }
    }
    if (free_at[best] < sm->now) {
        free_at[best] = sm->now;
    }
    free_at[best] += cycles;
    first = free_at[0];
    for (uint32_t unit = 1; unit < sm->pipes.units[pipe]; unit++) {
        first = free_at[unit] < first ? free_at[unit] : first;
    }
    sm->pipes.free_at[pipe] = first;
}

/* Ready warps whose pipe has a free unit; pipe_next holds no others than ready ones. */
static uint64_t issuable(const struct sm *sm)
{
    uint64_t mask = 0;

    for (uint32_t left = sm->warps.pipes_wanted; left; left &= left - 1) {
        uint32_t pipe = (uint32_t)__builtin_ctz(left);

        mask |= sm->pipes.free_at[pipe] <= sm->now
                    ? sm->warps.pipe_next[pipe] & ~sm->pipes.closed[sm->pipes.class_of[pipe]]
                    : 0;
    }
    return ldst_full(sm) ? mask & ~sm->warps.pipe_next[ISA_PIPE_MEM] : mask;
}

/* ---- carrying out one instruction ---- */

void sm_set_pending(struct sm *sm, uint32_t slot, uint32_t pc, bool load)
{
    uint32_t words = sm->facts->words;
    const uint64_t *define = sm->facts->inst[pc].define;
    uint64_t *pending = sm->warps.pending[slot];

    for (uint32_t word = 0; word < words; word++) {
        pending[word] |= define[word];
        if (load) {
            pending[words + word] |= define[word];
        }
    }
}

/* Results after `cycles`: the registers are marked until then. */
void sm_complete_after(struct sm *sm, uint32_t slot, uint32_t pc, uint64_t cycles)
{
    if (!sm->facts->inst[pc].defines) {
        return;
    }
    sm_set_pending(sm, slot, pc, false);
    sm_wheel_add(sm, sm->now + cycles, WHEEL_ARITH, slot, pc, NULL);
}

struct mem_inst *sm_inst_for(struct sm *sm, uint32_t slot, uint32_t pc)
{
    struct mem_inst *inst = sm_inst_take(&sm->ldst);
    uint32_t sched = slot % sm->config->sm_schedulers;

    memset(inst, 0, offsetof(struct mem_inst, sets_touched));
    for (uint32_t set = 0; set < sm->config->l1d_sets; set += 64) {
        inst->sets_touched[set / 64] = 0;
    }
    inst->pc = pc;
    inst->slot = (uint8_t)slot;
    inst->issued = sm->now;
    inst->start = sm->now + sm->config->ldst_latency;
    inst->priority = (uint8_t)sm->sockets.sched[sched].rank(sm->sockets.sched[sched].self, slot);
    return inst;
}

static void issue_shared(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_memop *op)
{
    uint32_t passes = op->mask ? coalesce_shared_passes(op, sm->config->shared_banks) : 1;
    uint32_t extra = (passes - 1) * sm->config->shared_interval;

    sm->stats.shared_instructions++;
    sm->stats.shared_conflict_cycles += extra;
    sm_occupy(sm, ISA_PIPE_SHARED, sm->config->shared_interval + extra);
    sm_complete_after(sm, slot, pc, sm->config->shared_latency + extra);
}

void sm_issue_barrier(struct sm *sm, uint32_t slot, const struct isa_step *step)
{
    struct sm_barrier_request request = {.threads = step->barrier_threads,
                                         .number = step->barrier,
                                         .arrive_only = step->barrier_arrive_only};

    sm->stats.barriers++;
    if (sm->config->sm_barrier_drains && !request.arrive_only) {
        sm->ctas.draining[slot] = request;
        sm->warps.drain_barrier |= UINT64_C(1) << slot;
        sm->warps.wait_fence |= UINT64_C(1) << slot;
    } else {
        sm_barrier_arrive(sm, slot, request);
    }
}

/* Nobody waits for the registers that a multiplication of a warp group writes. */
static void issue_async(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_async *async)
{
    const uint32_t pipe = sm->facts->inst[pc].pipe;
    uint32_t cycles = sm_async_issue(sm, slot, pc, async);

    if (async->kind == ISA_ASYNC_STORE) {
        cycles = coalesce_shared_passes(&sm->scratch, sm->config->shared_banks) *
                 sm->config->shared_interval;
    }
    sm_occupy(sm, pipe, cycles ? cycles : sm->pipes.interval[pipe]);
    if (async->kind != ISA_ASYNC_MATRIX) {
        sm_complete_after(sm, slot, pc, sm->pipes.latency[pipe]);
    }
}

static void carry_out(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_step *step,
                      struct mem_inst *inst)
{
    uint32_t pipe = sm->facts->inst[pc].pipe;

    switch (step->kind) {
    case ISA_STEP_MEMORY:
        sm_occupy(sm, pipe, sm->pipes.interval[pipe]);
        sm_set_pending(sm, slot, pc, true);
        if (inst->op.inst->is_async && sm->async) {
            sm_async_load(sm, inst);
        }
        sm_ldst_issue(sm, inst);
        return;
    case ISA_STEP_SHARED: issue_shared(sm, slot, pc, inst ? &inst->op : &sm->scratch); break;
    case ISA_STEP_BARRIER:
        sm_occupy(sm, pipe, 1);
        sm_issue_barrier(sm, slot, step);
        break;
    case ISA_STEP_FENCE:
        sm->stats.fences++;
        sm_occupy(sm, pipe, 1);
        if (step->scope != ISA_SCOPE_CTA) {
            sm->warps.wait_fence |= UINT64_C(1) << slot;
        }
        break;
    case ISA_STEP_ASYNC: issue_async(sm, slot, pc, &step->async); break;
    case ISA_STEP_FAULT: sm_fail(sm, slot, pc, step->fault); break;
    case ISA_STEP_DONE:
    default:
        sm_occupy(sm, pipe, sm->pipes.interval[pipe]);
        sm_complete_after(sm, slot, pc, sm->pipes.latency[pipe]);
        break;
    }
    if (inst) {
        sm_inst_release(&sm->ldst, inst); /* not a memory access after all */
    }
}

static void after_issue(struct sm *sm, uint32_t slot, uint32_t pc)
{
    const struct isa_warp *warp = sm->warps.at[slot];
    uint64_t bit = UINT64_C(1) << slot;

    if (warp->done) {
        sm->warps.done |= bit;
    } else if (warp->pc != pc + 1 || sm->facts->inst[pc].is_branch) {
        /* The buffered instructions are of no use: fetch again. */
        if (sm->config->sm_branch_cycles > 1) {
            sm->warps.wait_fetch |= bit;
            sm_wheel_add(sm, sm->now + sm->config->sm_branch_cycles, WHEEL_FETCH, slot, pc, NULL);
        }
    }
    if (sm->fetch) {
        sm_fetch_issued(sm, slot, pc);
    }
    sm_update_warp(sm, slot);
    sm_check_warp(sm, slot);
}

static void issue_warp(struct sm *sm, uint32_t slot)
{
    const struct isa_launch *launch = sm->facts->launch;
    uint32_t pc = sm->warps.at[slot]->pc;
    const struct inject_socket *inject = &sm->sockets.inject;
    struct mem_inst *inst = NULL;
    struct isa_step step;
    bool moves = false;

    if (sm->facts->inst[pc].pipe == ISA_PIPE_MEM) {
        moves = inject->self && inject->moves(inject->self, slot, pc);
        inst = moves ? NULL : sm_inst_for(sm, slot, pc);
    }
    step.kind = ISA_STEP_DONE;
    step.active = 0;
    step.barrier = step.scope = 0;
    step.barrier_threads = 0;
    step.barrier_arrive_only = false;
    step.notice = !sm->spin.changed;
    step.changed = false;
    step.checked = false;
    step.fault[0] = '\0';
    if (sm->sockets.speculation.issue) {
        sm->sockets.speculation.issue(sm->sockets.speculation.self, slot, pc);
    }
    if (sm->spin.noting && sm_round_open(sm)) {
        sm_round_issues(sm, slot);
    }
    if (inject->self) {
        inject->decode(inject->self, slot, pc);
    }
    launch->step(launch->self, sm->warps.at[slot], sm->now, &step, inst ? &inst->op : &sm->scratch);
    if (inject->self) {
        inject->executed(inject->self, slot, pc, &step, inst ? &inst->op : &sm->scratch);
    }
    sm->stats.warp_instructions++;
    sm->stats.thread_instructions += (uint64_t)__builtin_popcount(step.active);
    sm->progress = true;
    *(step.kind == ISA_STEP_SHARED ? &sm->spin.changed : &sm->spin.went_on) |= step.changed;
    if (sm->spin.noting) {
        /* A move is none: what it brings is read-only. */
        sm_spin_issued(sm, slot, step.kind == ISA_STEP_MEMORY && inst ? &inst->op : NULL);
    }
    if (sm->staged) {
        sm_staged_issue(sm, slot, pc, &step, inst);
    } else if (moves && step.kind == ISA_STEP_MEMORY) {
        sm_issue_move(sm, slot, pc);
    } else {
        carry_out(sm, slot, pc, &step, inst);
    }
    after_issue(sm, slot, pc);
}

/* ---- one cycle ---- */

/* Why does scheduler `s`, of whose warps none could issue, do nothing? */
static enum slot_class classify(const struct sm *sm, uint32_t s)
{
    uint64_t mine = sm->issue.sched_mask[s], ready = sm->warps.ready & mine;
    uint64_t memory = ready & sm->warps.pipe_next[ISA_PIPE_MEM];
    bool load = sm->warps.wait_load & mine, arith = sm->warps.wait_arith & mine;

    if (!(sm->warps.resident & mine)) {
        return SLOT_idle;
    }
    if (ready) {
        return memory == ready ? SLOT_pipe_ldst : memory ? SLOT_pipe_both : SLOT_pipe_alu;
    }
    if (load || arith) {
        return load && arith ? SLOT_score_both : load ? SLOT_score_load : SLOT_score_alu;
    }
    return (sm->warps.wait_barrier | sm->warps.wait_fence | sm->warps.wait_atomic) & mine
               ? SLOT_sync
               : SLOT_fetch;
}

static void find_classes(struct sm *sm)
{
    for (uint32_t s = 0; s < sm->config->sm_schedulers; s++) {
        sm->issue.slot_class[s] = (uint8_t)classify(sm, s);
    }
    sm->issue.classes_known = true;
}

/* The same, found anew only when what a warp waits for has changed. */
static inline enum slot_class class_now(struct sm *sm, uint32_t s)
{
    if (!sm->issue.classes_known) {
        find_classes(sm);
    }
    return (enum slot_class)sm->issue.slot_class[s];
}

void sm_idle(struct sm *sm, uint64_t cycles)
{
    for (uint32_t s = 0; s < sm->config->sm_schedulers; s++) {
        sm->stats.slot[s][class_now(sm, s)] += cycles;
    }
}

static int choose(struct sm *sm, uint32_t s, uint64_t could_issue)
{
    struct sched_socket *sched = &sm->sockets.sched[s];
    uint64_t mine = sm->issue.sched_mask[s];
    struct sched_view view = {
        .resident = sm->warps.resident & mine,
        .issuable = could_issue & mine,
        .blocked = (sm->warps.wait_load | sm->warps.wait_barrier | sm->warps.wait_fence) & mine,
        .memory = sm->warps.pipe_next[ISA_PIPE_MEM] & mine,
        .cycle = sm->now,
        .hold = sm->issue.hold};

    if (sm->issue.hold) {
        view.issuable = 0;
    }
    if (sched->qualify) {
        view.issuable = sched->qualify(sched->self, &view) & view.issuable;
    }
    return sched->pick(sched->self, &view);
}

/* They take turns in going first: in the machine's cycles, or in those that the SM works. */
static uint32_t first_scheduler(const struct sm *sm)
{
    const uint64_t worked = sm->stats.active_cycles + sm->now - sm->warps.resident_since;

    return (uint32_t)((sm->staged ? worked : sm->now) % sm->config->sm_schedulers);
}

void sm_issue_warps(struct sm *sm)
{
    uint32_t n = sm->config->sm_schedulers, first = first_scheduler(sm);
    uint64_t could_issue = 0;
    bool known = false;

    for (uint32_t turn = 0; turn < n && !sm->faulted; turn++) {
        uint32_t s = first + turn < n ? first + turn : first + turn - n;
        int slot = -1;

        could_issue = known ? could_issue : issuable(sm);
        known = true;
        if ((could_issue & sm->issue.sched_mask[s]) ||
            (sm->issue.stateful && sm->sockets.sched[s].stateful)) {
            slot = choose(sm, s, could_issue);
        }
        if (slot < 0) {
            sm->stats
                .slot[s][could_issue & sm->issue.sched_mask[s] ? SLOT_qualify : class_now(sm, s)]++;
            continue;
        }
        sm->stats.slot[s][SLOT_issued]++;
        sm->sockets.sched[s].issued(sm->sockets.sched[s].self, (uint32_t)slot);
        if (sm->sockets.inject.self &&
            sm->sockets.inject.pending(sm->sockets.inject.self, (uint32_t)slot)) {
            sm_issue_injected(sm, (uint32_t)slot);
        } else {
            issue_warp(sm, (uint32_t)slot);
        }
        known = false;
    }
}

static uint64_t find_next_issue(const struct sm *sm)
{
    uint64_t next = CYCLE_NEVER;

    if (sm->warps.wait_fence && sm->sockets.coherence.fence) {
        return sm->now + 1; /* the protocol's clock decides */
    }
    for (uint32_t left = sm->warps.pipes_wanted; left; left &= left - 1) {
        uint32_t pipe = (uint32_t)__builtin_ctz(left);

        if (pipe == ISA_PIPE_MEM && ldst_full(sm)) {
            continue; /* the LD/ST unit or a retirement wakes us */
        }
        if (!(sm->warps.pipe_next[pipe] & ~sm->pipes.closed[sm->pipes.class_of[pipe]])) {
            continue; /* the collectors are awake */
        }
        if (sm->pipes.free_at[pipe] < next) {
            next = sm->pipes.free_at[pipe];
        }
    }
    return next == CYCLE_NEVER || next > sm->now ? next : sm->now + 1;
}

uint64_t sm_next_issue(struct sm *sm)
{
    if (sm->issue.next_at <= sm->now) {
        sm->issue.next_at = find_next_issue(sm);
    }
    return sm->issue.next_at;
}
