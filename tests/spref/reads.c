/* reads.c - see reads.h. */
#include "reads.h"

#include <stdlib.h>
#include <string.h>

#include "machine/memory/memory.h"
#include "machine/plug/view.h"

static uint64_t mixed(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x7fb5d329728ea185);
    x ^= x >> 27;
    x *= UINT64_C(0x81dadef4bc2dd44d);
    return x ^ x >> 33;
}

static void note(struct reads *reads, uint32_t slot, uint32_t pc, const struct isa_memop *op)
{
    for (uint32_t left = op->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (reads->n == reads->room) {
            const size_t room = reads->room ? 2 * reads->room : 4096;
            uint64_t *more = realloc(reads->at, room * sizeof *more);
            if (more == NULL) {
                reads->out_of_memory = true;
                return;
            }
            reads->at = more;
            reads->room = room;
        }
        reads->at[reads->n++] = mixed(mixed(op->addr[lane]) + pc * UINT64_C(2048) + slot * 32 +
                                      lane);
    }
}

static void compare(struct reads *reads, const struct isa_memop *op)
{
    for (uint32_t left = op->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint8_t there[ISA_LANE_BYTES];
        memory_read(reads->memory, op->addr[lane], there, op->inst->bytes);
        reads->wrong += memcmp(there, op->data[lane], op->inst->bytes) != 0;
    }
}

/* ---- the seam ---- */

static bool pending(void *self, uint32_t slot)
{
    const struct inject_socket *inner = &((struct reads *)self)->inner;
    return inner->self != NULL && inner->pending(inner->self, slot);
}

static uint32_t injected_pc(void *self, uint32_t slot)
{
    const struct inject_socket *inner = &((struct reads *)self)->inner;
    return inner->pc(inner->self, slot);
}

static void inject(void *self, uint32_t slot, struct isa_memop *op)
{
    struct reads *reads = self;
    reads->inner.inject(reads->inner.self, slot, op);
    note(reads, slot, (uint32_t)(op->inst - core_kernel(reads->core)->inst), op);
}

static void arrived(void *self, uint32_t slot, const struct isa_memop *op)
{
    const struct inject_socket *inner = &((struct reads *)self)->inner;
    inner->arrived(inner->self, slot, op);
}

static bool waits(void *self, uint32_t slot, uint32_t pc)
{
    const struct inject_socket *inner = &((struct reads *)self)->inner;
    return inner->self != NULL && inner->waits(inner->self, slot, pc);
}

/* The machine asks for the last time when the load issues. */
static bool moves(void *self, uint32_t slot, uint32_t pc)
{
    struct reads *reads = self;
    const struct inject_socket *inner = &reads->inner;
    return reads->moves[slot] = inner->self != NULL && inner->moves(inner->self, slot, pc);
}

static void decode(void *self, uint32_t slot, uint32_t pc)
{
    const struct inject_socket *inner = &((struct reads *)self)->inner;
    if (inner->self != NULL) {
        inner->decode(inner->self, slot, pc);
    }
}

static void executed(void *self, uint32_t slot, uint32_t pc, const struct isa_step *step,
                     struct isa_memop *op)
{
    struct reads *reads = self;
    const struct inject_socket *inner = &reads->inner;
    const bool moved = reads->moves[slot];
    if (inner->self != NULL) {
        inner->executed(inner->self, slot, pc, step, op);
    }
    if (step->kind != ISA_STEP_MEMORY || op->space != ISA_SPACE_GLOBAL ||
        op->inst->access != ISA_ACCESS_LOAD) {
        return;
    }
    if (moved) {
        compare(reads, op);
    } else {
        note(reads, slot, pc, op);
    }
}

void reads_watch(struct reads *reads, struct gpu *gpu)
{
    *reads = (struct reads){.core = machine_core(machine_of(gpu), 0), .memory = gpu->memory};
    struct inject_socket *socket = &core_sockets(reads->core)->inject;
    reads->inner = *socket;
    *socket = (struct inject_socket){.self = reads,
                                     .pending = pending,
                                     .pc = injected_pc,
                                     .inject = inject,
                                     .arrived = arrived,
                                     .waits = waits,
                                     .moves = moves,
                                     .decode = decode,
                                     .executed = executed};
}

void reads_free(struct reads *reads)
{
    free(reads->at);
    reads->at = NULL;
}

static int by_number(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

size_t reads_missing(struct reads *few, struct reads *many)
{
    size_t missing = 0, j = 0;
    qsort(few->at, few->n, sizeof *few->at, by_number);
    qsort(many->at, many->n, sizeof *many->at, by_number);
    for (size_t i = 0; i < few->n; i++) {
        while (j < many->n && many->at[j] < few->at[i]) {
            j++;
        }
        const bool there = j < many->n && many->at[j] == few->at[i];
        missing += !there;
        j += there;
    }
    return missing;
}
