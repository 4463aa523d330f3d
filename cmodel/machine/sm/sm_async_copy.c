/* sm_async_copy.c - bulk copies: their requests, a chunk a cycle, and their end.  See sm_async.h. */
#include <stdlib.h>
#include <string.h>

#include "machine/sm/sm_async_private.h"

/* The instructions that stand for a copy's requests: 16, 4 and 1 bytes a lane. */
#define COPY(kind, n) \
    { \
        .pipe = ISA_PIPE_MEM, .access = ISA_ACCESS_##kind, .space = ISA_SPACE_GLOBAL, \
        .cacheop = ISA_CACHE_CG, .bytes = (n), .scope = ISA_SCOPE_GPU, .atom = ISA_ATOM_ADD, \
        .number = ISA_U32, .is_async = true, .is_piece = true, .text = "(bulk copy)" \
    }
static const struct isa_inst LOADS[] = {COPY(LOAD, 16), COPY(LOAD, 4), COPY(LOAD, 1)};
static const struct isa_inst STORES[] = {COPY(STORE, 16), COPY(STORE, 4), COPY(STORE, 1)};
static const struct isa_inst REDUCTION = COPY(REDUCE, 4);

static void free_job(struct copy_job *job)
{
    free(job->address);
    free(job->data);
    free(job);
}

void async_copies_free(struct sm_async *a)
{
    while (a->job) {
        struct copy_job *next = a->job->next;

        free_job(a->job);
        a->job = next;
    }
}

/* The bytes that it writes, as they are now. */
static void keep_data(struct copy_job *job)
{
    const struct isa_async *what = &job->what;

    if (!what->data) {
        return;
    }
    job->data = malloc((size_t)what->n * what->width + 1);
    if (!job->data) {
        abort();
    }
    memcpy(job->data, what->data, (size_t)what->n * what->width);
    job->reduction = REDUCTION;
    job->reduction.atom = what->atom;
    job->reduction.number = what->number;
    job->reduction.bytes = (uint8_t)what->bytes;
}

void async_copy(struct sm *sm, uint32_t slot, uint32_t pc, const struct isa_async *what)
{
    struct sm_async *a = sm->async;
    struct copy_job *job;

    if (what->access == ISA_ACCESS_NONE) {
        return;
    }
    job = calloc(1, sizeof *job);
    if (!job || !(job->address = malloc(what->n * sizeof *job->address + 1))) {
        abort(); /* a few kilobytes: nothing else would work either */
    }
    if (what->n) {
        memcpy(job->address, what->address, what->n * sizeof *job->address);
    }
    job->what = *what;
    keep_data(job);
    job->slot = (uint8_t)slot;
    job->pc = pc;
    job->cta = sm->ctas.at[sm->ctas.of[slot]].id;
    job->from = sm->now + sm->config->copy_start_cycles;
    if (what->access != ISA_ACCESS_LOAD) {
        job->group = async_group_started(sm, slot, 1);
    }
    *a->last_job = job;
    a->last_job = &job->next;
    sm->warps.inflight[slot]++; /* the warp stays until it is done */
    if (++a->n_jobs > sm->config->copy_queue) {
        async_hold(sm, &a->wait_queue, slot);
    }
}

/* The copy has ended: its bytes are counted, its group is notified.  Whether the warp may leave now
 * is for the caller to ask, or for the retirement that it is in. */
static void end_job(struct sm *sm, struct copy_job *job)
{
    const uint32_t slot = job->slot;

    if (job->what.access != ISA_ACCESS_LOAD) {
        async_group_done(sm, slot, 1, job->group);
    } else if (job->what.mbarrier) {
        async_send(sm,
                   (struct async_event){.at = sm->now,
                                        .cta = job->cta,
                                        .bytes = job->what.bytes,
                                        .address = job->what.mbarrier,
                                        .effect = EFFECT_MBARRIER,
                                        .kind = ISA_ASYNC_COPY},
                   job->what.ranks, job->what.bytes);
    }
    free_job(job);
    sm->warps.inflight[slot]--;
}

void async_copied(struct sm *sm, struct copy_job *job)
{
    if (--job->outstanding == 0 && job->element == job->what.n) {
        end_job(sm, job);
    }
}

/* Which of the three sizes: that of a piece of the copy that begins at `address`. */
static uint32_t size_of(const struct copy_job *job, uint64_t address)
{
    const uint64_t both = address | job->what.width;

    return both % 16 == 0 ? 0 : both % 4 == 0 ? 1 : 2;
}

/* Up to 32 pieces of one size; the job moves on. */
static void fill(struct copy_job *job, struct isa_memop *op)
{
    const uint32_t size = size_of(job, job->address[job->element] + job->offset);
    const struct isa_inst *inst = job->what.access == ISA_ACCESS_LOAD     ? &LOADS[size]
                                  : job->what.access != ISA_ACCESS_REDUCE ? &STORES[size]
                                  : job->data                             ? &job->reduction
                                  : size < 2                              ? &REDUCTION
                                                                          : &STORES[size];
    uint32_t lane = 0;

    op->inst = inst;
    op->space = ISA_SPACE_GLOBAL;
    op->tag = job->what.tag;
    op->mask = 0;
    while (lane < ISA_LANES && job->element < job->what.n) {
        const uint64_t address = job->address[job->element] + job->offset;

        if (size_of(job, address) != size) {
            break;
        }
        op->addr[lane] = address;
        memset(op->data[lane], 0, sizeof op->data[lane]);
        if (job->data) {
            memcpy(op->data[lane], job->data + (size_t)job->element * job->what.width + job->offset,
                   inst->bytes);
        }
        op->mask |= UINT32_C(1) << lane++;
        job->offset += inst->bytes;
        if (job->offset >= job->what.width) {
            job->offset = 0;
            job->element++;
        }
    }
}

static void next_job(struct sm *sm)
{
    struct sm_async *a = sm->async;

    a->job = a->job->next;
    if (!a->job) {
        a->last_job = &a->job;
    }
    if (--a->n_jobs == sm->config->copy_queue) {
        async_release(sm, &a->wait_queue, a->wait_queue);
    }
}

static bool has_room(const struct sm *sm)
{
    return sm->ldst.count < sm->config->ldst_queue && sm->ldst.n_free;
}

void async_copy_step(struct sm *sm)
{
    struct copy_job *job = sm->async->job;
    struct mem_inst *inst;
    bool returns;

    if (job->from > sm->now || (job->what.n && !has_room(sm))) {
        return;
    }
    sm->progress = true;
    if (job->what.n == 0) { /* no address is known */
        const uint32_t slot = job->slot;

        next_job(sm);
        end_job(sm, job);
        sm_check_warp(sm, slot);
        return;
    }
    inst = sm_inst_for(sm, job->slot, job->pc);
    fill(job, &inst->op);
    inst->job = job;
    returns = inst->op.inst->access == ISA_ACCESS_LOAD;
    job->outstanding += returns;
    if (job->element == job->what.n) {
        next_job(sm);
    }
    sm_ldst_issue(sm, inst);
    if (job->element == job->what.n && !returns) {
        const uint32_t slot = job->slot;

        end_job(sm, job);
        sm_check_warp(sm, slot);
    }
}

uint64_t async_copy_next(const struct sm *sm)
{
    const struct copy_job *job = sm->async->job;

    if (!job) {
        return CYCLE_NEVER;
    }
    if (job->what.n && !has_room(sm)) {
        return CYCLE_NEVER; /* an access that leaves the LD/ST unit, or a reply, wakes the SM */
    }
    return cycle_later(job->from, sm->now + 1);
}
