/* ptx_ast.h - a PTX module as read, names resolved, before any kernel is lowered.
 *
 * Works after the PTX ISA manual, "State Spaces, Types, and Variables" and
 * "Instruction Operands".  Knows nothing of warps, slots or execution.
 */
#ifndef WARPLOCK_PTX_AST_H
#define WARPLOCK_PTX_AST_H

#include "isa/isa.h"
#include "ptx/ptx_diag.h"
#include "ptx/ptx_types.h"

struct ptx_function;
struct ptx_text;

enum { PTX_MAX_MODIFIERS = 16, PTX_MAX_OPERANDS = 8, PTX_NO_INDEX = UINT32_MAX };

/* An address stored in a module-scope initialiser: bytes [at, at+bytes) take
 * (address(variable) + addend) >> shift. */
struct ptx_relocation {
    uint64_t at;
    uint8_t bytes, shift;
    const struct ptx_variable *variable;
    int64_t addend;
};

struct ptx_variable {
    const char *name;
    enum isa_space space;
    enum ptx_type type;
    uint64_t bytes; /* 0 for `extern .shared x[]`: dynamic shared memory */
    uint32_t align, line;
    bool is_external, is_register_param, is_dynamic;
    bool is_managed;  /* .attribute(.managed) */
    bool of_entry;    /* PARAM: a formal parameter of a kernel */
    uint32_t reg;     /* is_register_param: which register */
    uint8_t *initial; /* [n_initial], the rest of the variable is zero */
    uint64_t n_initial;
    struct ptx_relocation *relocations;
    size_t n_relocations;
    uint64_t address; /* GLOBAL and CONST: device address, set by the caller; 0 before */
    uint64_t offset;  /* PARAM: in the parameter block; LOCAL: in the function's frame */
    uint32_t index;   /* SHARED: among the module's shared variables */
};

struct ptx_register {
    const char *name;
    enum ptx_type type;
};

enum ptx_operand_kind {
    PTX_OPERAND_REGISTER, /* reg, negated for !p */
    PTX_OPERAND_SPECIAL,  /* special */
    PTX_OPERAND_INTEGER,  /* value */
    PTX_OPERAND_F32,      /* value holds the bits */
    PTX_OPERAND_F64,
    PTX_OPERAND_ADDRESS, /* variable + value, as a number */
    PTX_OPERAND_MEMORY,  /* [reg + value] or [variable + value] or [value] */
    PTX_OPERAND_VECTOR,  /* {elements} */
    PTX_OPERAND_LABEL,   /* label */
    PTX_OPERAND_SINK     /* _ */
};

/* The .file table of one text: names by number. */
struct ptx_files {
    const char **name; /* [n], NULL where no .file gave one */
    size_t n;
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;
    uint8_t special; /* enum ptx_special */
    uint32_t reg;    /* PTX_NO_INDEX when a MEMORY operand has no register */
    uint32_t label;
    int64_t value;
    const struct ptx_variable *variable;
    const struct ptx_operand *elements; /* VECTOR */
    uint32_t n_elements;
    const struct ptx_operand *pair; /* the q of p|q; of [object, coordinates] the latter */
    uint32_t line, column;
};

struct ptx_call_site {
    const struct ptx_function *callee; /* NULL: through a register */
    const struct ptx_operand *through; /* the register with the function's address; else NULL */
    const struct ptx_operand *returns,
        *arguments; /* REGISTER, INTEGER, F32/F64 or ADDRESS of a .param */
    uint32_t n_returns, n_arguments;
};

struct ptx_statement {
    const char *opcode; /* first word */
    const char *text;   /* opcode with its modifiers, as written */
    const char *modifiers[PTX_MAX_MODIFIERS];
    uint32_t n_modifiers;
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    uint32_t n_operands;
    const struct ptx_call_site *call;
    uint32_t guard; /* predicate register or PTX_NO_INDEX */
    bool guard_negated;
    uint32_t line, column;
    uint32_t loc_file, loc_line; /* of the .loc before it; line 0: there was none */
};

struct ptx_label {
    const char *name;
    uint32_t statement; /* the statement it stands before; PTX_NO_INDEX until defined */
    uint32_t alias;     /* label of an outer scope this one turned out to be, or PTX_NO_INDEX */
    uint32_t *targets;  /* .branchtargets */
    uint32_t n_targets;
    uint32_t line, column; /* of the first use */
};

struct ptx_function {
    const char *name;
    const char *file; /* whose text it is from */
    const struct ptx_files *files;
    bool is_entry, has_body;
    bool is_address_taken; /* it may be called through a register */
    uint64_t address;      /* the value of its name; nothing can be loaded from there */
    struct ptx_variable **params, **returns;
    uint32_t n_params, n_returns;
    uint64_t param_bytes; /* of an entry: the parameter block */
    uint64_t area_bytes;  /* per lane: .param variables other than an entry's formals */
    struct ptx_register *registers;
    uint32_t n_registers;
    struct ptx_variable **variables; /* .local, and .param declared in the body */
    uint32_t n_variables;
    uint64_t local_bytes;
    struct ptx_statement *statements;
    uint32_t n_statements;
    struct ptx_label *labels;
    uint32_t n_labels;
    uint64_t max_threads;           /* .maxntid, 0 without */
    struct isa_dim3 required_block; /* .reqntid, x = 0 without */
    uint32_t line;
};

struct ptx_image;

struct ptx_module {
    struct ptx_arena arena;
    const char *file;
    struct ptx_variable **variables; /* .global and .const, in order of appearance */
    size_t n_variables;
    struct ptx_variable **shared; /* .shared of module and functions */
    size_t n_shared;
    struct ptx_function **functions;
    size_t n_functions;
    uint32_t target;           /* NN of .target sm_NN; of several the highest */
    struct ptx_image **images; /* one per kernel that was lowered */
    size_t n_images;
};

/* Read the parts into `module` (file, arena and everything else set by this call); fails through
 * `diag`.  Every name is resolved, every label defined, every size checked. */
void ptx_parse(struct ptx_diag *diag, struct ptx_module *module, const struct ptx_text *parts,
               size_t n_parts);

/* Special registers (PTX ISA, "Special Registers"). */
enum ptx_special {
    PTX_TID_X,
    PTX_TID_Y,
    PTX_TID_Z,
    PTX_NTID_X,
    PTX_NTID_Y,
    PTX_NTID_Z,
    PTX_CTAID_X,
    PTX_CTAID_Y,
    PTX_CTAID_Z,
    PTX_NCTAID_X,
    PTX_NCTAID_Y,
    PTX_NCTAID_Z,
    PTX_LANEID,
    PTX_WARPID,
    PTX_NWARPID,
    PTX_SMID,
    PTX_NSMID,
    PTX_GRIDID,
    PTX_LANEMASK_EQ,
    PTX_LANEMASK_LE,
    PTX_LANEMASK_LT,
    PTX_LANEMASK_GE,
    PTX_LANEMASK_GT,
    PTX_CLOCK,
    PTX_CLOCK_HI,
    PTX_CLOCK64,
    PTX_GLOBALTIMER,
    PTX_GLOBALTIMER_LO,
    PTX_GLOBALTIMER_HI,
    PTX_DYNAMIC_SMEM,
    PTX_TOTAL_SMEM,
    PTX_ENVREG1, /* the grid's barrier words: high half, low half of the address */
    PTX_ENVREG2,
    PTX_RESERVED_BEGIN,
    PTX_RESERVED_END,
    PTX_RESERVED_CAP,
    PTX_RESERVED_0,
    PTX_RESERVED_1,
    PTX_ZERO_W,
    PTX_SPECIAL_COUNT
};

struct ptx_special_info {
    const char *name; /* "%tid.x" */
    enum ptx_type type;
    uint8_t origin; /* mask of enum isa_origin */
};

const struct ptx_special_info *ptx_special_info(enum ptx_special special);

/* The special register called `name` (with its component), or PTX_SPECIAL_COUNT. */
enum ptx_special ptx_special_named(const char *name);

#endif
