/* ptx_parse_var.c - declarations of variables, parameters and registers
 * (PTX ISA, "State Spaces, Types, and Variables").
 *
 * Knows how many bytes a variable has; not what is in them, nor where it lives.
 */
#include <string.h>

#include "ptx/ptx_parser.h"

#define MAX_GLOBAL_BYTES (INT64_C(1) << 38)
enum {
    MAX_LOCAL_BYTES = 512 * 1024, /* per thread, as in CUDA's compute capabilities */
    MAX_SHARED_BYTES = 16 * 1024 * 1024,
    MAX_PARAM_BYTES = 32764, /* PTX ISA: kernel parameters */
    MAX_INITIAL_BYTES = 64 * 1024 * 1024
};

/* What stands between the state space and the name. */
struct attributes {
    enum isa_space space;
    enum ptx_type type;
    uint32_t align, vector;
    bool is_managed;
};

static bool space_of(const char *word, enum isa_space *space)
{
    static const struct {
        const char *word;
        enum isa_space space;
    } spaces[] = {{".global", ISA_SPACE_GLOBAL},
                  {".const", ISA_SPACE_CONST},
                  {".shared", ISA_SPACE_SHARED},
                  {".local", ISA_SPACE_LOCAL},
                  {".param", ISA_SPACE_PARAM}};
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        if (strcmp(word, spaces[i].word) == 0) {
            *space = spaces[i].space;
            return true;
        }
    }
    return false;
}

static uint32_t parse_align(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    int64_t align = ptx_parse_integer(ps, "alignment", 1, 4096);
    if ((align & (align - 1)) != 0) {
        PTX_FAIL_AT(ps, at, "alignment must be a power of two, not %lld", (long long)align);
    }
    return (uint32_t)align;
}

/* .ptr [.space] [.align n]: facts about what a pointer parameter points to; they promise, and
 * change nothing. */
static void skip_pointer_attributes(struct ptx_parser *ps)
{
    enum isa_space space;
    if (ps->token->kind == PTX_TOKEN_DOT && space_of(ps->token->name, &space)) {
        ptx_next(ps);
    }
    if (ptx_accept_dot(ps, ".align")) {
        parse_align(ps);
    }
}

static void parse_attribute_list(struct ptx_parser *ps, struct attributes *attr)
{
    ptx_expect_punct(ps, '(');
    while (!ptx_is_punct(ps, ')') && ps->token->kind != PTX_TOKEN_END) {
        attr->is_managed = attr->is_managed || ptx_is_dot(ps, ".managed");
        ptx_next(ps);
    }
    ptx_expect_punct(ps, ')');
}

static void parse_attribute_word(struct ptx_parser *ps, struct attributes *attr)
{
    const struct ptx_token *at = ps->token;
    enum ptx_type type = ptx_type_named(at->name);
    ptx_next(ps);
    if (strcmp(at->name, ".align") == 0) {
        attr->align = parse_align(ps);
    } else if (strcmp(at->name, ".ptr") == 0) {
        skip_pointer_attributes(ps);
    } else if (strcmp(at->name, ".attribute") == 0) {
        parse_attribute_list(ps, attr);
    } else if (strcmp(at->name, ".v2") == 0 || strcmp(at->name, ".v4") == 0) {
        attr->vector = (uint32_t)(at->name[2] - '0');
    } else if (type != PTX_NONE) {
        attr->type = type;
    } else if (strcmp(at->name, ".texref") == 0 || strcmp(at->name, ".surfref") == 0 ||
               strcmp(at->name, ".samplerref") == 0) {
        PTX_FAIL_AT(ps, at, "textures and surfaces are not supported; use .global memory");
    } else {
        PTX_FAIL_AT(ps, at, "\"%s\" is not part of a declaration", at->name);
    }
}

static struct attributes parse_attributes(struct ptx_parser *ps)
{
    struct attributes attr = {.vector = 1};
    const struct ptx_token *at = ps->token;
    if (at->kind != PTX_TOKEN_DOT || !space_of(at->name, &attr.space)) {
        PTX_FAIL_AT(ps, at, "a state space is expected, not %s", ptx_token_text(ps, at));
    }
    ptx_next(ps);
    while (ps->token->kind == PTX_TOKEN_DOT) {
        parse_attribute_word(ps, &attr);
    }
    if (attr.type == PTX_NONE || attr.type == PTX_PRED) {
        PTX_FAIL_AT(ps, ps->token, "the declaration has no type, or one that cannot be in memory");
    }
    uint32_t natural = ptx_type_bytes(attr.type) * attr.vector;
    attr.align = attr.align == 0 ? natural : attr.align;
    return attr;
}

static int64_t max_bytes_of(enum isa_space space)
{
    switch (space) {
    case ISA_SPACE_LOCAL: return MAX_LOCAL_BYTES;
    case ISA_SPACE_SHARED: return MAX_SHARED_BYTES;
    case ISA_SPACE_PARAM: return MAX_PARAM_BYTES;
    default: return MAX_GLOBAL_BYTES;
    }
}

/* [n][m]...; a first dimension left empty is counted from the initialiser. */
static void parse_dimensions(struct ptx_parser *ps, const struct attributes *attr,
                             struct ptx_variable *var, struct ptx_shape *shape)
{
    uint64_t bytes = (uint64_t)ptx_type_bytes(attr->type) * attr->vector;
    int64_t limit = max_bytes_of(attr->space);
    const struct ptx_token *at = ps->token;
    while (ptx_accept_punct(ps, '[')) {
        if (shape->n_dims == 8) {
            PTX_FAIL_AT(ps, at, "arrays have at most 8 dimensions");
        }
        bool empty = ptx_is_punct(ps, ']');
        if (empty && shape->n_dims != 0) {
            PTX_FAIL_AT(ps, ps->token, "only the first dimension may be left empty");
        }
        int64_t n = empty ? 0 : ptx_parse_integer(ps, "array size", 0, limit);
        ptx_expect_punct(ps, ']');
        shape->dims[shape->n_dims++] = (uint64_t)n;
        if (__builtin_mul_overflow(bytes, (uint64_t)n, &bytes) || bytes > (uint64_t)limit) {
            PTX_FAIL_AT(ps, at, "array \"%s\" exceeds the %lld bytes its space can hold", var->name,
                        (long long)limit);
        }
    }
    if (attr->vector > 1 && shape->n_dims < 8) {
        shape->dims[shape->n_dims++] = attr->vector;
    }
    var->bytes = bytes;
}

/* A variable of the module that other texts have, too: its symbol, or NULL. */
static struct ptx_symbol *known_variable(struct ptx_parser *ps, const struct ptx_token *at)
{
    bool in_module = ps->scope->outer == NULL && at->kind == PTX_TOKEN_NAME;
    struct ptx_symbol *symbol = in_module ? ptx_find(ps, at->name) : NULL;
    return symbol != NULL && symbol->kind == PTX_SYMBOL_VARIABLE ? symbol : NULL;
}

static struct ptx_variable *new_variable(struct ptx_parser *ps, const struct attributes *attr,
                                         bool declare)
{
    struct ptx_variable *var = ptx_alloc(ps->diag, 1, sizeof(*var));
    const struct ptx_token *at = ps->token;
    var->name = ptx_expect_name(ps, "a variable name");
    var->is_managed = attr->is_managed;
    var->space = attr->space;
    var->type = attr->type;
    var->align = attr->align;
    var->line = at->line;
    if (declare) {
        ptx_declare(ps, var->name, PTX_SYMBOL_VARIABLE, at)->variable = var;
    }
    return var;
}

static uint64_t place(struct ptx_parser *ps, uint64_t *used, const struct ptx_variable *var)
{
    uint64_t at = (*used + var->align - 1) & ~(uint64_t)(var->align - 1);
    *used = at + var->bytes;
    if (*used > (uint64_t)max_bytes_of(var->space)) {
        ptx_fail(ps->diag, var->line, 0, "\"%s\" does not fit: its space holds %lld bytes",
                 var->name, (long long)max_bytes_of(var->space));
    }
    return at;
}

/* Put `var` on the list of the function or module it belongs to. */
static void record_variable(struct ptx_parser *ps, struct ptx_variable *var)
{
    struct ptx_module *m = ps->module;
    struct ptx_function *f = ps->function;
    if (var->space == ISA_SPACE_SHARED) {
        m->shared = ptx_grow(ps->diag, m->shared, m->n_shared, sizeof(*m->shared));
        var->index = (uint32_t)m->n_shared;
        m->shared[m->n_shared++] = var;
    } else if (var->space == ISA_SPACE_GLOBAL || var->space == ISA_SPACE_CONST) {
        m->variables = ptx_grow(ps->diag, m->variables, m->n_variables, sizeof(*m->variables));
        m->variables[m->n_variables++] = var;
    } else if (f == NULL) {
        ptx_fail(ps->diag, var->line, 0,
                 "\"%s\": .local and .param variables belong inside a "
                 "function; move it there",
                 var->name);
    } else {
        var->offset = place(ps, var->space == ISA_SPACE_LOCAL ? &f->local_bytes : &f->area_bytes,
                            var);
        f->variables = ptx_grow(ps->diag, f->variables, f->n_variables, sizeof(*f->variables));
        f->variables[f->n_variables++] = var;
    }
}

/* What several texts say of one variable: a definition stands for declarations, the first of weak
 * definitions for the others. */
static void merge_variable(struct ptx_parser *ps, struct ptx_variable *known,
                           const struct ptx_variable *var, struct ptx_linkage linkage,
                           const struct ptx_token *at)
{
    bool defines = !linkage.is_external || (var->space == ISA_SPACE_SHARED && !var->is_dynamic);
    if (known->space != var->space || known->type != var->type) {
        PTX_FAIL_AT(ps, at, "\"%s\" was declared with another space or type (line %u)", var->name,
                    known->line);
    }
    if (defines && known->is_external) {
        *known = *var; /* who refers to it points at the first declaration */
    } else if (defines && !linkage.is_weak && !var->is_dynamic) {
        PTX_FAIL_AT(ps, at, "\"%s\" is declared twice in one scope; rename one of them", var->name);
    }
}

void ptx_parse_variables(struct ptx_parser *ps, struct ptx_linkage linkage)
{
    struct attributes attr = parse_attributes(ps);
    do {
        struct ptx_shape shape = {.n_dims = 0};
        const struct ptx_token *at = ps->token;
        struct ptx_symbol *known = known_variable(ps, at);
        struct ptx_variable *var = new_variable(ps, &attr, known == NULL);
        bool is_external = linkage.is_external;
        parse_dimensions(ps, &attr, var, &shape);
        var->is_external = is_external && attr.space != ISA_SPACE_SHARED;
        var->is_dynamic = attr.space == ISA_SPACE_SHARED && var->bytes == 0;
        if (ptx_accept_punct(ps, '=')) {
            ptx_parse_initialiser(ps, var, &shape);
        } else if (var->bytes == 0 && !is_external) {
            ptx_fail(ps->diag, var->line, 0, "\"%s\" has no size; give one or an initialiser",
                     var->name);
        }
        if (known == NULL) {
            record_variable(ps, var);
        } else {
            merge_variable(ps, known->variable, var, linkage, at);
        }
    } while (ptx_accept_punct(ps, ','));
    ptx_expect_punct(ps, ';');
}

/* .reg parameters of a device function: (.reg .u32 %x) */
static struct ptx_variable *parse_register_formal(struct ptx_parser *ps)
{
    struct ptx_variable *var = ptx_alloc(ps->diag, 1, sizeof(*var));
    const struct ptx_token *at = ps->token;
    enum ptx_type type = at->kind == PTX_TOKEN_DOT ? ptx_type_named(at->name) : PTX_NONE;
    if (type == PTX_NONE || type == PTX_B128) {
        PTX_FAIL_AT(ps, at, "a register type is expected, not %s", ptx_token_text(ps, at));
    }
    ptx_next(ps);
    var->line = ps->token->line;
    var->space = ISA_SPACE_PARAM;
    var->type = type;
    var->bytes = ptx_type_bytes(type);
    var->is_register_param = true;
    const struct ptx_token *name_at = ps->token;
    var->name = ptx_expect_name(ps, "a parameter name");
    struct ptx_symbol *symbol = ptx_declare(ps, var->name, PTX_SYMBOL_REGISTER, name_at);
    symbol->type = type;
    var->reg = ptx_symbol_register(ps, symbol);
    return var;
}

struct ptx_variable *ptx_parse_formal(struct ptx_parser *ps)
{
    struct ptx_function *f = ps->function;
    if (ptx_accept_dot(ps, ".reg")) {
        if (f->is_entry) {
            PTX_FAIL_AT(ps, ps->token, "parameters of a kernel are .param, not .reg");
        }
        return parse_register_formal(ps);
    }
    struct attributes attr = parse_attributes(ps);
    struct ptx_shape shape = {.n_dims = 0};
    if (attr.space != ISA_SPACE_PARAM) {
        PTX_FAIL_AT(ps, ps->token, "parameters live in .param or .reg");
    }
    struct ptx_variable *var = new_variable(ps, &attr, true);
    parse_dimensions(ps, &attr, var, &shape);
    var->of_entry = f->is_entry;
    var->offset = place(ps, f->is_entry ? &f->param_bytes : &f->area_bytes, var);
    return var;
}

static struct ptx_symbol *declare_register(struct ptx_parser *ps, enum ptx_type type,
                                           uint32_t vector)
{
    const struct ptx_token *at = ps->token;
    const char *name = ptx_expect_name(ps, "a register name");
    struct ptx_symbol *symbol = NULL;
    if (ptx_accept_punct(ps, '<')) {
        const char *key = ptx_format(ps->diag, "%.400s<", name);
        symbol = ptx_declare(ps, key, PTX_SYMBOL_FAMILY, at);
        /* The bound is a plain integer: '>' closes it. */
        const struct ptx_token *count = ps->token;
        if (count->kind != PTX_TOKEN_INTEGER || count->bits > INT32_MAX) {
            PTX_FAIL_AT(ps, count, "the number of registers is expected here");
        }
        ptx_next(ps);
        symbol->count = (uint32_t)count->bits;
        ptx_expect_punct(ps, '>');
    } else {
        symbol = ptx_declare(ps, name, PTX_SYMBOL_REGISTER, at);
    }
    symbol->type = type;
    symbol->vector = vector;
    return symbol;
}

void ptx_parse_registers(struct ptx_parser *ps)
{
    enum ptx_type type = PTX_NONE;
    uint32_t vector = 1;
    ptx_next(ps); /* .reg */
    for (; ps->token->kind == PTX_TOKEN_DOT; ptx_next(ps)) {
        if (ptx_is_dot(ps, ".v2") || ptx_is_dot(ps, ".v4")) {
            vector = (uint32_t)(ps->token->name[2] - '0');
        } else {
            type = ptx_type_named(ps->token->name);
        }
    }
    if (type == PTX_NONE || type == PTX_B128) {
        PTX_FAIL_AT(ps, ps->token, "registers need a type of at most 64 bits");
    }
    do {
        declare_register(ps, type, vector);
    } while (ptx_accept_punct(ps, ','));
    ptx_expect_punct(ps, ';');
}
