/* spref_wait.c - how long warps wait for the loads of the ready loop (lakshminarayana2014-graph 5.1, Figs 13
 * and 15): from the issue of the instruction before a head or tail to that of the first one that needs what
 * it loads, whether it is a load or a move.
 *
 * Heads and tails are told by the program's text, so that a machine without spare registers counts the same
 * loads.  It must not know the unit, and changes nothing. */
#include "mechanisms/spref/spref.h"

enum { MOST_DEPTH = 16 };

/* The last instruction of [first, pc) that writes `reg`, UINT32_MAX when none does. */
static uint32_t writer_before(const struct isa_kernel *kernel, uint32_t first, uint32_t pc,
                              uint16_t reg)
{
    while (reg != ISA_NO_REGISTER && pc-- > first) {
        if (kernel->shape[pc].dst == reg) {
            return pc;
        }
    }
    return UINT32_MAX;
}

static bool is_read_only(const struct isa_shape *shape)
{
    return shape->kind == ISA_SHAPE_LOAD && shape->read_only;
}

/* How many loads of this iteration the value of the instruction at `pc` comes from, one after another. */
static uint32_t loads_behind(const struct isa_kernel *kernel, uint32_t first, uint32_t pc,
                             uint32_t depth)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < 3 && depth < MOST_DEPTH; k++) {
        const uint32_t at = writer_before(kernel, first, pc, kernel->shape[pc].src[k]);
        const uint32_t n = at == UINT32_MAX ? 0
                                            : loads_behind(kernel, first, at, depth + 1) +
                                                  (kernel->shape[at].kind == ISA_SHAPE_LOAD);
        most = n > most ? n : most;
    }
    return most;
}

static bool reads(const struct isa_inst *inst, uint16_t reg)
{
    for (uint32_t k = 0; k < inst->n_src; k++) {
        if (inst->src[k] == reg) {
            return true;
        }
    }
    return false;
}

void spref_wait(struct spref *s, uint32_t slot, uint32_t pc)
{
    struct spref_waiting *waiting = &s->waiting[slot];
    const struct isa_inst *inst = &s->kernel->inst[pc];
    const uint64_t now = core_now(s->core), before = waiting->issued;
    waiting->issued = now;
    for (uint32_t k = 0; k < 2; k++) {
        if (waiting->open[k] && reads(inst, waiting->reg[k])) {
            *(k == 0 ? &s->count.head_wait_cycles : &s->count.tail_wait_cycles) += now -
                                                                                   waiting->from[k];
            waiting->open[k] = false;
        }
    }
    if (!s->loop_ready || pc < s->loop_first || pc > s->loop_last ||
        !is_read_only(&s->kernel->shape[pc])) {
        return;
    }
    const uint32_t behind = loads_behind(s->kernel, s->loop_first, pc, 0);
    if (behind < 2) {
        *(behind == 0 ? &s->count.head_loads : &s->count.tail_loads) += 1;
        waiting->open[behind] = true;
        waiting->from[behind] = before;
        waiting->reg[behind] = inst->dst[0];
    }
}
