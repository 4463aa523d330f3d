/* sm_operands.c - see sm_operands.h.
 *
 * Order in one step: output ports, banks, input ports.  So an instruction spends a step at least
 * with each.
 */
#include "machine/sm/sm_operands.h"

#include "machine/sm/sm_staged.h"

/* ---- registers ---- */

static void put(struct stage_registers *registers, const struct staged *op)
{
    uint32_t at = registers->count++;

    registers->of_part[op->part]++;
    for (; at > 0 && registers->at[at - 1].age > op->age; at--) {
        registers->at[at] = registers->at[at - 1];
    }
    registers->at[at] = *op;
}

/* The place of the oldest instruction of a sub-core, or of all; registers->count: there is none. */
static uint32_t oldest(const struct stage_registers *registers, uint32_t part)
{
    uint32_t at = 0;

    while (at < registers->count && part != MOST_PARTS && registers->at[at].part != part) {
        at++;
    }
    return at;
}

static struct staged take(struct stage_registers *registers, uint32_t part)
{
    uint32_t at = oldest(registers, part);
    struct staged op = registers->at[at];

    registers->count--;
    registers->of_part[op.part]--;
    for (; at < registers->count; at++) {
        registers->at[at] = registers->at[at + 1];
    }
    return op;
}

static bool has_room(const struct stage_registers *registers, uint32_t part)
{
    return registers->of_part[part] < registers->n;
}

/* The pipes of a class are open to issue for the warps of a sub-core, or not. */
static void open_pipes(struct sm *sm, const struct operands *o, uint32_t kind, uint32_t part)
{
    const bool open = has_room(&o->in[kind], part);
    const uint64_t warps = o->parts > 1 ? sm->issue.sched_mask[part] : UINT64_MAX;

    for (uint32_t pipe = 0; pipe < ISA_PIPE_COUNT; pipe++) {
        if (o->class_of[pipe] == kind) {
            sm->pipes.closed[pipe] = open ? sm->pipes.closed[pipe] & ~warps
                                          : sm->pipes.closed[pipe] | warps;
        }
    }
    sm->issue.next_at = 0;
}

void sm_operands_enter(struct sm *sm, struct staged op)
{
    struct operands *o = &sm->staged->operands;
    const uint32_t kind = o->class_of[op.pipe];

    op.age = o->issued++;
    op.part = (uint8_t)(op.slot % o->parts);
    put(&o->in[kind], &op);
    o->queued |= UINT32_C(1) << kind;
    o->still = false;
    if (!has_room(&o->in[kind], op.part)) {
        open_pipes(sm, o, kind, op.part);
    }
}

const struct staged *sm_operands_oldest(const struct operands *o, enum issue_class kind,
                                        uint32_t part)
{
    const struct stage_registers *out = &o->out[kind];
    const uint32_t at = oldest(out, part);

    return at < out->count ? &out->at[at] : NULL;
}

struct staged sm_operands_take(struct operands *o, enum issue_class kind, uint32_t part)
{
    o->still = false;
    if (o->out[kind].count == 1) {
        o->leaving &= ~(UINT32_C(1) << kind);
    }
    return take(&o->out[kind], part);
}

/* ---- banks ---- */

static uint32_t bank_of(const struct sm *sm, uint32_t slot, uint32_t reg)
{
    const uint16_t *number = sm->facts->launch->kernel->register_number;
    const uint32_t parts = sm->staged->operands.parts, banks = sm->config->operands_banks / parts;

    return ((number ? number[reg] : reg) + 1 + slot) % banks + slot % parts * banks;
}

/* Banks of the results of an instruction. */
static uint32_t result_banks(const struct sm *sm, uint32_t slot, uint32_t pc)
{
    const struct isa_inst *inst = &sm->facts->launch->kernel->inst[pc];
    uint32_t banks = 0;

    for (uint32_t d = 0; d < inst->n_dst; d++) {
        banks |= UINT32_C(1) << bank_of(sm, slot, inst->dst[d]);
    }
    return banks;
}

/* Only the first step of a cycle finds them written. */
static uint32_t written_now(const struct sm *sm)
{
    const struct operands *o = &sm->staged->operands;

    return o->written_at == sm->now ? o->written : 0;
}

bool sm_operands_writable(const struct sm *sm, uint32_t slot, uint32_t pc)
{
    return !(written_now(sm) & result_banks(sm, slot, pc));
}

void sm_operands_write(struct sm *sm, uint32_t slot, uint32_t pc)
{
    struct operands *o = &sm->staged->operands;

    o->written = written_now(sm) | result_banks(sm, slot, pc);
    o->written_at = sm->now;
}

/* A bank is read by the first that asks, unless it is written in this cycle. */
static void read_banks(struct operands *o, uint32_t written)
{
    for (uint32_t left = o->reading & ~written; left; left &= left - 1) {
        uint32_t b = (uint32_t)__builtin_ctz(left), c;
        struct bank_queue *bank = &o->bank[b];

        c = bank->collector[bank->head++];
        if (bank->head == bank->tail) {
            o->reading &= ~(UINT32_C(1) << b);
        }
        if (--o->collector[c].left == 0) {
            o->complete |= UINT32_C(1) << c;
        }
    }
}

/* Each source register once, however often it is named. */
static uint32_t ask_banks(struct sm *sm, struct operands *o, uint32_t c, const struct staged *op)
{
    const struct isa_inst *inst = &sm->facts->launch->kernel->inst[op->pc];
    uint32_t asked = 0;

    for (uint32_t s = 0; s < inst->n_src; s++) {
        bool again = false;
        uint32_t b;

        for (uint32_t before = 0; before < s; before++) {
            again |= inst->src[before] == inst->src[s];
        }
        if (again) {
            continue;
        }
        b = bank_of(sm, op->slot, inst->src[s]);
        o->bank[b].collector[o->bank[b].tail++] = (uint8_t)c;
        o->reading |= UINT32_C(1) << b;
        asked++;
    }
    return asked;
}

/* ---- the order of accesses ---- */

/* The collectors whose accesses come before `inst`: all that hold one are older. */
static uint32_t before(const struct operands *o, const struct mem_inst *inst)
{
    uint32_t collectors = 0;

    for (uint32_t left = inst ? o->of_class[CLASS_MEM] : 0; left; left &= left - 1) {
        const struct mem_inst *older = o->collector[__builtin_ctz(left)].op.inst;

        collectors |= older && sm_ldst_ordered(inst, older) ? left & -left : 0;
    }
    return collectors;
}

static uint32_t held_back(const struct operands *o)
{
    uint32_t collectors = 0;

    for (uint32_t left = o->of_class[CLASS_MEM]; left; left &= left - 1) {
        collectors |= o->collector[__builtin_ctz(left)].behind ? left & -left : 0;
    }
    return collectors;
}

static void let_follow(struct operands *o, uint32_t c)
{
    for (uint32_t left = o->of_class[CLASS_MEM]; left; left &= left - 1) {
        o->collector[__builtin_ctz(left)].behind &= ~(UINT32_C(1) << c);
    }
}

/* ---- ports ---- */

/* Collectors for whose instructions there is a register behind. */
static uint32_t able_to_leave(const struct operands *o)
{
    uint32_t able = 0;

    for (uint32_t kind = 0; kind < ISSUE_CLASSES; kind++) {
        for (uint32_t part = 0; o->of_class[kind] && part < o->parts; part++) {
            able |= has_room(&o->out[kind], part) ? o->of_class[kind] & o->of_part[part] : 0;
        }
    }
    return able;
}

/* The collector that a port looks at first: the next one, or the first of the next sub-core. */
static uint32_t after(const struct operands *o, uint32_t set, uint32_t last)
{
    const uint32_t n = (uint32_t)__builtin_popcount(o->of_set[set]) / o->parts;
    const uint32_t first = (uint32_t)__builtin_ctz(o->of_set[set]);

    return o->parts == 1 ? last + 1 : first + ((last - first) / n + 1) * n;
}

static bool serve_output(struct operands *o, uint32_t set, uint8_t *last)
{
    uint32_t able, later, c, kind;

    if (!(o->complete & o->of_set[set])) {
        return false;
    }
    able = able_to_leave(o) & o->complete & o->of_set[set] & ~held_back(o);
    if (!able) {
        return false;
    }
    later = able & ~((UINT32_C(1) << after(o, set, *last)) - 1);
    c = (uint32_t)__builtin_ctz(later ? later : able);
    kind = o->collector[c].kind;
    put(&o->out[kind], &o->collector[c].op);
    o->leaving |= UINT32_C(1) << kind;
    o->complete &= ~(UINT32_C(1) << c);
    o->of_class[kind] &= ~(UINT32_C(1) << c);
    let_follow(o, c);
    o->free |= UINT32_C(1) << c;
    *last = (uint8_t)c;
    return true;
}

/* The order of the sets, at both sides. */
static const uint8_t ORDER[] = {GENERAL_SET, CLASS_SP, CLASS_DP, CLASS_SFU, CLASS_MEM, CLASS_INT};

static bool serve_outputs(struct operands *o)
{
    bool moved = false;

    for (uint32_t i = 0; o->complete && i < sizeof ORDER; i++) {
        for (uint32_t port = 0; port < o->ports[ORDER[i]]; port++) {
            moved |= serve_output(o, ORDER[i], &o->last[ORDER[i]][port]);
        }
    }
    return moved;
}

/* The oldest instruction of a class goes into a free collector of those, of its sub-core. */
static bool collect(struct sm *sm, struct operands *o, uint32_t kind, uint32_t collectors)
{
    uint32_t c, part;
    bool was_full;

    if (!(o->queued >> kind & 1)) {
        return false;
    }
    part = o->in[kind].at[0].part;
    collectors &= o->free & o->of_part[part];
    if (!collectors) {
        return false;
    }
    was_full = !has_room(&o->in[kind], part);
    c = (uint32_t)__builtin_ctz(collectors);
    o->collector[c].op = take(&o->in[kind], MOST_PARTS);
    if (!o->in[kind].count) {
        o->queued &= ~(UINT32_C(1) << kind);
    }
    o->collector[c].kind = (uint8_t)kind;
    o->collector[c].behind = before(o, o->collector[c].op.inst);
    o->collector[c].left = (uint8_t)ask_banks(sm, o, c, &o->collector[c].op);
    o->free &= ~(UINT32_C(1) << c);
    o->of_class[kind] |= UINT32_C(1) << c;
    if (!o->collector[c].left) {
        o->complete |= UINT32_C(1) << c;
    }
    if (was_full) {
        open_pipes(sm, o, kind, part);
    }
    return true;
}

static bool serve_inputs(struct sm *sm, struct operands *o)
{
    bool moved = false;

    for (uint32_t port = 0; port < o->ports[GENERAL_SET]; port++) {
        for (uint32_t kind = 0; kind < ISSUE_CLASSES; kind++) {
            moved |= collect(sm, o, kind, o->of_set[GENERAL_SET]);
        }
    }
    for (uint32_t i = 1; i < sizeof ORDER; i++) {
        for (uint32_t port = 0; port < o->ports[ORDER[i]]; port++) {
            moved |= collect(sm, o, ORDER[i], o->of_set[ORDER[i]]) ||
                     collect(sm, o, ORDER[i], o->of_set[GENERAL_SET]);
        }
    }
    return moved;
}

void sm_operands_step(struct sm *sm)
{
    struct operands *o = &sm->staged->operands;
    bool moved = false;

    if (o->still) {
        return;
    }
    for (uint32_t step = 0; step < sm->config->operands_steps; step++) {
        moved |= serve_outputs(o);
        moved |= o->reading;
        read_banks(o, step == 0 ? written_now(sm) : 0);
        moved |= o->queued && serve_inputs(sm, o);
    }
    o->still = !moved;
}
