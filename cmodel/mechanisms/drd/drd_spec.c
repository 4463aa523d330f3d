/* drd_spec.c - race detection with speculative loads (tabbakh2018-coherence S19, 3.7.6,
 * D-R7): what a warp may do while loads of it are not validated, and going back.
 *
 * A warp has any number of loads under way.  What cannot be undone - stores, atomics, shared
 * stores, barriers, fences, exit - waits until it has none (D-R7), and so does what a wrong
 * value could lead astray: branches and addresses that come from a speculative value.
 * Arithmetic goes on; its results and those of loads go to renamed registers (avu_rename).
 *
 * When a load fails, the source re-executes it and what depends on it, and keeps the rest.
 * That needs the older version of every register that was written twice meanwhile, which one
 * entry per register does not have.  Here the warp comes to rest and goes back to its oldest
 * load that is not committed, where nothing is lost but time; that load goes alone.  Under a
 * granule that others keep writing, a lock's, it may fail at every answer that the SM still waits for:
 * behind SPEC_RETURNS it goes without speculation, when nothing of its SM is unanswered and while
 * no other warp there begins a memory instruction, so that its own answer validates it.  A store
 * also waits for the warp's earlier stores, which may lie in other banks (D-R23; acks=overlap: it
 * does not, and the network may turn them round).
 *
 * Limits: register numbers of PTX are virtual; modulo the registers of a thread they stand
 * for allocated ones.  Commits and renaming take no time.  Kernels with calls and traces
 * cannot be taken back: their warps wait as without speculation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/drd/drd_spec.h"

/* ---- renaming ---- */

static void rename_op(struct drd_spec *spec, unsigned op, uint32_t slot)
{
    bool done = false;
    *spec->rin.op = op;
    *spec->rin.warp = slot;
    while (!done) {
        pins_comb(&spec->rename);
        done = *spec->rout.ready || *spec->rout.stall;
        pins_seq(&spec->rename);
    }
    *spec->rin.op = RENAME_NONE;
}

/* Results of `slot` become final or are dropped; who waited for a register looks again. */
static void rename_end(struct drd_spec *spec, unsigned op, uint32_t slot)
{
    rename_op(spec, op, slot);
    const uint64_t waiting = spec->blocked;
    spec->blocked = 0;
    for (uint64_t left = waiting & core_warps(spec->owner->core).resident; left != 0;
         left &= left - 1) {
        core_recheck(spec->owner->core, (uint32_t)__builtin_ctzll(left));
    }
}

static bool reads_tainted(const struct spec_warp *warp, const struct isa_inst *in)
{
    for (uint32_t i = 0; i < in->n_src; i++) {
        if (warp->tainted[in->src[i] / 64] >> in->src[i] % 64 & 1) {
            return true;
        }
    }
    return false;
}

static void write_results(struct drd_spec *spec, uint32_t slot, const struct isa_inst *in,
                          bool taints)
{
    struct spec_warp *warp = &spec->warp[slot];
    for (uint32_t i = 0; i < in->n_dst; i++) {
        const uint64_t bit = UINT64_C(1) << in->dst[i] % 64;
        uint64_t *word = &warp->tainted[in->dst[i] / 64];
        *word = taints ? *word | bit : *word & ~bit;
        *spec->rin.areg = in->dst[i] % spec->rename_regs;
        *spec->rin.temp = !taints;
        rename_op(spec, RENAME_RENAME, slot);
    }
}

/* ---- what a warp may do ---- */

static bool is_load(const struct isa_inst *in)
{
    return in->pipe == ISA_PIPE_MEM && in->access == ISA_ACCESS_LOAD;
}

static bool is_final(const struct isa_inst *in)
{
    const bool writes = (in->pipe == ISA_PIPE_MEM || in->pipe == ISA_PIPE_SHARED) &&
                        in->access != ISA_ACCESS_LOAD;
    return writes || in->pipe == ISA_PIPE_BARRIER || in->pipe == ISA_PIPE_FENCE || in->is_exit;
}

/* Are stores of the warp under way that another one has to wait for? */
static bool store_waits(const struct drd_spec *spec, uint32_t slot)
{
    return spec->owner->drd->options.acks == 0 && core_stores(spec->owner->core, slot) > 0;
}

static bool may_issue_busy(struct drd_spec *spec, uint32_t slot, const struct isa_inst *in)
{
    struct spec_warp *warp = &spec->warp[slot];
    if (is_final(in)) {
        return spec->owner->drd->options.stores != 0 && in->pipe == ISA_PIPE_MEM &&
               !store_waits(spec, slot) && warp->has_snapshot;
    }
    const bool follows = in->pipe == ISA_PIPE_MEM || in->pipe == ISA_PIPE_SHARED ||
                         in->pipe == ISA_PIPE_CONST || in->pipe == ISA_PIPE_CONTROL;
    if (follows && reads_tainted(warp, in)) {
        return false;
    }
    if (is_load(in) && (!warp->has_snapshot || warp->strict)) {
        return false;
    }
    pins_comb(&spec->rename);
    if (in->n_dst > 0 && *spec->rout.none_free) {
        spec->blocked |= UINT64_C(1) << slot;
        return false;
    }
    return true;
}

/* Somebody goes alone: itself when nothing is unanswered, the others after it. */
static bool may_go_besides(const struct drd_spec *spec, uint32_t slot, const struct isa_inst *in)
{
    if (spec->alone == 0 || in->pipe != ISA_PIPE_MEM) {
        return true;
    }
    return spec->alone >> slot & 1 && (!is_load(in) || spec->sent == spec->oldest);
}

static bool may_issue(void *self, uint32_t slot, uint32_t pc)
{
    struct drd_spec *spec = self;
    const struct core *core = spec->owner->core;
    const struct isa_inst *in = &core_kernel(core)->inst[pc];
    if (!spec->on) {
        return in->pipe != ISA_PIPE_MEM ||
               (core_loads(core, slot) == 0 && core_stores(core, slot) == 0);
    }
    if (spec->warp[slot].rolling || !may_go_besides(spec, slot, in)) {
        return false;
    }
    if (!drd_spec_clean(spec, slot)) {
        return may_issue_busy(spec, slot, in);
    }
    return !(in->pipe == ISA_PIPE_MEM && is_final(in)) || !store_waits(spec, slot);
}

static void take_snapshot(struct drd_spec *spec, uint32_t slot)
{
    const struct core *core = spec->owner->core;
    memcpy(spec->warp[slot].snapshot, core_warp(core, slot), core_warp_bytes(core));
    spec->warp[slot].has_snapshot = true;
    spec->warp[slot].issued = 0;
}

static void issue(void *self, uint32_t slot, uint32_t pc)
{
    struct drd_spec *spec = self;
    struct spec_warp *warp = &spec->warp[slot];
    const struct core *core = spec->owner->core;
    const struct isa_inst *in = &core_kernel(core)->inst[pc];
    const bool clean = drd_spec_clean(spec, slot);
    if (!spec->on) {
        return;
    }
    if (clean) {
        memset(warp->tainted, 0, core_register_words(core) * sizeof *warp->tainted);
        warp->has_snapshot = false;
        warp->strict = (uint8_t)(warp->strict > 0 ? warp->strict - 1 : 0);
    }
    if (is_final(in)) {
        warp->has_snapshot = false;
        return;
    }
    if (is_load(in) && !warp->has_snapshot) {
        take_snapshot(spec, slot);
    }
    warp->issued++;
    if (!clean || (is_load(in) && spec->sent > spec->oldest)) {
        write_results(spec, slot, in, is_load(in) || reads_tainted(warp, in));
    }
}

/* ---- validation ---- */

/* Is a warp that has to go back at rest? */
static bool at_rest(const struct drd_spec *spec, uint32_t slot)
{
    return drd_spec_clean(spec, slot) && core_in_flight(spec->owner->core, slot) == 0;
}

static void go_back(struct drd_spec *spec, uint32_t slot)
{
    struct spec_warp *warp = &spec->warp[slot];
    struct core *core = spec->owner->core;
    warp->rolling = false;
    spec->rolling &= ~(UINT64_C(1) << slot);
    rename_end(spec, RENAME_SQUASH, slot);
    if (warp->has_snapshot) { /* always, unless stores do not wait */
        core_restore_warp(core, slot, warp->snapshot);
        spec->executed_again += warp->issued;
        warp->issued = 0;
        spec->rolled_back++;
        warp->strict = 2;
        warp->returns = (uint8_t)(warp->returns + (warp->returns < SPEC_RETURNS));
        if (warp->returns == SPEC_RETURNS && spec->alone == 0) {
            spec->alone = UINT64_C(1) << slot;
        }
    }
    core_recheck(core, slot);
}

/* All loads of the warp are committed. */
static void committed(struct drd_spec *spec, uint32_t slot)
{
    const bool alone = spec->alone >> slot & 1;
    rename_end(spec, RENAME_COMMIT, slot);
    spec->warp[slot].returns = 0;
    spec->alone &= ~(UINT64_C(1) << slot);
    for (uint64_t left = alone ? core_warps(spec->owner->core).resident : 0; left != 0;
         left &= left - 1) {
        core_recheck(spec->owner->core, (uint32_t)__builtin_ctzll(left));
    }
}

/* The warp that goes alone: may it now, or is its load over? */
static bool settle_alone(struct drd_spec *spec)
{
    const uint32_t slot = (uint32_t)__builtin_ctzll(spec->alone);
    const struct spec_warp *warp = &spec->warp[slot];
    if (warp->issued > 0 && !warp->rolling && drd_spec_clean(spec, slot)) {
        committed(spec, slot); /* a hit, that is, which nobody has to validate */
        return true;
    }
    if (spec->sent == spec->oldest) {
        core_recheck(spec->owner->core, slot);
    }
    return false;
}

bool drd_spec_settle(struct drd_spec *spec)
{
    struct core *core = spec->owner->core;
    bool changed = false, failed;
    uint32_t slot;
    while (drd_queue_take(spec, &slot, &failed)) {
        struct spec_warp *warp = &spec->warp[slot];
        if (failed && !warp->rolling) {
            warp->rolling = true;
            spec->rolling |= UINT64_C(1) << slot;
        }
        if (warp->entries == 0 && !warp->rolling) {
            committed(spec, slot);
        }
        core_recheck(core, slot);
        changed = true;
    }
    changed |= spec->alone != 0 && settle_alone(spec);
    for (uint64_t left = spec->rolling; left != 0; left &= left - 1) {
        slot = (uint32_t)__builtin_ctzll(left);
        if (at_rest(spec, slot)) {
            go_back(spec, slot);
            changed = true;
        }
    }
    return changed;
}

/* ---- plugging in ---- */

static bool room(void *self, const struct access_info *access)
{
    struct drd_spec *spec = self;
    (void)access;
    return !spec->on || drd_queue_room(spec);
}

static void accepted(void *self, const struct mem_inst *inst, const struct access_info *access,
                     enum access_result result)
{
    struct drd_spec *spec = self;
    if (spec->on) {
        drd_queue_accepted(spec, inst, access, result);
    }
}

static void served(void *self, const struct mem_inst *inst, uint64_t block)
{
    struct drd_spec *spec = self;
    if (spec->on) {
        drd_queue_served(spec, inst, block);
    }
}

/* Storage for the warps of this kernel; false without memory. */
static bool make_warps(struct drd_spec *spec, const struct core *core)
{
    const uint32_t n_warps = core_config(core)->sm_warps;
    const size_t bytes = (core_warp_bytes(core) + 7) & ~(size_t)7;
    const size_t words = core_register_words(core) * sizeof(uint64_t);
    free(spec->storage);
    uint8_t *at = spec->storage = calloc(n_warps, bytes + words);
    for (uint32_t w = 0; w < n_warps; w++) {
        spec->warp[w] = (struct spec_warp){.snapshot = at,
                                           .tainted = (uint64_t *)(void *)(at + bytes)};
        at += at != NULL ? bytes + words : 0;
    }
    return spec->storage != NULL;
}

void drd_spec_kernel_start(struct drd_spec *spec)
{
    const struct core *core = spec->owner->core;
    const uint32_t registers = core_kernel(core)->registers_per_thread;
    const uint32_t resident = core_most_ctas(core) * core_warps_per_cta(core) * registers;
    drd_queue_clear(spec);
    spec->on = core_warps_copyable(core);
    spec->rolling = spec->blocked = spec->alone = 0;
    spec->rename_regs = registers == 0 ? 1 : registers < SPEC_REGS ? registers : SPEC_REGS;
    *spec->rin.used = resident < SPEC_PHYS ? resident : SPEC_PHYS;
    rename_op(spec, RENAME_START, 0);
    if (!make_warps(spec, core)) {
        spec->no_memory = true;
        spec->on = false;
    }
}

static void release(void *self)
{
    free(((struct drd_spec *)self)->storage);
}

int drd_spec_open(struct mechanism_context *context, struct drd_sm *sm)
{
    struct drd_spec *spec = sm->spec = mechanism_keep(context, sizeof *spec);
    if (spec == NULL || mechanism_at_end(context, release, spec) != 0) {
        return -1;
    }
    spec->owner = sm;
    spec->mshr_order = mechanism_keep(context, core_mshrs(sm->core)->n * sizeof *spec->mshr_order);
    spec->warp = mechanism_keep(context, core_config(sm->core)->sm_warps * sizeof *spec->warp);
    return spec->mshr_order != NULL && spec->warp != NULL ? drd_open_spec(context, spec) : -1;
}

int drd_spec_plug(struct mechanism_context *context, struct drd_sm *sm)
{
    const struct speculation_socket socket = {.self = sm->spec,
                                              .may_issue = may_issue,
                                              .issue = issue,
                                              .room = room,
                                              .accepted = accepted,
                                              .served = served};
    return plug_speculation(sm->core, &context->plug, &socket);
}
