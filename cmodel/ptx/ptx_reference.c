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

enum { BARRIERS = 16, TURN_STEPS = 64 };

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
        }
    }
    return 0;
}

/* Turns until every warp is done. */
static int run_warps(struct cta *c)
{
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
            return 0;
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
    }
}

static int run_cta(struct cta *c, struct isa_dim3 ctaid)
{
    struct isa_warp_place place = {
        .ctaid = ctaid, .shared = c->shared, .shared_bytes = c->shared_bytes};
    memset(c->shared, 0, c->shared_bytes);
    memset(c->waits_at, 0, c->n_warps);
    memset(c->arrived, 0, sizeof(c->arrived));
    for (uint32_t w = 0; w < c->n_warps; w++) {
        place.warp_in_cta = place.warp_slot = w;
        c->launch->warp_start(c->launch->self, warp_at(c, w), &place);
    }
    int status = run_warps(c);
    for (uint32_t w = 0; w < c->n_warps; w++) {
        c->launch->warp_end(c->launch->self, warp_at(c, w));
    }
    return status;
}

static int run_grid(struct cta *c)
{
    const struct isa_dim3 *g = &c->launch->grid;
    for (uint32_t z = 0; z < g->z; z++) {
        for (uint32_t y = 0; y < g->y; y++) {
            for (uint32_t x = 0; x < g->x; x++) {
                if (run_cta(c, (struct isa_dim3){x, y, z}) != 0) {
                    return -1;
                }
            }
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
    struct cta c = {.launch = launch,
                    .memory = memory,
                    .max_steps = max_steps,
                    .error = error,
                    .n_error = n_error,
                    .result = result != NULL ? result : &unused};
    *c.result = (struct ptx_reference_result){0, 0};
    c.n_warps = (b->x * b->y * b->z + ISA_LANES - 1) / ISA_LANES;
    c.stride = (launch->warp_bytes + 63) / 64 * 64;
    c.shared_bytes = (uint64_t)launch->kernel->shared_bytes + launch->dynamic_shared_bytes;
    c.warps = aligned_alloc(64, c.n_warps * c.stride);
    c.shared = malloc(c.shared_bytes + 1);
    c.waits_at = malloc(c.n_warps);
    int status = c.warps == NULL || c.shared == NULL || c.waits_at == NULL
                     ? fail(&c, "no memory to run the kernel")
                     : run_grid(&c);
    free(c.warps);
    free(c.shared);
    free(c.waits_at);
    return status;
}
