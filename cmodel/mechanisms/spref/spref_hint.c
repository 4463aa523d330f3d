/* spref_hint.c - C-SPREF (lakshminarayana2014-graph 3.1.8): what the compiler marked reaches the unit
 * as instructions.  When a kernel starts the marked loop is shown to it, a branch and two passes; at the
 * marked comparison before the loop a warp goes through an iteration before the first, whose count is
 * that of the comparison: the first one then injects. */
#include "mechanisms/spref/spref.h"

/* One pass over the loop's text: branches inside are not taken. */
static void show(struct spref *s)
{
    for (uint32_t pc = s->hint.first; pc <= s->hint.last; pc++) {
        spref_decode(s, 0, pc);
        *s->port.br_valid = s->kernel->inst[pc].is_branch;
        *s->port.br_taken = pc == s->hint.last;
        *s->port.br_wid = 0;
        *s->port.br_pc = pc;
        *s->port.br_tgt = s->kernel->shape[pc].target;
        pins_comb(&s->pins);
        spref_step(s);
    }
}

void spref_hint_start(struct spref *s)
{
    s->hint = spref_compile(s->kernel);
    if (!s->hint.valid) {
        return;
    }
    *s->port.br_valid = *s->port.br_taken = 1;
    *s->port.br_wid = 0;
    *s->port.br_pc = s->hint.last;
    *s->port.br_tgt = s->hint.first;
    pins_comb(&s->pins);
    spref_step(s);
    s->showing = true;
    show(s);
    show(s);
    s->showing = false;
    s->hint.valid = s->loop_ready;
    s->count.hinted += s->loop_ready;
}

/* Iterations of each lane of the mask, as the unit takes them of the loop's own comparison. */
static void count(struct spref *s, uint32_t slot, uint32_t mask)
{
    uint64_t from[ISA_LANES], to[ISA_LANES];
    const struct isa_shape *shape = &s->kernel->shape[s->hint.before_pc];
    core_operand(s->core, slot, s->hint.before_pc, shape->at[s->hint.from], from);
    core_operand(s->core, slot, s->hint.before_pc, shape->at[1 - s->hint.from], to);
    *s->port.exec_valid = 1;
    *s->port.exec_wid = slot;
    *s->port.exec_pc = *s->port.setp_pc;
    *s->port.exec_mask = mask;
    for (uint32_t lane = 0; lane < SPREF_LANES; lane++) {
        const uint64_t left = (to[lane] - from[lane] + s->hint.plus_one - s->hint.less) &
                              UINT32_MAX;
        s->port.idx[lane] = s->hint.up ? 0 : left;
        s->port.last[lane] = s->hint.up ? left : 0;
    }
    pins_comb(&s->pins);
    spref_step(s);
}

void spref_hint_announce(struct spref *s, uint32_t slot)
{
    const uint32_t mask = core_warp(s->core, slot)->active;
    *s->port.launch_valid = 1; /* whatever it did before */
    *s->port.launch_wid = slot;
    pins_comb(&s->pins);
    spref_step(s);
    spref_decode(s, slot, s->hint.first);
    pins_comb(&s->pins);
    spref_step(s);
    count(s, slot, mask);
    *s->port.br_valid = *s->port.br_taken = 1;
    *s->port.br_wid = slot;
    *s->port.br_pc = s->hint.last;
    *s->port.br_tgt = s->hint.first;
    pins_comb(&s->pins);
    spref_step(s);
    s->group[slot] = mask;
}
