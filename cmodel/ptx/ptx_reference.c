/* ptx_reference.c - see ptx_reference.h.
 *
 * Loads return and stores land at once; barriers hold warps until enough
 * threads arrived.  No time, no caches, no schedulers.
 */
#include "ptx/ptx_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/l2/atomic.h"

/* A CTA that has not ended after so many instructions may wait for another: few, since all CTAs of a
 * grid that meets at a barrier spend them in vain. */
enum { BARRIERS = 16, TURN_STEPS = 64, CTA_STEPS = 4096 };
enum { ENDED, GOES_ON };

struct cta {
    const struct isa_launch *launch;
    const struct ptx_memory *memory;
    uint8_t *warps; /* [n_warps] of stride bytes */
    size_t stride;
    uint32_t n_warps;
    uint8_t *shared;
    uint64_t shared_bytes;
    uint8_t *waits_at;                            /* [n_warps]: barrier + 1, 0 when running */
    uint32_t arrived[BARRIERS], needed[BARRIERS]; /* threads, in whole warps */
    bool runs;
    uint64_t cycle, max_steps;
    struct ptx_reference_result *result;
    char *error;
    size_t n_error;
};

static struct isa_warp *warp_at(struct cta *c, uint32_t w)
{
    return (struct isa_warp *)(void *)(c->warps + w * c->stride);
}

static int fail(struct cta *c, const char *what)
{
    snprintf(c->error, c->n_error, "%s", what);
    return -1;
}

static void perform_atomic(const struct isa_inst *inst, uint8_t *at, uint8_t *data)
{
    uint64_t old = 0, operand, swap;
    uint32_t bytes = atomic_bytes(inst->number);
    memcpy(&old, at, bytes);
    memcpy(&operand, data, sizeof(operand));
    memcpy(&swap, data + 8, sizeof(swap));
    uint64_t new = atomic_result(inst->atom, inst->number, old, operand, swap);
    memcpy(at, &new, bytes);
    memcpy(data, &old, sizeof(old));
}

static int perform(struct cta *c, struct isa_memop *op)
{
    uint32_t bytes = op->inst->bytes;
    for (uint32_t rest = op->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint8_t *at = c->memory->at(c->memory->context, op->addr[lane], bytes);
        if (at == NULL) {
            snprintf(c->error, c->n_error,
                     "kernel %s, %s:%u: %u-byte access at 0x%llx, which is not "
                     "allocated, lane %u",
                     c->launch->kernel->name, c->launch->kernel->file, op->inst->line, bytes,
                     (unsigned long long)op->addr[lane], lane);
            return -1;
        }
        switch (op->inst->access) {
        case ISA_ACCESS_LOAD: memcpy(op->data[lane], at, bytes); break;
        case ISA_ACCESS_STORE: memcpy(at, op->data[lane], bytes); break;
        default: perform_atomic(op->inst, at, op->data[lane]); break;
        }
    }
    return 0;
}

/* A bulk copy at once, in accesses of the size that its kind has. */
static int copy(struct cta *c, struct isa_warp *warp, const struct isa_async *what)
{
    struct isa_inst inst = {.access = what->access,
                            .bytes = 16,
                            .is_async = true,
                            .is_piece = true,
                            .atom = what->atom,
                            .number = what->number};
    struct isa_memop op = {.inst = &inst, .space = ISA_SPACE_GLOBAL, .mask = 1, .tag = what->tag};
    uint64_t address;
    if (what->access == ISA_ACCESS_REDUCE) {
        inst.bytes = atomic_bytes(what->number);
    }
    memcpy(&address, what->address, sizeof(address));
    for (uint32_t at = 0; at < what->width; at += inst.bytes) {
        op.addr[0] = address + at;
        if (what->data != NULL) {
            memcpy(op.data[0], what->data + at, inst.bytes);
        }
        if (perform(c, &op) != 0) {
            return -1;
        }
        if (what->access == ISA_ACCESS_LOAD) {
            c->launch->retire(c->launch->self, warp, &op);
        }
    }
    return 0;
}

static void arrive(struct cta *c, uint32_t w, const struct isa_step *step)
{
    uint32_t b = step->barrier;
    c->arrived[b] += ISA_LANES;
    c->needed[b] = step->barrier_threads;
    c->waits_at[w] = step->barrier_arrive_only ? 0 : (uint8_t)(b + 1);
}

/* Open the barriers that are complete; a warp that exited counts as arrived at those that wait for
 * every thread. */
static void open_barriers(struct cta *c)
{
    uint32_t gone = 0;
    for (uint32_t w = 0; w < c->n_warps; w++) {
        gone += warp_at(c, w)->done ? ISA_LANES : 0;
    }
    for (uint32_t b = 0; b < BARRIERS; b++) {
        uint32_t all = c->n_warps * ISA_LANES;
        bool complete = c->arrived[b] != 0 && (c->needed[b] != 0 ? c->arrived[b] >= c->needed[b]
                                                                 : c->arrived[b] + gone >= all);
        for (uint32_t w = 0; complete && w < c->n_warps; w++) {
            c->waits_at[w] = c->waits_at[w] == b + 1 ? 0 : c->waits_at[w];
        }
        c->arrived[b] = complete ? 0 : c->arrived[b];
    }
}

/* Some instructions of one warp; returns -1 on a fault. */
static int turn(struct cta *c, uint32_t w)
{
    struct isa_warp *warp = warp_at(c, w);
    struct isa_step step = {.kind = ISA_STEP_DONE};
    struct isa_memop op;
    for (int i = 0; i < TURN_STEPS && !warp->done && c->waits_at[w] == 0; i++) {
        if (c->max_steps != 0 && c->result->steps >= c->max_steps) {
            return fail(c, "the kernel did not end within the limit of steps");
        }
        c->launch->step(c->launch->self, warp, c->cycle++, &step, &op);
        c->result->steps++;
        if (step.kind == ISA_STEP_FAULT) {
            return fail(c, step.fault);
        }
        c->result->lanes += (uint64_t)__builtin_popcount(step.active);
        if (step.kind == ISA_STEP_MEMORY) {
            if (perform(c, &op) != 0) {
                return -1;
            }
            c->launch->retire(c->launch->self, warp, &op);
        } else if (step.kind == ISA_STEP_BARRIER) {
            arrive(c, w, &step);
        } else if (step.kind == ISA_STEP_ASYNC && step.async.kind == ISA_ASYNC_COPY &&
                   copy(c, warp, &step.async) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Turns until every warp is done, ENDED, or the CTA has had its steps, GOES_ON; -1 on a fault. */
static int run_warps(struct cta *c)
{
    const uint64_t until = c->result->steps + CTA_STEPS;
    for (;;) {
        bool running = false, moved = false;
        for (uint32_t w = 0; w < c->n_warps; w++) {
            if (!warp_at(c, w)->done && c->waits_at[w] == 0) {
                moved = true;
                if (turn(c, w) != 0) {
                    return -1;
                }
            }
            running = running || !warp_at(c, w)->done;
        }
        if (!running) {
            return ENDED;
        }
        open_barriers(c);
        if (!moved) {
            for (uint32_t w = 0; w < c->n_warps && !moved; w++) {
                moved = !warp_at(c, w)->done && c->waits_at[w] == 0;
            }
        }
        if (!moved) {
            snprintf(c->error, c->n_error,
                     "kernel %s: every warp of a CTA waits at a barrier; check "
                     "that all of them reach the same ones",
                     c->launch->kernel->name);
            return -1;
        }
        if (c->result->steps >= until) {
            return GOES_ON;
        }
    }
}

/* ---- CTAs ---- */

static void start_cta(struct cta *c, uint64_t number)
{
    const struct isa_dim3 *g = &c->launch->grid;
    struct isa_warp_place place = {.ctaid = {(uint32_t)(number % g->x),
                                             (uint32_t)(number / g->x % g->y),
                                             (uint32_t)(number / g->x / g->y)},
                                   .cta = number,
                                   .shared = c->shared,
                                   .shared_bytes = c->shared_bytes};
    memset(c->shared, 0, c->shared_bytes);
    memset(c->waits_at, 0, c->n_warps);
    memset(c->arrived, 0, sizeof(c->arrived));
    for (uint32_t w = 0; w < c->n_warps; w++) {
        place.warp_in_cta = place.warp_slot = w;
        c->launch->warp_start(c->launch->self, warp_at(c, w), &place);
    }
    c->runs = true;
}

static void end_cta(struct cta *c)
{
    for (uint32_t w = 0; c->runs && w < c->n_warps; w++) {
        c->launch->warp_end(c->launch->self, warp_at(c, w));
    }
    c->runs = false;
}

/* A place for a CTA, like `model`, with memory of its own. */
static int make_place(struct cta *c, const struct cta *model)
{
    *c = *model;
    c->warps = aligned_alloc(64, c->n_warps * c->stride);
    c->shared = malloc(c->shared_bytes + 1);
    c->waits_at = malloc(c->n_warps);
    return c->warps == NULL || c->shared == NULL || c->waits_at == NULL
               ? fail(c, "no memory to run the kernel")
               : 0;
}

static void free_place(struct cta *c)
{
    end_cta(c);
    free(c->warps);
    free(c->shared);
    free(c->waits_at);
}

/* CTAs one after another in a place, from number *next on, until one goes on or none is left. */
static int run_place(struct cta *c, uint64_t *next, uint64_t n_ctas)
{
    while (c->runs || *next < n_ctas) {
        if (!c->runs) {
            start_cta(c, (*next)++);
        }
        int status = run_warps(c);
        if (status != ENDED) {
            return status;
        }
        end_cta(c);
    }
    return ENDED;
}

/* Rounds over the places; one more when all are taken and CTAs are left. */
static int run_grid(const struct cta *model, struct cta *place, uint32_t max_places,
                    uint32_t *n_places)
{
    const struct isa_dim3 *g = &model->launch->grid;
    const uint64_t n_ctas = (uint64_t)g->x * g->y * g->z;
    uint64_t next = 0;
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (uint32_t p = 0; p < max_places && (p < *n_places || next < n_ctas); p++) {
            if (p == *n_places) {
                ++*n_places;
                if (make_place(&place[p], model) != 0) {
                    return -1;
                }
            }
            int status = run_place(&place[p], &next, n_ctas);
            if (status < 0) {
                return -1;
            }
            goes_on = goes_on || status == GOES_ON;
        }
    }
    return 0;
}

int ptx_reference_run(const struct isa_launch *launch, const struct ptx_memory *memory,
                      uint64_t max_steps, struct ptx_reference_result *result, char *error,
                      size_t n_error)
{
    const struct isa_dim3 *b = &launch->block;
    struct ptx_reference_result unused = {0, 0};
    struct cta model = {.launch = launch,
                        .memory = memory,
                        .max_steps = max_steps,
                        .error = error,
                        .n_error = n_error,
                        .result = result != NULL ? result : &unused};
    uint32_t max_places = memory->resident_ctas != 0 ? memory->resident_ctas : 1, n_places = 0;
    struct cta *place = calloc(max_places, sizeof(*place));
    *model.result = (struct ptx_reference_result){0, 0};
    model.n_warps = (b->x * b->y * b->z + ISA_LANES - 1) / ISA_LANES;
    model.stride = (launch->warp_bytes + 63) / 64 * 64;
    model.shared_bytes = (uint64_t)launch->kernel->shared_bytes +
                         launch->kernel->hidden_shared_bytes + launch->dynamic_shared_bytes;
    int status = place == NULL ? fail(&model, "no memory to run the kernel")
                               : run_grid(&model, place, max_places, &n_places);
    for (uint32_t p = 0; p < n_places; p++) {
        free_place(&place[p]);
    }
    free(place);
    return status;
}
