/* sm_operands.c - see sm_operands.h.
 *
 * Order in one step: output ports, banks, input ports.  So an instruction spends a step at least
 * with each.
 */
#include "machine/sm/sm_operands.h"

#include "machine/sm/sm_staged.h"

/* ---- registers ---- */

/* Instruction `op` goes behind the older ones. */
static void put(const struct operands *o, struct stage_registers *registers, uint8_t op)
{
    uint32_t at = registers->count++;

    registers->of_part[o->op[op].part]++;
    for (; at > 0 && o->op[registers->at[at - 1]].age > o->op[op].age; at--) {
        registers->at[at] = registers->at[at - 1];
    }
    registers->at[at] = op;
}

/* Where the oldest instruction of a sub-core is, or of all; registers->count: there is none. */
static uint32_t oldest(const struct operands *o, const struct stage_registers *registers,
                       uint32_t part)
{
    uint32_t at = 0;

    while (at < registers->count && part != MOST_PARTS && o->op[registers->at[at]].part != part) {
        at++;
    }
    return at;
}

static uint8_t remove_at(const struct operands *o, struct stage_registers *registers, uint32_t at)
{
    const uint8_t op = registers->at[at];

    registers->count--;
    registers->of_part[o->op[op].part]--;
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
    const uint64_t warps = o->parts > 1 ? sm->issue.sched_mask[part] : UINT64_MAX;

    if (has_room(&o->in[kind], part)) {
        sm->pipes.closed[kind] &= ~warps;
    } else {
        sm->pipes.closed[kind] |= warps;
    }
    sm->issue.next_at = 0;
}

void sm_operands_enter(struct sm *sm, struct staged op)
{
    struct operands *o = &sm->staged->operands;
    const uint32_t kind = sm->pipes.class_of[op.pipe];

    const uint8_t at = o->vacant[--o->n_vacant];

    op.age = o->issued++;
    op.part = o->warp[op.slot].part;
    o->op[at] = op;
    put(o, &o->in[kind], at);
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
    const uint32_t at = oldest(o, out, part);

    return at < out->count ? &o->op[out->at[at]] : NULL;
}

struct staged sm_operands_take(struct operands *o, enum issue_class kind, uint32_t part)
{
    struct stage_registers *out = &o->out[kind];
    const uint8_t op = remove_at(o, out, oldest(o, out, part));

    o->still = false;
    if (!out->count) {
        o->leaving &= ~(UINT32_C(1) << kind);
    }
    o->vacant[o->n_vacant++] = op;
    return o->op[op];
}

/* ---- banks ---- */

/* Of a register that warp 0 would find in bank `first` of its sub-core. */
static uint32_t bank_of(const struct operands *o, uint32_t slot, uint32_t first)
{
    const uint32_t bank = first + o->warp[slot].turn;

    return (bank < o->part_banks ? bank : bank - o->part_banks) + o->warp[slot].first_bank;
}

/* Banks of the results of an instruction. */
static uint32_t result_banks(const struct sm *sm, uint32_t slot, uint32_t pc)
{
    const struct inst_facts *facts = &sm->facts->inst[pc];
    uint32_t banks = 0;

    for (uint32_t d = 0; d < facts->n_results; d++) {
        banks |= UINT32_C(1) << bank_of(&sm->staged->operands, slot, facts->result_bank[d]);
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
            bank->head = bank->tail = 0; /* one line of the host's cache serves most queues */
            o->reading &= ~(UINT32_C(1) << b);
        }
        if (--o->collector[c].left == 0) {
            o->complete |= UINT32_C(1) << c;
        }
    }
}

/* Each source register once, however often it is named. */
static void ask_banks(struct sm *sm, struct operands *o, uint32_t c, const struct staged *op)
{
    const struct inst_facts *facts = &sm->facts->inst[op->pc];

    for (uint32_t s = 0; s < facts->n_sources; s++) {
        const uint32_t b = bank_of(o, op->slot, facts->source_bank[s]);

        o->bank[b].collector[o->bank[b].tail++] = (uint8_t)c;
        o->reading |= UINT32_C(1) << b;
    }
    o->collector[c].left = facts->n_sources;
}

/* ---- the order of accesses ---- */

/* The collectors whose accesses come before `inst`: all that hold one are older. */
static uint32_t before(const struct operands *o, const struct mem_inst *inst)
{
    uint32_t collectors = 0;

    for (uint32_t left = inst ? o->of_class[CLASS_MEM] : 0; left; left &= left - 1) {
        const struct mem_inst *older = o->op[o->collector[__builtin_ctz(left)].op].inst;

        collectors |= older && sm_ldst_ordered(inst, older) ? left & -left : 0;
    }
    return collectors;
}

/* What was in collector `c` has left: who had to be behind it may follow. */
static void let_follow(struct operands *o, uint32_t c)
{
    for (uint32_t left = o->held; left; left &= left - 1) {
        struct collector *collector = &o->collector[__builtin_ctz(left)];

        collector->behind &= ~(UINT32_C(1) << c);
        o->held &= collector->behind ? UINT32_MAX : ~(left & -left);
    }
}

/* ---- ports ---- */

/* The collectors that a port looks at last: up to the one it served last, or of its sub-core. */
static uint32_t looked_at_last(const struct operands *o, uint32_t last)
{
    return o->parts == 1 ? (UINT32_C(2) << last) - 1 : o->up_to_part[last];
}

/* The first of some collectors for whose instruction there is a register behind, or -1. */
static int first_to_leave(const struct operands *o, uint32_t collectors)
{
    for (; collectors; collectors &= collectors - 1) {
        const uint32_t c = (uint32_t)__builtin_ctz(collectors);

        if (has_room(&o->out[o->collector[c].kind], o->collector[c].part)) {
            return (int)c;
        }
    }
    return -1;
}

static void leave(struct operands *o, uint32_t c)
{
    const uint32_t kind = o->collector[c].kind;

    put(o, &o->out[kind], o->collector[c].op);
    o->leaving |= UINT32_C(1) << kind;
    o->complete &= ~(UINT32_C(1) << c);
    o->of_class[kind] &= ~(UINT32_C(1) << c);
    if (o->held) {
        let_follow(o, c);
    }
    o->free |= UINT32_C(1) << c;
}

static bool serve_output(struct operands *o, uint32_t ready, uint8_t *last)
{
    uint32_t last_ones;
    int c;

    last_ones = looked_at_last(o, *last);
    c = first_to_leave(o, ready & ~last_ones);
    c = c < 0 ? first_to_leave(o, ready & last_ones) : c;
    if (c < 0) {
        return false;
    }
    leave(o, (uint32_t)c);
    *last = (uint8_t)c;
    return true;
}

static bool serve_outputs(struct operands *o)
{
    uint32_t left = o->complete, before = left; /* collectors are in the order of their sets */

    while (left) {
        const uint32_t set = o->set_of[__builtin_ctz(left)];
        uint32_t ready = left & o->of_set[set] & ~o->held;

        left &= ~o->of_set[set];
        for (uint32_t port = 0; ready && port < o->ports[set]; port++) {
            if (!serve_output(o, ready, &o->last[set][port])) {
                break; /* nor would the next port find room */
            }
            ready = o->complete & o->of_set[set] & ~o->held;
        }
    }
    return o->complete != before;
}

/* The oldest instruction of a class goes into the first of the collectors that are able to take it. */
static void take_in(struct sm *sm, struct operands *o, uint32_t kind, uint32_t able)
{
    struct stage_registers *in = &o->in[kind];
    const uint8_t at = in->at[0];
    const struct staged *op = &o->op[at];
    const bool was_full = !has_room(in, op->part);
    const uint32_t c = (uint32_t)__builtin_ctz(able), bit = able & -able;
    struct collector *to = &o->collector[c];

    remove_at(o, in, 0);
    if (!in->count) {
        o->queued &= ~(UINT32_C(1) << kind);
    }
    to->op = at;
    to->kind = (uint8_t)kind;
    to->part = op->part;
    to->behind = before(o, op->inst);
    o->held |= to->behind ? bit : 0;
    ask_banks(sm, o, c, op);
    o->free &= ~bit;
    o->of_class[kind] |= bit;
    o->complete |= to->left ? 0 : bit;
    if (was_full) {
        open_pipes(sm, o, kind, op->part);
    }
}

/* Of a class that has one, into a free collector of those, of its sub-core. */
static inline bool collect(struct sm *sm, struct operands *o, uint32_t kind, uint32_t collectors)
{
    const uint32_t able = collectors & o->free & o->of_part[o->op[o->in[kind].at[0]].part];

    if (able) {
        take_in(sm, o, kind, able);
    }
    return able;
}

static bool serve_inputs(struct sm *sm, struct operands *o)
{
    bool moved = false;

    for (uint32_t port = 0; port < o->ports[GENERAL_SET]; port++) {
        for (uint32_t left = o->free & o->of_set[GENERAL_SET] ? o->queued : 0; left;
             left &= left - 1) {
            moved |= collect(sm, o, (uint32_t)__builtin_ctz(left), o->of_set[GENERAL_SET]);
        }
    }
    for (uint32_t i = 0; o->queued && o->free && i < o->n_own; i++) {
        const uint32_t kind = o->own[i];

        for (uint32_t port = 0; port < o->ports[kind] && (o->queued >> kind & 1); port++) {
            moved |= collect(sm, o, kind, o->of_set[kind]) ||
                     collect(sm, o, kind, o->of_set[GENERAL_SET]);
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
