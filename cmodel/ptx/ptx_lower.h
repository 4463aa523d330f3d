/* ptx_lower.h - what the instruction families use to turn statements into operations.
 *
 * A family (ptx_op_*.c) exports a table of opcodes; each entry reads the
 * statement's modifiers, emits operations and binds operands.  Private to ptx/.
 */
#ifndef WARPLOCK_PTX_LOWER_H
#define WARPLOCK_PTX_LOWER_H

#include "ptx/ptx_image.h"

struct ptx_pool_key;

struct ptx_lower {
    struct ptx_diag *diag;
    const struct ptx_module *module;
    struct ptx_image *image;
    uint32_t function_index;
    const struct ptx_function *source;
    const struct ptx_statement *statement;
    uint32_t taken_modifiers; /* bit per modifier already understood */
    struct ptx_ref *slot_of;  /* [source->n_registers] */
    uint16_t *dense_of;
    uint32_t free_mask_offset, free_masks; /* room for predicates in the frame */
    struct ptx_pool_key *pool_keys;        /* uthash */
};

struct ptx_opcode {
    const char *name;
    void (*lower)(struct ptx_lower *lw);
};

/* The opcode tables, each ended by a NULL name. */
extern const struct ptx_opcode ptx_opcodes_int[], ptx_opcodes_bits[], ptx_opcodes_move[],
    ptx_opcodes_float[], ptx_opcodes_compare[], ptx_opcodes_convert[], ptx_opcodes_memory[],
    ptx_opcodes_atomic[], ptx_opcodes_control[], ptx_opcodes_warp[], ptx_opcodes_carry[],
    ptx_opcodes_permute[], ptx_opcodes_matrix[], ptx_opcodes_async[], ptx_opcodes_mbarrier[],
    ptx_opcodes_texture[], ptx_opcodes_packed[];

#define PTX_LOWER_FAIL(lw, ...) \
    ptx_fail((lw)->diag, (lw)->statement->line, (lw)->statement->column, __VA_ARGS__)

/* Modifiers */
bool ptx_take(struct ptx_lower *lw, const char *word);
/* The next type modifier not yet taken; fails when there is none. */
enum ptx_type ptx_take_type(struct ptx_lower *lw);
/* The same, but PTX_NONE when there is none. */
enum ptx_type ptx_take_optional_type(struct ptx_lower *lw);
/* Index of the first of the NULL-ended words that is present, or -1. */
int ptx_take_word(struct ptx_lower *lw, const char *const *words);

/* Where the kernel's shared variables are: fills image->shared_offset (ptx_lower_shared.c). */
void ptx_layout_shared(struct ptx_lower *lw);

/* What the operations from `first` on, those of the statement, do to registers (ptx_shape.c). */
void ptx_note_shapes(struct ptx_lower *lw, uint32_t first);

/* Operands */
const struct ptx_operand *ptx_operand_at(struct ptx_lower *lw, uint32_t index);
void ptx_operand_count(struct ptx_lower *lw, uint32_t low, uint32_t high);

/* A new operation, guarded as the statement is.  The pointer is good until the next one. */
struct ptx_op *ptx_emit(struct ptx_lower *lw, enum isa_pipe pipe, ptx_exec_fn *exec);
struct isa_inst *ptx_inst_of(struct ptx_lower *lw, const struct ptx_op *op);

/* Bind operand `o` as destination or source `k`; its register must be as wide as `type`. */
void ptx_bind_dst(struct ptx_lower *lw, struct ptx_op *op, uint32_t k, const struct ptx_operand *o,
                  enum ptx_type type);
void ptx_bind_src(struct ptx_lower *lw, struct ptx_op *op, uint32_t k, const struct ptx_operand *o,
                  enum ptx_type type);
/* The same for ld, st and cvt, whose registers may be wider than the type. */
void ptx_bind_dst_wide(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                       const struct ptx_operand *o, enum ptx_type type);
void ptx_bind_src_wide(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                       const struct ptx_operand *o, enum ptx_type type);
/* Destination 0 and sources 0.. from the statement's operands in order, all of one type. */
void ptx_bind_plain(struct ptx_lower *lw, struct ptx_op *op, enum ptx_type type);

/* The [address] operand as source `k` plus op->immediate; `space` as the instruction says. */
void ptx_bind_address(struct ptx_lower *lw, struct ptx_op *op, uint32_t k,
                      const struct ptx_operand *o, enum isa_space space);

/* A constant of `lane_bytes` (4, 8; 0: predicate mask) in the pool; `variable` may be NULL. */
struct ptx_ref ptx_pool(struct ptx_lower *lw, uint64_t bits, uint32_t lane_bytes,
                        const struct ptx_variable *variable);
void ptx_pool_release(struct ptx_lower *lw); /* the index of the pool, not the pool */
/* The slot of a register of the current function, made at its first mention. */
struct ptx_ref ptx_register_slot(struct ptx_lower *lw, uint32_t reg);
/* The slot of a special register, filled when a warp starts. */
struct ptx_ref ptx_special_slot(struct ptx_lower *lw, enum ptx_special special);
/* A frame slot that is no register: carries, scratch, `_`. */
struct ptx_ref ptx_frame_slot(struct ptx_lower *lw, uint32_t lane_bytes);
uint32_t ptx_function_index(struct ptx_lower *lw, const struct ptx_function *function);
/* The scoreboard is told that the operation reads or writes `dense`. */
void ptx_note_src(struct ptx_lower *lw, const struct ptx_op *op, uint16_t dense);
void ptx_note_dst(struct ptx_lower *lw, const struct ptx_op *op, uint16_t dense);
/* The carry flag CC.CF of the current function: a hidden predicate. */
void ptx_bind_carry(struct ptx_lower *lw, struct ptx_op *op, int dst_k, int src_k);

/* A call of a function that this module does not define and whoever launches serves, such as
 * vprintf; false: the statement is none (ptx_op_outside.c). */
bool ptx_lower_outside(struct ptx_lower *lw);
/* A call, by name or through a register (ptx_op_call.c). */
void ptx_lower_call(struct ptx_lower *lw);

#endif
