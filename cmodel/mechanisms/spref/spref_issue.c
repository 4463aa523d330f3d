/* spref_issue.c - the seam at issue: the unit sees what warps decode, its answer becomes moves out of
 * spare registers and loads into them (lakshminarayana2014-graph 3.1.7, 3.1.13).  The values are those
 * that the caches gave when a load was injected. */
#include <inttypes.h>

#include "mechanisms/spref/spref.h"

enum { OP_ORIG, OP_MOV, OP_LD, OP_PREF };
enum { MODE_NONE, MODE_STRIDE, MODE_FORM };

/* ---- the unit ---- */

static void quiet(struct spref *s)
{
    *s->port.kernel_start = *s->port.launch_valid = *s->port.exit_valid = 0;
    *s->port.dec_valid = *s->port.exec_valid = *s->port.br_valid = 0;
}

static void recheck_all(struct spref *s)
{
    for (uint64_t left = core_warps(s->core).resident; left; left &= left - 1) {
        core_recheck(s->core, (uint32_t)__builtin_ctzll(left));
    }
}

/* The clock edge; what registered outputs say behind it is looked at when they may have changed. */
void spref_step(struct spref *s)
{
    const bool found = *s->port.found && !*s->port.rejected, lost = *s->port.rejected;
    if (*s->port.sum_valid) {
        s->count.distance1 += *s->port.distance == 1;
        s->count.distance2 += *s->port.distance == 2;
        s->count.distance3 += *s->port.distance == 3;
    }
    s->count.entered += *s->port.enters;
    s->count.blocked += *s->port.blocked;
    s->count.rejected += lost;
    s->count.loops += found;
    pins_seq(&s->pins);
    quiet(s);
    if (found || lost) {
        pins_comb(&s->pins);
        s->loop_ready = *s->port.loop_valid != 0;
        s->watching = s->loop_ready;
        s->loop_first = (uint32_t)*s->port.loop_start;
        s->loop_last = (uint32_t)*s->port.loop_end;
        s->chain.tail_pc = UINT32_MAX;
        recheck_all(s);
    }
}

static bool in_loop(const struct spref *s, uint32_t pc)
{
    return s->loop_ready && pc >= s->loop_first && pc <= s->loop_last;
}

/* What would become of the warp's next instruction; false when it is no load that may be a target. */
static bool ask(struct spref *s, uint32_t slot, uint32_t pc)
{
    const struct isa_shape *shape = s->loop_ready ? &s->kernel->shape[pc] : NULL;
    if (!in_loop(s, pc) || shape->kind != ISA_SHAPE_LOAD || !shape->read_only) {
        return false;
    }
    spref_decode(s, slot, pc);
    pins_comb(&s->pins);
    quiet(s);
    return true;
}

/* ---- before it issues ---- */

static bool pending(void *self, uint32_t slot)
{
    return ((const struct spref *)self)->injected[slot].valid;
}

static uint32_t injected_pc(void *self, uint32_t slot)
{
    return ((const struct spref *)self)->injected[slot].pc;
}

static bool waits(void *self, uint32_t slot, uint32_t pc)
{
    struct spref *s = self;
    const struct spref_injected *load = &s->injected[slot];
    if (load->valid) {
        return load->mode == MODE_FORM && spref_register_of(s, slot, load->src)->awaited;
    }
    if (!ask(s, slot, pc)) {
        return false;
    }
    const bool moves = s->port.out_op[0] == OP_MOV, loads = s->port.out_op[1] == OP_LD;
    const bool late = moves && spref_register_of(s, slot, (uint32_t)s->port.out_src[0])->awaited;
    s->waited |= (uint64_t)late << slot;
    return late || (loads && spref_register_of(s, slot, (uint32_t)*s->port.out_dst)->awaited);
}

static bool moves(void *self, uint32_t slot, uint32_t pc)
{
    struct spref *s = self;
    return !s->injected[slot].valid && ask(s, slot, pc) && s->port.out_op[0] == OP_MOV &&
           !spref_register_of(s, slot, (uint32_t)s->port.out_src[0])->poisoned;
}

/* ---- it executes ---- */

/* Backward branches begin to be watched; what is not in a ready loop is not looked at. */
static bool concerns(struct spref *s, uint32_t pc)
{
    const struct isa_shape *shape = &s->kernel->shape[pc];
    const bool back = s->kernel->inst[pc].is_branch && shape->target <= pc;
    if (s->compiled) {
        return in_loop(s, pc);
    }
    s->watching = s->watching || back;
    return back || (s->loop_ready ? in_loop(s, pc) : s->watching);
}

/* A warp whose lanes have parted in the loop comes back to those that waited: other ones than began
 * the last iteration.  Their counts are old, the lists are those of the others: the unit forgets the
 * warp, as when one is launched (D-SPREF-17). */
static void regroup(struct spref *s, uint32_t slot, uint32_t pc)
{
    const uint32_t active = core_warp(s->core, slot)->active;
    if (!in_loop(s, pc)) {
        return;
    }
    if (pc == s->loop_first) {
        s->group[slot] = active;
    } else if ((active & ~s->group[slot]) != 0) {
        *s->port.launch_valid = 1;
        *s->port.launch_wid = slot;
        pins_comb(&s->pins);
        spref_step(s);
        s->group[slot] |= active;
        s->count.regrouped++;
    }
}

static void decode(void *self, uint32_t slot, uint32_t pc)
{
    struct spref *s = self;
    spref_wait(s, slot, pc);
    regroup(s, slot, pc);
    if (s->hint.valid && pc == s->hint.before_pc) {
        spref_hint_announce(s, slot);
    }
    s->follows = concerns(s, pc);
    if (s->follows) {
        spref_decode(s, slot, pc);
    }
}

/* A move brings what the load would: from the same addresses, in all its lanes. */
static void move(struct spref *s, uint32_t slot, uint32_t pc, struct isa_memop *op)
{
    const struct spref_register *r = spref_register_of(s, slot, (uint32_t)s->port.out_src[0]);
    const uint64_t late = s->waited >> slot & 1, lanes = (uint64_t)__builtin_popcount(op->mask);
    s->count.late_moves += late;
    s->waited &= ~(UINT64_C(1) << slot);
    if (r->poisoned) {
        s->count.poisoned++;
        return;
    }
    s->count.moves++;
    s->count.moved_lanes += lanes;
    s->count.late_lanes += late * lanes;
    for (uint32_t left = op->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!(r->mask >> lane & 1) || r->address[lane] != op->addr[lane]) {
            core_refuse(s->core,
                        "%s:%u: spref: in lane %u this load's address is 0x%" PRIx64
                        ", but 0x%" PRIx64
                        " was prefetched for it: the loop does in some iteration "
                        "what it did not in training; leave spref out",
                        s->kernel->file ? s->kernel->file : "?", s->kernel->inst[pc].line, lane,
                        op->addr[lane], r->mask >> lane & 1 ? r->address[lane] : 0);
            return;
        }
        memcpy(op->data[lane], &r->value[lane], op->inst->bytes);
    }
}

/* Base and offset of a tail, as its register stands now. */
static bool tail_address(struct spref *s, uint32_t slot, uint32_t pc, struct spref_injected *load)
{
    const uint32_t head_pc = spref_register_of(s, slot, load->src)->pc;
    if (s->chain.tail_pc != pc || s->chain.head_pc != head_pc) {
        if (!spref_chain(s, head_pc, pc, &s->chain)) {
            s->chain.tail_pc = UINT32_MAX;
            return false;
        }
    }
    load->chain = s->chain;
    core_operand(s->core, slot, s->chain.base_pc, s->chain.base_k, load->address);
    for (uint32_t lane = 0; lane < SPREF_LANES; lane++) {
        load->address[lane] += (uint64_t)s->kernel->shape[pc].value;
    }
    return true;
}

static void plan(struct spref *s, uint32_t slot, uint32_t pc, const struct isa_memop *op)
{
    struct spref_injected *load = &s->injected[slot];
    *load = (struct spref_injected){.valid = true,
                                    .to_register = s->port.out_op[1] == OP_LD,
                                    .mode = (uint8_t)*s->port.out_addr_mode,
                                    .dst = (uint8_t)*s->port.out_dst,
                                    .src = (uint8_t)s->port.out_src[1],
                                    .pc = pc,
                                    .mask = (uint32_t)s->port.out_mask[1]};
    const uint64_t ahead = (uint64_t)(int64_t)(int32_t)(uint32_t)*s->port.out_ahead;
    for (uint32_t lane = 0; lane < SPREF_LANES; lane++) {
        load->address[lane] = op->addr[lane] + ahead;
    }
    if (load->mode == MODE_FORM && !tail_address(s, slot, pc, load)) {
        load->mask = 0; /* its register is poisoned */
    }
    *(load->mode == MODE_FORM ? &s->count.tails : &s->count.heads) += 1;
}

static void executed(void *self, uint32_t slot, uint32_t pc, const struct isa_step *done,
                     struct isa_memop *op)
{
    struct spref *s = self;
    const struct isa_inst *inst = &s->kernel->inst[pc];
    if (!s->follows) {
        return;
    }
    *s->port.br_valid = inst->is_branch;
    *s->port.br_taken = done->active != 0 && s->kernel->shape[pc].target != UINT32_MAX;
    *s->port.br_wid = slot;
    *s->port.br_pc = pc;
    *s->port.br_tgt = s->kernel->shape[pc].target;
    pins_comb(&s->pins);
    if (done->kind == ISA_STEP_MEMORY && s->port.out_op[0] == OP_MOV) {
        move(s, slot, pc, op);
    }
    if (done->kind == ISA_STEP_MEMORY && s->port.out_valid[1]) {
        plan(s, slot, pc, op);
    }
    spref_step(s);
}

/* ---- an injected load ---- */

/* A lane whose address is in no buffer asks for nothing, and keeps the register from being moved: the
 * load itself will then say what is wrong, if the program comes so far. */
static void inject(void *self, uint32_t slot, struct isa_memop *op)
{
    struct spref *s = self;
    struct spref_injected *load = &s->injected[slot];
    const uint32_t bytes = op->inst->bytes;
    uint32_t good = 0;
    for (uint32_t left = load->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (load->mode == MODE_FORM) {
            const struct spref_register *head = spref_register_of(s, slot, load->src);
            load->address[lane] += spref_chain_value(&load->chain, head->value[lane]);
            if (!(head->mask >> lane & 1)) {
                continue;
            }
        }
        if (load->address[lane] % bytes == 0 &&
            core_is_allocated(s->core, load->address[lane], bytes)) {
            good |= UINT32_C(1) << lane;
        }
    }
    op->mask = good;
    memcpy(op->addr, load->address, sizeof load->address);
    s->count.injected_lanes += (uint64_t)__builtin_popcount(good);
    s->count.cache_lanes += load->to_register ? 0 : (uint64_t)__builtin_popcount(good);
    if (load->to_register) {
        struct spref_register *r = spref_register_of(s, slot, load->dst);
        r->awaited = true;
        r->poisoned = good != load->mask || good == 0;
        r->pc = load->pc;
        r->mask = good;
        memcpy(r->address, load->address, sizeof r->address);
    }
    load->valid = false;
}

static bool is_of(const struct spref_register *r, uint32_t pc, const struct isa_memop *op)
{
    bool same = r->awaited && r->pc == pc && r->mask == op->mask;
    for (uint32_t left = op->mask; left && same; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        same = r->address[lane] == op->addr[lane];
    }
    return same;
}

/* The registers whose load has come back: the one of these addresses that is awaited. */
static void arrived(void *self, uint32_t slot, const struct isa_memop *op)
{
    struct spref *s = self;
    const uint32_t pc = (uint32_t)(op->inst - s->kernel->inst);
    for (uint32_t n = 0; n < SPREF_REGISTERS; n++) {
        struct spref_register *r = &s->spare_register[slot * SPREF_REGISTERS + n];
        if (!is_of(r, pc, op)) {
            continue;
        }
        for (uint32_t left = op->mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            r->value[lane] = 0;
            memcpy(&r->value[lane], op->data[lane], op->inst->bytes);
        }
        r->awaited = false;
        return;
    }
}

/* ---- warps and kernels ---- */

static void warp_launch(void *self, uint32_t sm, uint32_t slot)
{
    struct spref *s = self;
    (void)sm;
    s->injected[slot].valid = false;
    s->waiting[slot] = (struct spref_waiting){.issued = core_now(s->core)};
    s->group[slot] = UINT32_MAX;
    s->waited &= ~(UINT64_C(1) << slot);
    for (uint32_t n = 0; n < SPREF_REGISTERS; n++) {
        s->spare_register[slot * SPREF_REGISTERS + n].awaited = false;
    }
    *s->port.launch_valid = 1;
    *s->port.launch_wid = slot;
    pins_comb(&s->pins);
    spref_step(s);
}

static void warp_exit(void *self, uint32_t sm, uint32_t slot)
{
    struct spref *s = self;
    (void)sm;
    s->injected[slot].valid = false;
    *s->port.exit_valid = 1;
    *s->port.exit_wid = slot;
    pins_comb(&s->pins);
    spref_step(s);
}

/* Registers that a thread can have at no loss of occupancy, by twos (3.1.2, 4.1). */
static uint32_t room(const struct spref *s, uint32_t needed)
{
    const uint32_t threads = core_most_ctas(s->core) * core_warps_per_cta(s->core) * ISA_LANES;
    uint32_t most = (uint32_t)(core_config(s->core)->sm_registers / (threads ? threads : 1)) & ~1u;
    most = s->spare < SPREF_NONE + 1 ? needed + (uint32_t)s->spare : most;
    most = most > SPREF_NONE ? SPREF_NONE : most;
    return most > needed ? most : needed;
}

static void kernel_start(void *self, uint32_t sm)
{
    struct spref *s = self;
    (void)sm;
    s->kernel = core_kernel(s->core);
    s->loop_ready = s->watching = s->follows = false;
    s->chain.tail_pc = UINT32_MAX;
    if (!core_shows_operands(s->core) || spref_number(s) != 0) {
        core_refuse(s->core, "spref follows values through registers, which this kernel does not "
                             "show; run a PTX kernel");
        return;
    }
    s->needed = (uint8_t)(s->kernel->registers_per_thread > SPREF_NONE
                              ? SPREF_NONE
                              : s->kernel->registers_per_thread);
    quiet(s);
    *s->port.kernel_start = 1;
    *s->port.kernel_regs = s->needed;
    *s->port.kernel_room = room(s, s->needed);
    pins_comb(&s->pins);
    spref_step(s);
    if (s->compiled) {
        spref_hint_start(s);
    }
}

int spref_plug(struct mechanism_context *context, struct spref *s)
{
    const struct inject_socket socket = {.self = s,
                                         .pending = pending,
                                         .pc = injected_pc,
                                         .inject = inject,
                                         .arrived = arrived,
                                         .waits = waits,
                                         .moves = moves,
                                         .decode = decode,
                                         .executed = executed};
    const struct observer observer = {.self = s,
                                      .kernel_start = kernel_start,
                                      .warp_launch = warp_launch,
                                      .warp_exit = warp_exit};
    return plug_injection(s->core, &context->plug, &socket) != 0 ||
                   plug_observer(s->core, &context->plug, &observer) != 0
               ? -1
               : 0;
}
