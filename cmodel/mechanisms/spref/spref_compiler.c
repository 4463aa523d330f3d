/* spref_compiler.c - what a compiler marks for C-SPREF (lakshminarayana2014-graph 3.1.8): an innermost
 * loop that ends by a count, and the comparison before it that says how often each lane will run it.
 *
 * It reads a kernel as the front end describes it (isa/shape.h) and must not know the unit.  A loop is
 * a straight piece of text from its first instruction to one backward branch.  The comparison before
 * it is that of the branch that skips the loop; the two counts are the same when their difference is 0
 * as a sum of registers (D-SPREF-18). */
#include <string.h>

#include "mechanisms/spref/spref.h"

enum { MOST_TERMS = 8, MOST_DEPTH = 16, MOST_STEP = 128 };

/* constant + the sum of factor * register, modulo 2^32. */
struct sum {
    uint32_t n, constant;
    uint16_t reg[MOST_TERMS];
    uint32_t factor[MOST_TERMS];
};

/* How the loop counts: its index against its end, upwards or downwards. */
struct counting {
    uint32_t first, last;
    uint16_t index;
    const struct isa_shape *setp;
    bool index_second, up, plus_one;
};

static const struct isa_shape *shape_of(const struct isa_kernel *kernel, uint32_t pc)
{
    return &kernel->shape[pc];
}

/* The comparison that holds where the loop goes on. */
static uint8_t going(const struct isa_shape *setp, bool holds, bool mirrored)
{
    static const uint8_t contrary[] = {ISA_COMPARE_GE, ISA_COMPARE_GT, ISA_COMPARE_LE,
                                       ISA_COMPARE_LT, ISA_COMPARE_EQ, ISA_COMPARE_NE};
    static const uint8_t mirror[] = {ISA_COMPARE_GT, ISA_COMPARE_GE, ISA_COMPARE_LT,
                                     ISA_COMPARE_LE, ISA_COMPARE_NE, ISA_COMPARE_EQ};
    if (setp->compare > ISA_COMPARE_EQ) {
        return ISA_COMPARE_NONE;
    }
    const uint8_t compare = holds ? setp->compare : contrary[setp->compare];
    return mirrored ? mirror[compare] : compare;
}

/* ---- loops ---- */

static bool is_backward(const struct isa_kernel *kernel, uint32_t pc)
{
    return kernel->inst[pc].is_branch && shape_of(kernel, pc)->target <= pc;
}

/* Nothing but the branch at `last` leads back into it, and it holds no other loop. */
static bool is_simple(const struct isa_kernel *kernel, uint32_t first, uint32_t last)
{
    for (uint32_t pc = first; pc < last; pc++) {
        if (is_backward(kernel, pc)) {
            return false;
        }
    }
    for (uint32_t pc = 0; pc < kernel->n_inst; pc++) {
        const uint32_t target = shape_of(kernel, pc)->target;
        if ((pc < first || pc > last) && target > first && target <= last) {
            return false;
        }
    }
    return shape_of(kernel, last)->guarded;
}

/* The one instruction of [first, last] that writes `reg`; UINT32_MAX when there is none or another. */
static uint32_t writer(const struct isa_kernel *kernel, uint32_t first, uint32_t last, uint16_t reg)
{
    uint32_t at = UINT32_MAX;
    for (uint32_t pc = first; pc <= last; pc++) {
        if (shape_of(kernel, pc)->dst == reg) {
            if (at != UINT32_MAX) {
                return UINT32_MAX;
            }
            at = pc;
        }
    }
    return at;
}

static bool is_written(const struct isa_kernel *kernel, uint32_t first, uint32_t last, uint16_t reg)
{
    for (uint32_t pc = first; pc <= last; pc++) {
        if (shape_of(kernel, pc)->dst == reg) {
            return true;
        }
    }
    return false;
}

/* Signed amount that `reg` advances by in each iteration, or 0. */
static int64_t advance_of(const struct isa_kernel *kernel, const struct counting *c, uint16_t reg)
{
    const uint32_t at = reg == ISA_NO_REGISTER ? UINT32_MAX
                                               : writer(kernel, c->first, c->last, reg);
    const struct isa_shape *shape = at == UINT32_MAX ? NULL : shape_of(kernel, at);
    if (shape == NULL || shape->src[0] != reg || !shape->constant || shape->guarded) {
        return 0;
    }
    return shape->kind == ISA_SHAPE_ADD   ? shape->value
           : shape->kind == ISA_SHAPE_SUB ? -shape->value
                                          : 0;
}

/* Does the loop end when an index has come to a constant? */
static bool counts(const struct isa_kernel *kernel, struct counting *c)
{
    const struct isa_shape *branch = shape_of(kernel, c->last);
    const uint32_t at = writer(kernel, c->first, c->last, branch->guard);
    c->setp = at == UINT32_MAX ? NULL : shape_of(kernel, at);
    if (c->setp == NULL || c->setp->kind != ISA_SHAPE_SETP) {
        return false;
    }
    c->index_second = advance_of(kernel, c, c->setp->src[0]) == 0;
    c->index = c->setp->src[c->index_second ? 1 : 0];
    const int64_t step = advance_of(kernel, c, c->index), size = step < 0 ? -step : step;
    const uint16_t end = c->setp->src[c->index_second ? 0 : 1];
    const uint8_t compare = going(c->setp, !branch->guard_not, c->index_second);
    c->up = step > 0;
    c->plus_one = compare == ISA_COMPARE_LE || compare == ISA_COMPARE_GE;
    return size != 0 && size <= MOST_STEP && (size & (size - 1)) == 0 &&
           !(end != ISA_NO_REGISTER && is_written(kernel, c->first, c->last, end)) &&
           ((compare == ISA_COMPARE_NE && size == 1) ||
            (c->up ? compare == ISA_COMPARE_LT || compare == ISA_COMPARE_LE
                   : compare == ISA_COMPARE_GT || compare == ISA_COMPARE_GE));
}

static bool has_target(const struct isa_kernel *kernel, const struct counting *c)
{
    for (uint32_t pc = c->first; pc < c->last && !kernel->inst[pc].is_branch; pc++) {
        if (shape_of(kernel, pc)->kind == ISA_SHAPE_LOAD && shape_of(kernel, pc)->read_only) {
            return true;
        }
    }
    return false;
}

/* ---- before the loop ---- */

static bool is_label(const struct isa_kernel *kernel, uint32_t at)
{
    for (uint32_t pc = 0; pc < kernel->n_inst; pc++) {
        if (kernel->inst[pc].is_branch && shape_of(kernel, pc)->target == at) {
            return true;
        }
    }
    return false;
}

/* The setp of the branch that skips the loop: from it on, one way leads to the loop. */
static bool skips(const struct isa_kernel *kernel, const struct counting *c,
                  struct spref_hint *hint)
{
    uint32_t pc = c->first;
    while (pc-- > 0 && !kernel->inst[pc].is_branch) {
        if (is_label(kernel, pc)) {
            return false;
        }
    }
    if (pc == UINT32_MAX || !shape_of(kernel, pc)->guarded ||
        shape_of(kernel, pc)->target <= c->last) {
        return false;
    }
    const struct isa_shape *branch = shape_of(kernel, pc);
    while (!is_label(kernel, pc) && pc-- > 0 && !kernel->inst[pc].is_branch) {
        const struct isa_shape *setp = shape_of(kernel, pc);
        if (setp->dst != branch->guard) {
            continue;
        }
        uint8_t compare = going(setp, branch->guard_not, false);
        if (compare == ISA_COMPARE_NE) {
            compare = c->up ? ISA_COMPARE_LT : ISA_COMPARE_GT;
        }
        const bool up = compare == ISA_COMPARE_LT || compare == ISA_COMPARE_LE;
        hint->before_pc = pc;
        hint->from = up ? 0 : 1;
        hint->plus_one = compare == ISA_COMPARE_LE || compare == ISA_COMPARE_GE;
        return setp->kind == ISA_SHAPE_SETP && !setp->guarded && compare < ISA_COMPARE_EQ;
    }
    return false;
}

/* ---- are the two counts the same? ---- */

static bool add_term(struct sum *sum, uint16_t reg, uint32_t factor)
{
    for (uint32_t i = 0; i < sum->n; i++) {
        if (sum->reg[i] == reg) {
            sum->factor[i] += factor;
            return true;
        }
    }
    if (sum->n == MOST_TERMS) {
        return false;
    }
    sum->reg[sum->n] = reg;
    sum->factor[sum->n++] = factor;
    return true;
}

static bool add_register(const struct isa_kernel *kernel, const struct counting *c, struct sum *sum,
                         uint16_t reg, uint32_t factor, uint32_t depth);

static bool add_operand(const struct isa_kernel *kernel, const struct counting *c, struct sum *sum,
                        const struct isa_shape *shape, uint32_t k, uint32_t factor, uint32_t depth)
{
    if (shape->src[k] != ISA_NO_REGISTER) {
        return add_register(kernel, c, sum, shape->src[k], factor, depth);
    }
    sum->constant += factor * (uint32_t)shape->value;
    return k == 1 && shape->constant;
}

/* A register as the loop finds it: what its one writer outside the loop made it of. */
static bool add_register(const struct isa_kernel *kernel, const struct counting *c, struct sum *sum,
                         uint16_t reg, uint32_t factor, uint32_t depth)
{
    const uint32_t at = c->first == 0 ? UINT32_MAX : writer(kernel, 0, c->first - 1, reg);
    const struct isa_shape *shape = at == UINT32_MAX ? NULL : shape_of(kernel, at);
    if (shape == NULL || is_written(kernel, c->last, kernel->n_inst - 1, reg) ||
        (reg != c->index && is_written(kernel, c->first, c->last, reg))) {
        return false;
    }
    if (depth == 0 || shape->guarded) {
        return add_term(sum, reg, factor);
    }
    if (shape->kind == ISA_SHAPE_MOV && shape->src[0] != ISA_NO_REGISTER) {
        return add_register(kernel, c, sum, shape->src[0], factor, depth - 1);
    }
    if (shape->kind == ISA_SHAPE_ADD || shape->kind == ISA_SHAPE_SUB) {
        return add_operand(kernel, c, sum, shape, 0, factor, depth - 1) &&
               add_operand(kernel, c, sum, shape, 1,
                           shape->kind == ISA_SHAPE_ADD ? factor : 0u - factor, depth - 1);
    }
    if (shape->constant && (shape->kind == ISA_SHAPE_MUL || shape->kind == ISA_SHAPE_SHL)) {
        const uint32_t by = (uint32_t)shape->value;
        const uint32_t times = shape->kind == ISA_SHAPE_MUL ? by : by < 32 ? 1u << by : 0;
        return add_operand(kernel, c, sum, shape, 0, factor * times, depth - 1);
    }
    return add_term(sum, reg, factor);
}

/* to - from of the comparison before the loop, less those of the loop's own: 0? */
static bool agree(const struct isa_kernel *kernel, const struct counting *c,
                  const struct spref_hint *hint)
{
    const struct isa_shape *before = shape_of(kernel, hint->before_pc);
    const uint32_t index = c->index_second ? 1 : 0;
    struct sum sum = {.constant = (uint32_t)hint->plus_one - (uint32_t)c->plus_one};
    const uint32_t one = 1, minus = 0u - 1u, up = c->up ? minus : one;
    if (!add_operand(kernel, c, &sum, before, 1u - hint->from, one, MOST_DEPTH) ||
        !add_operand(kernel, c, &sum, before, hint->from, minus, MOST_DEPTH) ||
        !add_operand(kernel, c, &sum, c->setp, 1 - index, up, MOST_DEPTH) ||
        !add_operand(kernel, c, &sum, c->setp, index, 0u - up, MOST_DEPTH)) {
        return false;
    }
    for (uint32_t i = 0; i < sum.n; i++) {
        if (sum.factor[i] != 0) {
            return false;
        }
    }
    return sum.constant == 0;
}

struct spref_hint spref_compile(const struct isa_kernel *kernel)
{
    for (uint32_t last = 0; last < kernel->n_inst; last++) {
        struct counting c = {.last = last};
        struct spref_hint hint = {0};
        if (!is_backward(kernel, last)) {
            continue;
        }
        c.first = shape_of(kernel, last)->target;
        if (is_simple(kernel, c.first, last) && counts(kernel, &c) && has_target(kernel, &c) &&
            skips(kernel, &c, &hint) && agree(kernel, &c, &hint)) {
            hint.valid = true;
            hint.first = c.first;
            hint.last = last;
            hint.up = c.up;
            hint.less = c.plus_one;
            return hint;
        }
    }
    return (struct spref_hint){0};
}
