/* ptx_parse_inst.c - statements of a function body (PTX ISA, "Instruction Statements",
 * "Instruction Operands").
 *
 * Resolves names and shapes; which operands an opcode takes is lowering's business.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/ptx_parser.h"

struct ptx_operand ptx_parse_operand(struct ptx_parser *ps);

static bool at_dot_of(const struct ptx_token *dot, const struct ptx_token *name)
{
    return dot->kind == PTX_TOKEN_DOT && dot->line == name->line &&
           dot->column == name->column + strlen(name->name);
}

static uint32_t component_of(struct ptx_parser *ps, const struct ptx_symbol *symbol)
{
    static const char letters[] = "xyzwrgba";
    const char *name = ps->token->name;
    const char *found = name[2] == '\0' ? strchr(letters, name[1]) : NULL;
    uint32_t component = found == NULL ? symbol->vector : (uint32_t)(found - letters) % 4;
    if (component >= symbol->vector) {
        PTX_FAIL_AT(ps, ps->token, "register %s has no component %s", symbol->name, name);
    }
    ptx_next(ps);
    return component;
}

static struct ptx_operand register_vector(struct ptx_parser *ps, const struct ptx_operand *proto,
                                          uint32_t n)
{
    struct ptx_operand *elements = ptx_alloc(ps->diag, n, sizeof(*elements));
    for (uint32_t i = 0; i < n; i++) {
        elements[i] = *proto;
        elements[i].reg = proto->reg + i;
    }
    struct ptx_operand o = *proto;
    o.kind = PTX_OPERAND_VECTOR;
    o.elements = elements;
    o.n_elements = n;
    return o;
}

static struct ptx_operand register_operand(struct ptx_parser *ps, struct ptx_symbol *symbol,
                                           const struct ptx_token *at)
{
    struct ptx_operand o = {.kind = PTX_OPERAND_REGISTER, .line = at->line, .column = at->column};
    o.reg = ptx_symbol_register(ps, symbol);
    if (symbol->vector > 1) {
        if (at_dot_of(ps->token, at)) {
            o.reg += component_of(ps, symbol);
        } else {
            return register_vector(ps, &o, symbol->vector);
        }
    }
    return o;
}

/* %tid.x and the like; the name is current.  Returns false when it is no special register. */
static bool special_operand(struct ptx_parser *ps, struct ptx_operand *o)
{
    const struct ptx_token *at = ps->token;
    enum ptx_special special = ptx_special_named(at->name);
    uint32_t tokens = 1;
    if (special == PTX_SPECIAL_COUNT && at_dot_of(at + 1, at)) {
        special = ptx_special_named(ptx_format(ps->diag, "%s%s", at->name, at[1].name));
        tokens = 2;
    }
    if (special == PTX_SPECIAL_COUNT) {
        return false;
    }
    o->kind = PTX_OPERAND_SPECIAL;
    o->special = (uint8_t)special;
    while (tokens-- != 0) {
        ptx_next(ps);
    }
    return true;
}

static struct ptx_operand constant_operand(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    struct ptx_operand o = {.line = at->line, .column = at->column, .reg = PTX_NO_INDEX};
    struct ptx_constant c = ptx_parse_constant(ps);
    static const enum ptx_operand_kind kinds[] = {[PTX_CONST_INTEGER] = PTX_OPERAND_INTEGER,
                                                  [PTX_CONST_F32] = PTX_OPERAND_F32,
                                                  [PTX_CONST_F64] = PTX_OPERAND_F64,
                                                  [PTX_CONST_ADDRESS] = PTX_OPERAND_ADDRESS};
    o.kind = kinds[c.kind];
    o.value = c.value;
    o.variable = c.variable;
    if (c.shift != 0) {
        PTX_FAIL_AT(ps, at, "a byte of an address belongs in an initialiser only");
    }
    return o;
}

static struct ptx_operand name_operand(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    struct ptx_operand o = {.line = at->line, .column = at->column, .reg = PTX_NO_INDEX};
    if (at->kind != PTX_TOKEN_NAME) {
        PTX_FAIL_AT(ps, at, "a register is expected, not %s", ptx_token_text(ps, at));
    }
    if (strcmp(at->name, "_") == 0) {
        ptx_next(ps);
        o.kind = PTX_OPERAND_SINK;
        return o;
    }
    struct ptx_symbol *symbol = ptx_find_register(ps, at->name);
    if (symbol != NULL) {
        ptx_next(ps);
        return register_operand(ps, symbol, at);
    }
    if (special_operand(ps, &o)) {
        return o;
    }
    if (at->name[0] == '%') {
        PTX_FAIL_AT(ps, at, "register %s is not declared; declare it with .reg", at->name);
    }
    return constant_operand(ps);
}

/* [base], [base+offset], [number]; the bracket is current. */
static struct ptx_operand memory_operand(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    ptx_expect_punct(ps, '[');
    struct ptx_operand base = ps->token->kind == PTX_TOKEN_NAME ? name_operand(ps)
                                                                : constant_operand(ps);
    struct ptx_operand o = base;
    o.kind = PTX_OPERAND_MEMORY;
    o.line = at->line;
    o.column = at->column;
    if (base.kind == PTX_OPERAND_REGISTER) {
        bool minus = ptx_is_punct(ps, '-');
        if (ptx_accept_punct(ps, '+') || minus) {
            o.value = ptx_parse_integer(ps, "address offset", INT64_MIN, INT64_MAX);
        }
    } else if (base.kind != PTX_OPERAND_ADDRESS && base.kind != PTX_OPERAND_INTEGER) {
        PTX_FAIL_AT(ps, at, "an address is a register, a variable or a number");
    }
    if (ptx_accept_punct(ps, ',')) { /* the coordinates of a texture or surface */
        struct ptx_operand *coordinates = ptx_alloc(ps->diag, 1, sizeof(*coordinates));
        ptx_enter(ps);
        *coordinates = ptx_parse_operand(ps);
        ptx_leave(ps);
        o.pair = coordinates;
    }
    ptx_expect_punct(ps, ']');
    return o;
}

static struct ptx_operand vector_operand(struct ptx_parser *ps)
{
    struct ptx_operand o = {.kind = PTX_OPERAND_VECTOR,
                            .line = ps->token->line,
                            .column = ps->token->column,
                            .reg = PTX_NO_INDEX};
    struct ptx_operand elements[8];
    ptx_enter(ps);
    ptx_expect_punct(ps, '{');
    do {
        if (o.n_elements == 8) {
            PTX_FAIL_AT(ps, ps->token, "vectors have at most 8 elements");
        }
        elements[o.n_elements++] = ptx_parse_operand(ps);
    } while (ptx_accept_punct(ps, ','));
    ptx_expect_punct(ps, '}');
    ptx_leave(ps);
    struct ptx_operand *copy = ptx_alloc(ps->diag, o.n_elements, sizeof(*copy));
    memcpy(copy, elements, o.n_elements * sizeof(*copy));
    o.elements = copy;
    return o;
}

struct ptx_operand ptx_parse_operand(struct ptx_parser *ps)
{
    struct ptx_operand o;
    if (ptx_is_punct(ps, '[')) {
        return memory_operand(ps);
    }
    if (ptx_is_punct(ps, '{')) {
        return vector_operand(ps);
    }
    if (ptx_is_punct(ps, '!') && ps->token[1].kind == PTX_TOKEN_NAME) {
        ptx_next(ps);
        o = name_operand(ps);
        o.negated = true;
        return o;
    }
    if (ps->token->kind != PTX_TOKEN_NAME) {
        return constant_operand(ps);
    }
    o = name_operand(ps);
    if (ptx_accept_punct(ps, '|')) {
        struct ptx_operand *pair = ptx_alloc(ps->diag, 1, sizeof(*pair));
        *pair = name_operand(ps);
        o.pair = pair;
    }
    return o;
}

static void add_operand(struct ptx_parser *ps, struct ptx_statement *st, struct ptx_operand o)
{
    if (st->n_operands == PTX_MAX_OPERANDS) {
        PTX_FAIL_AT(ps, ps->token, "%s has too many operands", st->text);
    }
    st->operands[st->n_operands++] = o;
}

struct ptx_operand ptx_label_operand(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    const char *name = ptx_expect_name(ps, "a label");
    return (struct ptx_operand){.kind = PTX_OPERAND_LABEL,
                                .line = at->line,
                                .column = at->column,
                                .reg = PTX_NO_INDEX,
                                .label = ptx_label_use(ps, name, at)};
}

static void parse_opcode(struct ptx_parser *ps, struct ptx_statement *st)
{
    char text[128];
    st->line = ps->token->line;
    st->column = ps->token->column;
    st->opcode = ptx_expect_name(ps, "an instruction");
    size_t used = (size_t)snprintf(text, sizeof(text), "%.40s", st->opcode);
    while (ps->token->kind == PTX_TOKEN_DOT) {
        if (st->n_modifiers == PTX_MAX_MODIFIERS) {
            PTX_FAIL_AT(ps, ps->token, "%s has too many modifiers", st->opcode);
        }
        st->modifiers[st->n_modifiers++] = ps->token->name;
        if (used < sizeof(text)) {
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", ps->token->name);
        }
        ptx_next(ps);
    }
    st->text = ptx_strndup(ps->diag, text, strlen(text));
}

static void parse_guard(struct ptx_parser *ps, struct ptx_statement *st)
{
    st->guard = PTX_NO_INDEX;
    if (!ptx_accept_punct(ps, '@')) {
        return;
    }
    st->guard_negated = ptx_accept_punct(ps, '!');
    const struct ptx_token *at = ps->token;
    struct ptx_operand o = name_operand(ps);
    if (o.kind != PTX_OPERAND_REGISTER || ps->function->registers[o.reg].type != PTX_PRED) {
        PTX_FAIL_AT(ps, at, "guard %s is not a .pred register; set one with setp", at->name);
    }
    st->guard = o.reg;
}

void ptx_parse_instruction(struct ptx_parser *ps)
{
    struct ptx_statement st = {.loc_file = ps->loc_file, .loc_line = ps->loc_line};
    struct ptx_function *f = ps->function;
    parse_guard(ps, &st);
    parse_opcode(ps, &st);
    if (strcmp(st.opcode, "call") == 0) {
        ptx_parse_call(ps, &st);
    } else if (strcmp(st.opcode, "bra") == 0) {
        add_operand(ps, &st, ptx_label_operand(ps));
    } else if (strcmp(st.opcode, "brx") == 0) {
        add_operand(ps, &st, ptx_parse_operand(ps));
        ptx_expect_punct(ps, ',');
        add_operand(ps, &st, ptx_label_operand(ps));
    } else if (!ptx_is_punct(ps, ';')) {
        do {
            add_operand(ps, &st, ptx_parse_operand(ps));
        } while (ptx_accept_punct(ps, ','));
    }
    ptx_expect_punct(ps, ';');
    f->statements = ptx_grow(ps->diag, f->statements, f->n_statements, sizeof(*f->statements));
    f->statements[f->n_statements++] = st;
}

static void parse_label(struct ptx_parser *ps)
{
    const struct ptx_token *at = ps->token;
    const char *name = ptx_expect_name(ps, "a label");
    ptx_expect_punct(ps, ':');
    if (!ptx_parse_list(ps, name, at)) {
        ptx_label_define(ps, name, at);
    }
}

static void parse_directive(struct ptx_parser *ps)
{
    if (ptx_is_dot(ps, ".reg")) {
        ptx_parse_registers(ps);
    } else if (ptx_is_debug(ps)) {
        ptx_parse_debug(ps);
    } else if (ptx_is_dot(ps, ".pragma")) {
        ptx_parse_pragma(ps);
    } else {
        struct ptx_linkage linkage = {ptx_accept_dot(ps, ".extern"), false};
        ptx_parse_variables(ps, linkage);
    }
}

void ptx_parse_body(struct ptx_parser *ps)
{
    uint32_t open = 0;
    ptx_expect_punct(ps, '{');
    for (;;) {
        if (ptx_accept_punct(ps, '{')) {
            ptx_enter(ps);
            ptx_scope_push(ps);
            open++;
        } else if (ptx_accept_punct(ps, '}')) {
            if (open == 0) {
                return;
            }
            ptx_scope_pop(ps);
            ptx_leave(ps);
            open--;
        } else if (ps->token->kind == PTX_TOKEN_DOT) {
            parse_directive(ps);
        } else if (ps->token->kind == PTX_TOKEN_NAME && ps->token[1].kind == PTX_TOKEN_PUNCT &&
                   ps->token[1].punct == ':') {
            parse_label(ps);
        } else if (!ptx_accept_punct(ps, ';')) {
            ptx_parse_instruction(ps);
        }
    }
}
