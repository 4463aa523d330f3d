/* ptx_op_atomic.c - atom and red (PTX ISA, "Parallel Synchronization and Communication
 * Instructions").
 *
 * The arithmetic is in machine/l2/atomic.c, the access in ptx_mem.c.
 */
#include "machine/l2/atomic.h"
#include "ptx/ptx_mem.h"
#include "ptx/ptx_op_memory.h"

static const char *const atom_words[] = {".add", ".min", ".max",  ".inc", ".dec", ".and",
                                         ".or",  ".xor", ".exch", ".cas", NULL};

enum {
    BIT_OF_ADD = 1 << ISA_ATOM_ADD,
    MIN_MAX = 1 << ISA_ATOM_MIN | 1 << ISA_ATOM_MAX,
    INC_DEC = 1 << ISA_ATOM_INC | 1 << ISA_ATOM_DEC,
    LOGIC = 1 << ISA_ATOM_AND | 1 << ISA_ATOM_OR | 1 << ISA_ATOM_XOR,
    SWAP = 1 << ISA_ATOM_EXCH | 1 << ISA_ATOM_CAS,
    CAS = 1 << ISA_ATOM_CAS
};

/* Which operations exist on which type. */
static const struct {
    enum ptx_type type;
    enum isa_number number;
    uint32_t atoms;
} atom_types[] = {{PTX_U32, ISA_U32, BIT_OF_ADD | MIN_MAX | INC_DEC},
                  {PTX_S32, ISA_S32, BIT_OF_ADD | MIN_MAX},
                  {PTX_U64, ISA_U64, BIT_OF_ADD | MIN_MAX},
                  {PTX_S64, ISA_S64, BIT_OF_ADD | MIN_MAX},
                  {PTX_F32, ISA_F32, BIT_OF_ADD},
                  {PTX_F64, ISA_F64, BIT_OF_ADD},
                  {PTX_F16, ISA_F16, BIT_OF_ADD},
                  {PTX_F16X2, ISA_F16X2, BIT_OF_ADD},
                  {PTX_BF16, ISA_BF16, BIT_OF_ADD},
                  {PTX_BF16X2, ISA_BF16X2, BIT_OF_ADD},
                  {PTX_B32, ISA_B32, LOGIC | SWAP},
                  {PTX_B64, ISA_B64, LOGIC | SWAP},
                  {PTX_U32, ISA_U32, LOGIC | SWAP},
                  {PTX_S32, ISA_S32, LOGIC | SWAP},
                  {PTX_U64, ISA_U64, LOGIC | SWAP},
                  {PTX_S64, ISA_S64, LOGIC | SWAP},
                  {PTX_B16, ISA_B16, CAS}};

int ptx_atomic_number(enum ptx_type type, enum isa_atom atom)
{
    for (size_t i = 0; i < sizeof(atom_types) / sizeof(atom_types[0]); i++) {
        if (atom_types[i].type == type && (atom_types[i].atoms >> atom & 1) != 0) {
            return (int)atom_types[i].number;
        }
    }
    return -1;
}

static void bind_atomic(struct ptx_lower *lw, struct ptx_op *op, int atom, enum ptx_type type,
                        enum isa_space space, bool returns)
{
    uint32_t first = returns ? 1 : 0, n = atom == ISA_ATOM_CAS ? 3 : 2;
    ptx_operand_count(lw, first + n, first + n);
    if (returns) {
        ptx_bind_dst(lw, op, 0, ptx_operand_at(lw, 0), type);
        op->mode = ptx_type_bytes(type) == 2 ? 2 : 0;
    }
    ptx_bind_address(lw, op, 0, ptx_operand_at(lw, first), space);
    for (uint32_t i = 1; i < n; i++) {
        ptx_bind_src(lw, op, i, ptx_operand_at(lw, first + i), type);
    }
}

static void lower_atomic(struct ptx_lower *lw, bool returns)
{
    static const char *const orders[] = {".relaxed", ".acquire", ".release", ".acq_rel", NULL};
    int order = ptx_take_word(lw, orders);
    enum isa_scope scope = ptx_take_scope(lw, ISA_SCOPE_GPU);
    enum isa_space space = ptx_take_space(lw);
    int atom = ptx_take_word(lw, atom_words);
    ptx_take(lw, ".noftz");
    enum ptx_type type = ptx_take_type(lw);
    bool placed = space == ISA_SPACE_GLOBAL || space == ISA_SPACE_SHARED ||
                  space == ISA_SPACE_GENERIC;
    if (atom < 0 || !placed || (!returns && atom >= ISA_ATOM_EXCH)) {
        PTX_LOWER_FAIL(lw, "%s is not an atomic operation that PTX has", lw->statement->text);
    }
    int number = ptx_atomic_number(type, (enum isa_atom)atom);
    if (number < 0) {
        PTX_LOWER_FAIL(lw, "%s: there is no such operation on %s", lw->statement->text,
                       ptx_type_name(type));
    }
    if (order == 2 || order == 3) {
        ptx_emit_fence(lw, scope);
    }
    struct ptx_op *op = ptx_emit(lw, ptx_pipe_of(space), ptx_exec_access);
    struct isa_inst *inst = ptx_inst_of(lw, op);
    inst->access = returns ? ISA_ACCESS_ATOMIC : ISA_ACCESS_REDUCE;
    inst->space = (uint8_t)space;
    inst->scope = (uint8_t)scope;
    inst->atom = (uint8_t)atom;
    inst->number = (uint8_t)number;
    inst->bytes = (uint8_t)ptx_type_bytes(type);
    op->n_elements = 1;
    op->element_bytes = inst->bytes;
    bind_atomic(lw, op, atom, type, space, returns);
    if (order == 1 || order == 3) {
        ptx_emit_fence(lw, scope);
    }
}

static void lower_atom(struct ptx_lower *lw)
{
    lower_atomic(lw, true);
}
static void lower_red(struct ptx_lower *lw)
{
    lower_atomic(lw, false);
}

const struct ptx_opcode ptx_opcodes_atomic[] = {
    {"atom", lower_atom}, {"red", lower_red}, {NULL, NULL}};
