/* ptx_op_half_compare.c - setp and set on .f16, .bf16 and their pairs (PTX ISA, "Half Precision
 * Comparison Instructions").
 *
 * Values are widened to .f32, where they are exact, and compared as such.
 */
#include "ptx/ptx_compare.h"
#include "ptx/ptx_half_math.h"
#include "ptx/ptx_op_float.h"

/* The comparison of the elements at `shift`, combined with the predicate. */
static uint32_t compare_at(struct ptx_exec *x, const struct ptx_op *op, unsigned shift)
{
    const lane_u32 *a = ptx_lanes(x, op->src[0]), *b = ptx_lanes(x, op->src[1]);
    float wide_a[ISA_LANES], wide_b[ISA_LANES];
    for (unsigned lane = 0; lane < ISA_LANES; lane++) {
        wide_a[lane] = (float)ptx_half_element(op, a[lane], shift);
        wide_b[lane] = (float)ptx_half_element(op, b[lane], shift);
    }
    return op->compare(wide_a, wide_b);
}

static uint32_t predicate_of(const struct ptx_exec *x, const struct ptx_op *op)
{
    return op->combine == 0 ? 0 : ptx_mask_of(x, op->src[2]);
}

static void exec_setp(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t c = predicate_of(x, op), low = compare_at(x, op, 0);
    uint32_t other = ptx_half_is_pair(op->type) ? compare_at(x, op, 16) : ~low;
    ptx_put_mask(x, op->dst[0], ptx_combined(low, c, op->combine), mask);
    if (op->dst[1].used) {
        ptx_put_mask(x, op->dst[1], ptx_combined(other, c, op->combine), mask);
    }
}

/* op->immediate is `true` in the result's low element. */
static void exec_set(struct ptx_exec *x, const struct ptx_op *op, uint32_t mask)
{
    uint32_t c = predicate_of(x, op), r[ISA_LANES] = {0};
    for (unsigned shift = 0; shift < (ptx_half_is_pair(op->type) ? 32u : 16u); shift += 16) {
        uint32_t holds = ptx_combined(compare_at(x, op, shift), c, op->combine);
        for (unsigned lane = 0; lane < ISA_LANES; lane++) {
            r[lane] |= (holds & ptx_lane_bit[lane]) != 0 ? (uint32_t)op->immediate << shift : 0;
        }
    }
    ptx_put32(x, op->dst[0], r, mask);
}

static struct ptx_op *emit(struct ptx_lower *lw, enum ptx_type type, ptx_exec_fn *exec)
{
    int which = ptx_take_comparison_word(lw);
    struct ptx_op *op = ptx_emit(lw, ISA_PIPE_FP32, exec);
    op->flushes = ptx_take(lw, ".ftz");
    op->combine = ptx_take_combination(lw);
    op->type = (uint8_t)type;
    op->compare = which < 0 ? NULL : ptx_comparison_of((enum ptx_comparison)which, PTX_F32);
    if (op->compare == NULL) {
        PTX_LOWER_FAIL(lw, "%s is not a comparison that PTX has", lw->statement->text);
    }
    return op;
}

static void bind_sources(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type type)
{
    uint32_t n = op->combine == 0 ? 3 : 4;
    ptx_operand_count(lw, n, n);
    ptx_bind_src(lw, op, 0, ptx_operand_at(lw, 1), type);
    ptx_bind_src(lw, op, 1, ptx_operand_at(lw, 2), type);
    if (n == 4) {
        ptx_bind_src(lw, op, 2, ptx_operand_at(lw, 3), PTX_PRED);
    }
}

void ptx_lower_half_setp(struct ptx_lower *lw, enum ptx_type type)
{
    struct ptx_op *op = emit(lw, type, exec_setp);
    const struct ptx_operand *d = ptx_operand_at(lw, 0);
    if (ptx_half_is_pair(op->type) && d->pair == NULL) {
        PTX_LOWER_FAIL(lw, "%s gives two predicates; write p|q", lw->statement->text);
    }
    ptx_bind_dst(lw, op, 0, d, PTX_PRED);
    if (d->pair != NULL) {
        ptx_bind_dst(lw, op, 1, d->pair, PTX_PRED);
    }
    bind_sources(lw, op, type);
}

/* Results for one half are a half, a short or a word; for a pair, a pair or two times 16 bits. */
static uint32_t true_of(enum ptx_type result, enum ptx_type type)
{
    bool word = result == PTX_U32 || result == PTX_S32;
    if (ptx_half_is_pair((uint8_t)type)) {
        return result == type ? (type == PTX_F16X2 ? 0x3c00 : 0x3f80) : word ? 0xffff : 0;
    }
    return result == PTX_F16                        ? 0x3c00
           : result == PTX_BF16                     ? 0x3f80
           : result == PTX_U16 || result == PTX_S16 ? 0xffff
           : word                                   ? 0xffffffff
                                                    : 0;
}

void ptx_lower_half_set(struct ptx_lower *lw, enum ptx_type result, enum ptx_type type)
{
    struct ptx_op *op = emit(lw, type, exec_set);
    op->immediate = true_of(result, type);
    if (op->immediate == 0) {
        PTX_LOWER_FAIL(lw, "%s has a result that does not go with halves; use .f16 or .u32",
                       lw->statement->text);
    }
    ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), result);
    bind_sources(lw, op, type);
}
