/* ptx_parser.h - what the files of the parser share: token stream, scopes, symbols.
 *
 * Private to ptx_parse*.c.  Knows nothing of lowering or execution.
 */
#ifndef WARPLOCK_PTX_PARSER_H
#define WARPLOCK_PTX_PARSER_H

#include <uthash.h>

#include "ptx/ptx_ast.h"
#include "ptx/ptx_lex.h"

enum { PTX_MAX_NESTING = 100 }; /* scopes, braces of initialisers, parentheses */

enum ptx_symbol_kind {
    PTX_SYMBOL_REGISTER,
    PTX_SYMBOL_FAMILY,
    PTX_SYMBOL_VARIABLE,
    PTX_SYMBOL_FUNCTION
};

struct ptx_symbol {
    const char *name;
    enum ptx_symbol_kind kind;
    enum ptx_type type; /* REGISTER, FAMILY */
    uint32_t vector;    /* REGISTER: 1, 2 or 4 elements */
    uint32_t count;     /* FAMILY: %r<count> */
    uint32_t reg;       /* REGISTER: first register, PTX_NO_INDEX until used */
    struct ptx_variable *variable;
    struct ptx_function *function;
    UT_hash_handle hh;
};

struct ptx_label_name {
    const char *name;
    uint32_t label;
    UT_hash_handle hh;
};

struct ptx_scope {
    struct ptx_scope *outer;
    struct ptx_symbol *symbols;
    struct ptx_label_name *labels;
};

struct ptx_parser {
    struct ptx_diag *diag;
    struct ptx_module *module;
    const char *file;              /* whose text is being read */
    const struct ptx_token *token; /* the current one */
    struct ptx_scope *scope;       /* innermost */
    struct ptx_function *function; /* whose body is being read, or NULL */
    uint32_t nesting;
    struct ptx_files *files;     /* of the text that is being read */
    uint32_t loc_file, loc_line; /* of the last .loc in this function */
};

/* Tokens */
#define PTX_FAIL_AT(parser, token_, ...) \
    ptx_fail((parser)->diag, (token_)->line, (token_)->column, __VA_ARGS__)

bool ptx_is_punct(const struct ptx_parser *ps, int punct);
bool ptx_is_dot(const struct ptx_parser *ps, const char *word);
bool ptx_accept_punct(struct ptx_parser *ps, int punct);
bool ptx_accept_dot(struct ptx_parser *ps, const char *word);
void ptx_expect_punct(struct ptx_parser *ps, int punct);
const char *ptx_expect_name(struct ptx_parser *ps, const char *what);
void ptx_next(struct ptx_parser *ps);
/* A token as it may be shown in a message. */
const char *ptx_token_text(struct ptx_parser *ps, const struct ptx_token *token);
void ptx_enter(struct ptx_parser *ps); /* one more level of nesting; fails at the limit */
void ptx_leave(struct ptx_parser *ps);

/* Scopes and symbols */
void ptx_scope_push(struct ptx_parser *ps);
void ptx_scope_pop(struct ptx_parser *ps); /* hands undefined labels to the outer scope */
void ptx_scope_drop_all(struct ptx_parser *ps);
struct ptx_symbol *ptx_declare(struct ptx_parser *ps, const char *name, enum ptx_symbol_kind kind,
                               const struct ptx_token *at);
struct ptx_symbol *ptx_find(struct ptx_parser *ps, const char *name);
/* The register symbol `name`, members of families included; NULL when there is none. */
struct ptx_symbol *ptx_find_register(struct ptx_parser *ps, const char *name);
uint32_t ptx_symbol_register(struct ptx_parser *ps, struct ptx_symbol *symbol);
uint32_t ptx_label_use(struct ptx_parser *ps, const char *name, const struct ptx_token *at);
void ptx_label_define(struct ptx_parser *ps, const char *name, const struct ptx_token *at);

/* Constant expressions (ptx_parse_const.c) */
struct ptx_constant {
    enum { PTX_CONST_INTEGER, PTX_CONST_F32, PTX_CONST_F64, PTX_CONST_ADDRESS } kind;
    int64_t value;                       /* integer; float bits; addend of an address */
    const struct ptx_variable *variable; /* ADDRESS */
    uint8_t shift;                       /* ADDRESS: byte selection, mask(address) form */
};
struct ptx_constant ptx_parse_constant(struct ptx_parser *ps);
int64_t ptx_parse_integer(struct ptx_parser *ps, const char *what, int64_t low, int64_t high);

/* Initialisers (ptx_parse_init.c) */
struct ptx_shape { /* of an array */
    uint64_t dims[8];
    uint32_t n_dims;
};
/* The value after '=', into `var`; an array without a size gets the size it needs. */
void ptx_parse_initialiser(struct ptx_parser *ps, struct ptx_variable *var,
                           const struct ptx_shape *shape);

/* Variables (ptx_parse_var.c) */
struct ptx_linkage {
    bool is_external, is_weak; /* .extern; .weak or .common */
};
/* One declaration after its linkage; `space` is the current token.  Adds symbols and variables. */
void ptx_parse_variables(struct ptx_parser *ps, struct ptx_linkage linkage);
struct ptx_variable *ptx_parse_formal(struct ptx_parser *ps);
void ptx_parse_registers(struct ptx_parser *ps);

/* Statements (ptx_parse_inst.c) */
void ptx_parse_body(struct ptx_parser *ps);
void ptx_parse_instruction(struct ptx_parser *ps);
struct ptx_operand ptx_parse_operand(struct ptx_parser *ps);
struct ptx_operand ptx_label_operand(struct ptx_parser *ps);

/* Calls and lists of targets (ptx_parse_call.c) */
void ptx_parse_call(struct ptx_parser *ps, struct ptx_statement *st); /* after the opcode */
/* name: .branchtargets, .calltargets or .callprototype, name and colon read; false: none of them. */
bool ptx_parse_list(struct ptx_parser *ps, const char *name, const struct ptx_token *at);

/* .loc, .file, .section, .pragma (ptx_parse_debug.c); the directive is current */
bool ptx_is_debug(const struct ptx_parser *ps);
void ptx_parse_debug(struct ptx_parser *ps);
void ptx_parse_pragma(struct ptx_parser *ps);

#endif
