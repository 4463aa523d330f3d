/* sm_operands.c - see sm_operands.h.
 *
 * Order in one cycle: output ports, banks, input ports.  So an instruction spends a cycle at least
 * with each.
 */
#include "machine/sm/sm_operands.h"

#include "machine/sm/sm_staged.h"

/* ---- shape ---- */

static void add_set(struct operands *o, uint32_t set, uint32_t collectors, uint32_t ports,
                    uint32_t *n)
{
    o->of_set[set] = (uint32_t)((UINT64_C(1) << (*n + collectors)) - (UINT64_C(1) << *n));
    o->ports[set] = ports;
    for (uint32_t port = 0; port < ports; port++) {
        o->last[set][port] = (uint8_t)*n; /* so the second one is looked at first */
    }
    *n += collectors;
}

/* Integer and double precision go where they have registers of their own; else they share. */
static void sort_pipes(struct operands *o)
{
    const uint8_t integer = o->in[CLASS_INT].n ? CLASS_INT : CLASS_SP;

    o->class_of[ISA_PIPE_INT] = o->class_of[ISA_PIPE_CONST] = integer;
    o->class_of[ISA_PIPE_BARRIER] = o->class_of[ISA_PIPE_EXIT] = integer;
    o->class_of[ISA_PIPE_FP32] = CLASS_SP;
    o->class_of[ISA_PIPE_FP64] = o->in[CLASS_DP].n ? CLASS_DP : CLASS_SFU;
    o->class_of[ISA_PIPE_SFU] = CLASS_SFU;
    o->class_of[ISA_PIPE_MEM] = o->class_of[ISA_PIPE_SHARED] = CLASS_MEM;
    o->class_of[ISA_PIPE_FENCE] = CLASS_MEM;
    o->class_of[ISA_PIPE_CONTROL] = o->in[CLASS_BRANCH].n ? CLASS_BRANCH : integer;
}

void sm_operands_init(struct operands *o, const struct gpu_config *c)
{
    const uint32_t registers[ISSUE_CLASSES] = {
        [CLASS_SP] = c->operands_sp_registers,   [CLASS_SFU] = c->operands_sfu_registers,
        [CLASS_MEM] = c->operands_mem_registers, [CLASS_DP] = c->operands_dp_registers,
        [CLASS_INT] = c->operands_int_registers, [CLASS_BRANCH] = c->operands_branch_registers,
    };
    uint32_t n = 0;

    for (uint32_t kind = 0; kind < ISSUE_CLASSES; kind++) {
        o->in[kind].n = o->out[kind].n = registers[kind];
    }
    add_set(o, GENERAL_SET, c->operands_general, c->operands_general_ports, &n);
    add_set(o, CLASS_SP, c->operands_sp, c->operands_sp_ports, &n);
    add_set(o, CLASS_DP, c->operands_dp, c->operands_dp_ports, &n);
    add_set(o, CLASS_SFU, c->operands_sfu, c->operands_sfu_ports, &n);
    add_set(o, CLASS_MEM, c->operands_mem, c->operands_mem_ports, &n);
    add_set(o, CLASS_INT, c->operands_int, c->operands_int_ports, &n);
    o->free = (uint32_t)((UINT64_C(1) << n) - 1);
    o->still = true;
    sort_pipes(o);
}

/* ---- registers ---- */

static void put(struct stage_registers *registers, const struct staged *op)
{
    uint32_t at = registers->count++;

    for (; at > 0 && registers->at[at - 1].age > op->age; at--) {
        registers->at[at] = registers->at[at - 1];
    }
    registers->at[at] = *op;
}

static struct staged take(struct stage_registers *registers)
{
    struct staged op = registers->at[0];

    registers->count--;
    for (uint32_t at = 0; at < registers->count; at++) {
        registers->at[at] = registers->at[at + 1];
    }
    return op;
}

static bool has_room(const struct stage_registers *registers)
{
    return registers->count < registers->n;
}

/* The pipes of a class are open to issue, or not. */
static void open_pipes(struct sm *sm, const struct operands *o, uint32_t kind)
{
    const uint64_t free_at = has_room(&o->in[kind]) ? 0 : CYCLE_NEVER;

    for (uint32_t pipe = 0; pipe < ISA_PIPE_COUNT; pipe++) {
        if (o->class_of[pipe] == kind) {
            sm->pipes.free_at[pipe] = free_at;
        }
    }
    sm->issue.next_at = 0;
}

void sm_operands_enter(struct sm *sm, struct staged op)
{
    struct operands *o = &sm->staged->operands;
    const uint32_t kind = o->class_of[op.pipe];

    op.age = o->issued++;
    put(&o->in[kind], &op);
    o->queued |= UINT32_C(1) << kind;
    o->still = false;
    if (!has_room(&o->in[kind])) {
        open_pipes(sm, o, kind);
    }
}

struct staged sm_operands_take(struct operands *o, enum issue_class kind)
{
    o->still = false;
    if (o->out[kind].count == 1) {
        o->leaving &= ~(UINT32_C(1) << kind);
    }
    return take(&o->out[kind]);
}

/* ---- banks ---- */

static uint32_t bank_of(const struct sm *sm, uint32_t slot, uint32_t reg)
{
    const uint16_t *number = sm->facts->launch->kernel->register_number;

    return ((number ? number[reg] : reg) + 1 + slot) % sm->config->operands_banks;
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
static void read_banks(struct sm *sm, struct operands *o)
{
    for (uint32_t left = o->reading & ~written_now(sm); left; left &= left - 1) {
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

static bool serve_output(struct operands *o, uint32_t set, uint8_t *last)
{
    uint32_t able = 0, later, c, kind;

    if (!(o->complete & o->of_set[set])) {
        return false;
    }
    for (kind = 0; kind < ISSUE_CLASSES; kind++) {
        able |= has_room(&o->out[kind]) ? o->of_class[kind] : 0;
    }
    able &= o->complete & o->of_set[set] & ~held_back(o);
    if (!able) {
        return false;
    }
    later = able & ~((UINT32_C(2) << *last) - 1);
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

/* The oldest instruction of a class goes into a free collector of those. */
static bool collect(struct sm *sm, struct operands *o, uint32_t kind, uint32_t collectors)
{
    const bool was_full = !has_room(&o->in[kind]);
    uint32_t c;

    if (!(o->queued >> kind & 1) || !(o->free & collectors)) {
        return false;
    }
    c = (uint32_t)__builtin_ctz(o->free & collectors);
    o->collector[c].op = take(&o->in[kind]);
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
        open_pipes(sm, o, kind);
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
    bool moved;

    if (o->still) {
        return;
    }
    moved = serve_outputs(o);
    moved |= o->reading;
    read_banks(sm, o);
    moved |= o->queued && serve_inputs(sm, o);
    o->still = !moved;
}
