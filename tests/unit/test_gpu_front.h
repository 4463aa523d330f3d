/* test_gpu_front.h - a small front end for tests of the machine: programs of a few
 * operations, made by hand, behind isa/isa.h.  Header-only; knows nothing of timing.
 *
 * Every lane has 16 registers of 64 bits; scoreboard registers are the same numbers.
 */
#ifndef WARPLOCK_TEST_GPU_FRONT_H
#define WARPLOCK_TEST_GPU_FRONT_H

#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

enum front_kind {
    FRONT_LANE,   /* r[d] = imm + lane in warp * stride */
    FRONT_THREAD, /* r[d] = imm + thread in grid * stride */
    FRONT_CTA,    /* r[d] = imm + linear CTA * stride */
    FRONT_ADD,    /* r[d] = r[a] + imm */
    FRONT_SUM,    /* r[d] = r[a] + r[b] */
    FRONT_SFU,    /* r[d] = r[a], on the special function pipe */
    FRONT_LOAD,   /* r[d] = [r[a]] */
    FRONT_STORE,  /* [r[a]] = r[b] */
    FRONT_ATOM,   /* r[d] = old of [r[a]] += r[b] */
    FRONT_RED,    /* [r[a]] += r[b] */
    FRONT_SHARED, /* shared memory read at address r[a] (timing only) */
    FRONT_LOOP,   /* back to pc imm, stride times in all */
    FRONT_BAR,
    FRONT_FENCE,
    FRONT_EXIT
};

struct front_op {
    enum front_kind kind;
    uint8_t d, a, b;
    uint64_t imm, stride;
    uint8_t bytes, cacheop, warps; /* 0: 4 bytes, default, every warp; else only warps below */
    bool local;                    /* to local memory, at an address of a buffer */
};

struct front_program {
    const struct front_op *op;
    uint32_t n;
    struct isa_inst *inst;
    struct isa_kernel kernel;
    struct isa_launch launch;
};

struct front_warp {
    struct isa_warp isa;
    struct isa_warp_place place;
    uint64_t r[16][ISA_LANES];
    uint64_t taken[64];
};

static void front_start(void *self, struct isa_warp *warp, const struct isa_warp_place *place)
{
    const struct front_program *program = self;
    struct front_warp *w = (struct front_warp *)warp;
    uint32_t threads = program->launch.block.x, left = threads - place->warp_in_cta * ISA_LANES;

    memset(w, 0, sizeof *w);
    w->place = *place;
    w->isa.active = w->isa.live = left >= ISA_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

static void front_end(void *self, struct isa_warp *warp)
{
    (void)self;
    (void)warp;
}

static void front_memory(const struct front_op *op, struct front_warp *w, struct isa_memop *memop)
{
    memop->mask = w->isa.active;
    memop->space = op->kind == FRONT_SHARED ? ISA_SPACE_SHARED
                   : op->local              ? ISA_SPACE_LOCAL
                                            : ISA_SPACE_GLOBAL;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        memop->addr[lane] = w->r[op->a][lane];
        memset(memop->data[lane], 0, ISA_LANE_BYTES);
        memcpy(memop->data[lane], &w->r[op->b][lane], 8);
    }
}

static void front_step(void *self, struct isa_warp *warp, uint64_t cycle, struct isa_step *step,
                       struct isa_memop *memop)
{
    const struct front_program *program = self;
    struct front_warp *w = (struct front_warp *)warp;
    const struct front_op *op = &program->op[warp->pc];
    uint64_t thread = ((uint64_t)w->place.ctaid.x * program->launch.block.x +
                       w->place.warp_in_cta * ISA_LANES);
    uint32_t pc = warp->pc++;

    (void)cycle;
    step->kind = ISA_STEP_DONE;
    step->active = warp->active;
    memop->inst = &program->inst[pc];
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        switch (op->kind) {
        case FRONT_LANE: w->r[op->d][lane] = op->imm + lane * op->stride; break;
        case FRONT_THREAD: w->r[op->d][lane] = op->imm + (thread + lane) * op->stride; break;
        case FRONT_CTA: w->r[op->d][lane] = op->imm + w->place.ctaid.x * op->stride; break;
        case FRONT_ADD: w->r[op->d][lane] = w->r[op->a][lane] + op->imm; break;
        case FRONT_SUM: w->r[op->d][lane] = w->r[op->a][lane] + w->r[op->b][lane]; break;
        case FRONT_SFU: w->r[op->d][lane] = w->r[op->a][lane]; break;
        default: break;
        }
    }
    if (op->kind == FRONT_LOAD || op->kind == FRONT_STORE || op->kind == FRONT_ATOM ||
        op->kind == FRONT_RED || op->kind == FRONT_SHARED) {
        step->kind = op->kind == FRONT_SHARED ? ISA_STEP_SHARED : ISA_STEP_MEMORY;
        front_memory(op, w, memop);
        if (op->warps && w->place.warp_in_cta >= op->warps) {
            memop->mask = 0;
        }
    } else if (op->kind == FRONT_LOOP) {
        if (++w->taken[pc] < op->stride) {
            warp->pc = (uint32_t)op->imm;
        } else {
            w->taken[pc] = 0;
        }
    } else if (op->kind == FRONT_BAR) {
        if (!op->warps || w->place.warp_in_cta < op->warps) {
            step->kind = ISA_STEP_BARRIER;
        }
    } else if (op->kind == FRONT_FENCE) {
        step->kind = ISA_STEP_FENCE;
        step->scope = ISA_SCOPE_GPU;
    } else if (op->kind == FRONT_EXIT) {
        warp->done = true;
        warp->live = 0;
    }
}

static void front_retire(void *self, struct isa_warp *warp, const struct isa_memop *memop)
{
    const struct front_program *program = self;
    struct front_warp *w = (struct front_warp *)warp;
    const struct front_op *op = &program->op[memop->inst - program->inst];

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        if (memop->mask >> lane & 1) {
            w->r[op->d][lane] = 0;
            memcpy(&w->r[op->d][lane], memop->data[lane], memop->inst->bytes);
        }
    }
}

static void front_facts(const struct front_op *op, struct isa_inst *inst)
{
    static const uint8_t pipes[] = {
        [FRONT_SFU] = ISA_PIPE_SFU,      [FRONT_LOAD] = ISA_PIPE_MEM,
        [FRONT_STORE] = ISA_PIPE_MEM,    [FRONT_ATOM] = ISA_PIPE_MEM,
        [FRONT_RED] = ISA_PIPE_MEM,      [FRONT_SHARED] = ISA_PIPE_SHARED,
        [FRONT_LOOP] = ISA_PIPE_CONTROL, [FRONT_BAR] = ISA_PIPE_BARRIER,
        [FRONT_FENCE] = ISA_PIPE_FENCE,  [FRONT_EXIT] = ISA_PIPE_CONTROL};

    inst->pipe = pipes[op->kind];
    inst->bytes = op->bytes ? op->bytes : 4;
    inst->cacheop = op->cacheop;
    inst->line = 1;
    inst->number = inst->bytes == 8 ? ISA_U64 : ISA_U32;
    inst->atom = ISA_ATOM_ADD;
    inst->is_exit = op->kind == FRONT_EXIT;
    inst->is_branch = op->kind == FRONT_LOOP;
    inst->access = op->kind == FRONT_LOAD     ? ISA_ACCESS_LOAD
                   : op->kind == FRONT_SHARED ? ISA_ACCESS_LOAD
                   : op->kind == FRONT_STORE  ? ISA_ACCESS_STORE
                   : op->kind == FRONT_ATOM   ? ISA_ACCESS_ATOMIC
                   : op->kind == FRONT_RED    ? ISA_ACCESS_REDUCE
                                              : ISA_ACCESS_NONE;
    if (op->kind <= FRONT_LOAD || op->kind == FRONT_ATOM || op->kind == FRONT_SHARED) {
        inst->n_dst = 1;
        inst->dst[0] = op->d;
    }
    if (op->kind >= FRONT_ADD && op->kind <= FRONT_SHARED) {
        inst->n_src = 1;
        inst->src[0] = op->a;
    }
    if (op->kind == FRONT_SUM || op->kind == FRONT_STORE || op->kind == FRONT_ATOM ||
        op->kind == FRONT_RED) {
        inst->n_src = 2;
        inst->src[1] = op->b;
    }
}

static void front_make(struct front_program *program, const struct front_op *op, uint32_t n,
                       uint32_t ctas, uint32_t threads)
{
    *program = (struct front_program){.op = op, .n = n};
    program->inst = calloc(n, sizeof *program->inst);
    for (uint32_t pc = 0; pc < n; pc++) {
        front_facts(&op[pc], &program->inst[pc]);
    }
    program->kernel = (struct isa_kernel){.name = "front",
                                          .file = "front.s",
                                          .inst = program->inst,
                                          .n_inst = n,
                                          .n_registers = 16,
                                          .registers_per_thread = 16};
    program->launch = (struct isa_launch){.kernel = &program->kernel,
                                          .grid = {ctas, 1, 1},
                                          .block = {threads, 1, 1},
                                          .carries_values = true,
                                          .warp_bytes = sizeof(struct front_warp),
                                          .self = program,
                                          .warp_start = front_start,
                                          .step = front_step,
                                          .retire = front_retire,
                                          .warp_end = front_end};
}

static void front_free(struct front_program *program)
{
    free(program->inst);
}

#endif
